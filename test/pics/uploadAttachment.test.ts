import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { uploadAttachment } from '../../src/pics/uploadAttachment.ts';
import {
  authenticated,
  graphBase,
  picsContext,
  picsGraphBase,
  picsPageContext,
  token,
} from '../support/context.ts';

const url = 'https://example.com/a.mp4';
const options = { token, type: 'video', url } as const;
const message = { attachment: { type: 'video', payload: { url, is_reusable: true } } };
const done = { attachment_id: '7' };

describe('uploadAttachment', () => {
  test.each([
    ['login mode', picsGraphBase, picsContext, {}, '/me', { message }],
    ['login mode with an id', picsGraphBase, picsContext, { picsUserId: '17' }, '/17', { message }],
    ['page mode', graphBase, picsPageContext, { pageId: '42' }, '/42', { platform: 'instagram', message }],
  ] as const)('uploads from an address in %s', async (_mode, base, contextOf, ids, node, body) => {
    nock(base).post(`${node}/message_attachments`, body).query(authenticated).reply(200, done);

    expect((await uploadAttachment(contextOf(), { ...options, ...ids }))._unsafeUnwrap()).toEqual(done);
  });

  test('sends bytes in page mode', async () => {
    nock(graphBase)
      .post('/42/message_attachments', /name="platform"\r\n\r\ninstagram\r\n[^]*name="filedata"[^]*bytes/)
      .query(authenticated)
      .reply(200, done);

    const uploaded = await uploadAttachment(picsPageContext(), {
      token,
      pageId: '42',
      type: 'video',
      file: new Blob(['bytes']),
    });

    expect(uploaded._unsafeUnwrap()).toEqual(done);
  });

  test('refuses bytes in login mode, which the platform does not take there', async () => {
    const bad = { token, type: 'video', file: new Blob(['bytes']) } as const;

    const error = (await uploadAttachment(picsContext(), bad))._unsafeUnwrapErr();

    expect(error).toMatchObject({
      name: 'ConfigurationError',
      option: 'file',
      message: 'file is not taken in login mode: give a url',
    });
  });

  test.each([['url', { token, type: 'video' } as never]])(
    'refuses a bad %s before anything is sent',
    async (option, bad) => {
      const error = (await uploadAttachment(picsContext(), bad))._unsafeUnwrapErr();

      expect(error).toMatchObject({ name: 'ConfigurationError', option });
    },
  );
});
