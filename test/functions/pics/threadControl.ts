import type { PicsContext } from '../../../src/pics/context.ts';
import * as pics from '../../../src/pics/index.ts';
import type * as subject from '../../../src/pics/threadControl.ts';
import { idOf, inInbox } from '../at.ts';
import { isAcknowledged } from '../holds.ts';
import type { Table } from '../table.ts';
import { sender, senderKinds } from './shared.ts';

export const threadControl: Table<PicsContext, typeof subject> = {
  passThreadControl: {
    kinds: { ...senderKinds, recipientId: 'id', metadata: 'text', targetAppId: 'id' },
    variants: [{ ...sender, recipientId: '8', metadata: 'wants a person', targetAppId: '9' }],
    routes: {
      'POST 17/pass_thread_control': { success: true },
      'POST 42/pass_thread_control': { success: true },
    },
    holds: isAcknowledged,
    options: inInbox,
    writes: [{ kind: 'thread_control', lost: { path: /\/pass_thread_control$/, again: 'unknown' } }],
  },
  releaseThreadControl: {
    kinds: { ...senderKinds, recipientId: 'id', metadata: 'text' },
    variants: [{ ...sender, recipientId: '8', metadata: 'done' }],
    routes: {
      'POST 17/release_thread_control': { success: true },
      'POST 42/release_thread_control': { success: true },
    },
    holds: isAcknowledged,
    prepare: ({ context, at }) =>
      idOf(pics.sendMessage(context, { ...inInbox(at), text: 'Hi' }), 'message_id'),
    options: inInbox,
    writes: [{ kind: 'thread_control', lost: { path: /\/release_thread_control$/, again: 'unknown' } }],
  },
};
