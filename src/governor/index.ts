export type { Lane, LimitState, Governor } from '../core/http/types.ts';
export { createGovernor, type GovernorOptions, limits } from './createGovernor.ts';
