import type { ResultAsync } from 'neverthrow';
import { describe, expect, test, vi } from 'vitest';

import { withoutField } from '../../../src/core/http/fields.ts';
import type { FieldEvent } from '../../../src/core/http/hooks.ts';
import { get } from '../../../src/core/lowLevel/request.ts';
import * as page from '../../../src/page/index.ts';
import * as pics from '../../../src/pics/index.ts';
import { graphBase, pageContext, picsContext, token } from '../../support/context.ts';
import { json, refusal, requestsTo, type Step, stubFetch } from '../stub.ts';

/** A call that is made with this `fetch`. */
type Called = (fetch: typeof globalThis.fetch) => ResultAsync<unknown, Error>;

const own = { pageId: '42', pageToken: token };

function unknown(field: string) {
  return refusal(100, { message: `(#100) Tried accessing nonexisting field (${field}) on node type (X)` });
}

function fieldsOf(fetch: ReturnType<typeof stubFetch>): readonly (readonly string[])[] {
  return requestsTo(fetch).map(({ url }) => (new URL(url).searchParams.get('fields') ?? '').split(','));
}

describe('a field of its own that the platform does not know', () => {
  const one = json({ data: [{ id: '1_2', name: 'x' }] });

  test.each([
    ['posts', 'story', (fetch) => page.posts(pageContext({ fetch }), own), one],
    ['feed', 'story', (fetch) => page.feed(pageContext({ fetch }), own), one],
    ['pages', 'tasks', (fetch) => page.pages(pageContext({ fetch }), { token }), one],
    ['leadForms', 'leads_count', (fetch) => page.leadForms(pageContext({ fetch }), own), one],
    ['reels', 'title', (fetch) => page.reels(pageContext({ fetch }), own), one],
    ['conversations', 'unread_count', (fetch) => page.conversations(pageContext({ fetch }), own), one],
    [
      'conversations, of the last message',
      'to',
      (fetch) => page.conversations(pageContext({ fetch }), own),
      one,
    ],
    ['pageProfile', 'about', (fetch) => page.pageProfile(pageContext({ fetch }), own), json({ id: '42' })],
    ['profile', 'biography', (fetch) => pics.profile(picsContext({ fetch }), { token }), json({ id: '7' })],
  ] as const satisfies readonly (readonly [string, string, Called, Step])[])(
    'is left out by %s: %s',
    async (_, field, call, well) => {
      const fetch = stubFetch(unknown(field), well);

      expect((await call(fetch)).isOk()).toBe(true);

      const [first, second, ...more] = fieldsOf(fetch);
      expect(first).toContain(field);
      expect(second).toEqual(first?.filter((name) => name !== field));
      expect(more).toEqual([]);
    },
  );

  test('is told by a hook, once per call, and not asked for on later pages', async () => {
    const onFieldRefused = vi.fn<(event: FieldEvent) => void>();
    const next = `${graphBase}/42/published_posts?after=a&limit=1`;
    const entries = { data: [{ id: '1' }], paging: { next } };
    const tooMuch = refusal(1, { status: 500, message: 'Please reduce the amount of data' });
    const fetch = stubFetch(unknown('story'), tooMuch, json(entries), json({ data: [{ id: '2' }] }));

    const posts = await page.posts(pageContext({ fetch, onFieldRefused }), { ...own, limit: 4 });

    expect(posts._unsafeUnwrap().map(({ id }) => id)).toEqual(['1', '2']);
    const [first, ...rest] = fieldsOf(fetch);
    expect(first).toContain('story');
    for (const fields of rest) expect(fields).toEqual(first?.filter((name) => name !== 'story'));
    expect(rest).toHaveLength(3);
    expect(onFieldRefused.mock.calls).toEqual([
      [
        {
          operation: 'posts',
          callId: expect.any(String),
          method: 'GET',
          path: expect.stringContaining('/42/'),
          field: 'story',
          error: expect.objectContaining({ code: 100 }),
        },
      ],
    ]);
  });

  test.each([
    ['Unknown fields: story.', 100],
    ['(#12) story field is deprecated for versions v27.0 and higher', 12],
  ])('is told in other words: %s', async (message, code) => {
    const fetch = stubFetch(refusal(code, { message }), json({ data: [] }));
    expect((await page.posts(pageContext({ fetch }), own)).isOk()).toBe(true);
    expect(fieldsOf(fetch)[1]).not.toContain('story');
  });

  test('is left out once: an object of another kind lacks more, and stays a failure', async () => {
    const fetch = stubFetch(unknown('story'), unknown('message'));
    const failed = await page.posts(pageContext({ fetch }), own);
    expect(failed._unsafeUnwrapErr()).toMatchObject({ category: 'validation' });
    expect(fetch).toHaveBeenCalledTimes(2);
  });

  test.each([
    ['of the caller', (fetch) => page.posts(pageContext({ fetch }), { ...own, fields: ['story', 'id'] })],
    [
      'of a low-level call',
      (fetch) => get(pageContext({ fetch }), '42', { token, params: { fields: 'id,story' } }),
    ],
    ['that nobody asked for', (fetch) => page.leadForms(pageContext({ fetch }), own)],
  ] as const satisfies readonly (readonly [string, Called])[])('%s fails the call', async (_, call) => {
    const fetch = stubFetch(unknown('story'), json({ data: [] }));
    expect((await call(fetch)).isErr()).toBe(true);
    expect(fetch).toHaveBeenCalledTimes(1);
  });

  test('fails `me`, whose refusal tells whose token it is', async () => {
    const fetch = stubFetch(unknown('email'));
    expect((await page.me(pageContext({ fetch }), { token })).isErr()).toBe(true);
    expect(fetch).toHaveBeenCalledTimes(1);
  });
});

test.each([
  ['id,a,b', 'a', 'id,b'],
  ['id,a{id,b},c', 'b', 'id,a{id},c'],
  ['id,a{b},c', 'b', 'id,a,c'],
  ['id,a{b{c,d}}', 'd', 'id,a{b{c}}'],
  ['id,a.limit(2){b}', 'a', undefined],
  ['id,a.limit(2){b},b', 'b', 'id,a.limit(2)'],
  ['id,a.limit(2){b,c},b', 'b', 'id,a.limit(2){c}'],
  ['a.order(b).limit(2){c{b},d}', 'b', 'a.order(b).limit(2){c,d}'],
  ['id,a', 'a', undefined],
  ['id,a', 'id', 'a'],
  ['id,ab', 'a', undefined],
  ['', 'a', undefined],
])('%s without %s is %s', (fields, name, expected) => {
  expect(withoutField(fields, name)).toBe(expected);
});
