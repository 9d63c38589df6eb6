import { duration, hook, id, optional, that, token, url } from '../../core/options/check.ts';
import { fileSource, type FileSource } from '../../core/options/fileSource.ts';
import { type UploadOptions, uploadRules } from '../../core/upload.ts';
import type { KeyedOptions } from '../../core/writes/journal/types.ts';
import type { PageCallOptions } from '../context.ts';

/** A video at a public address. */
export interface HostedVideo {
  /** Public address of an MP4, fetched by the platform. */
  readonly videoUrl: string;
  readonly video?: undefined;
}

/** A video that is uploaded. */
export interface UploadedVideo {
  /**
   * An MP4: its bytes, or the path of its file as a string or a file URL. A path must not come from
   * outside. A file is streamed, and must not change meanwhile.
   */
  readonly video: FileSource;
  readonly videoUrl?: undefined;
}

/** Options of every function that publishes a video. */
export interface VideoOptions extends PageCallOptions, UploadOptions, KeyedOptions {
  readonly pageId: string;
  /**
   * Milliseconds to wait for what the function waits for, once the file is sent: status lookups, failed ones and the
   * platform's waiting times included. A lookup in flight at the end has 5 seconds at most. 0 looks once.
   * @default 300_000
   */
  readonly waitTimeoutMs?: number | undefined;
  /**
   * `processed` also waits, once the video is published, until the platform has processed it: only then can people play
   * it. It is the same `waitTimeoutMs`; `processed` of the value says whether it was in time.
   */
  readonly waitFor?: 'processed' | undefined;
  /** Called once the video has an id, before the next step. What it throws changes nothing. */
  readonly onCreated?: ((ids: { readonly video_id: string }) => unknown) | undefined;
}

/** Rules for {@link VideoOptions} and the video itself. */
export const videoRules = {
  pageId: id,
  pageToken: token,
  videoUrl: optional(url),
  video: optional(fileSource('videoUrl')),
  waitTimeoutMs: optional(duration),
  waitFor: optional(that((value) => value === 'processed', 'processed')),
  ...uploadRules,
  onCreated: optional(hook),
};
