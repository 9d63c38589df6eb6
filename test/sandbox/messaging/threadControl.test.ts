import { describe, expect, test } from 'vitest';

import { caller, pageOf, refusal, still } from '../support/caller.ts';

const inboxOfPage = '263902037430900';

function setting() {
  const sandbox = still();
  const page = pageOf(sandbox);
  const { get, post } = caller(sandbox);
  const id = page.contacts.find(({ inWindow }) => inWindow)?.id ?? '';
  const recipient = JSON.stringify({ id });
  return {
    sandbox,
    page,
    id,
    owner: async () => (await get(`/${page.id}/thread_owner`, page.token, { recipient: id })).body,
    change: (how: string, more: Record<string, string> = {}) =>
      post(`/${page.id}/${how}_thread_control`, page.token, { recipient, ...more }),
    send: (to = id) =>
      post(`/${page.id}/messages`, page.token, {
        recipient: JSON.stringify({ id: to }),
        message: JSON.stringify({ text: 'Hi' }),
      }),
  };
}

describe('thread control', () => {
  test('is nobody’s until an app writes, and ends a day after the person wrote', async () => {
    const { sandbox, id, owner, send } = setting();
    expect(await owner()).toEqual({ data: [] });
    sandbox.receiveMessage({ contactId: id, text: 'Hello' });
    expect((await send()).status).toBe(200);
    const until = Math.floor(sandbox.now() / 1000) + 86_400;
    expect(await owner()).toEqual({
      data: [{ thread_owner: { app_id: expect.any(String), expiration: until } }],
    });
    sandbox.advance(86_400_001);
    expect(await owner()).toEqual({ data: [] });
  });

  test('that was passed is not named, and messages and further changes are refused', async () => {
    const { owner, change, send } = setting();
    expect((await change('pass')).body).toEqual({ success: true });
    expect(await owner()).toEqual({ data: [{ thread_owner: { expiration: expect.any(Number) } }] });
    expect(refusal(await send())).toEqual([400, 10, 2_018_300]);
    const pass = await change('pass', { target_app_id: inboxOfPage });
    expect(refusal(pass)).toEqual([400, 100, undefined]);
    expect(pass.body.error.message).toContain('not the thread owner');
    const release = await change('release');
    expect(release.body.error.message).toBe('(#100) Only the current thread owner can release');
  });

  test('can be requested without routing, which grants nothing, and taken with it', async () => {
    const { sandbox, change, send } = setting();
    await change('pass');
    expect((await change('request')).body).toEqual({ success: true });
    expect(refusal(await send())).toEqual([400, 10, 2_018_300]);
    expect(refusal(await change('take'))).toEqual([400, 27, undefined]);
    sandbox.tune({ threads: { routing: true } });
    expect(refusal(await change('request'))).toEqual([400, 100, undefined]);
    expect((await change('take')).body).toEqual({ success: true });
    expect((await send()).status).toBe(200);
    expect((await change('release')).body).toEqual({ success: true });
    expect(sandbox.effects('thread_control').map(({ content }) => content)).toEqual([
      { change: 'pass', targetAppId: inboxOfPage },
      { change: 'request' },
      { change: 'take' },
      { change: 'release' },
    ]);
  });

  test('of an account’s conversation refuses its messages by 100/2534037', async () => {
    const { sandbox, page, change, send } = setting();
    const [customer] = sandbox.account.contacts;
    const recipient = JSON.stringify({ id: customer?.id });
    expect(page.picsId).toBe(sandbox.account.userId);
    expect((await change('pass', { recipient })).body).toEqual({ success: true });
    expect(refusal(await send(customer?.id))).toEqual([400, 100, 2_534_037]);
  });

  test('needs a known recipient', async () => {
    const { change } = setting();
    expect(refusal(await change('pass', { recipient: '{"id":"24999"}' }))).toEqual([400, 100, 2_018_001]);
    expect(refusal(await change('pass', { recipient: '{"id":"68999"}' }))).toEqual([400, 100, 2_534_014]);
  });
});
