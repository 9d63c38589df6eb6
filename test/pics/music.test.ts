import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { searchAudio } from '../../src/pics/music.ts';
import { authenticated, graphBase, picsContext, picsPageContext, token } from '../support/context.ts';

const options = { token, picsUserId: '17', kind: 'music' } as const;

describe('searchAudio', () => {
  test.each([
    [{}, {}],
    [{ query: 'tide' }, { search_query: 'tide' }],
  ])('searches for %j', async (own, sent) => {
    nock(graphBase)
      .get('/ig_audio')
      .query({ ...authenticated, user_id: '17', audio_type: 'music', ...sent, limit: '25' })
      .reply(200, '{"audio":[{"audio_id":18000000000000001,"title":"Slow Tide","duration_in_ms":182000}]}');

    const found = await searchAudio(picsPageContext(), { ...options, ...own });

    expect(found._unsafeUnwrap()).toEqual([
      { audio_id: '18000000000000001', title: 'Slow Tide', duration_in_ms: 182_000 },
    ]);
  });

  test('reads a next page where there is one', async () => {
    nock(graphBase)
      .get('/ig_audio')
      .query(({ audio_type: type, limit }) => type === 'original_sound' && limit === '3')
      .reply(200, {
        audio: [{ audio_id: '1' }],
        paging: { next: `${graphBase}/ig_audio?after=b&access_token=${token}` },
      });
    nock(graphBase)
      .get('/ig_audio')
      .query({ ...authenticated, after: 'b' })
      .reply(200, { audio: [{ audio_id: '2' }] });

    const found = await searchAudio(picsPageContext(), { ...options, kind: 'original_sound', limit: 3 });

    expect(found._unsafeUnwrap().map(({ audio_id }) => audio_id)).toEqual(['1', '2']);
  });

  test.each([
    [{ data: [] }, 'audio'],
    [{ audio: [{ id: '1' }] }, 'audio.0.audio_id'],
  ])('says where a response is misshapen: %j', async (body, where) => {
    nock(graphBase).get('/ig_audio').query(true).reply(200, body);

    const error = (await searchAudio(picsPageContext(), options))._unsafeUnwrapErr();

    expect(error.message).toContain(where);
  });

  test('is refused in login mode, and nothing is sent', async () => {
    const error = (await searchAudio(picsContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ConfigurationError', option: 'context' });
  });
});
