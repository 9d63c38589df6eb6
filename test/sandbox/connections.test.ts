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

  const all = await Promise.all(Array.from({ length: 1000 }, async () => (await fetch(url)).json()));

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
