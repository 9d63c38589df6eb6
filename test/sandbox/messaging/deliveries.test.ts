import { describe, expect, test } from 'vitest';

import { createPageClient } from '../../../src/page/client.ts';
import { createPicsClient, createPicsClientViaPages } from '../../../src/pics/client.ts';
import type { DeliverOptions } from '../../../src/sandbox/index.ts';
import type { EventOf, WebhookEvent } from '../../../src/webhooks/events.ts';
import { parseDelivery } from '../../../src/webhooks/withoutHandler.ts';
import { pageOf, still } from '../support/caller.ts';

const url = 'https://example.com/a.jpg';
const fields = [
  'messages',
  'message_echoes',
  'message_reactions',
  'message_reads',
  'messaging_postbacks',
] as const;

type Sandbox = ReturnType<typeof still>;

/** The events that were delivered, as an app reads them. */
async function events(sandbox: Sandbox, form?: DeliverOptions['form']): Promise<readonly WebhookEvent[]> {
  const sent = await sandbox.deliver(() => Promise.resolve(new Response()), form && { form });
  const deliveries = await Promise.all(sent.map(({ body }) => parseDelivery(body)));
  return deliveries.flatMap((delivery) => delivery._unsafeUnwrap().events);
}

/** What an app can do in an inbox, by either client. */
interface Desk {
  readonly owner: string;
  readonly contactId: string;
  readonly client: 'page' | 'pics';
  readonly send: (content: object) => Promise<{ readonly message_id: string }>;
  readonly react: (messageId: string) => Promise<unknown>;
  readonly type: () => Promise<unknown>;
}

const desks: readonly (readonly [name: string, open: (sandbox: Sandbox) => Promise<Desk>])[] = [
  [
    'a Page',
    async (sandbox) => {
      const { app, fetch, platform } = sandbox;
      const { id: pageId, token: pageToken, contacts } = pageOf(sandbox);
      const client = createPageClient({ appId: app.id, appSecret: app.secret, fetch, platform });
      await client.subscribePage({ pageId, pageToken, fields });
      const to = { pageId, pageToken, recipientId: contacts[0]?.id ?? '' };
      return {
        owner: pageId,
        contactId: to.recipientId,
        client: 'page',
        send: (content) => client.sendMessage({ ...to, ...content } as never),
        react: (messageId) => client.sendReaction({ ...to, messageId }),
        type: () => client.sendAction({ ...to, action: 'typing_on' }),
      };
    },
  ],
  ...(['login', 'page'] as const).map(
    (mode) =>
      [
        `an account in ${mode} mode`,
        async (sandbox: Sandbox): Promise<Desk> => {
          const { app, picsApp, account, fetch, platform } = sandbox;
          const page = pageOf(sandbox);
          const own = createPicsClient({ appSecret: picsApp.secret, fetch, platform });
          await own.subscribeAccount({ token: account.token });
          const client =
            mode === 'login' ? own : createPicsClientViaPages({ appSecret: app.secret, fetch, platform });
          const token = mode === 'login' ? account.token : page.token;
          const to = {
            token,
            ...(mode === 'page' && { pageId: page.id }),
            recipientId: account.contacts[0]?.id ?? '',
          };
          return {
            owner: account.userId,
            contactId: to.recipientId,
            client: 'pics',
            send: (content) => client.sendMessage({ ...to, ...content } as never),
            react: (messageId) => client.sendReaction({ ...to, messageId }),
            type: () => client.sendAction({ ...to, action: 'typing_on' }),
          };
        },
      ] as const,
  ),
];

