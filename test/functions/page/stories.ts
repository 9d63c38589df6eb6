import type { PageContext } from '../../../src/page/context.ts';
import * as page from '../../../src/page/index.ts';
import type * as subject from '../../../src/page/stories.ts';
import { at } from '../../hostile/kinds.ts';
import { platform } from '../../support/context.ts';
import { fileOf, idOf, image, onPage, videoUrl } from '../at.ts';
import { isString, isText } from '../holds.ts';
import type { Table } from '../table.ts';
import { pageToken, paging } from '../values.ts';

let signature = 0;

export const stories: Table<PageContext, typeof subject> = {
  publishPhotoStory: {
    lane: 'publish',
    kinds: {
      idempotencyKey: 'key',
      pageId: 'id',
      pageToken: 'token',
      photoUrl: 'url',
      photo: 'video',
      photoId: 'id',
      onCreated: 'hook',
    },
    variants: [
      { pageId: '42', pageToken, photoUrl: 'https://example.com/a.jpg', onCreated: () => undefined },
      { pageId: '42', pageToken, photo: new Uint8Array(9) },
      { pageId: '42', pageToken, photoId: '81' },
    ],
    routes: {
      'POST 42/photos': { id: '81' },
      'POST 42/photo_stories': { success: true, post_id: '82' },
      'GET 42/stories': { data: [{ post_id: '82', media_id: '81', status: 'PUBLISHED' }] },
    },
    holds: (value: { photo_id: string; post_id: string }) => isText(value.photo_id) && isText(value.post_id),
    options: (at) => ({ ...onPage(at), photoUrl: image(at.message) }),
    writes: [
      {
        kind: 'photo_story',
        id: 'post_id',
        // Signed addresses are never the same.
        give: ({ message }) => ({ photoUrl: `${image(message)}?signed=${signature++}` }),
        lost: { path: /\/photo_stories$/, names: ['photo_id'] },
        keyed: { makes: ['photo'] },
      },
      { as: 'its photo', kind: 'photo', lost: { path: /\/photos$/, one: 'photo_story' } },
    ],
  },
  publishVideoStory: {
    lane: 'publish',
    kinds: {
      idempotencyKey: 'key',
      pageId: 'id',
      pageToken: 'token',
      videoUrl: 'url',
      video: 'video',
      waitTimeoutMs: 'duration',
      waitFor: 'processed',
      isAiGenerated: 'flag',
      uploadTimeoutMs: 'time limit',
      uploadAttempts: 'count',
      onProgress: 'hook',
      onCreated: 'hook',
    },
    variants: [
      {
        pageId: '42',
        pageToken,
        video: new Uint8Array(40),
        waitTimeoutMs: 2000,
        waitFor: 'processed',
        isAiGenerated: true,
        uploadTimeoutMs: 1000,
        uploadAttempts: 2,
        onProgress: () => undefined,
        onCreated: () => undefined,
      },
      { pageId: '42', pageToken, videoUrl: 'https://example.com/a.mp4', waitTimeoutMs: 2000 },
    ],
    routes: {
      'POST 42/video_stories': [
        { video_id: '77', upload_url: `${platform.uploadUrl}/video/77` },
        { success: true, post_id: '82' },
      ],
      'POST video/77': { success: true },
      'GET 77': {
        status: {
          video_status: 'ready',
          uploading_phase: { status: 'complete', bytes_transfered: 40 },
          processing_phase: { status: 'not_started' },
          publishing_phase: { status: 'not_started' },
          // The models know nothing of this one.
          copyright_check_phase: { status: 'not_started', matches: null },
        },
        id: '77',
      },
      'GET 42/stories': { data: [{ post_id: '82', media_id: '77', status: 'PUBLISHED' }] },
    },
    holds: (value: { video_id: string; post_id: string }) => isText(value.video_id) && isText(value.post_id),
    options: (at) => ({ ...onPage(at), video: fileOf(at.message) }),
    writes: [
      {
        kind: 'video_story',
        id: 'post_id',
        lost: { path: /\/video_stories$/, skip: 1, names: ['video_id'] },
        keyed: { makes: ['video_session', 'upload'] },
      },
      { as: 'its start', kind: 'video_session', lost: { path: /\/video_stories$/, one: 'video_story' } },
    ],
  },
  videoStoryStatus: {
    lane: 'publish',
    kinds: { videoId: 'id', pageToken: 'token' },
    variants: [{ videoId: '77', pageToken }],
    routes: {
      'GET 77': {
        status: {
          uploading_phase: { status: 'completed', bytes_transferred: 3 },
          processing_phase: { status: 'error', errors: [{ code: 1, message: 'Low quality' }] },
        },
      },
    },
    holds: (value: object) =>
      ['uploading_phase', 'processing_phase', 'publishing_phase'].every((phase) =>
        isString(at(value, phase, 'status')),
      ),
    prepare: async ({ context, at }) =>
      idOf(page.publishVideoStory(context, { ...onPage(at), videoUrl }), 'video_id'),
    options: ({ prepared, pageToken }) => ({ videoId: prepared, pageToken }),
  },
  stories: {
    kinds: { pageId: 'id', pageToken: 'token', limit: 'count' },
    variants: [{ pageId: '42', pageToken, limit: 3 }],
    routes: {
      'GET 42/stories': {
        data: [
          {
            post_id: '82',
            status: 'PUBLISHED',
            creation_time: '1700000000',
            media_type: 'photo',
            media_id: 81,
            url: 'https://example.com',
          },
        ],
        paging,
      },
    },
    holds: (value: readonly object[]) => value.every((story) => isText(at(story, 'post_id'))),
    options: onPage,
  },
};
