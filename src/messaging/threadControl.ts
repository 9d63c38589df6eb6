import type { ResultAsync } from 'neverthrow';

import type { Context } from '../core/context.ts';
import type { RequestFailure } from '../core/errors.ts';
import { path } from '../core/http/path.ts';
import { send } from '../core/http/send.ts';
import type { Call } from '../core/http/types.ts';
import { type Acknowledgement, acknowledgementSchema } from '../models/fields.ts';

/** A change of the app that controls a conversation. */
export interface ThreadChange extends Call {
  /** The node whose inbox has the conversation. */
  readonly node: string;
  readonly change: 'take' | 'pass' | 'request' | 'release';
  readonly recipientId: string;
  readonly targetAppId?: string | undefined;
  readonly metadata?: string | undefined;
}

/** Changes which app controls a conversation, or asks the other one to hand it over. */
export function changeThread(
  context: Context,
  { node, change, recipientId, targetAppId, metadata, ...call }: ThreadChange,
): ResultAsync<Acknowledgement, RequestFailure> {
  return send(context, {
    ...call,
    method: 'POST',
    path: path`${node}/${`${change}_thread_control`}`,
    json: { recipient: { id: recipientId }, target_app_id: targetAppId, metadata },
    schema: acknowledgementSchema,
  });
}
