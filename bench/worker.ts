// Publishes what its parent orders, and asks it before and after each step: `fleet.ts` starts it, and kills it.
import { DatabaseSync } from 'node:sqlite';

import { createJournal, createWriteMemory, type ContextOptions } from '../src/core/index.ts';
import { type Journal, sqliteJournal } from '../src/journal/index.ts';
import { createPageContext } from '../src/page/index.ts';
import { createPicsContext, createPicsContextViaPages } from '../src/pics/index.ts';
import { publishings } from '../test/core/journal/publishings.ts';
import { callHeader, type FromWorker, type Order, type Told, type ToWorker } from './orders.ts';

const journals = new Map<string, Journal>();
const waiting = new Map<number, () => void>();
const memory = createWriteMemory();
let passes = 0;
let aheadMs = 0;

process.on('message', (message: ToWorker) => {
  if ('order' in message) {
    void publish(message.order, message.number).then((told) => tell({ number: message.number, told }));
  } else {
    waiting.get(message.passed)?.();
    waiting.delete(message.passed);
  }
});

function tell(message: FromWorker): void {
  process.send?.(message);
}

async function publish(order: Order, number: number): Promise<Told> {
  const { name, job, target, platform, app, picsApp } = order;
  ({ aheadMs } = order);
  const settings: ContextOptions = {
    platform,
    memory,
    fetch: (input, init) => {
      const request = new Request(input, init);
      request.headers.set(callHeader, `${number}`);
      return fetch(request);
    },
    clock: {
      now: () => Date.now() + aheadMs,
      monotonic: () => performance.now() + aheadMs,
      sleep: (ms) => new Promise((resolve) => void setTimeout(resolve, ms)),
    },
    journal: askingBefore(journalIn(order.journal), number),
    retry: { baseDelayMs: 5 },
    deadlineMs: order.deadlineMs,
  };
  const result = await publishings[name]?.call(
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
  return { error: Object.assign({}, result.error, { name: kind, message }) };
}

function journalIn(file: string): Journal {
  const journal = journals.get(file) ?? sqliteJournal(new DatabaseSync(file));
  journals.set(file, journal);
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
