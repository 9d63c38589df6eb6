import { day } from '../auth/tokens.ts';
import { invalid, refuse } from '../errors.ts';
import { digits, defined } from '../json.ts';
import type { Call } from '../route.ts';
import { add, find, recordEffect, type World } from '../world.ts';
import type { PageNode, VideoNode } from './nodes.ts';
import { readPlace } from './postWrites.ts';
import { scheduleOf } from './schedule.ts';
import { createStory } from './story.ts';
import { oneOf } from './values.ts';
import { statusOf } from './videoStatus.ts';

/** A story or a Reel: its session is started, its bytes go to the upload host, then it is finished. */
export function publishByPhase(call: Call, page: PageNode, edge: 'video_stories' | 'video_reels'): unknown {
  const phase = call.params['upload_phase']?.toLowerCase();
  if (phase === 'start') return start(call, page, edge);
  if (phase !== 'finish') return invalid('Param upload_phase must be one of {START, FINISH}');
  return edge === 'video_stories' ? finishStory(call, page) : finishReel(call, page);
}

export function addVideo(
  world: World,
  page: PageNode,
  more: Partial<VideoNode> & Pick<VideoNode, 'edge'>,
): VideoNode {
  return add<VideoNode>(world, {
    kind: 'video',
    id: world.newId(),
    owners: [page.id],
    createdAt: world.now(),
    pageId: page.id,
    fileSize: undefined,
    fileUrl: undefined,
    uploadedAt: undefined,
    finishedAt: undefined,
    ...more,
  });
}

function start(
  { world, params, platform, version }: Call,
  page: PageNode,
  edge: 'video_stories' | 'video_reels',
): unknown {
  if (params['video_id'] !== undefined) return invalid('The parameter video_id belongs to the finish phase');
  const video = addVideo(world, page, { edge });
  recordEffect(world, 'video_session', video.id, page.id, {});
  return { video_id: video.id, upload_url: `${platform.uploadUrl}/video-upload/${version}/${video.id}` };
}

function uploadedVideo({ world, params }: Call, page: PageNode): VideoNode {
  const video = find(world, 'video', params['video_id'] ?? '');
  if (video === undefined || video.pageId !== page.id) return invalid('Invalid video_id');
  if (world.now() - video.createdAt >= day) return invalid('The upload session has expired.');
  if (statusOf(world, video).failed) return invalid('The video has failed and cannot be published.');
  return video;
}

/** Makes a story on each call: finishing is not idempotent. */
function finishStory(call: Call, page: PageNode): unknown {
  const { world } = call;
  const video = uploadedVideo(call, page);
  if (!statusOf(world, video).uploaded) return invalid('The video is not uploaded completely yet.');
  video.finishedAt ??= world.now();
  const story = createStory(world, page, video.id, 'video');
  recordEffect(world, 'video_story', story.id, page.id, { video_id: video.id });
  return { success: true, post_id: digits(story.id) };
}

/** A finished Reel is not finished again. The response has nothing but `success`. */
function finishReel(call: Call, page: PageNode): unknown {
  const { world, params } = call;
  const video = uploadedVideo(call, page);
  if (!statusOf(world, video).uploaded) {
    return refuse({ code: 6000, error_subcode: 1_363_130, message: '(#6000) Video Upload Is Missing' });
  }
  if (video.finishedAt !== undefined) return invalid('The Reel is finished already.');
  const state = oneOf(params, 'video_state', ['DRAFT', 'PUBLISHED', 'SCHEDULED']);
  const scheduledAt = scheduleOf(call, 29 * day);
  if (state === undefined) return invalid('The parameter video_state is required');
  if ((state === 'SCHEDULED') !== (scheduledAt !== undefined)) {
    return invalid('scheduled_publish_time goes with the video_state SCHEDULED');
  }
  const { placeId } = readPlace(call);
  video.finishedAt = world.now();
  video.placeId = placeId;
  video.title = params['title'];
  video.description = params['description'];
  video.scheduledAt = scheduledAt;
  video.isDraft = state === 'DRAFT';
  video.postId = `${page.id}_${world.newId()}`;
  const { title, description } = video;
  const more = defined({ title, description, scheduledAt, placeId });
  recordEffect(world, 'reel', video.id, page.id, { state, ...more });
  return { success: true };
}
