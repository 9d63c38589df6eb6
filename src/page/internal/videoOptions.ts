import { duration, hook, id, optional, text, that, token, url } from '../../core/options/check.ts';
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

/** An uploaded video. */
export interface UploadedVideo {
  /**
   * An MP4: its bytes, or the path of its file as a string or a file URL. Never use a path from user input. A file is
   * streamed, and must not change meanwhile.
   */
  readonly video: FileSource;
  readonly videoUrl?: undefined;
}

/** Options of every function that publishes a video. */
export interface VideoOptions extends PageCallOptions, UploadOptions, KeyedOptions {
  readonly pageId: string;
  /**
   * How long the function waits for the platform once the file is sent, in milliseconds, including status requests that
   * fail and waits that the platform asks for. A status request in flight at the end gets 5 seconds at most. 0 sends
   * one status request.
   * @default 300_000
   */
  readonly waitTimeoutMs?: number | undefined;
  /**
   * `processed` also waits, after the video is published, until the platform has processed it: people cannot play it
   * before. This counts against the same `waitTimeoutMs`; `processed` in the value says whether it finished in time.
   */
  readonly waitFor?: 'processed' | undefined;
  /** Called once the video has an id, before the next step. Anything it throws is ignored. */
  readonly onCreated?: ((ids: { readonly video_id: string }) => unknown) | undefined;
}

/** Options of functions that publish a video or a Reel, which has a text. */
export interface DescribedVideoOptions extends VideoOptions {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  /**
   * The thumbnail: its bytes, or the path of its file as a string or a file URL. Never use a path from user input.
   */
  readonly thumbnail?: FileSource | undefined;
  /** A Page with a location, where the video is from. */
  readonly placeId?: string | undefined;
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

/** Rules for {@link DescribedVideoOptions} and the video itself. */
export const describedVideoRules = {
  ...videoRules,
  title: optional(text),
  description: optional(text),
  thumbnail: optional(fileSource()),
  placeId: optional(id),
};
