import { ok, okAsync, type ResultAsync } from 'neverthrow';

import type { Failure, RequestFailure } from '../core/errors.ts';
import { perform, safeTry, send } from '../core/http/send.ts';
import type { Call, GraphRequest } from '../core/http/types.ts';
import {
  check,
  exactlyOneOf,
  fieldsOf,
  flag,
  id,
  optional,
  text,
  token,
  url,
} from '../core/options/check.ts';
import { fileSource, type FileSource } from '../core/options/fileSource.ts';
import { scheduleSeconds, toSeconds } from '../core/options/time.ts';
import { converted, type Schema } from '../core/schema.ts';
import type { KeyedOptions } from '../core/writes/journal/types.ts';
import { keyed, keyIn, openDigested } from '../core/writes/keyed.ts';
import { findByText, textOf } from '../core/writes/recentEntries.ts';
import { sendOnce } from '../core/writes/sendOnce.ts';
import type { EffectLookup } from '../core/writes/types.ts';
import { asUnseen, createdSchema, type PublishedPhoto } from '../models/written.ts';
import type { PageCallOptions, PageContext } from './context.ts';
import { photoRequest, tellIfChanged } from './internal/photo.ts';
import { isOneOf, photoFields, photosIn, postList } from './internal/posts.ts';

/** A photo at a public address. */
export interface HostedPhoto {
  /** Public address of the photo, fetched by the platform: JPEG, BMP, PNG, GIF or TIFF, up to 10 MB. */
  readonly photoUrl: string;
  readonly photo?: undefined;
}

/** An uploaded photo. */
export interface UploadedPhoto {
  /**
   * The photo's bytes, or the path of its file as a string or a file URL; up to 10 MB. Never use a path from user
   * input.
   */
  readonly photo: FileSource;
  readonly photoUrl?: undefined;
}

interface PublishPhotoCommon extends PageCallOptions, KeyedOptions {
  readonly pageId: string;
  readonly message?: string | undefined;
  /** What the photo shows, for people who cannot see it. */
  readonly altText?: string | undefined;
}

/** Options for a photo that is published at once, or kept unpublished. */
export interface PublishPhotoNowOptions extends PublishPhotoCommon {
  /**
   * `false` keeps the photo unpublished: for a story within 24 hours, or a post of several photos.
   * @default true
   */
  readonly published?: boolean | undefined;
  readonly scheduledAt?: undefined;
}

/** Options for a photo that the platform publishes later. */
export interface SchedulePhotoOptions extends PublishPhotoCommon {
  /** When to publish it: a Date, or unix seconds; at least 10 minutes ahead. */
  readonly scheduledAt: Date | number;
  readonly published?: false | undefined;
}

export type PublishPhotoOptions = (PublishPhotoNowOptions | SchedulePhotoOptions) &
  (HostedPhoto | UploadedPhoto);

/**
 * Publishes a photo on a Page, at once or at a later time, or uploads it without publishing it.
 *
 * Once-only: after a lost response, the photo is looked up by its text among the newest posts of the Page, or its
 * scheduled ones. Without a text it cannot be told from others: the error's `outcome` is `unknown`. An unpublished
 * photo is safe to repeat, so it is sent again.
 *
 * Permissions: `pages_manage_posts`, `pages_read_engagement`, `pages_show_list`; Page task `CREATE_CONTENT`. Source:
 * Graph API reference, Page photos; platform guide, Posts.
 *
 * @example
 * const photo = await publishPhoto(context, { pageId, pageToken, photo: './menu.jpg', message: 'The new menu' });
 * if (photo.isOk()) console.log(photo.value.post_id);
 *
 * @example With a client, which throws
 * const photo = await client.publishPhoto({ pageId, pageToken, photoUrl: 'https://example.com/menu.jpg' });
 */
export function publishPhoto(
  context: PageContext,
  options: PublishPhotoOptions,
): ResultAsync<PublishedPhoto, Failure> {
  const checked = check(
    context,
    options,
    (own) => ({
      idempotencyKey: keyIn(context),
      pageId: id,
      pageToken: token,
      photoUrl: optional(url),
      photo: optional(fileSource('photoUrl')),
      message: optional(text),
      altText: optional(text),
      published: optional(flag),
      scheduledAt: optional(scheduleSeconds(context.clock, own)),
    }),
    (own) => exactlyOneOf(own, 'photoUrl', 'photo') ?? isOneOf(own),
  );
  return perform(context, 'publishPhoto', checked, (call, own) => {
    const { pageId, photoUrl = '', photo, message, altText, published, scheduledAt } = own;
    const time = scheduledAt && toSeconds(scheduledAt);
    return keyed(context, call, 'page', own, (context) =>
      safeTry(async function* () {
        const source = yield* photo === undefined ? okAsync(photoUrl) : openDigested(context, photo, 'photo');
        const request = {
          ...call,
          ...photoRequest(pageId, source, {
            message,
            alt_text_custom: altText,
            published: time === undefined ? published : false,
            scheduled_publish_time: time,
          }),
          schema,
        };
        return ok(yield* tellIfChanged(context, sendPhoto(context, request), source));
      }),
    );

    function sendPhoto(
      context: PageContext,
      request: GraphRequest<PublishedPhoto>,
    ): ResultAsync<PublishedPhoto, RequestFailure> {
      if (published === false && time === undefined && context.keyedCall === undefined)
        return send(context, request);
      const isHidden = message === undefined || (time === undefined && published === false);
      return sendOnce(
        context,
        request,
        isHidden ? asUnseen : photoLookup(context, pageId, message, time, call),
      );
    }
  });
}

/** Reads the response to a photo upload. It has a `post_id` only if the photo is published. */
const schema: Schema<PublishedPhoto> = converted(createdSchema, (response): PublishedPhoto => {
  const postId = textOf(fieldsOf(response)['post_id']);
  return { id: response.id, ...(postId !== '' && { post_id: postId }) };
});

/** Looks up a photo by the text of its post, which must show only that photo. */
function photoLookup(
  context: PageContext,
  pageId: string,
  message: string,
  time: number | undefined,
  call: Call,
): EffectLookup<PublishedPhoto> {
  const posts = postList(pageId, time, context.clock.now(), photoFields);
  const photos = new Map<string, string>();
  return findByText(context, {
    ...call,
    ...posts,
    text: message,
    entriesIn: (listed) =>
      posts.entriesIn(listed).filter((post) => {
        const [photoId = '', ...more] = photosIn(post);
        photos.set(textOf(post['id']), photoId);
        return photoId !== '' && more.length === 0;
      }),
    idOf: ({ post_id }) => post_id,
    toValue: (post_id) => ({ id: photos.get(post_id) ?? '', post_id }),
  });
}
