import { describe, expect, test } from 'vitest';

import { createWriteMemory, memoryJournal } from '../../../src/core/index.ts';
import { createPageContext, publishPost, publishReel } from '../../../src/page/index.ts';
import { createPicsContext, publish } from '../../../src/pics/index.ts';
import { createSandbox } from '../../../src/sandbox/index.ts';

// A process that stands still: a frozen container, a function between two invocations, a blocked loop. Its clock then
// has gone on by minutes when it does.

const stillMs = 5 * 60_000;

/** A platform, and a process that stands still once, at a point of its choice. */
function createStill() {
  const sandbox = createSandbox();
  const [page] = sandbox.pages;
  if (page === undefined) throw new Error('it has a Page');
  let isDue: (point: string) => boolean = () => false;
  const asked: string[] = [];
  const reach = (point: string): void => {
    asked.push(point);
    if (!isDue(point)) return;
    isDue = () => false;
    sandbox.advance(stillMs);
    asked.push('stands still');
  };
  const settings = {
    platform: sandbox.platform,
    memory: createWriteMemory(),
    journal: memoryJournal(),
    clock: {
      now: sandbox.now,
      monotonic: sandbox.now,
      sleep: async (ms: number) => {
        sandbox.advance(ms);
        reach('after a pause');
      },
    },
    fetch: async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
      // What the SDK calls it with.
      const { method, url } = input as Request;
      const name = `${method} ${new URL(url).pathname.replace(/^.*\//, '')}`;
      try {
        return await sandbox.fetch(input, init);
      } finally {
        reach(name);
      }
    },
  };
  return {
    sandbox,
    page,
    asked,
    standStillAt: (when: (point: string) => boolean) => (isDue = when),
    context: createPageContext({
      ...settings,
      appId: sandbox.app.id,
      appSecret: sandbox.app.secret,
    })._unsafeUnwrap(),
    pics: createPicsContext({ ...settings, appSecret: sandbox.picsApp.secret })._unsafeUnwrap(),
  };
}

const since = (asked: readonly string[]): readonly string[] => asked.slice(asked.indexOf('stands still') + 1);

describe.each([undefined, 'post-1'])(
  'a lost post under the key %s, of a process that stands still',
  (key) => {
    const post = ({ context, page }: ReturnType<typeof createStill>) =>
      publishPost(context, {
        pageId: page.id,
        pageToken: page.token,
        message: 'Open until nine',
        idempotencyKey: key,
      });

    test.each([
      ['before its first lookup', (point: string) => point === 'after a pause'],
      ['in its first lookup', (point: string) => point === 'GET published_posts'],
    ])('%s is found', async (_, when) => {
      const still = createStill();
      const { sandbox } = still;
      still.standStillAt(when);
      sandbox.fault({ method: 'POST', path: '/feed', when: 'after', drop: true });
      if (when('GET published_posts')) sandbox.fault({ method: 'GET', path: '/published_posts', drop: true });

      const { id } = (await post(still))._unsafeUnwrap();

      expect(sandbox.effects('post').map((effect) => effect.id)).toEqual([id]);
      expect(since(still.asked)).toContain('GET published_posts');
    });

    test.each([1, 2, 3, 4])('in its lookup %i looks at least once after that', async (at) => {
      const still = createStill();
      const { sandbox } = still;
      let looks = 0;
      still.standStillAt((point) => point === 'GET published_posts' && ++looks === at);
      sandbox.fault({ method: 'POST', path: '/feed', when: 'after', drop: true });
      // Until it stands still, no lookup is answered.
      sandbox.fault({ method: 'GET', path: '/published_posts', drop: true, times: at });

      const made = await post(still);
      expect(made.isOk() ? 'found' : [made.error.message, ...still.asked].join(', ')).toBe('found');
      expect(since(still.asked)).toContain('GET published_posts');
    });
  },
);

describe('a wait of a process that stands still for longer than that', () => {
  test('for a container asks at least once after that', async () => {
    const still = createStill();
    const { sandbox } = still;
    const { account } = sandbox;
    sandbox.tune({ containers: { processingMs: 60_000 } });
    still.standStillAt((point) => point.startsWith('GET'));
    const media = await publish(still.pics, {
      token: account.token,
      picsUserId: account.userId,
      imageUrl: 'https://example.com/a.jpg',
      waitTimeoutMs: 90_000,
    });

    const after = since(still.asked);
    expect(still.asked.join(', ')).toContain('stands still');
    expect(after.some((point) => point.startsWith('GET'))).toBe(true);
    expect(media.isOk()).toBe(true);
  });

  test('for the ingest of a Reel asks at least once after that', async () => {
    const still = createStill();
    const { sandbox, page } = still;
    still.standStillAt((point) => point.startsWith('GET'));
    sandbox.tune({ videos: { processingMs: 60_000 } });
    const reel = await publishReel(still.context, {
      pageId: page.id,
      pageToken: page.token,
      videoUrl: 'https://example.com/a.mp4',
      waitTimeoutMs: 90_000,
    });

    expect(still.asked.join(', ')).toContain('stands still');
    expect(since(still.asked).some((point) => point.startsWith('GET'))).toBe(true);
    expect(reel.isOk()).toBe(true);
  });
});
