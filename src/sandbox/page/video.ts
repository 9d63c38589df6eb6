import { videoEdges, videoFields, videoParams, videoStoryParams } from '../knownNames.ts';
import { list } from '../paging.ts';
import { onNode, type Call, type Route } from '../route.ts';
import { readNode, select, type Shape } from '../select.ts';
import { listed, recordEffect } from '../world.ts';
import { publishing, readingOwn } from './access.ts';
import { likeFields } from './like.ts';
import type { PageNode, VideoNode } from './nodes.ts';
import { placeAt } from './page.ts';
import { isoTime, oneOf, timeWindow } from './values.ts';
import { publishByPhase } from './videoPhases.ts';
import { publishVideo } from './videoSession.ts';
import { isPublic, statusOf } from './videoStatus.ts';

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
  read: (video, { world }) => ({
    id: video.id,
    created_time: isoTime(video.createdAt),
    updated_time: isoTime(video.createdAt),
    title: video.title,
    description: video.description,
    published:
      video.finishedAt !== undefined && !(video.scheduledAt !== undefined && video.scheduledAt > world.now()),
    scheduled_publish_time: video.scheduledAt === undefined ? undefined : isoTime(video.scheduledAt),
    place: placeAt(world, video.placeId),
    post_id: isPublic(world, video) ? video.postId : undefined,
    permalink_url: isPublic(world, video) ? `https://page.sandbox.test/videos/${video.id}` : undefined,
  }),
  expand: {
    ...likeFields,
    status: (call, video, { fields }) => select(call, statusShape, statusOf(call.world, video), fields),
  },
};

export const videoRoutes: readonly Route[] = [
  ...(['video_stories', 'video_reels'] as const).map((edge) =>
    onNode({
      ...publishing,
      method: 'POST',
      on: 'page',
      edge,
      params: videoStoryParams,
      required: ['upload_phase'],
      run: (call, page) => publishByPhase(call, page, edge),
    }),
  ),
  onNode({
    ...publishing,
    method: 'POST',
    on: 'page',
    edge: 'videos',
    params: [...videoParams, 'place'],
    run: publishVideo,
  }),
  onNode({
    ...readingOwn,
    method: 'GET',
    on: 'page',
    edge: 'videos',
    params: ['type'],
    run: (call, page) => {
      const isTagged = oneOf(call.params, 'type', ['TAGGED', 'UPLOADED']) === 'TAGGED';
      return list(call, videoShape, isTagged ? [] : videosOf(call, page, 'videos'));
    },
  }),
  onNode({
    ...readingOwn,
    method: 'GET',
    on: 'page',
    edge: 'video_reels',
    params: ['since', 'until'],
    run: (call, page) => {
      const inTime = timeWindow(call);
      const reels = videosOf(call, page, 'video_reels').filter(({ createdAt }) => inTime(createdAt));
      return list(call, { ...videoShape, defaults: ['updated_time', 'description'] }, reels);
    },
  }),
  onNode({
    ...readingOwn,
    method: 'GET',
    on: 'video',
    run: (call, video) => readNode(call, videoShape, video),
  }),
  onNode({
    ...publishing,
    method: 'DELETE',
    on: 'video',
    run: ({ world }, video) => {
      world.nodes.delete(video.id);
      if (video.postId !== undefined) world.nodes.delete(video.postId);
      recordEffect(world, 'delete', video.id, video.pageId, {});
      return { success: true };
    },
  }),
];

/** The finished videos of an edge. */
function videosOf({ world }: Call, page: PageNode, edge: VideoNode['edge']): VideoNode[] {
  return listed(
    world,
    'video',
    (video) => video.pageId === page.id && video.edge === edge && video.finishedAt !== undefined,
  );
}
