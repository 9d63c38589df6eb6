import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { publishKeys } from '../../../../bench/keys.ts';
import type { Order } from '../../../../bench/orders.ts';
import { openPublishers, type Publishers } from '../../../../bench/publishers.ts';
import { createSandbox, type Sandbox, serveSandbox } from '../../../../src/sandbox/index.ts';
import { useRealSockets } from '../../../faults/support.ts';
import { runs, share } from '../../../support/property.ts';
import { publishings } from './publishings.ts';
import { leaseMs, settleMs } from './support.ts';

useRealSockets();

/** What the points of a crash are tried with where not everything is. */
const representative = ['page publishPost', 'page publishVideoStory', 'pics publishCarousel'];
const names = Object.keys(publishings).filter(
  (name) => Number(process.env['HOSTILE_RUNS'] ?? 0) >= 1 || representative.includes(name),
);

test.each(names)(
  '%s is done once by processes, whatever point of it one is killed at',
  async (name) => {
    await using at = await openBench();
    const publishing = publishings[name];
    if (publishing === undefined) throw new Error('it is one of them');
    const { id, kind, isBlind, hidesId, hidesContent, isGuarded } = publishing;
    const points = await at.rehearse(name);
    expect(points).toContain('before a write');

    for (const point of share([...points.keys()], names.indexOf(name))) {
      const { sandbox, publish } = await at.world(name);
      const where = `${point}: ${points[point]}`;
      let passed = 0;
      expect(await publish(0, () => passed++ < point), where).toBe('killed');

      let told = await publish(leaseMs + 1);
      // Not found: it settles first.
      if (told !== 'killed' && told.error?.['outcome'] === 'unknown') {
        told = await publish(leaseMs + settleMs + 1);
      }
      const made = sandbox.effects(kind);
      expect(made.length, where).toBeLessThanOrEqual(1);
      if (told !== 'killed' && told.error !== undefined) {
        expect([isBlind, hidesId, hidesContent, isGuarded], where).toContain(true);
        expect(['unknown', 'applied'], where).toContain(told.error['outcome']);
      } else {
        expect(told, where).toMatchObject({ value: { [id]: made[0]?.id } });
      }
    }
  },
  600_000,
);

test('many keys, published by three processes that are killed at random, are each published once', async () => {
  const report = await publishKeys(runs(150), 1);

  expect(report).toMatchObject({
    planned: runs(150),
    duplicates: 0,
    wrongIds: 0,
    lost: 0,
    unfinished: 0,
    strays: 0,
  });
  expect(report.killed).toBeGreaterThan(0);
  expect(report.resumed).toBeGreaterThan(0);
  // Unknown stays what a conversation of more than 20 newer messages hides, and what a stranger's post in the span of a
  // lost request leaves open: of a scheduled post, that span has no end.
  expect(report.unknown).toBeLessThanOrEqual(Math.max(3, report.planned / 10));
}, 600_000);

test('eight processes at once publish once under one key', async () => {
  await using at = await openBench(8);
  const { sandbox, publish } = await at.world('page publishPost');

  const told = await Promise.all(Array.from({ length: 8 }, () => publish(0)));

  const [post, ...more] = sandbox.effects('post');
  expect(more).toEqual([]);
  const values = told.filter((one) => one !== 'killed' && one.value !== undefined);
  expect(values.length).toBeGreaterThan(0);
  for (const one of told) {
    if (one !== 'killed' && one.value !== undefined) expect(one.value).toEqual({ id: post?.id });
    else expect(one).toMatchObject({ error: { reason: 'busy', outcome: 'unknown' } });
  }
});

interface World {
  readonly sandbox: Sandbox;
  /** Calls in a process, with clocks that are ahead by so much. */
  readonly publish: (aheadMs: number, gate?: (point: string) => boolean) => ReturnType<Publishers['publish']>;
}

interface ProcessBench extends AsyncDisposable {
  /** A platform of its own, and a journal. */
  readonly world: (name: string) => Promise<World>;
  /** The points that a call passes. */
  readonly rehearse: (name: string) => Promise<readonly string[]>;
}

async function openBench(size = 2): Promise<ProcessBench> {
  const folder = await mkdtemp(join(tmpdir(), 'pagepics-processes-'));
  const fleet = await openPublishers(size, folder);
  const servers: AsyncDisposable[] = [];
  return { world, rehearse, [Symbol.asyncDispose]: close };

  async function world(name: string): Promise<World> {
    const sandbox = createSandbox({ posts: 2, comments: 3, leads: 1 });
    const server = await serveSandbox(fleet.watched(sandbox));
    servers.push(server);
    const { app, picsApp, account, pages } = sandbox;
    const [page] = pages;
    if (page?.picsId === undefined) throw new Error('the first Page has an account');
    const prepared = await publishings[name]?.prepare?.(sandbox);
    const order: Omit<Order, 'aheadMs'> = {
      name,
      job: { idempotencyKey: 'job-1', message: 'Open until nine' },
      target: { page: { ...page, picsId: page.picsId }, account, prepared },
      platform: server.platform,
      app,
      picsApp,
      journal: join(folder, `${servers.length}.db`),
    };
    let nowAheadMs = 0;
    return {
      sandbox,
      publish: (aheadMs, gate) => {
        sandbox.advance(aheadMs - nowAheadMs);
        nowAheadMs = aheadMs;
        return fleet.publish({ ...order, aheadMs }, gate);
      },
    };
  }

  async function rehearse(name: string): Promise<readonly string[]> {
    const points: string[] = [];
    const { publish } = await world(name);
    await publish(0, (point) => points.push(point) > 0);
    return points;
  }

  async function close(): Promise<void> {
    fleet.close();
    for (const server of servers) await server[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  }
}
