import { day } from '../auth/tokens.ts';
import { refuse } from '../errors.ts';
import type { Shape } from '../select.ts';
import type { World } from '../world.ts';
import type { PicsContainerNode, PicsMediaNode } from './nodes.ts';

export type ContainerState = 'IN_PROGRESS' | 'FINISHED' | 'ERROR' | 'EXPIRED' | 'PUBLISHED';

/** The state of a container by the sandbox clock. */
export function stateOf(world: World, container: PicsContainerNode): ContainerState {
  const now = world.now();
  if (container.publishedAt !== undefined) return 'PUBLISHED';
  if (now - container.createdAt >= day) return 'EXPIRED';
  if (now < readyAt(container)) return 'IN_PROGRESS';
  return failureOf(world, container) === undefined ? 'FINISHED' : 'ERROR';
}

function failureOf(world: World, { id, failure }: PicsContainerNode): PicsContainerNode['failure'] {
  const isBad = world.uploads.get(id)?.isText === true;
  return failure ?? (isBad ? { subcode: 2_207_026, text: 'The video format is not supported.' } : undefined);
}

/** Whether a media is still shown: a story is for a day. */
export function isLive(world: World, media: PicsMediaNode): boolean {
  return media.product !== 'STORY' || world.now() - media.createdAt < day;
}

/** An uploaded video is processed from its last byte on. */
function readyAt({ resumable, readyAt: at, createdAt, uploadedAt = Infinity }: PicsContainerNode): number {
  return resumable ? uploadedAt + (at - createdAt) : at;
}

function videoStatus(world: World, container: PicsContainerNode): object | undefined {
  if (!container.resumable) return undefined;
  const bytes = world.uploads.get(container.id)?.bytes ?? 0;
  const state = stateOf(world, container);
  const isUploaded = container.uploadedAt !== undefined;
  const processing = state === 'ERROR' ? 'error' : state === 'IN_PROGRESS' ? 'in_progress' : 'complete';
  return {
    uploading_phase: {
      status: isUploaded ? 'complete' : bytes > 0 ? 'in_progress' : 'not_started',
      bytes_transferred: bytes,
    },
    processing_phase: { status: isUploaded ? processing : 'not_started' },
  };
}

function statusText(world: World, container: PicsContainerNode): string {
  const failure = failureOf(world, container);
  switch (stateOf(world, container)) {
    case 'IN_PROGRESS':
      return 'In Progress: Media is still being processed.';
    case 'FINISHED':
      return 'Finished: Media has been uploaded and it is ready to be published.';
    case 'ERROR':
      return `Error: Media upload has failed with error code ${failure?.subcode}: ${failure?.text}`;
    case 'EXPIRED':
      return 'Expired: The container was not published within 24 hours.';
    case 'PUBLISHED':
      return 'Published: Media has already been published.';
  }
}

export const containerShape: Shape<PicsContainerNode> = {
  type: 'IGContainer',
  fields: ['copyright_check_status', 'id', 'status', 'status_code', 'video_status'],
  defaults: [],
  read: (container, { world }) => {
    const state = stateOf(world, container);
    return {
      id: container.id,
      status: statusText(world, container),
      status_code: state === 'ERROR' && world.tuning.containers.codeless ? '' : state,
      video_status: videoStatus(world, container),
    };
  },
};

/** The response when a container is published, or put into a carousel, before it is ready. */
export function notReady(): never {
  return refuse({
    code: 9007,
    error_subcode: 2_207_027,
    message: 'Media ID is not available',
    error_user_title: 'The media is not ready for publishing, please wait for a moment',
    error_user_msg: 'The media is not ready for publishing, please wait for a moment.',
  });
}

/** How much was published since a time. Each media counts once: a carousel too, and one that was deleted later. */
export function publishedSince(world: World, accountId: string, since: number): number {
  return [...world.nodes.values()].filter(
    (node) =>
      node.kind === 'picsContainer' &&
      node.accountId === accountId &&
      node.publishedAt !== undefined &&
      node.publishedAt > since,
  ).length;
}
