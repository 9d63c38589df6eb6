// What valid options and responses of several subjects are made of.
import { graphBase } from '../support/context.ts';

/** What stands where a token, or a code, belongs: suites may put others in their place. */
export const secrets = {
  token: 'page-token',
  code: 'login-code',
  shortToken: 'short-lived-token',
  longToken: 'long-lived-token',
  entryToken: 'token-of-an-entry',
};
export const { token, code, shortToken, longToken, entryToken } = secrets;
export const pageToken = secrets.token;

export const request = ['ApiError', 'RateLimitError', 'PermissionError', 'TransportError'];
export const publishing = [...request, 'ContainerNotReadyError'];
export const network = ['TransportError'];

/** The platform's description of a token. */
export const inspected = {
  data: {
    app_id: '1',
    type: 'USER',
    is_valid: true,
    issued_at: 1_700_000_000,
    expires_at: 1_800_000_000,
    data_access_expires_at: 0,
    scopes: ['email'],
    granular_scopes: [{ scope: 'pages_show_list', target_ids: ['42'] }],
    user_id: '5',
    profile_id: '42',
    error: { code: 190, subcode: 463, message: 'Session has expired' },
  },
};

export const created = { id: '901' };
export const time = '2026-01-02T00:00:01+0000';
export const paging = {
  cursors: { before: 'QVF1', after: 'QVF2' },
  previous: `${graphBase}/42/list?access_token=${encodeURIComponent(token)}&before=QVF1`,
};

// Lists within lists have links of their own.
export const inner = {
  cursors: paging.cursors,
  next: `${paging.previous}&appsecret_proof=0a0a`,
  previous: paging.previous,
};

const address = 'https://example.com/a';
const buttons = [{ type: 'postback', title: 'Menu', payload: 'MENU' }] as const;
/** A content of each kind that both platforms can send, and what a conversation shows of it. */
const replies = [
  { text: 'Hi', quickReplies: [{ title: 'Yes', payload: 'YES' }] },
  { attachment: { type: 'image', url: address } },
  { images: [address, address] },
  { template: { type: 'button', text: 'What next?', buttons } },
] as const;
const contents = replies.map((content) => ({ ...content, replyTo: 'm_0', humanAgent: true }));
const contentKinds = {
  text: 'text',
  quickReplies: 'list',
  attachment: 'object',
  images: 'images',
  template: 'object',
} as const;
const sentMessage = {
  id: 'm_1',
  created_time: time,
  from: { id: '42' },
  to: { data: [{ id: '8' }] },
  message: 'Hi',
  attachments: { data: [{ id: 'a_1', image_data: { url: address } }], paging: inner },
  shares: { data: [{ link: address }] },
  sticker: address,
};
export const messaging = {
  replies,
  contents,
  contentKinds,
  routes: {
    'POST messages': { recipient_id: '8', message_id: 'm_1' },
    'GET conversations': { data: [{ id: 't_1', messages: { data: [sentMessage] } }] },
  },
};
