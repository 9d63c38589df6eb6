import { errAsync, ok, okAsync, type ResultAsync } from 'neverthrow';

import { withOutcome } from '../core/deriveError.ts';
import type { Failure } from '../core/errors.ts';
import { guardHook } from '../core/http/hooks.ts';
import { path } from '../core/http/path.ts';
import { safeTry } from '../core/http/resultAsync.ts';
import { deadlineOf, send } from '../core/http/send.ts';
import { check, exactlyOneOf, hook, id, optional, token, url } from '../core/options/check.ts';
import { sendOnce } from '../core/writes/sendOnce.ts';
import { createdSchema } from '../models/created.ts';
import type { PublishedPhotoStory } from '../models/publishedStory.ts';
import type { PageContext } from './context.ts';
import { storyLookup, storyPostSchema } from './internal/storyLookup.ts';

interface PublishPhotoStoryCommon {
  readonly pageId: string;
  /** Page token. */
  readonly pageToken: string;
  /** Called once the photo is uploaded, before the story is made of it. What it throws changes nothing. */
  readonly onCreated?: ((ids: { readonly photo_id: string }) => unknown) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Options for a photo at a public address. */
export interface PublishHostedPhotoStoryOptions extends PublishPhotoStoryCommon {
  /** Public address of the photo, fetched by the platform: JPEG, BMP, PNG, GIF or TIFF, up to 10 MB. */
  readonly photoUrl: string;
  readonly photoId?: undefined;
}

/** Options for a photo that is already uploaded. */
export interface PublishUploadedPhotoStoryOptions extends PublishPhotoStoryCommon {
  /** A photo that is uploaded but not published. It is valid for about 24 hours. */
  readonly photoId: string;
  readonly photoUrl?: undefined;
}

export type PublishPhotoStoryOptions = PublishHostedPhotoStoryOptions | PublishUploadedPhotoStoryOptions;

export type PublishPhotoStoryFailure = Failure;

/**
 * Publishes a photo as a story of a Page: uploads it unpublished, then makes the story of it.
 *
 * Once-only: after a lost response, the story is looked up among those of the Page. If it fails, the error's
 * `payload` holds `photo_id`: give it as `photoId` to resume without another upload. A photo of an earlier post is
 * refused.
 *
 * Permissions: `pages_manage_posts`, `pages_read_engagement`, `pages_show_list`; Page task `CREATE_CONTENT`.
 * Source: Page stories guide.
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
): ResultAsync<PublishedPhotoStory, PublishPhotoStoryFailure> {
  const invalid =
    check(options, {
      pageId: id,
      pageToken: token,
      photoUrl: optional(url),
      photoId: optional(id),
      onCreated: optional(hook),
    }) ?? exactlyOneOf(options, 'photoUrl', 'photoId');
  if (invalid) return errAsync(invalid);
  const { pageId, pageToken, photoUrl, photoId, signal } = options;
  const request = { token: pageToken, signal, deadline: deadlineOf(context) };
  const onCreated = guardHook(options.onCreated);
  return safeTry(async function* () {
    const { id: photo_id } = yield* photoId !== undefined
      ? okAsync({ id: photoId })
      : send(context, {
          ...request,
          method: 'POST',
          path: path`${pageId}/photos`,
          form: { url: photoUrl, published: false },
          schema: createdSchema,
        })
          .andTee((photo) => onCreated?.({ photo_id: photo.id }))
          // An unpublished photo is no story, whatever became of the request.
          .mapErr((failure) => withOutcome(failure, 'rejected'));
    const { post_id } = yield* sendOnce(
      context,
      {
        ...request,
        method: 'POST',
        path: path`${pageId}/photo_stories`,
        form: { photo_id },
        schema: storyPostSchema,
      },
      storyLookup(context, pageId, photo_id, { photo_id }, request),
    );
    return ok({ photo_id, post_id, success: true as const });
  });
}
