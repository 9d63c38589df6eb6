import { describe, expect, test } from 'vitest';

import { ApiError, type MediaProperty } from '../../src/core/index.ts';
import { createPageClient, createPicsClientViaPages } from '../../src/index.ts';
import { createSandbox } from '../../src/sandbox/index.ts';
import { bytesOf, fileOf } from '../media/support.ts';

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
