import { invalid, refuse } from '../errors.ts';
import { containerParams, pageContainerParams } from '../knownNames.ts';
import { onNode, type Call, type Route } from '../route.ts';
import { readNode } from '../select.ts';
import { add, find, recordEffect, type World } from '../world.ts';
import { both, loginOnly, needs, pageOnly } from './access.ts';
import { readContent } from './containerRules.ts';
import { containerShape, notReady, stateOf } from './containerState.ts';
import type { PicsAccountNode, PicsContainerNode } from './nodes.ts';

const common = {
  method: 'POST',
  on: 'picsAccount',
  edge: 'media',
  scopes: needs(['content_publish']),
  run: create,
} as const;

export const containerRoutes: readonly Route[] = [
  onNode({ ...loginOnly, ...common, params: containerParams }),
  onNode({ ...pageOnly, ...common, params: pageContainerParams }),
  onNode({
    ...both,
    method: 'GET',
    on: 'picsContainer',
    scopes: needs(['basic']),
    run: (call, container) => readNode(call, containerShape, container),
  }),
];

function create(call: Call, account: PicsAccountNode): unknown {
  const { world } = call;
  const content = readContent(call);
  const children = content.childIds.map((id) => childOf(world, account, id));
  const { processingMs, fail, silent } = world.tuning.containers;
  const { audio } = content;
  const isMute = silent && audio !== undefined && audio.videoVolume !== 0;
  const container = add<PicsContainerNode>(world, {
    ...content,
    kind: 'picsContainer',
    id: world.newId('178'),
    owners: account.owners,
    createdAt: world.now(),
    accountId: account.id,
    readyAt: Math.max(world.now() + processingMs, ...children.map((child) => child.readyAt)),
    failure:
      fail ??
      (isMute ? noSound : undefined) ??
      children.find((child) => child.failure !== undefined)?.failure,
    fileSize: undefined,
    fileUrl: undefined,
    uploadedAt: undefined,
    publishedAt: undefined,
  });
  recordEffect(world, 'container', container.id, account.id, content);
  if (!content.resumable) return { id: container.id };
  const uri = `${call.platform.uploadUrl}/ig-api-upload/${call.version}/${container.id}`;
  return { id: container.id, uri };
}

/** The failure of a video without sound to which music is to be added. */
const noSound = { subcode: 2_207_082, text: 'Media upload has failed.' };

function childOf(world: World, account: PicsAccountNode, id: string): PicsContainerNode {
  const child = find(world, 'picsContainer', id);
  if (child === undefined || child.accountId !== account.id || stateOf(world, child) === 'EXPIRED') {
    return refuse({
      code: 24,
      error_subcode: 2_207_006,
      message: `The requested resource does not exist: the media with id ${id} cannot be found`,
    });
  }
  if (!child.carouselItem) return invalid(`The container ${id} is not a carousel item`);
  // A carousel waits for its images without a call.
  return child.type === 'VIDEO' && stateOf(world, child) === 'IN_PROGRESS' ? notReady() : child;
}
