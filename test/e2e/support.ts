import { type Result, ResultAsync } from 'neverthrow';
import nock from 'nock';
import { afterAll, beforeAll } from 'vitest';

import type { Bound, Endpoint } from '../../src/core/client.ts';
import { createSandbox, type Sandbox, serveSandbox, type ServedSandbox } from '../../src/sandbox/index.ts';
import { type Calls, openPlace, pageCalls, placeIn, worked } from '../functions/sandboxCalls.ts';

/** Lets the tests of a file use real sockets, without nock. */
export function onRealSockets(): void {
  beforeAll(() => {
    nock.restore();
  });
  afterAll(() => {
    nock.activate();
  });
}

export interface Served extends ServedSandbox {
  readonly sandbox: Sandbox;
}

/** A fresh sandbox on a loopback server. */
export async function serve(): Promise<Served> {
  const sandbox = createSandbox({ strict: true });
  return { ...(await serveSandbox(sandbox)), sandbox };
}

/** The functions bound to a context, in the form of a client, so that one test can call either. */
export function asMethods<TContext, TEndpoints extends Readonly<Record<string, Endpoint<TContext>>>>(
  context: TContext,
  endpoints: TEndpoints,
): Bound<TEndpoints> {
  const methods = Object.entries(endpoints).map(([name, endpoint]) => [
    name,
    (options: never) => {
      const result = endpoint(context, options);
      if (result instanceof ResultAsync) return result.then(valueOf);
      return 'next' in result ? valuesOf(result) : valueOf(result);
    },
  ]);
  return Object.fromEntries(methods) as Bound<TEndpoints>;
}

function valueOf(result: Result<unknown, Error>): unknown {
  if (result.isErr()) throw result.error;
  return result.value;
}

async function* valuesOf(results: AsyncIterable<Result<unknown, Error>>): AsyncGenerator {
  for await (const result of results) yield valueOf(result);
}

/** The methods with these names, which record the calls that succeed. */
export function noting<TMethods extends object>(
  methods: TMethods,
  names: readonly string[],
  called: Set<string>,
): TMethods {
  const noted = names.map((name) => [
    name,
    (options: unknown) => {
      const method = Reflect.get(methods, name) as (options: unknown) => unknown;
      const value = method(options);
      const note = (known: unknown): unknown => {
        called.add(name);
        return known;
      };
      return value instanceof Promise ? value.then(note) : note(value);
    },
  ]);
  return Object.fromEntries(noted) as TMethods;
}

/** Which of these functions fail, called as in each state of a connection, each on a sandbox of its own. */
export async function failing(names: readonly string[], calls: Calls): Promise<readonly string[]> {
  const failed: string[] = [];
  for (const name of names) {
    const { sandbox, first, account } = openPlace();
    await using served = await serveSandbox(sandbox);
    const call = await calls[name]?.(placeIn(sandbox, served));
    const token = calls === pageCalls ? sandbox.issueToken({ kind: 'user' }) : account.token;
    if (!call || !(await worked(name, call({ token, pageToken: first.token })))) failed.push(name);
  }
  return failed;
}
