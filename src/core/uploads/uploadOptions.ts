import { between, count, hook, optional, type Rule } from '../options/check.ts';
import { longestTimer } from '../options/clock.ts';

/** Options of every function that uploads a video. */
export interface UploadOptions {
  /**
   * Milliseconds for one try of the upload, or for the platform to fetch the file. From 1 to 2_147_483_647.
   * @default 600_000
   */
  readonly uploadTimeoutMs?: number | undefined;
  /**
   * Tries of the upload in all. Each one resumes where the one before was interrupted.
   * @default 3
   */
  readonly uploadAttempts?: number | undefined;
  /** Called at each phase, and often while bytes are sent. What it throws changes nothing. */
  readonly onProgress?: ((progress: UploadProgress) => unknown) | undefined;
}

/** The progress of publishing a video. */
export interface UploadProgress {
  /** `start` opens the session, `upload` sends the bytes, `wait` is for the processing, `finish` publishes. */
  readonly phase: 'start' | 'upload' | 'wait' | 'finish';
  /** Bytes handed to the network. After an interruption, it falls back to the bytes that the platform holds. */
  readonly sentBytes: number;
  /** Bytes of the file; `undefined` for one that the platform fetches. */
  readonly totalBytes: number | undefined;
}

/** Rules for {@link UploadOptions}. */
export const uploadRules: Record<keyof UploadOptions, Rule> = {
  uploadTimeoutMs: optional(between(1, longestTimer)),
  uploadAttempts: optional(count),
  onProgress: optional(hook),
};
