import { beforeEach, expect, test } from 'vitest';

import { figuresOf, recoveryOf } from '../../bench/demand.ts';
import { withOptions } from '../../src/core/settings.ts';
import { createGovernor } from '../../src/governor/index.ts';
import { me } from '../../src/page/me.ts';
import { pageContext, token, virtualClock } from '../support/context.ts';
import { openFleet, signAtOnce } from './support.ts';

const machines = 8;
const quota = { calls: 500, windowMs: 75_000 };

beforeEach(signAtOnce);

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

test.each([0, 5000])(
  'a fleet whose clocks differ by %i ms waits until a block ends, and then one of its calls probes first',
  async (skewMs) => {
    const fleet = openFleet({ machines, quota, demand: 1, skewMs });
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
    expect(firstMs).toBeLessThan(10_000);
    expect(halfMs).toBeLessThan(15_000);
  },
);

test('a full limit is looked at again within a minute, however long it has been full', async () => {
  const clock = virtualClock();
  let percent = 99;
  let sent = 0;
  const context = pageContext({
    clock,
    governor: createGovernor(),
    fetch: async () => {
      sent++;
      return Response.json({ id: '1' }, { headers: { 'x-app-usage': `{"call_count":${percent}}` } });
    },
  });
  const publishing = withOptions(context, { lane: 'publish' })._unsafeUnwrap();
  const ask = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second++) {
      await me(publishing, { token });
      await clock.sleep(1000);
    }
  };
  await ask(3600);
  percent = 40;
  sent = 0;
  await ask(70);

  expect(sent).toBeGreaterThan(5);
});
