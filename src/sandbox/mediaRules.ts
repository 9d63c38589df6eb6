import type { MediaFinding, MediaKind } from '../media/types.ts';
import type { Node } from './nodes.ts';
import type { World } from './world.ts';

/** What a file is published as whose bytes go to the upload host. */
export function kindOf(video: Node<'video' | 'picsContainer'>): MediaKind {
  if (video.kind === 'video')
    return video.edge === 'video_reels'
      ? 'page.reel'
      : video.edge === 'video_stories'
        ? 'page.videoStory'
        : 'page.video';
  return video.type === 'STORIES'
    ? 'pics.storyVideo'
    : video.type === 'REELS'
      ? 'pics.reel'
      : 'pics.carouselVideo';
}

/** What the platform refuses of a file, where the test tunes media to be `strict`. */
export async function refusedOf(
  world: World,
  bytes: Uint8Array,
  kind: MediaKind,
): Promise<MediaFinding | undefined> {
  if (world.tuning.media !== 'strict') return undefined;
  // Loaded when it is asked for: the sandbox holds no rules of media otherwise.
  const { checkMedia } = await import('../media/index.ts');
  const check = await checkMedia(bytes, { kind });
  return check.isOk() ? check.value.findings.find(({ severity }) => severity === 'refused') : undefined;
}

/** How the platform says it: the property by its English name, whatever the language. */
export function textOf({ property, message }: MediaFinding): string {
  return `The file is not supported (${property}): ${message}`;
}

/** The number of a finding's code that comes last, which is the subcode where there are two. */
export function subcodeOf({ code = '' }: MediaFinding): number | undefined {
  return Number(/\d+$/.exec(code)?.[0]) || undefined;
}
