import { describe, expect, test } from 'vitest';

import { createSandbox } from '../../src/sandbox/index.ts';
import { caller, pageOf, read, refusal, still } from './support/caller.ts';

// Held against clients that others wrote in test/foreign.
const lenient = () => still({ strict: false });

/** Calls the graph with parameters as they come, in the query or in a form. */
async function call(
  sandbox: ReturnType<typeof still>,
  method: string,
  path: string,
  params: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
) {
  const body = new URLSearchParams(params);
  const url = `${sandbox.platform.graphUrl}${path}`;
  return read(
    method === 'POST'
      ? await sandbox.fetch(url, { method, headers, body })
      : await sandbox.fetch(`${url}?${body}`, { method, headers }),
  );
}

describe('a parameter that the platform does not know', () => {
  test('is ignored', async () => {
    const sandbox = lenient();
    const page = pageOf(sandbox);

    const made = await caller(sandbox).post(`/${page.id}/feed`, page.token, { message: 'x', id: page.id });

    expect(made.status).toBe(200);
    expect(sandbox.effects('post')).toHaveLength(1);
  });

  test('is refused by a strict sandbox', async () => {
    const sandbox = still();
    const page = pageOf(sandbox);

    const made = await caller(sandbox).post(`/${page.id}/feed`, page.token, { message: 'x', id: page.id });

    expect(refusal(made)).toEqual([400, 100, undefined]);
    expect(sandbox.effects()).toEqual([]);
  });

  test('is refused by every sandbox if the platform has retired it', async () => {
    const sandbox = lenient();
    const page = pageOf(sandbox);

    const list = await caller(sandbox).get(`/${page.id}/feed`, page.token, { pretty: '0' });

    expect(refusal(list)).toEqual([400, 100, undefined]);
  });

  test('is ignored by the login dialog, whose response_type is code by default', async () => {
    const dialog = (sandbox: ReturnType<typeof still>) =>
      sandbox.authorize(
        `${sandbox.platform.dialogUrl}/v26.0/dialog/oauth?client_id=${sandbox.app.id}&redirect_uri=https://app.example/&scope=email%20pages_show_list&code_challenge=x`,
      );

    expect((await dialog(lenient())).searchParams.get('code')).toMatch(/^AQ/);
    await expect(dialog(still())).rejects.toThrow('Unknown parameter: code_challenge');
  });
});

test('an unknown field is left out of media, and refused elsewhere', async () => {
  const sandbox = lenient();
  const page = pageOf(sandbox);
  const { get } = caller(sandbox);

  const media = await get(`/${page.picsId}/media`, page.token, { fields: 'id,from_id', limit: '1' });
  const posts = await get(`/${page.id}/feed`, page.token, { fields: 'id,from_id' });

  expect(media.body.data).toEqual([{ id: sandbox.account.mediaIds[0] }]);
  expect(refusal(posts)).toEqual([400, 100, undefined]);
});

test('a list may come as a JSON array', async () => {
  const sandbox = lenient();
  const page = pageOf(sandbox);

  const node = await caller(sandbox).get(`/${page.id}`, page.token, { fields: '["id","name"]' });

  expect(node.body).toEqual({ id: page.id, name: page.name });
});

test('a POST may carry its method as a parameter', async () => {
  const sandbox = lenient();
  const page = pageOf(sandbox);
  const [post = ''] = page.postIds;

  const gone = await caller(sandbox).post(`/${post}`, page.token, { method: 'delete' });

  expect(gone.body).toEqual({ success: true });
  expect(sandbox.effects('delete').map(({ id }) => id)).toEqual([post]);
});

describe('the token endpoint', () => {
  const app = (sandbox: ReturnType<typeof still>) => ({
    client_id: sandbox.app.id,
    client_secret: sandbox.app.secret,
  });

  test.each(['GET', 'POST'])('exchanges a code by %s, with and without the grant type', async (method) => {
    const sandbox = lenient();
    for (const grant of [{}, { grant_type: 'authorization_code' }]) {
      const back = await sandbox.authorize(
        `${sandbox.platform.dialogUrl}/v26.0/dialog/oauth?client_id=${sandbox.app.id}&redirect_uri=https://app.example/&scope=email`,
      );
      const code = back.searchParams.get('code') ?? '';
      const params = { ...app(sandbox), ...grant, code, redirect_uri: 'https://app.example/' };

      const token = await call(sandbox, method, '/oauth/access_token', params);

      expect(token.body).toMatchObject({ token_type: 'bearer', expires_in: 7200 });
    }
  });

  test('gives the app token', async () => {
    const sandbox = lenient();
    const params = { ...app(sandbox), grant_type: 'client_credentials' };

    const token = await call(sandbox, 'GET', '/v26.0/oauth/access_token', params);

    expect(token.body.access_token).toBe(`${sandbox.app.id}|${sandbox.app.secret}`);
  });

  test('takes the app’s id and secret as a header', async () => {
    const sandbox = lenient();
    const headers = { authorization: `Basic ${btoa(`${sandbox.app.id}:${sandbox.app.secret}`)}` };
    const params = { client_id: sandbox.app.id, grant_type: 'client_credentials' };

    const token = await call(sandbox, 'POST', '/oauth/access_token', params, headers);

    expect(token.status).toBe(200);
  });

  test('refuses any other grant type', async () => {
    const sandbox = lenient();

    const token = await call(sandbox, 'GET', '/oauth/access_token', { ...app(sandbox), grant_type: 'x' });

    expect(refusal(token)).toEqual([400, 100, undefined]);
  });
});

test('a token may inspect itself, and no other one', async () => {
  const sandbox = createSandbox({ requireProof: false });
  const { token } = sandbox.user;
  const inspect = (input: string) =>
    call(sandbox, 'GET', '/debug_token', { access_token: token, input_token: input });

  expect((await inspect(token)).body.data).toMatchObject({ is_valid: true, type: 'USER' });
  expect((await inspect(pageOf(sandbox).token)).status).toBe(403);
});

test('the posts of a Page go by two names', async () => {
  const sandbox = lenient();
  const page = pageOf(sandbox);
  const { get } = caller(sandbox);

  const posts = await get(`/${page.id}/posts`, page.token, { fields: 'id' });
  const published = await get(`/${page.id}/published_posts`, page.token, { fields: 'id' });

  expect(posts.body.data).toEqual(published.body.data);
  expect(posts.body.data.length).toBeGreaterThan(0);
});

test('an image container may name its type', async () => {
  const params = { media_type: 'IMAGE', image_url: 'https://example.com/a.jpg' };
  const create = (sandbox: ReturnType<typeof still>) =>
    caller(sandbox).post(`/${pageOf(sandbox).picsId}/media`, pageOf(sandbox).token, params);

  expect((await create(lenient())).status).toBe(200);
  expect((await create(still())).status).toBe(400);
});
