import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { fc, runs, share } from '../support/property.ts';
import { catalogue, type Subject } from './catalogue.ts';
import {
  foreign,
  hostile,
  type Hostile,
  mutate,
  nodesOf,
  objectsIn,
  snippets,
  waysToFail,
} from './hostile.ts';
import { expectNone, judge, settle, watchRejections } from './judge.ts';
import { type Bench, createBench, type Plan } from './platform.ts';

const subjects = catalogue().filter(({ exported }) => !['loginUrl', 'appSecretProof'].includes(exported));
const counts = { calls: 0, responses: 0 };
const rejections = watchRejections();

beforeAll(() => {
  for (const each of Object.keys(counts) as (keyof typeof counts)[]) counts[each] = 0;
});

afterAll(async () => {
  await new Promise((resolve) => setTimeout(resolve, 50));
  rejections.end();
  expect(rejections.seen).toEqual([]);
  console.log(
    `hostile responses: ${counts.responses} in ${counts.calls} calls of ${subjects.length} functions`,
  );
});

/** Calls a function under a plan; the fault, where there is one. */
async function attempt(subject: Subject, bench: Bench, plan: Plan, variant = 0): Promise<string | undefined> {
  const log = bench.begin(plan);
  const options = subject.variants[variant % subject.variants.length];
  const settled = await settle(() => subject.call(bench.contexts, options));
  counts.calls++;
  counts.responses += log.hostile;
  return judge(subject, settled, log);
}

/** What a call asks for when all goes well. */
async function usualRoutes(subject: Subject, bench: Bench): Promise<readonly string[]> {
  const routes: string[] = [];
  bench.begin(({ route }) => void routes.push(route));
  await settle(() => subject.call(bench.contexts, subject.variants[0]));
  return routes;
}

test.each(subjects)('$name succeeds with valid responses, in all its variants', async (subject) => {
  for (const options of subject.variants) {
    const bench = createBench(subject);
    const log = bench.begin(() => undefined);
    const settled = await settle(() => subject.call(bench.contexts, options));
    expect(judge(subject, settled, log)).toBeUndefined();
    expect(typeof settled === 'string' ? settled : settled.isOk()).toBe(true);
    expect(log.unknown).toEqual([]);
  }
});

describe.each(subjects)('$name', (subject) => {
  const turn = subjects.indexOf(subject);
  test.each([
    ['at every place of its responses', undefined],
    ['as a phase that it does not know, in every object of its responses', 'another_phase'],
  ])('survives every odd value %s', async (_, added) => {
    const bench = createBench(subject);
    const faults: string[] = [];
    const usual = await usualRoutes(subject, bench);
    for (const [route, valid] of Object.entries(subject.routes)) {
      const bodies = Array.isArray(valid) ? (valid as readonly unknown[]) : [valid];
      const nodes = added === undefined ? [...Array(nodesOf(bodies[0])).keys()] : objectsIn(bodies[0]);
      for (const node of nodes) {
        for (const snippet of share([...snippets.keys()], turn + node)) {
          const spots = [{ node, snippet, added }];
          const plan: Plan = (place) => {
            if (place.route === route) return { kind: 'mutant', spots };
            // Requests that are only sent when the response to the last request, a write, is lost.
            const isLost = !usual.includes(route) && place.index === usual.length - 1;
            return isLost ? { kind: 'text', text: '<html>', status: 502 } : undefined;
          };
          const fault = await attempt(subject, bench, plan, usual.includes(route) ? node + snippet : 0);
          if (fault !== undefined)
            faults.push(`${route}: ${mutate(bodies[0], spots).slice(0, 300)}: ${fault}`);
        }
      }
    }
    expectNone(faults);
  });

  test('survives any hostile responses', async () => {
    const bench = createBench(subject);
    const plans = fc.record({
      variant: fc.nat(5),
      /** Requests that get a valid response first. */
      skip: fc.constantFrom(0, 0, 0, 1, 1, 2, 3, 4),
      script: fc.array(hostile, { minLength: 1, maxLength: 4 }),
      /** What comes after the script: its last response again, or valid ones. */
      rest: fc.constantFrom('again', 'valid'),
    });
    await fc.assert(
      fc.asyncProperty(plans, async ({ variant, skip, script, rest }) => {
        const plan: Plan = ({ index }) => {
          if (index < skip) return undefined;
          return script[index - skip] ?? (rest === 'again' ? script.at(-1) : undefined);
        };
        expect(await attempt(subject, bench, plan, variant)).toBeUndefined();
      }),
      { numRuns: runs(400) },
    );
  });

  test('survives every way in which there is no response', async () => {
    const bench = createBench(subject);
    const faults: string[] = [];
    for (const kind of ['network', 'no response', 'stream'] as const) {
      for (let which = 0; which < waysToFail[kind]; which++) {
        for (let skip = 0; skip < 4; skip++) {
          const plan: Plan = ({ index }) => (index < skip ? undefined : ({ kind, which } as Hostile));
          const before = counts.responses;
          const fault = await attempt(subject, bench, plan, which);
          if (fault !== undefined) faults.push(`${kind} ${which} after ${skip}: ${fault}`);
          // It has asked for fewer: so it would again.
          if (counts.responses === before) break;
        }
      }
    }
    expectNone(faults);
  });

  test('sends nothing to addresses that are not the platform’s', async () => {
    const bench = createBench(subject);
    const faults: string[] = [];
    for (const address of share(foreign, turn)) {
      for (const response of [
        { kind: 'links', next: address, isEmpty: false },
        { kind: 'upload', url: address },
        { kind: 'redirect', status: 307, location: encodeURI(address).trim() },
      ] as const) {
        for (let variant = 0; variant < subject.variants.length; variant++) {
          const fault = await attempt(subject, bench, () => response, variant);
          if (fault !== undefined) faults.push(`${address} in ${response.kind}: ${fault}`);
        }
      }
    }
    expectNone(faults);
  });
});
