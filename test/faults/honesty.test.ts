import type { ResultAsync } from 'neverthrow';
import { describe, expect, test, vi } from 'vitest';

import { systemClock } from '../../src/core/options/clock.ts';
import { createWriteMemory } from '../../src/core/writes/memory.ts';
import * as page from '../../src/page/index.ts';
import * as pics from '../../src/pics/index.ts';
import type { EffectKind, FaultAction, FaultRule } from '../../src/sandbox/index.ts';
import type { AnyFailure } from '../functions/table.ts';
import { bench, tell, useRealSockets, type Bench, type Told } from './support.ts';

useRealSockets();
vi.setConfig({ maxConcurrency: 12 });

type Contexts = Pick<Bench, 'context' | 'pics'>;

/** A write whose effect is looked up by content and time. */
interface Write {
  /** Publishes a text, with contexts of the bench or others. */
  readonly publish: (at: Bench, text: string, by?: Contexts) => ResultAsync<unknown, AnyFailure>;
  readonly path: string;
  /** The list in which it is looked up. */
  readonly list: RegExp;
  readonly kind: EffectKind;
  readonly id: string;
  /** The outcome when the effect is certain but its id is not. */
  readonly blind: 'applied' | 'unknown';
}

const writes: Readonly<
  Record<
    | 'publishPost'
    | 'publishPost, scheduled'
    | 'publishPhoto'
    | 'publishComment'
    | 'publishComment of a Page'
    | 'replyComment'
    | 'publish'
    | 'sendMessage',
    Write
  >
> = {
  publishPost: {
    publish: (at, message, { context } = at) =>
      page.publishPost(context, { pageId: at.page.id, pageToken: at.page.token, message }),
    path: 'feed',
    list: /\/published_posts$/,
    kind: 'post',
    id: 'id',
    blind: 'unknown',
  },
  'publishPost, scheduled': {
    publish: (at, message, { context } = at) =>
      page.publishPost(context, { ...onPage(at), message, scheduledAt: new Date(Date.now() + 86_400_000) }),
    path: 'feed',
    list: /\/scheduled_posts$/,
    kind: 'post',
    id: 'id',
    blind: 'unknown',
  },
  publishPhoto: {
    publish: (at, message, { context } = at) =>
      page.publishPhoto(context, { ...onPage(at), photo: new Uint8Array(9), message }),
    path: 'photos',
    list: /\/published_posts$/,
    kind: 'photo',
    id: 'id',
    blind: 'unknown',
  },
  'publishComment of a Page': {
    publish: (at, message, { context } = at) =>
      page.publishComment(context, {
        objectId: at.page.postIds[0] ?? '',
        pageToken: at.page.token,
        message,
      }),
    path: 'comments',
    list: /\/comments$/,
    kind: 'comment',
    id: 'id',
    blind: 'unknown',
  },
  replyComment: {
    publish: (at, message, { context } = at) =>
      page.replyComment(context, {
        commentId: at.page.commentIds[0] ?? '',
        pageToken: at.page.token,
        message,
      }),
    path: 'comments',
    list: /\/comments$/,
    kind: 'reply',
    id: 'id',
    blind: 'unknown',
  },
  publishComment: {
    publish: (at, message, { pics: context } = at) =>
      pics.publishComment(context, {
        token: at.sandbox.account.token,
        mediaId: at.sandbox.account.mediaIds[0] ?? '',
        message,
      }),
    path: 'comments',
    list: /\/comments$/,
    kind: 'comment',
    id: 'id',
    blind: 'unknown',
  },
  publish: {
    publish: (at, caption, { pics: context } = at) =>
      pics.publish(context, {
        token: at.sandbox.account.token,
        imageUrl: 'https://example.com/a.jpg',
        caption,
      }),
    path: 'media_publish',
    list: /\/media$/,
    kind: 'media',
    id: 'media_id',
    blind: 'applied',
  },
  sendMessage: {
    publish: (at, text, { pics: context } = at) =>
      pics.sendMessage(context, {
        token: at.sandbox.account.token,
        recipientId: at.sandbox.account.contacts[0]?.id ?? '',
        text,
      }),
    path: 'messages',
    list: /\/conversations$/,
    kind: 'message',
    id: 'message_id',
    blind: 'unknown',
  },
};

