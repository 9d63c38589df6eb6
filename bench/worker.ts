// Publishes what its parent orders, and asks it before and after each step. `publishers.ts` starts and kills it.
import { createJournal, createWriteMemory, type ContextOptions, type Fetch } from '../src/core/index.ts';
import { createPageContext } from '../src/page/index.ts';
import { createPicsContext, createPicsContextViaPages } from '../src/pics/index.ts';
import type { Journal } from '../src/stores/index.ts';
import { publishings, variants } from '../test/core/writes/journal/publishings.ts';
import { endlessBytes, hostileFetch } from './adversity.ts';
import { callHeader, type FromWorker, type Order, type Told, type ToWorker } from './orders.ts';
import { createRandom } from './random.ts';
import { openStore } from './stores.ts';

const journals = new Map<string, Promise<Journal>>();
const waiting = new Map<number, () => void>();
const memory = createWriteMemory();
let passes = 0;
let aheadMs = 0;

process.on('message', (message: ToWorker) => {
  if ('order' in message) {
    void publish(message.order, message.number).then((told) => tell({ number: message.number, told }));
  } else if ('aheadMs' in message) {
    ({ aheadMs } = message);
  } else {
    waiting.get(message.passed)?.();
    waiting.delete(message.passed);
  }
});

// Without its parent, nothing lets it continue.
process.on('disconnect', () => process.exit());

function tell(message: FromWorker): void {
  process.send?.(message);
}

async function publish(order: Order, number: number): Promise<Told> {
  const { name, job, target, platform, app, picsApp, adverse = false } = order;
  // An earlier call may be in progress, so time must not go back.
  aheadMs = Math.max(aheadMs, order.aheadMs);
  const journal = await journalOf(order);
  const random = createRandom(number);
  /** The wall clock steps now and then, by more than a lease: not where the `Date` is wrong as well. */
  const stepMs = (): number =>
    adverse && dateMs === 0 ? Math.sign(Math.sin(performance.now() / 700)) * 150_000 : 0;
  const send: Fetch = (input, init) => {
    const request = new Request(input, init);
    request.headers.set(callHeader, `${number}`);
    return fetch(request);
  };
  const settings: ContextOptions = {
    platform,
    memory,
    fetch: adverse
      ? proxied(hostileFetch(random, /\/(?:feed|comments|replies|media_publish|messages)$/, send))
      : send,
    ...(adverse && { maxResponseBytes: endlessBytes / 4 }),
    clock: {
      now: () => Date.now() + aheadMs + stepMs(),
      monotonic: () => performance.now() + aheadMs,
      sleep: (ms) => new Promise((resolve) => void setTimeout(resolve, ms)),
    },
    journal: askingBefore(journal, number),
    retry: { baseDelayMs: 5 },
    deadlineMs: order.deadlineMs,
  };
  const result = await { ...publishings, ...variants }[name]?.call(
    {
      context: createPageContext({ ...settings, appId: app.id, appSecret: app.secret })._unsafeUnwrap(),
      pics: createPicsContext({ ...settings, appSecret: picsApp.secret })._unsafeUnwrap(),
      viaPages: createPicsContextViaPages({ ...settings, appSecret: app.secret })._unsafeUnwrap(),
    },
    target,
    job,
  );
  if (result === undefined) throw new Error(`nothing publishes ${name}`);
  if (result.isOk()) return { value: { ...(result.value as object) } };
  const { name: kind, message } = result.error;
  return { error: { ...Object.fromEntries(Object.entries(result.error)), name: kind, message } };
}

/** Every other process is behind a proxy that writes a `Date` of its own. */
const dateMs = [0, 130_000, 0, -130_000][process.pid % 4] ?? 0;

function proxied(send: Fetch): Fetch {
  return async (input, init) => {
    const response = await send(input, init);
    const date = Date.parse(response.headers.get('date') ?? '');
    if (Number.isNaN(date) || dateMs === 0) return response;
    const headers = new Headers(response.headers);
    headers.set('date', new Date(date + dateMs).toUTCString());
    return new Response(response.body, { status: response.status, headers });
  };
}

function journalOf({ store = 'sqlite', journal: address }: Order): Promise<Journal> {
  const journal = journals.get(address) ?? openStore(store, address).then((opened) => opened.journal);
  journals.set(address, journal);
  return journal;
}

/** The parent may end this process before and after each step. */
function askingBefore(journal: Journal, number: number): Journal {
  const pass = (point: string): Promise<void> =>
    new Promise((resolve) => {
      waiting.set(++passes, resolve);
      tell({ number, point, pass: passes });
    });
  return createJournal({
    get: async (key) => {
      await pass('before a read');
      return journal.get(key);
    },
    compareAndSet: async (...replacement) => {
      await pass('before a write');
      const isStored = await journal.compareAndSet(...replacement);
      await pass('after a write');
      return isStored;
    },
  });
}
