import type { ResultAsync } from 'neverthrow';
import { describe, expect, test, vi } from 'vitest';

import { close } from '../../../src/core/client.ts';
import type { ContextOptions } from '../../../src/core/context.ts';
import type { ContainerNotReadyError, Failure } from '../../../src/core/errors.ts';
import { memoryJournal } from '../../../src/core/writes/journal/createJournal.ts';
import * as page from '../../../src/page/index.ts';
import * as pics from '../../../src/pics/index.ts';
import { pageContext, picsPageContext, token } from '../../support/context.ts';
import { json, networkFailure, stubFetch } from '../stub.ts';

/** The content of all of them, which none copies. */
const content = new Blob([new Uint8Array(3_000_000)]);

/** A file on a drive that went away: whoever reads it waits for ever. `readable` reads succeed before that. */
class StalledFile extends Blob {
  readonly started = Promise.withResolvers<void>();
  #readable: number;

  constructor(readable = 0) {
    super([content], { type: 'application/pdf' });
    this.#readable = readable;
  }

  override slice(...range: Parameters<Blob['slice']>): Blob {
    const part = super.slice(...range);
    if (this.#readable-- > 0) return part;
    this.started.resolve();
    return Object.assign(part, {
      arrayBuffer: () => new Promise<never>(() => undefined),
      stream: () => new ReadableStream({ pull: () => new Promise<never>(() => undefined) }),
    });
  }
}

const at = { pageId: '42', pageToken: token };
const account = { picsUserId: '17', token };

/** Each function that reads a file. */
const calls: Readonly<
  Record<
    string,
    (
      file: Blob,
      context: page.PageContext,
      viaPages: pics.PicsContext,
      more: object,
    ) => ResultAsync<unknown, Failure | ContainerNotReadyError>
  >
> = {
  publishPhoto: (photo, context, _, more) => page.publishPhoto(context, { ...at, photo, ...more }),
  publishPhotos: (photo, context, _, more) =>
    page.publishPhotos(context, { ...at, photos: [{ photo }, { photo }], ...more }),
  publishVideo: (video, context, _, more) => page.publishVideo(context, { ...at, video, ...more }),
  'publishVideo, thumbnail': (thumbnail, context, _, more) =>
    page.publishVideo(context, { ...at, videoUrl: 'https://cdn.example/1.mp4', thumbnail, ...more }),
  publishReel: (video, context, _, more) => page.publishReel(context, { ...at, video, ...more }),
  publishPhotoStory: (photo, context, _, more) => page.publishPhotoStory(context, { ...at, photo, ...more }),
  publishVideoStory: (video, context, _, more) => page.publishVideoStory(context, { ...at, video, ...more }),
  publishComment: (photo, context, _, more) =>
    page.publishComment(context, { ...at, objectId: '42_1', photo, ...more }),
  addCaptions: (captions, context, _, more) =>
    page.addCaptions(context, { pageToken: token, videoId: '7', captions, locale: 'en_US', ...more }),
  uploadAttachment: (file, context, _, more) =>
    page.uploadAttachment(context, { ...at, type: 'file', file, ...more }),
  'pics publish': (video, _, context, more) => pics.publish(context, { ...account, video, ...more }),
  'pics publishCarousel': (video, _, context, more) =>
    pics.publishCarousel(context, { ...account, items: [{ video }, { video }], ...more }),
};

const unkeyed = ['addCaptions', 'uploadAttachment'];

function contexts(settings: ContextOptions) {
  const fetch = stubFetch(json({ id: '1' }));
  const options = { fetch, journal: memoryJournal(), ...settings };
  return { fetch, context: pageContext(options), viaPages: picsPageContext(options) };
}

describe.each(Object.entries(calls))('%s of a file that stalls', (name, call) => {
  const title = 'ends with its call: %s';
  test.each(unkeyed.includes(name) ? ['no key'] : ['a key'])(title, ends);
  test.each(unkeyed.includes(name) ? [] : ['no key'])(title, { tags: 'long' }, ends);

  async function ends(key: string): Promise<void> {
    const more = key === 'a key' ? { idempotencyKey: 'key-1' } : {};
    for (const end of ['timeout', 'aborted', 'closed'] as const) {
      const { fetch, context, viaPages } = contexts(end === 'timeout' ? { deadlineMs: 20 } : {});
      const controller = new AbortController();
      const file = new StalledFile();

      const ending = call(file, context, viaPages, { signal: controller.signal, ...more });
      await file.started.promise;
      if (end === 'aborted') controller.abort();
      if (end === 'closed') for (const one of [context, viaPages]) close(one)._unsafeUnwrap();

      expect((await ending)._unsafeUnwrapErr()).toMatchObject({
        name: 'TransportError',
        reason: end,
        outcome: 'rejected',
      });
      expect(fetch).not.toHaveBeenCalled();
    }
  }
});

describe('a file that stalls after its request was lost', () => {
  test('leaves the failure of the request', async () => {
    // One read opens it; the next one, after the failure, stalls.
    for (const name of ['publishPhoto', 'addCaptions', 'uploadAttachment']) {
      const fetch = stubFetch(networkFailure());
      const context = pageContext({ fetch, timeoutMs: 20, retry: { attempts: 1 } });
      const failed = await calls[name]?.(new StalledFile(1), context, picsPageContext(), {});
      expect(failed?._unsafeUnwrapErr()).toMatchObject({ reason: 'network', outcome: 'unknown' });
    }
  });

  test.each(['timeout', 'aborted', 'closed'] as const)('ends an upload with its call: %s', async (end) => {
    const fetch = vi.fn(async (input: string | URL | Request) => {
      const { pathname } = new URL(new Request(input).url);
      if (!pathname.includes('upload')) {
        return Response.json({ video_id: '7', upload_url: 'https://upload.test/upload/7' });
      }
      throw new TypeError('fetch failed');
    });
    const context = pageContext({ fetch, timeoutMs: 20 });
    const controller = new AbortController();
    const file = new StalledFile(2);

    const ending = page.publishReel(context, { ...at, video: file, signal: controller.signal });
    await file.started.promise;
    if (end === 'aborted') controller.abort();
    if (end === 'closed') close(context)._unsafeUnwrap();

    expect((await ending)._unsafeUnwrapErr()).toMatchObject({
      reason: end === 'timeout' ? 'network' : end,
      outcome: 'rejected',
    });
  });
});
