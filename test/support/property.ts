import fc from 'fast-check';

import { isCI } from './machine.ts';

// One seed for all, so that what passes here passes in CI. `PROPERTY_SEED=7 npm run test:all` tries other cases.
fc.configureGlobal({ seed: Number(process.env['PROPERTY_SEED'] ?? 20_260_102) });

export { fc };

const firstSurrogate = 0xd800;
const surrogates = 0x800;

/** Any character, as the unit of a string: like `unit: 'binary'`, which lists all million of them first. */
export const anyCharacter = fc.nat({ max: 0x10ffff - surrogates }).map(
  (nth) => String.fromCodePoint(nth < firstSurrogate ? nth : nth + surrogates),
  (character) => {
    const point = typeof character === 'string' ? character.codePointAt(0) : undefined;
    if (point === undefined || String.fromCodePoint(point) !== character) throw new Error('not a character');
    if (point >= firstSurrogate && point < firstSurrogate + surrogates) throw new Error('a surrogate');
    return point < firstSurrogate ? point : point - surrogates;
  },
);

/**
 * How much the hostile suites try: `HOSTILE_RUNS=1 npm run test:all -- test/hostile` tries every case, 10 draws ten
 * times as many random ones. By default each test takes a tenth of its cases, or half of that on a clone, others than its
 * neighbours take.
 */
const scale = Number(process.env['HOSTILE_RUNS'] ?? (isCI ? 0.1 : 0.05));

/** How many random cases to draw where `usual` are drawn at a scale of 1. */
export function runs(usual: number): number {
  return Math.max(1, Math.round(usual * scale));
}

/** The cases of a list: all of them at a scale of 1 and above, an even share below. Successive turns share out all. */
export function share<T>(all: readonly T[], turn: number): readonly T[] {
  const stride = Math.max(1, Math.round(1 / scale));
  return all.filter((_, at) => (at + turn) % stride === 0);
}
