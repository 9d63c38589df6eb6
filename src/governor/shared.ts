// How processes share records over entries of a store. A process reads a record before a call, if it has not done so for
// `syncMs`. It changes its own copy at once, and tells the store with a response, if it has not done so for `syncMs`, or if it
// is urgent; otherwise with a later response. No timer tells what is left: `limits` does. A change is a function, which is
// applied again to what others have written meanwhile.
import type { HttpContext } from '../core/http/types.ts';
import { fieldsOf } from '../core/objects.ts';
import type { JournalStore } from '../core/writes/journal/types.ts';
import { type LimitRecord, readRecord } from './record.ts';
import { parsed } from './uses.ts';

/** The methods of a journal over which processes share what they know. */
export type GovernorStore = Pick<JournalStore, 'get' | 'compareAndSet' | 'list'>;

/** A record, as this process knows it. */
export interface Shared {
  readonly key: string;
  /** How often it is read; never, if it is infinite, and then it is not stored either. */
  readonly everyMs: number;
  readonly ttlMs: number;
  value: LimitRecord;
  /** What the store had last, and the changes that it does not have. */
  text: string | undefined;
  news: ((value: LimitRecord) => LimitRecord)[];
  /** Monotonic times: when it was read and told last, and until when calls wait for one that reads it. */
  readAt: number;
  toldAt: number;
  busyUntil: number;
}

/** How long an exchange with the store may take. */
export const exchangeMs = 1000;
/** How long other calls wait for it: it may have died with its request. */
const othersMs = 100;
/** How long a store that failed is left alone; how often others may win the race to write; how many changes are kept. */
const [downMs, mostTurns, mostNews] = [5000, 5, 1000];

export function createSharing<T extends Shared>(
  store: GovernorStore | undefined,
  syncMs: number,
  onChange: (shared: T) => void,
  onError: ((error: unknown) => void) | undefined,
) {
  /** Until when the store is left alone, since it failed; 0 if it did not. */
  let downUntil = 0;

  function set(shared: T, value: LimitRecord): void {
    const { percent, until } = shared.value;
    shared.value = value;
    if (percent !== value.percent || until > 0 !== value.until > 0) onChange(shared);
  }

  /** Reads, or tells the news, which reads only if another process wrote. `close` ends it. */
  async function exchange(shared: T, { clock, fetcher }: HttpContext, isTelling: boolean): Promise<void> {
    const now = clock.monotonic();
    if (isTelling) shared.toldAt = now;
    else shared.busyUntil = now + othersMs;
    try {
      await fetcher.withTimeout(exchangeMs, undefined, () => (isTelling ? tellNews(shared) : read(shared)));
      [shared.readAt, downUntil] = [now, 0];
    } catch (thrown) {
      const { name, reason: given } = fieldsOf(thrown);
      const reason = name === 'TransportError' && given;
      if (reason === 'closed') return;
      downUntil = clock.monotonic() + downMs;
      const late = 'the store did not respond';
      onError?.(reason === 'timeout' ? new DOMException(late, 'TimeoutError') : thrown);
    } finally {
      if (!isTelling) shared.busyUntil = 0;
    }
  }

  async function read(shared: T): Promise<void> {
    const text: unknown = (await store?.get(shared.key)) ?? undefined;
    if (text !== undefined && typeof text !== 'string') throw new TypeError('get resolved to no text');
    // What the store has lost, this process has not; and of what it knows, it may know better when that was.
    const isKnown = text === undefined || text === shared.text;
    shared.text = text;
    if (isKnown) return;
    let value = readRecord(parsed(text));
    for (const change of shared.news) value = change(value);
    set(shared, value);
  }

  async function tellNews(shared: T): Promise<void> {
    for (let turn = 0; turn < mostTurns; turn++) {
      if (turn > 0) await read(shared);
      const { key, text, news, value, ttlMs } = shared;
      const told = news.length;
      if (told === 0) return;
      const next = JSON.stringify(value);
      const isStored: unknown = await store?.compareAndSet(key, text, next, ttlMs);
      if (typeof isStored !== 'boolean') throw new TypeError('compareAndSet resolved to no boolean');
      if (isStored) {
        // Of two exchanges at once, only one is stored: the other one finds other news.
        if (shared.news === news) shared.news = news.slice(told);
        shared.text = next;
        return;
      }
    }
    throw new Error(`compareAndSet did not store in ${mostTurns} attempts`);
  }

  /** Tells the store the news, if that is due or urgent. Returns a promise if it does. */
  function tell(shared: T, context: HttpContext, isUrgent = false): Promise<void> | undefined {
    if (downUntil > 0 || shared.news.length === 0) return undefined;
    const isDue = isUrgent || shared.toldAt + syncMs <= context.clock.monotonic();
    return isDue ? exchange(shared, context, true) : undefined;
  }

  /** Reads a record if that is due. Returns a promise if a call is to wait for it: one that depends on no other call. */
  function refresh(shared: T, context: HttpContext): Promise<void> | undefined {
    if (!store || shared.everyMs === Infinity) return undefined;
    const now = context.clock.monotonic();
    if (now < downUntil || now < shared.readAt + shared.everyMs) return undefined;
    // No call waits for a store that has failed.
    if (downUntil > 0) {
      downUntil = now + downMs;
      void exchange(shared, context, false).then(() => tell(shared, context));
      return undefined;
    }
    return now < shared.busyUntil ? moment(context) : exchange(shared, context, false);
  }

  function change(shared: T, of: (value: LimitRecord) => LimitRecord): void {
    if (store && shared.everyMs < Infinity) shared.news.push(of);
    if (shared.news.length > mostNews) shared.news.shift();
    set(shared, of(shared.value));
  }

  return { exchange, tell, refresh, change };
}

/** Some milliseconds, by a timer of its own, which `close` ends. */
const moment = ({ fetcher }: HttpContext): Promise<void> =>
  fetcher.withTimeout(5, undefined, () => new Promise<void>(() => {})).catch(() => undefined);
