import { err, ok, okAsync, type Result, ResultAsync } from 'neverthrow';

import { withIds, withOutcome } from '../../core/deriveError.ts';
import { ApiError, type Failure, type RequestFailure } from '../../core/errors.ts';
import { path, shownAddresses } from '../../core/http/addresses.ts';
import { multipart } from '../../core/http/body.ts';
import { openDuring } from '../../core/http/files.ts';
import { guardHook } from '../../core/http/guardHook.ts';
import { POST } from '../../core/http/methods.ts';
import { defaultWaitMs } from '../../core/http/polling.ts';
import { perform, safeTry, send } from '../../core/http/send.ts';
import type { Call, GraphRequest, GraphResponse, Params } from '../../core/http/types.ts';
import type { WithWithheld } from '../../core/lists/inside.ts';
import type { List } from '../../core/lists/list.ts';
import { fieldsOf } from '../../core/objects.ts';
import { check, exactlyOneOf } from '../../core/options/check.ts';
import { type FileSource, fileSource, openFile } from '../../core/options/fileSource.ts';
import * as rule from '../../core/options/rules.ts';
import { time, toSeconds } from '../../core/options/time.ts';
import type { Report } from '../../core/upload.ts';
import { defaultUploadMs, progressReport, sendBytes, uploadInAttempts } from '../../core/upload.ts';
import { isSent, keyRule, performKeyed, recordIds, recordedIn } from '../../core/writes/keyed.ts';
import type { ListedEntries, LookupLimits } from '../../core/writes/lookups.ts';
import { queryEntries, textOf, toListed } from '../../core/writes/lookups.ts';
import { sendOnce } from '../../core/writes/sendOnce.ts';
import type { Acknowledgement, Created } from '../../models/fields.ts';
import * as s from '../../models/fields.ts';
import type { PageVideo, PublishedVideo } from '../../models/posts.ts';
import type { VideoStoryStatus } from '../../models/stories.ts';
import type { PageCallOptions, PageContext } from '../context.ts';
import {
  checkVideoFields,
  performInside,
  type VideoInsideOptions,
  videoInsideRules,
  videosInside,
} from '../inside.ts';
import { ofVideo } from '../pageOptions.ts';
import type { PageListOptions } from '../publications.ts';
import * as publication from '../publications.ts';
import type { DescribedVideoOptions, HostedVideo, UploadedVideo } from './upload.ts';
import * as upload from './upload.ts';

interface PublishVideoCommon extends DescribedVideoOptions {
  /** When to publish it: a Date, or unix seconds; at least 10 minutes ahead, and six months at most. */
  readonly scheduledAt?: Date | number | undefined;
}

export type PublishVideoOptions = PublishVideoCommon & (HostedVideo | UploadedVideo);

/**
 * Publishes a video on a Page, at once or at a later time, then waits until the platform names its post, or says that
 * it is ready or scheduled. If that time runs out, the value has only a `video_id`. `waitFor: 'processed'` waits until
 * people can play it. The post of a scheduled video is then looked up among the scheduled posts, once.
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
 * Source: Graph API reference, Page videos.
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
  const checked = check(context, options, videoRules, exactlyOneOf('videoUrl', 'video'));
  return performKeyed(context, 'publishVideo', checked, 'page', (context, call, options) => {
    const { pageId, title, description, scheduledAt, waitTimeoutMs = defaultWaitMs } = options;
    const time = scheduledAt && toSeconds(scheduledAt);
    return safeTry(async function* () {
      const [source, thumb] = yield* upload.openFiles(context, call, options);
      const report = progressReport(context, options, source);
      const toRequest: NewVideo['toRequest'] = (what) => {
        const fields = {
          ...what,
          title,
          description,
          place: options.placeId,
          is_ai_generated: options.isAiGenerated,
          published: time === undefined ? undefined : false,
          scheduled_publish_time: time,
        };
        const content = thumb === undefined ? { form: fields } : multipart(fields, { thumb });
        return { ...call, method: POST, path: path`${pageId}/videos`, ...content };
      };
      const video = { options, call, time, report, toRequest };
      report('start', 0);
      const video_id = yield* typeof source === 'string'
        ? publishHosted(context, source, video)
        : publishSent(context, source, video);
      report('wait');
      const endsAt = context.clock.monotonic() + waitTimeoutMs;
      const published = { ...call, videoId: video_id, waitFor: options.waitFor };
      const links = yield* upload.waitForVideo(context, published, endsAt);
      if (time === undefined || links.post_id !== undefined) return ok({ video_id, ...links });
      const post = yield* publication
        .scheduledPostOf(context, call, pageId, video_id)
        .mapErr((failure) => withIds(failure, { video_id }));
      return ok({ video_id, ...links, ...post });
    });
  });
}

interface NewVideo {
  readonly options: PublishVideoOptions;
  readonly call: Call;
  readonly time: number | undefined;
  readonly report: Report;
  /** The request that publishes it: multipart if it has a thumbnail. */
  readonly toRequest: (what: Params) => Omit<GraphRequest<unknown>, 'schema'>;
}

