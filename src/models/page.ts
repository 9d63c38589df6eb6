import * as v from 'valibot';

import { hide } from '../core/options/secrets.ts';
import { idSchema, node, part, type Raw, text, texts } from './fields.ts';

/** A Page that a user manages. */
export interface Page {
  readonly id: string;
  /** Empty if the platform gives none. */
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
  /** The Page as the platform sent it, without the token. */
  readonly raw: Raw;
}

/**
 * Reads a {@link Page}.
 *
 * @param linkedAccount the field that holds the linked account, `platform.words.linkedAccount`
 */
export function pageSchema(linkedAccount: string): v.GenericSchema<unknown, Page> {
  return v.pipe(
    // Typed without the linked account: its name is known only here.
    node({ ...entries, [linkedAccount]: linkedSchema } as typeof entries),
    v.transform(({ access_token = '', id, name = '', tasks = [], raw: sent, ...fields }) => {
      const linked = fields[linkedAccount] as v.InferOutput<typeof linkedSchema>;
      const { access_token: _, ...raw } = sent;
      const shown = { id, name, pics_id: linked?.id, pics_username: linked?.username, tasks, raw };
      return hide(shown, { access_token });
    }),
  );
}

const entries = {
  id: idSchema,
  name: text,
  access_token: text,
  tasks: texts,
};

const linkedSchema = part(node({ id: idSchema, username: text }));
