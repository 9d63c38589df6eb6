import * as v from 'valibot';

import { path } from '../core/http/addresses.ts';
import { ownFields } from '../core/http/fields.ts';
import { DELETE, POST } from '../core/http/methods.ts';
import { fieldsOf } from '../core/objects.ts';
import * as rule from '../core/options/rules.ts';
import { type Acknowledgement, acknowledgementSchema, isObject, type Schema } from '../models/fields.ts';
import type { Greeting, IceBreakers, MessengerProfile, PersistentMenu } from '../models/messengerProfile.ts';
import { messengerProfileSchema } from '../models/messengerProfile.ts';

export type { Greeting, MessengerProfile };

/** The profile of an inbox, by its Page or account. */
export interface ProfileNode {
  readonly node: string;
  /** The platform whose messages the Page's inbox holds. @default the Page's own */
  readonly platform?: string | undefined;
}

/** The request that reads these properties of an inbox's profile. */
export function readProfile({ node, platform }: ProfileNode, names: readonly string[]) {
  return {
    path: path`${node}/messenger_profile`,
    query: { platform, fields: names.join(',') },
    ownFields,
    schema: messengerProfileSchema(names),
  };
}

/** The request that sets properties of an inbox's profile; the others stay unchanged. */
export function writeProfile({ node, platform }: ProfileNode, properties: object) {
  return {
    method: POST,
    path: path`${node}/messenger_profile`,
    query: { platform },
    json: properties,
    schema: writtenSchema,
  };
}

/** The request that removes properties from an inbox's profile. */
export function deleteProfile({ node, platform }: ProfileNode, names: readonly string[]) {
  return {
    method: DELETE,
    path: path`${node}/messenger_profile`,
    query: { platform, fields: JSON.stringify(names) },
    schema: writtenSchema,
  };
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
