import { describe, expect, test } from 'vitest';

import { refusal, still } from '../support/caller.ts';
import { as, container, mp4 } from './support.ts';

function setting() {
  const sandbox = still();
  return { sandbox, ...as('page', sandbox), user_id: sandbox.account.userId };
}

describe('audio', () => {
  test('is found by its kind and its words', async () => {
    const { get, user_id } = setting();
    const search = async (audio_type: string, more: Readonly<Record<string, string>> = {}) =>
      (await get('/ig_audio', { user_id, audio_type, ...more })).body;

    const { audio, data } = await search('music', { search_query: 'tide' });
    expect([data, audio.map((one: { title: string }) => one.title)]).toEqual([
      undefined,
      ['Slow Tide', 'Tide and Time'],
    ]);
    expect(audio[0]).toEqual({
      audio_id: expect.stringMatching(/^\d{17}$/),
      audio_type: 'music',
      title: 'Slow Tide',
      display_artist: 'The Harbour Lights',
      duration_in_ms: 182_000,
      download_url: expect.stringMatching(/^https:/),
      cover_artwork_thumbnail_uri: expect.stringMatching(/^https:/),
    });
    expect((await search('music')).audio).toHaveLength(3);
    expect((await search('original_sound', { fields: 'ig_username' })).audio).toEqual([
      { ig_username: 'fernfield' },
      { ig_username: 'harbour' },
    ]);
    expect((await search('music', { search_query: 'nothing' })).audio).toEqual([]);
    expect((await get(`/${audio[0].audio_id}`)).body).toMatchObject({
      title: 'Slow Tide',
      cover_artwork_thumbnail_url: expect.stringMatching(/^https:/),
    });
    expect((await search('noise')).error.code).toBe(100);
  });

  test.each([
    ['a video with sound', false, {}, 'FINISHED'],
    ['a video without sound', true, {}, 'ERROR'],
    ['a video without sound, whose volume is 0', true, { video_volume: 0 }, 'FINISHED'],
  ])('is added to %s', async (_, silent, volumes, state) => {
    const { sandbox, get, user_id } = setting();
    sandbox.tune({ containers: { silent } });
    const [{ audio_id }] = (await get('/ig_audio', { user_id, audio_type: 'music' })).body.audio;
    const id = await container(as('page', sandbox), {
      media_type: 'REELS',
      video_url: mp4,
      audio_configuration: JSON.stringify({ audio_id, ...volumes }),
    });

    const { status_code, status } = (await get(`/${id}`, { fields: 'status_code,status' })).body;

    expect(status_code).toBe(state);
    expect(status.includes('2207082')).toBe(state === 'ERROR');
  });

  test('is for page mode only', async () => {
    const { post, account } = as('login', still());
    const reel = { media_type: 'REELS', video_url: mp4, audio_configuration: '{}' };

    expect(refusal(await post(`${account}/media`, reel))).toEqual([400, 100, undefined]);
  });

  test('is a matter of publishing, and of page mode', async () => {
    const { sandbox, user_id } = setting();
    const query = { user_id, audio_type: 'music' };
    const token = sandbox.issueToken({ kind: 'page', scopes: ['instagram_basic'] });

    expect(refusal(await as('page', sandbox, token).get('/ig_audio', query))).toEqual([403, 10, undefined]);
    expect((await as('login', sandbox).get('/ig_audio', query)).status).toBe(400);
  });
});
