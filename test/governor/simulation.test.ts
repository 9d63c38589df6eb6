import { expect, test } from 'vitest';

import { scenarios, simulate } from '../../bench/simulation.ts';
import { isCI } from '../support/machine.ts';

type Row = [name: string, refused: number, use: number, held: number];

/** Not promised there, but measured. */
const measured: readonly Row[] = [
  ['quota 20, untimed', 20, 85, 15],
  ['600 a day, told', 0, 98, 5],
  ['inbox, 2 in a second', 5, 20, 0],
  ['reset at the full hour, untimed, 600', 5, 95, 10],
  ['window of 2 hours, 600', 15, 95, 20],
  ['calls leave in steps of 10 minutes, 600', 10, 75, 20],
];

/** What docs/governor.md promises: refused in 1,000 at most, use in percent at least, posts held with room in percent at most. */
test.each<Row>([
  ['quota 200, told', 0, 98, 5],
  ['quota 200, untimed', 2, 98, 5],
  ['quota 600, untimed', 2, 98, 5],
  ['one call a process, 600', 2, 98, 5],
  ['killed every 5 minutes, 600', 2, 98, 5],
  ['store away for an hour, 600', 2, 98, 5],
  ['store that takes up to 0.3 s, 600', 2, 97, 5],
  ['waits of 30 s, 600', 2, 95, 5],
  ['published rate 750 an hour', 2, 97, 5],
  ...(isCI ? measured : []),
])('a fleet under %s is not refused, and uses what there is', async (name, refused, use, held) => {
  const scenario = scenarios[name];
  if (scenario === undefined) throw new Error('the scenario exists');
  const figures = await simulate(scenario, 1);

  expect((1000 * figures.refused) / figures.sent).toBeLessThanOrEqual(refused);
  expect(figures.use).toBeGreaterThanOrEqual(use);
  expect((100 * figures.heldWithRoom) / Math.max(1, figures.posts)).toBeLessThanOrEqual(held);
  expect(figures.notFinite).toBe(0);
  expect(figures.bytes).toBeLessThan(2500);
});
