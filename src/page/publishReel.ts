import { ok, okAsync, type ResultAsync } from 'neverthrow';

import { ConfigurationError, type Failure } from '../core/errors.ts';
import { path } from '../core/http/path.ts';
import { perform, safeTry } from '../core/http/send.ts';
import { check, exactlyOneOf, id, listOf, optional } from '../core/options/check.ts';
import { scheduleSeconds, toSeconds } from '../core/options/time.ts';
import { isSent, keyed, keyIn, openDigested } from '../core/writes/keyed.ts';
import { textOf } from '../core/writes/recentEntries.ts';
import { sendOnce } from '../core/writes/sendOnce.ts';
import { type Acknowledgement, acknowledgementSchema, type PublishedReel } from '../models/written.ts';
import type { PageContext } from './context.ts';
import { inviteAll, setThumbnail } from './internal/reelParts.ts';
import {
  type DescribedVideoOptions,
  describedVideoRules,
  type HostedVideo,
  type UploadedVideo,
} from './internal/videoOptions.ts';
import { videoLookup, waitForVideo } from './internal/videoStatus.ts';
import { sendVideo } from './internal/videoUpload.ts';

interface PublishReelCommon extends DescribedVideoOptions {
  /**
   * Ids of Pages or people to publish it together with, 1 to 10. They are invited once the Reel is out, so not with
   * `scheduledAt`; the platform accepts 10 invitations of a Page in 24 hours.
   */
  readonly collaborators?: readonly string[] | undefined;
  /** When to publish it: a Date, or unix seconds; at least 10 minutes ahead, and 29 days at most. */
  readonly scheduledAt?: Date | number | undefined;
}

export type PublishReelOptions = PublishReelCommon & (HostedVideo | UploadedVideo);

/**
 * Publishes a Reel on a Page, at once or at a later time: uploads the video, waits until the platform has ingested it,
 * and publishes it; then waits, within the same `waitTimeoutMs`, until the platform names its post, or says that it is
 * ready or scheduled. If that time runs out after it is published, the value has no `post_id`. `waitFor: 'processed'`
 * waits until people can play it.
 *
 * Once-only: after a lost response, the video is looked up by its id, which is known before it is published.
 *
 * Fails with ConfigurationError when the file is missing, empty or unreadable, and with ApiError when the platform
 * cannot use it, or does not ingest it in time. From the upload on, the error's `ids` hold `video_id`, and its
 * `payload` the platform's reason in `status`.
 *
 * The `thumbnail` is set before the Reel is published. `collaborators` are invited after that; if it fails, the error's
 * `outcome` is `applied`, its `ids` hold `video_id`, and its `payload` those who are `not_invited`, or not certainly. A
 * lost invitation is looked up, and never sent twice. Another call under the same key invites the rest.
 *
 * A Reel is a 9:16 MP4 of 3 to 90 seconds. The platform accepts 30 in 24 hours.
 *
 * Permissions: `pages_manage_posts`, `pages_read_engagement`, `pages_show_list`; Page task `CREATE_CONTENT`. Source:
 * platform guide, Reels publishing.
 *
 * @example
 * const reel = await publishReel(context, { pageId, pageToken, video: './reel.mp4', description: 'One minute' });
 * if (reel.isOk()) console.log(reel.value.video_id);
 *
 * @example With a client, which throws
 * const reel = await client.publishReel({ pageId, pageToken, videoUrl: 'https://example.com/reel.mp4' });
 */
export function publishReel(
  context: PageContext,
  options: PublishReelOptions,
): ResultAsync<PublishedReel, Failure> {
  const checked = check(
    context,
    options,
    (own) => ({
      idempotencyKey: keyIn(context),
      ...describedVideoRules,
      collaborators: optional(listOf(id, 1, 10)),
      scheduledAt: optional(scheduleSeconds(context.clock, own)),
    }),
    (own) => exactlyOneOf(own, 'videoUrl', 'video') ?? isInvitable(own),
  );
  return perform(context, 'publishReel', checked, (call, own) => {
    const { pageId, videoUrl = '', video, thumbnail, title, description, scheduledAt } = own;
    const time = scheduledAt && toSeconds(scheduledAt);
    const plain = context;
    return keyed(context, call, 'page', own, (context) =>
      safeTry(async function* () {
        const opened = video === undefined ? okAsync(videoUrl) : openDigested(context, video, 'video');
        const openedThumb =
          thumbnail === undefined ? okAsync(undefined) : openDigested(context, thumbnail, 'thumbnail');
        const source = yield* opened;
        const thumb = yield* openedThumb;
        const isResumed = isSent(context);
        const { video_id, report, endsAt } = yield* sendVideo(context, 'video_reels', own, source, call);
        const reel = { ...call, videoId: video_id };

        if (thumb !== undefined && !isResumed) yield* setThumbnail(context, reel, thumb);
        report('finish');
        const finished = yield* sendOnce<Acknowledgement & { readonly post_id?: unknown }>(
          context,
          {
            ...call,
            method: 'POST',
            path: path`${pageId}/video_reels`,
            form: {
              upload_phase: 'finish',
              video_id,
              video_state: time === undefined ? 'PUBLISHED' : 'SCHEDULED',
              title,
              description,
              place: own.placeId,
              scheduled_publish_time: time,
            },
            schema: acknowledgementSchema,
          },
          // Lists of posts do not show Reels.
          videoLookup(context, reel, { toValue: () => ({ success: true }) }),
        );
        let post_id = textOf(finished.post_id);
        let processed: boolean | undefined;
        const { waitFor } = own;
        if (post_id === '' || waitFor !== undefined) {
          report('wait');
          const told = yield* waitForVideo(context, { ...reel, waitFor }, endsAt);
          post_id ||= told.post_id ?? '';
          ({ processed } = told);
        }
        yield* inviteAll(plain, reel, own.collaborators ?? [], isResumed);
        return ok({
          video_id,
          ...(post_id !== '' && { post_id }),
          ...(processed !== undefined && { processed }),
          success: true as const,
        });
      }),
    );
  });
}

function isInvitable({ collaborators, scheduledAt }: PublishReelOptions): ConfigurationError | undefined {
  return collaborators !== undefined && scheduledAt !== undefined
    ? new ConfigurationError('give collaborators without scheduledAt', 'collaborators')
    : undefined;
}
