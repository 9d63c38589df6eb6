import type { PageContext } from '../../../src/page/context.ts';
import type * as subject from '../../../src/page/inbox.ts';
import * as page from '../../../src/page/index.ts';
import { at } from '../../hostile/kinds.ts';
import { fileOf, idOf, image, messageTo, onComment, onPage, received, toCustomer } from '../at.ts';
import { hasId, haveIds, isSent, isText } from '../holds.ts';
import type { Table } from '../table.ts';
import { inner, messaging, pageToken, paging, time } from '../values.ts';
import { orderSent } from './shared.ts';

const person = { id: '8', name: 'Ada L', first_name: 'Ada', last_name: 'L', profile_pic: null };

const threads = {
  data: [
    {
      id: 't_1',
      updated_time: time,
      participants: {
        data: [
          { id: '42', name: 'Shop' },
          { id: '8', name: 'Ada', email: 'a@b.test' },
        ],
        paging: inner,
      },
      messages: {
        data: [{ id: 'm_1', created_time: time, from: { id: '8' }, message: 'Hi' }],
        paging: inner,
      },
    },
  ],
  paging: { ...paging, next: paging.previous },
};
const thread = {
  data: [
    {
      id: 'm_1',
      created_time: time,
      from: { id: '8', name: 'Ada' },
      to: { data: [{ id: '42' }] },
      message: 'Hi',
      sticker: 'https://example.com',
      attachments: { data: [{ id: 'a_1', image_data: { url: 'https://example.com' } }], paging: inner },
    },
  ],
};
const utility = {
  name: 'order_sent',
  language: 'en_US',
  components: [{ type: 'body', parameters: [{ type: 'text', text: '1001' }] }],
};
const receipt = { 'POST 42/messages': { recipient_id: '8' } };
const isReceipt = (value: { recipient_id: string }): boolean => isText(value.recipient_id);
const message = { kind: 'message', id: 'message_id', lost: { path: /\/messages$/ } } as const;
/** The platform takes one, and refuses another: the refusal shows that the lost one took effect. */
const privateReplies = {
  kind: 'message',
  id: 'message_id',
  hides: 'all but a repetition',
  lost: { path: /\/messages$/, kind: 'private_reply', one: 'private_reply', again: 'applied' },
} as const;

