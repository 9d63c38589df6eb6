import { AsyncLocalStorage } from 'node:async_hooks';

import { expect, test } from 'vitest';

import { close } from '../../../src/core/client.ts';
import type { Hooks } from '../../../src/core/http/hooks.ts';
import { iterate } from '../../../src/core/lowLevel/paginate.ts';
import { get } from '../../../src/core/lowLevel/request.ts';
import { memoryJournal } from '../../../src/core/writes/journal/createJournal.ts';
import { createGovernor } from '../../../src/governor/createGovernor.ts';
import { publishPost } from '../../../src/page/posts.ts';
import { pageContext } from '../../support/context.ts';
import { json, silence, text } from '../stub.ts';

const wait = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));

/** A context that tells in whose name its `fetch` and its hooks run, by the async context of the caller. */
function witness(isGoverned: boolean) {
  const customer = new AsyncLocalStorage<string>();
  const seen = new Set<string>();
  const see = (where: string) => void seen.add(`${customer.getStore() ?? 'nobody'} ${where}`);
  const hook =
    (name: string) =>
    ({ operation }: { readonly operation: string }) =>
      see(`${name} ${operation}`);
  const names = ['onCallStart', 'onCallEnd', 'onRequest', 'onResponse', 'onFailure', 'onRetry', 'onVersion'];
  const hooks: Hooks = Object.fromEntries(names.map((name) => [name, hook(name)]));
  const tried = new Set<string>();
  let stored = 0;
  const journal = memoryJournal();
  const store: typeof journal = {
    ...journal,
    get: async (key) => {
      stored++;
      await wait(5);
      return journal.get(key);
    },
  };
  const context = pageContext({
    ...hooks,
    ...(isGoverned && { governor: createGovernor({ store, maxWaitMs: 60_000 }) }),
    fetch: async (input, init) => {
      const { url } = new Request(input, init);
      const path = new URL(url).pathname.split('/').at(-1) ?? '';
      see(`fetch ${path}`);
      await wait(Math.random() * 10);
      if (path === 'feed') return silence()(new Request(url), init?.signal);
      const headers = { 'x-app-usage': JSON.stringify({ call_count: 30, total_time: 1, total_cputime: 1 }) };
      const isFirst = !tried.has(path);
      tried.add(path);
      const step = isFirst ? text('busy', 503, headers) : json({ data: [{ id: path }] }, 200, headers);
      return step(new Request(url), null);
    },
  });
  return { customer, context, seen, storeReads: () => stored };
}

test.each([
  ['on its own', false],
  ['behind a governor', true],
])('fetch and hooks run in the async context of the caller: %s', async (_, isGoverned) => {
  const { customer, context, seen, storeReads } = witness(isGoverned);
  const names = Array.from({ length: 20 }, (__, at) => `c${at}`);
  const calls = names.map((name) => customer.run(name, async () => get(context, name)));
  for (const result of await Promise.all(calls)) expect(result.isOk()).toBe(true);
  const loops = names.map((name) =>
    customer.run(name, async () => {
      for await (const entry of iterate(context, name)) expect(entry.isOk()).toBe(true);
    }),
  );
  await Promise.all(loops);

  const hooked = (name: string, operation: string, hooks: readonly string[]) =>
    hooks.map((hook) => `${name} ${hook} ${operation}`);
  const both = ['onCallStart', 'onRequest', 'onResponse', 'onCallEnd'];
  const expected = names.flatMap((name) => [
    `${name} fetch ${name}`,
    ...hooked(name, 'get', [...both, 'onRetry']),
    ...hooked(name, 'iterate', both),
  ]);
  expect([...seen].toSorted()).toEqual(expected.toSorted());
  expect(storeReads() > 0).toBe(isGoverned);

  seen.clear();
  const post = customer.run('last', async () =>
    publishPost(context, { pageId: '42', pageToken: 'token', message: 'a' }),
  );
  await expect.poll(() => seen.has('last fetch feed')).toBe(true);
  await customer.run('closer', () => close(context, {}));
  expect((await post)._unsafeUnwrapErr().outcome).toBe('unknown');
  const ended = ['onCallStart', 'onRequest', 'onFailure', 'onCallEnd'];
  expect([...seen].toSorted()).toEqual(
    ['last fetch feed', ...hooked('last', 'publishPost', ended)].toSorted(),
  );
});
