import { textAt } from './bytes.ts';
import type { MediaFacts, MediaFormat } from './types.ts';

/* oxlint-disable no-control-regex -- the characters are bytes */

/** What files begin with. The first that fits counts. */
const beginnings: Readonly<Partial<Record<MediaFormat, RegExp>>> = {
  jpeg: /^\xff\xd8\xff/,
  png: /^\x89PNG\r\n\x1a\n/,
  gif: /^GIF8/,
  tiff: /^(?:II\*\0|MM\0\*)/,
  webp: /^RIFF.{4}WEBP/s,
  wav: /^RIFF.{4}WAVE/s,
  avi: /^RIFF.{4}AVI /s,
  mpegps: /^\0\0\x01\xba/,
  flv: /^FLV\x01/,
  asf: /^0&\xb2u\x8ef\xcf\x11/,
  ogg: /^OggS/,
  amr: /^#!AMR/,
  flac: /^fLaC/,
  aiff: /^FORM.{4}AIF/s,
  caf: /^caff/,
  pdf: /^%PDF-/,
  webm: /^\x1aE\xdf\xa3.{0,56}webm/s,
  matroska: /^\x1aE\xdf\xa3/,
  // Packets of 188 bytes, or of 192 with their times.
  mpegts: /^(?:G.{187}G.{187}G|.{4}G.{191}G.{191}G)/s,
  bmp: /^BM.{4}\0{4}/s,
  jxl: /^(?:\xff\x0a|.{4}(?:JXL |ftypjxl ))/s,
  // Files of the ISO family by their brands, of which the first names the format, or only the family.
  avif: /^.{4}ftyp(?:avi[fs]|m[is]f1.{4}(?:.{4}){0,15}avi[fs])/s,
  heic: /^.{4}ftyp(?:he[ivm][cmsxf]|hevx|m[is]f1)/s,
  '3gp': /^.{4}ftyp3g/s,
  unknown: /^.{4}ftypcrx/s,
  mov: /^.{4}(?:ftypqt {2}|moov|mdat|free|skip|wide|pnot|uuid)/s,
  mp4: /^.{4}(?:ftyp|styp|moof|sidx)/s,
  // Of two bits that number the layer, AAC has none.
  aac: /^\xff[\xf0\xf1\xf8\xf9]/,
  mp3: /^(?:ID3|\xff[\xe0-\xff])/,
  html: /^[\s\xef\xbb\xbf]*<(?:!doctype html|html|head|body|script|!--)/i,
};

/** The format of a file by its first bytes. */
export function formatOf(bytes: Uint8Array): MediaFormat {
  const start = textAt(bytes, 0, 512);
  // Nothing has been added to it.
  const formats = Object.keys(beginnings) as MediaFormat[];
  return formats.find((format) => beginnings[format]?.test(start)) ?? 'unknown';
}

/** What a format that is not read further holds. */
export function kindOf(format: MediaFormat): MediaFacts['kind'] {
  return /^(?:mp3|aac|wav|amr|flac|aiff|caf)$/.test(format)
    ? 'audio'
    : /^(?:pdf|html|unknown)$/.test(format)
      ? 'unknown'
      : 'video';
}