function onPage({ page: { id, token } }: Bench): { readonly pageId: string; readonly pageToken: string } {
  return { pageId: id, pageToken: token };
}

const each = Object.entries(writes);
/** Lists that may show an entry late. */
const lagging = each.filter(([name]) => name !== 'sendMessage');

/** A fault of the write itself. */
function lose({ sandbox }: Bench, { path }: Write, rule: Partial<FaultRule> & FaultAction): void {
  sandbox.fault({ method: 'POST', path, ...rule });
}
const lost = { drop: true, when: 'after' } as const;
const never = { drop: true, when: 'before' } as const;

/** Contexts with a memory of their own, like those of another process. */
function elsewhere(at: Bench): Contexts {
  return at.contexts({ memory: createWriteMemory() });
}

function idsOf(at: Bench, { kind }: Pick<Write, 'kind'>): string[] {
  return at.sandbox.effects(kind).map(({ id }) => id);
}

function idIn(told: Told, { id }: Pick<Write, 'id'>): unknown {
  return (told.value as Readonly<Record<string, unknown>> | undefined)?.[id];
}

function requestsOf(at: Bench, { path }: Write): number {
  return at.sent.filter((one) => one.startsWith('POST') && one.endsWith(`/${path}`)).length;
}

describe.concurrent('a lost response', () => {
  test.for(lagging)('of %s is made up for where the list lags', async ([, write], { expect: check }) => {
    await using at = await bench({ retry: { baseDelayMs: 30 } });
    at.sandbox.tune({ lists: { lagMs: 120 } });
    lose(at, write, lost);
    const told = await tell(write.publish(at, 'Late in the list'));
    check([told.said, idIn(told, write)]).toEqual(['ok', idsOf(at, write)[0]]);
  });

  test.for(lagging)(
    'of %s is reported where the list lags too long',
    async ([, write], { expect: check }) => {
      await using at = await bench();
      at.sandbox.tune({ lists: { lagMs: 60_000 } });
      lose(at, write, lost);
      const told = await tell(write.publish(at, 'Too late in the list'));
      check([told.said, idsOf(at, write).length, requestsOf(at, write)]).toEqual([write.blind, 1, 1]);
    },
  );

  test.for(each)('of %s is made up for where the write lands late', async ([, write], { expect: check }) => {
    await using at = await bench({ retry: { baseDelayMs: 30 } });
    at.sandbox.tune({ writes: { landAfterMs: 120 } });
    lose(at, write, lost);
    const told = await tell(write.publish(at, 'Lands late'));
    check([told.said, idIn(told, write)]).toEqual(['ok', idsOf(at, write)[0]]);
  });

  test.for(each)('of %s is unknown where it lands after all looks', async ([, write], { expect: check }) => {
    await using at = await bench();
    at.sandbox.tune({ writes: { landAfterMs: 30_000 } });
    lose(at, write, lost);
    const told = await tell(write.publish(at, 'Lands too late'));
    const early = idsOf(at, write).length;
    at.sandbox.advance(30_000);
    check([told.said, early, idsOf(at, write).length, requestsOf(at, write)]).toEqual(['unknown', 0, 1, 1]);
  });

  test.for(each)('of %s is made up for although looks fail', async ([, write], { expect: check }) => {
    await using at = await bench();
    lose(at, write, lost);
    // One lookup fails, and one cannot be read.
    at.sandbox.fault({ method: 'GET', path: write.list, status: 503 });
    at.sandbox.fault({ method: 'GET', path: write.list, status: 200, body: '{"data":' });
    const told = await tell(write.publish(at, 'Looked for in vain'));
    check([told.said, idIn(told, write)]).toEqual(['ok', idsOf(at, write)[0]]);
  });

  test.for(each)('of %s is not guessed at where all looks fail', async ([, write], { expect: check }) => {
    await using at = await bench();
    lose(at, write, lost);
    at.sandbox.fault({ method: 'GET', path: write.list, drop: true, times: Infinity });
    const told = await tell(write.publish(at, 'Never seen'));
    check([told.said, idsOf(at, write).length, requestsOf(at, write)]).toEqual([write.blind, 1, 1]);
  });

  test('is not looked after once the caller has gone', async ({ expect: check }) => {
    await using at = await bench();
    const controller = new AbortController();
    at.sandbox.fault({ method: 'POST', path: 'feed', hang: true, when: 'after' });
    const { id: pageId, token: pageToken } = at.page;
    const { signal } = controller;
    const call = tell(page.publishPost(at.context, { pageId, pageToken, message: 'Left', signal }));
    await check.poll(() => idsOf(at, writes.publishPost).length).toBe(1);
    controller.abort();
    check((await call).error).toMatchObject({ reason: 'aborted', outcome: 'unknown' });
    check(at.sent.filter((one) => one.startsWith('GET'))).toEqual([]);
  });
});

