import type { ResultAsync } from 'neverthrow';
import * as v from 'valibot';

import type { Context } from '../core/context.ts';
import type { RequestFailure } from '../core/errors.ts';
import { path } from '../core/http/addresses.ts';
import { send } from '../core/http/send.ts';
import type { Call } from '../core/http/types.ts';
import { fieldsOf } from '../core/objects.ts';
import * as rule from '../core/options/rules.ts';
import { type Acknowledgement, acknowledgementSchema, isObject, type Schema } from '../models/fields.ts';
import type { Greeting, IceBreakers, MessengerProfile, PersistentMenu } from '../models/messengerProfile.ts';
import { messengerProfileSchema } from '../models/messengerProfile.ts';

export type { Greeting, MessengerProfile };

/** The profile of an inbox. */
export interface ProfileCall extends Call {
  /** The Page, or the account. */
  readonly node: string;
  /** The platform whose messages the Page's inbox holds. @default the Page's own */
  readonly platform?: string | undefined;
}

/** Reads these properties of an inbox's profile. */
export function readProfile(
  context: Context,
  call: ProfileCall,
  names: readonly string[],
): ResultAsync<MessengerProfile, RequestFailure> {
  const { query, ...request } = toRequest(call);
  return send(context, {
    ...request,
    query: { ...query, fields: names.join(',') },
    schema: messengerProfileSchema(names),
  });
}

/** Sets properties of an inbox's profile; the others stay unchanged. */
export function writeProfile(
  context: Context,
  call: ProfileCall,
  properties: object,
): ResultAsync<Acknowledgement, RequestFailure> {
  return send(context, { ...toRequest(call), method: 'POST', json: properties, schema: writtenSchema });
}

/** Removes properties from an inbox's profile. */
export function deleteProfile(
  context: Context,
  call: ProfileCall,
  names: readonly string[],
): ResultAsync<Acknowledgement, RequestFailure> {
  const { query, ...request } = toRequest(call);
  return send(context, {
    ...request,
    method: 'DELETE',
    query: { ...query, fields: JSON.stringify(names) },
    schema: writtenSchema,
  });
}

function toRequest({ node, platform, ...call }: ProfileCall) {
  return { ...call, path: path`${node}/messenger_profile`, query: { platform } };
}

/** Reads `{ "success": true }`, or `{ "result": "success" }`, as the platform responds to a Page. */
const writtenSchema: Schema<Acknowledgement> = v.pipe(
  v.unknown(),
  v.transform((body) => (isObject(body) && body['result'] === 'success' ? { success: true } : body)),
  acknowledgementSchema,
);

/** What people can tap in an inbox instead of writing. */
export interface MenuOptions {
  /** Questions to start a conversation with: 1 to 4 in each language, one of which is `default`. */
  readonly iceBreakers?: readonly IceBreakers[] | undefined;
  /** The menu, in each language. */
  readonly persistentMenu?: readonly PersistentMenu[] | undefined;
}

const questions = rule.listOf(
  rule.openFields({
    locale: rule.text,
    call_to_actions: rule.listOf(rule.openFields({ question: rule.text, payload: rule.text }), 1, 4),
  }),
  1,
);

const menus = rule.listOf(
  rule.openFields({
    locale: rule.text,
    call_to_actions: rule.optional(
      rule.listOf(rule.openFields({ type: rule.text, title: rule.text, url: rule.optional(rule.url) })),
    ),
  }),
  1,
);

/** The rules of {@link MenuOptions}. */
export const menuRules = {
  iceBreakers: rule.optional(
    rule.copyOfJson(
      v.pipe(
        questions,
        v.check(
          (all) => all.some((one) => fieldsOf(one)['locale'] === 'default'),
          'must have the locale default',
        ),
      ),
    ),
  ),
  persistentMenu: rule.optional(rule.copyOfJson(menus)),
};
