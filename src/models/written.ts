import * as v from 'valibot';

import { idSchema, objectOf, type Schema } from './fields.ts';

/** An object that a write created. */
export interface Created {
  readonly id: string;
}

/** Reads the id of an object that a write created. Other fields are kept. */
export const createdSchema: Schema<Created> = objectOf({ id: idSchema });

/** How a lookup gets the id from the response to a write, and makes such a response from an id. */
export const asCreated = {
  idOf: ({ id }: Created): string | undefined => id,
  toValue: (id: string): Created => ({ id }),
};

/** Like {@link asCreated}, for objects that no list contains under the id from the response. */
export const asUnseen = {
  idOf: (): undefined => undefined,
  toValue: (id: string): Created => ({ id }),
};

/** The platform's confirmation. */
export interface Acknowledgement {
  readonly success: true;
}

/** Reads `{ "success": true }`, which some endpoints send as a string. Other fields are kept. */
export const acknowledgementSchema: Schema<Acknowledgement> = objectOf({
  success: v.pipe(
    v.unknown(),
    v.check((value) => value === true || value === 'true', 'expected true'),
    v.transform(() => true as const),
  ),
});

/** Like {@link acknowledgementSchema}, but returns `true`. `false` is handled earlier, as a refusal. */
export const successSchema: Schema<true> = v.pipe(
  acknowledgementSchema,
  v.transform(() => true as const),
);

/** A photo that was published, or uploaded to be published later. */
export interface PublishedPhoto {
  /** The photo. */
  readonly id: string;
  /** Its post. Absent until it is published. */
  readonly post_id?: string | undefined;
}

/** A post of several photos. */
export interface PublishedPhotos {
  /** The post. */
  readonly id: string;
  /** The photos, in order. */
  readonly photo_ids: readonly string[];
}

/** A photo that was published as a story. */
export interface PublishedPhotoStory {
  readonly photo_id: string;
  readonly post_id: string;
  readonly success: true;
}

/** A video that was published as a story. */
export interface PublishedVideoStory {
  readonly video_id: string;
  readonly post_id: string;
  /** With `waitFor: 'processed'`: whether the platform had processed it in time. */
  readonly processed?: boolean | undefined;
  readonly success: true;
}

/** A published or scheduled video. */
export interface PublishedVideo {
  readonly video_id: string;
  /** Its post. Absent if the platform did not return it in time, or if it will be published later. */
  readonly post_id?: string | undefined;
  readonly permalink_url?: string | undefined;
  /** With `waitFor: 'processed'`: whether the platform had processed it in time. */
  readonly processed?: boolean | undefined;
}

/** A published or scheduled Reel. */
export interface PublishedReel {
  readonly video_id: string;
  /** Its post. Absent if the platform did not return it in time, or if it will be published later. */
  readonly post_id?: string | undefined;
  /** With `waitFor: 'processed'`: whether the platform had processed it in time. */
  readonly processed?: boolean | undefined;
  readonly success: true;
}

/** Media that was published. */
export interface Published {
  readonly container_id: string;
  readonly media_id: string;
}

/** A carousel that was published. */
export interface PublishedCarousel extends Published {
  /** Container ids of its images, in order. */
  readonly children: readonly string[];
}
