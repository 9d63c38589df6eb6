export type { Governor, Lane, LimitState } from '../core/http/governor.ts';
export { createGovernor, type GovernorOptions, limits } from './createGovernor.ts';
