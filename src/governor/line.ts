// The calls of this process that wait. Each stands in the line of the one limit that it waits for the longest: what is ahead
// of a call holds it back only where the limit that both share has no room.
import type { MonotonicClock } from '../core/options/clock.ts';
import type { Rate } from './record.ts';
import type { Shared } from './shared.ts';
import type { Use } from './uses.ts';

/** A limit, as this process knows it; or what the calls of a token count against: the names in its record. */
export interface Limit extends Shared {
  /** Its kind and id. */
  readonly name: string;
  readonly kind: string;
  readonly id: string;
  readonly rate: Rate | undefined;
  readonly clock: MonotonicClock;
  /** The calls of this process that are under way, and until when they count at most, by the monotonic clock. */
  readonly flights: Set<{ readonly calls: number; until: number }>;
  /** Those that wait for it, in their order. */
  readonly line: Pass[];
  /** By how much the wall clock was ahead of the monotonic one. */
  aheadMs: number;
  /** How many calls it made within an hour or so, at this monotonic time. */
  made: number;
  madeAt: number;
}

/** A call on its way through its limits. */
export interface Pass {
  readonly use: Use;
  limits: readonly Limit[];
  /** In whose line it stands. */
  at: Limit | undefined;
  /** Until when other calls take its turn into account: a call whose request has died no longer renews this. */
  aliveUntil: number;
}

/** Within a lane, earlier calls go first. */
const rankOf = ({ use: { lane, number } }: Pass): number => lane * 2 ** 44 + number;

/** How many calls in the line of a limit go before one. */
export function aheadOf(pass: Pass, { line }: Limit): number {
  const rank = rankOf(pass);
  let [from, to] = [0, line.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    const other = line[middle];
    if (other && rankOf(other) < rank) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** A call goes to its place in the line of a limit, from where it stood before; or leaves. */
export function stand(pass: Pass, limit: Limit | undefined): void {
  if (pass.at === limit) return;
  if (pass.at) pass.at.line.splice(aheadOf(pass, pass.at), 1);
  if (limit) limit.line.splice(aheadOf(pass, limit), 0, pass);
  pass.at = limit;
}
