import { describe, expect, test } from 'vitest';

import type { Sandbox } from '../../../src/sandbox/index.ts';
import { pageOf, read, refusal, still, type Loose, type Reply } from '../support/caller.ts';
import { as, container, day, idsOf, jpeg, modes, mp4, second, type Mode } from './support.ts';

const reel = { media_type: 'REELS', video_url: mp4 };
const story = { media_type: 'STORIES', image_url: jpeg };
const tags = (...places: object[]): string =>
  JSON.stringify(places.map((place) => ({ username: 'ada', ...place })));
const trial = (graduation_strategy: string): string => JSON.stringify({ graduation_strategy });

const video = { media_type: 'VIDEO', video_url: mp4, is_carousel_item: 'true' };
const child = { image_url: jpeg, is_carousel_item: 'true' };

const publish = (mode: Mode, creation_id: string) =>
  mode.post(`${mode.account}/media_publish`, { creation_id });

interface Status {
  readonly status_code: string;
  readonly status: string;
}

const status = async (mode: Mode, id: string): Promise<Status> =>
  (await mode.get(`/${id}`, { fields: 'status_code,status' })).body;

describe('the token of a person', () => {
  const image = { image_url: jpeg, caption: 'Hi' };

  test('publishes in page mode as that of the Page does', async () => {
    const sandbox = still({ quotas: { pics: { calls: 100 } } });
    const mode = as('page', sandbox, sandbox.user.token);
    const { body } = await publish(mode, await container(mode, image));
    expect(sandbox.effects('media').map(({ id, parentId }) => [id, parentId])).toEqual([
      [body.id, sandbox.account.userId],
    ]);
    expect((await mode.get(`/${body.id}`, { fields: 'caption' })).body).toEqual({
      id: body.id,
      caption: 'Hi',
    });
    expect(sandbox.quotas).toMatchObject([{ kind: 'pics', id: sandbox.account.userId, calls: 3 }]);
  });

  test('still reads what Page tokens are barred from', async () => {
    const sandbox = still();
    sandbox.tune({ pics: { barred: true } });
    const [id] = sandbox.account.mediaIds;
    expect((await as('page', sandbox).get(`/${id}`)).body.error.code).toBe(100);
    expect((await as('page', sandbox, sandbox.user.token).get(`/${id}`)).body).toEqual({ id });
  });

  test('is refused for an account that was not ticked or is not linked, for that of a stranger, and for messages', async () => {
    const sandbox = still();
    const scope = `${sandbox.platform.words.picsScopePrefix}content_publish`;
    const limited = sandbox.issueToken({ granularScopes: [{ scope, target_ids: ['1'] }] });
    const path = `/${sandbox.account.userId}/media`;
    const { user, account } = sandbox;
    expect((await as('page', sandbox, limited).post(path, image)).body.error).toMatchObject({ code: 200 });
    const stranger = sandbox.issueToken({ userId: sandbox.addUser().id });
    expect((await as('page', sandbox, stranger).post(path, image)).body.error.code).toBe(100);
    const conversation = await as('page', sandbox, user.token).get(`/${account.conversationIds[0]}`);
    expect(conversation.body.error).toMatchObject({ code: 210 });
    sandbox.tune({ pics: { linked: false } });
    expect((await as('page', sandbox, user.token).post(path, image)).body.error.code).toBe(100);
  });
});

