import { ok, okAsync, type ResultAsync } from 'neverthrow';

import { withIds, withOutcome } from '../core/deriveError.ts';
import type { Failure, RequestFailure } from '../core/errors.ts';
import { multipart } from '../core/http/body.ts';
import { guardHook } from '../core/http/hooks.ts';
import { path, shownAddresses } from '../core/http/path.ts';
import { defaultWaitMs } from '../core/http/polling.ts';
import { perform, safeTry } from '../core/http/send.ts';
import type { Call, GraphRequest, Params } from '../core/http/types.ts';
import { check, exactlyOneOf, optional } from '../core/options/check.ts';
import { scheduleSeconds, toSeconds } from '../core/options/time.ts';
import { defaultUploadAttempts, defaultUploadMs, progressReport, type Report } from '../core/upload.ts';
import { isSent, keyed, keyIn, record, recordedIn, openDigested } from '../core/writes/keyed.ts';
import { findByText } from '../core/writes/recentEntries.ts';
import { sendOnce } from '../core/writes/sendOnce.ts';
import {
  acknowledgementSchema,
  asUnseen,
  type Created,
  createdSchema,
  type PublishedVideo,
} from '../models/written.ts';
import type { PageContext } from './context.ts';
import { postList } from './internal/posts.ts';
import {
  type DescribedVideoOptions,
  describedVideoRules,
  type HostedVideo,
  type UploadedVideo,
} from './internal/videoOptions.ts';
import { startSession, uploadInSession, type VideoSession } from './internal/videoSession.ts';
import { videoLookup, waitForVideo } from './internal/videoStatus.ts';

interface PublishVideoCommon extends DescribedVideoOptions {
  /** When to publish it: a Date, or unix seconds; at least 10 minutes ahead, and six months at most. */
  readonly scheduledAt?: Date | number | undefined;
}

export type PublishVideoOptions = PublishVideoCommon & (HostedVideo | UploadedVideo);

/**
 * Publishes a video on a Page, at once or at a later time, then waits until the platform names its post, or says that
 * it is ready or scheduled. If that time runs out, the value has only a `video_id`. `waitFor: 'processed'` waits until
 * people can play it.
 *
 * Bytes are sent in parts, as the platform asks for them; after an interruption, the interrupted part is sent again.
 *
 * Once-only: after a lost response, an uploaded video is looked up by its id, which is known before it is published.
 * One that the platform fetches has no id until then: it is looked up among the newest videos by its description, or
 * else by its title; if it has neither, the error's `outcome` is `unknown`.
 *
 * Fails with ConfigurationError when a file is missing, empty or unreadable, and with ApiError when the platform cannot
 * use the video. From the upload on, the error's `ids` hold `video_id`.
 *
 * The platform may turn a short portrait video into a draft that never goes public: use `publishReel` for those.
 *
 * Permissions: `pages_manage_posts`, `pages_read_engagement`, `pages_show_list`; Page task `CREATE_CONTENT`. Source:
 * Graph API reference, Page videos.
 *
 * @example
 * const video = await publishVideo(context, { pageId, pageToken, video: './tour.mp4', title: 'A tour', thumbnail: './tour.jpg' });
 * if (video.isOk()) console.log(video.value.permalink_url);
 *
 * @example With a client, which throws
 * const video = await client.publishVideo({ pageId, pageToken, videoUrl: 'https://example.com/tour.mp4', title: 'A tour' });
 */
export function publishVideo(
  context: PageContext,
  options: PublishVideoOptions,
): ResultAsync<PublishedVideo, Failure> {
  const checked = check(
    context,
    options,
    (own) => ({
      idempotencyKey: keyIn(context),
      ...describedVideoRules,
      scheduledAt: optional(scheduleSeconds(context.clock, own)),
    }),
    (own) => exactlyOneOf(own, 'videoUrl', 'video'),
  );
  return perform(context, 'publishVideo', checked, (call, own) => {
    const { videoUrl = '', video, thumbnail } = own;
    const { title, description, scheduledAt, waitTimeoutMs = defaultWaitMs } = own;
    const time = scheduledAt && toSeconds(scheduledAt);
    return keyed(context, call, 'page', own, (context) =>
      safeTry(async function* () {
        const opened = video === undefined ? okAsync(videoUrl) : openDigested(context, video, 'video');
        const openedThumb =
          thumbnail === undefined ? okAsync(undefined) : openDigested(context, thumbnail, 'thumbnail');
        const source = yield* opened;
        const thumb = yield* openedThumb;
        const report = progressReport(
          context,
          own.onProgress,
          typeof source === 'string' ? undefined : source.size,
        );
        const publication = {
          options: own,
          call,
          report,
          thumb,
          time,
          metadata: {
            title,
            description,
            place: own.placeId,
            published: time === undefined ? undefined : false,
            scheduled_publish_time: time,
          },
        };
        report('start', 0);
        const video_id = yield* typeof source === 'string'
          ? publishHosted(context, source, publication)
          : publishSent(context, source, publication);
        report('wait');
        const endsAt = context.clock.monotonic() + waitTimeoutMs;
        const links = yield* waitForVideo(
          context,
          { ...call, videoId: video_id, waitFor: own.waitFor },
          endsAt,
        );
        return ok({ video_id, ...links });
      }),
    );
  });
}

