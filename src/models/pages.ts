import * as v from 'valibot';

import { hide } from '../core/http/redact.ts';
import { flag, idSchema, node, number, part, type Raw, type Schema, text, texts } from './fields.ts';

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
export function pageSchema(linkedAccount: string): Schema<Page> {
  return v.pipe(
    // Typed without the linked account, since its name is known only at run time.
    node({ ...pageEntries, [linkedAccount]: linkedSchema } as typeof pageEntries),
    v.transform(({ access_token = '', id, name = '', tasks = [], raw: sent, ...fields }) => {
      // The schema above has read this field, whose name its type lacks.
      const linked = fields[linkedAccount] as v.InferOutput<typeof linkedSchema>;
      const { access_token: _, ...raw } = sent;
      const shown = { id, name, pics_id: linked?.id, pics_username: linked?.username, tasks, raw };
      return hide(shown, { access_token });
    }),
  );
}

const pageEntries = {
  id: idSchema,
  name: text,
  access_token: text,
  tasks: texts,
};

export const linkedSchema = part(node({ id: idSchema, username: text }));

/** A Page that a search found. */
export interface Place {
  readonly id: string;
  readonly name?: string | undefined;
  /** Address of the Page. */
  readonly link?: string | undefined;
  /** Posts and media can only name a place that has a `latitude` and a `longitude`. */
  readonly location?: PlaceLocation | undefined;
  /** Whether its posts can be marked as paid partnerships. */
  readonly is_eligible_for_branded_content?: boolean | undefined;
  /** Whether nobody manages it. */
  readonly is_unclaimed?: boolean | undefined;
  /** `blue_verified` or `not_verified`. */
  readonly verification_status?: string | undefined;
  /** The Page as the platform sent it. Not enumerable. */
  readonly raw: Raw;
}

/** Where a place is. */
export interface PlaceLocation {
  readonly city?: string | undefined;
  readonly country?: string | undefined;
  readonly latitude?: number | undefined;
  readonly longitude?: number | undefined;
  readonly state?: string | undefined;
  readonly street?: string | undefined;
  readonly zip?: string | undefined;
}

/** Reads a {@link Place}. Fields that are not in the type are kept. */
export const placeSchema: Schema<Place> = node({
  id: idSchema,
  name: text,
  link: text,
  location: part(
    node({
      city: text,
      country: text,
      latitude: number,
      longitude: number,
      state: text,
      street: text,
      zip: text,
    }),
  ),
  is_eligible_for_branded_content: flag,
  is_unclaimed: flag,
  verification_status: text,
});
