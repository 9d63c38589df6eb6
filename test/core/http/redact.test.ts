import { describe, expect, test } from 'vitest';

import { createLinkCleaner, createRedact, withoutEcho } from '../../../src/core/http/redact.ts';
import { secretsIn } from '../../../src/core/http/secretsIn.ts';
import { isSecretName } from '../../../src/core/http/unknownSecrets.ts';
import { anyCharacter, fc } from '../../support/property.ts';

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

  test('finds a secret behind any sign, whatever becomes of that in lower case', { tags: 'long' }, () => {
    // In parts: of a longer text, errors show the beginning.
    for (let from = 0; from < 0x10000; from += 0x4000) {
      const signs = Array.from({ length: 0x4000 }, (_, at) => String.fromCharCode(from + at)).join('');
      const shown = createRedact(['CNRY-secret'])(`${signs}«CNRY-Secret»${signs}`);
      // A comparison that fails would print all of it.
      expect(shown === `${signs}«[secret]»${signs}`, `signs from ${from} on`).toBe(true);
    }
  });

  test('shows a text decoded where a secret stands encoded in it, and as it is where none does', () => {
    const text = 'see %3Cb%3E \\u0026 &amp; ';

    expect(redact(text)).toBe(text);
    expect(redact(`${text}${secret}`)).toBe(`${text}[secret]`);
    expect(redact(`${text}${encodeURIComponent(secret)}`)).toBe('see <b> & & [secret]');
  });

  test('masks a long secret that is cut', () => {
    const long = Array.from({ length: 99 }, (_, index) => `${index}/+|`).join('');

    expect(createRedact([long])(`x ${long.slice(0, 250)} y`)).toBe('x [secret] y');
  });

  test.each([
    ['31 of 32 digits', '0123456789abcdef0123456789abcdef', 31, '"'],
    ['half of it, where a text breaks off', 'EAAB/x+y=zEAAB/x+y=z', 14, ''],
    ['12 signs', 'EAAB0123456789', 12, ' and more'],
  ])('masks %s', (_, whole, signs, after) => {
    const shownOf = createRedact(['another-secret', whole]);
    const cut = whole.slice(0, signs);

    expect(shownOf(`x ${cut}${after}`)).toBe(`x [secret]${after}`);
    expect(shownOf(`x ${encodeURIComponent(cut)}${after}`)).toBe(`x [secret]${after}`);
    expect(shownOf({ [`x ${cut}`]: [cut] })).toEqual({ 'x [secret]': ['[secret]'] });
    expect(shownOf(`x ${whole.slice(0, 11)}${after}`)).not.toContain('[secret]');
  });

  test('takes the id that the token of an app begins with for none', () => {
    const shownOf = createRedact(['123456789012345|abcdef0123456789']);

    expect(shownOf('app 123456789012345 of x')).toBe('app 123456789012345 of x');
    expect(shownOf('123456789012345|abcdef012345 x')).toBe('[secret] x');
  });

  test('leaves nothing of a secret that begins as it is, and goes on encoded', () => {
    expect(createRedact(['EAAB0123456789/abc/def'])('«EAAB0123456789%2Fabc%2Fdef»')).toBe('«[secret]»');
  });

  test('reads a text once, for one secret or for hundreds', { tags: 'long' }, () => {
    const many = Array.from(
      { length: 400 },
      (_, at) => `EAAB${at.toString(36).padStart(8, '0')}${'x'.repeat(150)}`,
    );
    const text = 'EAAB0 <p>no secret in here, https://graph.test/?a=1&amp;b=2</p>'.repeat(10_000);
    const timeOf = (secrets: readonly string[]): number => {
      const shownOf = createRedact(secrets);
      shownOf(text);
      // The shortest of several: others use the machine too.
      const times = Array.from({ length: 5 }, () => {
        const started = performance.now();
        shownOf(text);
        return performance.now() - started;
      });
      return Math.min(...times);
    };

    // Twice as long, where a reading for each secret takes hundreds of times as long.
    expect(timeOf(many)).toBeLessThan(40 * Math.max(5, timeOf(many.slice(0, 1))));
  });

  test('leaves short values, which would turn up by chance', () => {
    expect(createRedact(['abc', '', undefined])('abcabc')).toBe('abcabc');
    expect(createRedact([])('text')).toBe('text');
  });

  test('takes any text for a secret', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 4, unit: anyCharacter }), (value) => {
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
      'https://x.test/?next=?access_token=[secret]&a=1',
    ],
    ['appsecret_proof=0af3', 'appsecret_proof=[secret]'],
    ['client_secret=s3cr3t', 'client_secret=[secret]'],
    ['/callback?code=AQD-1#_=_', '/callback?code=[secret]'],
    ['OAuth EAAB123', 'OAuth [secret]'],
    ['authorization: Bearer EAAB123', 'authorization: Bearer [secret]'],
    ['{"access_token":"EAAB123","token_ty', '{"access_token":"[secret]","token_ty'],
    ["{'access_token' : 'EAAB123'", "{'access_token' : '[secret]'"],
    ['{\\"access_token\\":\\"EAAB123\\"', '{"access_token":"[secret]"'],
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

  test.each([[['EAAB', { deep: 'EAAB' }]], [{ value: 'EAAB' }], [123456789]])(
    'takes out all that goes by the name of a secret: %j',
    (access_token) => {
      expect(createRedact([])({ list: [{ access_token }] })).toEqual({
        list: [{ access_token: '[secret]' }],
      });
    },
  );

  test('keeps the tokens that were asked for where the platform puts them, and none further within', () => {
    const asked = (value: object): object => ({ access_token: 'EAAB1', ...value });
    const body = asked({ data: [asked({ owner: asked({}) })] });

    expect(withoutEcho(body, 'own', 'named')).toEqual(
      asked({ data: [asked({ owner: { access_token: '[secret]' } })] }),
    );
    expect(withoutEcho(body, 'own', 'all')).toEqual(body);
    expect(withoutEcho(body, 'own', undefined)).toEqual({
      access_token: '[secret]',
      data: [{ access_token: '[secret]', owner: { access_token: '[secret]' } }],
    });
  });

  test('looks for a token of which no part can be counted in every body', () => {
    expect(createLinkCleaner('{"message":"a|b"}', 'a|b').mayHoldSecrets()).toBe(true);
    expect(createLinkCleaner('{"message":"hi"}', 'EAAB1234').mayHoldSecrets()).toBe(false);
  });

  test.each(Array.from('azAZ09EoPp5'))('looks for a token of which %s is escaped by its number', (letter) => {
    const escape = String.raw`\u00${letter.charCodeAt(0).toString(16)}`;
    const body = `{"message":"${escape}AAB1234"}`;

    expect(createLinkCleaner(body, `${letter}AAB1234`).mayHoldSecrets()).toBe(true);
  });

  test('leaves what goes by such a name and can be none', () => {
    const value = { token: null, has_token: true, __paging_token: 'MTc4' };
    expect(createRedact([])(value)).toEqual(value);
  });

  test.each([
    '<access_token>EAAB</access_token>',
    '&quot;access_token&quot;:&quot;EAAB&quot;',
    '&#34;access_token&#34; : &#34;EAAB&#34;',
    '{"access_token":["EAAB"]}',
    '{\\\\"access_token\\\\":\\\\"EAAB\\\\"}',
  ])('takes out what stands for a secret in another format: %s', (text) => {
    const shown = createRedact([])(text);
    // Decoded where it was encoded.
    expect(shown).toMatch(/access_token\W{1,5}\[secret\]/);
    expect(shown).not.toContain('EAAB');
  });

  describe('finds a token that only the response holds', () => {
    const tokens: Readonly<Record<string, string>> = {
      'a person or a Page': `EAAGm0PX4ZCpsBA${'Kq7ZBw3ZAx'.repeat(15)}ZDZD`,
      'an account': `IGAAK2ZBq${'w3RhTm5ZAd'.repeat(14)}ZDZD`,
      'an account, as they were before': `IGQVJYeUk4YWN${'Iy1h4OUZAN'.repeat(14)}`,
      'an app': '1234567890123456|aB3dEf6hIj9lMnOpQrStUvWxYz1',
    };
    const everySign = (text: string, write: (code: number) => string): string =>
      text.replaceAll(/./g, (sign) => write(sign.charCodeAt(0)));
    const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, '0');
    const ways: readonly (readonly [string, (token: string) => unknown])[] = [
      ['alone', (token) => token],
      ['in prose', (token) => `The token ${token} has expired.`],
      ['in a sentence', (token) => `Malformed access token: ${token}.`],
      ['in a query', (token) => `https://x.test/?access_token=${encodeURIComponent(token)}&x=1`],
      ['in a fragment', (token) => `https://x.test/#${encodeURIComponent(token)}`],
      ['in a path', (token) => `https://x.test/debug/${encodeURIComponent(token)}/`],
      ['in JSON', (token) => JSON.stringify({ access_token: token })],
      ['in JSON under any name', (token) => JSON.stringify({ value: [token] })],
      ['in JSON in an address', (token) => encodeURIComponent(JSON.stringify({ access_token: token }))],
      [
        'in JSON in an address in an address',
        (token) => encodeURIComponent(encodeURIComponent(JSON.stringify({ access_token: token }))),
      ],
      ['in JSON in JSON in JSON', (token) => JSON.stringify(JSON.stringify(JSON.stringify({ t: token })))],
      ['in JavaScript', (token) => `{access_token:${token},name:'x'}`],
      ['in PHP', (token) => `array("access_token" => "${token}")`],
      ['in PHP, serialized', (token) => `a:1:{s:12:"access_token";s:${token.length}:"${token}";}`],
      ['in Ruby', (token) => `{:access_token=>"${token}"}`],
      ['in Python', (token) => `{'access_token': b'${token}'}`],
      ['in YAML', (token) => `access_token: ${token}\nname: x`],
      ['in XML', (token) => `<session token="${token}"><a>${token}</a></session>`],
      ['in HTML', (token) => `<td>${token.replace('|', '&#124;')}</td>`],
      ['in HTML of JSON', (token) => `&quot;t&quot;:&quot;${token}&quot;`],
      ['in CSV', (token) => `id,access_token\n1,${token}\n`],
      ['in a form with parts', (token) => `name="access_token"\r\n\r\n${token}\r\n--b`],
      ['in a header', (token) => `Authorization: OAuth ${token}`],
      ['in a cookie', (token) => `Set-Cookie: session=${token}; Path=/`],
      ['right after a word', (token) => `token_${token}`],
      ['with each sign as in an address', (token) => everySign(token, (code) => `%${hex(code, 2)}`)],
      ['with each sign as in JSON', (token) => everySign(token, (code) => `\\u${hex(code, 4)}`)],
      ['with each sign as in JavaScript', (token) => everySign(token, (code) => `\\x${hex(code, 2)}`)],
      ['with each sign as in HTML', (token) => everySign(token, (code) => `&#${code};`)],
      ['with each sign as in HTML, by hex', (token) => everySign(token, (code) => `&#x${hex(code, 2)};`)],
      ['cut', (token) => `${token.slice(0, 40)}…`],
      ['as a key', (token) => ({ [token]: 1 })],
      ['as a value under any name', (token) => ({ deep: [{ hint: token }] })],
    ];

    test.each(ways)('%s', (_, write) => {
      for (const [whose, token] of Object.entries(tokens)) {
        const shown = JSON.stringify(createRedact([])(write(token)));
        expect([whose, shown]).toEqual([whose, expect.stringContaining('[secret]')]);
        // Nor any part of it that is long enough to help.
        const left = token.match(/.{12}/g)?.filter((part) => shown.includes(part));
        expect([whose, left]).toEqual([whose, []]);
      }
    });

    test.each([
      'IGNORE_DUPLICATE_KEYS_V2',
      'EAA',
      'the post 1234567890123456_122100000000000001',
      '17841400000000001|IMAGE',
      'QVFIUm5Ta1ZAd3pXZAGQ4bTdzV0x5',
      'Invalid OAuth access token: Session has expired',
      'error code: 190, subcode 463',
      'AES_PIIGBAABAAAAAA',
    ])('and leaves what is none: %s', (text) => {
      expect(createRedact([])(text)).toBe(text);
    });
  });

  test('leaves the cursor of a link', () => {
    const link = 'https://graph.test/1/feed?limit=25&until=17&__paging_token=enc_Ad12&__previous=1';
    expect(createRedact(['EAAB12345'])({ next: link })).toEqual({ next: link });
  });

  test('masks a name only where it holds a whole secret of 8 characters or more', () => {
    const shown = createRedact(['status', 'CODE', 'longer-one'])({
      status: 'status',
      code: 'a CODE',
      'x-longer-one': 1,
    });

    expect(shown).toEqual({ status: '[secret]', code: 'a [secret]', 'x-[secret]': 1 });
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

  test('leaves what is encoded thousands of times, one in the other', () => {
    const text = `%${'25'.repeat(30_000)}`;
    expect(redact(text) === text).toBe(true);
  });

  test('shows no more than 65,536 characters, in however many texts', () => {
    const [first, second, third] = createRedact([])(['a'.repeat(40_000), 'b'.repeat(40_000), 'c']);

    expect(first).toBe('a'.repeat(40_000));
    expect(second).toMatch(/^b{25000,25536}\[…\]$/);
    expect(third).toBe('[…]');
  });

  test('finds a secret that begins within what looks like its beginning', () => {
    const repeated = `${'ab'.repeat(8)}-tail-of-it`;

    expect(createRedact([repeated])(`ab${repeated}.`)).toBe('ab[secret].');
  });

  test('finds a secret behind letters that have two in lower case', () => {
    expect(createRedact(['EAAB1234567890'])('İİİ EAAB1234567890 İ')).toBe('İİİ [secret] İ');
  });

  test('ends at a depth that no response has', () => {
    const deep = JSON.parse(`${'['.repeat(100_000)}"x"${']'.repeat(100_000)}`) as unknown;

    expect(JSON.stringify(redact(deep))).toContain('[…]');
  });

  const slow = [
    '\\',
    '%',
    '&',
    ';',
    'a',
    '%25',
    '%3',
    '&amp;',
    '&#38;#38;',
    '\\u005c',
    'OAuth ',
    'access_token',
    'code',
  ];
  const texts = ['EAAB/odd+token=', ...slow].map((unit) => unit.repeat(100_000 / unit.length));

  test.each(
    ['EAAB/odd+token=', ...slow].flatMap((unit) => [
      unit.repeat(40),
      unit.repeat(20_000),
      `b${unit.repeat(2000)}`,
    ]),
  )('takes no longer for any secret, in any text: %.40s', { tags: 'long' }, (hard) => {
    const redactHard = createRedact([hard]);
    const started = performance.now();
    for (const text of texts) redactHard(text);
    // A fraction of a second where nothing else runs. A search that goes back would take minutes.
    expect(performance.now() - started).toBeLessThan(60_000);
  });
});

