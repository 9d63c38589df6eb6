import type { PageContext } from '../../../src/page/context.ts';
import * as page from '../../../src/page/index.ts';
import type * as subject from '../../../src/page/threadControl.ts';
import { at } from '../../hostile/kinds.ts';
import { idOf, toCustomer } from '../at.ts';
import { isAcknowledged, isText } from '../holds.ts';
import type { Table } from '../table.ts';
import { pageToken } from '../values.ts';

const controlKinds = { pageId: 'id', pageToken: 'token', recipientId: 'id', metadata: 'text' } as const;
const control = { pageId: '42', pageToken, recipientId: '8', metadata: 'wants a person' };

export const threadControl: Table<PageContext, typeof subject> = {
  threadOwner: {
    kinds: { pageId: 'id', pageToken: 'token', recipientId: 'id' },
    variants: [{ pageId: '42', pageToken, recipientId: '8' }],
    routes: { 'GET 42/thread_owner': { data: [{ thread_owner: { app_id: '9', expiration: 1767323045 } }] } },
    holds: (value: object) => at(value, 'app_id') === undefined || isText(at(value, 'app_id')),
    options: toCustomer,
  },
  takeThreadControl: {
    kinds: controlKinds,
    variants: [control],
    routes: { 'POST 42/take_thread_control': { success: true } },
    holds: isAcknowledged,
    prepare: ({ sandbox }) => {
      sandbox.tune({ threads: { routing: true } });
      return '';
    },
    options: toCustomer,
    writes: [{ kind: 'thread_control', lost: { path: /\/take_thread_control$/ } }],
  },
  passThreadControl: {
    kinds: { ...controlKinds, targetAppId: 'id' },
    variants: [control, { ...control, targetAppId: '9' }],
    routes: { 'POST 42/pass_thread_control': { success: true } },
    holds: isAcknowledged,
    options: toCustomer,
    writes: [{ kind: 'thread_control', lost: { path: /\/pass_thread_control$/, again: 'unknown' } }],
  },
  requestThreadControl: {
    kinds: controlKinds,
    variants: [control],
    routes: { 'POST 42/request_thread_control': { success: true } },
    holds: isAcknowledged,
    options: toCustomer,
    writes: [{ kind: 'thread_control', lost: { path: /\/request_thread_control$/ } }],
  },
  releaseThreadControl: {
    kinds: controlKinds,
    variants: [control],
    routes: { 'POST 42/release_thread_control': { success: true } },
    holds: isAcknowledged,
    prepare: ({ context, at }) =>
      idOf(page.sendMessage(context, { ...toCustomer(at), text: 'Hi' }), 'message_id'),
    options: toCustomer,
    writes: [{ kind: 'thread_control', lost: { path: /\/release_thread_control$/, again: 'unknown' } }],
  },
};
