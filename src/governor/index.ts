// A governor in five files; read them in this order:
// - uses.ts: what a call counts against, as its request says, and what its response says of that.
// - record.ts: what is known of one limit. A report says what is used; an hour after they were made, calls leave; a refusal is a
//   block, after which one call tries. Published rates, which nobody reports, are counted.
// - shared.ts: how processes share values over a store, each read and written at most once in `syncMs`.
// - limits.ts: which limits hold a call, whether they have room, and what its result teaches.
// - createGovernor.ts: a call asks for room, waits or fails, is sent, and learns.
export type { Lane, LimitState, Governor } from '../core/http/types.ts';
export { createGovernor, type GovernorOptions, limits } from './createGovernor.ts';