describe.concurrent('an equal entry made before', () => {
  test.for(each)('by another process is not taken by %s', async ([, write], { expect: check }) => {
    await using at = await bench();
    await tell(write.publish(at, 'Again', elsewhere(at)));
    at.sandbox.advance(60_000);
    lose(at, write, never);
    const told = await tell(write.publish(at, 'Again'));
    check([told.said, idsOf(at, write).length]).toEqual(['unknown', 1]);
  });

  test.for(each)('by another process does not hide that of %s', async ([, write], { expect: check }) => {
    await using at = await bench();
    await tell(write.publish(at, 'Again', elsewhere(at)));
    at.sandbox.advance(60_000);
    lose(at, write, lost);
    const told = await tell(write.publish(at, 'Again'));
    check([told.said, idIn(told, write)]).toEqual(['ok', idsOf(at, write)[1]]);
  });

  test.for(each)('by this process at once is not taken by %s', async ([, write], { expect: check }) => {
    await using at = await bench();
    const first = await tell(write.publish(at, 'Again'));
    lose(at, write, never);
    const told = await tell(write.publish(at, 'Again'));
    check([first.said, told.said, idsOf(at, write).length]).toEqual(['ok', 'unknown', 1]);
  });

  test.for(each)('with other spaces at its ends is not taken by %s', async ([, write], { expect: check }) => {
    await using at = await bench();
    const first = await tell(write.publish(at, 'Again'));
    lose(at, write, never);
    const told = await tell(write.publish(at, ' Again\n'));
    check([first.said, told.said, idsOf(at, write).length]).toEqual(['ok', 'unknown', 1]);
  });

  test.for(lagging)('is not taken by %s though the look is slow', async ([, write], { expect: check }) => {
    // What a busy machine takes is no part of it.
    let now = Date.now();
    const sleep = async (ms: number): Promise<void> => void (now += ms);
    const clock = { now: () => now, monotonic: () => now, sleep };
    let isFirst = true;
    /** The platform reads its list and its clock at once, but the response takes a while. */
    const slowFetch: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      const isLook = write.list.test(new URL(response.url).pathname) && (input as Request).method === 'GET';
      if (isLook && isFirst) now += 3000;
      isFirst &&= !isLook;
      return response;
    };
    await using at = await bench({ clock, fetch: slowFetch }, { now: clock.now });
    await tell(write.publish(at, 'Again', elsewhere(at)));
    at.sandbox.advance(3250);
    at.sandbox.tune({ lists: { lagMs: 2000 } });
    lose(at, write, lost);
    const told = await tell(write.publish(at, 'Again'));
    check(isFirst).toBe(false);
    check([told.said, idIn(told, write)]).toEqual(['ok', idsOf(at, write)[1]]);
  });
});

describe.concurrent('a medium of equal caption', () => {
  /** The first one is listed before the second one is sent; the second one only after the lookups. */
  async function oneAfterAnother(at: Bench): Promise<readonly Told[]> {
    at.sandbox.tune({ lists: { lagMs: 15_000 } });
    const options = {
      token: at.sandbox.account.token,
      imageUrl: 'https://example.com/a.jpg',
      caption: 'Same',
    };
    const first = await tell(pics.publish(at.pics, options));
    at.sandbox.advance(15_050);
    lose(at, writes.publish, lost);
    return [first, await tell(pics.publish(at.pics, options))];
  }

  test('is not taken for the own one while that does not show', async ({ expect: check }) => {
    await using at = await bench();
    const told = await oneAfterAnother(at);
    check(told.map(({ said }) => said)).toEqual(['ok', 'applied']);
  });
});

