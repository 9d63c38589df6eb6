// A governor holds a call back if it would go over a rate limit of the platform. Each response says how full a limit is, for
// all callers together, so the platform is the counter that a fleet shares; the store carries the newest of it.
//
// What is known of a limit is one record of seven fields (record.ts): `percent` and `at`, the last report; `used`, what came
// when; `until`, `by` and `tries`, a block; `names`, a set whose elements expire. Each process has a copy (shared.ts). Beside
// it, it keeps its own calls in flight, how many it made within the hour, and whether it tries after a block (limits.ts).
//
// The rules, which `bench/simulation.ts` measures:
// 1. A report above what is foreseen adds the difference to `used`, which leaves an hour later. One below it lowers all alike.
// 2. A call is let through if what is used, the own calls in flight, and the call are within the share of its lane; a call
//    counts 1 %, or less as soon as the process has made so many that it cannot be 1 %. If not, it waits, or fails at once
//    where no room is foreseen in time.
// 3. A refusal, or a report that names a time, is a block until then. After it, one call of the fleet tries: it writes its mark
//    into `by`, and only the response to that call ends the block.
// 4. A published rate is reported by nobody: what was sent is added to `used`. If it is of seconds, processes take equal parts
//    of it, or turns; if it counts different keys, these are `names`.
// 5. What the calls of a token count against is learned from responses: the `names` of a record of the token. A limit of a
//    Page or an account holds calls to it only, and those that may be to it.
//
// In which order to read:
// - uses.ts: what a call counts against, as its request says, and what its response says of that.
// - record.ts: the record, and all that follows from it: pure functions.
// - shared.ts: how a record is read and written, each at most once in `syncMs`.
// - limits.ts: which limits hold a call, for how long, and what its result teaches.
// - createGovernor.ts: a call asks for room, waits or fails, is sent, and learns.
export type { Lane, LimitState, Governor } from '../core/http/types.ts';
export { createGovernor, type GovernorOptions, limits } from './createGovernor.ts';
