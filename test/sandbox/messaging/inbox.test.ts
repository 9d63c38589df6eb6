import { describe, expect, test } from 'vitest';

import { caller, pageOf, refusal, start, still, type Loose } from '../support/caller.ts';

const hour = 3_600_000;

/** A still sandbox, and calls as its first Page. */
function setting(scopes?: readonly string[]) {
  const sandbox = still();
  const page = pageOf(sandbox);
  const token = scopes === undefined ? page.token : sandbox.issueToken({ kind: 'page', scopes });
  const { get, post } = caller(sandbox);
  const read = (path: string, params?: Record<string, string>) => get(path, token, params);
  const send = (form: Readonly<Record<string, object | string>>) =>
    post(
      `/${page.id}/messages`,
      token,
      Object.fromEntries(
        Object.entries(form).map(([name, value]) => [
          name,
          typeof value === 'string' ? value : JSON.stringify(value),
        ]),
      ),
    );
  return { sandbox, page, read, send };
}

const ids = ({ body }: Loose): string[] => body.data.map((one: { id: string }) => one.id);

describe('the inbox of a Page', () => {
  test('lists its conversations by the newest message, apart from those of its account', async () => {
    const { sandbox, page, read } = setting();
    const { picsPlatform } = sandbox.platform.words;
    const path = `/${page.id}/conversations`;

    const own = await read(path, { platform: 'messenger', fields: 'updated_time,participants,unread_count' });
    expect(ids(own)).toEqual(page.conversationIds);
    expect(own.body.data[0]).toEqual({
      id: page.conversationIds[0],
      updated_time: '2026-10-05T09:00:00+0000',
      participants: {
        data: [
          { name: page.name, id: page.id },
          { name: 'Nora Vik', id: page.contacts[0]?.id },
        ],
      },
      unread_count: 0,
    });
    expect(ids(await read(path))).toEqual(page.conversationIds);
    expect(ids(await read(path, { platform: picsPlatform }))).toEqual(sandbox.account.conversationIds);
    expect(ids(await read(path, { user_id: page.contacts[2]?.id ?? '' }))).toEqual(
      page.conversationIds.slice(2),
    );
  });

  test('shows its messages and profiles, without photo-sharing fields', async () => {
    const { page, read } = setting();
    const [nora, liam] = page.contacts;
    const messages = await read(`/${nora?.conversationId}/messages`, { fields: 'message,from,to' });
    expect(messages.body.data[0]).toEqual({
      id: expect.stringMatching(/^m_/),
      message: 'Nora Vik: message 3',
      from: { name: 'Nora Vik', id: nora?.id },
      to: { data: [{ name: page.name, id: page.id }] },
    });
    const fields = 'first_name,last_name,name,profile_pic';
    expect((await read(`/${nora?.id}`, { fields })).body).toEqual({
      id: nora?.id,
      first_name: 'Nora',
      last_name: 'Vik',
      name: 'Nora Vik',
      profile_pic: 'https://cdn.sandbox.test/people/nora.jpg',
    });
    expect(refusal(await read(`/${liam?.id}`, { fields }))).toEqual([403, 230, undefined]);
    expect(refusal(await read(`/${nora?.id}`, { fields: 'username' }))).toEqual([400, 100, undefined]);
  });

  test('takes a text for 24 hours after the last message of the person', async () => {
    const { sandbox, page, send } = setting();
    const message = { text: 'hi' };
    for (const { id, inWindow } of page.contacts) {
      const sent = await send({ recipient: { id }, message });
      if (inWindow) expect(sent.body).toEqual({ recipient_id: id, message_id: expect.any(String) });
      else expect(refusal(sent)).toEqual([403, 10, 2_018_278]);
    }
    const recipient = { id: page.contacts[0]?.id };
    sandbox.advance(21 * hour + 1);
    expect(refusal(await send({ recipient, message }))).toEqual([403, 10, 2_018_278]);
    const human = { messaging_type: 'MESSAGE_TAG', tag: 'HUMAN_AGENT' };
    expect((await send({ recipient, message, ...human })).status).toBe(200);
    const dead = { messaging_type: 'MESSAGE_TAG', tag: 'ACCOUNT_UPDATE' };
    expect(refusal(await send({ recipient, message, ...dead }))).toEqual([400, 100, undefined]);
  });

  test('refuses what is wrong', async () => {
    const { sandbox, page, send } = setting();
    const recipient = { id: page.contacts[0]?.id };
    expect(refusal(await send({ recipient: { id: '24000000000000001' }, message: { text: 'hi' } }))).toEqual([
      400, 100, 2_018_001,
    ]);
    expect((await send({ recipient, message: { text: '\u{1f600}'.repeat(2000) } })).status).toBe(200);
    for (const message of [{ text: 'x'.repeat(2001) }, { text: '' }, {}]) {
      expect(refusal(await send({ recipient, message }))).toEqual([400, 100, undefined]);
    }
    expect(refusal(await send({ recipient }))).toEqual([400, 100, undefined]);
    expect(sandbox.effects('message')).toHaveLength(1);
  });

  test('takes a message to the reference of the checkbox plugin, and says how a device tells of it', async () => {
    const { sandbox, page, send } = setting();
    const more = { message: { text: 'hi' }, messaging_type: 'RESPONSE', notification_type: 'NO_PUSH' };
    const sent = await send({ recipient: { user_ref: 'box 7' }, ...more });
    await send({ recipient: { user_ref: 'box 7' }, ...more });
    await send({ recipient: { user_ref: 'box 8' }, ...more });

    expect([sent.status, sent.body]).toEqual([200, { message_id: expect.any(String) }]);
    const [first, second, third] = sandbox.effects('message').map(({ parentId }) => parentId);
    expect([first === second, first === third]).toEqual([true, false]);
    const id = page.contacts[0]?.id;
    const recipient = { id };
    expect(refusal(await send({ ...more, recipient, notification_type: 'LOUD' }))).toEqual([
      400,
      100,
      undefined,
    ]);
    expect(refusal(await send({ ...more, recipient: { id, user_ref: 'box 7' } }))).toEqual([
      400,
      100,
      undefined,
    ]);
  });

  test('needs its own permissions', async () => {
    const paging = ['pages_manage_metadata', 'pages_read_engagement', 'pages_show_list'];
    const { sandbox, page, read, send } = setting([...paging, 'pages_messaging']);
    const recipient = { id: page.contacts[0]?.id };
    const poor = setting(paging);
    expect(refusal(await poor.read(`/${poor.page.id}/conversations`))).toEqual([403, 10, undefined]);
    expect((await read(`/${page.conversationIds[0]}/messages`)).status).toBe(200);
    expect((await send({ recipient, message: { text: 'hi' } })).status).toBe(200);
    const other = { id: sandbox.account.contacts[0]?.id };
    expect(refusal(await send({ recipient: other, message: { text: 'hi' } }))).toEqual([403, 200, undefined]);
  });
});