describe.concurrent('a call whose outcome stayed open', () => {
  const account = (at: Bench): { readonly token: string } => ({ token: at.sandbox.account.token });
  const image = { imageUrl: 'https://example.com/a.jpg', caption: 'Gone on with' };

  function containerIn({ error }: Told): string {
    return (error as { readonly payload: { readonly container_id: string } }).payload.container_id;
  }

  test('can be gone on with by its container where it did not happen', async ({ expect: check }) => {
    await using at = await bench();
    lose(at, writes.publish, never);
    const first = await tell(pics.publish(at.pics, { ...account(at), ...image }));
    const containerId = containerIn(first);
    const second = await tell(pics.publishContainer(at.pics, { ...account(at), containerId }));
    check([first.said, second.said]).toEqual(['unknown', 'ok']);
    check(idsOf(at, writes.publish)).toEqual([idIn(second, writes.publish)]);
  });

  test('can be gone on with by its container where it did', async ({ expect: check }) => {
    await using at = await bench();
    lose(at, writes.publish, lost);
    const remove = at.sandbox.fault({ method: 'GET', path: /\/media$/, status: 500, times: Infinity });
    const first = await tell(pics.publish(at.pics, { ...account(at), ...image }));
    remove();
    const containerId = containerIn(first);
    const second = await tell(pics.publishContainer(at.pics, { ...account(at), containerId }));
    check([first.said, second.said, requestsOf(at, writes.publish)]).toEqual(['applied', 'ok', 1]);
    check(idsOf(at, writes.publish)).toEqual([idIn(second, writes.publish)]);
  });

  test('can be gone on with by another process', async ({ expect: check }) => {
    await using at = await bench();
    lose(at, writes.publish, lost);
    at.sandbox.fault({ method: 'GET', path: /\/media$/, status: 500, times: Infinity, skip: 0 });
    const { pics: other } = elsewhere(at);
    const first = await tell(pics.publish(at.pics, { ...account(at), ...image }));
    const containerId = containerIn(first);
    const second = await tell(pics.publishContainer(other, { ...account(at), containerId }));
    // Which media it became is unknown, but it is not published again.
    check([first.said, second.said, requestsOf(at, writes.publish)]).toEqual(['applied', 'applied', 1]);
    check(idsOf(at, writes.publish)).toHaveLength(1);
  });

  test.for(each)('of %s does not lend its late entry to the next', async ([, write], { expect: check }) => {
    await using at = await bench();
    at.sandbox.tune({ writes: { landAfterMs: 30_000 } });
    lose(at, write, lost);
    const first = await tell(write.publish(at, 'Once more'));
    lose(at, write, never);
    // The first one lands during the lookups of the second one, which never takes effect.
    const call = tell(write.publish(at, 'Once more'));
    await check.poll(() => at.sandbox.requests.filter(({ faulted }) => faulted).length).toBe(2);
    at.sandbox.advance(30_000);
    check([first.said, (await call).said, idsOf(at, write).length]).toEqual(['unknown', 'unknown', 1]);
  });

  test('of one container, published by two calls at once, is published once', async ({ expect: check }) => {
    await using at = await bench();
    lose(at, writes.publish, never);
    const containerId = containerIn(await tell(pics.publish(at.pics, { ...account(at), ...image })));
    lose(at, writes.publish, lost);
    const both = await Promise.all(
      [1, 2].map(() => tell(pics.publishContainer(at.pics, { ...account(at), containerId }))),
    );
    const [id] = idsOf(at, writes.publish);
    check(idsOf(at, writes.publish)).toHaveLength(1);
    check(both.map((told) => [told.said, idIn(told, writes.publish)])).toEqual([
      ['ok', id],
      ['ok', id],
    ]);
  });
});

describe.concurrent('a clock that is off', () => {
  const cases = each.flatMap(([name, write]) =>
    [-60_000, 60_000].map((offMs): [string, number, Write] => [name, offMs, write]),
  );

  function wrong(at: Bench, offMs: number): Contexts {
    return at.contexts({ clock: { ...systemClock, now: () => Date.now() + offMs } });
  }

  test.for(cases)('does not hide what %s made (%i ms)', async ([, offMs, write], { expect: check }) => {
    await using at = await bench();
    lose(at, write, lost);
    const told = await tell(write.publish(at, 'What time is it', wrong(at, offMs)));
    check([told.said, idIn(told, write)]).toEqual(['ok', idsOf(at, write)[0]]);
  });

  test.for(cases)(
    'does not lead %s to an older entry (%i ms)',
    async ([, offMs, write], { expect: check }) => {
      await using at = await bench();
      await tell(write.publish(at, 'What time is it', elsewhere(at)));
      at.sandbox.advance(30_000);
      lose(at, write, never);
      const told = await tell(write.publish(at, 'What time is it', wrong(at, offMs)));
      check([told.said, idsOf(at, write).length]).toEqual(['unknown', 1]);
    },
  );
});

