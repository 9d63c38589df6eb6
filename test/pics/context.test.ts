import { expect, test } from 'vitest';

import { createPicsClientFromEnv, createPicsClientViaPages } from '../../src/pics/client.ts';
import {
  createPicsContext,
  createPicsContextFromEnv,
  createPicsContextViaPages,
} from '../../src/pics/context.ts';
import { json, requestsTo, stubFetch } from '../core/stub.ts';
import { graphBase, picsGraphBase, platform } from '../support/context.ts';

test('login mode speaks to the photo-sharing graph, and takes empty keys', () => {
  for (const keys of [{}, { appId: '', appSecret: '' }, { appId: '1', appSecret: 's' }]) {
    expect(createPicsContext({ ...keys, platform })._unsafeUnwrap()).toMatchObject({
      mode: 'login',
      graphBase: picsGraphBase,
    });
  }
});

test('page mode speaks to the page graph, and needs no app id', () => {
  const context = createPicsContextViaPages({ appSecret: 's', platform })._unsafeUnwrap();

  expect(context).toMatchObject({ mode: 'page', graphBase });
  expect(context.secret).toBe('s');
});

test.each([[{}], [{ appSecret: '' }], [{ appSecret: 7 }]])('page mode needs the secret: %j', (options) => {
  const bad = options as { readonly appSecret: string };
  const failure = { name: 'ConfigurationError', option: 'appSecret' };

  expect(createPicsContextViaPages(bad)._unsafeUnwrapErr()).toMatchObject(failure);
  expect(() => createPicsClientViaPages(bad)).toThrow(expect.objectContaining(failure));
});

test.each(['valueOf', 'constructor', 'toString'])(
  'an unknown option by the name %s, which every object has, is named',
  (name) => {
    // What callers in JavaScript pass.
    const options = { env: {}, [name]: 'x' } as object;

    expect(createPicsContextFromEnv(options)._unsafeUnwrapErr()).toMatchObject({
      name: 'ConfigurationError',
      option: name,
    });
  },
);

test('what is no variable reaches the context beside the environment', async () => {
  const fetch = stubFetch(json({ id: '7', username: 'harbour' }));
  const env = { PICS_APP_ID: '1', PICS_APP_SECRET: 's' };
  const options = { env, fetch, platform, retry: { attempts: 7 } };

  expect(createPicsContextFromEnv(options)._unsafeUnwrap()).toMatchObject({
    appId: '1',
    retry: { attempts: 7 },
  });
  expect(createPicsContextFromEnv({ ...options, timeoutMs: 0 })._unsafeUnwrapErr()).toMatchObject({
    option: 'timeoutMs',
  });
  const profile = await createPicsClientFromEnv(options).profile({ token: 'token' });
  expect(profile.username).toBe('harbour');
  expect(requestsTo(fetch)).toHaveLength(1);
});
