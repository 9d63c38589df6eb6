import { describe, expect, test } from 'vitest';

import { as, day, hour, idsOf, modes, type Mode } from '../pics/support.ts';
import { pageOf, refusal, start, still } from '../support/caller.ts';

describe.each(modes)('contacts in %s mode', (name) => {
  test('are shown with consent only', async () => {
    const sandbox = still();
    const { contacts, goneContactId } = sandbox.account;
    const { get } = as(name, sandbox);
    const fields = 'name,username,profile_pic,follower_count,is_user_follow_business,is_verified_user';
    for (const { id, username, consent } of contacts) {
      const found = await get(`/${id}`, { fields });
      if (consent) expect(found.body).toMatchObject({ id, username });
      else expect(refusal(found)).toEqual([403, 230, undefined]);
    }
    expect((await get(`/${contacts[2]?.id}`, { fields })).body).toMatchObject({
      name: null,
      profile_pic: null,
    });
    expect(refusal(await get(`/${goneContactId}`, { fields }))).toEqual([400, 9010, undefined]);
    expect(refusal(await get('/68000000000000000', { fields }))).toEqual([400, 100, 33]);
    expect(refusal(await get(`/${contacts[0]?.id}`, { fields: 'picture' }))).toEqual([400, 100, undefined]);
  });
});

const inbox = (mode: Mode, params: Record<string, string> = {}) =>
  mode.get(`${mode.inbox}/conversations`, params);

describe.each(modes)('conversations in %s mode', (name) => {
  test('come by the newest message, id and time by default', async () => {
    const sandbox = still();
    const mode = as(name, sandbox);
    const { picsPlatform: platform } = sandbox.platform.words;
    const { body } = await inbox(mode, { platform });
    expect(idsOf({ body })).toEqual(sandbox.account.conversationIds);
    expect(body.data[0]).toEqual({
      id: sandbox.account.conversationIds[0],
      updated_time: '2026-10-05T10:00:00+0000',
    });
    const first = await inbox(mode, { platform, limit: '2' });
    const { after } = first.body.paging.cursors;
    expect(idsOf(await inbox(mode, { platform, limit: '2', after }))).toEqual(
      sandbox.account.conversationIds.slice(2),
    );
  });

  test('hold participants and messages', async () => {
    const sandbox = still();
    const { account } = sandbox;
    const mode = as(name, sandbox);
    const { picsPlatform: platform } = sandbox.platform.words;
    const fields = 'updated_time,participants,messages.limit(1){id,created_time,from,to,message}';
    const { body } = await inbox(mode, { platform, fields, limit: '1' });
    const business = { username: account.username, id: account.userId };
    const customer = { username: 'anna', id: account.contacts[0]?.id };
    expect(body.data[0].participants).toEqual({ data: [business, customer] });
    expect(body.data[0].messages.data).toEqual([
      {
        id: expect.any(String),
        created_time: '2026-10-05T10:00:00+0000',
        from: customer,
        to: { data: [business] },
        message: 'anna: message 25',
      },
    ]);
  });

  test('are chosen by the other side', async () => {
    const sandbox = still();
    const mode = as(name, sandbox);
    const { picsPlatform: platform } = sandbox.platform.words;
    const [, second, , fourth] = sandbox.account.contacts;
    expect(idsOf(await inbox(mode, { platform, user_id: second?.id ?? '' }))).toEqual([
      second?.conversationId,
    ]);
    expect((await inbox(mode, { platform, user_id: fourth?.id ?? '' })).body.data).toEqual([]);
    expect(refusal(await inbox(mode, { platform: 'elsewhere' }))).toEqual([400, 100, undefined]);
  });
});

test('page mode needs the platform, and the Page', async () => {
  const sandbox = still();
  const mode = as('page', sandbox);
  expect(idsOf(await inbox(mode))).toEqual(pageOf(sandbox).conversationIds);
  expect(refusal(await mode.get(`${mode.account}/conversations`))).toEqual([400, 100, undefined]);
  expect(idsOf(await inbox(as('login', sandbox)))).toEqual(sandbox.account.conversationIds);
});

