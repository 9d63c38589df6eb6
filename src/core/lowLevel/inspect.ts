import { ResultAsync } from 'neverthrow';
import type { GenericSchema } from 'valibot';

import type { Context } from '../context.ts';
import { withCaller } from '../deriveError.ts';
import type { RequestFailure } from '../errors.ts';
import { createRedact } from '../http/redact.ts';
import { sendForResponse } from '../http/send.ts';
import type { Call, GraphResponse } from '../http/types.ts';
import { placeOfPart, readPart, sendSome } from './batch.ts';

/**
 * What the platform says of a token, which has to stand in the address of the request: with `tokenTransport: 'header'`,
 * that is the address of the one part of a batch, so that it is sent in a body.
 *
 * @param call with the app's own token
 */
export function inspect<TOutput>(
  context: Context,
  call: Call,
  token: string,
  schema: GenericSchema<unknown, TOutput>,
): ResultAsync<Pick<GraphResponse<TOutput>, 'value' | 'redact'>, RequestFailure> {
  const path = 'debug_token';
  const query = { input_token: token };
  if (context.tokenTransport === 'query')
    return sendForResponse(context, { ...call, path, query, secrets: [token], schema });
  const part = { method: 'GET', path, params: query, schema } as const;
  return new ResultAsync(
    sendSome(context, [part], call, true).then((sent) => {
      const read = readPart(context, { ...part, token: call.token }, sent, 0);
      return read
        .map((value) => ({
          // It was read by the schema.
          value: value as TOutput,
          redact: sent.isOk() ? sent.value.redact : createRedact([token]),
        }))
        .mapErr((failure) => withCaller(failure, placeOfPart(context, part, call)));
    }),
  );
}
