import { day } from '../auth/tokens.ts';
import { storyFields } from '../knownNames.ts';
import { list } from '../paging.ts';
import { onNode, type Call, type Route } from '../route.ts';
import type { Shape } from '../select.ts';
import { add, listed, type World } from '../world.ts';
import { readingOwn } from './access.ts';
import type { PageNode, StoryNode } from './nodes.ts';
import { oneOf, timeWindow } from './values.ts';

const storyShape: Shape<StoryNode> = {
  type: 'Stories',
  fields: storyFields,
  defaults: ['post_id', 'status', 'creation_time', 'media_type', 'media_id', 'url'],
  read: (story, call) => ({
    post_id: story.id,
    status: isLive(call.world, story) ? 'PUBLISHED' : 'ARCHIVED',
    creation_time: String(Math.floor(story.createdAt / 1000)),
    media_type: story.mediaType,
    media_id: story.mediaId,
    url: `https://page.sandbox.test/stories/${story.pageId}/${story.id}`,
  }),
};

export const storyRoutes: readonly Route[] = [
  onNode({
    ...readingOwn,
    method: 'GET',
    on: 'page',
    edge: 'stories',
    params: ['since', 'until', 'status'],
    run: read,
  }),
];

function read(call: Call, page: PageNode): unknown {
  const status = oneOf(call.params, 'status', ['PUBLISHED', 'ARCHIVED']);
  const inTime = timeWindow(call);
  const stories = listed(call.world, 'story', (story) => {
    const live = isLive(call.world, story);
    const shown = live ? status !== 'ARCHIVED' : page.archives && status !== 'PUBLISHED';
    return story.pageId === page.id && shown && inTime(story.createdAt);
  });
  return { paging: {}, ...list(call, storyShape, stories) };
}

export function createStory(
  world: World,
  page: PageNode,
  mediaId: string,
  mediaType: StoryNode['mediaType'],
): StoryNode {
  return add<StoryNode>(world, {
    kind: 'story',
    id: world.newId(),
    owners: [page.id],
    createdAt: world.now(),
    pageId: page.id,
    mediaId,
    mediaType,
  });
}

/** A story lives for 24 hours. */
function isLive(world: World, story: StoryNode): boolean {
  return world.now() - story.createdAt < day;
}
