import type { PicsContext } from '../../../src/pics/context.ts';
import type * as subject from '../../../src/pics/inbox.ts';
import * as pics from '../../../src/pics/index.ts';
import { at } from '../../hostile/kinds.ts';
import { customer, image, inInbox, messageTo, received, underMedium } from '../at.ts';
import { hasId, haveIds, isSent, isText } from '../holds.ts';
import type { Table } from '../table.ts';
import { inner, messaging, paging, time, token } from '../values.ts';
import { account, sender, senderKinds } from './shared.ts';

const receipt = { 'POST messages': { recipient_id: '8' } };
const isReceipt = (value: { recipient_id: string }): boolean => isText(value.recipient_id);
const attaching = {
  kinds: {
    ...senderKinds,
    type: 'choice',
    url: 'url',
    file: 'video',
    uploadTimeoutMs: 'time limit',
  },
  routes: { 'POST message_attachments': { attachment_id: '7' } },
  holds: (value: { attachment_id: string }) => isText(value.attachment_id),
} as const;
const hosted = { type: 'image', url: 'https://example.com/a', uploadTimeoutMs: 1000 } as const;
const message = { kind: 'message', id: 'message_id', lost: { path: /\/messages$/ } } as const;
/** The platform takes one, and refuses another: the refusal shows that the lost one took effect. */
const privateReplies = {
  kind: 'message',
  id: 'message_id',
  hides: 'all but a repetition',
  lost: { path: /\/messages$/, kind: 'private_reply', one: 'private_reply', again: 'applied' },
} as const;