describe.concurrent('equal writes at once', () => {
  /** Sends all of them; the fault applies to the last ones to arrive. */
  async function together(
    at: Bench,
    write: Write,
    count: number,
    fault: Partial<FaultRule> & FaultAction,
  ): Promise<readonly Told[]> {
    lose(at, write, fault);
    return Promise.all(Array.from({ length: count }, () => tell(write.publish(at, 'Six of one'))));
  }

  function tallied(all: readonly Told[]): Readonly<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const { said } of all) counts[said] = (counts[said] ?? 0) + 1;
    return counts;
  }

  test.for(each)('of %s, two, one lost: both are found', async ([, write], { expect: check }) => {
    await using at = await bench();
    const all = await together(at, write, 2, lost);
    check(tallied(all)).toEqual({ ok: 2 });
    check(new Set(all.map((told) => idIn(told, write)))).toEqual(new Set(idsOf(at, write)));
    check(idsOf(at, write)).toHaveLength(2);
  });

  test.for(each)('of %s, two, one never made: it takes nothing', async ([, write], { expect: check }) => {
    await using at = await bench();
    const all = await together(at, write, 2, never);
    check(tallied(all)).toEqual({ ok: 1, unknown: 1 });
    check(all.map((told) => idIn(told, write)).filter(Boolean)).toEqual(idsOf(at, write));
  });

  test.for(each)(
    'of %s, six, all lost: each is reported truthfully',
    async ([, write], { expect: check }) => {
      await using at = await bench();
      const all = await together(at, write, 6, { ...lost, times: 6 });
      check(tallied(all)).toEqual({ [write.blind]: 6 });
      check([idsOf(at, write).length, requestsOf(at, write)]).toEqual([6, 6]);
    },
  );

  test.for(each)('of %s, six, two lost: four have their own ids', async ([, write], { expect: check }) => {
    await using at = await bench();
    const all = await together(at, write, 6, { ...lost, times: 2, skip: 4 });
    check(tallied(all)).toEqual({ ok: 4, [write.blind]: 2 });
    const ids = all.map((told) => idIn(told, write)).filter(Boolean);
    check(new Set(ids).size).toBe(4);
    check(idsOf(at, write)).toEqual(check.arrayContaining(ids));
    check([idsOf(at, write).length, requestsOf(at, write)]).toEqual([6, 6]);
  });

  test('of different contents do not stand in the way of one another', async ({ expect: check }) => {
    for (const [, write] of each) {
      await using at = await bench();
      lose(at, write, { ...lost, times: 6 });
      const texts = ['a', 'b', 'c', 'd', 'e', 'f'];
      const all = await Promise.all(texts.map((text) => tell(write.publish(at, text))));
      const contents = at.sandbox.effects(write.kind).map(({ id, content }) => {
        const { message, caption, text } = content;
        return [message ?? caption ?? text, id];
      });
      check(texts.map((text, at) => [text, idIn(all[at] as Told, write)])).toEqual(
        contents.toSorted(([a], [b]) => String(a).localeCompare(String(b))),
      );
    }
  });

  test('are known however many others there are', async ({ expect: check }) => {
    const held = Promise.withResolvers<void>();
    let posts = 0;
    await using at = await bench({
      memory: createWriteMemory(),
      timeoutMs: 120_000,
      fetch: async (input, init) => {
        const isFirst = (input as Request).method === 'POST' && posts++ === 0;
        const response = await fetch(input, init);
        if (isFirst) await held.promise;
        return response;
      },
    });
    const { publish } = writes.publishPost;
    // The first one takes effect, and hangs; the second one never does.
    const first = tell(publish(at, 'Among many'));
    await check.poll(() => idsOf(at, writes.publishPost).length).toBe(1);
    const { context } = at.contexts({ fetch: async () => Response.json({ id: '1_1' }) });
    const { id: pageId, token: pageToken } = at.page;
    const others = Array.from({ length: 1100 }, (_, index) =>
      page.publishPost(context, { pageId, pageToken, message: `Another ${index}` }),
    );
    await Promise.all(others);
    lose(at, writes.publishPost, never);
    const second = await tell(publish(at, 'Among many'));
    held.resolve();
    check([second.said, (await first).said]).toEqual(['unknown', 'ok']);
  });
});

