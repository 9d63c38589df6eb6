import { digest } from '../../core/writes/memory.ts';
import type { PicsContext } from '../context.ts';

/** What is known of the media that a container becomes. */
export interface MediaContent {
  /** The list that will hold it. */
  readonly edge: 'media' | 'stories';
  readonly mediaType: 'IMAGE' | 'VIDEO' | 'CAROUSEL_ALBUM';
  /** `''` for none; `undefined` if the list does not show it, as that of stories. */
  readonly caption?: string | undefined;
  /** Without a caption, the list shows nothing that tells it from others of its kind and time. */
  readonly hidesContent?: boolean;
}

/** A container that this process knows. Only a digest of its caption is kept. */
interface RememberedContainer {
  /** `undefined` if another process made it. */
  readonly content: MediaContent | undefined;
  /** A time, by the monotonic local clock, at which it was not yet published. */
  readonly madeAt: number;
  /** The media that it became, if known. */
  readonly mediaId?: string | undefined;
}

/** How long a container lives, in milliseconds, and the most containers that are remembered. */
const lifeMs = 86_400_000;
const most = 10_000;

/** What is remembered of one container. */
export interface ContainerMemory {
  readonly recall: () => RememberedContainer | undefined;
  /** Remembers that it was just created. */
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
        content: {
          ...content,
          ...(caption !== undefined && { caption: await captionDigest(caption) }),
          hidesContent: (caption ?? '').trim() === '',
        },
        madeAt: clock.monotonic(),
      }),
    rememberMedia: (mediaId) =>
      store({ content: containers.get(key)?.content, madeAt: clock.monotonic(), mediaId }),
  };

  function store(container: RememberedContainer): void {
    // Deleted and set again, it comes last, so that the first ones are the oldest.
    containers.delete(key);
    containers.set(key, container);
    for (const [oldest, { madeAt }] of containers) {
      if (containers.size <= most && madeAt >= container.madeAt - lifeMs) break;
      containers.delete(oldest);
    }
  }
}

/** A digest of a caption, without the white space that the platform may change. */
export function captionDigest(caption: string): Promise<string> {
  return digest(caption.replace(/\s+/g, ' ').trim());
}
