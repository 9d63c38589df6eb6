import { createHmac } from 'node:crypto';

import { afterEach, describe, expect, test, vi } from 'vitest';

import { appSecretProof, createProofCache } from '../../../src/core/http/proof.ts';
import { deletePost } from '../../../src/page/posts.ts';
import { appSecret, pageContext, proof, token } from '../../support/context.ts';
import { signByWebCrypto } from '../../support/sign.ts';
import { json, requestsTo, stubFetch } from '../stub.ts';

signByWebCrypto();

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('appSecretProof', () => {
  test('is the hex HMAC-SHA256 of the token, keyed by the secret', async () => {
    for (const [value, key] of [
      [token, appSecret],
      ['ä|1', 'ß 😀'],
    ] as const) {
      const expected = createHmac('sha256', key).update(value).digest('hex');
      expect((await appSecretProof(value, key))._unsafeUnwrap()).toBe(expected);
    }
    expect((await appSecretProof(token, appSecret))._unsafeUnwrap()).toBe(proof);
  });

  test.each([
    ['token', '', 's'],
    ['secret', 't', ''],
    ['token', undefined, 's'],
    ['secret', 't', 7],
  ])('refuses a bad %s', async (option, value, key) => {
    const error = (await appSecretProof(value as string, key as string))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ConfigurationError', option });
  });

  test('says so where there is nothing to sign with', async () => {
    vi.stubGlobal('crypto', undefined);

    expect((await appSecretProof('t', 's'))._unsafeUnwrapErr().message).toContain('Web Crypto');
    const fetch = stubFetch(json({ success: true }));
    const error = (
      await deletePost(pageContext({ fetch }), { postId: '1', pageToken: 't' })
    )._unsafeUnwrapErr();
    expect(error).toMatchObject({ name: 'TransportError', outcome: 'rejected' });
    expect(fetch).not.toHaveBeenCalled();
  });

  test('is that of each token, however many there are', { tags: 'long' }, async () => {
    const fetch = stubFetch(json({ success: true }));
    const context = pageContext({ fetch });

    for (let round = 0; round < 2; round++) {
      for (let index = 0; index < 1005; index++)
        await deletePost(context, { postId: '1', pageToken: `t${index}` });
    }

    for (const { url } of requestsTo(fetch)) {
      const query = new URL(url).searchParams;
      const expected = createHmac('sha256', appSecret)
        .update(String(query.get('access_token')))
        .digest('hex');
      expect(query.get('appsecret_proof')).toBe(expected);
    }
    expect(fetch).toHaveBeenCalledTimes(2010);
  });
});

afterEach(() => {
  vi.restoreAllMocks();
});

test('signs each token once, by a key that is imported once', async () => {
  const sign = vi.spyOn(crypto.subtle, 'sign');
  const importKey = vi.spyOn(crypto.subtle, 'importKey');
  const proofOf = createProofCache('s1');

  for (const token of ['t1', 't2', 't1']) {
    expect(await proofOf(token)).toBe(createHmac('sha256', 's1').update(token).digest('hex'));
  }
  expect(sign).toHaveBeenCalledTimes(2);
  expect(importKey).toHaveBeenCalledOnce();
});

test('forgets the oldest of ten thousand, and no other', { tags: 'long' }, async () => {
  const proofOf = createProofCache('secret');
  for (let index = 0; index <= 10_000; index++) await proofOf(`token-${index}`);
  const sign = vi.spyOn(crypto.subtle, 'sign');

  for (let index = 10_000; index >= 1; index--) await proofOf(`token-${index}`);
  expect(sign).not.toHaveBeenCalled();
  await proofOf('token-0');
  expect(sign).toHaveBeenCalledOnce();
});
