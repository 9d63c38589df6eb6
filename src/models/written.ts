import { converted, objectOf, type Schema, schemaOf } from '../core/schema.ts';
import { idSchema } from './fields.ts';

/** An object that a write created. */
export interface Created {
  readonly id: string;
}

/** Reads the id of an object that a write created. Other fields are kept. */
export const createdSchema: Schema<Created> = objectOf({ id: idSchema });

/** How to get the id of what a write created, and the value that a lookup makes of an id. */
export const asCreated = {
  idOf: ({ id }: Created): string | undefined => id,
  toValue: (id: string): Created => ({ id }),
};

/** Like {@link asCreated}, for objects that no list shows under the id that the write returned. */
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
  success: schemaOf<true>('true', (value) =>
    value === true || value === 'true' ? { value: true } : undefined,
  ),
});

/** The same, as `true`. `false` counts as a refusal, and never arrives here. */
export const successSchema: Schema<true> = converted(acknowledgementSchema, () => true as const);

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
  /** Its post. Absent if the platform did not name it in time, or if it will be published later. */
  readonly post_id?: string | undefined;
  readonly permalink_url?: string | undefined;
  /** With `waitFor: 'processed'`: whether the platform had processed it in time. */
  readonly processed?: boolean | undefined;
}

/** A published or scheduled Reel. */
export interface PublishedReel {
  readonly video_id: string;
  /** Its post. Absent if the platform did not name it in time, or if it will be published later. */
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
