import * as v from 'valibot';

import { ConfigurationError } from '../core/errors.ts';
import type { Params } from '../core/http/types.ts';
import { id, listOf, onlyFor, optional, type Rule } from '../core/options/check.ts';

/** The place of a post. */
export interface PlaceOptions {
  /** A Page with a location. */
  readonly placeId?: string | undefined;
  /**
   * Ids of people who are there; with `placeId` only. The platform does not document which ids it accepts: it may
   * refuse or ignore those of people who do not use the app.
   */
  readonly tags?: readonly string[] | undefined;
}

export function placeRules(given: PlaceOptions): { readonly placeId: Rule; readonly tags: Rule } {
  return {
    placeId: optional(id),
    tags: optional(
      v.pipe(
        v.unknown(),
        v.check(() => given.placeId !== undefined, 'must come with placeId'),
        people,
      ),
    ),
  };
}

const people = listOf(id, 1);

/** The parameters for the place of a post. */
export function placeOf({ placeId, tags }: PlaceOptions): Params {
  return { place: placeId, tags: JSON.stringify(tags) };
}

/** Content, and what publishes it. */
const homes = {
  message: 'posts',
  link: 'posts',
  altText: 'single photos',
  photoUrl: 'photos',
  photo: 'photos',
  photos: 'publishPhotos',
  videoUrl: 'videos',
  video: 'videos',
};

/** Rules that refuse content of another kind: what is published would lack it. */
export function refuseContent<TName extends keyof typeof homes>(
  ...names: readonly TName[]
): Record<TName, Rule> {
  // `fromEntries` loses the names.
  return Object.fromEntries(names.map((name) => [name, onlyFor(homes[name])])) as Record<TName, Rule>;
}

/** Refuses more than one of the options that say when something is published. */
export function checkTiming({
  draft,
  scheduledAt,
  published,
}: {
  readonly draft?: boolean | undefined;
  readonly scheduledAt?: Date | number | undefined;
  readonly published?: boolean | undefined;
}): ConfigurationError | undefined {
  return [draft, scheduledAt, published].filter(Boolean).length > 1
    ? new ConfigurationError(
        'give only one of draft, scheduledAt and published: true',
        draft ? 'draft' : 'scheduledAt',
      )
    : undefined;
}
