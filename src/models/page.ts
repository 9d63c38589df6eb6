import * as v from 'valibot';

import { hide } from '../core/options/secrets.ts';
import { idSchema } from './id.ts';

/** A Page that a user manages. */
export interface Page {
  readonly id: string;
  readonly name: string;
  /**
   * Page token. Secret, and not enumerable: logging, `JSON.stringify` and spreading leave it out.
   * Empty if the platform gives none, because the user has no task on the Page.
   */
  readonly access_token: string;
  /** Id of the linked photo-sharing professional account. */
  readonly pics_id: string | undefined;
  readonly pics_username: string | undefined;
  /** What the user may do on the Page, such as `CREATE_CONTENT`. */
  readonly tasks: readonly string[];
  /** The whole entry, without the token. */
  readonly raw: Readonly<Record<string, unknown>>;
}

/**
 * Reads a {@link Page}.
 *
 * @param linkedAccount the field that holds the linked account, `platform.words.linkedAccount`
 */
export function pageSchema(linkedAccount: string): v.GenericSchema<unknown, Page> {
  return v.pipe(
    // The type lacks the linked account, whose name is known only at run time.
    v.looseObject({ ...entries, [linkedAccount]: linkedSchema } as typeof entries),
    v.transform(({ access_token, ...raw }) => {
      const linked = raw[linkedAccount] as v.InferOutput<typeof linkedSchema>;
      const { id, name, tasks } = raw;
      const shown = { id, name, pics_id: linked?.id, pics_username: linked?.username, tasks, raw };
      return hide(shown, { access_token });
    }),
  );
}

const entries = {
  id: idSchema,
  name: v.string(),
  access_token: v.nullish(v.string(), ''),
  tasks: v.nullish(v.array(v.string()), []),
};

const linkedSchema = v.nullish(v.looseObject({ id: idSchema, username: v.optional(v.string()) }));