/** Has the platform fetch a video and publish it, in one request. */
function publishHosted(
  context: PageContext,
  file_url: string,
  { options, call, time, toRequest }: NewVideo,
): ResultAsync<string, RequestFailure> {
  const { pageId, title, description = title, uploadTimeoutMs = defaultUploadMs } = options;
  const onCreated = guardHook(options.onCreated);
  const publish = {
    ...toRequest({ file_url }),
    fetches: shownAddresses(file_url),
    timeoutMs: uploadTimeoutMs,
    schema: s.createdSchema,
  };
  const posts = publication.postEntries(context, call, { pageId, time, text: description });
  const sent: ResultAsync<Created, RequestFailure> = sendOnce(context, publish, {
    kind: 'entry',
    ...s.asCreated,
    // Its post is listed too, under an id that is known only later.
    hasOtherId: true,
    entries: { ...posts, query: queryVideos },
  });
  return sent.map(({ id: video_id }) => video_id).andTee((video_id) => onCreated?.({ video_id }));

  /** Reads the newest videos. A scheduled one may show among the posts alone. */
  function queryVideos(limits: LookupLimits): ResultAsync<ListedEntries, RequestFailure> {
    return queryEntries(context, {
      ...call,
      ...limits,
      path: path`${pageId}/videos`,
      query: { type: 'UPLOADED', fields: 'id,title,description,created_time', limit: 25 },
    })
      .map((videos) =>
        videos.map((video) => {
          const { title: shownTitle = '', description: shown = '' } = video;
          return toListed(video, 'created_time', options.description === undefined ? shownTitle : shown);
        }),
      )
      .andThen((videos) =>
        time === undefined
          ? okAsync({ entries: videos })
          : posts.query(limits).map((listed) => ({
              // A post has another id than its video.
              entries: [...videos, ...listed.entries.map((post) => ({ ...post, text: undefined }))],
            })),
      );
  }
}

function publishSent(
  context: PageContext,
  source: Blob,
  video: NewVideo,
): ResultAsync<string, RequestFailure> {
  const { options, call, report } = video;
  const { pageId, description = '' } = options;
  const onCreated = guardHook(options.onCreated);
  return safeTry(async function* () {
    const session = yield* startSession(context, video, source.size);
    const { video_id, upload_session_id } = session;
    onCreated?.({ video_id });
    yield* recordIds(context, { video_id, upload_session_id });
    if (!isSent(context)) {
      // Nothing is published yet, so a lost response cannot hide an effect.
      yield* uploadInSession(context, session, source, video).mapErr((failure) =>
        withOutcome(withIds(failure, { video_id }), 'rejected'),
      );
    }
    report('finish');
    const finish = video.toRequest({ upload_phase: 'finish', upload_session_id });
    yield* sendOnce(
      context,
      { ...finish, schema: s.acknowledgementSchema },
      upload.videoLookup(
        context,
        { ...call, videoId: video_id },
        {
          toValue: () => ({ success: true }),
          entries: { list: `${pageId}/posts`, text: description || undefined, sign: 'no text' },
        },
      ),
    );
    return ok(video_id);
  });
}

/** The bytes that the platform asks for next: from one offset to another. */
interface ByteRange {
  readonly start_offset: number;
  readonly end_offset: number;
}

/** An upload of a video in parts, each as the platform asks for it. */
interface VideoSession extends ByteRange {
  readonly upload_session_id: string;
  readonly video_id: string;
}

const sessionSchema = s.objectOf({ upload_session_id: s.idSchema, video_id: s.idSchema });

const firstPartBytes = 1_048_576;

/**
 * Starts the upload of a video in parts, unless an earlier call under the same key already did. It is safe to repeat: a
 * session publishes nothing, and expires.
 */
