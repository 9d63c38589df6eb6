import type { Node } from '../nodes.ts';
import { type Call, on, readingOwn, type Route } from '../route.ts';
import { list, type Shape } from '../shapes.ts';
import { day } from '../tokens.ts';
import { oneOf, timeWindow } from '../values.ts';
import { listedOn, make, type World } from '../world.ts';

const storyShape: Shape<Node<'story'>> = {
  type: 'Stories',
  defaults: ['post_id', 'status', 'creation_time', 'media_type', 'media_id', 'url'],
  fields: {
    post_id: (story) => story.id,
    status: (story, call) => (isLive(call.world, story) ? 'PUBLISHED' : 'ARCHIVED'),
    creation_time: (story) => String(Math.floor(story.createdAt / 1000)),
    media_type: (story) => story.mediaType,
    media_id: (story) => story.mediaId,
    url: (story) => `https://page.sandbox.test/stories/${story.pageId}/${story.id}`,
  },
};

function stories(call: Call, page: Node<'page'>): unknown {
  const status = oneOf(call.params, 'status', ['PUBLISHED', 'ARCHIVED']);
  const inTime = timeWindow(call);
  const found = listedOn(call.world, 'story', page, (story) => {
    const live = isLive(call.world, story);
    const shown = live ? status !== 'ARCHIVED' : page.archives && status !== 'PUBLISHED';
    return shown && inTime(story.createdAt);
  });
  return { paging: {}, ...list(call, storyShape, found) };
}

export function createStory(
  world: World,
  page: Node<'page'>,
  mediaId: string,
  mediaType: Node<'story'>['mediaType'],
): Node<'story'> {
  return make(world, 'story', [page.id], { pageId: page.id, mediaId, mediaType });
}

/** A story lives for 24 hours. */
function isLive(world: World, story: Node<'story'>): boolean {
  return world.now() - story.createdAt < day;
}

export const storyRoutes: readonly Route[] = [
  on('GET', 'page', 'stories', readingOwn, stories, 'since until status'),
];
