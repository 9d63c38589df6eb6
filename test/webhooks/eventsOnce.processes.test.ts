// Processes that share an SQLite store handle delivered and polled events, and are killed at work.
import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { bundleProgram } from '../../bench/publishers.ts';
import { eventKey } from '../../src/webhooks/index.ts';
import { runs } from '../support/property.ts';
import type { Line, Order } from './eventWorker.ts';
import { pageChanges, toWire } from './support.ts';

interface Fleet extends Disposable {
  /** Has a process handle something. Resolves to the status, or `undefined` if the process died. */
  readonly handle: (
    order: Omit<Order, 'number'>,
    onBegun?: (by: ChildProcess) => void,
  ) => Promise<number | undefined>;
  readonly lines: () => readonly Line[];
}

/** Starts processes. `isKilled` says for each event that is begun whether its process is killed there. */
async function openFleet(size: number, leaseMs: number, isKilled = () => false): Promise<Fleet> {
  const folder = mkdtempSync(join(tmpdir(), 'pagepics-events-'));
  const program = join(folder, 'worker.mjs');
  await bundleProgram(join(import.meta.dirname, 'eventWorker.ts'), program);
  const log = join(folder, 'log');
  const calls = new Map<
    number,
    { by: ChildProcess; end: (status?: number) => void; begun: (() => void) | undefined }
  >();
  let isOpen = true;
  let last = 0;
  const start = (): ChildProcess => {
    const child = fork(program, [join(folder, 'db'), log, String(leaseMs)], { execArgv: ['--no-warnings'] });
    child.on('message', ({ number, status, begun }: { number?: number; status?: number; begun?: number }) => {
      if (begun !== undefined && isKilled()) child.kill('SIGKILL');
      else if (begun !== undefined) calls.get(begun)?.begun?.();
      else calls.get(number ?? -1)?.end(status);
    });
    child.on('exit', () => {
      for (const { by, end } of calls.values()) if (by === child) end();
      if (isOpen) children[children.indexOf(child)] = start();
    });
    return child;
  };
  const children: ChildProcess[] = Array.from({ length: size }, start);
  return {
    handle: (order, onBegun) => {
      const number = last++;
      const by = children[number % size];
      if (by === undefined || !by.connected || by.killed) return Promise.resolve(undefined);
      return new Promise((resolve) => {
        const end = (status?: number): void => {
          calls.delete(number);
          resolve(status);
        };
        calls.set(number, { by, end, begun: onBegun && (() => onBegun(by)) });
        by.send({ ...order, number } satisfies Order);
      });
    },
    lines: () =>
      readFileSync(log, 'utf8')
        .split('\n')
        .slice(0, -1)
        .map((line) => line.split(' ') as unknown as Line),
    [Symbol.dispose]: () => {
      isOpen = false;
      for (const child of children) child.kill('SIGKILL');
      rmSync(folder, { recursive: true });
    },
  };
}

/** A pseudo-random number from 0 to 1, the same for the same place. */
function chance(place: number): number {
  return ((place * 2_654_435_761) % 2 ** 32) / 2 ** 32;
}

function leads(ids: readonly number[]): string {
  return toWire(
    pageChanges(
      ...ids.map((id) => ({ field: 'leadgen', value: { leadgen_id: String(id), created_time: 5 } })),
    ),
  );
}

test('no event is lost, and none handled after it was done, whichever process is killed when', async () => {
  const planned = runs(1000);
  let begun = 0;
  let kills = 0;
  using fleet = await openFleet(3, 1000, () => chance(begun++) < 0.05 && kills++ >= 0);
  const perDelivery = 4;
  const batches = Array.from({ length: planned / perDelivery }, (_, at) =>
    Array.from({ length: perDelivery }, (__, index) => at * perDelivery + index),
  );
  let attempts = 0;

  /** As the platform, and a poll, do: again until it is taken. */
  async function untilTaken(order: Pick<Order, 'body' | 'key'>): Promise<void> {
    for (;;) {
      const place = attempts++;
      const rest = { lastsMs: Math.floor(chance(place) * 20), fails: chance(place + 0.5) < 0.1 };
      if ((await fleet.handle({ ...order, ...rest })) === 200) return;
      await new Promise((resolve) => void setTimeout(resolve, 20));
    }
  }

  const queue = batches.entries();
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (const [at, ids] of queue) {
        const body = leads(ids);
        const polled = await Promise.all(ids.map(keyOfLead));
        await Promise.all([
          untilTaken({ body }),
          // Delivered twice, and found by a poll, at the same time.
          ...(at % 3 === 0 ? [untilTaken({ body })] : []),
          ...(at % 2 === 0 ? polled.map((key) => untilTaken({ key })) : []),
        ]);
      }
    }),
  );

  const lines = fleet.lines();
  const keys = await Promise.all(batches.flat().map(keyOfLead));
  const ended = new Set(lines.filter(([what]) => what === 'end').map(([, key]) => key));
  const done = new Set<string>();
  const late = lines.filter(([what, key]) => {
    if (what === 'done') done.add(key);
    return what === 'begin' && done.has(key);
  });
  expect(keys.filter((key) => !ended.has(key) || !done.has(key))).toEqual([]);
  expect(late).toEqual([]);
  expect(kills).toBeGreaterThan(3);
}, 600_000);

test('a process that stands still loses the event to another one, and does not begin it again', async () => {
  // A lease that a busy machine does not outlast before the first assertion.
  using fleet = await openFleet(2, 2000);
  const order = { body: leads([1]), lastsMs: 50, fails: false };
  const frozen = Promise.withResolvers<ChildProcess>();
  const first = fleet.handle(order, (by) => {
    by.kill('SIGSTOP');
    frozen.resolve(by);
  });
  const by = await frozen.promise;

  // Busy for a lease, until the other one may begin. The next order would go to the one that stands still.
  const statuses: (number | undefined)[] = [];
  for (let at = 1; statuses.at(-1) !== 200; at += 2) {
    statuses.push(await fleet.handle(order));
    void fleet.handle({ ...order, body: leads([1000 + at]) });
  }
  expect(statuses[0]).toBe(503);
  by.kill('SIGCONT');

  expect(await first).toBe(200);
  expect(await fleet.handle(order)).toBe(200);
  const key = await keyOfLead(1);
  const lines = fleet.lines().filter(([what, of]) => of === key && what !== 'done');
  expect(lines.map(([what]) => what).toSorted()).toEqual(['begin', 'begin', 'end', 'end']);
});

async function keyOfLead(id: number): Promise<string> {
  return (await eventKey('leadgen', { accountId: '42', id: String(id) }))._unsafeUnwrap();
}
