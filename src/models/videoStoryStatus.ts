import * as v from 'valibot';

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
    /** Bytes that the platform says it holds, unchecked. The platform spells it so, with one `r`. */
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
export const videoStoryStatusSchema: v.GenericSchema<unknown, VideoStoryStatus> = v.pipe(
  v.looseObject({ status: v.looseObject({}) }),
  v.transform(({ status }) => ({
    ...status,
    uploading_phase: toPhase(status['uploading_phase']),
    processing_phase: toPhase(status['processing_phase']),
    publishing_phase: toPhase(status['publishing_phase']),
  })),
);

/** Brings a phase into the documented spelling. The platform also sends `completed` and `bytes_transferred`. */
function toPhase(raw: unknown): VideoStoryPhase & { readonly bytes_transfered?: number } {
  const { status, bytes_transfered, bytes_transferred, ...rest } = (
    typeof raw === 'object' ? (raw ?? {}) : {}
  ) as Record<string, unknown>;
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
