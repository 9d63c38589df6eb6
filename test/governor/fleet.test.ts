import { expect, test } from 'vitest';

import { recoveryOf } from '../../bench/demand.ts';
import { withOptions } from '../../src/core/context.ts';
import { createGovernor } from '../../src/governor/index.ts';
import { me } from '../../src/page/tokens.ts';
import { pageContext, token, virtualClock } from '../support/context.ts';
import { openFleet } from './support.ts';

const machines = 8;
const quota = { calls: 500, windowMs: 75_000 };

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

test('a full limit is looked at again within a quarter of an hour, however long it has been full', async () => {
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
  await ask(900);

  expect(sent).toBeGreaterThan(5);
});
