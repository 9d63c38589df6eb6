import { describe, expect, test } from 'vitest';

import { caller, pageOf, refusal, still } from '../support/caller.ts';

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
