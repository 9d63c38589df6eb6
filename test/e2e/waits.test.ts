import { expect, test } from 'vitest';

import { createPageClient, type PageClient } from '../../src/page/client.ts';
import { createPicsClient, type PicsClient } from '../../src/pics/client.ts';
import { createSandbox, type Sandbox } from '../../src/sandbox/index.ts';
import { virtualClock } from '../support/context.ts';

const imageUrl = 'https://cdn.example/a.jpg';
const videoUrl = 'https://cdn.example/a.mp4';
const ages = 1e9;

interface Setting {
  readonly sandbox: Sandbox;
  readonly page: PageClient;
  readonly pics: PicsClient;
  readonly token: string;
}

const waits: readonly [string, string, (setting: Setting) => Promise<unknown>][] = [
  [
    'publishVideoStory',
    'ApiError',
    async ({ page, sandbox }) => {
      const [{ id: pageId, token: pageToken } = { id: '', token: '' }] = sandbox.pages;
      return page.publishVideoStory({ pageId, pageToken, videoUrl });
    },
  ],
  ['publish', 'ContainerNotReadyError', ({ pics, token }) => pics.publish({ token, videoUrl })],
  [
    'publishCarousel',
    'ContainerNotReadyError',
    ({ pics, token }) => pics.publishCarousel({ token, imageUrls: [imageUrl, imageUrl] }),
  ],
  ['publishStory', 'ContainerNotReadyError', ({ pics, token }) => pics.publishStory({ token, videoUrl })],
  [
    'publishContainer',
    'ContainerNotReadyError',
    async ({ pics, token }) => {
      const begun: unknown = await pics
        .publish({ token, videoUrl, waitTimeoutMs: 0 })
        .catch((e: unknown) => e);
      const { containerId } = begun as { readonly containerId: string };
      return pics.publishContainer({ token, containerId });
    },
  ],
];

test.each(waits)('%s waits 300 seconds for its media unless told', async (_, name, call) => {
  const clock = virtualClock();
  const sandbox = createSandbox({ strict: true, now: clock.now });
  sandbox.tune({ containers: { processingMs: ages }, videos: { settleMs: ages } });
  const { app, picsApp, platform, fetch } = sandbox;
  const page = createPageClient({ appId: app.id, appSecret: app.secret, platform, fetch, clock });
  const pics = createPicsClient({ appId: picsApp.id, appSecret: picsApp.secret, platform, fetch, clock });
  const start = clock.now();

  await expect(call({ sandbox, page, pics, token: sandbox.account.token })).rejects.toMatchObject({ name });

  expect(clock.now() - start).toBe(300_000);
});
