import { day } from '../auth/tokens.ts';
import { invalid, refuse } from '../errors.ts';
import { onNode, type Call, type Route } from '../route.ts';
import { find, recordEffect, type World } from '../world.ts';
import { both, needs } from './access.ts';
import { notReady, stateOf, publishedSince } from './containerState.ts';
import { invited, makeMedia } from './mediaShape.ts';
import type { PicsAccountNode, PicsContainerNode, PicsMediaNode } from './nodes.ts';

export const publishRoutes: readonly Route[] = [
  onNode({
    ...both,
    method: 'POST',
    on: 'picsAccount',
    edge: 'media_publish',
    scopes: needs(['content_publish']),
    params: ['creation_id'],
    required: ['creation_id'],
    run: publish,
  }),
];

function publish({ world, params }: Call, account: PicsAccountNode): unknown {
  const container = find(world, 'picsContainer', params['creation_id'] ?? '');
  if (container === undefined || container.accountId !== account.id) return lost();
  if (container.carouselItem) return invalid('A carousel item cannot be published by itself');
  checkReady(world, container);
  if (publishedSince(world, account.id, world.now() - day) >= world.tuning.pics.quotaTotal) {
    return refuse({
      code: 9,
      error_subcode: 2_207_042,
      message: 'Application request limit reached',
      error_user_title: 'The maximum number of posts was reached',
      error_user_msg: 'You have reached the maximum number of posts that the API may publish in 24 hours.',
    });
  }
  container.publishedAt = world.now();
  const media = toMedia(world, container);
  const { type, caption, imageUrl, videoUrl, childIds } = container;
  const content = {
    containerId: container.id,
    mediaId: media.id,
    type,
    caption,
    imageUrl,
    videoUrl,
    childIds,
  };
  recordEffect(world, 'media', media.id, account.id, content);
  return { id: media.id };
}

/** A published container is refused like one that is not ready. Only its status shows the difference. */
function checkReady(world: World, container: PicsContainerNode): void {
  const state = stateOf(world, container);
  if (state === 'EXPIRED') return lost();
  if (state !== 'FINISHED') return notReady();
  const { containers } = world.tuning;
  if (containers.notReadyOnPublish <= 0) return;
  const notReadyOnPublish = containers.notReadyOnPublish - 1;
  world.tuning = { ...world.tuning, containers: { ...containers, notReadyOnPublish } };
  notReady();
}

function toMedia(world: World, container: PicsContainerNode): PicsMediaNode {
  const items = container.childIds.flatMap((id) => find(world, 'picsContainer', id) ?? []);
  const common = {
    owners: container.owners,
    createdAt: world.now(),
    accountId: container.accountId,
    aiGenerated: container.aiGenerated,
    sharedToFeed: undefined,
    likes: 0,
    viewers: 0,
  };
  const tagged = [container, ...items].flatMap(({ userTags }) =>
    userTags.map((tag) => String(tag['username']).toLowerCase()),
  );
  const url = urlOf(container) ?? urlOf(items[0]) ?? '';
  const { caption, altText } = container;
  const media = makeMedia(world, {
    ...common,
    parentId: undefined,
    containerId: container.id,
    type: items.length > 0 ? 'CAROUSEL_ALBUM' : container.imageUrl === undefined ? 'VIDEO' : 'IMAGE',
    product: productOf(container),
    caption,
    altText,
    url,
    sharedToFeed: container.type === 'REELS' ? (container.sharedToFeed ?? true) : undefined,
    tagged,
    collaborators: invited(world, container.collaborators),
    productTags: container.productTags,
  });
  for (const item of items) {
    makeMedia(world, {
      ...common,
      parentId: media.id,
      containerId: item.id,
      type: item.type === 'VIDEO' ? 'VIDEO' : 'IMAGE',
      product: 'FEED',
      caption: undefined,
      altText: item.altText,
      url: urlOf(item) ?? '',
      productTags: item.productTags,
    });
  }
  return media;
}

function urlOf(container: PicsContainerNode | undefined): string | undefined {
  if (container?.resumable) return `https://cdn.sandbox.test/${container.id}.mp4`;
  return container?.imageUrl ?? container?.videoUrl;
}

function productOf({ type }: PicsContainerNode): PicsMediaNode['product'] {
  if (type === 'STORIES') return 'STORY';
  return type === 'REELS' ? 'REELS' : 'FEED';
}

function lost(): never {
  return refuse({
    code: 24,
    error_subcode: 2_207_008,
    message: 'The requested resource does not exist',
    error_user_title: 'Media builder not found',
    error_user_msg: 'The media builder does not exist or has expired.',
  });
}
