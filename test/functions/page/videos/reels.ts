import type { PageContext } from '../../../../src/page/context.ts';
import type * as subject from '../../../../src/page/videos/reels.ts';
import { platform } from '../../../support/context.ts';
import { fileOf, image, onPage, pagePost, soon } from '../../at.ts';
import { haveIds, isAcknowledged, isText } from '../../holds.ts';
import type { Table } from '../../table.ts';
import { pageToken, paging } from '../../values.ts';
import { ahead, listKinds, listed, reel, videoKinds, videoOptions, videoState } from '../shared.ts';

const hosted = (message: string) => ({ video: undefined, videoUrl: image(message) });
const ofReel = { kind: 'reel', id: 'video_id' } as const;
const published = { path: /\/video_reels$/, skip: 1, names: ['video_id'] };

export const reels: Table<PageContext, typeof subject> = {
  publishReel: {
    lane: 'publish',
    kinds: {
      idempotencyKey: 'key',
      ...videoKinds,
      title: 'text',
      description: 'text',
      thumbnail: 'video',
      placeId: 'id',
      isAiGenerated: 'flag',
      collaborators: 'list',
      scheduledAt: 'schedule',
    },
    variants: [
      { ...videoOptions, title: 'T', description: 'D', placeId: '77', isAiGenerated: true },
      { ...videoOptions, thumbnail: new Uint8Array(9), collaborators: ['8'] },
      {
        pageId: '42',
        pageToken,
        videoUrl: 'https://example.com/a.mp4',
        waitTimeoutMs: 2000,
        scheduledAt: ahead,
      },
    ],
    routes: {
      'POST 42/video_reels': [
        { video_id: '77', upload_url: `${platform.uploadUrl}/video/77` },
        { success: true },
      ],
      'POST video/77': { success: true },
      'GET 77': videoState,
      'POST 77/thumbnails': { success: true },
      'POST 77/collaborators': { success: true, collaborator_id: '8' },
      'GET 77/collaborators': { data: [{ id: '8', invite_status: 'Pending' }] },
    },
    holds: (value: { video_id: string }) => isText(value.video_id) && isAcknowledged(value),
    options: (at) => ({ ...onPage(at), video: fileOf(at.message), description: at.message }),
    writes: [
      { ...ofReel, keyed: { makes: ['video_session', 'upload'] } },
      { ...ofReel, as: 'without a text', give: () => ({ description: undefined }), lost: published },
      {
        ...ofReel,
        as: 'with a thumbnail and a collaborator',
        give: () => ({ thumbnail: fileOf('thumbnail'), collaborators: ['404'] }),
        keyed: { makes: ['video_session', 'upload', 'thumbnail', 'collaborator'], mostPerPage: 10 },
      },
      {
        ...ofReel,
        as: 'scheduled without a text',
        give: ({ message }) => ({ ...hosted(message), description: undefined, scheduledAt: soon }),
        lost: published,
        keyed: { stranger: pagePost, isVariant: true },
      },
      {
        as: 'its collaborator',
        give: ({ message }) => ({ ...hosted(message), collaborators: ['404'] }),
        kind: 'collaborator',
        lost: {
          path: /\/collaborators$/,
          names: ['video_id', 'not_invited'],
          said: { applied: 'ok', notApplied: 'applied' },
        },
      },
      { as: 'its start', kind: 'video_session', lost: { path: /\/video_reels$/, one: 'reel' } },
      {
        as: 'its thumbnail',
        give: ({ message }) => ({ ...hosted(message), thumbnail: new Uint8Array(9) }),
        kind: 'thumbnail',
        lost: { path: /\/thumbnails$/, one: 'reel' },
      },
    ],
  },
  reels: {
    kinds: { ...listKinds, since: 'instant', until: 'instant', metrics: 'metrics', totals: 'flag' },
    variants: [
      { ...listed, since: 1, until: new Date(9e11) },
      { pageId: '42', pageToken, metrics: true, totals: true },
    ],
    routes: { 'GET 42/video_reels': { data: [reel], paging } },
    holds: haveIds,
    options: onPage,
  },
};