test('login mode can show the account by its app-scoped id', async () => {
  const sandbox = still();
  sandbox.tune({ pics: { scopedParticipants: true } });
  const { picsPlatform: platform } = sandbox.platform.words;
  const own = async (name: Mode['name']): Promise<string> =>
    (await inbox(as(name, sandbox), { platform, fields: 'participants{id}' })).body.data[0].participants
      .data[0];
  expect(await own('login')).toEqual({ id: sandbox.account.id });
  expect(await own('page')).toEqual({ id: sandbox.account.userId });
});

describe.each(modes)('messages in %s mode', (name) => {
  const fields = 'id,created_time,from,to,message,attachments,reactions,is_unsupported,story';

  test('come with details for the newest 20 only', async () => {
    const sandbox = still();
    const { get } = as(name, sandbox);
    const path = `/${sandbox.account.conversationIds[0]}/messages`;
    const first = await get(path, { fields, limit: '50' });
    expect(first.body.data).toHaveLength(20);
    expect(first.body.data[0].message).toBe('anna: message 25');
    expect(first.body.paging.next).toContain('after=');
    const { after } = first.body.paging.cursors;
    const beyond = await get(path, { fields, limit: '50', after });
    expect(refusal(beyond)).toEqual([400, 100, undefined]);
    expect(beyond.body.error.message).toContain('was deleted');
    const bare = await get(path, { limit: '50' });
    expect(bare.body.data).toHaveLength(25);
    expect(bare.body.paging.next).toBeUndefined();
    const old = bare.body.data[20].id;
    expect(refusal(await get(`/${old}`, { fields: 'message' }))).toEqual([400, 100, undefined]);
    const deep = (await get(path, { limit: '23' })).body.paging.cursors.after;
    expect(refusal(await get(path, { fields, after: deep }))).toEqual([400, 100, undefined]);
  });

  test('are walked in pages up to there', async () => {
    const sandbox = still();
    const { get } = as(name, sandbox);
    const path = `/${sandbox.account.conversationIds[0]}/messages`;
    const first = await get(path, { fields, limit: '15' });
    expect(first.body.data).toHaveLength(15);
    const rest = await get(path, { fields, limit: '15', after: first.body.paging.cursors.after });
    expect(rest.body.data.map((one: { message: string }) => one.message).slice(0, 2)).toEqual([
      'anna: message 10',
      'anna: message 9',
    ]);
    expect(rest.body.data).toHaveLength(5);
    const short = await get(`/${sandbox.account.conversationIds[1]}/messages`, { fields });
    expect(short.body.data).toHaveLength(2);
    expect(short.body.paging.next).toBeUndefined();
  });

  test('show attachments, reactions and what is not supported', async () => {
    const sandbox = still();
    const { get } = as(name, sandbox);
    const { body } = await get(`/${sandbox.account.conversationIds[0]}/messages`, { fields, limit: '5' });
    expect(body.data[1].reactions.data[0].reaction).toBe('love');
    expect(body.data[2]).toMatchObject({ message: '', attachments: { data: [{ image_data: {} }] } });
    expect(body.data[3].is_unsupported).toBe(true);
    expect(body.data[4].story.reply_to.id).toBe('s1');
    expect(refusal(await get(`/${sandbox.account.conversationIds[0]}/messages`, { fields: 'text' }))).toEqual(
      [400, 100, undefined],
    );
  });
});

