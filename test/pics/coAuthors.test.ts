import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { answerInvite, collaborationInvites, collaborators } from '../../src/pics/coAuthors.ts';
import { authenticated, graphBase, picsContext, picsPageContext, token } from '../support/context.ts';

describe('collaborationInvites', () => {
  const options = { token, picsUserId: '17' };

  test('lists the invitations over all pages', async () => {
    nock(graphBase)
      .get('/17/collaboration_invites')
      .query({
        ...authenticated,
        fields: 'media_id,media_owner_username,caption,media_url',
        limit: '25',
      })
      .reply(200, {
        data: [{ media_id: 901, media_owner_username: 'ada', caption: null }],
        paging: { next: `${graphBase}/17/collaboration_invites?after=b&access_token=${token}` },
      });
    nock(graphBase)
      .get('/17/collaboration_invites')
      .query({ ...authenticated, after: 'b' })
      .reply(200, { data: [{ media_id: '902' }, { media_id: '901' }] });

    const invites = await collaborationInvites(picsPageContext(), options);

    expect(invites._unsafeUnwrap()).toEqual([
      { media_id: '901', media_owner_username: 'ada' },
      { media_id: '902' },
    ]);
  });

  test('asks for the id beside the fields that the caller names', async () => {
    nock(graphBase)
      .get('/17/collaboration_invites')
      .query({ ...authenticated, fields: 'caption,media_id', limit: '3' })
      .reply(200, { data: [] });

    const own = { ...options, fields: ['caption'], limit: 3 };

    expect((await collaborationInvites(picsPageContext(), own))._unsafeUnwrap()).toEqual([]);
  });

  test('says where a response is misshapen', async () => {
    nock(graphBase)
      .get('/17/collaboration_invites')
      .query(true)
      .reply(200, { data: [{ id: '1' }] });

    const error = (await collaborationInvites(picsPageContext(), options))._unsafeUnwrapErr();

    expect(error.message).toContain('data.0.media_id');
  });

  test('is refused in login mode, and nothing is sent', async () => {
    const error = (await collaborationInvites(picsContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ConfigurationError', option: 'context' });
  });
});

describe('answerInvite', () => {
  const options = { token, picsUserId: '17', mediaId: '901', accept: true };

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

describe('collaborators', () => {
  const options = { token, mediaId: '901' };

  test('lists the accounts, and writes each status as documented', async () => {
    nock(graphBase)
      .get('/901/collaborators')
      .query({ ...authenticated, fields: 'id,username,invite_status', limit: '25' })
      .reply(200, {
        data: [
          { id: 1, username: 'ada', invite_status: 'Accpeted' },
          { id: '2', username: 'bob', invite_status: 'Pending' },
          { id: '3', invite_status: {} },
        ],
      });

    const invited = (await collaborators(picsPageContext(), options))._unsafeUnwrap();

    expect(invited).toEqual([
      { id: '1', username: 'ada', invite_status: 'Accepted' },
      { id: '2', username: 'bob', invite_status: 'Pending' },
      { id: '3' },
    ]);
    expect(invited[0]?.raw['invite_status']).toBe('Accpeted');
  });

  test('asks for the fields that the caller names', async () => {
    nock(graphBase)
      .get('/901/collaborators')
      .query({ ...authenticated, fields: 'id', limit: '1' })
      .reply(200, { data: [] });

    const own = { ...options, fields: ['id'], limit: 1 };

    expect((await collaborators(picsPageContext(), own))._unsafeUnwrap()).toEqual([]);
  });

  test('is refused in login mode, and nothing is sent', async () => {
    const error = (await collaborators(picsContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ConfigurationError', option: 'context' });
  });
});
