import { describe, expect, test } from 'vitest';

import { as, day, idsOf, modes } from '../pics/support.ts';
import { caller, pageOf, refusal, still, type Loose, type Reply } from '../support/caller.ts';

const url = 'https://example.com/a.jpg';
const tap = { type: 'postback', title: 'Menu', payload: 'MENU' };
const image = { type: 'image', payload: { url } };

interface Side {
  readonly name: string;
  readonly sandbox: ReturnType<typeof still>;
  readonly contact: { readonly id: string; readonly conversationId: string };
  readonly post: (edge: string, form: Readonly<Record<string, unknown>>) => Promise<Reply>;
  readonly read: (fields: string) => Promise<Loose>;
}

/** The inbox of a Page, or of its account in either mode. */
function side(name: (typeof sides)[number]): Side {
  const sandbox = still();
  const page = pageOf(sandbox);
  const text = (form: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(
      Object.entries(form).map(([key, value]) => [
        key,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
    );
  if (name === 'Page') {
    const { get, post } = caller(sandbox);
    const contact = page.contacts[0] as Side['contact'];
    return {
      name,
      sandbox,
      contact,
      post: (edge, form) => post(`/${page.id}/${edge}`, page.token, text(form)),
      read: async (fields) =>
        (await get(`/${contact.conversationId}/messages`, page.token, { fields, limit: '1' })).body.data[0],
    };
  }
  const mode = as(name, sandbox);
  const contact = sandbox.account.contacts[0] as Side['contact'];
  return {
    name,
    sandbox,
    contact,
    post: (edge, form) =>
      mode.post(`${mode.inbox}/${edge}`, {
        ...text(form),
        ...(edge === 'message_attachments' && name === 'page' && { platform: 'instagram' }),
      }),
    read: async (fields) =>
      (await mode.get(`/${contact.conversationId}/messages`, { fields, limit: '1' })).body.data[0],
  };
}

const sides = ['Page', ...modes] as const;

describe.each(sides)('the contents of messages, %s', (name) => {
  test('are shown in the conversation', async () => {
    const { contact, post, read } = side(name);
    const recipient = { id: contact.id };
    const shows = async (message: object) => {
      const sent = await post('messages', { recipient, message });
      const shown = await read('message,attachments,shares,sticker');
      expect(shown.id).toBe(sent.body.message_id);
      return shown;
    };
    const files = async (message: object) => (await shows(message)).attachments.data;

    expect(await files({ attachment: image })).toMatchObject([
      { mime_type: 'image/jpeg', image_data: { url } },
    ]);
    expect(await files({ attachment: { ...image, type: 'video' } })).toMatchObject([{ video_data: { url } }]);
    expect(await files({ attachment: { ...image, type: 'audio' } })).toMatchObject([
      { mime_type: 'audio/mpeg', file_url: url },
    ]);
    expect(await files({ attachments: [image, image] })).toHaveLength(2);
    const payload = { template_type: 'button', text: 'Hi', buttons: [tap] };
    expect(await files({ attachment: { type: 'template', payload } })).toMatchObject([
      { button_template: { text: 'Hi' } },
    ]);
    const reply = { content_type: 'text', title: 'Yes', payload: 'YES' };
    expect(await shows({ text: 'Well?', quick_replies: [reply] })).toMatchObject({ message: 'Well?' });
  });

  test('are refused when they break a bound', async () => {
    const { contact, post, sandbox } = side(name);
    const recipient = { id: contact.id };
    const generic = (...elements: object[]) => ({
      attachment: { type: 'template', payload: { template_type: 'generic', elements } },
    });
    const element = { title: 'Tea', subtitle: 'Green' };
    const reply = { content_type: 'text', title: 'Yes', payload: 'YES' };
    for (const message of [
      { text: 'Hi', attachment: image },
      { attachment: { type: 'picture', payload: { url } } },
      { attachment: { type: 'image', payload: { url: 'a.jpg' } } },
      { attachment: { type: 'image', payload: { attachment_id: '7' } } },
      { attachments: Array.from({ length: 11 }, () => image) },
      { attachments: [{ ...image, type: 'video' }] },
      { text: 'Hi', quick_replies: Array.from({ length: 14 }, () => reply) },
      { text: 'Hi', quick_replies: [{ ...reply, title: '' }] },
      generic(),
      generic({ title: 'Tea' }),
      generic(...Array.from({ length: 11 }, () => element)),
      generic({ ...element, buttons: [tap, tap, tap, tap] }),
      generic({ ...element, buttons: [{ ...tap, title: undefined }] }),
      generic({ ...element, buttons: [{ type: 'dance', title: 'x' }] }),
    ]) {
      expect(refusal(await post('messages', { recipient, message })), JSON.stringify(message)).toEqual([
        400,
        100,
        undefined,
      ]);
    }
    expect(sandbox.effects()).toEqual([]);
  });

  test('can be a reply to a message of the conversation', async () => {
    const { contact, post, read, sandbox } = side(name);
    const mid = sandbox.receiveMessage({ contactId: contact.id, text: 'Open?' });
    sandbox.advance(1000);
    const recipient = { id: contact.id };
    await post('messages', { recipient, message: { text: 'Yes' }, reply_to: { mid } });
    expect(await read('reply_to')).toMatchObject({ reply_to: { mid, is_self_reply: false } });
    const wrong = await post('messages', { recipient, message: { text: 'Yes' }, reply_to: { mid: 'x' } });
    expect(refusal(wrong)).toEqual([400, 100, undefined]);
  });

  test('can be files that were uploaded, for 90 days', async () => {
    const { contact, post, sandbox } = side(name);
    const message = { attachment: { type: 'image', payload: { url, is_reusable: true } } };
    const { body } = await post('message_attachments', { message });
    expect(body).toEqual({ attachment_id: expect.any(String) });
    const send = (type: string) =>
      post('messages', {
        recipient: { id: contact.id },
        message: { attachment: { type, payload: { attachment_id: body.attachment_id } } },
      });
    expect((await send('image')).status).toBe(200);
    expect(refusal(await send('video'))).toEqual([400, 100, undefined]);
    expect(refusal(await post('message_attachments', {}))).toEqual([400, 100, undefined]);
    // The token of login mode lives for 60 days.
    if (name === 'login') return;
    const both = await post('message_attachments', { message, filedata: 'bytes' });
    expect(refusal(both)).toEqual([400, 100, undefined]);
    sandbox.advance(90 * day + 1);
    sandbox.receiveMessage({ contactId: contact.id, text: 'Hi' });
    // By then, page mode has lost its access to the account's data.
    expect(refusal(await send('image'))).toEqual(
      name === 'Page' ? [400, 100, undefined] : [403, 200, undefined],
    );
  });
});

test.each(modes)('an account sends its posts and hearts, in %s mode; a Page does not', async (name) => {
  const { contact, post, read, sandbox } = side(name);
  const recipient = { id: contact.id };
  const share = (id: string) => ({ attachment: { type: 'MEDIA_SHARE', payload: { id } } });
  const [mediaId = ''] = sandbox.account.mediaIds;
  await post('messages', { recipient, message: share(mediaId) });
  expect(await read('shares')).toMatchObject({ shares: { data: [{ id: mediaId }] } });
  sandbox.advance(1000);
  await post('messages', { recipient, message: { attachment: { type: 'like_heart' } } });
  expect(await read('sticker')).toMatchObject({ sticker: expect.stringContaining('heart') });
  expect(refusal(await post('messages', { recipient, message: share('5') }))).toEqual([400, 100, undefined]);

  const page = side('Page');
  for (const message of [share(mediaId), { attachment: { type: 'like_heart' } }]) {
    const sent = await page.post('messages', { recipient: { id: page.contact.id }, message });
    expect(refusal(sent)).toEqual([400, 100, undefined]);
  }
});

describe.each(sides)('actions and reactions, %s', (name) => {
  test('are taken alone', async () => {
    const { contact, post, sandbox } = side(name);
    const recipient = { id: contact.id };
    for (const action of ['typing_on', 'TYPING_OFF', 'mark_seen']) {
      expect((await post('messages', { recipient, sender_action: action })).body).toEqual({
        recipient_id: contact.id,
      });
    }
    expect(sandbox.effects('sender_action').map(({ content }) => content['action'])).toEqual([
      'typing_on',
      'typing_off',
      'mark_seen',
    ]);
    for (const more of [
      { sender_action: 'dance' },
      { sender_action: 'typing_on', message: { text: 'Hi' } },
      { sender_action: 'typing_on', payload: { a: 1 } },
      { sender_action: 'react' },
      { sender_action: 'react', payload: { message_id: 'x', reaction: 'love' } },
    ]) {
      expect(refusal(await post('messages', { recipient, ...more }))).toEqual([400, 100, undefined]);
    }
  });

  test('stand at the message until they are taken back', async () => {
    const { contact, post, read, sandbox } = side(name);
    const recipient = { id: contact.id };
    sandbox.advance(1000);
    const message_id = sandbox.receiveMessage({ contactId: contact.id, text: 'Thanks!' });
    const reactions = async () => (await read('reactions')).reactions;
    const react = (sender_action: string, reaction?: string) =>
      post('messages', { recipient, sender_action, payload: { message_id, reaction } });

    await react('react', 'love');
    await react('react', 'love');
    expect(await reactions()).toEqual({ data: [{ reaction: 'love', users: [{ id: expect.any(String) }] }] });
    sandbox.happen({ kind: 'reaction', messageId: message_id });
    expect((await reactions()).data).toHaveLength(2);
    await react('unreact');
    sandbox.happen({ kind: 'reaction', messageId: message_id, undo: true });
    expect(await reactions()).toBeUndefined();
  });
});

describe.each(sides)('private replies, %s', (name) => {
  const commentOf = ({ sandbox }: Side): string =>
    sandbox.happen({
      kind: 'comment',
      on: (name === 'Page' ? pageOf(sandbox).postIds[0] : sandbox.account.mediaIds[0]) ?? '',
      message: 'How much?',
      by: 'wim',
    });

  test('are taken once for a comment, within 7 days, and begin a conversation', async () => {
    const at = side(name);
    const { post, sandbox } = at;
    const comment_id = commentOf(at);
    const reply = (recipient: object) => post('messages', { recipient, message: { text: 'Ten.' } });
    const sent = await reply({ comment_id });
    expect(sent.body).toEqual({ recipient_id: expect.any(String), message_id: expect.any(String) });
    expect(refusal(await reply({ comment_id }))).toEqual(
      name === 'Page' ? [400, 10_900, undefined] : [400, 100, 2_534_025],
    );
    expect((await reply({ id: sent.body.recipient_id })).status).toBe(403);
    sandbox.receiveMessage({ contactId: sent.body.recipient_id, text: 'Thanks' });
    expect((await reply({ id: sent.body.recipient_id })).status).toBe(200);

    const other = commentOf(at);
    sandbox.advance(7 * day + 1);
    expect(refusal(await reply({ comment_id: other }))).toEqual(
      name === 'Page' ? [400, 10_902, undefined] : [403, 10, 2_534_022],
    );
    expect(refusal(await reply({ comment_id: '18000000000000001' }))).toEqual([400, 100, 33]);
    expect(sandbox.effects('private_reply').map(({ parentId }) => parentId)).toEqual([comment_id]);
  });
});

test('a Page replies to a post of a visitor in private', async () => {
  const { post, sandbox } = side('Page');
  const page = pageOf(sandbox);
  const post_id = sandbox.happen({ kind: 'post', pageId: page.id, message: 'Open?', by: 'Wim Prins' });
  const message = { text: 'Yes' };
  expect((await post('messages', { recipient: { post_id }, message })).status).toBe(200);
  expect(refusal(await post('messages', { recipient: { post_id }, message }))).toEqual([
    400,
    10_900,
    undefined,
  ]);
  const own = { post_id: page.postIds[0] };
  expect(refusal(await post('messages', { recipient: own, message }))).toEqual([400, 100, undefined]);
});

test('a known commenter keeps the id that the account knows', async () => {
  const { post, sandbox } = side('login');
  const [comment_id = ''] = sandbox.account.commentIds;
  const { body } = await post('messages', { recipient: { comment_id }, message: { text: 'Hi' } });
  expect(body.recipient_id).toBe(sandbox.account.contacts[0]?.id);
  const mode = as('login', sandbox);
  expect(idsOf(await mode.get('/me/conversations', { user_id: body.recipient_id }))).toEqual([
    sandbox.account.contacts[0]?.conversationId,
  ]);
});
