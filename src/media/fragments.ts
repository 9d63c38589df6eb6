import { bodyOf, boxHead, boxesIn, find, longer } from './boxes.ts';
import { startsWith, u32 } from './bytes.ts';
import { addSample, noSamples, type Samples, type Track } from './movie.ts';
import type { Ranges } from './source.ts';

/** What is read of a part of the index, which is this small in most files. */
export const fragmentRead = 8192;
/** A part of the index that is larger is not read. */
const mostFragment = 1_048_576;

/** The seconds that a list of segments covers, if it covers the file. */
export function readSegments(bytes: Uint8Array, rest: number): number {
  let covered = longer(bytes, 16, 20);
  let duration = 0;
  for (let at = bytes[0] === 1 ? 32 : 24; at < bytes.length; at += 12) {
    covered += u32(bytes, at) & 0x7fff_ffff;
    duration += u32(bytes, at + 4);
  }
  return covered >= rest * 0.99 ? duration / (u32(bytes, 8) || Infinity) : 0;
}

/** Adds the samples of a track in a fragment. `defaults`: the boxes `trex`. */
export function addFragment(
  bytes: Uint8Array,
  id: number,
  defaults: readonly Uint8Array[],
  samples: Samples,
): void {
  const others = defaults.find((box) => u32(box, 4) === id) ?? new Uint8Array();
  for (const { type, body } of boxesIn(bytes)) {
    const parts = boxesIn(body);
    const header = bodyOf(parts, 'tfhd');
    if (type !== 'traf' || u32(header, 4) !== id) continue;
    const flags = u32(header, 0);
    const next = fieldsOf(header, flags, 8 + (flags & 1 ? 8 : 0) + (flags & 2 ? 4 : 0));
    const own = [next(8, u32(others, 12)), next(16, u32(others, 16)), next(32, u32(others, 20))] as const;
    for (const run of parts) if (run.type === 'trun') addRun(run.body, own, samples);
  }
}

/** Reads the fields that flags say are there, one after the other; of the rest, what is given. */
function fieldsOf(bytes: Uint8Array, flags: number, start: number): (flag: number, other: number) => number {
  let at = start;
  return (flag, other) => {
    if (!(flags & flag)) return other;
    at += 4;
    return u32(bytes, at - 4);
  };
}

/** Samples of a run, which a lie about their number cannot make more than this. */
const mostInRun = 100_000;

function addRun(
  bytes: Uint8Array,
  [duration, size, flagsOfAll]: readonly [duration: number, size: number, flags: number],
  samples: Samples,
): void {
  const flags = u32(bytes, 0);
  const next = fieldsOf(bytes, flags, 8 + (flags & 1 ? 4 : 0));
  // They may have flags of their own, or the first of them only.
  let flagsOfNext = next(4, flagsOfAll);
  // Each has some bytes in the box, or none has.
  const most = flags & 0xf00 ? Math.min(mostInRun, bytes.length / 4) : mostInRun;
  for (let left = Math.min(u32(bytes, 4), most); left > 0; left--) {
    const [lasts, bytesOf, own] = [next(0x100, duration), next(0x200, size), next(0x400, flagsOfNext)];
    addSample(samples, lasts, bytesOf, next(0x800, 0) | 0, (own & 0x1_0000) === 0);
    flagsOfNext = flagsOfAll;
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
  let at = longer(list, last + 4, last + 8);
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
          start ??= longer(time, 4, 4);
      }
      addFragment(fragment, id, [], samples);
    }
    at += head.length;
  }
  return start === undefined ? 0 : (start + samples.duration) / timescale;
}
