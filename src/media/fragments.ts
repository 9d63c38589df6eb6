import { boxHead, boxesIn, find } from './boxes.ts';
import { startsWith, u32, u64 } from './bytes.ts';
import { addSample, type Defaults, noSamples, type Samples, type Track } from './movie.ts';
import type { Ranges } from './source.ts';

/** What is read of a part of the index, which is this small in most files. */
export const fragmentRead = 8192;
/** A part of the index that is larger is not read. */
const mostFragment = 1024 * 1024;

/** The seconds that a list of segments covers, if it covers the file. */
export function readSegments(bytes: Uint8Array, rest: number): number {
  const timescale = u32(bytes, 8);
  const isLong = bytes[0] === 1;
  const first = isLong ? u64(bytes, 20) : u32(bytes, 16);
  const head = isLong ? 32 : 24;
  let duration = 0;
  let covered = first;
  for (let at = head; at + 12 <= bytes.length; at += 12) {
    covered += u32(bytes, at) & 0x7fff_ffff;
    duration += u32(bytes, at + 4);
  }
  return timescale > 0 && covered >= rest * 0.99 ? duration / timescale : 0;
}

/** Adds the samples of a track in a fragment. */
export function addFragment(
  bytes: Uint8Array,
  id: number,
  defaults: Defaults | undefined,
  samples: Samples,
): void {
  for (const { type, body } of boxesIn(bytes)) {
    if (type !== 'traf') continue;
    const header = find(body, 'tfhd');
    if (u32(header, 4) !== id) continue;
    const flags = u32(header, 0);
    let at = 8 + (flags & 1 ? 8 : 0) + (flags & 2 ? 4 : 0);
    const field = (flag: number, other: number): number => {
      if (!(flags & flag)) return other;
      at += 4;
      return u32(header, at - 4);
    };
    const own = {
      duration: field(8, defaults?.duration ?? 0),
      size: field(16, defaults?.size ?? 0),
      flags: field(32, defaults?.flags ?? 0),
    };
    for (const run of boxesIn(body)) if (run.type === 'trun') addRun(run.body, own, samples);
  }
}

/** Samples of a run, which a lie about their number cannot make more than this. */
const mostInRun = 100_000;

function addRun(bytes: Uint8Array, own: Defaults, samples: Samples): void {
  const flags = u32(bytes, 0);
  const length = [0x100, 0x200, 0x400, 0x800].filter((flag) => flags & flag).length * 4;
  let at = 8 + (flags & 1 ? 4 : 0);
  const first = flags & 4 ? u32(bytes, at) : undefined;
  if (flags & 4) at += 4;
  const fits = length > 0 ? Math.floor((bytes.length - at) / length) : mostInRun;
  const count = Math.min(u32(bytes, 4), Math.max(fits, 0), mostInRun);
  for (let index = 0; index < count; index++) {
    const field = (flag: number, other: number): number => {
      if (!(flags & flag)) return other;
      at += 4;
      return u32(bytes, at - 4);
    };
    const duration = field(0x100, own.duration);
    const size = field(0x200, own.size);
    const sampleFlags = field(0x400, index === 0 && first !== undefined ? first : own.flags);
    const offset = field(0x800, 0);
    addSample(samples, duration, size, offset | 0, (sampleFlags & 0x1_0000) === 0);
  }
}

/** The seconds up to the end of the last fragment, which the list at the end of the file leads to; 0 if none does. */
export async function readEnd(ranges: Ranges, { id, timescale }: Track): Promise<number> {
  const window = Math.min(65_536, ranges.size);
  const end = (await ranges.bytes(ranges.size - window, window)).subarray(0, window);
  const length = u32(end, window - 4);
  if (!startsWith(end, 'mfro', window - 12) || length > window) return 0;
  const list = boxesIn(end.subarray(window - length + 8)).find(
    ({ type, body }) => type === 'tfra' && u32(body, 4) === id,
  )?.body;
  if (!list) return 0;
  const isLong = list[0] === 1;
  const sizes = u32(list, 8);
  const entry = (isLong ? 16 : 8) + 3 + ((sizes >> 4) & 3) + ((sizes >> 2) & 3) + (sizes & 3);
  const last = 16 + (u32(list, 12) - 1) * entry;
  let at = isLong ? u64(list, last + 8) : u32(list, last + 4);
  if (last < 16 || last + entry > list.length) return 0;
  const samples = noSamples();
  let start: number | undefined;
  // The last key frame may be followed by fragments without one.
  for (let left = 6; left > 0 && at < ranges.size; left--) {
    const head = boxHead(await ranges.bytes(at, 16, fragmentRead));
    if (head.length < head.head) break;
    if (head.type === 'moof' && head.length <= mostFragment) {
      const fragment = (await ranges.bytes(at, head.length)).subarray(head.head, head.length);
      for (const { type, body } of boxesIn(fragment)) {
        const time = find(body, 'tfdt');
        if (type === 'traf' && u32(find(body, 'tfhd'), 4) === id && time.length > 0)
          start ??= time[0] === 1 ? u64(time, 4) : u32(time, 4);
      }
      addFragment(fragment, id, undefined, samples);
    }
    at += head.length;
  }
  return start === undefined ? 0 : (start + samples.duration) / timescale;
}
