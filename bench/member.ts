// A machine of a fleet, as a process that makes calls at an even rate. `fleet.ts` starts it, moves its time, and kills it.
import type { Fetch, Journal, Platform } from '../src/core/index.ts';
import { createJournal } from '../src/core/index.ts';
import { type Account, createMachine, type MachineReport } from './machine.ts';
import { createSteppedClock } from './steps.ts';
import { openStore, type StoreName } from './stores.ts';

export interface MemberOrder {
  readonly machine: number;
  readonly seed: number;
  readonly store: StoreName;
  readonly address: string;
  readonly platform: Platform;
  readonly account: Account;
  /** Milliseconds since 1970 at which its time starts. */
  readonly now: number;
  /** How far its clock is ahead, in milliseconds. */
  readonly skewMs: number;
  /** Calls wanted in a second. */
  readonly wanted: number;
  readonly maxWaitMs: number;
  /** Milliseconds until the platform's response arrives. */
  readonly latencyMs: number;
}

/** A message to a process: how to start, or until when time moves. */
export type ToMember = { readonly order: MemberOrder } | { readonly to: number };
/** A message from it: it is ready, or all work that was due is done. */
export type FromMember = { readonly isReady: true } | { readonly report: MachineReport };

async function run(order: MemberOrder): Promise<void> {
  const { wanted, skewMs, latencyMs } = order;
  /** Requests that the platform and the store have not answered yet. */
  let pending = 0;
  const answered = async <T>(work: Promise<T>): Promise<T> => {
    pending++;
    try {
      return await work;
    } finally {
      pending--;
    }
  };
  const time = createSteppedClock(order.now, async () => {
    for (let idle = 0; idle < 4; idle = pending === 0 ? idle + 1 : 0)
      await new Promise((resolve) => void (pending === 0 ? setImmediate(resolve) : setTimeout(resolve, 1)));
  });
  const slowly: Fetch = async (...request) => {
    const response = await answered(
      fetch(...request).then(async (got) => new Response(await got.text(), got)),
    );
    await time.clock.sleep(latencyMs);
    return response;
  };
  const { journal } = await openStore(order.store, order.address);
  const store: Journal = createJournal({
    get: (key) => answered(journal.get(key)),
    compareAndSet: (...replacement) => answered(journal.compareAndSet(...replacement)),
  });
  const machine = createMachine({
    ...order,
    store,
    governor: { maxWaitMs: order.maxWaitMs },
    fetch: slowly,
    clock: { ...time.clock, now: () => time.now() + skewMs },
    now: time.now,
    slackMs: 0,
  });
  let due = order.machine / 8;
  process.on('message', (message: ToMember) => {
    if ('to' in message) void advance(message.to);
  });
  tell({ isReady: true });

  async function advance(to: number): Promise<void> {
    due += ((to - time.now()) / 1000) * wanted;
    void machine.work(Math.floor(due));
    due %= 1;
    await time.advance(to);
    tell({ report: machine.report() });
  }
}

function tell(message: FromMember): void {
  process.send?.(message);
}

process.once('message', (message: ToMember) => {
  if ('order' in message) void run(message.order);
});
