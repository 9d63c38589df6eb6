import { err, ok, type Result, ResultAsync } from 'neverthrow';
import * as v from 'valibot';

import { withIds, withMessage, withOutcome, withPayload } from '../../core/deriveError.ts';
import type { Failure, RequestFailure } from '../../core/errors.ts';
import { path } from '../../core/http/addresses.ts';
import { multipart } from '../../core/http/body.ts';
import { POST } from '../../core/http/methods.ts';
import { safeTry, send } from '../../core/http/send.ts';
import type { Call } from '../../core/http/types.ts';
import type { WithWithheld } from '../../core/lists/inside.ts';
import type { List } from '../../core/lists/list.ts';
import { check, exactlyOneOf } from '../../core/options/check.ts';
import * as rule from '../../core/options/rules.ts';
import { time, toSeconds } from '../../core/options/time.ts';
import { isSent, keyRule, performKeyed } from '../../core/writes/keyed.ts';
import { idIn, type LookupLimits, queryEntries, textOf } from '../../core/writes/lookups.ts';
import { sendOnce } from '../../core/writes/sendOnce.ts';
import { type Acknowledgement, acknowledgementSchema, withRaw } from '../../models/fields.ts';
import type { PageVideo, PublishedReel } from '../../models/posts.ts';
import type { PageContext } from '../context.ts';
import {
  checkVideoFields,
  performInside,
  type VideoInsideOptions,
  videoInsideRules,
  videosInside,
} from '../inside.ts';
import { type PageListOptions, pageListRules, reportFileChange } from '../publications.ts';
import type { DescribedVideoOptions, HostedVideo, UploadedVideo } from './upload.ts';
import * as upload from './upload.ts';

interface PublishReelCommon extends DescribedVideoOptions {
  /**
   * Ids of Pages or people to publish it together with, 1 to 10. They are invited once the Reel is published, so not with
   * `scheduledAt`; the platform accepts 10 invitations of a Page in 24 hours.
   */
  readonly collaborators?: readonly string[] | undefined;
  /** When to publish it: a Date, or unix seconds; at least 10 minutes ahead, and 29 days at most. */
  readonly scheduledAt?: Date | number | undefined;
}

export type PublishReelOptions = PublishReelCommon & (HostedVideo | UploadedVideo);

/**
 * Publishes a Reel on a Page, at once or at a later time: uploads the video, waits until the platform has ingested it,
 * and publishes it. Then it waits, within the same `waitTimeoutMs`, until the platform names its post, or says that it
 * is ready or scheduled. If that time runs out after it is published, the value has no `post_id`. `waitFor: 'processed'`
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
 * Source: platform guide, Reels publishing.
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
  const checked = check(context, options, reelRules, exactlyOneOf('videoUrl', 'video'), checkInvitations);
  // Under a key, only the Reel itself is recorded, not its invitations.
  const contextWithoutKey = context;
  return performKeyed(context, 'publishReel', checked, 'page', (context, call, options) => {
    const { pageId, title, description, scheduledAt } = options;
    const time = scheduledAt && toSeconds(scheduledAt);
    return safeTry(async function* () {
      const [source, thumb] = yield* upload.openFiles(context, call, options);
      const isResumed = isSent(context);
      const { video_id, report, endsAt } = yield* upload.sendVideo(
        context,
        'video_reels',
        options,
        source,
        call,
      );
      const reel = { ...call, videoId: video_id };

      if (thumb !== undefined && !isResumed) yield* setThumbnail(context, reel, thumb);
      report('finish');
      const finished = yield* sendOnce<Acknowledgement & { readonly post_id?: unknown }>(
        context,
        {
          ...call,
          method: POST,
          path: path`${pageId}/video_reels`,
          form: {
            upload_phase: 'finish',
            video_id,
            video_state: time === undefined ? 'PUBLISHED' : 'SCHEDULED',
            title,
            description,
            place: options.placeId,
            is_ai_generated: options.isAiGenerated,
            scheduled_publish_time: time,
          },
          schema: acknowledgementSchema,
        },
        // Lists of posts do not show Reels.
        upload.videoLookup(context, reel, { toValue: () => ({ success: true }) }),
      );
      let post_id = textOf(finished.post_id);
      let processed: boolean | undefined;
      const { waitFor } = options;
      if (post_id === '' || waitFor !== undefined) {
        report('wait');
        const found = yield* upload.waitForVideo(context, { ...reel, waitFor }, endsAt);
        post_id ||= found.post_id ?? '';
        ({ processed } = found);
      }
      const { collaborators = [] } = options;
      yield* new ResultAsync(inviteAll(contextWithoutKey, reel, collaborators, isResumed));
      return ok({
        video_id,
        ...(post_id !== '' && { post_id }),
        ...(processed !== undefined && { processed }),
        success: true as const,
      });
    });
  });
}

export interface ReelsOptions extends PageListOptions, VideoInsideOptions {
  /** Only Reels that were created at this time or later: unix seconds, or a Date. */
  readonly since?: number | Date | undefined;
  /** Only Reels that were created at this time or earlier: unix seconds, or a Date. */
  readonly until?: number | Date | undefined;
}