describe.each(desks)('what happens in the inbox of %s', (_name, open) => {
  test('comes with stories, mentions in stories, and appointments', async () => {
    const sandbox = still({ strict: true });
    const { contactId } = await open(sandbox);
    await events(sandbox);

    const mid = sandbox.receiveMessage({
      contactId,
      attachments: [
        { type: 'ig_story', url },
        { type: 'story_mention', url },
        { type: 'appointment_booking' },
      ],
    });

    const [event] = await events(sandbox);
    expect(event).toMatchObject({ type: 'message', data: { mid } });
    const { attachments = [] } = event?.type === 'message' ? event.data : {};
    expect(attachments).toHaveLength(3);
    expect(attachments).toEqual(
      expect.arrayContaining([
        { type: 'ig_story', payload: { url } },
        { type: 'story_mention', payload: { url } },
        { type: 'appointment_booking', payload: expect.objectContaining({ status: 'CONFIRMED' }) },
      ]),
    );
  });

  test('comes as the echo of an answer by the platform’s AI, which then has control', async () => {
    const sandbox = still({ strict: true });
    const { contactId, owner, send } = await open(sandbox);
    await events(sandbox);

    sandbox.happen({ kind: 'aiAnswer', contactId, text: 'We open at nine.' });

    const [event] = await events(sandbox);
    expect(event).toMatchObject({
      type: 'message',
      senderId: owner,
      data: { is_echo: true, ai_generated: true, text: 'We open at nine.', metadata: '{"source":"axon"}' },
    });
    await expect(send({ text: 'Hi' })).rejects.toMatchObject({ name: 'PermissionError' });
  });

  test.each(['changes', 'entry'] as const)('comes in the form %s, as the same events', async (form) => {
    const sandbox = still({ strict: true });
    const { contactId, send } = await open(sandbox);
    const act = async () => {
      const messageId = sandbox.receiveMessage({ contactId, text: 'Hi' });
      await send({ text: 'Hello' });
      sandbox.happen({ kind: 'postback', contactId, payload: 'START' });
      sandbox.happen({ kind: 'reaction', messageId });
      sandbox.happen({ kind: 'read', messageId });
    };
    await act();
    await events(sandbox);
    await act();
    const found = await events(sandbox, form);

    expect(found.map(({ type }) => type)).toEqual(['message', 'message', 'postback', 'reaction', 'read']);
    for (const { at, raw, senderId, recipientId } of found as readonly EventOf<'message'>[]) {
      const { value, field } = raw as { readonly field: string; readonly value: Record<string, unknown> };
      expect([typeof field, value['timestamp']]).toEqual(['string', String(Number(at) / 1000)]);
      expect([senderId, recipientId]).toContain(contactId);
    }
  });

  test('comes as events of known types, from whom and to whom it is', async () => {
    const sandbox = still({ strict: true });
    const { owner, contactId, client, send, react, type } = await open(sandbox);
    await events(sandbox);

    const first = sandbox.receiveMessage({
      contactId,
      text: 'See this',
      attachments: [
        { type: 'image', url },
        { type: 'audio', url },
      ],
    });
    const reply = await send({ attachment: { type: 'video', url }, replyTo: first });
    const menu = await send({
      template: {
        type: 'button',
        text: 'What next?',
        buttons: [{ type: 'postback', title: 'Menu', payload: 'M' }],
      },
    });
    sandbox.happen({ kind: 'postback', contactId, payload: 'M', title: 'Menu' });
    sandbox.receiveMessage({ contactId, text: 'Yes', quickReply: 'YES', replyTo: reply.message_id });
    sandbox.happen({ kind: 'reaction', messageId: menu.message_id });
    sandbox.happen({ kind: 'reaction', messageId: menu.message_id, undo: true });
    sandbox.happen({ kind: 'read', messageId: menu.message_id });
    // These cause no event.
    await react(first);
    await type();

    const seen = await events(sandbox);
    expect(seen.map((event) => event.type)).toEqual([
      'message',
      'message',
      'message',
      'postback',
      'message',
      'reaction',
      'reaction',
      'read',
    ]);
    for (const event of seen) {
      if (!('senderId' in event)) throw new Error('an event of a conversation');
      const isEcho = event.type === 'message' && event.data.is_echo === true;
      expect(event).toMatchObject({ client, accountId: owner });
      expect([event.senderId, event.recipientId]).toEqual(isEcho ? [owner, contactId] : [contactId, owner]);
    }
    expect(new Set(seen.map(({ key }) => key)).size).toBe(seen.length);
    expect(seen.map(({ data }) => data)).toMatchObject([
      {
        mid: first,
        text: 'See this',
        attachments: [
          { type: 'image', payload: { url } },
          { type: 'audio', payload: { url } },
        ],
      },
      {
        mid: reply.message_id,
        is_echo: true,
        attachments: [{ type: 'video', payload: { url } }],
        reply_to: { mid: first },
      },
      { mid: menu.message_id, is_echo: true, attachments: [{ type: 'template' }] },
      { title: 'Menu', payload: 'M' },
      { text: 'Yes', quick_reply: { payload: 'YES' }, reply_to: { mid: reply.message_id } },
      { mid: menu.message_id, action: 'react', reaction: 'love' },
      { mid: menu.message_id, action: 'unreact' },
      client === 'page' ? { watermark: expect.any(Number) } : { mid: menu.message_id },
    ]);
  });

  test('can begin with a person who never wrote', async () => {
    const sandbox = still({ strict: true });
    const { owner } = await open(sandbox);
    await events(sandbox);
    const mid = sandbox.receiveMessage({ to: owner, by: 'zoe', text: 'Hello' });

    const [event] = await events(sandbox);
    expect(event).toMatchObject({ type: 'message', accountId: owner, data: { mid, text: 'Hello' } });
  });
});

