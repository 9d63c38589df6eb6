import { ok, okAsync, type ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { guardHook } from '../core/http/hooks.ts';
import { path } from '../core/http/path.ts';
import { perform, safeTry } from '../core/http/send.ts';
import { check, exactlyOneOf, hook, id, optional, token, url } from '../core/options/check.ts';
import { fileSource, type FileSource } from '../core/options/fileSource.ts';
import type { KeyedOptions } from '../core/writes/journal/types.ts';
import { keyed, keyIn, record, recordedIn, openDigested } from '../core/writes/keyed.ts';
import { sendOnce } from '../core/writes/sendOnce.ts';
import type { PublishedPhotoStory } from '../models/written.ts';
import type { PageCallOptions, PageContext } from './context.ts';
import { storyLookup, storyPostSchema } from './internal/lookups.ts';
import { uploadPhoto } from './internal/photo.ts';

interface PublishPhotoStoryCommon extends PageCallOptions, KeyedOptions {
  readonly pageId: string;
  /** Called once the photo is uploaded, before the story is published. Anything it throws is ignored. */
  readonly onCreated?: ((ids: { readonly photo_id: string }) => unknown) | undefined;
}

/** Options for a photo at a public address. */
export interface PublishHostedPhotoStoryOptions extends PublishPhotoStoryCommon {
  /** Public address of the photo, fetched by the platform: JPEG, BMP, PNG, GIF or TIFF, up to 10 MB. */
  readonly photoUrl: string;
  readonly photo?: undefined;
  readonly photoId?: undefined;
}

/** Options for a photo that this call uploads. */
export interface PublishSentPhotoStoryOptions extends PublishPhotoStoryCommon {
  /**
   * The photo's bytes, or the path of its file as a string or a file URL; up to 10 MB. Never use a path from user
   * input.
   */
  readonly photo: FileSource;
  readonly photoUrl?: undefined;
  readonly photoId?: undefined;
}

/** Options for a photo that is already uploaded. */
export interface PublishUploadedPhotoStoryOptions extends PublishPhotoStoryCommon {
  /** A photo that is uploaded but not published. It is valid for about 24 hours. */
  readonly photoId: string;
  readonly photoUrl?: undefined;
  readonly photo?: undefined;
}

export type PublishPhotoStoryOptions =
  | PublishHostedPhotoStoryOptions
  | PublishSentPhotoStoryOptions
  | PublishUploadedPhotoStoryOptions;

/**
 * Publishes a photo as a story of a Page: uploads it unpublished, then publishes it as a story.
 *
 * Once-only: after a lost response, the story is looked up among those of the Page. If it fails, the error's `payload`
 * holds `photo_id`: pass it as `photoId` to resume without another upload. The photo of an earlier post is refused.
 *
 * Permissions: `pages_manage_posts`, `pages_read_engagement`, `pages_show_list`; Page task `CREATE_CONTENT`. Source:
 * Page stories guide.
 *
 * @example
 * const story = await publishPhotoStory(context, { pageId, pageToken, photoUrl: 'https://example.com/a.jpg' });
 * if (story.isOk()) console.log(story.value.post_id);
 *
 * @example With a client, which throws
 * const story = await client.publishPhotoStory({ pageId, pageToken, photoUrl: 'https://example.com/a.jpg' });
 */
export function publishPhotoStory(
  context: PageContext,
  options: PublishPhotoStoryOptions,
): ResultAsync<PublishedPhotoStory, Failure> {
  const checked = check(
    context,
    options,
    () => ({
      idempotencyKey: keyIn(context),
      pageId: id,
      pageToken: token,
      photoUrl: optional(url),
      photo: optional(fileSource('photoUrl')),
      photoId: optional(id),
      onCreated: optional(hook),
    }),
    (own) => exactlyOneOf(own, 'photoUrl', 'photo', 'photoId'),
  );
  return perform(context, 'publishPhotoStory', checked, (call, own) => {
    const { pageId, photoUrl = '', photo, photoId } = own;
    const onCreated = guardHook(own.onCreated);
    return keyed(context, call, 'page', own, (context) =>
      safeTry(async function* () {
        let photo_id = photoId ?? recordedIn(context).photo_id;
        if (photo_id === undefined) {
          const source = yield* photo === undefined
            ? okAsync(photoUrl)
            : openDigested(context, photo, 'photo');
          photo_id = (yield* uploadPhoto(context, call, pageId, source)).id;
        }
        if (photoId === undefined) {
          onCreated?.({ photo_id });
          yield* record(context, { photo_id });
        }
        const { post_id } = yield* sendOnce(
          context,
          {
            ...call,
            method: 'POST',
            path: path`${pageId}/photo_stories`,
            form: { photo_id },
            schema: storyPostSchema,
          },
          storyLookup(context, pageId, photo_id, { photo_id }, call),
        );
        return ok({ photo_id, post_id, success: true as const });
      }),
    );
  });
}
