import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';

import nock from 'nock';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { serveSandbox } from '../../src/sandbox/index.ts';
import { pageOf, still } from './support/caller.ts';

beforeAll(() => nock.restore());
afterAll(() => nock.activate());

test('a served sandbox responds to 1,000 connections at once', async () => {
  const sandbox = still({ requireProof: false });
  const { id, token } = pageOf(sandbox);
  await using server = await serveSandbox(sandbox);
  const url = `${server.platform.graphUrl}/v26.0/${id}?access_token=${token}&fields=id`;

  // `fetch` gives up a connection after ten seconds: on a busy machine, the last of these take longer.
  const all = await Promise.all(
    Array.from({ length: 1000 }, async () => {
      const [response] = (await once(request(url, { agent: false }).end(), 'response')) as [IncomingMessage];
      return json(response);
    }),
  );

  expect(all).toEqual(Array(1000).fill({ id }));
});

test('a sandbox keeps the newest 10,000 requests of any number', async () => {
  const sandbox = still({ requireProof: false });
  const { id, token } = pageOf(sandbox);
  const url = `${sandbox.platform.graphUrl}/v26.0/${id}?access_token=${token}&fields=id&limit=`;

  for (let at = 0; at < 12_500; at++) await (await sandbox.fetch(url + at)).text();

  expect(sandbox.requests.length).toBeGreaterThanOrEqual(10_000);
  expect(sandbox.requests.length).toBeLessThan(11_000);
  expect(sandbox.requests.at(-1)?.query['limit']).toBe('12499');
});

test('a sandbox keeps fewer requests of large bodies, and none of a body that is very large', async () => {
  const sandbox = still({ requireProof: false });
  const post = (body: string, type: string): Promise<Response> =>
    sandbox.fetch(`${sandbox.platform.graphUrl}/v26.0/me`, {
      method: 'POST',
      body,
      headers: { 'content-type': type },
    });
  for (let at = 0; at < 60; at += 1) {
    await post(JSON.stringify({ at, text: 'x'.repeat(900_000) }), 'application/json');
  }
  const kept = sandbox.requests.map(({ json }) => (json as { readonly at: number }).at);
  expect(kept.length).toBeLessThan(20);
  expect(kept).toEqual(Array.from({ length: kept.length }, (_, at) => 60 - kept.length + at));

  await post(JSON.stringify({ text: 'x'.repeat(2_000_000) }), 'application/json');
  await post(`text=${'x'.repeat(2_000_000)}`, 'application/x-www-form-urlencoded');
  expect(sandbox.requests.slice(-2).map(({ json, form }) => [json, form])).toEqual([
    [undefined, undefined],
    [undefined, undefined],
  ]);
});
