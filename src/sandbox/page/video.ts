import { day } from '../auth/tokens.ts';
import { invalid } from '../errors.ts';
import { digits } from '../json.ts';
import { onNode, type Call, type Route } from '../route.ts';
import { readNode, select, type Shape } from '../select.ts';
import { add, find, recordEffect } from '../world.ts';
import { videoEdges, videoFields, videoStoryParams } from './knownNames.ts';
import type { PageNode, VideoNode } from './nodes.ts';
import { createStory } from './story.ts';
import { isoTime } from './values.ts';
import { statusOf } from './videoStatus.ts';

const statusFields = [
  'video_status',
  'processing_progress',
  'copyright_check_status',
  'uploading_phase',
  'processing_phase',
  'publishing_phase',
];

const statusShape: Shape<Readonly<Record<string, unknown>>> = {
  type: 'VideoStatus',
  fields: statusFields,
  defaults: statusFields,
  read: (status) => status,
};

const videoShape: Shape<VideoNode> = {
  type: 'Video',
  fields: videoFields.filter((name) => name !== 'status'),
  defaults: ['created_time'],
  edges: videoEdges,
  read: (video) => ({
    id: video.id,
    created_time: isoTime(video.createdAt),
    updated_time: isoTime(video.createdAt),
    published: video.finishedAt !== undefined,
  }),
  expand: {
    status: (call, video, { fields }) => select(call, statusShape, statusOf(call.world, video), fields),
  },
};

export const videoRoutes: readonly Route[] = [
  onNode({
    method: 'POST',
    hosts: ['graph'],
    on: 'page',
    edge: 'video_stories',
    tokens: ['page'],
    scopes: ['pages_manage_posts', 'pages_read_engagement', 'pages_show_list'],
    params: videoStoryParams,
    required: ['upload_phase'],
    run: (call, page) => {
      const phase = call.params['upload_phase']?.toLowerCase();
      if (phase === 'start') return start(call, page);
      return phase === 'finish'
        ? finish(call, page)
        : invalid('Param upload_phase must be one of {START, FINISH}');
    },
  }),
  onNode({
    method: 'GET',
    hosts: ['graph'],
    on: 'video',
    tokens: ['page'],
    scopes: ['pages_read_engagement'],
    run: (call, video) => readNode(call, videoShape, video),
  }),
];

function start({ world, params, platform, version }: Call, page: PageNode): unknown {
  if (params['video_id'] !== undefined) return invalid('The parameter video_id belongs to the finish phase');
  const video = add<VideoNode>(world, {
    kind: 'video',
    id: world.newId(),
    owners: [page.id],
    createdAt: world.now(),
    pageId: page.id,
    fileSize: undefined,
    fileUrl: undefined,
    uploadedAt: undefined,
    finishedAt: undefined,
  });
  recordEffect(world, 'video_session', video.id, page.id, {});
  return { video_id: video.id, upload_url: `${platform.uploadUrl}/video-upload/${version}/${video.id}` };
}

/** Makes a story on each call: finishing is not idempotent. */
function finish({ world, params }: Call, page: PageNode): unknown {
  const video = find(world, 'video', params['video_id'] ?? '');
  if (video === undefined || video.pageId !== page.id) return invalid('Invalid video_id');
  if (world.now() - video.createdAt >= day) return invalid('The upload session has expired.');
  const status = statusOf(world, video);
  if (status.failed) return invalid('The video has failed and cannot be published.');
  if (!status.uploaded) return invalid('The video is not uploaded completely yet.');
  video.finishedAt ??= world.now();
  const story = createStory(world, page, video.id, 'video');
  recordEffect(world, 'video_story', story.id, page.id, { video_id: video.id });
  return { success: true, post_id: digits(story.id) };
}
