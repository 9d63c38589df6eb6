import { readFileSync } from 'node:fs';

import type { Result } from 'neverthrow';
import { describe, expect, test } from 'vitest';

import { type AnySdkError, memoryJournal } from '../../../../src/core/index.ts';
import type { EffectKind } from '../../../../src/sandbox/index.ts';
import { type Publishing, publishings, type Target } from './publishings.ts';
import { createWorld, leaseMs, type Machine, settleMs, type World } from './support.ts';

const job = { idempotencyKey: 'job-1', message: 'Open until nine' };

/** A world in which there is what a call needs, and where it publishes. */
async function setUp({ prepare }: Publishing): Promise<{ readonly world: World; readonly target: Target }> {
  const world = createWorld(memoryJournal());
  const { sandbox, page } = world;
  return { world, target: { page, account: sandbox.account, prepared: await prepare?.(sandbox) } };
}

test('every function that takes a key is here', () => {
  const named = new Set(Object.keys(publishings).map((name) => name.replace(/,.*/, '')));
  const keyed = ['page', 'pics'].flatMap((platform) =>
    functionsWithKeys(readFileSync(`test/api/${platform}.txt`, 'utf8')).map((name) => `${platform} ${name}`),
  );

  expect(keyed.length).toBeGreaterThan(15);
  expect([...named].sort()).toEqual(keyed.sort());
});

