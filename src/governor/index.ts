// A governor holds a call back if it would go over a rate limit of the platform. Each response says how full a limit is, for
// all callers together, so the platform is the counter that a fleet shares; the store carries the newest of it.
//
// What is known of a limit is one record of seven fields (record.ts), of which each process has a copy (shared.ts). Beside it,
// a process keeps its own calls in flight, and how many it made within the hour (limits.ts). What is stored goes by the clock's
// `now`, what only this process knows by `monotonic`.
//
// The rules, which `bench/simulation.ts` measures:
// 1. A report above what is foreseen adds the difference to `used`, which leaves an hour later. One below it lowers all alike.
// 2. A call is let through if what is used, the own calls in flight, and the call are within the share of its lane; a call
//    counts 1 %, or less as soon as the process has made so many that it cannot be 1 %. If not, it waits, or fails at once
//    where no room is foreseen in time.
// 3. A refusal, or a report that names a time, is a block until then. After it, one call of the fleet tries: it writes its mark
//    into `by`, and only the response to that call ends the block.
// 4. A published rate is reported by nobody: what was sent is added to `used`. If it is of seconds, processes take equal parts
//    of it, or turns.
// 5. What the calls of a token count against is learned from responses: the `names` of a record of the token. A limit of a
//    Page or an account holds calls to it only, and those that may be to it.
// 6. A call that waits stands in the line of one limit, the one that it waits for the longest: nobody waits behind it for
//    another one.
//
// To read in this order: uses.ts, record.ts, shared.ts, limits.ts, line.ts, createGovernor.ts.
export type { Lane, LimitState, Governor } from '../core/http/types.ts';
export { createGovernor, type GovernorOptions, limits } from './createGovernor.ts';
