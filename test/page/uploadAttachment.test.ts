import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { uploadAttachment } from '../../src/page/uploadAttachment.ts';
import { authenticated, graphBase, pageContext, token } from '../support/context.ts';

const url = 'https://example.com/a.jpg';
const common = { pageId: '42', pageToken: token } as const;
const options = { ...common, type: 'image', url } as const;
const done = { attachment_id: '7' };

/** The parts of a multipart body. */
function partsOf(body: string): readonly string[] {
  return body.split(/--\w+(?:--)?\r\n/).filter(Boolean);
}

describe('uploadAttachment of a Page', () => {
  test('passes the platform the address to fetch', async () => {
    nock(graphBase)
      .post('/42/message_attachments', {
        platform: 'messenger',
        message: { attachment: { type: 'image', payload: { url, is_reusable: true } } },
      })
      .query(authenticated)
      .reply(200, { attachment_id: 7 });

    expect((await uploadAttachment(pageContext(), options))._unsafeUnwrap()).toEqual(done);
  });

  test.each([
    ['bytes', 'file', new TextEncoder().encode('%PDF'), 'application/pdf'],
    ['a Blob with a type', 'image', new Blob(['%PDF'], { type: 'image/png' }), 'image/png'],
    ['a Blob without one', 'audio', new Blob(['%PDF']), 'audio/mpeg'],
  ] as const)('sends %s as the part `filedata`, with its type', async (_what, type, file, mediaType) => {
    let parts: readonly string[] = [];
    nock(graphBase, { reqheaders: { 'content-type': /^multipart\/form-data; boundary=\w+$/ } })
      .post('/42/message_attachments', (body) => {
        parts = partsOf(String(body));
        return true;
      })
      .query(authenticated)
      .reply(200, done);

    const uploaded = await uploadAttachment(pageContext(), { ...common, type, file });

    expect(uploaded._unsafeUnwrap()).toEqual(done);
    const head = (name: string) => `Content-Disposition: form-data; name="${name}"`;
    const message = `{"attachment":{"type":"${type}","payload":{"is_reusable":true}}}`;
    expect(parts).toEqual([
      `${head('platform')}\r\n\r\nmessenger\r\n`,
      `${head('message')}\r\n\r\n${message}\r\n`,
      `${head('filedata')}; filename="filedata"\r\nContent-Type: ${mediaType}\r\n\r\n%PDF\r\n`,
    ]);
  });

  test('says of a file that changed while it was sent that it did so', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pagepics-'));
    const file = join(folder, 'menu.pdf');
    writeFileSync(file, '%PDF');
    const fetch = async (): Promise<Response> => {
      writeFileSync(file, '');
      throw new TypeError('fetch failed');
    };

    const context = pageContext({ fetch });
    const error = (await uploadAttachment(context, { ...common, type: 'file', file }))._unsafeUnwrapErr();
    rmSync(folder, { recursive: true });

    expect(error).toMatchObject({ name: 'ApiError', outcome: 'rejected' });
    expect(error.message).toContain('file');
    expect(error.message).not.toContain(folder);
  });

  test('is sent again after a lost response', async () => {
    nock(graphBase).post('/42/message_attachments').query(true).replyWithError(new Error('reset'));
    nock(graphBase).post('/42/message_attachments').query(true).reply(200, done);

    expect((await uploadAttachment(pageContext(), options)).isOk()).toBe(true);
  });

  test.each([
    ['url', { ...common, type: 'image' } as never],
    ['url', { ...options, file: new Uint8Array(1) as never }],
  ])('refuses a bad %s before anything is sent', async (option, bad) => {
    const error = (await uploadAttachment(pageContext(), bad))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ConfigurationError', option });
  });
});
