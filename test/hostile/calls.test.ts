import { describe, expect, test } from 'vitest';

import { bind, close } from '../../src/core/client.ts';
import type { ContextOptions } from '../../src/core/context.ts';
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

/** A call that failed. */
interface Failed {
  readonly what: string;
  readonly error: Error;
  /** `METHOD path` of the requests that were made to fail. */
  readonly requests: readonly string[];
  readonly events: readonly Told[];
}

/** The arguments of a hook's call. */
interface Told {
  readonly hook: string;
  readonly event: unknown;
}

/** Every hook of a context, with a record of its calls. */
function hooked(): { readonly events: Told[]; readonly hooks: ContextOptions } {
  const events: Told[] = [];
  const names = ['onCallStart', 'onRequest', 'onResponse', 'onFailure', 'onRetry', 'onVersion', 'onCallEnd'];
  const hooks = names.map((hook) => [hook, (event: unknown) => events.push({ hook, event })]);
  return { events, hooks: Object.fromEntries(hooks) as ContextOptions };
}

/** Ends a call with a failure of each of its requests in turn. */
async function failuresOf(
  subject: Subject,
  call: (contexts: Contexts, options: Options) => Promise<unknown>,
): Promise<Failed[]> {
  const failed: Failed[] = [];
  for (const options of subject.variants) {
    for (const failure of failures) {
      for (let failing = 0; failing < mostRequests; failing++) {
        const { events, hooks } = hooked();
        const requests: string[] = [];
        const bench = createBench(subject, { ...hooks, retry: { attempts: 1 } }, async ({ method, url }) => {
          requests.push(`${method} ${new URL(url).pathname}`);
        });
        const abort = new AbortController();
        const log = bench.begin(({ index }) => {
          if (index < failing) return undefined;
          if (failure.kind === 'silence') setImmediate(() => abort.abort());
          return failure;
        });
        const ended = await call(bench.contexts, { ...options, signal: abort.signal });
        const error = ended instanceof Error ? ended : at(ended, 'error');
        if (error instanceof Error) {
          const what = `${failing} ${JSON.stringify(failure)}`;
          // An abort also ends requests that were sent side by side with the one that nobody answers.
          const from = failure.kind === 'silence' ? 0 : failing;
          failed.push({ what, error, requests: requests.slice(from), events });
        }
        if (log.requests <= failing) break;
      }
    }
  }
  return failed;
}

describe.each(subjects)('every error of $name', (subject) => {
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
  ])('says which call it was, with which request, and where, %s', async (_, caller) => {
    const failed = await failuresOf(subject, caller);
    const line = new RegExp(`${caller.name}.*calls\\.test\\.ts.*:\\d+:\\d+`);

    if (subject.failures.length > 0) expect(failed).not.toEqual([]);
    expectNone(failed.flatMap((one) => faultsOf(subject, one, line)));
  });
});

/** What a failure does not say. */
function faultsOf({ exported }: Subject, { what, error, requests, events }: Failed, line: RegExp): string[] {
  const shown = JSON.parse(JSON.stringify(error)) as Readonly<Record<string, unknown>>;
  const { operation, callId, method, path } = shown;
  const first = at(events[0]?.event, 'callId');
  const faults: string[] = [];
  if (operation !== exported) faults.push(`its operation is ${String(operation)}`);
  if (typeof callId !== 'string' || callId !== first) faults.push(`its callId is ${String(callId)}`);
  if (!requests.includes(`${String(method)} ${String(path)}`)) faults.push(`its request is ${String(path)}`);
  if (!line.test(error.stack ?? '')) faults.push(`its stack names no caller: ${error.stack}`);
  // A copy, which the hook cannot change.
  const told = at(events.at(-1)?.event, 'error');
  if (JSON.stringify(told) !== JSON.stringify(error)) faults.push('onCallEnd was told another error');
  return [...faults, ...faultsIn(exported, events)].map((fault) => `${what}: ${fault}`);
}

/** What an attempt of a call is known by. */
function keyOf(event: unknown): string {
  return `${String(at(event, 'request'))} ${String(at(event, 'attempt'))}`;
}

/** What is wrong with the events of one call. */
function faultsIn(operation: string, events: readonly Told[]): string[] {
  const faults: string[] = [];
  const count = (name: string): number => events.filter(({ hook }) => hook === name).length;
  const ids = new Set(events.map(({ event }) => at(event, 'callId')));
  const names = new Set(events.map(({ event }) => at(event, 'operation')));
  const last = events.at(-1);
  if (events[0]?.hook !== 'onCallStart' || last?.hook !== 'onCallEnd') faults.push('no begin or no end');
  if (count('onCallStart') !== 1 || count('onCallEnd') !== 1) faults.push('several begins or ends');
  if (ids.size !== 1) faults.push(`callIds: ${[...ids].join()}`);
  if (names.size !== 1 || !names.has(operation)) faults.push(`operations: ${[...names].join()}`);
  const sent = events.filter(({ hook }) => hook === 'onRequest').map(({ event }) => keyOf(event));
  const ended = events.filter(({ hook }) => /^on(?:Response|Failure)$/.test(hook));
  if (new Set(sent).size < sent.length) faults.push('attempts cannot be told apart');
  if (!ended.every(({ event }) => sent.includes(keyOf(event)))) faults.push('an end without a begin');
  if (at(last?.event, 'attempts') !== count('onRequest')) faults.push('attempts are not its requests');
  if (count('onRequest') !== count('onResponse') + count('onFailure')) faults.push('a request has no end');
  return faults;
}

test.each(subjects)('hook events of two calls of $name side by side are told apart', async (subject) => {
  for (const options of subject.variants) {
    const { events, hooks } = hooked();
    const bench = createBench(subject, hooks);
    bench.begin(() => undefined);
    const call = (): unknown => subject.call(bench.contexts, options);
    await Promise.all([settle(call), settle(call)]);

    const calls = Map.groupBy(events, ({ event }) => at(event, 'callId'));
    expect(calls.size).toBe(2);
    expectNone([...calls.values()].flatMap((own) => faultsIn(subject.exported, own)));
  }
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
