import type { ResultAsync } from 'neverthrow';

import type { RequestFailure } from '../../core/errors.ts';
import { path } from '../../core/http/path.ts';
import { send } from '../../core/http/send.ts';
import type { Call } from '../../core/http/types.ts';
import { id, type Rule } from '../../core/options/check.ts';
import { objectOf, type Schema } from '../../core/schema.ts';
import type { PicsContext } from '../context.ts';
import { accountOf } from './account.ts';

/** The rule for an id within a field expression: no character that could end the expression. */
export const wordId: Rule = (value) =>
  id(value) ?? (/^\w+$/.test(String(value)) ? undefined : 'must be an id of letters and digits');

/** Where the account is mentioned. */
interface Mention<TValue> {
  readonly field: 'mentioned_media' | 'mentioned_comment';
  /** The arguments that select it in the field expression. */
  readonly at: string;
  readonly fields: string;
  readonly schema: Schema<TValue>;
}

/** Reads a mention of an account, which the platform exposes as a field of the account. */
export function readMention<TValue>(
  context: PicsContext,
  { picsUserId, ...call }: Call & { readonly picsUserId: string | undefined },
  { field, at, fields, schema }: Mention<TValue>,
): ResultAsync<TValue, RequestFailure> {
  const body: Schema<Readonly<Record<string, unknown>>> = objectOf({ [field]: schema });
  return send(context, {
    ...call,
    method: 'GET',
    path: path`${accountOf(picsUserId)}`,
    query: { fields: `${field}.${at}{${fields}}` },
    schema: body,
  }).map(
    // `objectOf` cannot infer the output of a schema that is a type parameter.
    (found) => found[field] as TValue,
  );
}
