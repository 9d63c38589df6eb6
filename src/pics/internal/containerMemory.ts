import { digest } from '../../core/writes/digest.ts';
import type { PicsContext } from '../context.ts';

/** What is known of the media that a container becomes. */
export interface MediaContent {
  /** The list that will hold it. */
  readonly edge: 'media' | 'stories';
  readonly mediaType: 'IMAGE' | 'VIDEO' | 'CAROUSEL_ALBUM';
  /** `''` is none; `undefined` where the list does not show it, as that of stories. */
  readonly caption?: string | undefined;
}

/** A container of this process. Of its caption, a digest is kept. */
interface RememberedContainer {
  /** `undefined` for one that another process made. */
  readonly content: MediaContent | undefined;
  /** An instant of monotonic local time at which it was not published. */
  readonly madeAt: number;
  /** The media that it became, where that is known. */
  readonly mediaId?: string | undefined;
}

/** Milliseconds that a container lives, and how many are remembered at most. */
const lifeMs = 86_400_000;
const most = 10_000;

/** What is remembered of one container. */
export interface ContainerMemory {
  readonly recall: () => RememberedContainer | undefined;
  /** Remembers that it was just made. */
  readonly remember: (content: MediaContent) => Promise<void>;
  /** Remembers what it became. */
  readonly rememberMedia: (mediaId: string) => void;
}

export function containerMemory(context: PicsContext, containerId: string): ContainerMemory {
  const { graphBase, graphVersion, memory, clock } = context;
  const key = graphBase.slice(0, -graphVersion.length) + containerId;
  // Only this file writes into it.
  const containers = memory.containers as Map<string, RememberedContainer>;
  return {
    recall: () => containers.get(key),
    remember: async ({ caption, ...content }) =>
      store({
        content: { ...content, ...(caption !== undefined && { caption: await captionDigest(caption) }) },
        madeAt: clock.monotonic(),
      }),
    rememberMedia: (mediaId) =>
      store({ content: containers.get(key)?.content, madeAt: clock.monotonic(), mediaId }),
  };

  function store(container: RememberedContainer): void {
    // Set anew, it comes last: the first ones are the oldest.
    containers.delete(key);
    containers.set(key, container);
    for (const [oldest, { madeAt }] of containers) {
      if (containers.size <= most && madeAt >= container.madeAt - lifeMs) break;
      containers.delete(oldest);
    }
  }
}

/** A digest of a caption, without what the platform may change of it. */
export function captionDigest(caption: string): Promise<string> {
  return digest(caption.replace(/\s+/g, ' ').trim());
}
