import { runInNewContext } from 'node:vm';

import { describe, expect, onTestFinished, test, vi } from 'vitest';

import { causeOf, describeCause, isUnsent } from '../../../src/core/http/networkFailure.ts';

function failure(code: string): Error {
  return new TypeError('fetch failed', { cause: Object.assign(new Error('connect'), { code }) });
}

/** What Node's `fetch` fails with. */
function refused(address: string, port: number, code = 'ECONNREFUSED'): Error {
  return Object.assign(new Error(`connect ${code}`), { code, syscall: 'connect', address, port });
}

function unknownName(hostname: string, code = 'ENOTFOUND'): Error {
  return Object.assign(new Error(`getaddrinfo ${code}`), { code, syscall: 'getaddrinfo', hostname });
}

function both(...errors: readonly Error[]): Error {
  return Object.assign(new AggregateError(errors, ''), { code: 'ECONNREFUSED' });
}

describe('isUnsent', () => {
  test.each([
    ['https://graph.test/v26.0/42', refused('10.0.0.1', 443)],
    ['http://graph.test/v26.0/42', refused('::1', 80)],
    ['http://127.0.0.1:8080/v26.0/42', refused('127.0.0.1', 8080)],
    ['http://[::1]:8080/v26.0/42', refused('::1', 8080)],
    ['https://graph.test/42', both(refused('10.0.0.1', 443), refused('10.0.0.2', 443))],
    ['https://graph.test/42', both(refused('::2', 443, 'ENETUNREACH'), refused('10.0.0.2', 443))],
    ['https://graph.test/42', unknownName('graph.test')],
    ['https://graph.test/42', unknownName('graph.test', 'EAI_AGAIN')],
  ])('%s failed before anything was sent: %s', (address, cause) => {
    expect(isUnsent(new TypeError('fetch failed', { cause }), address)).toBe(true);
  });

  test.each([
    ['https://graph.test/42', refused('10.0.0.1', 80)],
    ['http://127.0.0.1:8080/42', refused('127.0.0.2', 8080)],
    ['http://[::1]:8080/42', refused('127.0.0.1', 8080)],
    ['https://graph.test/42', refused('10.0.0.1', 443, 'ECONNRESET')],
    ['https://graph.test/42', refused('10.0.0.1', 443, 'ETIMEDOUT')],
    ['https://graph.test/42', both(refused('10.0.0.1', 443), refused('10.0.0.2', 80))],
    ['https://graph.test/42', both()],
    ['https://graph.test/42', unknownName('audit.test')],
    ['https://graph.test/42', unknownName('graph.test', 'EIO')],
    ['https://graph.test/42', Object.assign(new Error('x'), { code: 'ECONNREFUSED' })],
    ['https://graph.test/42', Object.assign(new Error('x'), { code: 'UND_ERR_CONNECT_TIMEOUT' })],
    ['https://graph.test/42', new Error('bad port')],
  ])('%s may have been reached: %s', (address, cause) => {
    expect(isUnsent(new TypeError('fetch failed', { cause }), address)).toBe(false);
  });

  /** What undici makes of a proxy that gave no tunnel: its own error is at the end. */
  const noTunnel = (code: string, message: string): Error =>
    Object.assign(new Error('Request was cancelled.'), {
      cause: Object.assign(new Error(message), { code }),
    });

  test.each([
    [noTunnel('UND_ERR_ABORTED', 'Proxy response (403) !== 200 when HTTP Tunneling'), true],
    [noTunnel('UND_ERR_PRX_CONN', 'Proxy Connection failed'), true],
    [noTunnel('UND_ERR_PRX_TLS', 'Secure Proxy Connection failed'), true],
    [noTunnel('UND_ERR_ABORTED', 'Request aborted'), false],
    [noTunnel('UND_ERR_ABORTED', 'a log: Proxy response (403) !== 200 when HTTP Tunneling'), false],
    [noTunnel('ECONNRESET', 'Proxy response (403) !== 200 when HTTP Tunneling'), false],
    [noTunnel('UND_ERR_SOCKET', 'other side closed'), false],
  ])('%s: %s', (cause, is) => {
    expect(isUnsent(new TypeError('fetch failed', { cause }), 'https://graph.test/42')).toBe(is);
  });

  test.each([
    ['HTTPS_PROXY', 'http://user:word@10.0.0.9:3128', refused('10.0.0.9', 3128), true],
    ['https_proxy', 'http://proxy.test:3128', refused('10.0.0.9', 3128), true],
    ['HTTP_PROXY', 'http://proxy.test', refused('10.0.0.9', 80), true],
    ['HTTPS_PROXY', 'http://proxy.test:3128', unknownName('proxy.test'), true],
    ['HTTPS_PROXY', 'http://proxy.test:3128', refused('10.0.0.9', 3129), false],
    ['HTTPS_PROXY', 'http://proxy.test:3128', refused('10.0.0.9', 3128, 'ECONNRESET'), false],
    ['HTTPS_PROXY', 'proxy.test', refused('10.0.0.9', 3128), false],
    ['AUDIT_PROXY', 'http://10.0.0.9:3128', refused('10.0.0.9', 3128), false],
  ])('a proxy of the variable %s, %s: %s is no connection to it: %s', (name, value, cause, is) => {
    vi.stubEnv(name, value);
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(isUnsent(new TypeError('fetch failed', { cause }), 'https://graph.test/42')).toBe(is);
  });

  test('is told of errors of another realm', () => {
    const foreign: unknown = runInNewContext(
      "new TypeError('fetch failed', { cause: Object.assign(new Error('connect'), { code: 'ECONNREFUSED', syscall: 'connect', address: '::1', port: 443 }) })",
    );
    expect(isUnsent(foreign, 'https://graph.test/42')).toBe(true);
    expect(describeCause(foreign)).toBe('fetch failed: connect');
  });

  test.each([[undefined], [null], [''], [7], [{}], ['ECONNREFUSED']])('%j says nothing', (thrown) => {
    expect(isUnsent(thrown, 'https://graph.test/42')).toBe(false);
  });
});

describe('describeCause', () => {
  test.each([[undefined], [null], [''], [' '], [7], [{}]])('finds no reason in %j', (thrown) => {
    expect(describeCause(thrown)).toBe('no reason was given');
  });

  test('tells a text that is thrown, or is a cause', () => {
    expect(describeCause('the tunnel is down')).toBe('the tunnel is down');
    const error = new TypeError('fetch failed', { cause: 'the tunnel is down' });
    expect(describeCause(error)).toBe('fetch failed: the tunnel is down');
    expect(causeOf(error)).toEqual({ name: 'Error', message: 'the tunnel is down' });
  });

  test('ends where causes go round', () => {
    const error = new Error('round');
    error.cause = error;
    expect(describeCause(error)).toBe('round');
  });

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
