import type { Result, ResultAsync } from 'neverthrow';
import { describe, expect, test } from 'vitest';

import type { AnySdkError } from '../../../src/core/index.ts';
import {
  privateReply,
  publishComment,
  publishPhoto,
  publishPhotos,
  publishPhotoStory,
  publishPost,
  publishReel,
  publishVideo,
  publishVideoStory,
  replyComment,
  sendMessage,
} from '../../../src/page/index.ts';
import {
  publish as picsPublish,
  publishCarousel,
  publishComment as picsPublishComment,
  publishStory,
  replyComment as picsReplyComment,
  sendMessage as picsSendMessage,
} from '../../../src/pics/index.ts';
import type { EffectKind } from '../../../src/sandbox/index.ts';
import { createWorld, leaseMs, type Machine, settleMs, type World } from './support.ts';

interface Publishing {
  readonly call: (at: Machine, world: World) => ResultAsync<unknown, AnySdkError>;
  /** Kind of its effect, and the field of the value with its id. */
  readonly kind: EffectKind;
  readonly id: string;
  /** Kinds of what it makes on the way. */
  readonly makes?: readonly EffectKind[];
  /** How many of each it makes. */
  readonly count?: number;
  /** Nothing shows what became of a lost request: it stays unknown. */
  readonly isBlind?: boolean;
}

const idempotencyKey = 'job-1';
const message = 'Open until nine';
const image = 'https://example.com/a.jpg';
const bytes = new Uint8Array(3000);
const login = ({ sandbox: { account } }: World): { readonly token: string } => ({ token: account.token });
const customer = ({ sandbox: { account } }: World): string =>
  account.contacts.find(({ inWindow }) => inWindow)?.id ?? '';
/** Signed addresses are never the same. */
let signature = 0;
const onPage = ({ page }: World): { readonly pageId: string; readonly pageToken: string } => ({
  pageId: page.id,
  pageToken: page.token,
});

const publishings: Readonly<Record<string, Publishing>> = {
  publishPost: {
    call: ({ context }, world) => publishPost(context, { ...onPage(world), message, idempotencyKey }),
    kind: 'post',
    id: 'id',
  },
  'publishPost, unpublished': {
    call: ({ context }, world) =>
      publishPost(context, { ...onPage(world), message, published: false, idempotencyKey }),
    kind: 'post',
    id: 'id',
    isBlind: true,
  },
  'publishPost, scheduled': {
    call: ({ context }, world) =>
      publishPost(context, { ...onPage(world), message, scheduledAt: 4_000_000_000, idempotencyKey }),
    kind: 'post',
    id: 'id',
  },
  publishPhotoStory: {
    call: ({ context }, world) =>
      publishPhotoStory(context, {
        ...onPage(world),
        photoUrl: `${image}?signed=${signature++}`,
        idempotencyKey,
      }),
    kind: 'photo_story',
    id: 'post_id',
    makes: ['photo'],
  },
  'replyComment on a Page': {
    call: ({ context }, { page }) =>
      replyComment(context, {
        commentId: page.commentIds[0] ?? '',
        pageToken: page.token,
        message,
        idempotencyKey,
      }),
    kind: 'reply',
    id: 'id',
  },
  publishPhoto: {
    call: ({ context }, world) =>
      publishPhoto(context, { ...onPage(world), photoUrl: image, message, idempotencyKey }),
    kind: 'photo',
    id: 'id',
  },
  publishPhotos: {
    call: ({ context }, world) =>
      publishPhotos(context, {
        ...onPage(world),
        photos: [{ photoUrl: image }, { photo: bytes }],
        message,
        idempotencyKey,
      }),
    kind: 'post',
    id: 'id',
    makes: ['photo'],
    count: 2,
  },
  publishVideoStory: {
    call: ({ context }, world) =>
      publishVideoStory(context, { ...onPage(world), video: bytes, idempotencyKey }),
    kind: 'video_story',
    id: 'post_id',
    makes: ['video_session', 'upload'],
  },
  publishReel: {
    call: ({ context }, world) =>
      publishReel(context, { ...onPage(world), video: bytes, description: message, idempotencyKey }),
    kind: 'reel',
    id: 'video_id',
    makes: ['video_session', 'upload'],
  },
  publishVideo: {
    call: ({ context }, world) =>
      publishVideo(context, { ...onPage(world), video: bytes, description: message, idempotencyKey }),
    kind: 'video',
    id: 'video_id',
    makes: ['video_session'],
  },
  'publishComment on a Page, with a photo': {
    call: ({ context }, world) =>
      publishComment(context, {
        ...onPage(world),
        objectId: world.page.postIds[0] ?? '',
        photo: bytes,
        idempotencyKey,
      }),
    kind: 'comment',
    id: 'id',
    makes: ['photo'],
  },
  'sendMessage of a Page': {
    call: ({ context }, world) =>
      sendMessage(context, {
        ...onPage(world),
        recipientId: world.page.contacts.find(({ inWindow }) => inWindow)?.id ?? '',
        text: message,
        idempotencyKey,
      }),
    kind: 'message',
    id: 'message_id',
  },
  'privateReply of a Page': {
    call: ({ context }, world) =>
      privateReply(context, {
        ...onPage(world),
        commentId: world.page.commentIds[0] ?? '',
        text: message,
        idempotencyKey,
      }),
    kind: 'message',
    id: 'message_id',
    isBlind: true,
  },
  'publish an image': {
    call: ({ pics }, world) =>
      picsPublish(pics, { ...login(world), imageUrl: image, caption: message, idempotencyKey }),
    kind: 'media',
    id: 'media_id',
    makes: ['container'],
  },
  'publish a Reel of bytes': {
    call: ({ viaPages }, { page }) =>
      picsPublish(viaPages, { token: page.token, picsUserId: page.picsId, video: bytes, idempotencyKey }),
    kind: 'media',
    id: 'media_id',
    makes: ['container'],
  },
  publishCarousel: {
    call: ({ pics }, world) =>
      publishCarousel(pics, {
        ...login(world),
        imageUrls: [image, image],
        caption: message,
        idempotencyKey,
      }),
    kind: 'media',
    id: 'media_id',
    makes: ['container'],
    count: 3,
  },
  'publishStory in page mode': {
    call: ({ viaPages }, { page }) =>
      publishStory(viaPages, { token: page.token, picsUserId: page.picsId, imageUrl: image, idempotencyKey }),
    kind: 'media',
    id: 'media_id',
    makes: ['container'],
  },
  'publishComment on a media': {
    call: ({ pics }, world) =>
      picsPublishComment(pics, {
        ...login(world),
        mediaId: world.sandbox.account.mediaIds[0] ?? '',
        message,
        idempotencyKey,
      }),
    kind: 'comment',
    id: 'id',
  },
  'sendMessage of an account': {
    call: ({ pics }, world) =>
      picsSendMessage(pics, { ...login(world), recipientId: customer(world), text: message, idempotencyKey }),
    kind: 'message',
    id: 'message_id',
  },
  'replyComment on a media': {
    call: ({ pics }, { sandbox: { account } }) =>
      picsReplyComment(pics, {
        commentId: account.commentIds[0] ?? '',
        token: account.token,
        message,
        idempotencyKey,
      }),
    kind: 'reply',
    id: 'id',
  },
};

