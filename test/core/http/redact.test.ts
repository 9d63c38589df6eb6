import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { createRedact, isSecretName } from '../../../src/core/http/redact.ts';

const secret = 'EAAB/odd+token=with"every\\|sign<&>#~(1)';

/** The secret in every form in which it may be echoed. */
const forms: readonly (readonly [string, string])[] = [
  ['as it is', secret],
  ['in a query', encodeURIComponent(secret)],
  ['in a form', new URLSearchParams([['', secret]]).toString().slice(1)],
  ['in a query, in lower case', encodeURIComponent(secret).replace(/%../g, (part) => part.toLowerCase())],
  ['in a query within a query', encodeURIComponent(encodeURIComponent(secret))],
  ['in JSON', JSON.stringify(secret).slice(1, -1)],
  ['in JSON with its slashes escaped', JSON.stringify(secret).slice(1, -1).replaceAll('/', '\\/')],
  ['in JSON with its signs escaped', escaped(secret)],
  ['in JSON within JSON', JSON.stringify(JSON.stringify(secret)).slice(3, -3)],
  [
    'in HTML',
    secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
  ],
  ['in HTML by number', secret.replaceAll(/[&<>"/=]/g, (sign) => `&#${sign.charCodeAt(0)};`)],
  [
    'in HTML by hex number',
    secret.replaceAll(/[&<>"/=]/g, (sign) => `&#x${sign.charCodeAt(0).toString(16)};`),
  ],
  ['in upper case', secret.toUpperCase()],
];

function escaped(value: string): string {
  return value.replaceAll(/\W/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

describe('createRedact', () => {
  const redact = createRedact([secret, undefined]);

  test.each(forms)('takes a secret out %s', (_, form) => {
    expect(redact(`before:${form}:after`)).toBe('before:[secret]:after');
    expect(redact({ deep: [{ [`key ${form}`]: ['x', form] }] })).toEqual({
      deep: [{ 'key [secret]': ['x', '[secret]'] }],
    });
  });

  test('takes out every secret of the call, the longer of two first', () => {
    const redactAll = createRedact(['12345', '12345|abcdef', 'abcdef']);

    expect(redactAll('12345|abcdef 12345 abcdef 12345%7Cabcdef')).toBe('[secret] [secret] [secret] [secret]');
  });

  test('leaves short values, which would turn up by chance', () => {
    expect(createRedact(['abc', '', undefined])('abcabc')).toBe('abcabc');
    expect(createRedact([])('text')).toBe('text');
  });

  test('takes any text for a secret', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 4, unit: 'binary' }), (value) => {
        expect(createRedact([value])(`«${value}»`)).toBe('«[secret]»');
      }),
      { numRuns: 100 },
    );
  });

  test.each([
    ['access_token=EAAB123&x=1', 'access_token=[secret]&x=1'],
    ['?fb_exchange_token=EAAB123', '?fb_exchange_token=[secret]'],
    [
      'https://x.test/?next=%3Faccess_token%3DEAAB123%26a%3D1',
      'https://x.test/?next=%3Faccess_token%3D[secret]',
    ],
    ['appsecret_proof=0af3', 'appsecret_proof=[secret]'],
    ['client_secret=s3cr3t', 'client_secret=[secret]'],
    ['/callback?code=AQD-1#_=_', '/callback?code=[secret]'],
    ['OAuth EAAB123', 'OAuth [secret]'],
    ['authorization: Bearer EAAB123', 'authorization: Bearer [secret]'],
    ['{"access_token":"EAAB123","token_ty', '{"access_token":"[secret]","token_ty'],
    ["{'access_token' : 'EAAB123'", "{'access_token' : '[secret]'"],
    ['{\\"access_token\\":\\"EAAB123\\"', '{\\"access_token\\":\\"[secret]\\"'],
    ['{"code":"AQD1"', '{"code":"[secret]"'],
  ])('takes out what stands for a secret by its name: %s', (text, shown) => {
    expect(createRedact([])(text)).toBe(shown);
  });

  test.each([
    '{"code":190,"message":"No"}',
    'status_code=ERROR',
    'error_code=190',
    'token_type=bearer',
    'the access token has expired',
    'Invalid OAuth access token - Cannot parse access token',
    'OAuth 2.0 is used',
  ])('leaves what is none: %s', (text) => {
    expect(createRedact([])(text)).toBe(text);
  });

  test('takes out what goes by the name of a secret', () => {
    const value = {
      access_token: 'EAAB',
      page_token: 'EAAB',
      appsecret_proof: 'f00',
      client_secret: 'c0de',
      Authorization: 'OAuth x',
      token_type: 'bearer',
      nested: [{ access_token: 'EAAB', count: 1 }],
    };

    expect(createRedact([])(value)).toEqual({
      access_token: '[secret]',
      page_token: '[secret]',
      appsecret_proof: '[secret]',
      client_secret: '[secret]',
      Authorization: '[secret]',
      token_type: 'bearer',
      nested: [{ access_token: '[secret]', count: 1 }],
    });
  });

  test('changes nothing but a copy', () => {
    const value = Object.freeze({ list: Object.freeze([secret]) });

    expect(redact(value)).not.toBe(value);
    expect(value.list[0]).toBe(secret);
  });

  test.each([1, true, null, undefined, 7n])('leaves %s', (value) => {
    expect(redact(value)).toBe(value);
  });

  test('takes no key for a prototype', () => {
    const shown = redact(JSON.parse('{"__proto__":{"polluted":"x"},"constructor":"y"}') as object);

    expect(Object.keys(shown)).toEqual(['__proto__', 'constructor']);
    expect('polluted' in {}).toBe(false);
  });

  test('ends at a depth that no answer has', () => {
    const deep = JSON.parse(`${'['.repeat(100_000)}"x"${']'.repeat(100_000)}`) as unknown;

    expect(JSON.stringify(redact(deep))).toContain('[…]');
  });

  test('is not slowed down by a text that nearly fits', () => {
    const started = performance.now();
    redact('EAAB/odd+token='.repeat(50_000));
    redact('access_token'.repeat(50_000));
    redact('%25'.repeat(200_000));
    redact('\\'.repeat(200_000));
    expect(performance.now() - started).toBeLessThan(2000);
  });
});

describe('any secret is masked', () => {
  const signs = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index));

  test.each(signs.filter((sign) => /\W|_/.test(sign)))('with a %s in it', (sign) => {
    const secret = `abc${sign}def`;
    const encoded = `abc%${sign.charCodeAt(0).toString(16)}def`;
    expect(createRedact([secret])(`x ${secret} y ${encoded} z abcdef`)).toBe(
      'x [secret] y [secret] z abcdef',
    );
  });

  test('of any length', () => {
    const secret = Array.from({ length: 3000 }, (_, index) => `${index}/+|`).join('');
    const masked = createRedact([secret, 'another one'])(
      `x ${secret} y ${encodeURIComponent(secret)} another one z`,
    );
    expect(masked.replaceAll('[secret]', '')).toBe('x  y   z');
  });
});

describe('isSecretName', () => {
  test.each([
    'access_token',
    'input_token',
    'fb_exchange_token',
    'token',
    'appsecret_proof',
    'client_secret',
    'app_secret',
    'authorization',
    'Authorization',
    'Proxy-Authorization',
    'x-access-token',
    'Cookie',
  ])('%s is one', (name) => {
    expect(isSecretName(name)).toBe(true);
  });

  test.each(['token_type', 'id', 'message', 'status_code', 'fbtrace_id', 'content-type', 'secretary'])(
    '%s is none',
    (name) => {
      expect(isSecretName(name)).toBe(false);
    },
  );
});
