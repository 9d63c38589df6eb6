import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { collaborators } from '../../src/pics/collaborators.ts';
import { authenticated, graphBase, picsContext, picsPageContext, token } from '../support/context.ts';

const options = { token, mediaId: '901' };

describe('collaborators', () => {
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
