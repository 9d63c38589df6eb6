import { expect, test } from 'vitest';

import { isFinal } from '../../../../src/core/index.ts';
import type { FaultAction } from '../../../../src/sandbox/index.ts';
import { fc, runs } from '../../../support/property.ts';
import { publishings } from './publishings.ts';
import { createWorld, leaseMs, settleMs } from './support.ts';

// Whatever becomes of keys that share lists: none is called final that a later call settles, of whichever key that is.

/** What lists show with a text, by which its key is told. Alone among its kind, each needs no list of another one. */
const names = Object.entries(publishings)
  .filter(([name, { isBlind, hidesContent, hidesId, isGuarded, prepare }]) => {
    const isShown = !isBlind && !hidesContent && !hidesId && !isGuarded && prepare === undefined;
    return isShown && !name.includes('without a text');
  })
  .map(([name]) => name);

const troubles: readonly (FaultAction & { readonly when?: 'before' | 'after'; readonly method: string })[] = [
  { method: 'POST', when: 'before', drop: true },
  { method: 'POST', when: 'after', drop: true },
  { method: 'POST', status: 503 },
  { method: 'POST', error: { code: 4 }, status: 400 },
  { method: 'GET', status: 503 },
  { method: 'GET', drop: true },
];

const step = fc.record({
  key: fc.nat({ max: 3 }),
  trouble: fc.option(fc.constantFrom(...troubles)),
  diesAt: fc.oneof(fc.constant(Infinity), fc.nat({ max: 13 })),
  waitMs: fc.constantFrom(0, 10, 5000, leaseMs, settleMs, 3_600_000),
});

test('none is left to a person that a later call settles', async () => {
  let settled = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...names), { minLength: 4, maxLength: 4 }),
      fc.boolean(),
      fc.array(step, { minLength: 4, maxLength: 12 }),
      async (kinds, isOneKind, steps) => {
        const world = createWorld();
        const { sandbox, page } = world;
        const target = { page, account: sandbox.account };
        const keys = kinds.map((kind, at) => ({
          name: (isOneKind ? kinds[0] : kind) ?? '',
          job: { idempotencyKey: `key-${at}`, message: `Number-${at}-` },
          isDone: false,
          /** What said that it is final. */
          final: undefined as string | undefined,
          isWaiting: true,
        }));
        async function call(key: (typeof keys)[number] | undefined, diesAt = Infinity): Promise<void> {
          if (key === undefined || key.isDone) return;
          const machine = world.start(diesAt);
          const { call: publish } = publishings[key.name] ?? {};
          const told = await Promise.race([publish?.(machine, target, key.job), machine.death]);
          if (told === undefined || told === 'dead') return;
          key.isDone = told.isOk();
          if (told.isOk()) return;
          key.isWaiting = !isFinal(told.error);
          const { outcome } = told.error as { readonly outcome?: string };
          if (outcome === 'unknown' && isFinal(told.error)) key.final ??= told.error.message;
        }

        for (const { key, trouble, diesAt, waitMs } of steps) {
          if (trouble !== null) sandbox.fault(trouble);
          await call(keys[key], diesAt);
          sandbox.advance(waitMs);
        }
        for (
          let round = 0;
          round < 20 && keys.some(({ isDone, isWaiting }) => !isDone && isWaiting);
          round++
        ) {
          sandbox.advance(leaseMs + settleMs);
          for (const key of keys) await call(key);
        }
        // What is final stays so.
        for (const key of keys) await call(key);

        expect(keys.filter(({ isDone, final }) => isDone && final !== undefined)).toEqual([]);
        expect(keys.filter(({ isDone, isWaiting }) => !isDone && isWaiting)).toEqual([]);
        for (const { name, job } of keys) {
          const own = sandbox
            .effects(publishings[name]?.kind)
            .filter(({ content }) => JSON.stringify(content).includes(job.message));
          expect(own.length).toBeLessThanOrEqual(1);
        }
        settled += keys.filter(({ isDone }) => isDone).length;
      },
    ),
    { numRuns: runs(1000) },
  );
  // Most are: what is published only says something if much of it is.
  expect(settled).toBeGreaterThan(3 * runs(1000));
}, 600_000);
