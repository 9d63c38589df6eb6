import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { publishPhotoStory } from '../../src/page/publishPhotoStory.ts';
import { authenticated, graphBase, pageContext, token } from '../support/context.ts';

const photoUrl = 'https://example.com/a.jpg';
const options = { pageId: '42', pageToken: token, photoUrl };

function uploadAnswers(): void {
  nock(graphBase)
    .post('/42/photos', { url: photoUrl, published: 'false' })
    .query(authenticated)
    .reply(200, { id: '5' });
}

function story() {
  return nock(graphBase).post('/42/photo_stories', { photo_id: '5' }).query(authenticated);
}

function storiesAnswer(data: readonly unknown[]) {
  return nock(graphBase)
    .get('/42/stories')
    .query({ ...authenticated, limit: '100' })
    .reply(200, { data });
}

describe('publishPhotoStory', () => {
  test('uploads the photo unpublished, then makes the story of it', async () => {
    uploadAnswers();
    story().reply(200, '{"success":true,"post_id":12345678901234567}');

    const published = await publishPhotoStory(pageContext(), options);

    expect(published._unsafeUnwrap()).toEqual({
      photo_id: '5',
      post_id: '12345678901234567',
      success: true,
    });
  });

  test('sends the bytes of a photo', async () => {
    const isPhoto = (body: string): boolean =>
      /name="published"\r\n\r\nfalse\r\n[^]*name="source"/.test(body);
    nock(graphBase).post('/42/photos', isPhoto).query(authenticated).reply(200, { id: '5' });
    story().reply(200, { success: true, post_id: 12 });

    const photo = new Uint8Array([1, 2, 3]);
    const published = await publishPhotoStory(pageContext(), { pageId: '42', pageToken: token, photo });

    expect(published._unsafeUnwrap()).toEqual({ photo_id: '5', post_id: '12', success: true });
  });

  test('uploads nothing for a photo that is there', async () => {
    story().reply(200, { success: true, post_id: 12 });

    const published = await publishPhotoStory(pageContext(), {
      pageId: '42',
      pageToken: token,
      photoId: '5',
    });

    expect(published._unsafeUnwrap()).toEqual({ photo_id: '5', post_id: '12', success: true });
  });

  test('uploads again after a lost response: an unpublished photo does no harm', async () => {
    nock(graphBase).post('/42/photos').query(authenticated).reply(502, 'Bad Gateway');
    uploadAnswers();
    story().reply(200, { success: true, post_id: 12 });

    const published = await publishPhotoStory(pageContext(), options);

    expect(published.isOk()).toBe(true);
  });

  test('passes onCreated the uploaded photo before the story is made, and ignores what that throws', async () => {
    const seen: unknown[] = [];
    const onCreated = (ids: { readonly photo_id: string }) => {
      seen.push(ids);
      throw new Error('mine');
    };
    uploadAnswers();
    story()
      .times(2)
      .reply(200, () => (seen.push('story'), { success: true, post_id: 12 }));

    expect((await publishPhotoStory(pageContext(), { ...options, onCreated })).isOk()).toBe(true);
    const uploaded = { pageId: '42', pageToken: token, photoId: '5', onCreated };
    expect((await publishPhotoStory(pageContext(), uploaded)).isOk()).toBe(true);
    expect(seen).toEqual([{ photo_id: '5' }, 'story', 'story']);
  });

  test('makes no story when the upload is refused', async () => {
    nock(graphBase)
      .post('/42/photos')
      .query(authenticated)
      .reply(400, { error: { message: 'Missing or invalid image file', code: 324 } });

    const error = (await publishPhotoStory(pageContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', code: 324, outcome: 'rejected' });
  });

  test('says that nothing was published when the response to the upload is lost for good', async () => {
    nock(graphBase).post('/42/photos').query(authenticated).times(3).reply(502, 'Bad Gateway');

    const error = (await publishPhotoStory(pageContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', status: 502, outcome: 'rejected' });
  });

  test('names the photo when the story is refused', async () => {
    uploadAnswers();
    story().reply(400, { error: { message: 'Photo already posted', code: 100, error_subcode: 1366051 } });

    const error = (await publishPhotoStory(pageContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({
      name: 'ApiError',
      subcode: 1366051,
      outcome: 'rejected',
      payload: { photo_id: '5', error: { code: 100 } },
    });
  });

  test('returns the story that a lost response had made, found by its photo', async () => {
    uploadAnswers();
    story().reply(502, 'Bad Gateway');
    storiesAnswer([{ post_id: 11, media_id: '4' }]);
    storiesAnswer([
      { post_id: 13, media_id: '6' },
      { post_id: 12, media_id: 5 },
    ]);

    const published = await publishPhotoStory(pageContext(), options);

    expect(published._unsafeUnwrap()).toEqual({ photo_id: '5', post_id: '12', success: true });
  });

  test('takes a post id of any form, and no story without one', async () => {
    uploadAnswers();
    story().reply(502, 'Bad Gateway');
    storiesAnswer([{ media_id: '5' }]);
    storiesAnswer([{ post_id: '12', media_id: '5' }]);

    const published = await publishPhotoStory(pageContext(), options);

    expect(published._unsafeUnwrap()).toEqual({ photo_id: '5', post_id: '12', success: true });
  });

  test('sends the story once, and names the photo, when it is unknown whether it was made', async () => {
    uploadAnswers();
    story().replyWithError(new Error('lost'));
    storiesAnswer([]).persist();

    const error = (await publishPhotoStory(pageContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'TransportError', outcome: 'unknown', payload: { photo_id: '5' } });
  });

  test.each([
    ['no photo', { pageId: '42', pageToken: token }],
    ['two', { ...options, photoId: '5' }],
  ])('refuses %s before anything is sent', async (_, bad) => {
    const error = (await publishPhotoStory(pageContext(), bad as typeof options))._unsafeUnwrapErr();

    expect(error).toMatchObject({
      name: 'ConfigurationError',
      message: 'give exactly one of photoUrl, photo and photoId',
      option: 'photoUrl',
    });
  });
});
