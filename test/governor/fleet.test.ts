import { expect, test } from 'vitest';

import { figuresOf, recoveryOf } from '../../bench/demand.ts';
import { openFleet } from './support.ts';

const machines = 8;
const quota = { calls: 500, windowMs: 75_000 };

test('a fleet uses what there is, and is not refused', async () => {
  const fleet = openFleet({
    machines,
    quota,
    demand: 3,
    skewMs: 4000,
    restarts: [80_000, 100_000, 120_000],
  });
  await fleet.run(quota.windowMs);
  const from = fleet.now();
  await fleet.run(quota.windowMs);
  const figures = figuresOf(fleet.observed(), { from, to: fleet.now() }, { ...quota, machines });

  expect(figures.used).toBeGreaterThan(0.9);
  expect(figures.refusedShare).toBeLessThanOrEqual(0.001);
  expect(figures.overtaken).toBe(0);
  // Others know of it two exchanges later.
  expect(figures.overtakenElsewhere).toBeLessThan(0.05 * figures.lanes.publish.heldBack);
  expect(figures.unevenness).toBeLessThan(3);
  expect([figures.readsPerSecond, figures.writesPerSecond]).toEqual([1, 1]);
});

test('a fleet waits until a block ends, and then one of its calls tries first', async () => {
  const fleet = openFleet({ machines, quota, demand: 1 });
  await fleet.run(20_000);
  await fleet.useUp();
  await fleet.run(3000);
  const [knownAt, regainAt] = [fleet.now(), fleet.regainAt()];
  await fleet.run(regainAt - knownAt + 20_000);

  const { sentWhileBlocked, firstMs, halfMs, probes } = recoveryOf(
    fleet.observed().sent,
    knownAt,
    regainAt,
    machines,
  );
  expect(sentWhileBlocked).toBe(0);
  expect(probes).toBe(1);
  expect(firstMs).toBeLessThan(2000);
  expect(halfMs).toBeLessThan(10_000);
});