function startSession(
  context: PageContext,
  { options, call }: NewVideo,
  size: number,
): ResultAsync<VideoSession, RequestFailure> {
  const { video_id, upload_session_id } = recordedIn(context);
  if (video_id !== undefined && upload_session_id !== undefined) {
    // The response to the first part says which bytes the platform already holds.
    const end_offset = Math.min(size, firstPartBytes);
    return okAsync({ video_id, upload_session_id, start_offset: 0, end_offset });
  }
  return send(context, {
    ...call,
    method: POST,
    path: path`${options.pageId}/videos`,
    form: { upload_phase: 'start', file_size: size },
    schema: sessionSchema,
  })
    .map((session) => ({ ...session, ...readRange(session) }))
    .mapErr((failure) => withOutcome(failure, 'rejected'));
}

/** Sends all parts of a video. After an interruption, the interrupted part is sent again. */
function uploadInSession(
  context: PageContext,
  session: VideoSession,
  source: Blob,
  { options, call, report }: NewVideo,
): ResultAsync<void, RequestFailure> {
  let next: ByteRange = session;
  return uploadInAttempts(context, {
    ...call,
    source,
    options,
    transfer: () => new ResultAsync(sendParts()),
    // Each response names the range that the platform wants next, and it accepts a part that it already has.
    readStatus: () => okAsync({ isComplete: false, bytesHeld: undefined, payload: {} }),
  });

  async function sendParts(): Promise<Result<void, RequestFailure>> {
    while (next.start_offset !== next.end_offset) {
      const { start_offset, end_offset } = next;
      if (!(start_offset >= 0 && end_offset > start_offset && end_offset <= source.size)) return impossible();
      const sent = await sendPart(next);
      // A part that it already has is refused, along with the range that it wants instead.
      const asked = sent.isOk() ? readRange(sent.value.value) : rangeIn(sent.error);
      const isAsked = !Number.isNaN(asked.start_offset);
      if (isAsked) next = asked;
      // No progress counts as an interruption: attempts are limited, so the upload always ends.
      if (!(next.start_offset > start_offset)) {
        if (sent.isErr()) return err(sent.error);
        // A part that the platform asks for again did not arrive.
        return err(isAsked ? badRange(next, 'again', sent.value.status) : unreadable(sent.value));
      }
    }
    return next.start_offset === source.size ? ok() : impossible();
  }

  function impossible(): Result<never, ApiError> {
    return err(badRange(next, `of a file of ${source.size} bytes`));
  }

  function sendPart({
    start_offset,
    end_offset,
  }: ByteRange): ResultAsync<GraphResponse<unknown>, RequestFailure> {
    const { body: part } = multipart(
      { upload_phase: 'transfer', upload_session_id: session.upload_session_id, start_offset },
      { video_file_chunk: source.slice(start_offset, end_offset) },
    );
    const request = {
      ...call,
      // Attempts are counted for the upload as a whole.
      attempts: 1,
      timeoutMs: options.uploadTimeoutMs ?? defaultUploadMs,
      method: POST,
      path: path`${options.pageId}/videos`,
      headers: { 'content-type': part.type },
      schema: s.objectOf({}),
    };
    return sendBytes(context, request, part, 0, (sent) =>
      report('upload', Math.min(end_offset, start_offset + sent)),
    );
  }
}

/** Reads a range, whose offsets the platform sends as strings; `NaN` for anything else. */
function readRange(value: unknown): ByteRange {
  const { start_offset, end_offset } = fieldsOf(value);
  return { start_offset: toOffset(start_offset), end_offset: toOffset(end_offset) };
}

function toOffset(value: unknown): number {
  return /^\d+$/.test(textOf(value)) ? Number(value) : NaN;
}

/** The range that the platform asks for when it refuses a part. */
function rangeIn({ payload }: RequestFailure): ByteRange {
  return readRange(fieldsOf(fieldsOf(payload)['error'])['error_data']);
}

/** The platform asks for bytes that it must not ask for. */
function badRange({ start_offset, end_offset }: ByteRange, which: string, status?: number): ApiError {
  const message = `the platform asks for bytes ${start_offset} to ${end_offset} ${which}`;
  return new ApiError(message, { status, payload: { start_offset, end_offset } });
}

/** A success that cannot be read counts as a lost response. */
function unreadable({ status, body, redact }: GraphResponse<unknown>): ApiError {
  const message = 'unexpected response at start_offset: expected a number';
  return new ApiError(message, { status, payload: redact(body) });
}

export interface VideoStatusOptions extends PageCallOptions {
  /** The `video_id` of a video, a Reel or a story, or of one that failed. */
  readonly videoId: string;
}

