import { expect, test } from 'vitest';

import { factsOf, fileOf } from './support.ts';

const h264 = {
  codec: 'h264',
  entry: 'avc1',
  chroma: '4:2:0',
  bitDepth: 8,
  scan: 'progressive',
  gop: 'closed',
};

test.each([
  [
    'default.mp4',
    { format: 'mp4', width: 180, height: 320, durationMs: 3000, moov: 'end', editList: 'harmless' },
  ],
  [
    'default.mp4',
    { video: { ...h264, profile: 'High' }, audio: { codec: 'aac', sampleRate: 48_000, channels: 1 } },
  ],
  ['default.mp4', { frameRate: { average: 30, isVariable: false }, rotation: 0, bitRate: 248_763 }],
  ['faststart.mp4', { moov: 'front', durationMs: 3000 }],
  ['rotated.mp4', { width: 180, height: 320, rotation: 270, stored: { width: 320, height: 180 } }],
  ['rotated.mp4', { frameRate: { average: 29.97, isVariable: false } }],
  ['open.mp4', { video: { codec: 'hevc', entry: 'hvc1', profile: 'Main', gop: 'open' } }],
  ['closed.mp4', { video: { codec: 'hevc', gop: 'closed', scan: 'progressive' } }],
  ['pq.mp4', { video: { profile: 'Main 10', bitDepth: 10, transfer: 'pq' } }],
  ['from-rgb.mp4', { video: { profile: 'High 4:4:4 Predictive', chroma: '4:4:4' } }],
  ['interlaced.mov', { format: 'mov', video: { scan: 'maybe_interlaced' }, frameRate: { average: 25 } }],
  ['fragmented.mp4', { moov: 'fragmented', durationMs: 3000, frameRate: { average: 30 }, editList: 'none' }],
  ['half-fragmented.mp4', { moov: 'fragmented', durationMs: 3021 }],
  ['segments.mp4', { moov: 'fragmented', durationMs: 3000, frameRate: { average: 30, isVariable: false } }],
  ['mediabunny.mp4', { moov: 'fragmented', durationMs: 3000, frameRate: { average: 30 } }],
  // Its pixels are twice as wide as high.
  ['anamorphic.mp4', { width: 360, height: 320, stored: { width: 180, height: 320 } }],
  // 607.5 x 1080, stored as a square.
  [
    'handbrake.mp4',
    { width: 608, height: 1080, stored: { width: 1080, height: 1080 }, editList: 'harmless' },
  ],
  // The cover comes first.
  ['cover.mp4', { kind: 'video', width: 180, video: h264 }],
  // The box around it says 2.
  ['surround.mp4', { audio: { codec: 'aac', sampleRate: 44_100, channels: 6 } }],
  // The field of the box has no room for it.
  ['96k.mov', { audio: { codec: 'aac', sampleRate: 96_000, channels: 1 } }],
  ['pcm.mov', { audio: { codec: 'pcm', sampleRate: 48_000, channels: 2 } }],
  ['opus.mp4', { audio: { codec: 'opus', sampleRate: 48_000 } }],
  ['mp3.mp4', { audio: { codec: 'mp3', sampleRate: 44_100 } }],
  ['cut.mp4', { editList: 'hides', editMs: 1300, durationMs: 3700 }],
  ['late.mp4', { editList: 'delays', editMs: 1500, durationMs: 2000 }],
  ['variable.mp4', { frameRate: { isVariable: true } }],
  ['vp9.mp4', { video: { codec: 'vp9', entry: 'vp09', chroma: '4:2:0' } }],
  ['prores.mov', { video: { codec: 'prores', entry: 'apch', profile: 'HQ', chroma: '4:2:2', bitDepth: 10 } }],
  ['mpeg4.mp4', { video: { codec: 'mpeg4', entry: 'mp4v' } }],
  ['encrypted.mp4', { isEncrypted: true, video: { codec: 'h264', entry: 'encv' } }],
  ['gstreamer.mov', { format: 'mov', durationMs: 2000, editList: 'harmless', video: h264 }],
  ['audio.m4a', { kind: 'audio', format: 'm4a', audio: { codec: 'aac', sampleRate: 44_100, channels: 1 } }],
])('%s is %o', async (name, facts) => {
  expect(await factsOf(fileOf(name))).toMatchObject(facts);
});

test('what the header does not tell is absent', async () => {
  const { audio, image, isEncrypted, incomplete, ...facts } = await factsOf(fileOf('rotated.mp4'));

  expect([audio, image, isEncrypted, incomplete]).toEqual([undefined, undefined, undefined, undefined]);
  expect(Object.values(facts)).not.toContain(undefined);
  expect(facts).not.toHaveProperty('audio');
  expect(facts.video).not.toHaveProperty('transfer');
});

test('a file is plain data, which JSON keeps', async () => {
  const facts = await factsOf(fileOf('handbrake.mp4'));

  expect(JSON.parse(JSON.stringify(facts))).toEqual(facts);
});
