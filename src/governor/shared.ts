// Values that processes share over entries of a store. A process reads a value once in a while, changes its own copy at once,
// and tells the store later. A change is a function, which is applied again to what others have written meanwhile.
import { TransportError } from '../core/errors.ts';
import type { HttpContext } from '../core/http/types.ts';
import type { JournalStore } from '../core/writes/journal/types.ts';

/** The methods of a journal over which processes share what they know. */
export type GovernorStore = Pick<JournalStore, 'get' | 'compareAndSet' | 'list'>;

/** What is shared, and how. */
interface Sharing<T> {
  readonly key: string;
  /** Reads what is stored, whatever it is. */
  readonly read: (stored: unknown) => T;
  /** How often it is read; never, if it is infinite, and then it is not stored either. */
  readonly everyMs: number;
  readonly ttlMs: number;
  readonly onChange?: (before: T, after: T) => void;
}

/** A value, as this process knows it. */
export interface Shared<T> extends Sharing<T> {
  value: T;
  /** What the store had last, and the changes that it does not have. */
  text: string | undefined;
  news: ((value: T) => T)[];
  /** Monotonic times: when it was read and told last, until when calls wait for one that reads it, when a timer will tell. */
  readAt: number;
  toldAt: number;
  busyUntil: number;
  wakesAt: number;
}

export function createShared<T>(sharing: Sharing<T>): Shared<T> {
  const times = { readAt: -Infinity, toldAt: -Infinity, busyUntil: 0, wakesAt: 0 };
  return { ...sharing, value: sharing.read({}), text: undefined, news: [], ...times };
}

/** How long an exchange with the store may take, and how long other calls wait for it: it may have died with its request. */
export const [exchangeMs, othersMs] = [1000, 100];
/** How long a store that failed is left alone; how often others may win the race to write; how many changes are kept. */
const [downMs, mostTurns, mostNews] = [5000, 4, 1000];

export function createSharing(
  store: GovernorStore | undefined,
  syncMs: number,
  onError: ((error: unknown) => void) | undefined,
) {
  let [isUp, retryAt] = [true, 0];

  function set<T>(shared: Shared<T>, after: T): void {
    const before = shared.value;
    shared.value = after;
    shared.onChange?.(before, after);
  }

  /** Reads; or tells the news, if the store still has what was read last. If not, it reads that first. `close` ends it. */
  async function exchange<T>(shared: Shared<T>, context: HttpContext, isTelling: boolean): Promise<void> {
    const { clock, fetcher } = context;
    const now = clock.monotonic();
    if (isTelling) shared.toldAt = now;
    else shared.busyUntil = now + othersMs;
    try {
      await fetcher.withTimeout(exchangeMs, undefined, () => replace(shared, context, isTelling));
      isUp = true;
      if (!isTelling) shared.readAt = now;
    } catch (thrown) {
      const reason = thrown instanceof TransportError && thrown.reason;
      if (reason === 'closed') return;
      [isUp, retryAt] = [false, clock.monotonic() + downMs];
      onError?.(
        reason === 'timeout' ? new DOMException('the store did not respond', 'TimeoutError') : thrown,
      );
    } finally {
      if (!isTelling) shared.busyUntil = 0;
    }
  }

  async function replace<T>(
    shared: Shared<T>,
    context: HttpContext,
    isTelling: boolean,
    turn = 0,
    beaten?: { readonly expected: string | undefined },
  ): Promise<void> {
    const { key, read, ttlMs, news } = shared;
    if (!isTelling || turn > 0) {
      const text: unknown = (await store?.get(key)) ?? undefined;
      if (text !== undefined && typeof text !== 'string') throw new TypeError('get resolved to no text');
      if (beaten && text === beaten.expected)
        throw new Error('compareAndSet did not store, although no other process wrote');
      shared.text = text;
      // What the store has lost, this process has not.
      if (text !== undefined)
        set(
          shared,
          shared.news.reduce((value, change) => change(value), read(parsed(text))),
        );
    }
    const told = shared.news.length;
    if (!isTelling || told === 0) return;
    const [expected, next] = [shared.text, JSON.stringify(shared.value)];
    const isStored: unknown = await store?.compareAndSet(key, expected, next, ttlMs);
    if (typeof isStored !== 'boolean') throw new TypeError('compareAndSet resolved to no boolean');
    if (isStored) {
      // Of two exchanges at once, only one is stored: the other one finds other news.
      if (shared.news === news) shared.news = news.slice(told);
      shared.text = next;
    } else if (turn < mostTurns) {
      await moment(context, Math.random() * 50 * 2 ** turn);
      await replace(shared, context, isTelling, turn + 1, { expected });
    }
  }

  /** Tells the store the news, once in `syncMs` or at once. Returns a promise if it does so now. */
  function tell<T>(shared: Shared<T>, context: HttpContext, isUrgent = false): Promise<void> | undefined {
    const { clock, fetcher } = context;
    const [now, at] = [clock.monotonic(), shared.toldAt + syncMs];
    if (!isUp || shared.news.length === 0) return undefined;
    if (isUrgent || at <= now) return exchange(shared, context, true);
    // In Workers, a timer may die with the request that set it. `close` ends it.
    if (shared.wakesAt > now) return undefined;
    shared.wakesAt = at;
    void fetcher.pause(clock, at - now, undefined).then((paused) => {
      shared.wakesAt = 0;
      if (paused.isOk()) void tell(shared, context);
    });
    return undefined;
  }

  /** Reads a value if that is due. Returns a promise if a call is to wait for it: one that depends on no other call. */
  function refresh<T>(shared: Shared<T>, context: HttpContext): Promise<void> | undefined {
    const { clock } = context;
    const now = clock.monotonic();
    if (!store || shared.everyMs === Infinity || (!isUp && now < retryAt)) return undefined;
    if (now < shared.busyUntil) return isUp ? moment(context) : undefined;
    if (now < shared.readAt + shared.everyMs) return undefined;
    if (isUp) return exchange(shared, context, false);
    // No call waits for a store that has failed.
    retryAt = now + downMs;
    void exchange(shared, context, false).then(() => tell(shared, context));
    return undefined;
  }

  function change<T>(shared: Shared<T>, of: (value: T) => T): void {
    if (store && shared.everyMs < Infinity) shared.news.push(of);
    if (shared.news.length > mostNews) shared.news.shift();
    set(shared, of(shared.value));
  }

  return { exchange, tell, refresh, change };
}

/** A pause, by a timer of its own, which `close` ends. */
export const moment = ({ fetcher }: HttpContext, ms = 5): Promise<void> =>
  fetcher.withTimeout(ms, undefined, () => new Promise<void>(() => {})).catch(() => undefined);

export function parsed(text: unknown): unknown {
  try {
    return typeof text === 'string' && JSON.parse(text);
  } catch {
    return undefined;
  }
}