describe.each(modes)('publishing in %s mode', (name) => {
  test('takes an image through container and publication', async () => {
    const sandbox = still();
    const mode = as(name, sandbox);
    const id = await container(mode, { image_url: jpeg, caption: 'A #new day', alt_text: 'Dawn' });
    expect(await status(mode, id)).toEqual({
      id,
      status_code: 'FINISHED',
      status: 'Finished: Media has been uploaded and it is ready to be published.',
    });
    const { body } = await publish(mode, id);
    expect(body).toEqual({ id: expect.stringMatching(/^\d{17}$/) });
    expect((await status(mode, id)).status_code).toBe('PUBLISHED');
    const fields = 'caption,alt_text,media_type,media_product_type,timestamp';
    expect((await mode.get(`/${body.id}`, { fields })).body).toEqual({
      id: body.id,
      caption: 'A #new day',
      alt_text: 'Dawn',
      media_type: 'IMAGE',
      media_product_type: 'FEED',
      timestamp: '2026-10-05T12:00:00+0000',
    });
    expect(sandbox.effects().map((one) => [one.kind, one.id, one.parentId])).toEqual([
      ['container', id, sandbox.account.userId],
      ['media', body.id, sandbox.account.userId],
    ]);
    expect(sandbox.effects('media')[0]?.content).toMatchObject({ containerId: id, caption: 'A #new day' });
  });

  test('takes the details of an image, a reel and a story', async () => {
    const sandbox = still();
    const mode = as(name, sandbox);
    const common = { location_id: '5', collaborators: '["bob"]', is_ai_generated: 'true' };
    const products = name === 'page' && { product_tags: '[{"product_id":"7"}]' };
    await container(mode, { image_url: jpeg, ...common, user_tags: tags({ x: 0, y: 1 }), ...products });
    const id = await container(mode, {
      ...reel,
      ...common,
      user_tags: tags({}),
      cover_url: jpeg,
      thumb_offset: '0',
      audio_name: 'Waves',
      ...(name === 'page' && { audio_configuration: '{"audio_id":"18000000000000001","audio_volume":80}' }),
      trial_params: trial('MANUAL'),
      share_to_feed: 'false',
    });
    await container(mode, { ...story, user_tags: tags({}, { x: 0, y: 0 }), is_ai_generated: 'false' });
    expect(sandbox.effects('container').map(({ content }) => content)).toMatchObject([
      {
        locationId: '5',
        collaborators: ['bob'],
        aiGenerated: true,
        userTags: [{ username: 'ada', x: 0, y: 1 }],
        productTags: name === 'page' ? [{ product_id: '7' }] : [],
      },
      {
        userTags: [{ username: 'ada' }],
        coverUrl: jpeg,
        thumbOffset: 0,
        audioName: 'Waves',
        audio: name === 'page' ? { id: '18000000000000001', audioVolume: 80 } : undefined,
        trial: 'MANUAL',
        sharedToFeed: false,
      },
      { userTags: [{ username: 'ada' }, { username: 'ada', x: 0, y: 0 }], aiGenerated: false },
    ]);

    const { body } = await publish(mode, id);
    const fields = 'id,is_ai_generated,is_shared_to_feed';
    expect((await mode.get(`/${body.id}`, { fields })).body).toEqual({
      id: body.id,
      is_ai_generated: true,
      is_shared_to_feed: false,
    });
  });

  test('takes a carousel as one media with its items', async () => {
    const sandbox = still();
    const mode = as(name, sandbox);
    const items = [
      { ...child, alt_text: 'A door', user_tags: tags({ x: 0, y: 0 }) },
      { ...video, thumb_offset: '0' },
    ];
    const children = await Promise.all(items.map((item) => container(mode, item)));
    const parent = await container(mode, {
      media_type: 'CAROUSEL',
      children: children.join(','),
      caption: 'Two',
      location_id: '5',
      collaborators: '["bob"]',
      is_ai_generated: 'true',
    });
    const { body } = await publish(mode, parent);
    const fields = 'media_type,caption,is_ai_generated,children{media_type,alt_text}';
    expect((await mode.get(`/${body.id}`, { fields })).body).toEqual({
      id: body.id,
      media_type: 'CAROUSEL_ALBUM',
      caption: 'Two',
      is_ai_generated: true,
      children: {
        data: [
          { id: expect.anything(), media_type: 'IMAGE', alt_text: 'A door' },
          { id: expect.anything(), media_type: 'VIDEO' },
        ],
      },
    });
    expect(sandbox.effects('media').map((one) => one.content['childIds'])).toEqual([children]);
    const limit = await mode.get(`${mode.account}/content_publishing_limit`);
    expect(limit.body.data[0].quota_usage).toBe(1);
    expect(idsOf(await mode.get(`${mode.account}/media`))).toEqual([body.id, ...sandbox.account.mediaIds]);
  });

  test.each([{ image_url: jpeg }, { video_url: mp4 }])('takes a story of %o', async (source) => {
    const sandbox = still();
    const mode = as(name, sandbox);
    const { body } = await publish(mode, await container(mode, { media_type: 'STORIES', ...source }));
    const { data } = (
      await as('page', sandbox).get(`/${sandbox.account.userId}/stories`, { fields: 'media_product_type' })
    ).body;
    expect(data[0]).toEqual({ id: body.id, media_product_type: 'STORY' });
    expect(idsOf(await mode.get(`${mode.account}/media`))).not.toContain(body.id);
  });

  test('waits for a container that is processed', async () => {
    const sandbox = still();
    sandbox.tune({ containers: { processingMs: 10 * second } });
    const mode = as(name, sandbox);
    const id = await container(mode, { media_type: 'REELS', video_url: mp4 });
    expect((await status(mode, id)).status_code).toBe('IN_PROGRESS');
    expect(refusal(await publish(mode, id))).toEqual([400, 9007, 2_207_027]);
    sandbox.advance(10 * second);
    expect((await status(mode, id)).status_code).toBe('FINISHED');
    expect((await publish(mode, id)).status).toBe(200);
    expect(sandbox.effects('media')).toHaveLength(1);
  });

  test('fails with the reason of the container', async () => {
    const sandbox = still();
    sandbox.tune({ containers: { fail: { subcode: 2_207_026, text: 'unsupported format' } } });
    const mode = as(name, sandbox);
    const id = await container(mode, { media_type: 'REELS', video_url: mp4 });
    const { status_code, status: text } = await status(mode, id);
    expect(status_code).toBe('ERROR');
    expect(text).toMatch(/^Error: .*2207026.*unsupported format$/);
    expect(refusal(await publish(mode, id))).toEqual([400, 9007, 2_207_027]);
    sandbox.tune({ containers: { fail: undefined } });
    expect((await status(mode, await container(mode, { image_url: jpeg }))).status_code).toBe('FINISHED');
  });

  test('can refuse a ready container as not ready', async () => {
    const sandbox = still();
    sandbox.tune({ containers: { notReadyOnPublish: 2 } });
    const mode = as(name, sandbox);
    const id = await container(mode, { image_url: jpeg });
    expect(refusal(await publish(mode, id))).toEqual([400, 9007, 2_207_027]);
    expect(refusal(await publish(mode, id))).toEqual([400, 9007, 2_207_027]);
    expect((await publish(mode, id)).status).toBe(200);
  });

  test('happens once for each container', async () => {
    const sandbox = still();
    const mode = as(name, sandbox);
    const id = await container(mode, { image_url: jpeg });
    await publish(mode, id);
    expect(refusal(await publish(mode, id))).toEqual([400, 9007, 2_207_027]);
    expect(sandbox.effects('media')).toHaveLength(1);
  });

  test('loses a container after 24 hours, and one that never was', async () => {
    const sandbox = still();
    const mode = as(name, sandbox);
    const id = await container(mode, { image_url: jpeg });
    sandbox.advance(day - 1);
    expect((await status(mode, id)).status_code).toBe('FINISHED');
    sandbox.advance(1);
    expect((await status(mode, id)).status_code).toBe('EXPIRED');
    expect(refusal(await publish(mode, id))).toEqual([400, 24, 2_207_008]);
    expect(refusal(await publish(mode, '17899999999999999'))).toEqual([400, 24, 2_207_008]);
    expect(refusal(await mode.post(`${mode.account}/media_publish`))).toEqual([400, 100, undefined]);
  });

  test('stops at the daily cap, over a sliding day', async () => {
    const sandbox = still();
    sandbox.tune({ pics: { quotaTotal: 2 } });
    const mode = as(name, sandbox);
    await publish(mode, await container(mode, { image_url: jpeg }));
    sandbox.advance(second);
    await publish(mode, await container(mode, { media_type: 'STORIES', image_url: jpeg }));
    const third = await container(mode, { image_url: jpeg });
    expect(refusal(await publish(mode, third))).toEqual([400, 9, 2_207_042]);
    sandbox.advance(day - 2 * second);
    expect(refusal(await publish(mode, third))).toEqual([400, 9, 2_207_042]);
    sandbox.advance(second);
    expect((await publish(mode, third)).status).toBe(200);
    expect(sandbox.effects('media')).toHaveLength(3);
  });
});

