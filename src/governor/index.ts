export type { Lane, LimitState } from '../core/http/governor.ts';
export type { Governor } from '../core/http/types.ts';
export { createGovernor, type GovernorOptions, limits } from './createGovernor.ts';
