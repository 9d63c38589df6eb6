import { err, ok } from 'neverthrow';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import {
  createDataDeletionHandler,
  createDeauthorizeHandler,
  parseSignedRequest,
} from '../../src/webhooks/index.ts';
import { appSecret, signRequest } from './support.ts';

const issuedAt = 1_291_836_800;
const said = { algorithm: 'HMAC-SHA256', expires: issuedAt + 3600, issued_at: issuedAt, user_id: '218471' };

beforeEach(() => void vi.useFakeTimers({ now: (issuedAt + 60) * 1000, toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

describe('parseSignedRequest', () => {
  test('refuses the old official sample, which is signed, but names no person', async () => {
    const sample =
      'vlXgu64BQGFSQrY0ZcJBZASMvYvTHu9GQ0YM9rjPSso.eyJhbGdvcml0aG0iOiJITUFDLVNIQTI1NiIsIjAiOiJwYXlsb2FkIn0';

    expect((await parseSignedRequest(sample, 'secret'))._unsafeUnwrapErr().name).toBe('DeliveryError');
    expect((await parseSignedRequest(sample, 'other'))._unsafeUnwrapErr()).toMatchObject({
      reason: 'mismatch',
    });
  });

  test.each([
    [
      'base64url',
      'appsecret',
      'N32LNcvDGXq0GI1jxm-tj1ysJh2uqkNIBcUhUmTp19k.eyJhbGdvcml0aG0iOiJITUFDLVNIQTI1NiIsImV4cGlyZXMiOjEyOTE4NDA0MDAsImlzc3VlZF9hdCI6MTI5MTgzNjgwMCwidXNlcl9pZCI6IjIxODQ3MSJ9',
    ],
    [
      'plain base64, padded, with a token',
      'secret',
      'uLQw26KrDdDhZA+Cbvhjm1Y5SB1LiUej9tAXWWXhb9s=.ewogICAib2F1dGhfdG9rZW4iOiAie3VzZXItYWNjZXNzLXRva2VufSIsCiAgICJhbGdvcml0aG0iOiAiSE1BQy1TSEEyNTYiLAogICAiZXhwaXJlcyI6IDEyOTE4NDA0MDAsCiAgICJpc3N1ZWRfYXQiOiAxMjkxODM2ODAwLAogICAidXNlcl9pZCI6ICIyMTg0NzEiCn0=',
    ],
  ])('reads %s', async (_, secret, text) => {
    const parsed = (await parseSignedRequest(text, ['another', secret]))._unsafeUnwrap();

    expect(parsed).toEqual({
      user_id: '218471',
      issued_at: new Date(issuedAt * 1000),
      expires_at: new Date((issuedAt + 3600) * 1000),
      raw: said,
    });
  });

  test.each([
    ['a number for the person', { ...said, user_id: 12_345 }, { user_id: '12345' }],
    [
      'an id beyond 2^53',
      JSON.stringify(said).replace('"218471"', '12345678901234567'),
      { user_id: '12345678901234567' },
    ],
    ['no end', { ...said, expires: undefined }, { expires_at: undefined }],
    ['0 for the end', { ...said, expires: 0 }, { expires_at: undefined }],
    ['no beginning', { ...said, issued_at: undefined }, { issued_at: undefined }],
    ['an algorithm in lower case', { ...said, algorithm: 'hmac-sha256' }, { user_id: '218471' }],
    ['a code', { ...said, code: 'AQ' }, { raw: said }],
  ])('reads one with %s', async (_, content, expected) => {
    expect((await parseSignedRequest(signRequest(content), appSecret))._unsafeUnwrap()).toMatchObject(
      expected,
    );
  });

  const good = signRequest(said);
  test.each([
    ['missing', '', appSecret],
    ['missing', undefined, appSecret],
    ['malformed', 42, appSecret],
    ['malformed', 'abc', appSecret],
    ['malformed', `${good}.${good}`, appSecret],
    ['malformed', good.replace('.', '!.'), appSecret],
    // The last letter of a signature has two bits to spare.
    ['malformed', good.replace(/.(?=\.)/, 'B'), appSecret],
    ['malformed', signRequest({ ...said, algorithm: 'AES-256-CBC HMAC-SHA256' }), appSecret],
    ['malformed', signRequest({ ...said, algorithm: undefined }), appSecret],
    ['mismatch', good, 'another'],
    ['mismatch', `${good}A`, appSecret],
    ['mismatch', signRequest({ ...said, expires: issuedAt + 60 }), appSecret],
    ['mismatch', signRequest({ ...said, expires: -1 }), appSecret],
  ])('fails as %s: %s', async (reason, text, secret) => {
    const failure = (await parseSignedRequest(text as string, secret))._unsafeUnwrapErr();

    expect(failure).toMatchObject({ name: 'SignatureError', reason });
  });

  test.each([
    'null',
    '[]',
    '"text"',
    '{',
    '{"algorithm":"HMAC-SHA256","user_id":""}',
    '{"algorithm":"HMAC-SHA256","user_id":{}}',
  ])('fails for what is signed, and says nothing of a person: %s', async (content) => {
    const failure = (await parseSignedRequest(signRequest(content), appSecret))._unsafeUnwrapErr();

    expect(['DeliveryError', 'SignatureError']).toContain(failure.name);
    expect(failure.message).not.toContain(appSecret);
  });

  test.each([[''], [[]], [undefined], [['', 'good']], [`${appSecret}\n`]])(
    'needs secrets: %j',
    async (secrets) => {
      expect((await parseSignedRequest(good, secrets as string))._unsafeUnwrapErr()).toMatchObject({
        option: 'secrets',
      });
    },
  );
});

const address = 'https://app.test/deletion';
function post(
  body: BodyInit | undefined = new URLSearchParams({ signed_request: signRequest(said) }),
  type?: string,
) {
  const headers: HeadersInit = type === undefined ? {} : { 'content-type': type };
  return new Request(address, { method: 'POST', body: body ?? null, headers });
}
const form = 'application/x-www-form-urlencoded';
const shown = { url: 'https://example.org/deletion?id=abc123', confirmationCode: 'abc123' };

describe('createDeauthorizeHandler', () => {
  test('calls the hook with the person, and then responds with 200', async () => {
    const onDeauthorize = vi.fn(async () => undefined);
    const response = await createDeauthorizeHandler({ secrets: appSecret, onDeauthorize })(post());

    expect([response.status, await response.text()]).toEqual([200, '']);
    expect(onDeauthorize.mock.calls).toEqual([['218471', expect.objectContaining({ raw: said })]]);
  });

  test('takes each of the secrets', async () => {
    const handler = createDeauthorizeHandler({
      secrets: ['other', appSecret],
      onDeauthorize: () => undefined,
    });

    expect((await handler(post())).status).toBe(200);
  });
});

describe('createDataDeletionHandler', () => {
  test.each([
    ['what the hook returns', () => shown],
    ['what it resolves to', async () => shown],
    ['the value of its Result', async () => ok(shown)],
  ])('responds with %s, in the words of the platform', async (_, onDelete) => {
    const response = await createDataDeletionHandler({ secrets: appSecret, onDelete })(post());

    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toContain('application/json');
    expect(await response.json()).toEqual({ url: shown.url, confirmation_code: 'abc123' });
  });

  test.each([
    ['url', { ...shown, url: 'javascript:alert(1)' }],
    ['url', undefined],
    ['url', { ...shown, url: 'https://' }],
    ['confirmationCode', { url: shown.url }],
    ['confirmationCode', { ...shown, confirmationCode: 'a b' }],
  ])('responds with 500 where the hook returns a wrong %s: %j', async (option, value) => {
    const onError = vi.fn();
    const response = await createDataDeletionHandler({
      secrets: appSecret,
      onDelete: () => value as typeof shown,
      onError,
    })(post());

    expect(response.status).toBe(500);
    expect(onError.mock.calls).toMatchObject([
      [{ name: 'ConfigurationError', option }, { user_id: '218471' }],
    ]);
  });
});

describe.each([
  ['createDeauthorizeHandler', createDeauthorizeHandler, 'onDeauthorize'],
  ['createDataDeletionHandler', createDataDeletionHandler, 'onDelete'],
])('%s', (_, create, name) => {
  const make = (hook: () => unknown = () => shown, more: object = {}) =>
    create({ secrets: appSecret, [name]: hook, ...more } as never);

  test.each([
    [405, 'method', () => new Request(address)],
    [405, 'method', () => new Request(address, { method: 'DELETE' })],
    [415, 'type', () => post(JSON.stringify({ signed_request: signRequest(said) }), 'application/json')],
    [415, 'type', () => post(`signed_request=${signRequest(said)}`, 'text/plain')],
    [415, 'type', () => post(`signed_request=${signRequest(said)}`, `${form}-x`)],
    [
      415,
      'type',
      () => {
        const body = new FormData();
        body.set('signed_request', signRequest(said));
        return post(body);
      },
    ],
    [400, 'body_read', () => post('', form)],
    [400, 'body_read', () => post(null as never, form)],
    [413, 'too_large', () => post(`a=${'b'.repeat(65_536)}&signed_request=${signRequest(said)}`, form)],
    [401, 'missing', () => post('a=b', form)],
    [401, 'missing', () => post('signed_request=', form)],
    [
      401,
      'malformed',
      () => post(`signed_request=${signRequest(said)}&signed_request=${signRequest(said)}`, form),
    ],
    [401, 'malformed', () => post('signed_request[]=a&signed_request=%ff%00', form)],
    [401, 'mismatch', () => post(`signed_request=${signRequest(said, 'other')}`, form)],
    [401, 'expired', () => post(`signed_request=${signRequest({ ...said, expires: issuedAt })}`, form)],
    [400, 'unreadable', () => post(`signed_request=${signRequest({ ...said, user_id: undefined })}`, form)],
    [500, 'no_request', () => ({ method: 'POST', headers: {} }) as Request],
  ])('refuses with %i, %s, and calls no hook', async (status, reason, request) => {
    const [hook, onRejected] = [vi.fn(), vi.fn()];
    const response = await make(hook, { onRejected })(request());

    expect(response.status).toBe(status);
    expect(response.headers.get('allow')).toBe(status === 405 ? 'POST' : null);
    expect(onRejected.mock.calls).toMatchObject([[{ status, reason }, {}]]);
    expect(hook).not.toHaveBeenCalled();
  });

  test.each([
    [
      'throws',
      () => {
        throw new Error('boom');
      },
    ],
    ['rejects', () => Promise.reject(new Error('boom'))],
    ['hands out an Err', () => err(new Error('boom'))],
    ['hangs', () => new Promise(() => undefined)],
  ])('responds with 500 where the hook %s, and tells onError and onRejected', async (_name, hook) => {
    vi.useRealTimers();
    const [onError, onRejected] = [vi.fn(() => Promise.reject(new Error('too'))), vi.fn()];
    const body = `signed_request=${signRequest({ ...said, expires: 0 })}`;
    const response = await make(hook, { onError, onRejected, timeoutMs: 20 })(
      post(body, `${form}; charset=UTF-8`),
    );

    expect(response.status).toBe(500);
    expect(onError.mock.calls).toMatchObject([
      [{ name: expect.stringMatching(/^(Timeout)?Error$/) }, said && {}],
    ]);
    expect(onRejected.mock.calls).toMatchObject([
      [{ reason: 'failed', hint: expect.stringContaining(`${name} failed, see onError`) }, {}],
    ]);
  });

  test.each([
    ['secrets', { secrets: [] }],
    ['secrets', { secrets: `${appSecret}\n` }],
    [name, { [name]: undefined }],
    ['onError', { onError: 1 }],
    ['onRejected', { onRejected: 1 }],
    ['timeoutMs', { timeoutMs: -1 }],
    ['maxBodyBytes', { maxBodyBytes: 0 }],
  ])('cannot be made with a wrong %s', (option, wrong) => {
    expect(() => make(undefined, wrong)).toThrow(
      expect.objectContaining({ name: 'ConfigurationError', option }),
    );
  });

  test('cannot be made without options', () => {
    expect(() => create(undefined as never)).toThrow(expect.objectContaining({ name: 'ConfigurationError' }));
  });
});
