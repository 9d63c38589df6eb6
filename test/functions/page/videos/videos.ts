import type { PageContext } from '../../../../src/page/context.ts';
import * as page from '../../../../src/page/index.ts';
import type * as subject from '../../../../src/page/videos/videos.ts';
import { at } from '../../../hostile/kinds.ts';
import { fileOf, idOf, image, onPage, pagePost, soon, videoUrl } from '../../at.ts';
import { haveIds, isAcknowledged, isRecord, isText } from '../../holds.ts';
import type { Table } from '../../table.ts';
import { pageToken, paging, time } from '../../values.ts';
import { ahead, listKinds, listed, reel, videoKinds, videoOptions, videoState } from '../shared.ts';

const hosted = (message: string) => ({ video: undefined, videoUrl: image(message) });
const uploaded = { kind: 'video', id: 'video_id' } as const;
const finish = { path: /\/videos$/, skip: 2, names: ['video_id'] };

export const videos: Table<PageContext, typeof subject> = {
  publishVideo: {
    lane: 'publish',
    kinds: {
      idempotencyKey: 'key',
      ...videoKinds,
      title: 'text',
      description: 'text',
      thumbnail: 'video',
      placeId: 'id',
      isAiGenerated: 'flag',
      scheduledAt: 'schedule',
    },
    variants: [
      {
        ...videoOptions,
        title: 'T',
        description: 'D',
        isAiGenerated: true,
        thumbnail: new Uint8Array(9),
        placeId: '77',
      },
      {
        pageId: '42',
        pageToken,
        videoUrl: 'https://example.com/a.mp4',
        waitTimeoutMs: 2000,
        description: 'D',
        scheduledAt: ahead,
      },
    ],
    routes: {
      'POST 42/videos': [
        { id: '77', video_id: '77', upload_session_id: '5', start_offset: '0', end_offset: '30' },
        { start_offset: '30', end_offset: '40' },
        { start_offset: '40', end_offset: '40' },
        { success: true },
      ],
      'GET 42/videos': { data: [{ id: '77', description: 'D', created_time: time }] },
      'GET 42/scheduled_posts': { data: [{ id: '42_1', attachments: { data: [{ target: { id: '77' } }] } }] },
      'GET 77': videoState,
    },
    holds: (value: { video_id: string }) => isText(value.video_id),
    options: (at) => ({ ...onPage(at), video: fileOf(at.message), description: at.message }),
    writes: [
      { ...uploaded, keyed: { makes: ['video_session'] } },
      {
        ...uploaded,
        as: 'without a text',
        give: () => ({ description: undefined }),
        lost: finish,
        keyed: { stranger: pagePost, makes: ['video_session'], isVariant: true },
      },
      {
        ...uploaded,
        as: 'scheduled, with a thumbnail',
        give: () => ({ description: undefined, thumbnail: new Uint8Array(9), scheduledAt: soon }),
        lost: finish,
      },
      {
        ...uploaded,
        as: 'scheduled',
        give: () => ({ scheduledAt: soon }),
        keyed: { stranger: pagePost, makes: ['video_session'], isVariant: true },
      },
      {
        ...uploaded,
        as: 'scheduled without a text',
        give: () => ({ description: undefined, scheduledAt: soon }),
        keyed: { stranger: pagePost, makes: ['video_session'], isVariant: true },
      },
      {
        ...uploaded,
        as: 'by its address, with a title',
        give: ({ message }) => ({
          ...hosted(message),
          description: undefined,
          title: message,
          uploadTimeoutMs: 3000,
        }),
        lost: { path: /\/videos$/ },
      },
      {
        ...uploaded,
        as: 'by its address',
        give: ({ message }) => hosted(message),
        keyed: { stranger: pagePost, isVariant: true },
      },
      {
        ...uploaded,
        as: 'by its address without a text',
        give: ({ message }) => ({ ...hosted(message), description: undefined }),
        hides: 'its content',
        keyed: { stranger: pagePost, isVariant: true },
      },
      {
        ...uploaded,
        as: 'by its address and scheduled',
        give: ({ message }) => ({
          ...hosted(message),
          description: undefined,
          title: message,
          scheduledAt: soon,
        }),
        keyed: { stranger: pagePost, isVariant: true },
      },
      { as: 'its start', kind: 'video_session', lost: { path: /\/videos$/, one: 'video' } },
      {
        as: 'a part of it',
        give: () => ({ uploadTimeoutMs: 3000 }),
        kind: 'upload',
        lost: { path: /\/videos$/, skip: 1, one: 'video' },
      },
    ],
  },
  videoStatus: {
    lane: 'publish',
    kinds: { videoId: 'id', pageToken: 'token' },
    variants: [{ videoId: '77', pageToken }],
    routes: { 'GET 77': videoState },
    holds: (value: object) => isRecord(at(value, 'uploading_phase')),
    prepare: async ({ context, at }) =>
      idOf(page.publishVideoStory(context, { ...onPage(at), videoUrl }), 'video_id'),
    options: ({ prepared, pageToken }) => ({ videoId: prepared, pageToken }),
  },
  videos: {
    kinds: { ...listKinds, type: 'choice', metrics: 'metrics', totals: 'flag' },
    variants: [
      { ...listed, type: 'tagged' },
      { pageId: '42', pageToken, metrics: ['total_video_views'], totals: true },
    ],
    routes: { 'GET 42/videos': { data: [reel], paging } },
    holds: haveIds,
    options: onPage,
  },
  addCaptions: {
    lane: 'publish',
    kinds: { videoId: 'id', pageToken: 'token', captions: 'video', locale: 'text', isDefault: 'flag' },
    variants: [{ videoId: '77', pageToken, captions: new Uint8Array(9), locale: 'en_US', isDefault: true }],
    routes: { 'POST 77/captions': { success: true } },
    holds: isAcknowledged,
    prepare: ({ context, at }) => idOf(page.publishVideo(context, { ...onPage(at), videoUrl }), 'video_id'),
    options: ({ prepared, pageToken }) => ({
      videoId: prepared,
      pageToken,
      captions: new Blob(['1\n00:00:01,000 --> 00:00:02,000\nHello\n']),
      locale: 'en_US',
      isDefault: true,
    }),
    writes: [{ kind: 'captions', lost: { path: /\/captions$/ } }],
  },
};
