import { runInNewContext } from 'node:vm';

import { describe, expect, test } from 'vitest';

import { causeOf, describeCause, isUnsent } from '../../../src/core/http/calls.ts';

function failure(code: string): Error {
  return new TypeError('fetch failed', { cause: Object.assign(new Error('connect'), { code }) });
}

describe('isUnsent', () => {
  test.each(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT', 'ConnectionRefused'])(
    '%s was not sent',
    (code) => {
      expect(isUnsent(failure(code))).toBe(true);
      expect(isUnsent(Object.assign(new Error('x'), { code }))).toBe(true);
      expect(isUnsent(new Error('outer', { cause: failure(code) }))).toBe(true);
    },
  );

  test.each(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_HEADERS_TIMEOUT', 'ETIMEDOUT', ''])(
    '%s may have been',
    (code) => {
      expect(isUnsent(failure(code))).toBe(false);
    },
  );

  test('a port to which fetch never connects was not reached', async () => {
    const refused = fetch('http://127.0.0.1:9', { method: 'POST', body: '{}' });

    expect(isUnsent(await refused.catch((thrown: unknown) => thrown))).toBe(true);
  });

  test('is told of errors of another realm', () => {
    const foreign: unknown = runInNewContext(
      "new TypeError('fetch failed', { cause: Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }) })",
    );
    expect(isUnsent(foreign)).toBe(true);
    expect(describeCause(foreign)).toBe('fetch failed: connect');
  });

  test('of a refused address that has two is told as well', () => {
    const both = Object.assign(new AggregateError([failure('ECONNREFUSED')], ''), { code: 'ECONNREFUSED' });
    expect(isUnsent(new TypeError('fetch failed', { cause: both }))).toBe(true);
  });

  test.each([[undefined], [null], [''], [' '], [7], [{}]])('%j says nothing', (thrown) => {
    expect(isUnsent(thrown)).toBe(false);
    expect(describeCause(thrown)).toBe('no reason was given');
  });

  test('a text that is thrown, or a cause, is told, but is no code', () => {
    expect(isUnsent('ECONNREFUSED')).toBe(false);
    expect(describeCause('the tunnel is down')).toBe('the tunnel is down');
    const error = new TypeError('fetch failed', { cause: 'the tunnel is down' });
    expect(describeCause(error)).toBe('fetch failed: the tunnel is down');
    expect(causeOf(error)).toEqual({ name: 'Error', message: 'the tunnel is down' });
  });

  test('ends where causes go round', () => {
    const error = new Error('round');
    error.cause = error;
    expect(isUnsent(error)).toBe(false);
    expect(describeCause(error)).toBe('round');
  });
});

describe('describeCause', () => {
  test('says each thing once', () => {
    expect(describeCause(failure('ECONNRESET'))).toBe('fetch failed: connect');
    expect(describeCause(new Error('a', { cause: new Error('a', { cause: new Error('b') }) }))).toBe('a: b');
    expect(describeCause(Object.assign(new Error(''), { code: 'EPIPE' }))).toBe('EPIPE');
  });
});

describe('causeOf', () => {
  test('is the innermost that says something, as plain data', () => {
    expect(causeOf(failure('ECONNRESET'))).toEqual({ name: 'Error', code: 'ECONNRESET', message: 'connect' });
    expect(causeOf(new TypeError('Failed to fetch'))).toEqual({
      name: 'TypeError',
      message: 'Failed to fetch',
    });
    expect(causeOf(new Error('outer', { cause: new Error('') }))).toEqual({
      name: 'Error',
      message: 'outer',
    });
    const both = Object.assign(new AggregateError([], ''), { code: 'ECONNREFUSED' });
    expect(causeOf(both)).toEqual({ name: 'AggregateError', code: 'ECONNREFUSED', message: 'ECONNREFUSED' });
  });

  test('takes nothing but texts', () => {
    const thrown = { name: { toString: 1 }, message: 'no', code: Symbol('x') };
    expect(causeOf(thrown)).toEqual({ name: 'Error', message: 'no' });
  });

  test.each([[undefined], [null], [''], [7], [{}], [{ message: 5 }]])('%j has none', (thrown) => {
    expect(causeOf(thrown)).toBeUndefined();
  });
});

test('what ky wraps a failure in is left out: it only quotes the address', () => {
  const cause = new TypeError('fetch failed', { cause: new Error('read ECONNRESET') });
  const wrapped = Object.assign(new Error('GET https://graph.test/v26.0/42', { cause }), {
    name: 'NetworkError',
  });

  expect(describeCause(wrapped)).toBe('fetch failed: read ECONNRESET');
  expect(causeOf(wrapped)).toEqual({ name: 'Error', message: 'read ECONNRESET' });
  expect(
    causeOf(Object.assign(new Error('GET https://graph.test'), { name: 'NetworkError' })),
  ).toBeUndefined();
});
