import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { publishStory, type PublishStoryOptions } from '../../src/pics/publishStory.ts';
import {
  authenticated,
  graphBase,
  picsContext,
  picsGraphBase,
  picsPageContext,
  token,
  virtualClock,
  dated,
} from '../support/context.ts';

const imageUrl = 'https://example.com/a.jpg';
const videoUrl = 'https://example.com/a.mp4';
const look = { ...authenticated, fields: 'status_code,status' };
const published = { container_id: '18', media_id: '19' };

describe('publishStory', () => {
  test.each([
    [
      'an image in login mode',
      picsContext(),
      { token, imageUrl },
      picsGraphBase,
      'me',
      { image_url: imageUrl },
    ],
    [
      'a video in page mode',
      picsPageContext(),
      { token, picsUserId: '17', videoUrl },
      graphBase,
      '17',
      { video_url: videoUrl },
    ],
    [
      'a story with tags',
      picsContext(),
      {
        token,
        imageUrl,
        isAiGenerated: false,
        userTags: [{ username: 'ada' }, { username: 'bob', x: 0, y: 1 }],
      },
      picsGraphBase,
      'me',
      {
        image_url: imageUrl,
        is_ai_generated: 'false',
        user_tags: '[{"username":"ada"},{"username":"bob","x":0,"y":1}]',
      },
    ],
  ])('publishes %s', async (_, context, options, base, account, sent) => {
    nock(base)
      .post(`/${account}/media`, { media_type: 'STORIES', ...sent })
      .query(authenticated)
      .reply(200, { id: '18' });
    nock(base).get('/18').query(look).reply(200, { status_code: 'FINISHED' });
    nock(base)
      .post(`/${account}/media_publish`, { creation_id: '18' })
      .query(authenticated)
      .reply(200, { id: '19' });

    expect((await publishStory(context, options))._unsafeUnwrap()).toEqual(published);
  });

  test('fails with ContainerNotReadyError when the container failed', async () => {
    nock(picsGraphBase).post('/me/media').query(true).reply(200, { id: '18' });
    nock(picsGraphBase)
      .get('/18')
      .query(look)
      .reply(200, { status_code: 'ERROR', status: 'Error: too long' });

    const error = (await publishStory(picsContext(), { token, videoUrl }))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ContainerNotReadyError', containerId: '18', statusCode: 'ERROR' });
    expect(error.message).toContain('Error: too long');
  });

  test('finds the story of a lost response among the stories in page mode', async () => {
    const clock = virtualClock();
    nock(graphBase).post('/301/media').query(true).reply(200, { id: '18' });
    nock(graphBase).get('/18').query(look).reply(200, { status_code: 'FINISHED' });
    nock(graphBase).post('/301/media_publish').query(true).reply(502, '');
    nock(graphBase).get('/18').query(look).reply(200, { status_code: 'PUBLISHED' });
    nock(graphBase)
      .get('/301/stories')
      .query({ ...authenticated, fields: 'id,timestamp,media_type', limit: '25' })
      .times(4)
      .reply(
        200,
        {
          data: [{ id: '19', media_type: 'IMAGE', timestamp: new Date(clock.now()).toISOString() }],
        },
        dated(clock),
      );

    const story = await publishStory(picsPageContext({ clock }), { token, picsUserId: '301', imageUrl });

    expect(story._unsafeUnwrap()).toEqual(published);
  });

  test('takes no story that another one joins before the last lookup', async () => {
    const clock = virtualClock();
    nock(graphBase).post('/303/media').query(true).reply(200, { id: '18' });
    nock(graphBase).get('/18').query(look).reply(200, { status_code: 'FINISHED' });
    nock(graphBase).post('/303/media_publish').query(true).reply(502, '');
    nock(graphBase).get('/18').query(look).reply(200, { status_code: 'PUBLISHED' });
    // A person's own shows at once, that of the call later.
    const timestamp = new Date(clock.now()).toISOString();
    const story = (id: string): object => ({ id, media_type: 'IMAGE', timestamp });
    for (const data of [[story('20')], [story('20')], [story('20')], [story('19'), story('20')]]) {
      nock(graphBase).get('/303/stories').query(true).reply(200, { data }, dated(clock));
    }

    const lost = await publishStory(picsPageContext({ clock }), { token, picsUserId: '303', imageUrl });

    expect(lost._unsafeUnwrapErr()).toMatchObject({ outcome: 'applied', ids: { container_id: '18' } });
  });

  test('takes no story where the last lookup fails', async () => {
    const clock = virtualClock();
    nock(graphBase).post('/304/media').query(true).reply(200, { id: '18' });
    nock(graphBase).get('/18').query(look).reply(200, { status_code: 'FINISHED' });
    nock(graphBase).post('/304/media_publish').query(true).reply(502, '');
    nock(graphBase).get('/18').query(look).reply(200, { status_code: 'PUBLISHED' });
    const timestamp = new Date(clock.now()).toISOString();
    const data = [{ id: '19', media_type: 'IMAGE', timestamp }];
    nock(graphBase).get('/304/stories').query(true).times(3).reply(200, { data }, dated(clock));
    nock(graphBase).get('/304/stories').query(true).reply(503, '');

    const lost = await publishStory(picsPageContext({ clock }), { token, picsUserId: '304', imageUrl });

    expect(lost._unsafeUnwrapErr()).toMatchObject({ outcome: 'applied' });
  });

  test('says that a story was published after a lost response in login mode, which lists none', async () => {
    nock(picsGraphBase).post('/302/media').query(true).reply(200, { id: '18' });
    nock(picsGraphBase).get('/18').query(look).reply(200, { status_code: 'FINISHED' });
    nock(picsGraphBase).post('/302/media_publish').query(true).reply(502, '');
    nock(picsGraphBase).get('/18').query(look).reply(200, { status_code: 'PUBLISHED' });

    const context = picsContext({ clock: virtualClock() });
    const error = (await publishStory(context, { token, picsUserId: '302', imageUrl }))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', outcome: 'applied', payload: { container_id: '18' } });
  });

  test.each([
    ['imageUrl', picsContext(), { token }],
    ['imageUrl', picsContext(), { token, imageUrl, videoUrl }],
    ['userTags', picsContext(), { token, imageUrl, userTags: [{ username: '' }] }],
    ['userTags', picsContext(), { token, videoUrl, userTags: [{ username: 'ada', y: -1 }] }],
  ])('refuses a bad %s before anything is sent', async (option, context, bad) => {
    expect((await publishStory(context, bad as PublishStoryOptions))._unsafeUnwrapErr()).toMatchObject({
      name: 'ConfigurationError',
      option,
    });
  });
});
