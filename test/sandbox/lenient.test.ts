import { describe, expect, test } from 'vitest';

import { createSandbox } from '../../src/sandbox/index.ts';
import { caller, pageOf, proofOf, read, refusal, still } from './support/caller.ts';

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

    const list = await caller(sandbox).get(`/${page.id}/feed`, page.token, { date_format: 'U' });

    expect(refusal(list)).toEqual([400, 100, undefined]);
  });

  test.each(['pretty', 'debug'])('is ignored where it has only lost its use: %s', async (name) => {
    const page = pageOf(lenient());
    const ask = (sandbox: ReturnType<typeof still>) =>
      caller(sandbox).get(`/${page.id}/feed`, pageOf(sandbox).token, { [name]: '1' });

    expect((await ask(lenient())).status).toBe(200);
    expect(refusal(await ask(still()))).toEqual([400, 100, undefined]);
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

describe('a summary', () => {
  async function liked() {
    const sandbox = lenient();
    const page = pageOf(sandbox);
    const [post = ''] = page.postIds;
    const { get, post: send } = caller(sandbox);
    await send(`/${post}/likes`, page.token);
    return { page, post, get, read: (fields: string) => get(`/${post}`, page.token, { fields }) };
  }

  test('of a nested edge comes without its entries', async () => {
    const { read } = await liked();

    const { body } = await read(
      'comments.limit(0).summary(true),likes.limit(0).summary(true),reactions.summary(total_count).limit(0)',
    );

    expect(body.comments).toEqual({
      data: [],
      summary: { order: 'chronological', total_count: 5, can_comment: true },
    });
    expect(body.likes).toEqual({ data: [], summary: { total_count: 1, can_like: true, has_liked: true } });
    expect(body.reactions).toEqual({ data: [], summary: { total_count: 1 } });
  });

  test('may stand in a response several times, under other names', async () => {
    const { read } = await liked();
    const of = (type: string) =>
      `reactions.type(${type}).limit(0).summary(total_count).as(${type.toLowerCase()})`;

    const { body } = await read(`${of('LIKE')},${of('LOVE')}`);

    expect(body.like.summary).toEqual({ total_count: 1 });
    expect(body.love.summary).toEqual({ total_count: 0 });
  });

  test('comes with a list that asks for it, with or without its entries', async () => {
    const { page, post, get } = await liked();
    const ask = (edge: string, limit: string) =>
      get(`/${post}/${edge}`, page.token, { summary: 'true', limit });

    expect((await ask('comments', '2')).body).toMatchObject({
      data: [expect.anything(), expect.anything()],
      summary: { total_count: 5 },
    });
    expect((await ask('likes', '0')).body).toEqual({
      data: [],
      summary: { total_count: 1, can_like: true, has_liked: true },
    });
    expect((await get(`/${post}/comments`, page.token)).body.summary).toBeUndefined();
  });
});

test('metrics may be asked for as a field', async () => {
  const sandbox = lenient();
  const page = pageOf(sandbox);
  const { get } = caller(sandbox);
  const [post = ''] = page.postIds;
  const [media = ''] = sandbox.account.mediaIds;
  const read = async (id: string, fields: string) =>
    (await get(`/${id}`, page.token, { fields })).body.insights;

  expect(
    (await read(post, 'insights.metric(post_clicks,post_media_view).period(lifetime)')).data,
  ).toMatchObject([{ name: 'post_clicks', values: [{ value: 7 }] }, { name: 'post_media_view' }]);
  expect((await read(page.id, 'insights.metric(page_follows).period(day)')).data).toMatchObject([
    { name: 'page_follows', period: 'day' },
  ]);
  expect((await read(media, 'insights.metric(reach)')).data).toMatchObject([{ name: 'reach' }]);
  const account = await read(
    page.picsId ?? '',
    'insights.metric(reach).period(day).metric_type(total_value)',
  );
  expect(account.data).toMatchObject([{ name: 'reach', total_value: {} }]);

  const poor = sandbox.issueToken({ kind: 'page', scopes: ['pages_read_engagement'] });
  expect(refusal(await get(`/${page.id}`, poor, { fields: 'insights.metric(page_follows)' }))).toEqual([
    403,
    10,
    undefined,
  ]);
});

test('a person’s permissions can be read, all or one, and one be given back by its address', async () => {
  const sandbox = lenient();
  const { get, del } = caller(sandbox);
  const token = sandbox.issueToken({ scopes: ['public_profile', 'email'] });
  const granted = (permission: string) => ({ permission, status: 'granted' });

  expect((await get('/me/permissions', token)).body.data).toEqual([
    granted('public_profile'),
    granted('email'),
  ]);
  expect((await get('/me/permissions', token, { permission: 'email' })).body.data).toEqual([
    granted('email'),
  ]);
  expect((await get('/me/permissions', token, { status: 'declined' })).body.data).toEqual([]);
  expect((await get('/me', token, { fields: 'permissions' })).body.permissions.data).toHaveLength(2);
  expect((await del('/me/permissions/email', token)).body).toEqual({ success: true });
  expect((await get('/me/permissions', token)).body.data).toEqual([granted('public_profile')]);
  expect(refusal(await get('/me/permissions', pageOf(sandbox).token))).toEqual([400, 100, undefined]);
});

test('a write that names fields gives those of what it made', async () => {
  const sandbox = lenient();
  const page = pageOf(sandbox);
  const { post } = caller(sandbox);

  const made = await post(`/${page.id}/feed`, page.token, { message: 'x', fields: 'message,is_published' });
  const odd = await post(`/${page.id}/feed`, page.token, { message: 'y', fields: 'colour' });

  expect(made.body).toEqual({ id: expect.any(String), message: 'x', is_published: true });
  expect([odd.status, Object.keys(odd.body)]).toEqual([200, ['id']]);
  expect(sandbox.effects('post')).toHaveLength(2);
});

test('a post that nobody shared has no shares', async () => {
  const sandbox = lenient();
  const page = pageOf(sandbox);
  const { get, post } = caller(sandbox);
  const { body } = await post(`/${page.id}/feed`, page.token, { message: 'x' });

  expect((await get(`/${body.id}`, page.token, { fields: 'shares' })).body).toEqual({ id: body.id });
});

test('a picture is redirected to, or described', async () => {
  const sandbox = lenient();
  const page = pageOf(sandbox);
  const { get } = caller(sandbox);
  for (const [path, token] of [
    [`/${page.id}/picture`, page.token],
    ['/me/picture', sandbox.user.token],
  ] as const) {
    const led = await get(path, token, { type: 'large' });
    const told = await get(path, token, { redirect: '0', width: '120' });

    expect([led.status, led.headers.get('location')]).toEqual([
      302,
      expect.stringMatching(/^https:.*200\.jpg$/),
    ]);
    expect(told.body.data).toEqual({
      height: 120,
      is_silhouette: false,
      url: expect.stringMatching(/^https:/),
      width: 120,
    });
  }
});

test('the photos of a Page are those that it uploaded and published', async () => {
  const sandbox = lenient();
  const page = pageOf(sandbox);
  const { get, post } = caller(sandbox);
  const upload = async (published: string) =>
    (await post(`/${page.id}/photos`, page.token, { url: 'https://cdn.test/a.jpg', published })).body.id;
  const shown = await upload('true');
  await upload('false');

  const { body } = await get(`/${page.id}/photos`, page.token, { type: 'uploaded', fields: 'id' });

  expect(body.data).toEqual([{ id: shown }]);
  expect((await get(`/${page.id}/photos`, page.token)).body.data).toEqual([]);
});

describe('business discovery', () => {
  const discover = async (fields: string) => {
    const sandbox = lenient();
    const page = pageOf(sandbox);
    return caller(sandbox).get(`/${page.picsId}`, page.token, { fields: `business_discovery.${fields}` });
  };

  test('finds an account by its name, with its media page by page', async () => {
    const first = await discover(
      'username(harbour){username,media_count,media.limit(2){caption,like_count}}',
    );
    const { username, media_count, media } = first.body.business_discovery;

    expect([username, media_count, media.data.length]).toEqual(['harbour', 5, 2]);
    expect(Object.keys(media.paging)).toEqual(['cursors']);

    const { after } = media.paging.cursors;
    const second = await discover(`username(harbour){media.limit(2).after(${after}){id,view_count}}`);
    expect(second.body.business_discovery.media.data).toMatchObject([{ view_count: expect.any(Number) }, {}]);
  });

  test('refuses a name that is none, and one of a person alike', async () => {
    expect(refusal(await discover('username(nobody){id}'))).toEqual([400, 110, 2_207_013]);
  });
});

describe('a version from before v26', () => {
  test('takes what later ones have retired', async () => {
    const sandbox = lenient();
    const page = pageOf(sandbox);
    const [one = '', two = ''] = page.postIds;
    const query = { access_token: page.token, appsecret_proof: proofOf(sandbox.app.secret, page.token) };
    const ask = (version: string, path: string, more: Readonly<Record<string, string>>) =>
      call(sandbox, 'GET', `/${version}${path}`, { ...query, ...more });

    expect((await ask('v25.0', `/${one}`, { fields: 'id', pretty: '0' })).body).toEqual({ id: one });
    expect((await ask('v25.0', '/', { ids: `${one},${two}`, fields: 'id' })).body).toEqual({
      [one]: { id: one },
      [two]: { id: two },
    });
    expect(refusal(await ask('v26.0', '/', { ids: one }))).toEqual([400, 100, undefined]);
  });
});

describe('all versions', () => {
  /** Reads with the token of the first Page, from a version on. */
  function reader(sandbox: ReturnType<typeof still>) {
    const page = pageOf(sandbox);
    const { graphUrl } = sandbox.platform;
    const query = { access_token: page.token, appsecret_proof: proofOf(sandbox.app.secret, page.token) };
    const ask = async (version: string, path: string, more: Readonly<Record<string, string>> = {}) =>
      read(
        await sandbox.fetch(`${graphUrl}/${version}${path}?${new URLSearchParams({ ...query, ...more })}`),
      );
    const send = async (version: string, path: string, more: Readonly<Record<string, string>>) => {
      const body = new URLSearchParams({ ...query, ...more });
      return read(await sandbox.fetch(`${graphUrl}/${version}${path}`, { method: 'POST', body }));
    };
    return { page, ask, send };
  }

  test('refuse from 2026-10-27 on what v26 refuses', async () => {
    const sandbox = lenient();
    const { page, ask } = reader(sandbox);
    const [one = ''] = page.postIds;
    expect((await ask('v21.0', '/', { ids: one, fields: 'id' })).status).toBe(200);

    sandbox.advance(Date.UTC(2026, 9, 27) - sandbox.now());

    for (const version of ['v21.0', 'v26.0', 'v27.0']) {
      expect(refusal(await ask(version, '/', { ids: one }))).toEqual([400, 100, undefined]);
      expect(refusal(await ask(version, `/${one}`, { date_format: 'U' }))).toEqual([400, 100, undefined]);
      expect((await ask(version, `/${one}`, { pretty: '0', fields: 'id' })).body).toEqual({ id: one });
    }
  });

  test('are closed to the habits of older apps for one that was created since', async () => {
    const sandbox = still({ strict: false, appCreatedAt: new Date('2026-11-04T00:00:00Z') });
    const { page, ask, send } = reader(sandbox);
    const [one = ''] = page.postIds;
    const batch = JSON.stringify([{ method: 'GET', relative_url: one }]);

    for (const version of ['v21.0', 'v26.0', 'v27.0']) {
      const refused = [
        await ask(version, '/', { ids: one }),
        await ask(version, `/${one}`, { date_format: 'U' }),
        await send(version, `/${one}`, { method: 'delete' }),
        await send(version, `/${one}`, { method: 'get' }),
        await ask(version, `/${one}`, { fields: 'id,message.as(text)' }),
        await ask(version, `/${one}`, { callback: 'show' }),
        await send(version, '/', { batch, is_async: 'true' }),
      ];
      expect(refused.map(refusal)).toEqual(Array(7).fill([400, 100, undefined]));
      expect((await send(version, '/', { batch })).body).toMatchObject([{ code: 200 }]);
    }
    expect(sandbox.effects('delete')).toEqual([]);
  });

  test('take them from an app of the day before', async () => {
    const sandbox = still({ strict: false, appCreatedAt: Date.UTC(2026, 10, 4) - 1 });
    const { page, ask, send } = reader(sandbox);
    const [one = ''] = page.postIds;

    expect((await ask('v27.0', `/${one}`, { fields: 'created_time.as(since)' })).body).toHaveProperty(
      'since',
    );
    expect((await send('v27.0', `/${one}`, { method: 'delete' })).body).toEqual({ success: true });
  });

  test('of a batch are that of its address, unless a part names another', async () => {
    const { send } = reader(lenient());
    const batch = JSON.stringify(['me', 'v25.0/me'].map((relative_url) => ({ method: 'GET', relative_url })));

    const { body } = await send('v27.0', '/', { batch, include_headers: 'true' });

    const versionOf = ({ headers }: { readonly headers: readonly { name: string; value: string }[] }) =>
      headers.find(({ name }) => name.toLowerCase() === 'facebook-api-version')?.value;
    expect(body.map(versionOf)).toEqual(['v27.0', 'v25.0']);
  });

  test('that end soon warn in a header', async () => {
    const { ask } = reader(lenient());
    const warned = async (version: string) =>
      (await ask(version, '/me')).headers.get('x-ad-api-version-warning') !== null;

    expect(await Promise.all(['v22.0', 'v23.0', 'v24.0', 'v27.0'].map(warned))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});

describe('what the sandbox lacks and the platform has', () => {
  test('is refused with its own message', async () => {
    const sandbox = lenient();
    const page = pageOf(sandbox);
    const { get } = caller(sandbox);

    const lacking = await get(`/${page.id}/albums`, page.token);
    const none = await get(`/${page.id}/colours`, page.token);

    expect(lacking.body.error).toMatchObject({
      type: 'SandboxException',
      message: expect.stringContaining('The pagepics sandbox does not emulate GET /{page}/albums.'),
    });
    expect(refusal(none)).toEqual([400, 2500, undefined]);
    expect(none.body.error.message).toContain('does not emulate GET /{page}/colours.');
  });

  test('is refused by its name if it is a field', async () => {
    const sandbox = lenient();
    const page = pageOf(sandbox);

    const reply = await caller(sandbox).get(`/${page.id}`, page.token, { fields: 'name,awards' });

    expect(refusal(reply)).toEqual([400, 100, undefined]);
    expect(reply.body.error.message).toBe(
      '(#100) Tried accessing nonexisting field (awards) on node type (Page). The pagepics sandbox does not emulate it; ' +
        'the live platform may have it.',
    );
  });
});
