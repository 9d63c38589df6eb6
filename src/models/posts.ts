import { converted, isObject, objectOf, type Schema } from '../core/schema.ts';
import { flag, idSchema, node, number, optionalId, part, type Raw, text } from './fields.ts';

/** A post of a Page. */
export interface PagePost {
  readonly id: string;
  readonly message?: string | undefined;
  /** The platform's text for a post that has none. */
  readonly story?: string | undefined;
  /** Such as `2026-01-02T03:04:05+0000`. */
  readonly created_time?: string | undefined;
  readonly updated_time?: string | undefined;
  readonly permalink_url?: string | undefined;
  readonly full_picture?: string | undefined;
  readonly status_type?: string | undefined;
  readonly is_published?: boolean | undefined;
  readonly is_hidden?: boolean | undefined;
  /** The author: the Page. */
  readonly from?: { readonly id: string; readonly name?: string | undefined } | undefined;
  /** The number of shares. Absent if there are none. */
  readonly shares?: { readonly count?: number | undefined } | undefined;
  /** The post as the platform sent it, with all fields that were requested. Not enumerable. */
  readonly raw: Raw;
}

const postEntries = {
  id: idSchema,
  message: text,
  story: text,
  created_time: text,
  updated_time: text,
  permalink_url: text,
  full_picture: text,
  status_type: text,
  is_published: flag,
  is_hidden: flag,
  from: part(node({ id: idSchema, name: text })),
  shares: part(node({ count: number })),
};

/** Reads a {@link PagePost}. */
export const pagePostSchema: Schema<PagePost> = node(postEntries);

/** A post that the platform will publish later. */
export interface ScheduledPost extends PagePost {
  /** When it will be published, in unix seconds. */
  readonly scheduled_publish_time?: number | undefined;
}

/** Reads a {@link ScheduledPost}. */
export const scheduledPostSchema: Schema<ScheduledPost> = node({
  ...postEntries,
  scheduled_publish_time: number,
});

/** A story of a Page. */
export interface Story {
  readonly post_id: string;
  /** `PUBLISHED` or `ARCHIVED`. */
  readonly status?: string | undefined;
  /** Unix seconds, as a string. */
  readonly creation_time?: string | undefined;
  /** `photo` or `video`. */
  readonly media_type?: string | undefined;
  /** Id of the photo or the video. */
  readonly media_id?: string | undefined;
  readonly url?: string | undefined;
  /** The story as the platform sent it. Not enumerable. */
  readonly raw: Raw;
}

/** Reads a {@link Story}. */
export const storySchema: Schema<Story> = node({
  post_id: idSchema,
  status: text,
  creation_time: text,
  media_type: text,
  media_id: optionalId,
  url: text,
});

/** The state of one phase of a video story. */
export interface VideoStoryPhase {
  /** `not_started`, `in_progress`, `complete` or `error`. */
  readonly status: string;
  /** The cause of a failure, as the platform describes it. */
  readonly error?: unknown;
  readonly errors?: unknown;
}

/** The state of a video story. */
export interface VideoStoryStatus {
  readonly uploading_phase: VideoStoryPhase & {
    /** How many bytes the platform says it holds, unchecked. The platform spells the name with one `r`. */
    readonly bytes_transfered?: number | undefined;
  };
  readonly processing_phase: VideoStoryPhase;
  readonly publishing_phase: VideoStoryPhase;
  /** The state of the whole video, such as `processing`, `ready`, `error` or `expired`. */
  readonly video_status?: unknown;
  /** The cause of a failure, as the platform describes it. */
  readonly error?: unknown;
  readonly errors?: unknown;
}

/** Reads a {@link VideoStoryStatus}. A phase that is missing has not started. */
export const videoStoryStatusSchema: Schema<VideoStoryStatus> = converted(
  objectOf({ status: objectOf({}) }),
  ({ status }) => ({
    ...status,
    uploading_phase: toPhase(status['uploading_phase']),
    processing_phase: toPhase(status['processing_phase']),
    publishing_phase: toPhase(status['publishing_phase']),
  }),
);

/** Normalizes the spelling of a phase. The platform also sends `completed` and `bytes_transferred`. */
function toPhase(raw: unknown): VideoStoryPhase & { readonly bytes_transfered?: number } {
  const { status, bytes_transfered, bytes_transferred, ...rest } = isObject(raw) ? raw : {};
  const told = bytes_transfered ?? bytes_transferred;
  const bytes = typeof told === 'string' && told !== '' ? Number(told) : told;
  return {
    ...rest,
    status: toState(status ?? 'not_started'),
    ...(typeof bytes === 'number' && { bytes_transfered: bytes }),
  };
}

function toState(state: unknown): string {
  return typeof state !== 'string' ? 'unknown' : state === 'completed' ? 'complete' : state;
}
