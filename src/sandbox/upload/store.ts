import type { Checksum } from './sha256.ts';

/** What the upload host holds of one video. */
export interface Upload {
  bytes: number;
  checksum: Checksum;
  readonly transfers: { readonly offset: number; bytes: number }[];
}

export type UploadStore = Map<string, Upload>;
