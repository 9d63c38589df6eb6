import { describe, expect, test } from 'vitest';

import { addressOf, isSameOrigin, path, pathOf, toForm, toQuery } from '../../../src/core/http/addresses.ts';
import { readContent } from '../../../src/core/http/exchange.ts';
import * as rule from '../../../src/core/options/rules.ts';
import { anyCharacter, fc } from '../../support/property.ts';
import { faultIn } from '../../support/rules.ts';

const base = 'https://graph.test/v26.0';

describe('path', () => {
  test.each([
    ['42', '42/feed'],
    ['../me', '..%2Fme/feed'],
    ['//evil.test', '%2F%2Fevil.test/feed'],
    ['a?b#c', 'a%3Fb%23c/feed'],
    ['a\\b', 'a%5Cb/feed'],
    ['ä 😀', '%C3%A4%20%F0%9F%98%80/feed'],
  ])('keeps %s within its segment', (pageId, expected) => {
    expect(path`${pageId}/feed`).toBe(expected);
  });

  test('keeps any id that is allowed within its segment', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: anyCharacter }), fc.constantFrom('..', '.', '%2e%2e', '../..', '%2F')),
        (pageId) => {
          fc.pre(faultIn(rule.id, pageId) === undefined);
          const { origin, pathname, search, hash } = new URL(addressOf(base, { path: path`${pageId}/feed` }));
          expect({ origin, search, hash }).toEqual({ origin: 'https://graph.test', search: '', hash: '' });
          expect(pathname.split('/')).toEqual(['', 'v26.0', encodeURIComponent(pageId), 'feed']);
        },
      ),
    );
  });
});

describe('addressOf', () => {
  test.each([
    [{ path: '42' }, `${base}/42`],
    [{ path: '/42' }, `${base}/42`],
    [{ path: '//evil.test/42' }, `${base}/evil.test/42`],
    [
      { path: '42', query: { a: 'b c', d: undefined, e: null, f: 0, g: false, h: '' } },
      `${base}/42?a=b%20c&f=0&g=false&h=`,
    ],
    [{ path: '42?x=1', query: { a: 1 } }, `${base}/42?x=1&a=1`],
    [{ path: 'HTTPS://other.test/42', query: { a: 1 } }, 'HTTPS://other.test/42?a=1'],
    [{ path: 'ftp://other.test' }, `${base}/ftp://other.test`],
    [{ path: '42', query: { token: 'a|b&c' } }, `${base}/42?token=a%7Cb%26c`],
  ])('%j', (request, address) => {
    expect(addressOf(base, request)).toBe(address);
  });
});

test.each([
  ['https://a.test/x?y#z', true],
  ['HTTPS://A.TEST', true],
  ['https://a.test:443/', true],
  ['http://a.test/', false],
  ['https://a.test:444/', false],
  ['https://a.test.evil.test/', false],
  ['https://user@a.test/', false],
  ['https://:pass@a.test/', false],
  ['//a.test/', false],
  ['/x', false],
  ['', false],
])('%j is of the origin of https://a.test/v26.0: %j', (address, expected) => {
  expect(isSameOrigin(address, 'https://a.test/v26.0')).toBe(expected);
});

test('a query is read by URLSearchParams as it was written', () => {
  fc.assert(
    fc.property(
      fc.dictionary(
        fc.string({ unit: anyCharacter }),
        fc.oneof(fc.string({ unit: anyCharacter }), fc.integer()),
      ),
      (values) => {
        const form = new URLSearchParams();
        for (const [name, value] of Object.entries(values)) form.append(name, String(value));
        expect([...new URLSearchParams(toQuery(values))]).toEqual([...form]);
        expect(toQuery(values)).toMatch(/^[\w.*&=%!'()~-]*$/);
        expect([...toForm(values)]).toEqual([...form]);
      },
    ),
  );
});

test.each([
  ['as it is', '&'],
  ['as an escape', String.raw`\u0026`],
])('links lose their token and proof where JSON writes the ampersand %s', (_, and) => {
  const link = String.raw`https:\/\/a.example\/x?limit=1&access_token=EAAO\u0041B&appsecret_proof=1f&after=Z`;
  const body = `{"paging":{"next":"${link.replaceAll('&', and)}"}}`;
  expect(readContent(body, 'EAAOAB', undefined).body).toEqual({
    paging: { next: 'https://a.example/x?limit=1&after=Z' },
  });
});

describe('pathOf', () => {
  test('is what a URL says of any address', () => {
    const piece = fc.constantFrom(
      '/',
      '.',
      '..',
      '42_7',
      'v26.0',
      '%2e',
      '%41',
      '?',
      '#',
      '\\',
      ' ',
      'ä',
      '@',
      ':80',
      '//',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const address = `https://graph.test${pieces.join('')}`;
        fc.pre(URL.canParse(address));
        expect(pathOf(address)).toBe(new URL(address).pathname);
      }),
    );
  });

  test.each([
    ['https://graph.test/v26.0/42/feed?fields=id', '/v26.0/42/feed'],
    ['http://127.0.0.1:80/v26.0/../me', '/me'],
    ['https://graph.test', '/'],
  ])('of %s is %s', (address, expected) => {
    expect(pathOf(address)).toBe(expected);
  });
});
