import { describe, expect, test } from 'vitest';

import { refusal, still } from '../support/caller.ts';
import { as } from './support.ts';

describe('the webhook subscription', () => {
  test('is kept, replaced and taken back in login mode', async () => {
    const sandbox = still();
    const { get, post, del } = as('login', sandbox);
    const path = '/me/subscribed_apps';
    expect((await get(path)).body).toEqual({ data: [] });
    expect((await post(path, { subscribed_fields: 'comments,messages' })).body).toEqual({ success: true });
    expect((await get(path)).body).toEqual({
      data: [{ app_id: sandbox.picsApp.id, subscribed_fields: ['comments', 'messages'] }],
    });
    expect(refusal(await post(path, { subscribed_fields: 'comments,leadgen' }))).toEqual([
      400,
      100,
      undefined,
    ]);
    expect(refusal(await post(path))).toEqual([400, 100, undefined]);
    await del(path);
    expect((await get(path)).body).toEqual({ data: [] });
    const effects = [...sandbox.effects('subscribe'), ...sandbox.effects('unsubscribe')];
    expect(effects.map(({ parentId, content }) => [parentId, content])).toEqual([
      [sandbox.account.userId, { fields: ['comments', 'messages'] }],
      [sandbox.account.userId, {}],
    ]);
  });

  test('does not exist in page mode', async () => {
    const sandbox = still();
    const mode = as('page', sandbox);
    const path = `${mode.account}/subscribed_apps`;
    expect(refusal(await mode.post(path, { subscribed_fields: 'comments' }))).toEqual([400, 100, undefined]);
    expect(sandbox.effects('subscribe')).toEqual([]);
  });
});
