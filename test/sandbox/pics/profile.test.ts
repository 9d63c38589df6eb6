import { describe, expect, test } from 'vitest';

import { refusal, still } from '../support/caller.ts';
import { as, container, day, hour, jpeg, modes } from './support.ts';

describe('the profile', () => {
  test('of login mode is found as me and by both ids, with user_id as a bare number', async () => {
    const sandbox = still();
    const { account } = sandbox;
    const { get } = as('login', sandbox);
    const fields = 'user_id,username,account_type,media_count,followers_count';
    for (const path of ['/me', `/${account.id}`, `/${account.userId}`]) {
      const { status, text, body } = await get(path, { fields });
      expect(status).toBe(200);
      expect(text).toContain(`"user_id":${account.userId}`);
      expect(body).toMatchObject({
        id: account.id,
        username: account.username,
        account_type: 'BUSINESS',
        media_count: 5,
        followers_count: 1280,
      });
    }
    expect(account.userId).toMatch(/^1784\d{13}$/);
    expect(Number.isSafeInteger(Number(account.userId))).toBe(false);
  });

  test('comes inside a list when tuned so', async () => {
    const sandbox = still();
    sandbox.tune({ pics: { wrapped: true } });
    const { body } = await as('login', sandbox).get('/me', { fields: 'username' });
    expect(body).toEqual({ data: [{ username: sandbox.account.username, id: sandbox.account.id }] });
  });

  test('of page mode knows neither account_type nor user_id', async () => {
    const sandbox = still();
    const { get, account } = as('page', sandbox);
    const found = await get(account, { fields: 'username,followers_count' });
    expect(found.body).toEqual({
      username: sandbox.account.username,
      followers_count: 1280,
      id: sandbox.account.userId,
    });
    for (const fields of ['account_type', 'user_id', 'username,user_id']) {
      expect(refusal(await get(account, { fields }))).toEqual([400, 100, undefined]);
    }
    expect(refusal(await as('login', sandbox).get('/me', { fields: 'ig_id' }))).toEqual([
      400,
      100,
      undefined,
    ]);
  });

  test('wants the permission of its mode, and the right host', async () => {
    const sandbox = still();
    const { picsScopePrefix } = sandbox.platform.words;
    const login = sandbox.issueToken({ kind: 'pics', scopes: [`${picsScopePrefix}basic`] });
    expect(refusal(await as('login', sandbox, login).get('/me'))).toEqual([403, 10, undefined]);
    const page = sandbox.issueToken({ kind: 'page', scopes: [`${picsScopePrefix}business_basic`] });
    const { get, account } = as('page', sandbox, page);
    expect(refusal(await get(account))).toEqual([403, 10, undefined]);
    const crossed = await as('page', sandbox, sandbox.account.token).get(account);
    expect(refusal(crossed)).toEqual([400, 190, undefined]);
  });

  test('of another account is out of reach', async () => {
    const sandbox = still();
    const other = sandbox.pages[2]?.picsId ?? '';
    for (const mode of modes) {
      expect(refusal(await as(mode, sandbox).get(`/${other}`))).toEqual([400, 100, 33]);
    }
  });
});

describe('the publishing limit', () => {
  test.each(modes)('counts what was published in the last 24 hours (%s)', async (name) => {
    const sandbox = still();
    const mode = as(name, sandbox);
    const path = `${mode.account}/content_publishing_limit`;
    expect((await mode.get(path)).body).toEqual({ data: [{ quota_usage: 0 }] });
    await mode.post(`${mode.account}/media_publish`, {
      creation_id: await container(mode, { image_url: jpeg }),
    });
    const fields = 'quota_usage,config';
    const full = { quota_usage: 1, config: { quota_total: 100, quota_duration: 86_400 } };
    expect((await mode.get(path, { fields })).body).toEqual({ data: [full] });
    sandbox.advance(hour);
    const recent = String(sandbox.now() / 1000 - 60);
    expect((await mode.get(path, { since: recent })).body).toEqual({ data: [{ quota_usage: 0 }] });
    sandbox.advance(day - hour);
    expect((await mode.get(path)).body).toEqual({ data: [{ quota_usage: 0 }] });
    const old = String(sandbox.now() / 1000 - 90_000);
    expect(refusal(await mode.get(path, { since: old }))).toEqual([400, 100, undefined]);
    expect(refusal(await mode.get(path, { fields: 'rate_limit_settings' }))).toEqual([400, 100, undefined]);
  });
});
