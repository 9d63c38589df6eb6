import nock from 'nock';
import { describe, expect, test } from 'vitest';

import {
  passThreadControl,
  releaseThreadControl,
  requestThreadControl,
  takeThreadControl,
  threadOwner,
} from '../../src/page/threadControl.ts';
import { authenticated, graphBase, pageContext, token } from '../support/context.ts';
import { refusal } from './support.ts';

const options = { pageId: '42', pageToken: token, recipientId: '8' };

describe('threadOwner', () => {
  test.each([
    ['the app', [{ thread_owner: { app_id: 9, expiration: 1767323045 } }], '9', 1767323045],
    ['only the expiration', [{ thread_owner: { expiration: '1767323045' } }], undefined, 1767323045],
    ['nothing', [], undefined, undefined],
    ['no owner', [{}], undefined, undefined],
  ])('reads %s', async (_, data, app_id, expiration) => {
    nock(graphBase)
      .get('/42/thread_owner')
      .query({ ...authenticated, recipient: '8' })
      .reply(200, { data });

    const owner = (await threadOwner(pageContext(), options))._unsafeUnwrap();

    expect(owner).toEqual({ app_id, expiration });
  });
});

const changes = {
  take: takeThreadControl,
  pass: passThreadControl,
  request: requestThreadControl,
  release: releaseThreadControl,
};

describe.each(Object.entries(changes))('%sThreadControl', (name, change) => {
  const edge = `/42/${name}_thread_control`;

  test('sends the recipient, and the metadata if there are some', async () => {
    for (const metadata of [undefined, 'wants a person']) {
      nock(graphBase)
        .post(edge, { recipient: { id: '8' }, ...(metadata && { metadata }) })
        .query(authenticated)
        .reply(200, { success: true });

      const changed = await change(pageContext(), { ...options, metadata });

      expect(changed._unsafeUnwrap()).toEqual({ success: true });
    }
  });

  test('is refused while another app has control', async () => {
    nock(graphBase)
      .post(edge)
      .query(true)
      .reply(400, refusal(100, { message: '(#100) Only the current thread owner can do this' }));

    const error = (await change(pageContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({
      name: 'PermissionError',
      outcome: 'rejected',
      action: 'fix',
      message: expect.stringContaining('must hand it over'),
    });
  });
});

test('passThreadControl names the app', async () => {
  nock(graphBase)
    .post('/42/pass_thread_control', { recipient: { id: '8' }, target_app_id: '263902037430900' })
    .query(authenticated)
    .reply(200, { success: true });

  const passed = await passThreadControl(pageContext(), { ...options, targetAppId: '263902037430900' });

  expect(passed._unsafeUnwrap()).toEqual({ success: true });
});