/** The functions of a snapshot of the public API whose options have an `idempotencyKey`. */
function functionsWithKeys(api: string): readonly string[] {
  const declarations = [...api.matchAll(/^(?:interface|type) (\w+)((?:.|\n(?!\n))*)/gm)];
  const names = new Set(['KeyedOptions']);
  for (let before = 0; before !== names.size;) {
    before = names.size;
    for (const [, name = '', rest = ''] of declarations) {
      const [own = ''] = /^ extends [^{]*|^ = .*/.exec(rest) ?? [];
      if (own.match(/\w+/g)?.some((word) => names.has(word)) === true) names.add(name);
    }
  }
  const functions = [...api.matchAll(/^function (\w+)\(context: \w+, options: (\w+)\)/gm)];
  return functions.filter(([, , options = '']) => names.has(options)).map(([, name = '']) => name);
}

describe.each(Object.entries(publishings))('%s', (_, publishing) => {
  const { kind, id, makes = [], count: most = 1 } = publishing;
  const { isBlind, isGuarded, hidesContent } = publishing;
  const hidesId = publishing.hidesId || isGuarded;
  const call = (at: Machine, target: Target) => publishing.call(at, target, job);

  test('is done once, whatever point of it a process dies at', async () => {
    const seen = new Set<string>();
    for (let point = 0; ; point++) {
      const { world, target } = await setUp(publishing);
      const count = (of: EffectKind): number => world.sandbox.effects(of).length;
      const first = world.start(point);
      const outcome = await Promise.race([call(first, target), first.death]);
      const where = `${point}: ${first.points.at(-1)}`;
      seen.add(first.points.at(-1) ?? '');
      if (outcome !== 'dead') {
        expect(outcome._unsafeUnwrap(), where).toHaveProperty(id);
        break;
      }
      const wasSent = first.points.some((name, at) => at < point - 1 && name === 'before a write');
      expect(wasSent || count(kind) === 0, where).toBe(true);

      // The lease of the dead one holds everybody off, and nothing is sent.
      const writes = (): number => world.sandbox.requests.filter(({ method }) => method !== 'GET').length;
      const sent = writes();
      const early = await call(world.start(), target);
      if (early.isErr()) expect(early.error, where).toMatchObject({ reason: 'busy', outcome: 'unknown' });
      // Of requests side by side, others may still be on their way.
      if (early.isErr() && most === 1) expect(writes(), where).toBe(sent);

      world.sandbox.advance(leaseMs + 1);
      let result: Result<unknown, AnySdkError> = await call(world.start(), target);
      const isApplied = hidesId && count(kind) === 1;
      if (result.isErr()) {
        // It was not found, or there is nowhere to look: nothing was sent again.
        expect(result.error, where).toMatchObject({
          outcome: isApplied && !isGuarded ? 'applied' : 'unknown',
        });
        const { retryAfterMs } = result.error as { readonly retryAfterMs?: number };
        if (isBlind || (isApplied && !isGuarded)) expect(retryAfterMs, where).toBeUndefined();
        else expect(retryAfterMs, where).toBeGreaterThan(0);
        world.sandbox.advance(retryAfterMs ?? settleMs);
        result = await call(world.start(), target);
      }
      if ((isBlind || hidesContent || isApplied) && result.isErr()) {
        expect(result.error, where).toMatchObject({ outcome: isApplied ? 'applied' : 'unknown' });
        expect(count(kind), where).toBeLessThanOrEqual(1);
        continue;
      }
      const effects = world.sandbox.effects(kind);
      expect(result._unsafeUnwrap(), where).toMatchObject({ [id]: effects[0]?.id });
      expect(effects.length, where).toBe(1);
      // What was made and recorded is not made again; what was made in the moment of death may be.
      for (const made of makes) {
        // Those that are made side by side may all be lost in it.
        const isLostOnTheWay = most > 1 || /^after POST|^before a write/.test(first.points[point] ?? '');
        expect(count(made), where).toBeLessThanOrEqual(isLostOnTheWay ? 2 * most : most);
      }

      const requests = world.sandbox.requests.length;
      const again = await call(world.start(), target);
      expect(again._unsafeUnwrap(), where).toEqual(result._unsafeUnwrap());
      expect(world.sandbox.requests.length, where).toBe(requests);
    }
    expect(seen.size).toBeGreaterThan(3);
  });

  test('is done once, and told whole, whatever point the one dies at that looks for what a dead one sent', async () => {
    const rehearsal = await setUp(publishing);
    const whole = rehearsal.world.start();
    await call(whole, rehearsal.target);
    const unheard = whole.points.findLastIndex((point) => point.startsWith('after POST'));
    for (let point = 0, isOver = false; !isOver; point++) {
      const { world, target } = await setUp(publishing);
      const first = world.start(unheard);
      expect(await Promise.race([call(first, target), first.death])).toBe('dead');
      world.sandbox.advance(leaseMs + settleMs);
      const second = world.start(point);
      isOver = (await Promise.race([call(second, target), second.death])) !== 'dead';
      const where = `${point}: ${second.points.at(-1)}`;
      world.sandbox.advance(leaseMs + settleMs);

      const told = await call(world.start(), target);

      expect(world.sandbox.effects(kind).length, where).toBe(1);
      if (told.isErr()) {
        expect(isBlind || hidesContent || hidesId, where).toBe(true);
        const outcome = isGuarded ? /^(?:applied|unknown)$/ : hidesId ? /^applied$/ : /^unknown$/;
        expect(told.error, where).toMatchObject({ outcome: expect.stringMatching(outcome) });
        continue;
      }
      expect(told.value, where).toMatchObject({ [id]: world.sandbox.effects(kind)[0]?.id });
      expect(Object.values(told.value as object), where).not.toContain('');
    }
  });

  test('is told whole by a process that finds what was recorded of its effect, and no value', async () => {
    const { world, target } = await setUp(publishing);
    const value = (await call(world.start(), target))._unsafeUnwrap();
    const rows = await Array.fromAsync(
      world.store.list?.({ prefix: 'pagepics http', without: '\u0001' }) ?? [],
    );
    for (const [key, text] of rows)
      await world.store.compareAndSet(
        key,
        text,
        JSON.stringify({ ...JSON.parse(text), value: undefined }),
        1e9,
      );
    const requests = world.sandbox.requests.length;

    const told = await call(world.start(), target);

    if (told.isOk()) expect(told.value).toEqual(value);
    else expect(told.error).toMatchObject({ outcome: 'applied' });
    const later = world.sandbox.requests.slice(requests);
    expect(later.filter(({ method }) => method !== 'GET')).toEqual([]);
    expect((await call(world.start(), target)).isOk()).toBe(told.isOk());
  });

  test('is done once by eight processes at once', async () => {
    const { world, target } = await setUp(publishing);
    const results = await Promise.all(Array.from({ length: 8 }, () => call(world.start(), target)));
    const [effect, ...more] = world.sandbox.effects(kind);

    expect(more).toEqual([]);
    const values = results.filter((result) => result.isOk());
    expect(values.length).toBeGreaterThan(0);
    for (const result of results) {
      if (result.isOk()) expect(result.value).toMatchObject({ [id]: effect?.id });
      else expect(result.error).toMatchObject({ reason: 'busy', outcome: 'unknown' });
    }
  });
});
