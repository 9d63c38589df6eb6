// A process that receives deliveries, and polls, for `eventsOnce.test.ts`. It writes down what it does.
import { appendFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

import { eventsOnce, sqliteJournal } from '../../src/stores/index.ts';
import { createWebhookHandler, type Once } from '../../src/webhooks/index.ts';
import { appSecret, deliver, verifyToken } from '../webhooks/support.ts';

/** Work for the process: a delivery, or an event that a poll found. */
export interface Order {
  readonly number: number;
  readonly body?: string;
  readonly key?: string;
  /** Milliseconds that an event takes. */
  readonly lastsMs: number;
  readonly fails: boolean;
}

/** A line of what was written down. */
export type Line = readonly ['begin' | 'end' | 'done', key: string];

const [database = '', log = '', leaseMs] = process.argv.slice(2);
const claim = eventsOnce(sqliteJournal(new DatabaseSync(database, { timeout: 5000 })), {
  leaseMs: Number(leaseMs),
});

function write(...line: Line): void {
  appendFileSync(log, `${line.join(' ')}\n`);
}

const once: Once = async (key, work) => {
  const outcome = await claim(key, work);
  if (outcome !== 'busy') write('done', key);
  return outcome;
};

async function handle(order: Order): Promise<number> {
  const work = async (key: string): Promise<void> => {
    write('begin', key);
    process.send?.({ begun: order.number });
    await new Promise((resolve) => void setTimeout(resolve, order.lastsMs));
    if (order.fails) throw new Error('boom');
    write('end', key);
  };
  const { body, key } = order;
  if (key !== undefined) {
    const outcome = await once(key, () => work(key)).catch(() => 'busy');
    return outcome === 'busy' ? 503 : 200;
  }
  const onEvent = (event: { readonly key: string }) => work(event.key);
  const handler = createWebhookHandler({ verifyToken, secrets: appSecret, once, onEvent });
  return (await handler(deliver(body ?? ''))).status;
}

process.on('message', (order: Order) => {
  void handle(order).then((status) => process.send?.({ number: order.number, status }));
});
