import type { Checksum } from './sha256.ts';

/** What the upload host holds of one video. */
export interface Upload {
  bytes: number;
  checksum: Checksum;
  /** Whether the bytes are a text, which cannot be processed as a video. */
  isText?: boolean;
  readonly transfers: { readonly offset: number; bytes: number }[];
}

export type UploadStore = Map<string, Upload>;
