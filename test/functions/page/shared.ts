// What several subjects share.
import { onPage } from '../at.ts';
import type { Spot } from '../table.ts';
import { pageToken, time } from '../values.ts';

/** Unix seconds that are ahead of the tests' clock, however far it is set. */
export const ahead = 4_102_444_800;

export const videoKinds = {
  pageId: 'id',
  pageToken: 'token',
  videoUrl: 'url',
  video: 'video',
  waitTimeoutMs: 'duration',
  waitFor: 'processed',
  uploadTimeoutMs: 'time limit',
  uploadAttempts: 'count',
  onProgress: 'hook',
  onCreated: 'hook',
} as const;

export const videoOptions = {
  pageId: '42',
  pageToken,
  video: new Uint8Array(40),
  waitTimeoutMs: 2000,
  waitFor: 'processed' as const,
  uploadTimeoutMs: 1000,
  uploadAttempts: 2,
  onProgress: () => undefined,
  onCreated: () => undefined,
};

export const videoState = {
  id: '77',
  status: {
    video_status: 'ready',
    uploading_phase: { status: 'complete', bytes_transfered: 40 },
    processing_phase: { status: 'complete' },
    publishing_phase: { status: 'complete', publish_status: 'published' },
  },
  published: true,
  post_id: '42_7',
  permalink_url: '/42/videos/77/',
};

export const shown = {
  id: '42_1',
  message: 'Hi',
  created_time: time,
  attachments: { data: [{ target: { id: '81' } }] },
};

export const listed = {
  pageId: '42',
  pageToken,
  limit: 3,
  fields: ['id', 'post_id'],
};

export const listKinds = { pageId: 'id', pageToken: 'token', limit: 'count', fields: 'names' } as const;

export const reel = { id: '77', description: 'Hi', length: 9.5, post_id: '7', published: true };

export const inbox = { pageId: '42', pageToken };

/** A message template to make. */
export const orderSent = (at: Spot) => ({
  ...onPage(at),
  name: 'order_sent',
  language: 'en_US',
  components: [{ type: 'BODY', text: 'It is on its way.' }],
});
