import { describe, expect, test } from 'vitest';

import { bind } from '../../src/core/client/bind.ts';
import { close } from '../../src/core/client/createClient.ts';
import { catalogue, type Contexts, type Options, type Subject } from './catalogue.ts';
import type { Hostile } from './hostile.ts';
import { expectNone, judge, settle } from './judge.ts';
import { at } from './kinds.ts';
import { createBench } from './platform.ts';

const subjects = catalogue().filter(({ exported }) => !['loginUrl', 'appSecretProof'].includes(exported));

/** What may become of a request, each of which is an error of another origin in the SDK. */
const failures: readonly Hostile[] = [
  { kind: 'status', status: 400, text: '{"error":{"message":"No","code":100}}' },
  { kind: 'status', status: 200, text: '[7]' },
  { kind: 'network', which: 0 },
  // Ended by the caller's signal: the failure is made by the signal's listener.
  { kind: 'silence', isDeaf: false },
];

/** Requests of a call that are made to fail, each in a call of its own. */
const mostRequests = 8;

/** Ends a call with a failure of each of its requests in turn; the stacks of the errors. */
async function stacksOf(
  subject: Subject,
  call: (contexts: Contexts, options: Options) => Promise<unknown>,
): Promise<string[]> {
  const stacks: string[] = [];
  for (const options of subject.variants) {
    for (const failure of failures) {
      for (let failing = 0; failing < mostRequests; failing++) {
        const bench = createBench(subject, { retry: { attempts: 1 } });
        const abort = new AbortController();
        const log = bench.begin(({ index }) => {
          if (index < failing) return undefined;
          if (failure.kind === 'silence') setImmediate(() => abort.abort());
          return failure;
        });
        const ended = await call(bench.contexts, { ...options, signal: abort.signal });
        const error = ended instanceof Error ? ended : at(ended, 'error');
        if (error instanceof Error) stacks.push(`${failing} ${JSON.stringify(failure)}\n${error.stack}`);
        if (log.requests <= failing) break;
      }
    }
  }
  return stacks;
}

describe.each(subjects)('the stack of every error of $name names the line of the caller', (subject) => {
  async function callerOfFunction(contexts: Contexts, options: Options): Promise<unknown> {
    const result = await subject.call(contexts, options);
    return result;
  }

  async function callerOfMethod(contexts: Contexts, options: Options): Promise<unknown> {
    const { method } = bind(contexts, { method: subject.call as never });
    try {
      return await (method as (options: Options) => unknown)(options);
    } catch (thrown) {
      return thrown;
    }
  }

  test.each([
    ['as a function', callerOfFunction],
    ['as a method', callerOfMethod],
  ])('%s', async (_, caller) => {
    const stacks = await stacksOf(subject, caller);
    const line = new RegExp(`${caller.name}.*calls\\.test\\.ts.*:\\d+:\\d+`);

    if (subject.failures.length > 0) expect(stacks).not.toEqual([]);
    expect(stacks.filter((stack) => !line.test(stack))).toEqual([]);
  });
});

test.each(subjects)('a call of $name that has begun is let end by a close with drainMs', async (subject) => {
  for (const options of subject.variants) {
    const bench = createBench(subject);
    let closing: unknown;
    const context = bench.contexts[subject.realm];
    const log = bench.begin(() => void (closing ??= close(context, { drainMs: 100_000 })));
    const settled = await settle(() => subject.call(bench.contexts, options));

    expectNone([judge(subject, settled, log) ?? []].flat());
    expect(at(settled, 'error')).toBeUndefined();
    await closing;
  }
});
