import { createHmac } from 'node:crypto';

import { describe, expect, test } from 'vitest';

import { ApiError, type MediaProperty } from '../../src/core/index.ts';
import { createPageClient, createPicsClientViaPages } from '../../src/index.ts';
import { createSandbox } from '../../src/sandbox/index.ts';
import { bytesOf, fileOf, jpeg } from '../media/support.ts';

/** The size of a GIF, whose animation nobody sees. */
const gif = bytesOf('GIF89a', 0x38, 4, 0x70, 7, 0, 0, 0);

function strict() {
  const sandbox = createSandbox();
  sandbox.tune({ media: 'strict' });
  const { app, fetch, platform, clock, pages, account } = sandbox;
  const [page] = pages;
  if (!page) throw new Error('no Page');
  const common = { appId: app.id, appSecret: app.secret, fetch, platform, clock };
  return {
    sandbox,
    page: createPageClient(common),
    pics: createPicsClientViaPages(common),
    onPage: { pageId: page.id, pageToken: page.token },
    onAccount: { token: page.token, picsUserId: account.userId },
  };
}

interface Refusal {
  readonly subcode: number | undefined;
  readonly media: MediaProperty | undefined;
  readonly message: string;
}

async function refusalOf(call: Promise<unknown>): Promise<Refusal> {
  const error: unknown = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ApiError)) throw new Error('it was not refused', { cause: error });
  return { subcode: error.subcode, media: error.media, message: error.message };
}

describe("tune({ media: 'strict' })", () => {
  test('a Reel of an account that is too short is refused when it is processed, by its property', async () => {
    const { pics, onAccount, sandbox } = strict();
    const refusal = await refusalOf(pics.publish({ ...onAccount, video: fileOf('mpeg4.mp4') }));
    expect(refusal).toMatchObject({ media: 'duration' });
    expect(refusal.message).toContain('2207026');
    expect(sandbox.effects('media')).toEqual([]);
  });

  test('a Reel of a Page is refused when it is processed', async () => {
    const { page, onPage, sandbox } = strict();
    const refusal = await refusalOf(page.publishReel({ ...onPage, video: fileOf('mpeg4.mp4') }));
    expect(refusal.message).toMatch(/resolution|duration/);
    expect(sandbox.effects('reel').length).toBeLessThanOrEqual(1);
  });

  test('a video of a Page is refused in one request, and where its parts are finished', async () => {
    const { page, onPage, sandbox } = strict();
    const refusal = await refusalOf(page.publishVideo({ ...onPage, video: jpeg() }));
    expect(refusal).toMatchObject({ subcode: 1_363_024, media: 'format' });
    const form = new FormData();
    form.set('source', new Blob([jpeg().slice()]));
    form.set('access_token', onPage.pageToken);
    const proof = createHmac('sha256', sandbox.app.secret).update(onPage.pageToken).digest('hex');
    form.set('appsecret_proof', proof);
    const address = `${sandbox.platform.graphUrl}/v26.0/${onPage.pageId}/videos`;
    const response = await sandbox.fetch(address, { method: 'POST', body: form });
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { error: { error_subcode: 1_363_024 } },
    ]);
    expect(sandbox.effects('video')).toEqual([]);
    expect((await page.publishVideo({ ...onPage, video: fileOf('default.mp4') })).video_id).toBeDefined();
  });

  test('stories are judged as stories', async () => {
    const { page, pics, onPage, onAccount, sandbox } = strict();
    const ofPage = await refusalOf(page.publishVideoStory({ ...onPage, video: fileOf('mpeg4.mp4') }));
    expect(ofPage.message).toMatch(/resolution|duration/);
    const photo = await refusalOf(page.publishPhotoStory({ ...onPage, photo: fileOf('default.mp4') }));
    expect(photo.subcode).toBe(1_366_046);
    const ofAccount = await refusalOf(pics.publishStory({ ...onAccount, video: fileOf('mpeg4.mp4') }));
    expect(ofAccount).toMatchObject({ media: 'duration' });
    expect(sandbox.effects('media')).toEqual([]);
  });

  test('the video of a carousel names its item', async () => {
    const { pics, onAccount, sandbox } = strict();
    const imageUrl = 'https://media.example/a.jpg';
    const call = pics.publishCarousel({
      ...onAccount,
      items: [{ imageUrl }, { video: fileOf('mpeg4.mp4') }],
    });
    const error: unknown = await call.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ media: 'duration', failedItem: 1 });
    expect(sandbox.effects('media')).toEqual([]);
  });

  test('an address is not fetched: only what surely is no JPEG is refused by its name', async () => {
    const { pics, onAccount } = strict();
    const at = (name: string) => pics.publish({ ...onAccount, imageUrl: `https://media.example/${name}` });
    expect((await at('a.png')).media_id).toMatch(/^\d+$/);
    expect(await refusalOf(at('a.webp'))).toMatchObject({ subcode: 2_207_005, media: 'format' });
  });

  test('photos and videos in one request are refused at once', async () => {
    const { page, onPage, sandbox } = strict();
    const photo = await refusalOf(page.publishPhoto({ ...onPage, photo: fileOf('default.mp4') }));
    expect(photo.subcode).toBe(1_366_046);
    expect(sandbox.effects('photo')).toEqual([]);
    const posted = await page.publishPhoto({ ...onPage, photo: gif });
    expect(posted.post_id).toBeDefined();
  });

  test('without it, nothing is judged; it is turned off again', async () => {
    const { page, onPage, sandbox } = strict();
    sandbox.tune({ media: 'lenient' });
    expect((await page.publishPhoto({ ...onPage, photo: fileOf('default.mp4') })).post_id).toBeDefined();
    expect(() => sandbox.tune({ media: 'strickt' } as object)).toThrow("media must be 'lenient' or 'strict'");
    sandbox.tune({ lists: { lagMs: 0 } });
    expect((await page.publishPhoto({ ...onPage, photo: fileOf('default.mp4') })).post_id).toBeDefined();
  });
});