export const inbox: Table<PicsContext, typeof subject> = {
  conversations: {
    kinds: {
      token: 'token',
      picsUserId: 'id',
      pageId: 'account',
      limit: 'count',
      after: 'text',
      userId: 'id',
      enrich: 'flag',
      messages: 'count',
    },
    variants: [
      { token, ...account, pageId: '42', limit: 5, after: 'QVF1', userId: '8', enrich: true },
      { token, ...account, pageId: '42', messages: 5 },
    ],
    routes: {
      [`GET conversations`]: {
        data: [
          {
            id: 't_1',
            updated_time: time,
            participants: {
              data: [
                { id: '17', username: 'shop' },
                { id: '8', username: 'ada', user_id: '88' },
              ],
              paging: inner,
            },
            messages: {
              data: [{ id: 'm_1', created_time: time, from: { id: '8' }, message: 'Hi' }],
              paging: inner,
            },
          },
          { id: 't_2', participants: { data: [{ id: '17' }, { id: '9' }] } },
        ],
        paging: { ...paging, next: paging.previous },
      },
      'GET 8': { id: '8', name: 'Ada' },
      'GET 9': { id: '9', name: 'Bob' },
    },
    holds: (value: { data: unknown[] }) =>
      haveIds(value.data) && value.data.every((thread) => haveIds(at(thread, 'contacts'))),
    options: ({ inbox }) => inbox,
  },
  messages: {
    kinds: { conversationId: 'id', token: 'token', limit: 'count', after: 'text' },
    variants: [{ conversationId: 't_1', token, limit: 3, after: 'QVF1' }],
    routes: {
      'GET t_1/messages': {
        data: [
          {
            id: 'm_1',
            created_time: time,
            from: { id: '8', username: 'ada' },
            to: { data: [{ id: '17' }] },
            message: 'Hi',
            attachments: { data: [], paging: inner },
          },
        ],
        paging: { ...paging, next: paging.previous },
      },
    },
    holds: (value: { data: unknown }) => haveIds(value.data),
    options: ({ token, account: { conversationIds } }) => ({
      token,
      conversationId: conversationIds[0] ?? '',
    }),
  },
  messageDetails: {
    kinds: { messageId: 'id', token: 'token', fields: 'names' },
    variants: [
      { messageId: 'm_1', token },
      { messageId: 'm_1', token, fields: ['id', 'from'] },
    ],
    routes: {
      'GET m_1': {
        id: 'm_1',
        created_time: time,
        from: { id: '8', username: 'ada' },
        to: { data: [{ id: '17' }] },
        message: 'Hi',
        story: { reply_to: { id: '9', link: 'https://example.com/a' } },
        reply_to: { mid: 'm_0', is_self_reply: true },
        is_unsupported: 'false',
      },
    },
    holds: hasId,
    prepare: received('account'),
    options: ({ token, prepared }) => ({ token, messageId: prepared }),
  },
  iterateConversations: {
    kinds: {
      token: 'token',
      picsUserId: 'id',
      pageId: 'account',
      limit: 'count',
      pageSize: 'count',
      enrich: 'flag',
      onUnreadable: 'hook',
      messages: 'count',
      onWithheld: 'hook',
    },
    variants: [
      { token, ...account, pageId: '42', limit: 5, pageSize: 2, enrich: true, onUnreadable: () => undefined },
      { token, ...account, pageId: '42', messages: 5, onWithheld: () => undefined },
    ],
    routes: {
      'GET conversations': {
        data: [{ id: 't_1', participants: { data: [{ id: '17' }, { id: '8' }], paging: inner } }],
        paging,
      },
      'GET 8': { id: '8', name: 'Ada' },
    },
    holds: (last: unknown) => last === undefined || hasId(last as never),
    options: ({ inbox }) => inbox,
  },
  iterateMessages: {
    kinds: { conversationId: 'id', token: 'token', limit: 'count', pageSize: 'count', onUnreadable: 'hook' },
    variants: [{ conversationId: 't_1', token, limit: 3, pageSize: 2, onUnreadable: () => undefined }],
    routes: { 'GET t_1/messages': { data: [{ id: 'm_1', message: 'Hi' }], paging } },
    holds: (last: unknown) => last === undefined || hasId(last as never),
    options: ({ token, account: { conversationIds } }) => ({
      token,
      conversationId: conversationIds[0] ?? '',
    }),
  },
  contact: {
    kinds: { igsid: 'id', token: 'token' },
    variants: [{ igsid: '8', token }],
    routes: {
      'GET 8': {
        id: '8',
        name: 'Ada',
        username: 'ada',
        profile_pic: 'https://example.com',
        follower_count: 3,
        is_verified_user: false,
      },
    },
    failures: [],
    holds: (value: { id: string; available: boolean }) =>
      isText(value.id) && typeof value.available === 'boolean',
    options: ({ token, account: { contacts } }) => ({
      token,
      igsid: contacts.find(({ consent }) => consent)?.id ?? '',
    }),
  },
  sendMessage: {
    kinds: {
      idempotencyKey: 'key',
      recipientId: 'id',
      token: 'token',
      picsUserId: 'id',
      pageId: 'account',
      ...messaging.contentKinds,
      mediaId: 'id',
      sticker: 'sticker',
      utility: 'nothing',
      replyTo: 'id',
      humanAgent: 'flag',
    },
    variants: [...messaging.contents, { mediaId: '901' }, { sticker: 'like_heart' } as const].map(
      (content) => ({
        recipientId: '8',
        token,
        ...account,
        pageId: '42',
        utility: undefined,
        ...content,
      }),
    ),
    routes: messaging.routes,
    holds: isSent,
    options: (at) => ({ ...inInbox(at), text: at.message }),
    writes: [
      { ...message, keyed: { stranger: messageTo('account') } },
      {
        ...message,
        as: 'an image',
        give: (at) => ({ text: undefined, attachment: { type: 'image', url: image(at.message) } }),
        hides: 'its content',
        keyed: {
          stranger: async ({ sandbox, at }) =>
            sandbox.receiveMessage({
              contactId: customer(at.account),
              attachments: [{ type: 'image', url: image(at.message) }],
            }),
        },
      },
      { ...message, as: 'in page mode', mode: 'viaPages' },
      {
        ...message,
        as: 'a post, in page mode',
        mode: 'viaPages',
        give: ({ account }) => ({ text: undefined, mediaId: account.mediaIds[0] ?? '' }),
        hides: 'its content',
      },
    ],
  },
  privateReply: {
    kinds: {
      idempotencyKey: 'key',
      ...senderKinds,
      commentId: 'id',
      ...messaging.contentKinds,
      mediaId: 'id',
      sticker: 'sticker',
      utility: 'nothing',
    },
    variants: [...messaging.replies, { mediaId: '901' }, { sticker: 'like_heart' } as const].map(
      (content) => ({ ...sender, commentId: '7', utility: undefined, ...content }),
    ),
    routes: { 'POST messages': messaging.routes['POST messages'] },
    holds: isSent,
    options: (at) => ({ ...at.inbox, ...underMedium(at), text: at.message }),
    writes: [
      { ...privateReplies, keyed: { stranger: messageTo('account') } },
      {
        ...privateReplies,
        as: 'an image, in page mode',
        mode: 'viaPages',
        give: (at) => ({ text: undefined, attachment: { type: 'image', url: image(at.message) } }),
      },
    ],
  },
  sendAction: {
    kinds: { ...senderKinds, recipientId: 'id', action: 'choice' },
    variants: [{ ...sender, recipientId: '8', action: 'typing_on' }],
    routes: receipt,
    holds: isReceipt,
    options: (at) => ({ ...inInbox(at), action: 'mark_seen' }),
    writes: [{ kind: 'sender_action', lost: { path: /\/messages$/ } }],
  },
  sendReaction: {
    kinds: { ...senderKinds, recipientId: 'id', messageId: 'id', reaction: 'text or null' },
    variants: [
      { ...sender, recipientId: '8', messageId: 'm_1', reaction: 'love' },
      { ...sender, recipientId: '8', messageId: 'm_1', reaction: null },
    ],
    routes: receipt,
    holds: isReceipt,
    prepare: received('account'),
    options: (at) => ({ ...inInbox(at), messageId: at.prepared, reaction: 'love' }),
    writes: [{ kind: 'reaction', lost: { path: /\/messages$/ } }],
  },
  uploadAttachment: {
    ...attaching,
    variants: [
      { ...sender, ...hosted },
      { ...sender, type: 'video', file: new Uint8Array(3) },
    ],
    inMode: {
      login: {
        kinds: { ...attaching.kinds, file: 'nothing' },
        variants: [{ ...sender, ...hosted, file: undefined }],
      },
    },
    options: ({ inbox, message }) => ({ ...inbox, type: 'image', url: image(message) }),
    writes: [
      {
        call: (context, at) =>
          pics
            .uploadAttachment(context, {
              ...at.inbox,
              type: 'image',
              url: image(at.message),
              uploadTimeoutMs: 3000,
            })
            .andThen(({ attachment_id: attachmentId }) =>
              pics.sendMessage(context, { ...inInbox(at), attachment: { type: 'image', attachmentId } }),
            ),
        kind: 'attachment',
        lost: { path: /\/message_attachments$/, one: 'message' },
      },
    ],
  },
};