describe.each(modes)('an upload in %s mode', (name) => {
  const bytes = new Uint8Array([1, 2, 3, 4, 5]);
  const send = async (
    sandbox: Sandbox,
    uri: string,
    headers: Readonly<Record<string, string>>,
    body: Uint8Array<ArrayBuffer> | null = bytes,
  ): Promise<Reply> => read(await sandbox.fetch(uri, { method: 'POST', headers, body }));
  const videoStatus = async (mode: Mode, id: string): Promise<Loose> =>
    (await mode.get(`/${id}`, { fields: 'status_code,video_status' })).body;

  test.each([
    { media_type: 'REELS' },
    { media_type: 'STORIES' },
    { media_type: 'VIDEO', is_carousel_item: 'true' },
  ])('fills a container of %o, which is ready some time later', async (form) => {
    const sandbox = still();
    const mode = as(name, sandbox);
    sandbox.tune({ containers: { processingMs: second } });
    const { body } = await mode.post(`${mode.account}/media`, { ...form, upload_type: 'resumable' });
    const { id, uri } = body;
    expect(uri).toBe(`${sandbox.platform.uploadUrl}/ig-api-upload/v26.0/${id}`);
    sandbox.advance(2 * second);
    expect(await videoStatus(mode, id)).toEqual({
      id,
      status_code: 'IN_PROGRESS',
      video_status: {
        uploading_phase: { status: 'not_started', bytes_transferred: 0 },
        processing_phase: { status: 'not_started' },
      },
    });
    // An item is never published by itself.
    const isItem = 'is_carousel_item' in form;
    expect(refusal(await publish(mode, id))).toEqual(isItem ? [400, 100, undefined] : [400, 9007, 2_207_027]);

    const authorization = `OAuth ${mode.token}`;
    const file_size = '5';
    const part = await send(sandbox, uri, { authorization, offset: '0', file_size }, bytes.slice(0, 2));
    expect([part.status, part.body.debug_info.type]).toEqual([400, 'PartialRequestError']);
    expect((await videoStatus(mode, id)).video_status.uploading_phase).toEqual({
      status: 'in_progress',
      bytes_transferred: 2,
    });
    const rest = await send(sandbox, uri, { authorization, offset: '2', file_size }, bytes.slice(2));
    expect([rest.status, rest.body]).toEqual([200, { success: true }]);
    expect(await videoStatus(mode, id)).toMatchObject({
      status_code: 'IN_PROGRESS',
      video_status: { uploading_phase: { status: 'complete', bytes_transferred: 5 } },
    });
    sandbox.advance(second);
    expect(await videoStatus(mode, id)).toMatchObject({
      status_code: 'FINISHED',
      video_status: { processing_phase: { status: 'complete' } },
    });
    expect(sandbox.upload(id)).toMatchObject({ bytes: 5, transfers: [{ offset: 0 }, { offset: 2 }] });
  });

  test('is refused for images, with an address, with another token, and if none is expected', async () => {
    const sandbox = still();
    const mode = as(name, sandbox);
    const resumable = { upload_type: 'resumable' };
    for (const form of [
      {},
      { media_type: 'CAROUSEL' },
      { ...reel },
      { media_type: 'REELS', upload_type: 'x' },
    ]) {
      expect(refusal(await mode.post(`${mode.account}/media`, { ...resumable, ...form }))).toEqual([
        400,
        100,
        undefined,
      ]);
    }
    const { body } = await mode.post(`${mode.account}/media`, { ...resumable, media_type: 'REELS' });
    const sent = { offset: '0', file_size: '5' };
    const other = `OAuth ${pageOf(sandbox, 2).token}`;
    expect((await send(sandbox, body.uri, { authorization: other, ...sent })).status).toBe(400);
    const fetched = await container(mode, reel);
    const uri = `${sandbox.platform.uploadUrl}/ig-api-upload/v26.0/${fetched}`;
    const authorization = `OAuth ${mode.token}`;
    expect((await send(sandbox, uri, { authorization, ...sent })).body.debug_info.message).toBe(
      'Upload session is finished',
    );
    const hosted = await send(sandbox, body.uri, { authorization, file_url: mp4 }, null);
    expect(hosted.body).toEqual({ success: true });
    expect((await publish(mode, body.id)).status).toBe(200);
  });
});