describe.concurrent('a write that is known by what it is made of', () => {
  const image = 'https://example.com/a.jpg';
  /** `made` is where the error holds what was made before. */
  interface Certain extends Omit<Write, 'blind'> {
    readonly made: string;
  }
  const certain: Readonly<Record<string, Certain>> = {
    publishPhotos: {
      publish: (at, message, { context } = at) =>
        page.publishPhotos(context, {
          ...onPage(at),
          photos: [{ photoUrl: image }, { photoUrl: image }],
          message,
        }),
      path: 'feed',
      list: /\/published_posts$/,
      kind: 'post',
      id: 'id',
      made: 'ids.photo_ids',
    },
    'publishComment with a photo': {
      publish: (at, message, { context } = at) =>
        page.publishComment(context, {
          ...onPage(at),
          objectId: at.page.postIds[0] ?? '',
          photo: new Uint8Array(9),
          message,
        }),
      path: 'comments',
      list: /\/comments$/,
      kind: 'comment',
      id: 'id',
      made: 'ids.photo_id',
    },
    publishReel: {
      publish: (at, description, { context } = at) =>
        page.publishReel(context, { ...onPage(at), video: new Uint8Array(9), description }),
      path: 'video_reels',
      list: /^\/\d+$/,
      kind: 'reel',
      id: 'video_id',
      made: 'ids.video_id',
    },
    publishVideo: {
      publish: (at, description, { context } = at) =>
        page.publishVideo(context, { ...onPage(at), video: new Uint8Array(9), description }),
      path: 'videos',
      list: /^\/\d+$/,
      kind: 'video',
      id: 'video_id',
      made: 'ids.video_id',
    },
  };
  const all = Object.entries(certain);

  /** Loses the responses to the steps that publish, the last ones of calls that are made one by one. */
  async function inTurn(
    at: Bench,
    write: Omit<Write, 'blind'>,
    faults: readonly (Partial<FaultRule> & FaultAction)[],
  ): Promise<readonly Told[]> {
    const steps = { videos: 2, video_reels: 1 }[write.path] ?? 0;
    const told: Told[] = [];
    for (const [number, fault] of faults.entries()) {
      const by = number % 2 === 0 ? at : elsewhere(at);
      const remove = at.sandbox.fault({ method: 'POST', path: write.path, skip: steps, ...fault });
      told.push(await tell(write.publish(at, 'Equal', by)));
      remove();
    }
    return told;
  }

  test.for(all)('has its own id in each of six equal %s, all lost', async ([, write], { expect: check }) => {
    await using at = await bench();
    const told = await inTurn(at, write, [lost, lost, lost, lost, lost, lost]);
    check(told.map(({ said }) => said)).toEqual(Array(6).fill('ok'));
    check(told.map((one) => idIn(one, write))).toEqual(idsOf(at, write));
  });

  test.for(all)('takes nothing of equal others: %s', async ([, write], { expect: check }) => {
    await using at = await bench();
    const told = await inTurn(at, write, [lost, never, lost, never]);
    check(told.map(({ said }) => said)).toEqual(['ok', 'unknown', 'ok', 'unknown']);
    check(idsOf(at, write)).toHaveLength(2);
  });

  test.for(all)('is unknown where it lands after all looks: %s', async ([, write], { expect: check }) => {
    await using at = await bench();
    at.sandbox.tune({ writes: { landAfterMs: 30_000 } });
    const [told] = (await inTurn(at, write, [lost])) as readonly [Told];
    const early = idsOf(at, write).length;
    at.sandbox.advance(30_000);
    // Any request makes due writes land.
    await page.posts(at.context, onPage(at));
    check([told.said, early, idsOf(at, write).length]).toEqual(['unknown', 0, 1]);
    check(told.error).toHaveProperty(write.made);
  });
});

