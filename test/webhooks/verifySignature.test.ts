import { describe, expect, test } from 'vitest';

import { verifySignature } from '../../src/webhooks/index.ts';
import { appSecret, sign } from './support.ts';

const body = String.raw`{"object":"page","entry":[],"text":"K\u00f6ln \/ caf\u00e9"}`;

describe('verifySignature', () => {
  test.each([
    ['a string', body],
    ['bytes', new TextEncoder().encode(body)],
    ['a buffer of Node', Buffer.from(body)],
    ['an ArrayBuffer', new TextEncoder().encode(body).buffer],
  ])('takes the raw body as %s', async (_, rawBody) => {
    expect(await verifySignature(rawBody, sign(body), appSecret)).toEqual(
      expect.objectContaining({ value: { secretIndex: 0 } }),
    );
  });

  test('takes digits of either case, and text beyond ASCII as UTF-8', async () => {
    const text = 'Köln \u{1f600}';
    const header = sign(text).replace(/[\da-f]{64}/, (digits) => digits.toUpperCase());

    expect((await verifySignature(text, header, appSecret))._unsafeUnwrap()).toEqual({ secretIndex: 0 });
  });

  test('tries each secret, and says which one it was', async () => {
    const header = sign(body, 'second');

    expect((await verifySignature(body, header, ['first', 'second', 'third']))._unsafeUnwrap()).toEqual({
      secretIndex: 1,
    });
  });

  test('refuses a body that was serialised again', async () => {
    const again = JSON.stringify(JSON.parse(body));
    const refused = (await verifySignature(again, sign(body), appSecret))._unsafeUnwrapErr();

    expect(refused).toMatchObject({ name: 'SignatureError', reason: 'mismatch' });
  });

  test.each([
    ['missing', undefined],
    ['missing', null],
    ['missing', ''],
    ['malformed', ' '],
    ['malformed', sign(body).slice(0, -1)],
    ['malformed', `${sign(body)}0`],
    ['malformed', `${sign(body)}\n`],
    ['malformed', sign(body).replace('sha256', 'SHA256')],
    ['malformed', sign(body).replace('=', '= ')],
    ['malformed', sign(body).slice('sha256='.length)],
    ['malformed', `sha1=${'0'.repeat(40)}`],
    ['malformed', `sha1=${'0'.repeat(64)}`],
    ['malformed', `sha256=${'g'.repeat(64)}`],
    ['malformed', `sha256=${'é'.repeat(64)}`],
    ['malformed', `${sign(body)}, ${sign(body)}`],
    ['mismatch', `sha256=${'0'.repeat(64)}`],
    ['mismatch', sign(`${body} `)],
    ['mismatch', sign(body, 'another')],
  ])('calls a signature %s: %j', async (reason, header) => {
    const refused = (await verifySignature(body, header, appSecret))._unsafeUnwrapErr();

    expect(refused).toMatchObject({ name: 'SignatureError', reason });
    expect(JSON.stringify([refused.message, refused, refused.stack])).not.toContain(appSecret);
  });

  test.each([
    ['secrets', body, ''],
    ['secrets', body, ' '],
    ['secrets', body, []],
    ['secrets', body, ['good', '']],
    ['secrets', body, ['good', `${appSecret}\n`]],
    ['secrets', body, ` ${appSecret}`],
    ['secrets', body, undefined],
    ['secrets', body, [1]],
    ['rawBody', 42, appSecret],
    ['rawBody', null, appSecret],
    ['rawBody', { object: 'page' }, appSecret],
  ])('refuses wrong %s: %j, %j', async (option, rawBody, secrets) => {
    const failed = await verifySignature(rawBody as string, sign(body), secrets as string);

    expect(failed._unsafeUnwrapErr()).toMatchObject({ name: 'ConfigurationError', option });
  });
});
