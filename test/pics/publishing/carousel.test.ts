import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { type CarouselItem, publishCarousel } from '../../../src/pics/publishing/carousel.ts';
import {
  authenticated,
  dated,
  graphBase,
  picsContext,
  picsGraphBase,
  picsPageContext,
  token,
  virtualClock,
} from '../../support/context.ts';
import { partOf } from '../../support/rules.ts';

function images(count: number): string[] {
  return Array.from({ length: count }, (_, at) => `https://example.com/${at + 1}.jpg`);
}

/** Makes a child container of each image. They are asked for at once, in any order. */
function children(base: string, count: number, idOf: (image: number) => string = String): void {
  for (const [at, image_url] of images(count).entries()) {
    nock(base)
      .post('/media', { image_url, is_carousel_item: 'true' })
      .query(authenticated)
      .reply(200, { id: idOf(at + 1) });
  }
}

const me = `${picsGraphBase}/me`;
const look = { ...authenticated, fields: 'status_code,status' };
const notReady = { error: { message: 'Not ready', code: 9007, error_subcode: 2_207_027 } };

describe('publishCarousel', () => {
  test.each([
    ['login', picsContext(), { token }, me, picsGraphBase],
    ['page', picsPageContext(), { token, picsUserId: '17' }, `${graphBase}/17`, graphBase],
  ])(
    'makes the children, then the carousel, and publishes it in %s mode',
    async (_, context, options, account, base) => {
      children(account, 2);
      nock(account)
        .post('/media', { media_type: 'CAROUSEL', children: '1,2', caption: 'Both' })
        .query(authenticated)
        .reply(200, { id: '18' });
      nock(base).get('/18').query(look).reply(200, { status_code: 'FINISHED' });
      nock(account)
        .post('/media_publish', { creation_id: '18' })
        .query(authenticated)
        .reply(200, { id: '19' });

      const post = await publishCarousel(context, { ...options, imageUrls: images(2), caption: 'Both' });

      expect(post._unsafeUnwrap()).toEqual({ container_id: '18', media_id: '19', children: ['1', '2'] });
    },
  );

  const items: readonly CarouselItem[] = [
    { imageUrl: 'https://example.com/1.jpg', altText: 'A door', userTags: [{ username: 'ada', x: 0, y: 1 }] },
    { videoUrl: 'https://example.com/é.mp4', thumbOffsetMs: 0 },
    { imageUrl: 'https://example.com/3.jpg' },
  ];

  /** Makes the containers of `items`. */
  function mixedChildren(base: string): void {
    const tags = '[{"username":"ada","x":0,"y":1}]';
    const forms = [
      { image_url: 'https://example.com/1.jpg', alt_text: 'A door', user_tags: tags },
      { media_type: 'VIDEO', video_url: 'https://example.com/%C3%A9.mp4', thumb_offset: '0' },
      { image_url: 'https://example.com/3.jpg' },
    ];
    for (const [at, form] of forms.entries()) {
      nock(base)
        .post('/media', { ...form, is_carousel_item: 'true' })
        .query(authenticated)
        .reply(200, { id: String(at + 1) });
    }
  }

  test.each([
    ['login', picsContext(), { token }, me, picsGraphBase, {}],
    [
      'page',
      picsPageContext(),
      { token, picsUserId: '17', sponsorIds: ['6'], paidPartnership: false },
      `${graphBase}/17`,
      graphBase,
      { branded_content_sponsor_ids: '["6"]', is_paid_partnership: 'false' },
    ],
  ])(
    'makes images and videos, waits for the videos, and tells what is told of the whole in %s mode',
    async (_, context, options, account, base, sponsors) => {
      mixedChildren(account);
      const form = {
        caption: 'All',
        location_id: '5',
        collaborators: '["bob"]',
        is_ai_generated: 'false',
        ...sponsors,
      };
      nock(base).get('/2').query(look).reply(200, { status_code: 'FINISHED' });
      nock(account)
        .post('/media', { media_type: 'CAROUSEL', children: '1,2,3', ...form })
        .query(authenticated)
        .reply(200, { id: '18' });
      nock(base).get('/18').query(look).reply(200, { status_code: 'FINISHED' });
      nock(account).post('/media_publish', { creation_id: '18' }).query(true).reply(200, { id: '19' });

      const post = await publishCarousel(context, {
        ...options,
        items,
        caption: 'All',
        locationId: '5',
        collaborators: ['bob'],
        isAiGenerated: false,
      });

      expect(post._unsafeUnwrap()).toEqual({ container_id: '18', media_id: '19', children: ['1', '2', '3'] });
    },
  );

  test('has the poll of the whole, and says whether it came out with it', async () => {
    const account = `${graphBase}/17`;
    mixedChildren(account);
    nock(graphBase).get('/2').query(look).reply(200, { status_code: 'FINISHED' });
    const poll_attachment = '{"option_a":"1","option_b":"2"}';
    nock(account)
      .post('/media', { media_type: 'CAROUSEL', children: '1,2,3', caption: 'Which?', poll_attachment })
      .query(true)
      .reply(200, { id: '18' });
    nock(graphBase).get('/18').query(look).reply(200, { status_code: 'FINISHED' });
    nock(account).post('/media_publish', { creation_id: '18' }).query(true).reply(200, { id: '19' });
    nock(graphBase).get('/19/poll_attachment').query(authenticated).reply(200, 'null');

    const own = { token, picsUserId: '17', items, caption: 'Which?' };
    const post = await publishCarousel(picsPageContext(), { ...own, poll: { options: ['1', '2'] } });
    const bare = await publishCarousel(picsPageContext(), { ...own, caption: '', commentPrompt: true });

    expect(post._unsafeUnwrap()).toEqual({
      container_id: '18',
      media_id: '19',
      children: ['1', '2', '3'],
      addOn: 'missing',
    });
    expect(bare._unsafeUnwrapErr()).toMatchObject({ name: 'ConfigurationError', option: 'caption' });
  });

  test('waits for the images too when the carousel is refused after its videos are ready', async () => {
    const clock = virtualClock();
    mixedChildren(me);
    const finished = { status_code: 'FINISHED' };
    nock(picsGraphBase).get('/2').query(look).reply(200, { status_code: 'IN_PROGRESS' });
    nock(picsGraphBase).get('/2').query(look).times(2).reply(200, finished);
    nock(me).post('/media', { media_type: 'CAROUSEL', children: '1,2,3' }).query(true).reply(400, notReady);
    nock(picsGraphBase)
      .get(/\/[13]$/)
      .query(look)
      .times(2)
      .reply(200, finished);
    nock(me)
      .post('/media', { media_type: 'CAROUSEL', children: '1,2,3' })
      .query(true)
      .reply(200, { id: '18' });
    nock(picsGraphBase).get('/18').query(look).reply(200, finished);
    nock(me).post('/media_publish').query(true).reply(200, { id: '19' });

    const post = await publishCarousel(picsContext({ clock }), { token, items });

    expect(post._unsafeUnwrap()).toEqual({ container_id: '18', media_id: '19', children: ['1', '2', '3'] });
    expect(clock.slept).toEqual([1000, 1000]);
  });

  test.each([
    ['ERROR', 'Error: 2207026', 'item 2 of 3: the container cannot be published (ERROR: Error: 2207026)'],
    ['IN_PROGRESS', undefined, 'item 2 of 3: the container is not ready (IN_PROGRESS)'],
  ])('names an item at %s, and all children', async (status_code, status, message) => {
    mixedChildren(me);
    nock(picsGraphBase).get('/2').query(look).reply(200, { status_code, status });

    const error = (
      await publishCarousel(picsContext(), { token, items, waitTimeoutMs: 0 })
    )._unsafeUnwrapErr();

    expect(error).toMatchObject({
      name: 'ApiError',
      message,
      outcome: 'rejected',
      failedItem: 1,
      payload: { children: ['1', '2', '3'] },
      ids: { children: ['1', '2', '3'] },
    });
  });

  test('takes the first 10 of more images, in their order, all at once', async () => {
    let sent = 0;
    const allSent = Promise.withResolvers<void>();
    const fetch: typeof globalThis.fetch = async (input) => {
      const { url, method } = input as Request;
      const form = new URLSearchParams(await (input as Request).text());
      const image = form.get('image_url');
      if (image !== null) {
        // No image gets its response before all ten are under way, and the first one gets it last.
        if (++sent === 10) allSent.resolve();
        await allSent.promise;
        const [, id = ''] = /(\d+)\.jpg/.exec(image) ?? [];
        await new Promise((resolve) => setTimeout(resolve, 10 - Number(id)));
        return Response.json({ id });
      }
      if (method === 'GET') return Response.json({ status_code: 'FINISHED' });
      return Response.json({ id: url.includes('media_publish') ? '19' : form.get('children') });
    };

    const post = await publishCarousel(picsContext({ fetch }), { token, imageUrls: images(12) });

    expect(post._unsafeUnwrap().children).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9', '10']);
    expect(post._unsafeUnwrap().container_id).toBe('1,2,3,4,5,6,7,8,9,10');
    expect(post._unsafeUnwrap().leftOut).toBe(2);
    expect(sent).toBe(10);
  });

  test('stops at an image that fails, and names it and the children that exist', async () => {
    const [first, second, third] = images(3);
    nock(me)
      .post('/media', { image_url: first ?? '', is_carousel_item: 'true' })
      .query(true)
      .reply(200, { id: '1' });
    nock(me)
      .post('/media', { image_url: second ?? '', is_carousel_item: 'true' })
      .query(true)
      .reply(400, { error: { message: 'Too wide', code: 36003, error_subcode: 2_207_009 } });
    nock(me)
      .post('/media', { image_url: third ?? '', is_carousel_item: 'true' })
      .query(true)
      .reply(200, { id: '3' });

    const error = (await publishCarousel(picsContext(), { token, imageUrls: images(3) }))._unsafeUnwrapErr();

    expect(error).toMatchObject({
      name: 'ApiError',
      message: 'image 2 of 3: Too wide',
      subcode: 2_207_009,
      outcome: 'rejected',
      failedItem: 1,
      media: 'aspect_ratio',
      payload: { children: ['1', '3'], error: { code: 36003 } },
    });
  });

  test('makes only the image again that the platform could not fetch', async () => {
    const clock = virtualClock();
    const unfetched = { error: { message: 'Not fetched', code: 9004, error_subcode: 2_207_052 } };
    const [first, second] = images(2);
    nock(me)
      .post('/media', { image_url: first ?? '', is_carousel_item: 'true' })
      .query(true)
      .reply(400, unfetched);
    children(me, 2);
    nock(me).post('/media', { media_type: 'CAROUSEL', children: '1,2' }).query(true).reply(200, { id: '18' });
    nock(picsGraphBase).get('/18').query(look).reply(200, { status_code: 'FINISHED' });
    nock(me).post('/media_publish').query(true).reply(200, { id: '19' });

    const post = await publishCarousel(picsContext({ clock }), {
      token,
      imageUrls: [first, second] as string[],
    });

    expect(post._unsafeUnwrap()).toEqual({ container_id: '18', media_id: '19', children: ['1', '2'] });
    expect(clock.slept).toEqual([5000]);
  });

  test('names the children when the carousel itself is refused', async () => {
    children(me, 2);
    nock(me)
      .post('/media', { media_type: 'CAROUSEL', children: '1,2' })
      .query(true)
      .reply(400, { error: { message: 'Refused', code: 100, error_subcode: 2_207_028 } });

    const error = (await publishCarousel(picsContext(), { token, imageUrls: images(2) }))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', outcome: 'rejected', payload: { children: ['1', '2'] } });
  });

  test('waits for the images when the carousel is refused over them', async () => {
    const clock = virtualClock();
    children(me, 2);
    nock(me).post('/media', { media_type: 'CAROUSEL', children: '1,2' }).query(true).reply(400, notReady);
    nock(picsGraphBase).get('/1').query(look).reply(200, { status_code: 'FINISHED' });
    nock(picsGraphBase).get('/2').query(look).reply(200, { status_code: 'FINISHED' });
    nock(me).post('/media', { media_type: 'CAROUSEL', children: '1,2' }).query(true).reply(200, { id: '18' });
    nock(picsGraphBase).get('/18').query(look).reply(200, { status_code: 'FINISHED' });
    nock(me).post('/media_publish').query(true).reply(200, { id: '19' });

    const post = await publishCarousel(picsContext({ clock }), { token, imageUrls: images(2) });

    expect(post._unsafeUnwrap()).toEqual({ container_id: '18', media_id: '19', children: ['1', '2'] });
    expect(clock.slept).toEqual([1000]);
  });

  test.each([
    ['ERROR', 'Error: 2207052', 2_207_052, 'cannot be published (ERROR: Error: 2207052)', 300_000],
    ['EXPIRED', undefined, undefined, 'cannot be published (EXPIRED)', 300_000],
    ['IN_PROGRESS', undefined, undefined, 'is not ready (IN_PROGRESS)', 1000],
  ])(
    'names an image at %s because of which there is no carousel, and no container to publish',
    async (status_code, status, subcode, why, waitTimeoutMs) => {
      const clock = virtualClock();
      children(me, 2);
      nock(me).post('/media', { media_type: 'CAROUSEL', children: '1,2' }).query(true).reply(400, notReady);
      nock(picsGraphBase).get('/1').query(look).reply(200, { status_code: 'FINISHED' });
      nock(picsGraphBase).get('/2').query(look).reply(200, { status_code, status });

      const options = { token, imageUrls: images(2), waitTimeoutMs };
      const error = (await publishCarousel(picsContext({ clock }), options))._unsafeUnwrapErr();

      expect(error).toMatchObject({
        name: 'ApiError',
        message: `image 2 of 2: the container ${why}`,
        category: 'media',
        outcome: 'rejected',
        subcode,
        failedItem: 1,
        ids: { children: ['1', '2'] },
      });
      expect('payload' in error && error.payload).toEqual({
        children: ['1', '2'],
        status_code,
        status,
      });
      expect(error).not.toHaveProperty('containerId');
      expect(clock.slept).toEqual([1000]);
    },
  );

  test.each([
    ['by its id', 'Invalid child 22: it was published before', 1],
    ['by its place', 'Param children[2] must be a container', 2],
    ['more than one', 'Invalid children 11, 22', undefined],
    ['none, but another number', 'Invalid child 2', undefined],
  ])('a refusal of the carousel says which image it names: %s', async (_, message, at) => {
    children(me, 3, (image) => String(image * 11));
    nock(me)
      .post('/media', { media_type: 'CAROUSEL', children: '11,22,33' })
      .query(true)
      .reply(400, { error: { code: 100, message } });

    const error = (await publishCarousel(picsContext(), { token, imageUrls: images(3) }))._unsafeUnwrapErr();

    expect(error.failedItem).toBe(at);
    expect(error.message).toBe(at === undefined ? message : `image ${at + 1} of 3: ${message}`);
    expect(error).toMatchObject({ outcome: 'rejected', ids: { children: ['11', '22', '33'] } });
  });

  test('ends with the first image that fails, whatever becomes of the others', async () => {
    const clock = virtualClock();
    children(me, 3);
    nock(me).post('/media', { media_type: 'CAROUSEL', children: '1,2,3' }).query(true).reply(400, notReady);
    nock(picsGraphBase).get('/1').query(look).reply(200, { status_code: 'IN_PROGRESS' });
    nock(picsGraphBase).get('/2').query(look).reply(500, '');
    nock(picsGraphBase).get('/3').query(look).reply(200, { status_code: 'ERROR' });

    const context = picsContext({ clock });
    const error = (await publishCarousel(context, { token, imageUrls: images(3) }))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', failedItem: 2 });
    expect(clock.slept).toEqual([1000]);
  });

  test('looks no more at an image that is ready, and tells each look', async () => {
    const clock = virtualClock();
    const seen: string[] = [];
    children(me, 2);
    nock(me).post('/media', { media_type: 'CAROUSEL', children: '1,2' }).query(true).reply(400, notReady);
    nock(picsGraphBase).get('/1').query(look).reply(200, { status_code: 'FINISHED' });
    nock(picsGraphBase).get('/2').query(look).reply(500, '');
    nock(picsGraphBase).get('/2').query(look).reply(200, { status_code: 'FINISHED' });
    nock(me).post('/media', { media_type: 'CAROUSEL', children: '1,2' }).query(true).reply(200, { id: '18' });
    nock(picsGraphBase).get('/18').query(look).reply(200, { status_code: 'FINISHED' });
    nock(me).post('/media_publish').query(true).reply(200, { id: '19' });

    const post = await publishCarousel(picsContext({ clock }), {
      token,
      imageUrls: images(2),
      onStatus: ({ containerId, elapsedMs }) => seen.push(`${containerId} after ${elapsedMs}`),
    });

    expect(post.isOk()).toBe(true);
    expect(seen).toEqual(['1 after 1000', '2 after 2500', '18 after 0']);
  });

  test('names the children when a token is dead during the wait for them', async () => {
    children(me, 2);
    nock(me).post('/media', { media_type: 'CAROUSEL', children: '1,2' }).query(true).reply(400, notReady);
    nock(picsGraphBase)
      .get(/./)
      .query(look)
      .times(2)
      .reply(401, { error: { message: 'Expired', code: 190 } });

    const context = picsContext({ clock: virtualClock() });
    const error = (await publishCarousel(context, { token, imageUrls: images(2) }))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', code: 190, payload: { children: ['1', '2'] } });
  });

  test('tells onCreated each child that is made, and the carousel before it is published', async () => {
    const seen: unknown[] = [];
    children(me, 2);
    nock(me).post('/media', { media_type: 'CAROUSEL', children: '1,2' }).query(true).reply(200, { id: '18' });
    nock(picsGraphBase).get('/18').query(look).reply(200, { status_code: 'FINISHED' });
    nock(me)
      .post('/media_publish')
      .query(true)
      .reply(200, () => (seen.push('publish'), { id: '19' }));

    const post = await publishCarousel(picsContext(), {
      token,
      imageUrls: images(2),
      onCreated: (ids) => {
        seen.push(ids);
        return Promise.reject(new Error('mine'));
      },
    });

    expect(post.isOk()).toBe(true);
    expect(seen).toHaveLength(4);
    expect(seen[0]).toEqual({ children: [expect.stringMatching(/^[12]$/)] });
    expect(seen.slice(1)).toEqual([
      { children: ['1', '2'] },
      { children: ['1', '2'], container_id: '18' },
      'publish',
    ]);
  });

  test.each([
    ['1', 1],
    ['2', 2],
  ])('names the image because of which the carousel itself failed: %s', async (failed_child, number) => {
    const states = ['1', '2'].map((child) =>
      child === failed_child
        ? { status_code: 'ERROR', status: 'Error: 2207052' }
        : { status_code: 'FINISHED' },
    );
    children(me, 2);
    nock(me).post('/media', { media_type: 'CAROUSEL', children: '1,2' }).query(true).reply(200, { id: '18' });
    nock(picsGraphBase).get('/18').query(look).reply(200, { status_code: 'ERROR', status: 'Error' });
    nock(picsGraphBase).get('/1').query(look).reply(200, states[0]);
    nock(picsGraphBase).get('/2').query(look).reply(200, states[1]);

    const error = (await publishCarousel(picsContext(), { token, imageUrls: images(2) }))._unsafeUnwrapErr();

    expect(error).toMatchObject({
      name: 'ContainerNotReadyError',
      message: `image ${number} of 2: Error: 2207052`,
      containerId: '18',
      failedItem: number - 1,
      payload: { container_id: '18', children: ['1', '2'], failed_child },
    });
  });

  test('keeps the reason of the carousel where no image says that it failed', async () => {
    children(me, 2);
    nock(me).post('/media', { media_type: 'CAROUSEL', children: '1,2' }).query(true).reply(200, { id: '18' });
    nock(picsGraphBase).get('/18').query(look).reply(200, { status_code: 'ERROR', status: 'Error' });
    nock(picsGraphBase).get('/1').query(look).reply(200, { status_code: 'FINISHED' });
    nock(picsGraphBase)
      .get('/2')
      .query(look)
      .reply(400, { error: { message: 'Unknown', code: 100 } });

    const error = (await publishCarousel(picsContext(), { token, imageUrls: images(2) }))._unsafeUnwrapErr();

    expect(error.message).toContain('(ERROR: Error)');
    expect(error).not.toHaveProperty('failedItem');
  });

  test('fails with ContainerNotReadyError, and names carousel and children', async () => {
    children(me, 2);
    nock(me).post('/media', { media_type: 'CAROUSEL', children: '1,2' }).query(true).reply(200, { id: '18' });
    nock(picsGraphBase).get('/18').query(look).reply(200, { status_code: 'IN_PROGRESS' });

    const error = (
      await publishCarousel(picsContext(), { token, imageUrls: images(2), waitTimeoutMs: 0 })
    )._unsafeUnwrapErr();

    expect(error).toMatchObject({
      name: 'ContainerNotReadyError',
      containerId: '18',
      payload: { container_id: '18', children: ['1', '2'] },
    });
  });

  test('takes no carousel without a caption for that of a lost response, even if it is alone', async () => {
    const clock = virtualClock();
    const account = `${picsGraphBase}/201`;
    children(account, 2);
    nock(account)
      .post('/media', { media_type: 'CAROUSEL', children: '1,2' })
      .query(true)
      .reply(200, { id: '18' });
    nock(picsGraphBase).get('/18').query(look).reply(200, { status_code: 'FINISHED' });
    nock(account).post('/media_publish').query(true).reply(504, '');
    nock(picsGraphBase).get('/18').query(look).reply(200, { status_code: 'PUBLISHED' });
    const timestamp = new Date(clock.now()).toISOString();
    nock(account)
      .get('/media')
      .query({ ...authenticated, fields: 'id,timestamp,media_type,caption', limit: '25' })
      .times(4)
      .reply(
        200,
        {
          data: [
            { id: '20', media_type: 'IMAGE', timestamp },
            { id: '19', media_type: 'CAROUSEL_ALBUM', timestamp },
          ],
        },
        dated(clock),
      );

    const options = { token, picsUserId: '201', imageUrls: images(2) };
    const post = await publishCarousel(picsContext({ clock }), options);

    expect(post._unsafeUnwrapErr()).toMatchObject({
      outcome: 'applied',
      ids: { container_id: '18', children: ['1', '2'] },
    });
  });

  test('says that it takes two images or more, since it takes as many as there are', async () => {
    const error = (await publishCarousel(picsContext(), { token, imageUrls: images(1) }))._unsafeUnwrapErr();
    expect(error.message).toBe('imageUrls must be a list of 2 or more');
  });

  test.each([
    ['imageUrls', picsContext(), { token } as never],
    ['imageUrls', picsContext(), { token, imageUrls: images(2), items } as never],
    ['items', picsContext(), { token, items: items.slice(0, 1) }],
    ['items', picsContext(), { token, items: images(11).map((imageUrl) => ({ imageUrl })) }],
    ['items', picsContext(), { token, items: images(2) as never }],
    ['altText', picsContext(), { token, items, altText: 'A door' } as never],
    ['userTags', picsContext(), { token, imageUrls: images(2), userTags: [] } as never],
    ['imageUrls', picsContext(), { token, imageUrls: images(1) }],
    ['imageUrls', picsContext(), { token, imageUrls: [...images(2), 'http://example.com/a.jpg'] }],
  ])('refuses a bad %s before anything is sent', async (option, context, bad) => {
    expect((await publishCarousel(context, bad))._unsafeUnwrapErr()).toMatchObject({
      name: 'ConfigurationError',
      option: partOf(option),
    });
  });

  const image = { imageUrl: 'https://example.com/1.jpg' };
  const video = { videoUrl: 'https://example.com/1.mp4' };
  test.each<[object | null | undefined, string]>([
    [
      { image: './1.jpg' },
      '[1].image is not an option; the options are thumbOffsetMs, imageUrl, videoUrl, video, altText, userTags',
    ],
    [{ imageUrl: './1.jpg' }, '[1].imageUrl must be the https address of an image, not a file'],
    [null, '[1] must be an object'],
    [undefined, '[1] must be an object'],
    [{ ...image, ...video }, '[1].imageUrl is for images only'],
    [{ imageUrl: 'http://example.com/1.jpg' }, '[1].imageUrl must begin with https:'],
    [{ videoUrl: 5 }, '[1].videoUrl must be an https address'],
    [{ ...image, caption: '' }, '[1].caption is for the carousel only'],
    [{ ...video, isAiGenerated: true }, '[1].isAiGenerated is for the carousel only'],
    [{ ...video, sponsorIds: ['5'] }, '[1].sponsorIds is for the carousel only'],
    [{ ...image, paidPartnership: true }, '[1].paidPartnership is for the carousel only'],
    [{ ...image, thumbOffsetMs: 0 }, '[1].thumbOffsetMs is for videos only'],
    [{ ...image, altText: 5 }, '[1].altText must be a string'],
    [{ ...image, userTags: [{ username: 'ada' }] }, '[1].userTags[0].x must be a number from 0 to 1'],
    [{ ...image, productTags: [] }, '[1].productTags is for page mode only'],
    [{ ...video, altText: 'A door' }, '[1].altText is for images only'],
    [{ ...video, userTags: [] }, '[1].userTags is for images only'],
    [{ ...video, thumbOffsetMs: '0' }, '[1].thumbOffsetMs must be a whole number of at least 0'],
  ])('refuses a bad item before anything is sent: %o', async (bad, fault) => {
    const options = { token, items: [image, bad as CarouselItem] };

    expect((await publishCarousel(picsContext(), options))._unsafeUnwrapErr()).toMatchObject({
      name: 'ConfigurationError',
      option: partOf('items'),
      message: `items${fault}`,
    });
  });
});
