import type { Result, ResultAsync } from 'neverthrow';
import { describe, expect, test } from 'vitest';

import type { AnySdkError } from '../../../src/core/index.ts';
import { publishPhotoStory, publishPost, replyComment } from '../../../src/page/index.ts';
import { replyComment as picsReplyComment } from '../../../src/pics/index.ts';
import type { EffectKind } from '../../../src/sandbox/index.ts';
import { createWorld, leaseMs, type Machine, settleMs, type World } from './support.ts';

interface Publishing {
  readonly call: (at: Machine, world: World) => ResultAsync<unknown, AnySdkError>;
  /** Kind of its effect, and the field of the value with its id. */
  readonly kind: EffectKind;
  readonly id: string;
  /** Kinds of what it makes on the way. */
  readonly makes?: readonly EffectKind[];
  /** Nothing shows what became of a lost request: it stays unknown. */
  readonly isBlind?: boolean;
}

const idempotencyKey = 'job-1';
const message = 'Open until nine';
const image = 'https://example.com/a.jpg';
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

describe.each(Object.entries(publishings))('%s', (_, { call, kind, id, makes = [], isBlind = false }) => {
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
      if (!isOver) expect(world.sandbox.requests.length, where).toBe(sent);

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
        const isLostOnTheWay = /^after POST|^before a write/.test(first.points[point] ?? '');
        expect(count(made), where).toBeLessThanOrEqual(isLostOnTheWay ? 2 : 1);
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
});
