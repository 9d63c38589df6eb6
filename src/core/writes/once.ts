import { err, type Ok, ok, type Result, ResultAsync } from 'neverthrow';

import type { Context } from '../context.ts';
import { withIds, withOutcome } from '../deriveError.ts';
import type { CreatedIds, RequestFailure } from '../errors.ts';
import { backoff } from '../http/retry.ts';
import { deadlineOf, send } from '../http/send.ts';
import type { GraphRequest } from '../http/types.ts';

/** How many looks are taken, each after twice the wait of the one before: 7.5 s in all by default. */
const looks = 4;
/** How long a write that ended is remembered, milliseconds: an equal one must not take its entry. */
const memoryMs = 600_000;

/** Something that the write may have made. */
export interface Entry<TValue> {
  readonly id: string;
  /** When it was made, by the platform's clock; `undefined` when only this write can have made it. */
  readonly at: number | undefined;
  /** What the call returns when the entry is its own. */
  readonly value: TValue;
}

/** What one look at the platform shows. */
export interface Sighting<TValue> {
  /** Entries with the content of the write. */
  readonly entries: readonly Entry<TValue>[];
  /** The platform's clock at the look, milliseconds since 1970. */
  readonly date?: number | undefined;
  /** The write took effect for sure, whether or not its entry shows. */
  readonly applied?: boolean | undefined;
}

/** How to find out whether a write took effect. */
export interface Look<TValue> {
  /** Equal for writes whose entries could be taken for one another. */
  readonly key: string;
  /** Writes of the key that differ in it cannot have made each other's entries; without it, any may have. */
  readonly content?: string | undefined;
  /** What the write uses up: two writes of the same subject can have made but one entry. */
  readonly subject?: string | undefined;
  /** Takes one look. */
  readonly find: () => ResultAsync<Sighting<TValue>, RequestFailure>;
  /** The id of the entry that a successful answer speaks of. */
  readonly idOf: (value: TValue) => string;
  /** The ids known before the write, under their documented names. */
  readonly ids?: CreatedIds | undefined;
}

/** A write of this process, as far as it is known. */
interface Write extends Pick<Look<unknown>, 'content' | 'subject'> {
  /** The fetcher of its context. */
  readonly owner: unknown;
  /** When its last attempt began: those before were refused. */
  startedAt: number;
  endedAt?: number;
  /** What it made; `undefined` while it is under way, and for good where that could not be learnt. */
  id?: string;
}

const writes = new Map<string, Set<Write>>();

/**
 * Sends a write that must not take effect twice. Only a refused one is sent again; after a lost or
 * unreadable answer, the platform is asked a few times whether the write took effect.
 *
 * An entry counts as the write's own if it was made after the write began, by the platform's clock, and
 * no other write of this process can have made it, and no second entry fits as well.
 */
export function sendOnce<TValue>(
  context: Context,
  request: GraphRequest<TValue>,
  look: Look<TValue>,
): ResultAsync<TValue, RequestFailure> {
  return new ResultAsync(run(context, request, look));
}

async function run<TValue>(
  context: Context,
  request: GraphRequest<TValue>,
  look: Look<TValue>,
): Promise<Result<TValue, RequestFailure>> {
  const { clock, retry, fetcher } = context;
  const { signal, deadline = deadlineOf(context) } = request;
  const { content, subject } = look;
  const write: Write = { owner: fetcher, startedAt: clock.now(), content, subject };
  const others = remember(context, look, write);

  const sent = await send(context, {
    ...request,
    deadline,
    retryOn: 'rejection',
    onAttempt: () => {
      write.startedAt = clock.now();
    },
  });
  if (sent.isOk()) return settle(sent.value);
  const failure = withIds(sent.error, look.ids);
  if (failure.outcome === 'rejected') {
    others.delete(write);
    return err(failure);
  }

  const isEnded = failure.name === 'TransportError' && /aborted|closed/.test(failure.reason);
  let applied: boolean | undefined;
  for (let step = 1; step <= looks && retry.onceOnly && !isEnded; step++) {
    const wait = backoff(retry, step);
    if (clock.now() + wait >= deadline) break;
    if ((await fetcher.pause(clock, wait, signal)).isErr()) break;
    const seen = await look.find();
    // A failed look proves nothing; the next one may succeed.
    if (seen.isErr()) continue;
    applied ||= seen.value.applied;
    const own = ownEntry(seen.value, clock.now(), write, others);
    if (own !== undefined) return settle(own.value);
  }
  write.endedAt = clock.now();
  return err(applied ? withOutcome(failure, 'applied') : failure);

  function settle(value: TValue): Ok<TValue, never> {
    write.endedAt = clock.now();
    write.id = look.idOf(value);
    return ok(value);
  }
}

