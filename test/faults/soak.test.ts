import { expect, test } from 'vitest';

import { soak } from '../../bench/soak.ts';
import { useRealSockets } from './support.ts';

useRealSockets();

const size = { calls: 600, concurrency: 30, platforms: 3 };

test('a platform that loses every fifth response publishes nothing twice, and no call reports anything false', async () => {
  const report = await soak({ ...size, seed: 7 });
  expect(report).toMatchObject({ calls: 600, duplicates: 0, silentLosses: 0, wrongIds: 0, resent: 0 });
  expect(report.effects).toBe(600 - report.lostNotApplied);
  expect(report.said.rejected).toBe(0);
  // Nearly all lost writes are found.
  expect(report.lostApplied).toBeGreaterThan(20);
  expect(report.effects - report.said.ok).toBeLessThan(report.lostApplied / 3);
});

test('the same holds where writes land late, lookups are slow and the local clock is set', async () => {
  const report = await soak({ ...size, seed: 7, adverse: true });
  expect(report).toMatchObject({
    calls: 600,
    duplicates: 0,
    silentLosses: 0,
    wrongIds: 0,
    resent: 0,
    hangs: 0,
  });
  expect(report.said.rejected).toBe(0);
  expect(report.said.unknown).toBeGreaterThan(0);
});

test('the soak sees duplicates where there are some', async () => {
  const report = await soak({ ...size, seed: 7, onceOnly: false });
  expect(report.duplicates).toBeGreaterThan(0);
  expect(report.resent).toBeGreaterThan(0);
});
