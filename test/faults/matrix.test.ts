import { afterAll, describe, expect, test, vi } from 'vitest';

import type { Effect } from '../../src/sandbox/index.ts';
import { spotIn, writings, type Writing } from '../functions/index.ts';
import type { AnyFailure, Lost } from '../functions/table.ts';
import { bench, tell, useRealSockets, type Bench, type Cut } from './support.ts';

useRealSockets();
vi.setConfig({ maxConcurrency: 24 });

/** How the response to a write fails to arrive. */
const faults: Readonly<Record<string, { readonly cut: Cut } | { readonly status: number } | 'hang'>> = {
  'response lost': { cut: 'close' },
  '500': { status: 500 },
  '502': { status: 502 },
  '503': { status: 503 },
  '504': { status: 504 },
  timeout: 'hang',
  'reset while sending': { cut: 'reset' },
  'reset while reading': { cut: 'truncate' },
};

/** A write whose response is lost. */
interface Loss extends Writing {
  readonly lost: Lost;
}

const losses = writings.filter((write): write is Loss => write.lost !== undefined);
/** Whether a write must happen once. The others are safe to repeat: they are retried, and succeed. */
const isOnceOnly = ({ id, lost: { said, one } }: Loss): boolean =>
  one === undefined && (id !== undefined || said !== undefined);
const onceOnly = losses.filter(isOnceOnly);
const safe = losses.filter((write) => !isOnceOnly(write));

/** What a call reports if its once-only write took effect, and if it did not. */
function saidOf({ lost: { said }, hides }: Loss): NonNullable<Lost['said']> {
  if (said !== undefined) return said;
  const applied = hides === undefined ? 'ok' : hides === 'its id' ? 'applied' : 'unknown';
  return { applied, notApplied: 'unknown' };
}

type FaultName = keyof typeof faults;

/** Whether the fault applies before the write took effect, or after. */
const sides = { applied: true, 'not applied': false } as const;

function cells(writes: readonly Loss[]): [string, FaultName, keyof typeof sides, Loss][] {
  return writes.flatMap((write) =>
    Object.keys(faults).flatMap((fault) =>
      (Object.keys(sides) as (keyof typeof sides)[]).map(
        (side): [string, FaultName, keyof typeof sides, Loss] => [write.name, fault, side, write],
      ),
    ),
  );
}

/** Adds the fault, which applies once. */
async function meet(
  at: Bench,
  { endpoint, realm, prepare, options, call, lost: { method = 'POST', path, skip = 0 } }: Loss,
  name: FaultName,
  applied: boolean,
): Promise<Awaited<ReturnType<typeof tell>> & { readonly requests: number }> {
  const { sandbox, page } = at;
  const context = { page: at.context, login: at.pics, viaPages: at.viaPages }[realm];
  const target = { page, account: sandbox.account };
  const given = { message: 'Open until nine', ...(realm === 'page' && { token: sandbox.user.token }) };
  const prepared = (await prepare?.({ sandbox, context, at: spotIn(realm, target, given) })) ?? '';
  const spot = spotIn(realm, target, { ...given, prepared });
  const fits = new RegExp(`^${method} .*${path.source.replace(/^\^/, '')}`);
  const before = at.sent.length;
  const fault = faults[name] ?? 'hang';
  const rule = { method, path, skip, when: applied ? 'after' : 'before' } as const;
  if (fault === 'hang') sandbox.fault({ ...rule, hang: true });
  else if ('status' in fault) sandbox.fault({ ...rule, status: fault.status });
  else at.cut(fits, fault.cut, applied, skip);
  // What writes returns a promise of a Result.
  const made = call?.(context, spot) ?? (endpoint.call(context, options(spot)) as Parameters<typeof tell>[0]);
  const told = await tell(made);
  return { ...told, requests: at.sent.slice(before).filter((one) => fits.test(one)).length - skip };
}

function benchFor(fault: FaultName): Promise<Bench> {
  return bench(fault === 'timeout' ? { timeoutMs: 3000 } : {});
}

const tally = new Map<string, number>();
afterAll(() => {
  console.log(
    `fault matrix: ${JSON.stringify(Object.fromEntries([...tally].toSorted(([a], [b]) => a.localeCompare(b))))}`,
  );
});

describe.concurrent('a write that must happen once', () => {
  test.for(cells(onceOnly))('%s: %s, %s', async ([, fault, side, write], { expect: check }) => {
    await using at = await benchFor(fault);
    const told = await meet(at, write, fault, sides[side]);
    const { kind, id, lost } = write;
    const effects = at.sandbox.effects(lost.kind ?? kind);

    check(effects).toHaveLength(sides[side] ? 1 : 0);
    const { applied, notApplied } = saidOf(write);
    check({ said: told.said, requests: told.requests }).toEqual({
      said: sides[side] ? applied : notApplied,
      requests: 1,
    });
    if (told.said !== 'ok')
      check(Object.keys(payloadOf(told.error))).toEqual(check.arrayContaining([...(lost.names ?? [])]));
    else if (id !== undefined) check(told.value).toMatchObject({ [id]: effects[0]?.id });
    const key = `once-only, ${side}: ${told.said}`;
    tally.set(key, (tally.get(key) ?? 0) + 1);
  });
});

describe.concurrent('a write that is safe to repeat', () => {
  test.for(cells(safe))('%s: %s, %s', async ([, fault, side, write], { expect: check }) => {
    await using at = await benchFor(fault);
    const told = await meet(at, write, fault, sides[side]);
    const { kind, lost } = write;

    check(told).toMatchObject({ said: sides[side] ? (lost.again ?? 'ok') : 'ok' });
    check(told.requests).toBeGreaterThan(1);
    if (lost.one === undefined) check(distinct(at.sandbox.effects(lost.kind ?? kind))).toHaveLength(1);
    else check(at.sandbox.effects(lost.one)).toHaveLength(1);
    const key = `safe, ${side}: ${told.said}`;
    tally.set(key, (tally.get(key) ?? 0) + 1);
  });
});

test('the matrix has every cell', () => {
  expect(new Set(losses.map(({ name }) => name)).size).toBe(losses.length);
  expect(onceOnly.length).toBeGreaterThan(40);
  expect(safe.length).toBeGreaterThan(50);
  expect([...cells(onceOnly), ...cells(safe)]).toHaveLength(losses.length * 8 * 2);
});

function payloadOf(error: AnyFailure | undefined): object {
  const payload = error !== undefined && 'payload' in error ? error.payload : undefined;
  return typeof payload === 'object' && payload !== null ? payload : {};
}

/** Repeated effects that change nothing count once. */
function distinct(effects: readonly Effect[]): string[] {
  return [...new Set(effects.map(({ kind, id, content }) => JSON.stringify([kind, id, content])))];
}
