import type { GraphObject, Schema } from './fields.ts';
import * as s from './fields.ts';

/** A story of a Page. */
export interface Story extends GraphObject {
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
}

/** Reads a {@link Story}. */
export const storySchema: Schema<Story> = s.node({
  post_id: s.idSchema,
  status: s.text,
  creation_time: s.text,
  media_type: s.text,
  media_id: s.optionalId,
  url: s.text,
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
export const videoStoryStatusSchema: Schema<VideoStoryStatus> = s.objectTo(
  { status: s.objectOf({}) },
  ({ status }) => ({
    ...status,
    uploading_phase: toPhase(status['uploading_phase']),
    processing_phase: toPhase(status['processing_phase']),
    publishing_phase: toPhase(status['publishing_phase']),
  }),
);

/** Normalizes the spelling of a phase. The platform also sends `completed` and `bytes_transferred`. */
function toPhase(raw: unknown): VideoStoryPhase & { readonly bytes_transfered?: number } {
  const { status, bytes_transfered, bytes_transferred, ...rest } = s.isObject(raw) ? raw : {};
  const state = status ?? 'not_started';
  const bytes = s.toBytes(bytes_transfered ?? bytes_transferred);
  return {
    ...rest,
    status: typeof state !== 'string' ? 'unknown' : state === 'completed' ? 'complete' : state,
    ...(bytes !== undefined && { bytes_transfered: bytes }),
  };
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