describe.each(Object.entries(publishings))(
  '%s',
  (_, { call, kind, id, makes = [], count: most = 1, isBlind = false }) => {
    test('is done once, whatever point of it a process dies at', async () => {
      const seen = new Set<string>();
      for (let point = 0; ; point++) {
        const world = createWorld();
        const count = (of: EffectKind): number => world.sandbox.effects(of).length;
        const first = world.start(point);
        const outcome = await Promise.race([call(first, world), first.death]);
        const where = `${point}: ${first.points.at(-1)}`;
        seen.add(first.points.at(-1) ?? '');
        if (outcome !== 'dead') {
          expect(outcome._unsafeUnwrap(), where).toHaveProperty(id);
          break;
        }
        const wasSent = first.points.some((name, at) => at < point - 1 && name === 'before a write');
        expect(wasSent || count(kind) === 0, where).toBe(true);

        // The lease of the dead one holds everybody off, and nothing is sent.
        const sent = world.sandbox.requests.length;
        const early = await call(world.start(), world);
        if (early.isErr()) expect(early.error, where).toMatchObject({ reason: 'busy', outcome: 'unknown' });
        const isOver = early.isOk();
        // Of requests side by side, others may still be on their way.
        if (!isOver && most === 1) expect(world.sandbox.requests.length, where).toBe(sent);

        world.sandbox.advance(leaseMs + 1);
        let result: Result<unknown, AnySdkError> = await call(world.start(), world);
        if (result.isErr()) {
          // It was not found, or there is nowhere to look: nothing was sent again.
          expect(result.error, where).toMatchObject({ outcome: 'unknown' });
          const { retryAfterMs } = result.error as { readonly retryAfterMs?: number };
          if (isBlind) expect(retryAfterMs, where).toBeUndefined();
          else expect(retryAfterMs, where).toBeGreaterThan(0);
          world.sandbox.advance(retryAfterMs ?? settleMs);
          result = await call(world.start(), world);
        }
        if (isBlind && result.isErr()) {
          expect(result.error, where).toMatchObject({ outcome: 'unknown' });
          expect(count(kind), where).toBeLessThanOrEqual(1);
          continue;
        }
        const effects = world.sandbox.effects(kind);
        expect(result._unsafeUnwrap(), where).toMatchObject({ [id]: effects[0]?.id });
        expect(effects.length, where).toBe(1);
        // What was made and recorded is not made again; what was made in the moment of death may be.
        for (const made of makes) {
          // Those that are made side by side may all be lost in it.
          const isLostOnTheWay = most > 1 || /^after POST|^before a write/.test(first.points[point] ?? '');
          expect(count(made), where).toBeLessThanOrEqual(isLostOnTheWay ? 2 * most : most);
        }

        const requests = world.sandbox.requests.length;
        const again = await call(world.start(), world);
        expect(again._unsafeUnwrap(), where).toEqual(result._unsafeUnwrap());
        expect(world.sandbox.requests.length, where).toBe(requests);
      }
      expect(seen.size).toBeGreaterThan(3);
    });

    test('is done once by eight processes at once', async () => {
      const world = createWorld();
      const results = await Promise.all(Array.from({ length: 8 }, () => call(world.start(), world)));
      const [effect, ...more] = world.sandbox.effects(kind);

      expect(more).toEqual([]);
      const values = results.filter((result) => result.isOk());
      expect(values.length).toBeGreaterThan(0);
      for (const result of results) {
        if (result.isOk()) expect(result.value).toMatchObject({ [id]: effect?.id });
        else expect(result.error).toMatchObject({ reason: 'busy', outcome: 'unknown' });
      }
    });
  },
);