/** How to publish a video. */
interface Publication {
  readonly options: PublishVideoOptions;
  readonly call: Call;
  readonly report: Report;
  readonly thumb: Blob | undefined;
  readonly time: number | undefined;
  readonly metadata: Params;
}

/** Has the platform fetch a video and publish it, in one request. */
function publishHosted(
  context: PageContext,
  file_url: string,
  publication: Publication,
): ResultAsync<string, RequestFailure> {
  const { options, call } = publication;
  const { pageId, title, description = title, uploadTimeoutMs = defaultUploadMs } = options;
  const onCreated = guardHook(options.onCreated);
  const publish = {
    ...call,
    ...publishRequest({ file_url }, publication),
    fetches: shownAddresses(file_url),
    timeoutMs: uploadTimeoutMs,
    schema: createdSchema,
  };
  const sent: ResultAsync<Created, RequestFailure> =
    description === undefined
      ? sendOnce(context, publish, asUnseen)
      : sendOnce(
          context,
          publish,
          findByText(context, {
            ...call,
            list: postList(pageId, publication.time, context.clock.now()).list,
            path: path`${pageId}/videos`,
            query: { type: 'UPLOADED', fields: 'id,title,description,created_time', limit: 25 },
            text: description,
            textField: options.description === undefined ? 'title' : 'description',
            timeField: 'created_time',
            // The list shows a post, whose id is known only later.
            ...asUnseen,
          }),
        );
  return sent.map(({ id: video_id }) => video_id).andTee((video_id) => onCreated?.({ video_id }));
}

/** Sends a video in parts, then publishes it. */
function publishSent(
  context: PageContext,
  source: Blob,
  publication: Publication,
): ResultAsync<string, RequestFailure> {
  const { options, call, report } = publication;
  const {
    pageId,
    uploadAttempts = defaultUploadAttempts,
    uploadTimeoutMs = defaultUploadMs,
    description = '',
  } = options;
  const onCreated = guardHook(options.onCreated);
  return safeTry(async function* () {
    const session =
      recordedSession(context, source) ?? (yield* startSession(context, pageId, source.size, call));
    const { video_id, upload_session_id } = session;
    onCreated?.({ video_id });
    yield* record(context, { video_id, upload_session_id });
    if (!isSent(context)) {
      yield* uploadInSession(context, session, {
        ...call,
        pageId,
        source,
        attempts: uploadAttempts,
        timeoutMs: uploadTimeoutMs,
        onSent: (bytes) => report('upload', bytes),
        // Nothing is published yet, so a lost response cannot hide an effect.
      }).mapErr((failure) => withOutcome(withIds(failure, { video_id }), 'rejected'));
    }
    report('finish');
    const { list } = postList(pageId, publication.time, context.clock.now());
    yield* sendOnce(
      context,
      {
        ...call,
        ...publishRequest({ upload_phase: 'finish', upload_session_id }, publication),
        schema: acknowledgementSchema,
      },
      videoLookup(
        context,
        { ...call, videoId: video_id },
        {
          list,
          content: description.trim(),
          toValue: () => ({ success: true }),
        },
      ),
    );
    return ok(video_id);
  });
}

/**
 * The session that an earlier call under the same key started. Its response to the first part says what it already
 * holds.
 */
function recordedSession(context: PageContext, { size }: Blob): VideoSession | undefined {
  const { video_id, upload_session_id } = recordedIn(context);
  return video_id === undefined || upload_session_id === undefined
    ? undefined
    : { video_id, upload_session_id, start_offset: 0, end_offset: Math.min(size, firstPartBytes) };
}

const firstPartBytes = 1_048_576;

/** The request that publishes a video: multipart if it has a thumbnail. */
function publishRequest(
  what: Params,
  { options: { pageId }, thumb, metadata }: Publication,
): Pick<GraphRequest<unknown>, 'method' | 'path' | 'form' | 'body' | 'redirect'> {
  const fields = { ...what, ...metadata };
  return {
    method: 'POST',
    path: path`${pageId}/videos`,
    ...(thumb === undefined ? { form: fields } : multipart(fields, { thumb })),
  };
}
