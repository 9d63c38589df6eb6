import type { ResultAsync } from 'neverthrow';
import type { GenericSchema } from 'valibot';

import type { Context } from '../context.ts';
import type { RequestFailure } from '../errors.ts';
import { toForm, withQuery } from '../http/addresses.ts';
import { sendForResponse } from '../http/send.ts';
import type { Call, GraphResponse, Method } from '../http/types.ts';
import { fieldsOf } from '../objects.ts';

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
): ResultAsync<GraphResponse<TOutput>, RequestFailure> {
  const path = 'debug_token';
  const query = { input_token: token };
  const asked = { ...call, secrets: [token], schema };
  if (context.tokenTransport === 'query') return sendForResponse(context, { ...asked, path, query });
  const batch = JSON.stringify([{ method: 'GET', relative_url: withQuery(path, query) }]);
  const form = { batch, include_headers: false };
  return sendForResponse(context, { ...asked, method: asking, path: '', form, unwrap: partOf });
}

/** Where a runtime sends it twice, it has asked twice. */
const asking: Method = { name: 'POST', toBody: ({ form = {} }) => ({ body: toForm(form) }) };

/** What stands in the only part of a batch. */
function partOf(content: unknown): { readonly code: number; readonly body: string } | undefined {
  const { code, body } = fieldsOf(fieldsOf(content)[0]);
  return typeof code === 'number' && typeof body === 'string' ? { code, body } : undefined;
}