test('a lost post does not take that of an equal photo or video for its own', async () => {
  const message = 'The same words';
  const others: readonly ((at: Bench) => ResultAsync<unknown, AnyFailure>)[] = [
    (at) => page.publishPhoto(at.context, { ...onPage(at), photo: new Uint8Array(9), message }),
    (at) =>
      page.publishPhotos(at.context, {
        ...onPage(at),
        photos: [{ photo: new Uint8Array(9) }, { photo: new Uint8Array(9) }],
        message,
      }),
    (at) => page.publishVideo(at.context, { ...onPage(at), video: new Uint8Array(9), description: message }),
    (at) =>
      page.publishVideo(at.context, {
        ...onPage(at),
        videoUrl: 'https://example.com/a.mp4',
        description: message,
      }),
  ];
  for (const other of others) {
    await using at = await bench({ retry: { baseDelayMs: 60 } });
    lose(at, writes.publishPost, never);
    const post = tell(page.publishPost(at.context, { ...onPage(at), message }));
    await expect.poll(() => at.sandbox.requests.some(({ faulted }) => faulted)).toBe(true);
    expect((await tell(other(at))).said).toBe('ok');
    expect((await post).said).toBe('unknown');
  }
});

describe.concurrent('a refusal', () => {
  const limits: readonly FaultAction[] = [
    { error: { code: 4 }, status: 403 },
    { error: { code: 32 }, status: 400 },
    { error: { code: 80_002 }, status: 500 },
    { status: 429, body: 'Too many requests', headers: { 'retry-after': '0' } },
  ];

  test.for(each)(
    'of %s for too many calls is repeated, and done once',
    async ([, write], { expect: check }) => {
      for (const limit of limits) {
        await using at = await bench();
        lose(at, write, { ...limit, times: 2 });
        const told = await tell(write.publish(at, 'Limited'));
        check([told.said, idIn(told, write)]).toEqual(['ok', idsOf(at, write)[0]]);
        check([idsOf(at, write).length, requestsOf(at, write)]).toEqual([1, 3]);
      }
    },
  );

  test.for(each)('of %s for good is reported as such', async ([, write], { expect: check }) => {
    await using at = await bench();
    lose(at, write, { error: { code: 32 }, times: Infinity });
    const told = await tell(write.publish(at, 'Limited'));
    check([told.said, idsOf(at, write).length, requestsOf(at, write)]).toEqual(['rejected', 0, 3]);
    check(told.error?.name).toBe('RateLimitError');
  });

  test.for(each)('of %s that is none is looked after', async ([, write], { expect: check }) => {
    const doubtful: readonly FaultAction[] = [
      // The platform has sent this although the post was live.
      { error: { code: 4, error_subcode: 2_207_051 }, status: 403 },
      { error: { code: 2, is_transient: true }, status: 400 },
      { error: { code: 1 }, status: 500 },
      { status: 200, body: '' },
      { status: 200, body: { odd: true } },
    ];
    for (const fault of doubtful) {
      await using at = await bench();
      lose(at, write, { ...fault, when: 'after' });
      const told = await tell(write.publish(at, 'Doubtful'));
      check([told.said, idIn(told, write)]).toEqual(['ok', idsOf(at, write)[0]]);

      lose(at, write, { ...fault, when: 'before' });
      const other = await tell(write.publish(at, 'Doubtful, and not done'));
      check([other.said, idsOf(at, write).length, requestsOf(at, write)]).toEqual(['unknown', 1, 2]);
    }
  });

  test('by a platform that cannot be reached is one', async ({ expect: check }) => {
    await using at = await bench();
    const gone = await bench();
    await gone[Symbol.asyncDispose]();
    const { context } = at.contexts({ platform: { graphUrl: gone.context.platform.graphUrl } });
    const { id: pageId, token: pageToken } = at.page;
    const told = await tell(page.publishPost(context, { pageId, pageToken, message: 'Nobody there' }));
    check(told).toMatchObject({ said: 'rejected', error: { reason: 'network' } });
  });
});

test('with onceOnly: false, a write may be done twice', async () => {
  await using at = await bench({ retry: { onceOnly: false } });
  const write = writes.publishPost;
  lose(at, write, { status: 503, when: 'after' });
  const told = await tell(write.publish(at, 'Twice'));
  expect([told.said, idIn(told, write)]).toEqual(['ok', idsOf(at, write)[1]]);
  expect(idsOf(at, write)).toHaveLength(2);
});