/**
 * Lists the Reels of a Page. Their `post_id` is the id that the feed has, such as `42_1`; in `raw` it is as the platform
 * sent it, without the Page.
 *
 * With `metrics` or `totals`, each Reel comes with them, as each video of `videos`. One source says that the platform names
 * their metrics otherwise within this list, unverified: then they are in `withheld`.
 *
 * Source: Graph API reference, Page video reels.
 *
 * @example
 * const found = await reels(context, { pageId, pageToken, since: lastSeen });
 * if (found.isOk()) console.log(found.value.map((reel) => reel.post_id));
 */
export function reels(
  context: PageContext,
  options: ReelsOptions,
): ResultAsync<List<PageVideo> & WithWithheld, Failure> {
  const times = { since: rule.optional(time), until: rule.optional(time) };
  const checked = check(
    context,
    options,
    { ...pageListRules, ...times, ...videoInsideRules },
    checkVideoFields,
  );
  return performInside(context, 'reels', checked, (options) => {
    const { pageId, since, until } = options;
    const parts = videosInside('video_reels', options);
    const query = { ...parts.query, since: since && toSeconds(since), until: until && toSeconds(until) };
    const reel = v.transform((reel: PageVideo) => withPage(reel, pageId));
    return { path: path`${pageId}/video_reels`, ...parts, query, item: v.pipe(parts.item, reel) };
  });
}

/** The Reel with the id of its post as the feed has it. */
function withPage(reel: PageVideo, pageId: string): PageVideo {
  const { post_id } = reel;
  if (post_id === undefined || post_id.includes('_')) return reel;
  return withRaw({ ...reel, post_id: `${pageId}_${post_id}` }, reel.raw);
}

const reelRules = {
  idempotencyKey: keyRule,
  ...upload.describedVideoRules,
  collaborators: rule.optional(rule.listOf(rule.id, 1, 10)),
  scheduledAt: rule.optional(time),
};

function checkInvitations({ collaborators, scheduledAt }: PublishReelOptions): rule.Fault | undefined {
  return collaborators && scheduledAt !== undefined
    ? rule.faultOf('cannot be combined with scheduledAt', 'collaborators')
    : undefined;
}

/** A Reel that holds its bytes. */
interface Reel extends Call {
  readonly videoId: string;
}

/** Sets the picture of a Reel before it is published, so that a lost response cannot hide an effect. */
function setThumbnail(
  context: PageContext,
  { videoId, ...call }: Reel,
  thumbnail: Blob,
): ResultAsync<Acknowledgement, RequestFailure> {
  const sent = send(context, {
    ...call,
    method: POST,
    path: path`${videoId}/thumbnails`,
    ...multipart({ is_preferred: true }, { source: thumbnail }),
    schema: acknowledgementSchema,
  });
  return reportFileChange(context, call, sent, thumbnail, 'thumbnail').mapErr((failure) =>
    withOutcome(withIds(failure, { video_id: videoId }), 'rejected'),
  );
}

/**
 * Invites those whom the Reel does not list yet, one after another. A refusal does not keep the others from being
 * invited; any other failure does. Whatever fails, the Reel is published.
 *
 * The context must be the caller's, without a key: an invitation is not what the key stands for.
 */
async function inviteAll(
  context: PageContext,
  { videoId, ...call }: Reel,
  collaborators: readonly string[],
  isResumed: boolean,
): Promise<Result<void, RequestFailure>> {
  const edge = path`${videoId}/collaborators`;
  const ids = new Set(collaborators);
  if (ids.size === 0) return ok();
  // An earlier call under the key may have invited some of them.
  const known = isResumed ? await listed({}) : ok([]);
  if (known.isErr()) return err(notInvited(known.error));
  for (const id of known.value) ids.delete(id);
  let failure: RequestFailure | undefined;
  for (const id of ids) {
    if (failure !== undefined && failure.outcome !== 'rejected') break;
    const invited = await invite(id);
    if (invited.isOk()) ids.delete(id);
    else failure ??= invited.error;
  }
  return failure === undefined ? ok() : err(notInvited(failure));

  function invite(id: string): ResultAsync<Acknowledgement, RequestFailure> {
    return sendOnce(
      context,
      {
        ...call,
        method: POST,
        path: edge,
        form: { target_id: id },
        schema: acknowledgementSchema,
      },
      {
        kind: 'object',
        idOf: () => undefined,
        toValue: () => ({ success: true }),
        state: (limits) =>
          listed(limits).map((found) => (found.includes(id) ? { isDone: true, id } : { isDone: false })),
      },
    );
  }

  /** The ids that the Reel lists, including those who accepted or declined. */
  function listed(limits: Partial<LookupLimits>): ResultAsync<readonly string[], RequestFailure> {
    return queryEntries(context, { ...call, ...limits, path: edge, query: { limit: 100 } }).map((found) =>
      found.map(idIn),
    );
  }

  function notInvited(failure: RequestFailure): RequestFailure {
    const message = `the Reel is published, but not all collaborators are invited: ${failure.message}`;
    const ofReel = withOutcome(withIds(failure, { video_id: videoId }), 'applied');
    return withMessage(withPayload(ofReel, { not_invited: [...ids] }), message);
  }
}
