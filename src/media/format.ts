import { boxHead } from './boxes.ts';
import { startsWith, text, u32 } from './bytes.ts';
import type { MediaFacts, MediaFormat } from './types.ts';

/** What a file begins with, where that is enough. */
const beginnings: readonly (readonly [words: string, format: MediaFormat])[] = [
  ['\xff\xd8\xff', 'jpeg'],
  ['\x89PNG\r\n\x1a\n', 'png'],
  ['GIF8', 'gif'],
  ['II*\0', 'tiff'],
  ['MM\0*', 'tiff'],
  ['\xff\x0a', 'jxl'],
  ['\0\0\x01\xba', 'mpegps'],
  ['FLV\x01', 'flv'],
  ['\x30\x26\xb2\x75\x8e\x66\xcf\x11', 'asf'],
  ['OggS', 'ogg'],
  ['ID3', 'mp3'],
  ['#!AMR', 'amr'],
  ['%PDF-', 'pdf'],
];

/** The format of a file by its first bytes. */
export function formatOf(bytes: Uint8Array): MediaFormat {
  const known = beginnings.find(([words]) => startsWith(bytes, words));
  if (known) return known[1];
  if (startsWith(bytes, 'RIFF')) {
    const inside = text(bytes, 8, 4);
    return inside === 'WEBP' ? 'webp' : inside === 'WAVE' ? 'wav' : inside === 'AVI ' ? 'avi' : 'unknown';
  }
  if (u32(bytes, 0) === 0x1a45_dfa3) return text(bytes, 0, 64).includes('webm') ? 'webm' : 'matroska';
  // Packets of 188 bytes, or of 192 with their times.
  if ([0, 4].some((at) => [0, 1, 2].every((packet) => bytes[at + packet * (188 + at)] === 0x47)))
    return 'mpegts';
  if (startsWith(bytes, 'BM') && u32(bytes, 6) === 0) return 'bmp';
  if (/^(?:ftyp|moov|mdat|free|skip|wide|pnot|uuid|styp|moof|sidx|jP {2}|JXL )$/.test(text(bytes, 4, 4)))
    return formatOfBrands(bytes);
  if (bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe0) === 0xe0)
    // Of two bits that number the layer, AAC has none.
    return ((bytes[1] ?? 0) & 6) === 0 ? 'aac' : 'mp3';
  return /^[\s\xef\xbb\xbf]*<(?:!doctype html|html|head|body|script|!--)/i.test(text(bytes, 0, 512))
    ? 'html'
    : 'unknown';
}

const kinds: Readonly<Partial<Record<MediaFormat, MediaFacts['kind']>>> = {
  m4a: 'audio',
  mp3: 'audio',
  aac: 'audio',
  wav: 'audio',
  amr: 'audio',
  pdf: 'unknown',
  html: 'unknown',
  unknown: 'unknown',
};

/** What a format that is not read further holds. */
export function kindOf(format: MediaFormat): MediaFacts['kind'] {
  return kinds[format] ?? 'video';
}

/** The format of an ISO file by its brands. */
function formatOfBrands(bytes: Uint8Array): MediaFormat {
  const { type, head, length } = boxHead(bytes);
  if (type === 'JXL ') return 'jxl';
  if (type === 'jP  ') return 'unknown';
  if (type !== 'ftyp') return 'mov';
  const end = Math.min(length, bytes.length, 512);
  const brands = [text(bytes, head, 4)];
  for (let at = head + 8; at + 4 <= end; at += 4) brands.push(text(bytes, at, 4));
  const [major = ''] = brands;
  if (/^avi[fs]$/.test(major)) return 'avif';
  if (/^(?:he[ivm][cmsxf]|hevx)$/.test(major)) return 'heic';
  if (/^m(?:if|sf)1$/.test(major)) return brands.some((brand) => /^avi[fs]$/.test(brand)) ? 'avif' : 'heic';
  if (major === 'qt  ') return 'mov';
  if (major === 'jxl ') return 'jxl';
  if (major === 'crx ') return 'unknown';
  return major.startsWith('3g') ? '3gp' : 'mp4';
}
