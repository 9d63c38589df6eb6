import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { privateReply } from '../../src/pics/privateReply.ts';
import {
  authenticated,
  graphBase,
  picsContext,
  picsGraphBase,
  picsPageContext,
  token,
} from '../support/context.ts';

const options = { token, commentId: '181', text: 'It costs ten.' };
const body = { recipient: { comment_id: '181' }, message: { text: 'It costs ten.' } };
const sent = { recipient_id: '91', message_id: 'aWdf1' };
const repeated = { error: { message: 'Already replied', code: 100, error_subcode: 2534025 } };

function reply(): nock.Interceptor {
  return nock(picsGraphBase).post('/me/messages', body).query(authenticated);
}

describe('privateReply', () => {
  // The account's own node has no edge for messages on the page graph.
  test.each([
    ['login mode', picsGraphBase, picsContext, {}, '/me/messages'],
    ['login mode with an id', picsGraphBase, picsContext, { picsUserId: '1784' }, '/1784/messages'],
    ['page mode', graphBase, picsPageContext, { pageId: '42', picsUserId: '1784' }, '/42/messages'],
  ] as const)('replies to a comment in %s', async (_mode, base, contextOf, ids, path) => {
    nock(base).post(path, body).query(authenticated).reply(200, sent);

    expect((await privateReply(contextOf(), { ...options, ...ids }))._unsafeUnwrap()).toEqual(sent);
  });

  test('is sent again after a lost response, and says whether it took effect', async () => {
    reply().reply(502, 'Bad Gateway');
    reply().reply(400, repeated);
    const applied = (await privateReply(picsContext(), options))._unsafeUnwrapErr();
    reply().reply(400, repeated);
    const refused = (await privateReply(picsContext(), options))._unsafeUnwrapErr();
    reply().times(3).replyWithError(new Error('reset'));
    const lost = (await privateReply(picsContext(), options))._unsafeUnwrapErr();

    expect(applied).toMatchObject({ name: 'ApiError', category: 'recipient', outcome: 'applied' });
    expect(refused).toMatchObject({ name: 'ApiError', category: 'recipient', outcome: 'rejected' });
    expect(lost).toMatchObject({ name: 'TransportError', outcome: 'unknown' });
  });

  test('takes no refusal under a 5xx for a sign that it took effect, since the first is told so too', async () => {
    reply().times(3).reply(500, repeated);

    const error = (await privateReply(picsContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', category: 'recipient', outcome: 'unknown' });
  });

  test('takes no other refusal for a sign that it took effect', async () => {
    reply().replyWithError(new Error('reset'));
    reply().reply(400, { error: { message: 'Gone', code: 100, error_subcode: 33 } });

    const error = (await privateReply(picsContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', category: 'not_found', outcome: 'unknown' });
  });

  test.each([
    ['text', { ...options, text: 'é'.repeat(501) }],
    ['text', { ...options, mediaId: '901' as never }],
  ])('refuses a bad %s before anything is sent', async (option, bad) => {
    const error = (await privateReply(picsContext(), bad))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ConfigurationError', option });
  });
});
