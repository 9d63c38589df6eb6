import { describe, expect, test } from 'vitest';

import { createPageContext } from '../../src/page/context.ts';
import { publishVideoStory } from '../../src/page/stories.ts';
import { createPicsContext } from '../../src/pics/context.ts';
import { publishCarousel } from '../../src/pics/publishing/carousel.ts';
import { publishContainer, publish } from '../../src/pics/publishing/publish.ts';
import { onRealSockets, serve } from './support.ts';

onRealSockets();

const imageUrl = 'https://cdn.example/a.jpg';
const videoUrl = 'https://cdn.example/a.mp4';
/** The container, or the video, that a call waits for. */
const node = /^\/\d+$/;

async function setUp() {
  const { sandbox, platform, close } = await serve();
  const { app, picsApp, account, pages } = sandbox;
  const shared = { platform, clock: sandbox.clock, timeoutMs: 3000 };
  const pics = createPicsContext({ appId: picsApp.id, appSecret: picsApp.secret, ...shared });
  const page = createPageContext({ appId: app.id, appSecret: app.secret, ...shared });
  return {
    sandbox,
    pics: pics._unsafeUnwrap(),
    page: page._unsafeUnwrap(),
    token: account.token,
    story: { pageId: pages[0]?.id ?? '', pageToken: pages[0]?.token ?? '' },
    lookups: () => sandbox.requests.filter(({ method, path }) => method === 'GET' && node.test(path)).length,
    [Symbol.asyncDispose]: close,
  };
}

describe('a wait over real HTTP', () => {
  test('goes on after lookups that are lost, refused and left without a response, one request each', async () => {
    await using setting = await setUp();
    const { sandbox, pics, token, lookups } = setting;
    const look = { method: 'GET', path: node };
    sandbox.fault({ ...look, drop: true });
    sandbox.fault({ ...look, error: { code: 2 }, status: 500 });
    sandbox.fault({ ...look, hang: true });

    const post = await publish(pics, { token, videoUrl });

    expect(post.isOk()).toBe(true);
    expect(lookups()).toBe(4);
    expect(sandbox.effects('media')).toHaveLength(1);
  });

  test('of 0 ms is one request, which names the container for a later call', async () => {
    await using setting = await setUp();
    const { sandbox, pics, token, lookups } = setting;
    sandbox.fault({ method: 'GET', path: node, status: 503, body: '' });

    const error = (await publish(pics, { token, videoUrl, waitTimeoutMs: 0 }))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', status: 503 });
    expect(lookups()).toBe(1);
    const containerId = 'ids' in error ? (error.ids.container_id ?? '') : '';
    expect((await publishContainer(pics, { token, containerId })).isOk()).toBe(true);
    expect(sandbox.effects('media')).toHaveLength(1);
  });

  test('ends in time though no lookup ever gets a response', async () => {
    await using setting = await setUp();
    const { sandbox, pics, page, token, story } = setting;
    sandbox.fault({ method: 'GET', path: node, hang: true, times: 99 });
    const started = performance.now();

    const failures = await Promise.all([
      publish(pics, { token, videoUrl, waitTimeoutMs: 1000 }),
      publishVideoStory(page, { ...story, videoUrl, waitTimeoutMs: 1000 }),
    ]);

    for (const failure of failures) {
      expect(failure._unsafeUnwrapErr()).toMatchObject({
        name: 'TransportError',
        reason: 'timeout',
        outcome: 'rejected',
      });
    }
    // One lookup each takes 3 seconds.
    expect(performance.now() - started).toBeLessThan(60_000);
    expect(sandbox.effects('media')).toEqual([]);
  });

  test('for the images of a carousel names the one that fails, and no container', async () => {
    await using setting = await setUp();
    const { sandbox, pics, token } = setting;
    const notReady = { code: 9007, error_subcode: 2_207_027 };
    sandbox.fault({ method: 'POST', path: 'media', skip: 2, error: notReady, status: 400 });
    sandbox.tune({ containers: { processingMs: 300, fail: { subcode: 2_207_052, text: 'Bad image' } } });

    const error = (
      await publishCarousel(pics, { token, imageUrls: [imageUrl, imageUrl] })
    )._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', failedItem: 0 });
    expect(error).not.toHaveProperty('containerId');
    expect(sandbox.effects('media')).toEqual([]);
  });
});
