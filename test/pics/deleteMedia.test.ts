import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { deleteMedia } from '../../src/pics/deleteMedia.ts';
import { authenticated, graphBase, picsContext, picsPageContext, token } from '../support/context.ts';

const options = { mediaId: '901', token };
const gone = { error: { message: 'Gone', code: 100, error_subcode: 33 } };

describe('deleteMedia', () => {
  test('deletes the media', async () => {
    nock(graphBase).delete('/901', '').query(authenticated).reply(200, { success: true, deleted_id: '901' });

    const deleted = await deleteMedia(picsPageContext(), options);

    expect(deleted._unsafeUnwrap()).toEqual({ success: true, deleted_id: '901' });
  });

  test('is sent again when the response was lost', async () => {
    nock(graphBase).delete('/901').query(true).reply(502, 'Bad Gateway');
    nock(graphBase).delete('/901').query(true).reply(200, { success: true });

    expect((await deleteMedia(picsPageContext(), options)).isOk()).toBe(true);
  });

  test('is of unknown outcome when the platform knows no such media after a lost response', async () => {
    nock(graphBase).delete('/901').query(true).reply(502, 'Bad Gateway');
    // The same for a media that is gone and for one that the token may not see.
    nock(graphBase).delete('/901').query(true).reply(400, gone);

    const error = (await deleteMedia(picsPageContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', category: 'not_found', outcome: 'unknown' });
  });

  test.each([
    [400, gone, 'not_found'],
    [400, { error: { message: 'No', code: 200 } }, 'permission'],
    [200, { success: false }, 'unknown'],
  ])('fails when the platform refuses at once', async (status, body, category) => {
    nock(graphBase).delete('/901').query(true).reply(status, body);

    const error = (await deleteMedia(picsPageContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ category, outcome: 'rejected' });
  });

  test.each([['context', picsContext, options]])(
    'refuses a bad %s before anything is sent',
    async (option, contextOf, bad) => {
      const error = (await deleteMedia(contextOf(), bad))._unsafeUnwrapErr();

      expect(error).toMatchObject({ name: 'ConfigurationError', option });
    },
  );
});