describe('a container is refused', () => {
  const mode = (): Mode => as('login', still());
  const long = (length: number): string => 'x'.repeat(length);
  test.each([
    ['of type VIDEO', { media_type: 'VIDEO', video_url: mp4 }, [400, 100, 2_207_023]],
    ['of an unknown type', { media_type: 'IMAGE', image_url: jpeg }, [400, 100, 2_207_023]],
    ['without media', { caption: 'c' }, [400, 100, undefined]],
    ['with a video and no type', { video_url: mp4 }, [400, 100, undefined]],
    [
      'with image and video',
      { media_type: 'STORIES', image_url: jpeg, video_url: mp4 },
      [400, 100, undefined],
    ],
    ['as a reel of an image', { media_type: 'REELS', image_url: jpeg }, [400, 100, undefined]],
    [
      'as a story with a caption',
      { media_type: 'STORIES', image_url: jpeg, caption: 'c' },
      [400, 100, undefined],
    ],
    ['as an item with a caption', { ...child, caption: 'c' }, [400, 100, undefined]],
    ['as an item with a location', { ...child, location_id: '1' }, [400, 100, undefined]],
    [
      'as an item that is a reel',
      { media_type: 'REELS', video_url: mp4, is_carousel_item: 'true' },
      [400, 100, undefined],
    ],
    ['over plain HTTP', { image_url: 'http://media.example/a.jpg' }, [400, 9004, 2_207_052]],
    ['beyond ASCII', { image_url: 'https://media.example/\u{fc}.jpg' }, [400, 9004, 2_207_052]],
    ['of a host that does not respond', { image_url: 'https://media.invalid/a.jpg' }, [400, 9004, 2_207_052]],
    ['of no address', { image_url: 'a.jpg' }, [400, 9004, 2_207_052]],
    ['of a WebP', { image_url: 'https://media.example/a.webp' }, [400, 36_001, 2_207_005]],
    [
      'of an odd video',
      { media_type: 'REELS', video_url: 'https://media.example/a.avi' },
      [400, 352, 2_207_026],
    ],
    ['with 2201 characters', { image_url: jpeg, caption: long(2201) }, [400, 36_004, 2_207_010]],
    ['with 31 hashtags', { image_url: jpeg, caption: '#a '.repeat(31) }, [400, 36_004, 2_207_010]],
    ['with 21 tags', { image_url: jpeg, caption: '@a '.repeat(21) }, [400, 100, 2_207_040]],
    ['with a long alt_text', { image_url: jpeg, alt_text: long(1001) }, [400, 100, undefined]],
    ['as a reel with an alt_text', { ...reel, alt_text: 'A door' }, [400, 100, undefined]],
    ['as a story with an alt_text', { ...story, alt_text: 'A door' }, [400, 100, undefined]],
    ['as a story with a location', { ...story, location_id: '1' }, [400, 100, undefined]],
    ['as a story with collaborators', { ...story, collaborators: '["a"]' }, [400, 100, undefined]],
    ['as an item with collaborators', { ...child, collaborators: '["a"]' }, [400, 100, undefined]],
    ['as a video that is no item', { ...video, is_carousel_item: 'false' }, [400, 100, 2_207_023]],
    [
      'as an item without its video',
      { media_type: 'VIDEO', is_carousel_item: 'true' },
      [400, 100, undefined],
    ],
    ['as an item with a cover', { ...video, cover_url: jpeg }, [400, 100, undefined]],
    ['as a video item with tags', { ...video, user_tags: tags({}) }, [400, 100, undefined]],
    ['as a video item with an alt_text', { ...video, alt_text: 'A door' }, [400, 100, undefined]],
    ['as an item that is labelled', { ...child, is_ai_generated: 'true' }, [400, 100, undefined]],
    ['at a place that is none', { image_url: jpeg, location_id: 'here' }, [400, 100, undefined]],
    ['as an image with a cover', { image_url: jpeg, cover_url: jpeg }, [400, 100, undefined]],
    ['as an image with a frame', { image_url: jpeg, thumb_offset: '0' }, [400, 100, undefined]],
    ['as an image with audio', { image_url: jpeg, audio_name: 'Waves' }, [400, 100, undefined]],
    ['with unknown music', { ...reel, audio_configuration: '{"audio_id":"7"}' }, [400, 100, undefined]],
    ['as an image with music', { image_url: jpeg, audio_configuration: '{}' }, [400, 100, undefined]],
    ['as an image shared to the feed', { image_url: jpeg, share_to_feed: 'true' }, [400, 100, undefined]],
    ['as an image on trial', { image_url: jpeg, trial_params: trial('MANUAL') }, [400, 100, undefined]],
    ['on an odd trial', { ...reel, trial_params: trial('LATER') }, [400, 100, undefined]],
    ['with half a frame', { ...reel, thumb_offset: '0.5' }, [400, 100, undefined]],
    [
      'with a cover over plain HTTP',
      { ...reel, cover_url: 'http://a.example/a.jpg' },
      [400, 9004, 2_207_052],
    ],
    ['with a tag in no place', { image_url: jpeg, user_tags: '[{"username":"a"}]' }, [400, 100, undefined]],
    ['with a tag beside it', { image_url: jpeg, user_tags: tags({ x: 1.5, y: 0 }) }, [400, 100, undefined]],
    ['with a tag of nobody', { ...story, user_tags: '[{"x":0,"y":0}]' }, [400, 100, undefined]],
    ['with tags that are no list', { ...story, user_tags: '{}' }, [400, 100, undefined]],
    ['with tags that are no JSON', { ...story, user_tags: 'ada' }, [400, 100, undefined]],
    ['as a reel with a placed tag', { ...reel, user_tags: tags({ x: 0, y: 0 }) }, [400, 100, undefined]],
    ['with 21 user tags', { ...reel, user_tags: tags(...Array<object>(21).fill({})) }, [400, 100, 2_207_040]],
    ['with products in login mode', { image_url: jpeg, product_tags: '[]' }, [400, 100, undefined]],
    ['with an unknown parameter', { image_url: jpeg, colour: 'red' }, [400, 100, undefined]],
    ['with children but no type', { image_url: jpeg, children: '1,2' }, [400, 100, undefined]],
  ] as const)('%s', async (_, form, expected) => {
    expect(refusal(await mode().post('/me/media', form))).toEqual(expected);
  });

  test('at no limit', async () => {
    const caption = `${long(2200 - 90)}${'#a '.repeat(30)}`;
    expect((await mode().post('/me/media', { image_url: jpeg, caption })).status).toBe(200);
    expect((await mode().post('/me/media', { image_url: 'https://media.example/photo?id=1' })).status).toBe(
      200,
    );
  });
});

