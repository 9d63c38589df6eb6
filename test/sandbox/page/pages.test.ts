import { describe, expect, test } from 'vitest';

import { caller, pageOf, refusal, still, type Loose } from '../support/caller.ts';

const linked = still().platform.words.linkedAccount;

describe('a user', () => {
  test('gives the fields asked for, with the picture edge', async () => {
    const sandbox = still();
    const fields = 'id,name,email,picture.type(large)';
    const { body } = await caller(sandbox).get('/me', sandbox.user.token, { fields });
    expect(body).toEqual({
      id: sandbox.user.id,
      name: 'Ada Keller',
      email: 'ada@sandbox.test',
      picture: {
        data: { height: 200, width: 200, is_silhouette: false, url: expect.stringMatching(/^https:/) },
      },
    });
  });

  test('without the email permission has none', async () => {
    const sandbox = still();
    const token = sandbox.issueToken({ scopes: ['public_profile'] });
    const { body } = await caller(sandbox).get('/me', token, { fields: 'id,email' });
    expect(body).toEqual({ id: sandbox.user.id });
  });

  test('lists the Pages with tokens and linked accounts', async () => {
    const sandbox = still();
    const fields = `id,name,access_token,${linked}{id,username}`;
    const { body } = await caller(sandbox).get('/me/accounts', sandbox.user.token, { fields, limit: '100' });
    expect(body.data).toEqual(
      sandbox.pages.map((page) => ({
        id: page.id,
        name: page.name,
        access_token: page.token,
        ...(page.picsId === undefined ? {} : { [linked]: { id: page.picsId, username: page.picsUsername } }),
      })),
    );
    expect(sandbox.pages.map((page) => page.picsId !== undefined)).toEqual([true, false, true]);
    expect(pageOf(sandbox).picsId).toBe(sandbox.account.userId);
    expect(body.paging.next).toBeUndefined();
  });

  test('knows tasks on the edge only', async () => {
    const sandbox = still();
    const { get } = caller(sandbox);
    const edge = await get('/me/accounts', sandbox.user.token, { fields: 'tasks' });
    expect(edge.body.data[0].tasks).toContain('CREATE_CONTENT');
    const node = await get(`/${pageOf(sandbox).id}`, sandbox.user.token, { fields: 'tasks' });
    expect(refusal(node)).toEqual([400, 100, undefined]);
  });
});

describe('a search for Pages', () => {
  test('takes the token of a person with its proof, and no other', async () => {
    const sandbox = still({ requireProof: false });
    const { get } = caller(sandbox);
    const { id, name, token } = pageOf(sandbox);
    const q = name.split(' ')[0] ?? '';
    const { body } = await get('/pages/search', sandbox.user.token, { q, fields: 'id,location' });
    expect(body.data).toContainEqual({ id, location: expect.objectContaining({ city: 'Berlin' }) });
    expect(refusal(await get('/pages/search', token, { q }))).toEqual([403, 10, undefined]);
    const url = `${sandbox.platform.graphUrl}/v26.0/pages/search?q=${q}&access_token=${sandbox.user.token}`;
    expect((await sandbox.fetch(url)).status).toBe(403);
  });
});

describe('the status of a Page', () => {
  test('is as tuned', async () => {
    const sandbox = still();
    const { get } = caller(sandbox);
    const { id, token } = pageOf(sandbox);
    const ask = async (): Promise<Loose> => (await get(`/${id}/page_status`, token)).body;
    expect(await ask()).toMatchObject({ status: 'ok', violations: [], recommended_actions: [] });
    sandbox.tune({ pages: { status: 'warning' } });
    expect(await ask()).toMatchObject({ status: 'warning', violations: [{}], restrictions: [] });
    sandbox.tune({ pages: { status: 'suspended' } });
    expect((await ask()).restrictions).toHaveLength(1);
  });

  test('needs pages_manage_metadata', async () => {
    const sandbox = still();
    const token = sandbox.issueToken({ kind: 'page', scopes: ['pages_read_engagement'] });
    const reply = await caller(sandbox).get(`/${pageOf(sandbox).id}/page_status`, token);
    expect(refusal(reply)).toEqual([403, 10, undefined]);
  });
});