/**
 * Reads the state of any video of a Page: its upload, its processing and its publishing.
 *
 * A phase can hold an `error` even if its `status` is not `error`.
 *
 * Source: platform guide, Reels publishing.
 *
 * @example
 * const status = await videoStatus(context, { videoId, pageToken });
 * if (status.isOk()) console.log(status.value.video_status, status.value.processing_phase.status);
 */
export function videoStatus(
  context: PageContext,
  options: VideoStatusOptions,
): ResultAsync<VideoStoryStatus, Failure> {
  const checked = check(context, options, ofVideo);
  return perform(
    context,
    'videoStatus',
    checked,
    (call, { videoId }) => upload.readVideoStatus(context, { ...call, videoId }),
    'publish',
  );
}

export interface VideosOptions extends PageListOptions, VideoInsideOptions {
  /**
   * Videos that the Page uploaded, or in which it is tagged.
   * @default 'uploaded'
   */
  readonly type?: 'uploaded' | 'tagged' | undefined;
}

/**
 * Lists the videos of a Page; what was published as a Reel is in the list of `reels`. The platform shows some files that
 * were sent as videos as Reels: those are here, and their `permalink_url` is that of a Reel.
 *
 * With `metrics` or `totals`, each video comes with them, in the requests for the list: 50 videos in each. What the platform
 * refuses of these is in `withheld`, and costs no list.
 *
 * Source: Graph API reference, Page videos.
 *
 * @example
 * const found = await videos(context, { pageId, pageToken, limit: 50 });
 * if (found.isOk()) console.log(found.value.map((video) => video.permalink_url));
 */
export function videos(
  context: PageContext,
  options: VideosOptions,
): ResultAsync<List<PageVideo> & WithWithheld, Failure> {
  const rules = { ...publication.pageListRules, type: rule.optional(videoType), ...videoInsideRules };
  const checked = check(context, options, rules, checkVideoFields);
  return performInside(context, 'videos', checked, (options) => {
    const { pageId, type = 'uploaded' } = options;
    const parts = videosInside('videos', options);
    return { path: path`${pageId}/videos`, ...parts, query: { ...parts.query, type: type.toUpperCase() } };
  });
}

export interface AddCaptionsOptions extends PageCallOptions {
  /** A video or Reel of the Page. */
  readonly videoId: string;
  /**
   * Captions in the SubRip format (SRT): their bytes, or the path of their file as a string or a file URL. Never use a
   * path from user input.
   */
  readonly captions: FileSource;
  /** Language and country of the captions, such as `en_US`. */
  readonly locale: string;
  /**
   * `true` shows these captions to people for whose language there are none.
   * @default false
   */
  readonly isDefault?: boolean | undefined;
}

/**
 * Adds captions to a video in one language; those that it has in that language are replaced. It is safe to repeat, so
 * it is retried.
 *
 * Fails with ConfigurationError when the file is missing, empty or unreadable, and with ApiError when it is not SRT.
 *
 * Source: Graph API reference, Video captions.
 *
 * @example
 * const added = await addCaptions(context, { videoId: '1020', pageToken, captions: './tour.srt', locale: 'en_US' });
 * if (added.isErr()) console.error(added.error.message);
 */
export function addCaptions(
  context: PageContext,
  options: AddCaptionsOptions,
): ResultAsync<Acknowledgement, Failure> {
  const checked = check(context, options, captionRules);
  return perform(
    context,
    'addCaptions',
    checked,
    (call, { videoId, captions, locale, isDefault }) =>
      openDuring(context, call, () => openFile(captions, 'captions')).andThen((file) => {
        const sent = send(context, {
          ...call,
          method: POST,
          path: path`${videoId}/captions`,
          // The platform reads the language from the name of the file.
          ...multipart(
            { default_locale: isDefault ? locale : undefined },
            { captions_file: file },
            `captions.${locale}.srt`,
          ),
          schema: s.acknowledgementSchema,
        });
        return publication.reportFileChange(context, call, sent, file, 'captions');
      }),
    'publish',
  );
}

const videoRules = {
  idempotencyKey: keyRule,
  ...upload.describedVideoRules,
  scheduledAt: rule.optional(time),
};

const videoType = rule.oneOf('uploaded', 'tagged');

const captionRules = {
  ...ofVideo,
  captions: fileSource(),
  locale: rule.satisfies((value) => /^[a-z]{2,3}_[A-Z]{2}$/.test(String(value)), 'a locale such as en_US'),
  isDefault: rule.optional(rule.flag),
};
