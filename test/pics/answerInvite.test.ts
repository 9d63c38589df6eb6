import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { answerInvite } from '../../src/pics/answerInvite.ts';
import { authenticated, graphBase, picsContext, picsPageContext, token } from '../support/context.ts';

const options = { token, picsUserId: '17', mediaId: '901', accept: true };

describe('answerInvite', () => {
  test.each([true, false])('sends the answer %s', async (accept) => {
    nock(graphBase)
      .post('/17/collaboration_invites', { media_id: '901', accept: String(accept) })
      .query(authenticated)
      .reply(200, { success: true });

    const answered = await answerInvite(picsPageContext(), { ...options, accept });

    expect(answered._unsafeUnwrap()).toEqual({ success: true });
  });

  test('is sent again when the response was lost, since that does no harm', async () => {
    nock(graphBase).post('/17/collaboration_invites').query(true).replyWithError(new Error('reset'));
    nock(graphBase).post('/17/collaboration_invites').query(true).reply(200, { success: true });

    expect((await answerInvite(picsPageContext(), options)).isOk()).toBe(true);
  });

  test('is refused in login mode, and nothing is sent', async () => {
    const error = (await answerInvite(picsContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ConfigurationError', option: 'context' });
  });
});
