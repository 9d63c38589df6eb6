import { afterAll, describe, test } from 'vitest';

import {
  batch,
  isFinal,
  memoryJournal,
  type SdkError,
  untilSettled,
  type AnySdkError,
} from '../../src/core/index.ts';
import { createPageContext } from '../../src/page/context.ts';
import { createPicsContext, createPicsContextViaPages } from '../../src/pics/context.ts';
import { createSandbox } from '../../src/sandbox/index.ts';
import { json, stubFetch } from '../core/stub.ts';
import { publishings, variants, type Publishing } from '../core/writes/journal/publishings.ts';
import { firstPage } from '../functions/index.ts';
import { pageContext, token } from '../support/context.ts';
import { share } from '../support/property.ts';
import { catalogue } from './catalogue.ts';
import { expectNone, judge, settle, thirdKind } from './judge.ts';
import { createBench } from './platform.ts';
import { refusals, type Shown, ways } from './refusals.ts';

/*
 * Whatever the platform refuses, and however it shows that, a failure says when the same call may help, or is final. So
 * it must for each code of the table, by each way of showing it, in each kind of call.
 */

const shownAs = Object.entries(ways);
const counts = { calls: 0, parts: 0, keyed: 0 };
afterAll(() => console.log(`refusals: ${JSON.stringify(counts)}`));

/** What is wrong with the failure of a call without a key. */
function faultOf(error: SdkError, isRead: boolean): string | undefined {
  const { outcome, retryAfterMs } = error as AnySdkError & { outcome?: string; retryAfterMs?: number };
  if (isRead && outcome !== 'rejected') return 'a read has an outcome';
  if (retryAfterMs !== undefined && outcome !== 'rejected') return 'it may take effect twice';
  return thirdKind(error);
}

const subjects = catalogue().filter(({ exported }) => !['loginUrl', 'appSecretProof'].includes(exported));

test.each(subjects)('$name says when to call again, or is final', async (subject) => {
  const bench = createBench(subject);
  const turn = subjects.indexOf(subject);
  const isRead = Object.keys(subject.routes).every((route) => route.startsWith('GET '));
  const faults: string[] = [];
  for (const at of share([...refusals.keys()], turn)) {
    const coded = refusals[at];
    const [name, show] = shownAs[(at + turn) % shownAs.length] ?? [];
    if (coded === undefined || show === undefined) continue;
    for (const skip of [0, 1, 2]) {
      const { status, body, headers = {} } = show(coded);
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      const log = bench.begin(({ index }) =>
        index < skip ? undefined : { kind: 'text', text, status, headers: Object.entries(headers) },
      );
      const settled = await settle(() => subject.call(bench.contexts, subject.variants[0]));
      counts.calls++;
      const error = typeof settled === 'string' || settled.isOk() ? undefined : (settled.error as SdkError);
      const fault = judge(subject, settled, log) ?? (error && faultOf(error, isRead));
      if (fault !== undefined) faults.push(`${JSON.stringify(coded)} ${name} after ${skip}: ${fault}`);
      if (log.hostile === 0) break;
    }
  }
  expectNone(faults);
});

describe.each(shownAs)('shown %s', (_, show) => {
  test.each(['GET', 'POST', 'DELETE'] as const)(
    'each part of a batch has one of two kinds: %s',
    async (method) => {
      const faults: string[] = [];
      const parts = refusals.map((coded) => {
        const { status, body, headers = {} } = show(coded);
        const named = Object.entries(headers).map(([name, value]) => ({ name, value }));
        return { code: status, headers: named, body: typeof body === 'string' ? body : JSON.stringify(body) };
      });
      const pages = [...Array(Math.ceil(parts.length / 50)).keys()].map((at) =>
        parts.slice(at * 50, at * 50 + 50),
      );
      const context = pageContext({ fetch: stubFetch(...pages.map((page) => json(page))) });

      const results = await batch(
        context,
        refusals.map(() => ({ method, path: '1/feed' })),
        { token },
      );

      for (const [at, result] of results._unsafeUnwrap().entries()) {
        counts.parts++;
        const fault = result.isOk() ? 'it succeeds' : faultOf(result.error, method === 'GET');
        if (fault !== undefined) faults.push(`${JSON.stringify(refusals[at])}: ${fault}`);
      }
      expectNone(faults);
    },
  );
});

