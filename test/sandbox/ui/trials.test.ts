import nock from 'nock';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createPageClient } from '../../../src/index.ts';
import { createSandbox } from '../../../src/sandbox/index.ts';
import { start } from '../support/caller.ts';
import { visited, type Visitor } from './support.ts';

beforeAll(() => {
  nock.restore();
});
afterAll(() => {
  nock.activate();
});

const { app, pages, account } = createSandbox();
const [first] = pages;
if (first === undefined) throw new Error('the sandbox has Pages');
const { id: pageId, token: pageToken } = first;

/** What the page says of the fault that was chosen. */
async function said(at: Visitor): Promise<string> {
  const { text } = await at.visit('/ui/faults');
  return (/<div class="notice">([^]*?)<\/div>/.exec(text)?.[1] ?? '')
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** One request of an app without an SDK: its response, or `undefined` without one. */
async function call(
  at: Visitor,
  path: string,
  fields?: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const query = new URLSearchParams({ ...fields, access_token: pageToken });
  const url = `${at.platform.graphUrl}/v26.0/${path}`;
  try {
    const response = await (fields === undefined
      ? fetch(`${url}?${query}`)
      : fetch(url, { method: 'POST', body: query }));
    return (await response.json()) as Readonly<Record<string, unknown>>;
  } catch {
    return undefined;
  }
}

/** What the SDK makes of a fault. */
async function published(at: Visitor, message: string): Promise<string> {
  const client = createPageClient({ appId: app.id, appSecret: app.secret, platform: at.platform });
  const { id } = await client.publishPost({ pageId, pageToken, message });
  await client.close();
  return id;
}

test('the page offers four faults, and the start page leads to it', async () => {
  await using at = await visited();
  expect((await at.visit('/')).text).toContain('href="/ui/faults"');
  const { status, text } = await at.visit('/ui/faults');
  expect(status).toBe(200);
  expect([...text.matchAll(/name="fault" value="(\w+)"/g)].map(([, name]) => name)).toEqual([
    'lost',
    'late',
    'unreadable',
    'throttled',
  ]);
  expect(text).not.toContain('class="notice"');
});

describe('an app that sends again', () => {
  test.each(['lost', 'late'])('publishes twice when a response is lost: %s', async (fault) => {
    await using at = await visited();
    expect(await at.submit('/ui/begin', { fault })).toMatchObject({ status: 303, location: '/ui/faults' });
    expect(await said(at)).toBe('No request has met it yet.');
    const fields = { message: 'Open until nine.' };

    expect(await call(at, `${pageId}/feed`, fields)).toBeUndefined();
    expect(await call(at, `${pageId}/feed`, fields)).toHaveProperty('id');

    expect(await said(at)).toBe('Published 2 times: “Open until nine.”');
    const { text } = await at.visit('/ui/faults');
    expect(text.match(/<span class="badge">fault<\/span>/g)).toHaveLength(1);
    expect(text).not.toContain(`access_token=${pageToken}</span>`);
  });

  test('publishes twice when it takes what cannot be read for what is not there', async () => {
    await using at = await visited();
    await at.submit('/ui/begin', { fault: 'unreadable' });
    const { id } = (await call(at, `${pageId}/feed`, { message: 'Soup' })) ?? {};
    expect(await said(at)).toBe('No request has met it yet. Published once: “Soup”');

    const refused = { error: expect.objectContaining({ code: 100, error_subcode: 33 }) as unknown };
    expect(await call(at, String(id))).toMatchObject(refused);
    expect(await call(at, account.mediaIds[0] ?? '')).toMatchObject(refused);
    expect(await call(at, pageId)).toMatchObject({ id: pageId });
    expect(await said(at)).toContain('would have published it twice.');

    await call(at, `${pageId}/feed`, { message: 'Soup' });
    expect(await said(at)).toBe('Published 2 times: “Soup”');
  });

  test('is let through once it was throttled; one that gives up publishes nothing', async () => {
    await using at = await visited();
    await at.submit('/ui/begin', { fault: 'throttled' });

    expect(await call(at, `${pageId}/feed`, { message: 'Soup' })).toMatchObject({ error: { code: 32 } });
    expect(await said(at)).toBe('Nothing was published so far.');
    await call(at, `${pageId}/feed`, { message: 'Soup' });

    expect(await said(at)).toBe('Published once: “Soup” An app that gives up would not have published it.');
  });
});

test.each(['lost', 'late', 'throttled'])('the SDK publishes once: %s', { tags: 'long' }, async (fault) => {
  await using at = await visited({ now: Date.now });
  await at.submit('/ui/begin', { fault });

  const id = await published(at, 'Open until nine.');

  expect(await said(at)).toMatch(/^Published once: “Open until nine\.” An app that .+\.$/);
  expect((await at.visit('/')).text).toContain(id);
});

test('equal texts on other Pages, and other texts, are no double posts', async () => {
  await using at = await visited();
  await at.submit('/ui/begin', { fault: 'throttled' });
  await call(at, `${pageId}/feed`, { message: 'One' });
  await call(at, `${pageId}/feed`, { message: 'One' });
  await call(at, `${pageId}/feed`, { message: 'Two' });
  const { id, token } = pages[1] ?? first;
  await call(at, `${id}/feed`, { message: 'One', access_token: token });

  expect(await said(at)).not.toContain('times');
});

test('what a fault changed ends with it, or with the next one', async () => {
  let now = start;
  await using at = await visited({ now: () => now });
  const newest = async () => {
    const { data } = (await call(at, `${pageId}/published_posts`)) as {
      readonly data: readonly { readonly message?: string }[];
    };
    return data[0]?.message;
  };
  await at.submit('/ui/begin', { fault: 'late' });
  await call(at, `${pageId}/feed`, { message: 'Late' });
  expect(await newest()).not.toBe('Late');
  now += 3001;
  expect(await newest()).toBe('Late');

  await at.submit('/ui/begin', { fault: 'lost' });
  now += 1;
  await at.submit('/ui/end', {});
  now += 1;
  expect(await call(at, `${pageId}/feed`, { message: 'Now' })).toHaveProperty('id');
  expect(await newest()).toBe('Now');
  expect(await said(at)).toBe('');
});

test('an unknown fault is refused, and so are forms of other pages', async () => {
  await using at = await visited();
  const unknown = await at.submit('/ui/begin', { fault: 'constructor' });
  expect([unknown.status, unknown.text]).toEqual([
    400,
    expect.stringContaining('There is no such fault: lost, late, unreadable, throttled'),
  ]);
  const foreign = await at.submit('/ui/begin', { fault: 'lost' }, { origin: 'https://evil.example' });
  expect([foreign.status, (await at.visit('/ui/begin')).status]).toEqual([403, 405]);
  expect(await said(at)).toBe('');
});

test('what nobody sees is not published, and a private reply is once', async () => {
  await using at = await visited();
  await at.submit('/ui/begin', { fault: 'lost' });
  await call(at, `${pageId}/photos`, { url: 'https://example.com/a.jpg', published: 'false' });
  await call(at, `${pageId}/photos`, { url: 'https://example.com/b.jpg', published: 'false' });
  expect(await said(at)).toBe('Nothing was published so far.');

  const message = JSON.stringify({ text: 'Hello' });
  const recipient = JSON.stringify({ comment_id: first.commentIds[0] });
  await call(at, `${pageId}/messages`, { recipient, message });
  expect(await said(at)).toMatch(/^Published once: “Hello” [^“]*$/);
});