describe('a carousel is refused', () => {
  test('with fewer than 2 or more than 10 items', async () => {
    const sandbox = still();
    const mode = as('page', sandbox);
    const ids = await Promise.all(Array.from({ length: 11 }, () => container(mode, child)));
    const make = (children: readonly string[]) =>
      mode.post(`${mode.account}/media`, { media_type: 'CAROUSEL', children: children.join(',') });
    expect(refusal(await make(ids.slice(0, 1)))).toEqual([400, 100, 2_207_028]);
    expect(refusal(await make(ids))).toEqual([400, 100, 2_207_028]);
    expect((await make(ids.slice(0, 10))).status).toBe(200);
    expect((await make(ids.slice(0, 2))).status).toBe(200);
    expect(refusal(await mode.post(`${mode.account}/media`, { media_type: 'CAROUSEL' }))).toEqual([
      400, 100, 2_207_028,
    ]);
  });

  test('of items that are none, or of somebody else', async () => {
    const sandbox = still();
    const mode = as('page', sandbox);
    const other = as('page', sandbox, pageOf(sandbox, 2).token);
    const foreign = await other.post(`/${pageOf(sandbox, 2).picsId}/media`, child);
    const item = await container(mode, child);
    const plain = await container(mode, { image_url: jpeg });
    const make = (second_: string) =>
      mode.post(`${mode.account}/media`, { media_type: 'CAROUSEL', children: `${item},${second_}` });
    expect(refusal(await make(plain))).toEqual([400, 100, undefined]);
    expect(refusal(await make('17811111111111111'))).toEqual([400, 24, 2_207_006]);
    expect(foreign.status).toBe(200);
    expect(refusal(await make(foreign.body.id))).toEqual([400, 24, 2_207_006]);
    sandbox.advance(day);
    expect(refusal(await make(await container(mode, child)))).toEqual([400, 24, 2_207_006]);
  });

  test('as long as a video is processed', async () => {
    const sandbox = still();
    const mode = as('login', sandbox);
    sandbox.tune({ containers: { processingMs: second } });
    const children = [await container(mode, child), await container(mode, video)];
    const form = { media_type: 'CAROUSEL', children: children.join(',') };
    expect(refusal(await mode.post('/me/media', form))).toEqual([400, 9007, 2_207_027]);
    sandbox.advance(second);
    expect((await mode.post('/me/media', form)).status).toBe(200);
  });

  test('never publishes an item alone, and shares the failure of one', async () => {
    const sandbox = still();
    const mode = as('login', sandbox);
    const good = await container(mode, child);
    expect(refusal(await publish(mode, good))).toEqual([400, 100, undefined]);
    sandbox.tune({
      containers: { fail: { subcode: 2_207_001, text: 'server error' }, processingMs: second },
    });
    const bad = await container(mode, child);
    sandbox.tune({ containers: { fail: undefined, processingMs: 0 } });
    const parent = await container(mode, { media_type: 'CAROUSEL', children: `${good},${bad}` });
    expect((await status(mode, parent)).status_code).toBe('IN_PROGRESS');
    sandbox.advance(second);
    expect((await status(mode, parent)).status_code).toBe('ERROR');
  });
});