test('a private reply is one message, and its echo comes once', async () => {
  const sandbox = still({ strict: true });
  const { app, fetch, platform } = sandbox;
  const { id: pageId, token: pageToken, commentIds } = pageOf(sandbox);
  const client = createPageClient({ appId: app.id, appSecret: app.secret, fetch, platform });
  await client.subscribePage({ pageId, pageToken, fields });
  const [commentId = ''] = commentIds;
  const sent = await client.privateReply({ pageId, pageToken, commentId, text: 'Ten.' });

  const seen = await events(sandbox);
  expect(seen).toMatchObject([
    { type: 'message', recipientId: sent.recipient_id, data: { mid: sent.message_id, is_echo: true } },
  ]);
});

test('nobody can write to something without an inbox', () => {
  expect(() => still().receiveMessage({ to: '5', text: 'Hello' })).toThrow('no page 5');
});

test('a judgement of the platform comes to a Page that subscribed to it', async () => {
  const sandbox = still({ strict: true });
  const { app, fetch, platform } = sandbox;
  const { id: pageId, token: pageToken } = pageOf(sandbox);
  const client = createPageClient({ appId: app.id, appSecret: app.secret, fetch, platform });
  const judgement = {
    status: 'restricted',
    restrictions: [{ feature: 'page_messaging_api', status: 'RESTRICTED', applied_time: 1_763_665_904 }],
  } as const;
  sandbox.happen({ kind: 'integrity', pageId, ...judgement });
  expect(await events(sandbox)).toEqual([]);

  await client.subscribePage({ pageId, pageToken, fields: ['business_integrity'] });
  sandbox.happen({ kind: 'integrity', pageId, ...judgement });

  expect(await events(sandbox)).toMatchObject([
    { type: 'business_integrity', accountId: pageId, senderId: undefined, data: judgement },
  ]);
});

test('what the platform’s own agent does comes to who subscribed to it', async () => {
  const sandbox = still({ strict: true });
  const { app, picsApp, account, fetch, platform } = sandbox;
  const { id: pageId, token: pageToken } = pageOf(sandbox);
  const client = createPageClient({ appId: app.id, appSecret: app.secret, fetch, platform });
  const pics = createPicsClient({ appId: picsApp.id, appSecret: picsApp.secret, fetch, platform });
  await client.subscribePage({ pageId, pageToken, fields: ['agent_questions'] });
  await pics.subscribeAccount({ token: account.token, fields: ['agent_messages'] });
  const value = { question: 'When do you open?' };
  const on = account.userId;
  sandbox.happen({ kind: 'agent', on: pageId, field: 'agent_messages', value });
  sandbox.happen({ kind: 'agent', on: pageId, field: 'agent_questions', value });
  sandbox.happen({ kind: 'agent', on, field: 'agent_messages', value });

  expect(await events(sandbox)).toMatchObject([
    { type: 'agent_questions', client: 'page', accountId: pageId, data: value },
    { type: 'agent_messages', client: 'pics', data: value },
  ]);
  expect(() => sandbox.happen({ kind: 'agent', on, field: 'agent_questions', value })).toThrow(
    'agent_messages',
  );
});