describe('a secret made of punctuation', () => {
  const odd = [
    ...[
      '\\',
      '%',
      '&',
      '+',
      '/',
      '"',
      ';',
      '<',
      '#',
      '=',
      ' ',
      '|',
      '&amp;',
      '%25',
      '\\u005c',
      '\\"',
      '%5C',
      'ä',
    ].flatMap((unit) => [unit.repeat(28), unit.repeat(40)]),
    '/+=&%#?<>"\'\\|~!@$^*()[]{};:,.`',
    '%41%42%43\\%2B',
    '\\a\\/b\\\\"c\\',
  ];
  const ways: Readonly<Record<string, (text: string) => string>> = {
    'as it is': (text) => text,
    'in an address': encodeURIComponent,
    'in a form': (text) => new URLSearchParams([['', text]]).toString().slice(1),
    'in JSON': (text) => JSON.stringify(text).slice(1, -1),
    'in JSON as PHP writes it': (text) => JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/'),
    'in JSON, each sign escaped': (text) =>
      text.replaceAll(/\W/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
    'in HTML': (text) => text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`),
    'in HTML by name': (text) =>
      text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
    'in HTML, each sign escaped': (text) =>
      text.replaceAll(/\W/gu, (sign) => `&#x${(sign.codePointAt(0) ?? 0).toString(16)};`),
  };

  test.each(odd)('is masked in every form, and in forms of forms: %s', { tags: 'long' }, (value) => {
    const redact = createRedact([value]);
    for (const [outer, wrap] of Object.entries(ways)) {
      for (const [inner, write] of Object.entries(ways)) {
        // Backslashes that JSON puts around it can stay, and one of nothing else is there twice in JSON.
        const shown = redact(`«${wrap(write(value))}»`).replaceAll(/\\|(?<=\])\[secret\]/g, '');
        expect([outer, inner, shown]).toEqual([outer, inner, '«[secret]»']);
      }
    }
  });

  test('is masked in any two forms, whatever it is', { tags: 'long' }, () => {
    const sign = fc.constantFrom(...'\\%&;#"/+ uUxX0123456789abcdefABCDEFampltquot=<>é€'.split(''));
    fc.assert(
      fc.property(
        fc.string({ unit: sign, minLength: 8, maxLength: 24 }),
        fc.constantFrom(...Object.values(ways)),
        fc.constantFrom(...Object.values(ways)),
        (value, wrap, write) => {
          const secret = `CNRY${value}`;
          expect(createRedact([secret])(`«${wrap(write(secret))}»`)).toContain('[secret]');
        },
      ),
      { numRuns: 3000 },
    );
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

  test('whatever comes before it, in letters of any case', () => {
    const ends = ['token', 'secret', '_proof', 'authorization', 'cookie'];
    const cased = (end: string) =>
      fc.mixedCase(fc.constant(end), { toggleCase: (letter) => letter.toUpperCase() });
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), fc.constantFrom(...ends).chain(cased), (start, end) => {
        expect(isSecretName(`${start}${end}`)).toBe(!/__paging_token$/i.test(`${start}${end}`));
      }),
    );
  });
});

