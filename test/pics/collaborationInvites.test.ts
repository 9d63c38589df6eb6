import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { collaborationInvites } from '../../src/pics/collaborationInvites.ts';
import { authenticated, graphBase, picsContext, picsPageContext, token } from '../support/context.ts';

const options = { token, picsUserId: '17' };

describe('collaborationInvites', () => {
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