describe.each(modes)('sending in %s mode', (name) => {
  const send = (mode: Mode, id: string, text: string, more: object = {}) =>
    mode.json(`${mode.inbox}/messages`, { recipient: { id }, message: { text }, ...more });

  test('puts a message into the conversation, from JSON and from a form', async () => {
    const sandbox = still();
    const mode = as(name, sandbox);
    const [anna] = sandbox.account.contacts;
    const id = anna?.id ?? '';
    const first = await send(mode, id, 'Hello \u{1f44b}');
    expect(first.body).toEqual({ recipient_id: id, message_id: expect.any(String) });
    sandbox.advance(1000);
    const second = await mode.post(`${mode.inbox}/messages`, {
      recipient: JSON.stringify({ id }),
      message: JSON.stringify({ text: 'again' }),
    });
    const { body } = await mode.get(`/${anna?.conversationId}/messages`, {
      fields: 'message,from',
      limit: '2',
    });
    expect(body.data).toMatchObject([
      { id: second.body.message_id, message: 'again', from: { id: sandbox.account.userId } },
      { id: first.body.message_id, message: 'Hello \u{1f44b}' },
    ]);
    expect(sandbox.effects('message').map((one) => [one.id, one.parentId, one.content])).toEqual([
      [first.body.message_id, anna?.conversationId, { recipientId: id, text: 'Hello \u{1f44b}' }],
      [second.body.message_id, anna?.conversationId, { recipientId: id, text: 'again' }],
    ]);
  });

  test('is allowed for 24 hours after the message of the other side', async () => {
    const sandbox = still();
    const mode = as(name, sandbox);
    for (const { id, inWindow } of sandbox.account.contacts) {
      const sent = await send(mode, id, 'hi');
      if (inWindow) expect(sent.status).toBe(200);
      else expect(refusal(sent)).toEqual([403, 10, 2_534_022]);
    }
    const [anna] = sandbox.account.contacts;
    sandbox.advance(day - 2 * hour);
    expect((await send(mode, anna?.id ?? '', 'last')).status).toBe(200);
    sandbox.advance(1);
    expect(refusal(await send(mode, anna?.id ?? '', 'late'))).toEqual([403, 10, 2_534_022]);
    const human = { messaging_type: 'MESSAGE_TAG', tag: 'HUMAN_AGENT' };
    expect((await send(mode, anna?.id ?? '', 'by hand', human)).status).toBe(200);
    expect(sandbox.effects('message')).toHaveLength(4);
  });

  test('is refused for a wrong text or recipient', async () => {
    const sandbox = still();
    const mode = as(name, sandbox);
    const id = sandbox.account.contacts[0]?.id ?? '';
    expect((await send(mode, id, '\u{e9}'.repeat(500))).status).toBe(200);
    expect(refusal(await send(mode, id, `${'\u{e9}'.repeat(500)}x`))).toEqual([400, 100, undefined]);
    expect(refusal(await send(mode, id, ''))).toEqual([400, 100, undefined]);
    expect(refusal(await send(mode, '68000000000000000', 'hi'))).toEqual([400, 100, 2_534_014]);
    expect(refusal(await send(mode, sandbox.account.goneContactId, 'hi'))).toEqual([400, 100, 2_534_014]);
    expect(refusal(await send(mode, id, 'hi', { messaging_type: 'SPAM' }))).toEqual([400, 100, undefined]);
    const bare = await mode.json(`${mode.inbox}/messages`, { recipient: id, message: 'hi' });
    expect(refusal(bare)).toEqual([400, 100, undefined]);
    expect(refusal(await mode.json(`${mode.inbox}/messages`, { recipient: { id } }))).toEqual([
      400,
      100,
      undefined,
    ]);
    expect(sandbox.effects('message')).toHaveLength(1);
  });
});

test('the seeds tell the truth about the window', () => {
  const { contacts } = still({ now: () => start }).account;
  expect(
    contacts.map(({ consent, inWindow, conversationId }) => [
      consent,
      inWindow,
      conversationId !== undefined,
    ]),
  ).toEqual([
    [true, true, true],
    [false, true, true],
    [true, false, true],
    [false, false, false],
  ]);
});