describe('secretsIn', () => {
  test.each<[string, unknown]>([
    ['a text', { access_token: 'EAABone12345' }],
    ['a list', { access_token: ['EAABone12345', 'EAABtwo12345'] }],
    ['an object', { token: { value: 'EAABone12345' } }],
    ['an object in a list', { json: { client_secret: [{ deep: ['EAABone12345'] }] } }],
    ['a text with commas', { access_token: 'EAABone12345,EAABtwo12345' }],
    ['an object that is JSON already', { query: { filter: '{"token":{"value":"EAABone12345"}}' } }],
    ['a list in JSON', { form: { x: '{"access_token":["EAABone12345","EAABtwo12345"]}' } }],
    ['a list in JSON in a body', { data: '{"access_token":["EAABone12345","EAABtwo12345"]}' }],
    ['what stands below a header', { authorization: 'Bearer EAABone12345' }],
  ])('finds %s', (_, request) => {
    expect(secretsIn(request)).toContain('EAABone12345');
    if (JSON.stringify(request).includes('two')) expect(secretsIn(request)).toContain('EAABtwo12345');
  });

  test('takes numbers, and nothing that stands for itself', () => {
    const found = secretsIn({ token: [1234567890, true, null, 12345678901234567890n], count: 7n });

    expect(found).toContain('1234567890');
    expect(found).toContain('12345678901234567890');
    expect(found).not.toContain('true');
  });
});