const minute = 60_000;
const publishing: readonly (readonly [string, Publishing])[] = Object.entries({
  ...publishings,
  ...variants,
});

/** A sandbox whose writes are refused for ten minutes, and what publishes there. */
function refusing({ status, body, headers = {} }: Shown) {
  const now = Date.now();
  const sandbox = createSandbox({ now: () => now, posts: 2, comments: 2, leads: 1 });
  const { app, picsApp, clock, platform, account } = sandbox;
  let endsAt = -Infinity;
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    if (request.method !== 'POST' || clock.now() >= endsAt) return sandbox.fetch(request);
    return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers });
  };
  const common = { platform, fetch, clock, journal: memoryJournal() };
  return {
    sandbox,
    begin: () => (endsAt = clock.now() + 10 * minute),
    target: { page: firstPage(sandbox), account },
    machine: {
      context: createPageContext({ ...common, appId: app.id, appSecret: app.secret })._unsafeUnwrap(),
      pics: createPicsContext({ ...common, appId: picsApp.id, appSecret: picsApp.secret })._unsafeUnwrap(),
      viaPages: createPicsContextViaPages({
        ...common,
        appId: app.id,
        appSecret: app.secret,
      })._unsafeUnwrap(),
    },
  };
}

test.each(publishing)('%s under a key ends, whatever refuses it for ten minutes', async (...row) => {
  const [name, { call, kind, prepare, isBlind, hidesContent, hidesId, isGuarded }] = row;
  const turn = publishing.findIndex(([other]) => other === name);
  const isHidden = isBlind || hidesContent || hidesId || isGuarded;
  const faults: string[] = [];
  for (const at of share([...refusals.keys()], turn)) {
    const coded = refusals[at];
    const [how, show] = shownAs[(at + turn) % shownAs.length] ?? [];
    if (coded === undefined || show === undefined) continue;
    const { sandbox, machine, target, begin } = refusing(show(coded));
    const prepared = await prepare?.(sandbox);
    const before = sandbox.effects(kind).length;
    const seen: string[] = [];
    let calls = 0;
    begin();
    const settled = await untilSettled(
      () => {
        calls++;
        return call(
          machine,
          { ...target, prepared },
          { idempotencyKey: 'row-1', message: 'Open until nine' },
        );
      },
      {
        forMs: 4 * 60 * minute,
        onWait: ({ error }) => {
          const fault = thirdKind(error);
          if (fault !== undefined) seen.push(fault);
        },
      },
    );
    counts.keyed++;
    const made = sandbox.effects(kind).length - before;
    if (settled.isErr()) {
      const { error } = settled;
      const fault = thirdKind(error);
      if (fault !== undefined) seen.push(fault);
      const { retryAfterMs = 0, outcome } = error as { retryAfterMs?: number; outcome?: string };
      // A day for a limit of a week is longer than it was waited for.
      if (!isFinal(error) && retryAfterMs < 4 * 60 * minute - 11 * minute)
        seen.push(`it gives up: ${error.message}`);
      if (made > (isHidden ? 1 : 0)) seen.push(`it has published, and fails: ${error.message}`);
      if (outcome === 'unknown' && !isHidden) seen.push(`it stays unknown: ${error.message}`);
    } else if (made !== 1) seen.push(`it has published ${made}`);
    if (calls > 200) seen.push(`${calls} calls`);
    if (seen.length > 0) faults.push(`${JSON.stringify(coded)} ${how}: ${seen[0]}`);
  }
  expectNone(faults);
});
