import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { mentionedMedia } from '../../src/pics/mentionedMedia.ts';
import { authenticated, graphBase, picsContext, picsPageContext, token } from '../support/context.ts';

const options = { token, picsUserId: '17', mediaId: '901' };
const documented = 'id,caption,media_type,media_url,timestamp,username,owner,like_count,comments_count';

describe('mentionedMedia', () => {
  test.each([
    [undefined, documented],
    [['id', 'permalink'], 'id,permalink'],
  ])('reads the media as a field of the account: %j', async (fields, asked) => {
    nock(graphBase)
      .get('/17')
      .query({ ...authenticated, fields: `mentioned_media.media_id(901){${asked}}` })
      .reply(200, { mentioned_media: { id: 901, caption: 'Hi @shop', owner: { id: 8 } }, id: '17' });

    const found = await mentionedMedia(picsPageContext(), { ...options, fields });

    expect(found._unsafeUnwrap()).toEqual({ id: '901', caption: 'Hi @shop', owner: { id: '8' } });
  });

  test.each([{ id: '17' }, { mentioned_media: {} }, { mentioned_media: [] }])(
    'says where a response is misshapen: %j',
    async (body) => {
      nock(graphBase).get('/17').query(true).reply(200, body);

      const error = (await mentionedMedia(picsPageContext(), options))._unsafeUnwrapErr();

      expect(error).toMatchObject({ name: 'ApiError', message: expect.stringContaining('mentioned_media') });
    },
  );

  test('hands on a refusal', async () => {
    nock(graphBase)
      .get('/17')
      .query(true)
      .reply(400, { error: { message: 'No', code: 100, error_subcode: 33 } });

    const error = (await mentionedMedia(picsPageContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ category: 'not_found' });
  });

  test('is refused in login mode, and nothing is sent', async () => {
    const error = (await mentionedMedia(picsContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ConfigurationError', option: 'context' });
  });

  test.each(['9){id},name'])('refuses the id %j before anything is sent', async (mediaId) => {
    const error = (await mentionedMedia(picsPageContext(), { ...options, mediaId }))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ConfigurationError', option: 'mediaId' });
  });
});