test('a publication whose response is lost has still happened', async () => {
  const sandbox = still();
  const mode = as('login', sandbox);
  const id = await container(mode, { image_url: jpeg, caption: 'lost' });
  sandbox.fault({ path: '/media_publish', drop: true, when: 'after' });
  await expect(publish(mode, id)).rejects.toThrow('fetch failed');
  expect((await status(mode, id)).status_code).toBe('PUBLISHED');
  const { body } = await mode.get('/me/media', { fields: 'caption', limit: '1' });
  expect(body.data[0].caption).toBe('lost');
});

test('a late publication has the time it lands at', async () => {
  const sandbox = still();
  sandbox.tune({ writes: { landAfterMs: 3 * second } });
  const mode = as('page', sandbox);
  const id = await container(mode, { image_url: jpeg });
  sandbox.fault({ path: '/media_publish', status: 500, when: 'after' });
  expect((await publish(mode, id)).status).toBe(500);
  expect((await status(mode, id)).status_code).toBe('FINISHED');
  sandbox.advance(10 * second);
  const { body } = await mode.get(`${mode.account}/media`, { fields: 'timestamp', limit: '1' });
  expect(body.data[0].timestamp).toBe('2026-10-05T12:00:03+0000');
});

describe('a caption add-on', () => {
  const poll_attachment = '{"option_a":"Tea","option_b":"Coffee"}';
  const image = { image_url: jpeg, caption: 'Tea or coffee?' };
  const put = async (mode: Mode, form: Record<string, string>): Promise<string> =>
    (await publish(mode, await container(mode, form))).body.id;

  test('is below the post, read alone, and null without one', async () => {
    const sandbox = still();
    const mode = as('page', sandbox);
    const polled = await put(mode, { ...image, poll_attachment });
    const endless = await put(mode, { ...image, poll_attachment, is_poll_duration_extended: 'true' });
    const prompted = await put(mode, { ...image, is_comment_prompt_used: 'true' });
    const read = async (id: string, edge: string): Promise<Reply> => mode.get(`/${id}/${edge}`);

    const shares = { option_a_votes_percentage: 0, option_b_votes_percentage: 0 };
    expect((await read(polled, 'poll_attachment')).body).toEqual({
      option_a: 'Tea',
      option_b: 'Coffee',
      ...shares,
      expiration_timestamp: '2026-10-08T12:00:00+0000',
    });
    expect((await read(endless, 'poll_attachment')).body).toEqual({
      option_a: 'Tea',
      option_b: 'Coffee',
      ...shares,
    });
    expect((await read(polled, 'prompt_response')).text).toBe('null');
    expect((await read(prompted, 'poll_attachment')).text).toBe('null');
    expect((await read(prompted, 'prompt_response')).body).toEqual({ data: [] });
    const [told = ''] = sandbox.account.storyIds;
    expect(refusal(await read(told, 'poll_attachment'))).toEqual([400, 100, undefined]);
    expect((await as('login', sandbox).get(`/${polled}/poll_attachment`)).status).toBe(400);
  });

  test('may be lost, which nothing but its read says', async () => {
    const sandbox = still();
    sandbox.tune({ pics: { addOns: false } });
    const mode = as('page', sandbox);
    const id = await put(mode, { ...image, poll_attachment });
    expect((await mode.get(`/${id}/poll_attachment`)).text).toBe('null');
  });

  test.each([
    ['without a caption', { image_url: jpeg, poll_attachment }],
    ['of one option', { ...image, poll_attachment: '{"option_a":"Tea"}' }],
    ['twice', { ...image, poll_attachment, is_comment_prompt_used: 'true' }],
    ['on a story', { ...story, is_comment_prompt_used: 'true' }],
    ['on an item', { ...child, poll_attachment }],
  ])('is refused %s', async (_, form) => {
    const mode = as('page', still());
    expect(refusal(await mode.post(`${mode.account}/media`, form))).toEqual([400, 100, undefined]);
  });

  test('and labels are a matter of page mode, music is not', async () => {
    const sandbox = still();
    const mode = as('login', sandbox);
    const paged = as('page', sandbox);
    expect(refusal(await mode.post('/me/media', { ...image, poll_attachment }))).toEqual([
      400,
      100,
      undefined,
    ]);
    const query = { user_id: sandbox.account.userId, audio_type: 'music' };
    const { audio_id } = (await paged.get('/ig_audio', query)).body.audio[0];
    const form = { ...reel, audio_configuration: JSON.stringify({ audio_id }) };
    expect((await mode.post('/me/media', form)).status).toBe(200);
  });
});
