import * as v from 'valibot';

/** How far one phase of a video story is. */
export interface VideoStoryPhase {
  /** `not_started`, `in_progress`, `complete` or `error`. */
  readonly status: string;
  readonly [field: string]: unknown;
}

/** How far a video story is. Whatever else the platform says of it is kept. */
export interface VideoStoryStatus {
  readonly uploading_phase: VideoStoryPhase & {
    /** Bytes that the platform holds. The platform spells it so, with one `r`. */
    readonly bytes_transfered?: number | undefined;
  };
  readonly processing_phase: VideoStoryPhase;
  readonly publishing_phase: VideoStoryPhase;
  readonly [field: string]: unknown;
}

/** Reads a {@link VideoStoryStatus}. A phase that the platform leaves out has not started. */
export const videoStoryStatusSchema: v.GenericSchema<unknown, VideoStoryStatus> = v.pipe(
  v.looseObject({ status: v.looseObject({}) }),
  v.transform(({ status }) => ({
    ...status,
    uploading_phase: toPhase(status['uploading_phase']),
    processing_phase: toPhase(status['processing_phase']),
    publishing_phase: toPhase(status['publishing_phase']),
  })),
);

/** A phase in the documented spelling: the platform also writes `completed`, and `bytes_transferred`. */
function toPhase(raw: unknown): VideoStoryPhase & { readonly bytes_transfered?: number } {
  const { status = 'not_started', bytes_transferred, ...rest } = (raw ?? {}) as Record<string, unknown>;
  const told = rest['bytes_transfered'] ?? bytes_transferred;
  const bytes = typeof told === 'string' ? Number(told) : told;
  return {
    ...rest,
    status: typeof status !== 'string' ? 'unknown' : status === 'completed' ? 'complete' : status,
    ...(isCount(bytes) && { bytes_transfered: bytes }),
  };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