describe('what happens in the inbox of a Page', () => {
  /** The items of the conversations that were delivered. */
  async function delivered(sandbox: ReturnType<typeof still>): Promise<Loose[]> {
    const sent = await sandbox.deliver(() => Promise.resolve(new Response()));
    return sent.flatMap(({ body }) =>
      JSON.parse(body).entry.flatMap(({ id, messaging }: Loose) =>
        messaging.map((one: Loose) => ({ account: id, ...one })),
      ),
    );
  }

  test('is delivered by the fields that it subscribed to, echoes too', async () => {
    const { sandbox, page, send } = setting();
    const contactId = page.contacts[0]?.id ?? '';
    const { post } = caller(sandbox);
    const subscribe = (fields: string) =>
      post(`/${page.id}/subscribed_apps`, page.token, { subscribed_fields: fields });
    await subscribe('messages,message_echoes');
    const mid = sandbox.receiveMessage({ contactId, text: 'Open?', quickReply: 'OPEN' });
    const sent = await send({ recipient: { id: contactId }, message: { text: 'Yes' } });
    sandbox.happen({ kind: 'read', messageId: sent.body.message_id });

    const own = { account: page.id, timestamp: start };
    expect(await delivered(sandbox)).toEqual([
      {
        ...own,
        sender: { id: contactId },
        recipient: { id: page.id },
        message: { mid, text: 'Open?', quick_reply: { payload: 'OPEN' } },
      },
      {
        ...own,
        sender: { id: page.id },
        recipient: { id: contactId },
        message: {
          mid: sent.body.message_id,
          text: 'Yes',
          is_echo: true,
          app_id: Number(sandbox.app.id),
        },
      },
    ]);

    await subscribe('message_reads,message_reactions,messaging_postbacks');
    sandbox.happen({ kind: 'read', messageId: sent.body.message_id });
    sandbox.happen({ kind: 'reaction', messageId: sent.body.message_id });
    sandbox.happen({ kind: 'postback', contactId, payload: 'MENU', title: 'The menu' });
    sandbox.receiveMessage({ contactId, text: 'Not subscribed' });
    const events = await delivered(sandbox);
    expect(events.map(({ read, reaction, postback }) => read ?? reaction ?? postback)).toEqual([
      { watermark: start },
      { mid: sent.body.message_id, action: 'react', reaction: 'love', emoji: '\u{2764}' },
      { mid: expect.any(String), title: 'The menu', payload: 'MENU' },
    ]);
  });

  test('counts what is unread until it is seen, and opens the window', async () => {
    const { sandbox, page, read, send } = setting();
    const [, , yuki] = page.contacts;
    const unread = async () =>
      (await read(`/${yuki?.conversationId}`, { fields: 'unread_count,can_reply' })).body;
    expect(await unread()).toMatchObject({ unread_count: 0, can_reply: false });
    sandbox.advance(1000);
    sandbox.receiveMessage({ contactId: yuki?.id ?? '', text: 'Hello again' });
    expect(await unread()).toMatchObject({ unread_count: 1, can_reply: true });
    await send({ recipient: { id: yuki?.id }, sender_action: 'mark_seen' });
    expect(await unread()).toMatchObject({ unread_count: 0 });
    expect(() => sandbox.receiveMessage({ contactId: 'nobody', text: 'x' })).toThrow('no contact nobody');
  });
});
