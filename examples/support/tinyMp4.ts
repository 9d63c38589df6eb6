import { writeFile } from 'node:fs/promises';

/**
 * Writes a small MP4 file, with `bytes` bytes of media data, and returns its size. It stands in for a real story:
 * its boxes are valid, but its movie has no track.
 */
export async function writeTinyMp4(path: string, bytes: number): Promise<number> {
  const file = Buffer.concat([ftyp(), box('moov', mvhd()), box('mdat', Buffer.alloc(bytes, 'frame '))]);
  await writeFile(path, file);
  return file.length;
}

function ftyp(): Buffer {
  return box('ftyp', Buffer.from('isom'), uint32(512), Buffer.from('isomiso2mp41'));
}

/** The movie header: 1000 ticks a second, 3 seconds, no track yet. */
function mvhd(): Buffer {
  const versionAndFlags = uint32(0);
  const times = [uint32(0), uint32(0)];
  const [timescale, duration] = [uint32(1000), uint32(3000)];
  const rateAndVolume = Buffer.from('00010000010000000000000000000000', 'hex');
  const matrix = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000].map(uint32);
  const predefined = Buffer.alloc(24);
  const nextTrack = uint32(1);
  const fields = [versionAndFlags, ...times, timescale, duration, rateAndVolume, ...matrix];
  return box('mvhd', ...fields, predefined, nextTrack);
}

/** A box: its size, its name, its content. */
function box(name: string, ...content: readonly Buffer[]): Buffer {
  const body = Buffer.concat(content);
  return Buffer.concat([uint32(8 + body.length), Buffer.from(name), body]);
}

function uint32(value: number): Buffer {
  const buffer = Buffer.alloc(4);
  buffer.writeUInt32BE(value);
  return buffer;
}