/**
 * Looks once for what a write of `look.subject` made that took effect before, in this process or another,
 * since the instant `since`. It is `undefined` where that cannot be told.
 */
export function findMade<TValue>(
  context: Context,
  look: Look<TValue>,
  since: number,
): ResultAsync<TValue | undefined, RequestFailure> {
  const earlier = [...(writes.get(keyOf(context, look)) ?? [])].find(
    ({ subject }) => subject !== undefined && subject === look.subject,
  );
  const { content, subject } = look;
  const write: Write = earlier ?? {
    owner: context.fetcher,
    startedAt: since,
    endedAt: context.clock.now(),
    content,
    subject,
  };
  const known = remember(context, look, write);
  return look.find().map((seen) => {
    const own = ownEntry(seen, context.clock.now(), write, known);
    if (own !== undefined) write.id = own.id;
    return own?.value;
  });
}

/** The entry that only this write can have made. */
function ownEntry<TValue>(
  { entries, date }: Sighting<TValue>,
  now: number,
  write: Write,
  known: ReadonlySet<Write>,
): Entry<TValue> | undefined {
  const others: Write[] = [];
  let { startedAt, id: made } = write;
  for (const other of known) {
    if (other !== write && (other.subject === undefined || other.subject !== write.subject)) {
      others.push(other);
    } else {
      made ??= other.id;
      startedAt = Math.min(startedAt, other.startedAt);
    }
  }
  if (made !== undefined) return entries.find(({ id }) => id === made);
  // The platform's clock when the write began. Its clock and its entries tell whole seconds only.
  const began = Math.floor(((date ?? now) - (now - startedAt)) / 1000) * 1000;
  const fitting = entries.filter(
    ({ id, at = began }) => at >= began && !others.some((other) => other.id === id),
  );
  const [first] = fitting;
  if (fitting.length !== 1 || first === undefined) return undefined;
  // A write whose entry is not known may have made this one, unless the entry can only be ours.
  // One that ended without it may land late: for how long that is feared is its own context's matter. Content that
  // is not known is like any other.
  const { content, owner } = write;
  const hasRival = others.some(
    (other) =>
      !other.id &&
      (!other.endedAt || other.owner === owner) &&
      (content ?? other.content) === (other.content ?? content),
  );
  return hasRival && first.at !== undefined ? undefined : first;
}

function keyOf({ graphBase }: Context, { key }: Pick<Look<unknown>, 'key'>): string {
  return `${graphBase} ${key}`;
}

/** Notes a write, and drops what is too old to matter. What is under way is kept, however old. */
function remember(context: Context, look: Pick<Look<unknown>, 'key'>, write: Write): Set<Write> {
  const key = keyOf(context, look);
  const now = context.clock.now();
  const known = writes.get(key) ?? new Set();
  for (const other of known) {
    if ((other.endedAt ?? now) < now - memoryMs) known.delete(other);
  }
  // Set anew, the key comes last: the first ones are the oldest.
  writes.delete(key);
  writes.set(key, known.add(write));
  for (const [oldest, noted] of writes) {
    const isYoung = writes.size <= 1000 && noted.size > 0;
    if (isYoung || [...noted].some(({ endedAt }) => !endedAt)) break;
    writes.delete(oldest);
  }
  return known;
}