export const inbox: Table<PageContext, typeof subject> = {
  conversations: {
    kinds: {
      pageId: 'id',
      pageToken: 'token',
      limit: 'count',
      after: 'text',
      userId: 'id',
      enrich: 'flag',
      messages: 'count',
    },
    variants: [
      { pageId: '42', pageToken, limit: 5, after: 'QVF1', userId: '8', enrich: true },
      { pageId: '42', pageToken, messages: 5 },
    ],
    routes: { 'GET 42/conversations': threads, 'GET 8': person },
    holds: (value: { data: unknown[] }) =>
      haveIds(value.data) && value.data.every((thread) => haveIds(at(thread, 'contacts'))),
    options: onPage,
  },
  messages: {
    kinds: { conversationId: 'id', pageToken: 'token', limit: 'count', after: 'text' },
    variants: [{ conversationId: 't_1', pageToken, limit: 3, after: 'QVF1' }],
    routes: { 'GET t_1/messages': { ...thread, paging: { ...paging, next: paging.previous } } },
    holds: (value: { data: unknown }) => haveIds(value.data),
    options: ({ page: { conversationIds }, pageToken }) => ({
      conversationId: conversationIds[0] ?? '',
      pageToken,
    }),
  },
  messageDetails: {
    kinds: { messageId: 'id', pageToken: 'token', fields: 'names' },
    variants: [
      { messageId: 'm_1', pageToken },
      { messageId: 'm_1', pageToken, fields: ['id', 'from'] },
    ],
    routes: { 'GET m_1': { ...thread.data[0], reply_to: { mid: 'm_0', is_self_reply: false } } },
    holds: hasId,
    prepare: received('page'),
    options: ({ prepared, pageToken }) => ({ messageId: prepared, pageToken }),
  },
  iterateConversations: {
    kinds: {
      pageId: 'id',
      pageToken: 'token',
      limit: 'count',
      pageSize: 'count',
      enrich: 'flag',
      onUnreadable: 'hook',
      messages: 'count',
      onWithheld: 'hook',
    },
    variants: [
      { pageId: '42', pageToken, limit: 5, pageSize: 2, enrich: true, onUnreadable: () => undefined },
      { pageId: '42', pageToken, messages: 5, onWithheld: () => undefined },
    ],
    routes: { 'GET 42/conversations': { ...threads, paging }, 'GET 8': person },
    holds: (last: unknown) => last === undefined || hasId(last as never),
    options: onPage,
  },
  iterateMessages: {
    kinds: {
      conversationId: 'id',
      pageToken: 'token',
      limit: 'count',
      pageSize: 'count',
      onUnreadable: 'hook',
    },
    variants: [{ conversationId: 't_1', pageToken, limit: 3, pageSize: 2, onUnreadable: () => undefined }],
    routes: { 'GET t_1/messages': { ...thread, paging } },
    holds: (last: unknown) => last === undefined || hasId(last as never),
    options: ({ page: { conversationIds }, pageToken }) => ({
      conversationId: conversationIds[0] ?? '',
      pageToken,
    }),
  },
  contact: {
    kinds: { psid: 'id', pageToken: 'token' },
    variants: [{ psid: '8', pageToken }],
    routes: { 'GET 8': person },
    failures: [],
    holds: (value: { id: string; available: boolean }) =>
      isText(value.id) && typeof value.available === 'boolean',
    options: ({ page: { contacts }, pageToken }) => ({
      psid: contacts.find(({ consent }) => consent)?.id ?? '',
      pageToken,
    }),
  },
  sendMessage: {
    kinds: {
      idempotencyKey: 'key',
      pageId: 'id',
      pageToken: 'token',
      recipientId: 'id',
      ...messaging.contentKinds,
      mediaId: 'nothing',
      sticker: 'nothing',
      replyTo: 'id',
      humanAgent: 'flag',
      utility: 'object',
      metadata: 'text',
      personaId: 'id',
      notificationType: 'text',
      userRef: 'text',
    },
    variants: [...messaging.contents, { utility }].map((content) => ({
      pageId: '42',
      pageToken,
      recipientId: '8',
      userRef: undefined,
      notificationType: 'NO_PUSH',
      mediaId: undefined,
      sticker: undefined,
      metadata: 'order 7',
      personaId: '55',
      ...content,
    })),
    routes: messaging.routes,
    holds: isSent,
    options: (at) => ({ ...toCustomer(at), text: at.message }),
    writes: [
      { ...message, keyed: { stranger: messageTo('page') } },
      // What a list shows without its content may be a person's.
      {
        ...message,
        as: 'a template',
        give: (at) => ({
          text: undefined,
          template: { type: 'generic', elements: [{ title: at.message, subtitle: 'Today' }] },
        }),
        hides: 'its content',
      },
      {
        ...message,
        as: 'by a message template',
        prepare: ({ context, at }) => idOf(page.createMessageTemplate(context, orderSent(at))),
        give: ({ page: { contacts } }) => ({
          text: undefined,
          recipientId: contacts.find(({ inWindow }) => !inWindow)?.id ?? '',
          utility: { name: 'order_sent', language: 'en_US' },
        }),
        hides: 'its content',
      },
    ],
  },
  privateReply: {
    kinds: {
      idempotencyKey: 'key',
      pageId: 'id',
      pageToken: 'token',
      commentId: 'id',
      postId: 'id',
      ...messaging.contentKinds,
      mediaId: 'nothing',
      sticker: 'nothing',
      utility: 'nothing',
    },
    variants: messaging.replies.map((content, at) => ({
      pageId: '42',
      pageToken,
      mediaId: undefined,
      utility: undefined,
      sticker: undefined,
      ...(at === 0 ? { postId: '42_1' } : { commentId: '42_7' }),
      ...content,
    })),
    routes: { 'POST 42/messages': messaging.routes['POST messages'] },
    holds: isSent,
    options: (at) => ({ ...onPage(at), ...onComment(at), text: at.message }),
    writes: [{ ...privateReplies, keyed: { stranger: messageTo('page') } }],
  },
  sendAction: {
    kinds: { pageId: 'id', pageToken: 'token', recipientId: 'id', action: 'choice' },
    variants: [{ pageId: '42', pageToken, recipientId: '8', action: 'typing_on' }],
    routes: receipt,
    holds: isReceipt,
    options: (at) => ({ ...toCustomer(at), action: 'typing_on' }),
    writes: [{ kind: 'sender_action', lost: { path: /\/messages$/ } }],
  },
  sendReaction: {
    kinds: { pageId: 'id', pageToken: 'token', recipientId: 'id', messageId: 'id', reaction: 'text or null' },
    variants: [
      { pageId: '42', pageToken, recipientId: '8', messageId: 'm_1', reaction: 'love' },
      { pageId: '42', pageToken, recipientId: '8', messageId: 'm_1', reaction: null },
    ],
    routes: receipt,
    holds: isReceipt,
    prepare: received('page'),
    options: (at) => ({ ...toCustomer(at), messageId: at.prepared, reaction: 'love' }),
    writes: [{ kind: 'reaction', lost: { path: /\/messages$/ } }],
  },
  uploadAttachment: {
    kinds: {
      pageId: 'id',
      pageToken: 'token',
      type: 'choice',
      url: 'url',
      file: 'video',
      uploadTimeoutMs: 'time limit',
    },
    variants: [
      { pageId: '42', pageToken, type: 'image', url: 'https://example.com/a', uploadTimeoutMs: 1000 },
      { pageId: '42', pageToken, type: 'video', file: new Uint8Array(3) },
    ],
    routes: { 'POST 42/message_attachments': { attachment_id: '7' } },
    holds: (value: { attachment_id: string }) => isText(value.attachment_id),
    options: (at) => ({ ...onPage(at), type: 'image', url: image(at.message) }),
    writes: [
      {
        as: 'bytes',
        call: (context, at) =>
          page
            .uploadAttachment(context, {
              ...onPage(at),
              type: 'file',
              file: fileOf(at.message),
              uploadTimeoutMs: 3000,
            })
            .andThen(({ attachment_id: attachmentId }) =>
              page.sendMessage(context, { ...toCustomer(at), attachment: { type: 'file', attachmentId } }),
            ),
        kind: 'attachment',
        lost: { path: /\/message_attachments$/, one: 'message' },
      },
    ],
  },
};
