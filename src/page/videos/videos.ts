import { err, ok, okAsync, type Result, ResultAsync } from 'neverthrow';

import type { Context } from '../../core/context.ts';
import { withIds, withOutcome } from '../../core/deriveError.ts';
import { ApiError, type Failure, type RequestFailure } from '../../core/errors.ts';
import { multipart, uploadBody } from '../../core/http/body.ts';
import { guardHook } from '../../core/http/hooks.ts';
import { defaultWaitMs } from '../../core/http/polling.ts';
import { path, shownAddresses, perform, safeTry, send, sendForResponse } from '../../core/http/send.ts';
import type { Call, GraphRequest, GraphResponse, Params } from '../../core/http/types.ts';
import { type List, performList } from '../../core/lists/list.ts';
import { fieldsOf } from '../../core/objects.ts';
import { check, exactlyOneOf } from '../../core/options/check.ts';
import { type FileSource, fileSource, openFile } from '../../core/options/fileSource.ts';
import * as rule from '../../core/options/rules.ts';
import { scheduleSeconds, toSeconds } from '../../core/options/time.ts';
import {
  defaultUploadAttempts,
  defaultUploadMs,
  progressReport,
  type Report,
  uploadInAttempts,
} from '../../core/upload.ts';
import { isSent, keyIn, performKeyed, record, recordedIn } from '../../core/writes/keyed.ts';
import { type Entries, queryEntries, textOf, toListed } from '../../core/writes/lookups.ts';
import { sendOnce } from '../../core/writes/sendOnce.ts';
import {
  type Acknowledgement,
  acknowledgementSchema,
  asCreated,
  type Created,
  createdSchema,
  idSchema,
  objectOf,
} from '../../models/fields.ts';
import type { PageVideo, PublishedVideo } from '../../models/posts.ts';
import type { VideoStoryStatus } from '../../models/stories.ts';
import type { PageCallOptions, PageContext } from '../context.ts';
import { pageListRules, postEntries, reportFileChange, scheduledPostOf, videosOn } from '../publications.ts';
import {
  type DescribedVideoOptions,
  describedVideoRules,
  type HostedVideo,
  openFiles,
  readVideoStatus,
  type UploadedVideo,
  videoLookup,
  waitForVideo,
} from './upload.ts';

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
  const checked = check(
    context,
    options,
    (options) => ({
      idempotencyKey: keyIn(context),
      ...describedVideoRules,
      scheduledAt: rule.optional(scheduleSeconds(context.clock, options)),
    }),
    (options) => exactlyOneOf(options, 'videoUrl', 'video'),
  );
  return performKeyed(context, 'publishVideo', checked, 'page', (context, call, options) => {
    const { title, description, scheduledAt, waitTimeoutMs = defaultWaitMs } = options;
    const time = scheduledAt && toSeconds(scheduledAt);
    return safeTry(async function* () {
      const [source, thumb] = yield* openFiles(context, options);
      const report = progressReport(
        context,
        options.onProgress,
        typeof source === 'string' ? undefined : source.size,
      );
      const publication = {
        options,
        call,
        report,
        thumb,
        time,
        metadata: {
          title,
          description,
          place: options.placeId,
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
        { ...call, videoId: video_id, waitFor: options.waitFor },
        endsAt,
      );
      if (time === undefined || links.post_id !== undefined) return ok({ video_id, ...links });
      const post = yield* scheduledPostOf(context, call, options.pageId, video_id).mapErr((failure) =>
        withIds(failure, { video_id }),
      );
      return ok({ video_id, ...links, ...post });
    });
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
  const { title, description = title, uploadTimeoutMs = defaultUploadMs } = options;
  const onCreated = guardHook(options.onCreated);
  const publish = {
    ...call,
    ...publishRequest({ file_url }, publication),
    fetches: shownAddresses(file_url),
    timeoutMs: uploadTimeoutMs,
    schema: createdSchema,
  };
  const sent: ResultAsync<Created, RequestFailure> = sendOnce(context, publish, {
    kind: 'entry',
    ...asCreated,
    // Its post is listed too, under an id that is known only later.
    hasOtherId: true,
    entries: hostedEntries(context, publication, description),
  });
  return sent.map(({ id: video_id }) => video_id).andTee((video_id) => onCreated?.({ video_id }));
}

/** Looks up a fetched video: a scheduled one may show among the posts alone. */
function hostedEntries(
  context: PageContext,
  { options: { pageId, description }, call, time }: Publication,
  text: string | undefined,
): Entries {
  const posts = postEntries(context, call, { pageId, time, text });
  return {
    ...posts,
    query: (limits) =>
      queryEntries(context, {
        ...call,
        ...limits,
        path: path`${pageId}/videos`,
        query: { type: 'UPLOADED', fields: 'id,title,description,created_time', limit: 25 },
      })
        .map((videos) =>
          videos.map((video) => {
            const { title: shownTitle = '', description: shown = '' } = video;
            return toListed(video, 'created_time', description === undefined ? shownTitle : shown);
          }),
        )
        .andThen((videos) =>
          time === undefined
            ? okAsync({ entries: videos })
            : posts.query(limits).map((listed) => ({
                // A post has another id than its video.
                entries: [...videos, ...listed.entries.map((post) => ({ ...post, text: undefined }))],
              })),
        ),
  };
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
          toValue: () => ({ success: true }),
          entries: { list: `${pageId}/posts`, text: description || undefined, sign: 'no text' },
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
  const checked = check(context, options, () => ({ videoId: rule.id, pageToken: rule.token }));
  return perform(context, 'videoStatus', checked, (call, { videoId }) =>
    readVideoStatus(context, { ...call, videoId }),
  );
}

export interface VideosOptions extends PageCallOptions {
  readonly pageId: string;
  /**
   * Videos that the Page uploaded, or in which it is tagged.
   * @default 'uploaded'
   */
  readonly type?: 'uploaded' | 'tagged' | undefined;
  /**
   * Videos to return, over all pages of the list.
   * @default 25
   */
  readonly limit?: number | undefined;
  /**
   * Fields of a video. An unknown one fails the whole call.
   * @default those of PageVideo
   */
  readonly fields?: readonly string[] | undefined;
}

/**
 * Lists the videos of a Page, without its Reels: see `reels`.
 *
 * Source: Graph API reference, Page videos.
 *
 * @example
 * const found = await videos(context, { pageId, pageToken, limit: 50 });
 * if (found.isOk()) console.log(found.value.map((video) => video.permalink_url));
 */
export function videos(context: PageContext, options: VideosOptions): ResultAsync<List<PageVideo>, Failure> {
  const checked = check(context, options, () => ({
    ...pageListRules(),
    type: rule.optional(rule.oneOf('uploaded', 'tagged')),
  }));
  return performList(context, 'videos', checked, 25, (options) => {
    const { pageId, type = 'uploaded' } = options;
    const found = videosOn(path`${pageId}/videos`, options);
    return { ...found, query: { ...found.query, type: type.toUpperCase() } };
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
  const checked = check(context, options, () => ({
    videoId: rule.id,
    pageToken: rule.token,
    captions: fileSource(),
    locale: rule.satisfies((value) => /^[a-z]{2,3}_[A-Z]{2}$/.test(String(value)), 'a locale such as en_US'),
    isDefault: rule.optional(rule.flag),
  }));
  return perform(context, 'addCaptions', checked, (call, { videoId, captions, locale, isDefault }) =>
    openFile(captions, 'captions').andThen((file) => {
      const sent = send(context, {
        ...call,
        method: 'POST',
        path: path`${videoId}/captions`,
        // The platform reads the language from the name of the file.
        ...multipart(
          { default_locale: isDefault ? locale : undefined },
          { captions_file: file },
          `captions.${locale}.srt`,
        ),
        schema: acknowledgementSchema,
      });
      return reportFileChange(context, sent, file, 'captions');
    }),
  );
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

const sessionSchema = objectOf({ upload_session_id: idSchema, video_id: idSchema });

/** Reads a range, whose offsets the platform sends as strings; `NaN` for anything else. */
function readRange(value: unknown): ByteRange {
  const { start_offset, end_offset } = fieldsOf(value);
  return { start_offset: toOffset(start_offset), end_offset: toOffset(end_offset) };
}

function toOffset(value: unknown): number {
  return /^\d+$/.test(textOf(value)) ? Number(value) : NaN;
}

/** Starts the upload of a video in parts. It is safe to repeat: a session publishes nothing, and expires. */
function startSession(
  context: Context,
  pageId: string,
  size: number,
  request: Call,
): ResultAsync<VideoSession, RequestFailure> {
  return send(context, {
    ...request,
    method: 'POST',
    path: path`${pageId}/videos`,
    form: { upload_phase: 'start', file_size: size },
    schema: sessionSchema,
  })
    .map((session) => ({ ...session, ...readRange(session) }))
    .mapErr((failure) => withOutcome(failure, 'rejected'));
}

/** What is needed to send the parts of a video. */
interface SessionUpload extends Call {
  readonly pageId: string;
  readonly source: Blob;
  /** How many attempts in total, and how many milliseconds for one part. */
  readonly attempts: number;
  readonly timeoutMs: number;
  /** Called with the number of bytes sent so far. */
  readonly onSent: (bytes: number) => void;
}

/** Sends all parts of a video. After an interruption, the interrupted part is sent again. */
function uploadInSession(
  context: Context,
  session: VideoSession,
  upload: SessionUpload,
): ResultAsync<void, RequestFailure> {
  const { source } = upload;
  let next: ByteRange = session;
  return uploadInAttempts(context, {
    ...upload,
    transfer: () => new ResultAsync(sendParts()),
    // Each response names the range that the platform wants next, and it accepts a part that it already has.
    readStatus: () => okAsync({ isComplete: false, bytesHeld: undefined, payload: {} }),
  });

  async function sendParts(): Promise<Result<void, RequestFailure>> {
    while (next.start_offset !== next.end_offset) {
      const { start_offset, end_offset } = next;
      if (!(start_offset >= 0 && end_offset > start_offset && end_offset <= source.size))
        return err(impossible());
      const sent = await sendPart(context, session.upload_session_id, next, upload);
      // A part that it already has is refused, along with the range that it wants instead.
      const asked = sent.isOk() ? readRange(sent.value.value) : rangeIn(sent.error);
      const isAsked = !Number.isNaN(asked.start_offset);
      if (isAsked) next = asked;
      // No progress counts as an interruption: attempts are limited, so the upload always ends.
      if (!(next.start_offset > start_offset)) {
        return err(sent.isErr() ? sent.error : isAsked ? repeated(sent.value, next) : unreadable(sent.value));
      }
    }
    return next.start_offset === source.size ? ok() : err(impossible());
  }

  function impossible(): ApiError {
    const { start_offset, end_offset } = next;
    const message = `the platform asks for bytes ${start_offset} to ${end_offset} of a file of ${source.size} bytes`;
    return new ApiError(message, { payload: { start_offset, end_offset } });
  }
}

function sendPart(
  context: Context,
  upload_session_id: string,
  { start_offset, end_offset }: ByteRange,
  { pageId, source, onSent, ...request }: SessionUpload,
): ResultAsync<GraphResponse<unknown>, RequestFailure> {
  const { body: part } = multipart(
    { upload_phase: 'transfer', upload_session_id, start_offset },
    { video_file_chunk: source.slice(start_offset, end_offset) },
  );
  let read = 0;
  let isOver = false;
  onSent(start_offset);
  // One attempt, since attempts are counted for the upload as a whole.
  const ending = sendForResponse(context, {
    ...request,
    attempts: 1,
    method: 'POST',
    path: path`${pageId}/videos`,
    headers: { 'content-type': part.type },
    ...uploadBody(
      part,
      0,
      (bytes) => {
        read += bytes;
        onSent(Math.min(end_offset, start_offset + read));
      },
      () => isOver,
    ),
    schema: objectOf({}),
  });
  void ending.then(() => (isOver = true));
  return ending;
}

/** The range that the platform asks for when it refuses a part. */
function rangeIn({ payload }: RequestFailure): ByteRange {
  return readRange(fieldsOf(fieldsOf(payload)['error'])['error_data']);
}

/** A success that cannot be read counts as a lost response. */
function unreadable({ status, body, redact }: GraphResponse<unknown>): ApiError {
  const message = 'unexpected response at start_offset: expected a number';
  return new ApiError(message, { status, payload: redact(body) });
}

/** If the platform asks for a part again, it did not arrive. */
function repeated({ status }: GraphResponse<unknown>, { start_offset, end_offset }: ByteRange): ApiError {
  const message = `the platform asks for bytes ${start_offset} to ${end_offset} again`;
  return new ApiError(message, { status, payload: { start_offset, end_offset } });
}
