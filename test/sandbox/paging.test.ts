import { describe, expect, test } from 'vitest';

import type { Sandbox } from '../../src/sandbox/index.ts';
import {
  caller,
  pageOf,
  proofOf,
  read,
  refusal,
  start,
  still,
  type Reply,
  type Loose,
} from './support/caller.ts';

/** Follows `next`, to which only the proof is added. */
async function walk(sandbox: Sandbox, first: Reply): Promise<Loose[][]> {
  const pages = [first.body.data];
  for (let next = first.body.paging?.next; next !== undefined;) {
    const url = new URL(next);
    expect(url.searchParams.has('appsecret_proof')).toBe(false);
    const token = url.searchParams.get('access_token') ?? '';
    url.searchParams.set('appsecret_proof', proofOf(sandbox.app.secret, token));
    const { body } = await read(await sandbox.fetch(url));
    pages.push(body.data);
    next = body.paging?.next;
  }
  return pages;
}

const idsOf = (pages: Loose[][]): string[] => pages.flat().map((one) => one.id);
const sizes = (pages: Loose[][]): number[] => pages.map((page) => page.length);

describe('a list by cursor', () => {
  test('is walked to its end by next, whose link keeps version and parameters', async () => {
    const sandbox = still({ comments: 7 });
    const { token, postIds, commentIds } = pageOf(sandbox);
    const params = { limit: '3', order: 'reverse_chronological', fields: 'message' };
    const first = await caller(sandbox).get(`/${postIds[0]}/comments`, token, params);
    const next = new URL(first.body.paging.next);
    expect(next.origin + next.pathname).toBe(`${sandbox.platform.graphUrl}/v26.0/${postIds[0]}/comments`);
    expect(Object.fromEntries(next.searchParams)).toEqual({
      ...params,
      access_token: token,
      after: first.body.paging.cursors.after,
    });
    const pages = await walk(sandbox, first);
    expect(sizes(pages)).toEqual([3, 3, 1]);
    expect(idsOf(pages)).toEqual(commentIds);
  });

  test('ends without next if the last page is full, and still has cursors', async () => {
    const sandbox = still({ comments: 3 });
    const { token, postIds } = pageOf(sandbox);
    const { body } = await caller(sandbox).get(`/${postIds[0]}/comments`, token, { limit: '3' });
    expect(body.data).toHaveLength(3);
    expect(body.paging).toEqual({ cursors: { before: expect.any(String), after: expect.any(String) } });
  });

  test('goes back by before', async () => {
    const sandbox = still({ comments: 5 });
    const { token, postIds, commentIds } = pageOf(sandbox);
    const { get } = caller(sandbox);
    const params = { limit: '2', order: 'reverse_chronological' };
    const path = `/${postIds[0]}/comments`;
    const first = await get(path, token, params);
    const second = await get(path, token, { ...params, after: first.body.paging.cursors.after });
    expect(idsOf([second.body.data])).toEqual(commentIds.slice(2, 4));
    const back = await get(path, token, { ...params, before: second.body.paging.cursors.before });
    expect(idsOf([back.body.data])).toEqual(commentIds.slice(0, 2));
  });

  test('replaces me by the id, and lists more Pages than a page holds', async () => {
    const sandbox = still({ pages: 205 });
    const first = await caller(sandbox).get('/me/accounts', sandbox.user.token, {
      fields: 'id',
      limit: '100',
    });
    expect(new URL(first.body.paging.next).pathname).toBe(`/v26.0/${sandbox.user.id}/accounts`);
    const pages = await walk(sandbox, first);
    expect(sizes(pages)).toEqual([100, 100, 5]);
    expect(idsOf(pages)).toEqual(sandbox.pages.map(({ id }) => id));
  });

  test.each(['101', '0', '-1', 'many'])('refuses limit=%s', async (limit) => {
    const sandbox = still();
    const reply = await caller(sandbox).get('/me/accounts', sandbox.user.token, { limit });
    expect(refusal(reply)).toEqual([400, 100, undefined]);
  });

  test('refuses a cursor that is none', async () => {
    const sandbox = still();
    const reply = await caller(sandbox).get('/me/accounts', sandbox.user.token, { after: 'xyz!' });
    expect(refusal(reply)).toEqual([400, 100, undefined]);
  });

  test('can have empty and short pages that still have next', async () => {
    const sandbox = still({ comments: 9 });
    sandbox.tune({ lists: { sparse: true } });
    const { token, postIds, commentIds } = pageOf(sandbox);
    const params = { limit: '4', order: 'reverse_chronological' };
    const pages = await walk(sandbox, await caller(sandbox).get(`/${postIds[0]}/comments`, token, params));
    expect(sizes(pages)).toEqual([4, 0, 2, 3]);
    expect(idsOf(pages)).toEqual(commentIds);
  });
});

describe('a list by time', () => {
  test('is walked by until and __paging_token, without cursors', async () => {
    const sandbox = still({ posts: 7 });
    const { id, token, postIds } = pageOf(sandbox);
    const first = await caller(sandbox).get(`/${id}/published_posts`, token, { limit: '3' });
    expect(first.body.paging).not.toHaveProperty('cursors');
    const next = new URL(first.body.paging.next);
    expect([...next.searchParams.keys()]).toEqual(['limit', 'access_token', 'until', '__paging_token']);
    const pages = await walk(sandbox, first);
    expect(sizes(pages)).toEqual([3, 3, 1]);
    expect(idsOf(pages)).toEqual(postIds);
  });

  test('keeps to since and until', async () => {
    const sandbox = still();
    const { id, token, postIds } = pageOf(sandbox);
    const { get } = caller(sandbox);
    const at = (index: number): string => String(start / 1000 - (index * 24 + 2) * 3600);
    const since = await get(`/${id}/published_posts`, token, { since: at(2) });
    expect(idsOf([since.body.data])).toEqual(postIds.slice(0, 3));
    const between = await get(`/${id}/published_posts`, token, { since: at(3), until: at(1) });
    expect(idsOf([between.body.data])).toEqual(postIds.slice(1, 4));
  });
});

test('new entries show up in lists after the lag, by id at once', async () => {
  const sandbox = still();
  sandbox.tune({ lists: { lagMs: 5000 } });
  const { id, token, postIds } = pageOf(sandbox);
  const { get, post } = caller(sandbox);
  const made = await post(`/${id}/feed`, token, { message: 'new' });
  expect((await get(`/${made.body.id}`, token)).status).toBe(200);
  sandbox.advance(4999);
  expect((await get(`/${id}/published_posts`, token)).body.data).toHaveLength(postIds.length);
  sandbox.advance(1);
  expect((await get(`/${id}/published_posts`, token)).body.data[0].id).toBe(made.body.id);
});
