import { err, ok, type Result, type ResultAsync } from 'neverthrow';

import { askedMsOf } from '../action.ts';
import type { RequestFailure } from '../errors.ts';
import type { MonotonicClock } from '../options/clock.ts';
import { isOver } from './send.ts';
import type { CallLimits, GraphRequest, HttpContext } from './types.ts';

/** The pause between the first two status requests and the longest pause, in milliseconds, and how pauses grow. */
const firstPauseMs = 1000;
const longestPauseMs = 30_000;
const pauseGrowth = 1.5;
/** A status request may take at least this many milliseconds, even the last one, which begins when the time is up. */
const leastLookupMs = 5000;

/** A process that goes on so much later than it wanted to stood still: frozen, between two invocations, or blocked. */
export const stillMs = 1000;

/** How long a call waits by default, in milliseconds. */
export const defaultWaitMs = 300_000;

/** The limits of each status request of a wait: one attempt, and the time that is left. */
export type StatusRequest = Pick<
  GraphRequest<unknown>,
  'attempts' | 'purpose' | 'signal' | 'deadline' | 'trace'
>;

/** A wait for something that the platform processes. */
export interface Wait<TStatus extends object> extends CallLimits {
  /** Milliseconds for the whole wait, including its status requests. 0 sends one status request. */
  readonly waitTimeoutMs: number;
  /**
   * Whether to pause before the first status request, because the status is already known.
   * @default false
   */
  readonly pausesFirst?: boolean | undefined;
  readonly readStatus: (request: StatusRequest) => ResultAsync<TStatus, RequestFailure>;
  /** Whether the platform is still processing. */
  readonly isPending: (status: TStatus) => boolean;
}

type Polled<TStatus extends object> =
  | { readonly isTimeUp: false; readonly status: TStatus }
  /** The last status; `undefined` if the deadline of the call left no time to read one. */
  | { readonly isTimeUp: true; readonly status: TStatus | undefined };

/** A wait in progress, which a call may resume. */
export interface Polling<TStatus extends object> {
  /** When the wait began and when its time is up, by the monotonic clock. */
  readonly startedAt: number;
  readonly endsAt: number;
  /**
   * Reads the status until the platform is done or the time is up, with growing pauses between. It reads at least once,
   * and not before `leastPauseMs` milliseconds have passed.
   *
   * After a failed status request, another one follows. The failure ends the wait if it is permanent (a dead token, an
   * abort), if the platform asks for a longer pause than is left, or if the time is up and none ever succeeded.
   */
  readonly poll: (leastPauseMs?: number) => Promise<Result<Polled<TStatus>, RequestFailure>>;
}

/** Begins a wait. Nothing is sent yet. */
export function startPolling<TStatus extends object>(
  { clock, fetcher }: HttpContext,
  { waitTimeoutMs, pausesFirst = false, readStatus, isPending, deadline, signal, trace }: Wait<TStatus>,
): Polling<TStatus> {
  const startedAt = clock.monotonic();
  const endsAt = startedAt + waitTimeoutMs;
  let pauseMs = pausesFirst ? firstPauseMs : 0;
  let lookups = 0;
  let isLast = false;
  /** Whether the process stood still in the last request, frozen or blocked: what that said is of before. */
  let wasStill = false;
  let status: TStatus | undefined;
  let failure: RequestFailure | undefined;

  async function poll(leastPauseMs = 0): Promise<Result<Polled<TStatus>, RequestFailure>> {
    for (let leastMs = leastPauseMs; !isLast && (lookups === 0 || wasStill || clock.monotonic() < endsAt);) {
      const now = clock.monotonic();
      const delayMs = Math.min(Math.max(leastMs, pauseMs), Math.max(0, endsAt - now));
      // A pause that would exceed the deadline of the call is not started.
      if (now + delayMs >= deadline) break;
      if (delayMs > 0) {
        const paused = await fetcher.pause(clock, delayMs, signal);
        if (paused.isErr()) return err(paused.error);
      }
      // A timer may fire a little early, so the planned time counts as well.
      isLast = now + delayMs >= endsAt || clock.monotonic() >= endsAt;
      pauseMs = Math.min(longestPauseMs, Math.max(firstPauseMs, pauseMs * pauseGrowth));

      lookups++;
      const request = statusRequest(clock, endsAt, { deadline, signal, trace });
      const read = await readStatus(request);
      wasStill = clock.monotonic() - request.deadline >= stillMs;
      isLast &&= !wasStill;
      if (read.isOk()) {
        status = read.value;
        if (!isPending(status)) return ok({ isTimeUp: false, status });
        leastMs = 0;
      } else {
        failure = read.error;
        leastMs = askedMsOf(failure) ?? 0;
        const leftMs = Math.max(0, Math.min(endsAt, deadline) - clock.monotonic());
        if (endsWait(failure) || (leastMs > leftMs && !wasStill)) return err(failure);
      }
    }
    return failure !== undefined && status === undefined ? err(failure) : ok({ isTimeUp: true, status });
  }

  return { startedAt, endsAt, poll };
}

/** The limits of a status request in a wait that ends at `endsAt`. */
export function statusRequest(
  clock: MonotonicClock,
  endsAt: number,
  { deadline, signal, trace }: CallLimits,
): StatusRequest {
  const latest = Math.max(endsAt, clock.monotonic() + leastLookupMs);
  return { attempts: 1, purpose: 'status', signal, trace, deadline: Math.min(deadline, latest) };
}

/** Whether a later status request would fail for the same reason. */
function endsWait(failure: RequestFailure): boolean {
  return failure.name === 'TransportError'
    ? isOver(failure)
    : failure.category === 'auth' && failure.code !== undefined;
}
