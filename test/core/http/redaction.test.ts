import { inspect } from 'node:util';

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import type { Hooks } from '../../../src/core/http/hooks.ts';
import { methodOf } from '../../../src/core/http/methods.ts';
import { appSecretProof } from '../../../src/core/http/proof.ts';
import { afterResponse } from '../../../src/core/http/retry.ts';
import { send } from '../../../src/core/http/send.ts';
import { paginate } from '../../../src/core/lowLevel/paginate.ts';
import { get, post, type RequestOptions } from '../../../src/core/lowLevel/request.ts';
import { createdSchema } from '../../../src/models/fields.ts';
import { createPageClient } from '../../../src/page/client.ts';
import { createPageContext } from '../../../src/page/context.ts';
import { publishPost } from '../../../src/page/posts.ts';
import { createPicsContext, createPicsContextViaPages } from '../../../src/pics/context.ts';
import { pageContext, newCall } from '../../support/context.ts';
import { json, networkFailure, type Step, stubFetch, text } from '../stub.ts';

const secrets = {
  token: 'CANARY-token/1+a=b',
  appSecret: 'CANARY-app secret&2',
  licenseKey: 'CANARY-license-3',
  code: 'CANARY-code-4#_=_',
  input: 'CANARY-input-5',
};
const proof = (await appSecretProof(secrets.token, secrets.appSecret))._unsafeUnwrap();
const all = [...Object.values(secrets), proof];

/** Everything that anyone could see of a value. */
function shown(value: unknown): string {
  const own = typeof value === 'object' && value !== null ? value : {};
  return [
    inspect(value, { depth: 20, showHidden: true }),
    String(JSON.stringify(value)),
    JSON.stringify({ ...own }),
    String(value instanceof Error ? `${value.message} ${value.stack} ${String(value.cause)}` : ''),
  ].join('\n');
}

/** Every character but letters and digits as nginx and others log it. */
function escaped(secret: string): string {
  return secret.replaceAll(/\W/g, (sign) => `\\x${sign.charCodeAt(0).toString(16)}`);
}

function expectClean(value: unknown): void {
  const all = shown(value).replaceAll(/\\+(?:x00|u0000|0)|\0/g, '');
  expect(all).not.toMatch(/CANARY/i);
  expect(all).not.toContain(proof);
}

const logged: unknown[][] = [];

beforeEach(() => {
  for (const method of ['log', 'warn', 'error', 'info', 'debug'] as const) {
    vi.spyOn(console, method).mockImplementation((...args) => void logged.push(args));
  }
});

afterEach(() => {
  vi.restoreAllMocks();
  expect(logged.splice(0)).toEqual([]);
});

const echo = all.join(' | ');
const inQuery = all.map((secret) => encodeURIComponent(secret)).join('&');
const inForm = new URLSearchParams(all.map((secret, index) => [`k${index}`, secret])).toString();
const inJson = JSON.stringify(echo);

const responses: readonly (readonly [string, Step])[] = [
  ['the message', json({ error: { code: 190, message: `Dead: ${echo}` } }, 400)],
  [
    'every field',
    json(
      {
        error: {
          code: 200,
          message: 'No',
          type: echo,
          fbtrace_id: echo,
          error_user_title: echo,
          error_user_msg: echo,
          error_data: { deep: [{ [echo]: echo }] },
        },
      },
      403,
    ),
  ],
  ['a query', json({ error: { code: 4, message: `GET /v26.0/me?${inQuery}` } }, 403)],
  ['a form', json({ error: { code: 2, message: inForm } }, 500)],
  ['a nested JSON text', json({ error: { code: 100, message: 'No', error_data: inJson } }, 400)],
  ['HTML', text(`<h1>${echo}</h1>`, 502)],
  ['truncated JSON', text(`{"error":{"message":${inJson}`, 400)],
  [
    'UTF-16',
    () => new Response(new Uint8Array(Buffer.from(`\ufeff{"error":${inJson}}`, 'utf16le')), { status: 400 }),
  ],
  ['hexadecimal escapes', text(all.map(escaped).join(' | '), 400)],
  ['a text that is cut', text(`${'x'.repeat(190)}${echo}`, 400)],
  [
    'the headers',
    json({ error: { code: 100, message: 'No' } }, 400, {
      'x-fb-trace-id': `${secrets.token} ${proof}`,
      'facebook-api-version': secrets.token,
      'retry-after': secrets.token,
      'x-app-usage': secrets.token,
    }),
  ],
  [
    'a redirect',
    text('', 302, {
      location: `https://evil.test/${secrets.token}/${encodeURIComponent(secrets.token)}?${inQuery}`,
    }),
  ],
  ['a success of the wrong shape', json({ [echo]: echo, paging: { next: `https://x.test/?${inQuery}` } })],
  ['success: false', json({ success: false, reason: echo })],
  ['the network failure', networkFailure('ECONNRESET', `https://graph.test/?${inQuery} ${echo}`)],
  [
    'a thrown text',
    () => {
      throw echo;
    },
  ],
  [
    'a failure with the request on it',
    (request) => {
      throw Object.assign(new Error(`${request.url}`), { request, config: { url: request.url } });
    },
  ],
];

/** Where callers put secrets into a low-level request. */
const body = {
  access_token: secrets.token,
  appsecret_proof: proof,
  input_token: secrets.input,
  code: secrets.code,
};
const form = new FormData();
for (const [name, value] of Object.entries(body)) form.append(name, value);
const places: readonly RequestOptions[] = [
  { params: body },
  { data: body },
  { data: new URLSearchParams(body) },
  { data: form },
  { data: new URLSearchParams(body).toString() },
  { data: { batch: [{ body: { ...body } }] } },
  { data: { batch: JSON.stringify([{ relative_url: `me?${new URLSearchParams(body)}` }]) } },
  { json: body },
  { json: { deep: [{ ...body }] } },
  { json: Object.fromEntries(Object.entries(body).map(([name, value]) => [name, { value }])) },
  { json: Object.fromEntries(Object.entries(body).map(([name, value]) => [name, [[value], 'x']])) },
  { params: Object.fromEntries(Object.entries(body).map(([name, value]) => [name, [value, 'x']])) },
  { data: Object.fromEntries(Object.entries(body).map(([name, value]) => [name, { value }])) },
  { data: new URLSearchParams([...Object.entries(body), ...Object.entries(body)]) },
  {
    headers: {
      Authorization: `OAuth ${secrets.token}`,
      'x-code-token': secrets.code,
      cookie: secrets.input,
    },
    params: { appsecret_proof: proof },
  },
];

describe.each(responses.map(([name, step], turn) => [name, step, turn] as const))(
  'echoed in %s',
  (_, step, turn) => {
    function hooked() {
      const seen: unknown[] = [];
      const hooks: Hooks = { onResponse: (event) => seen.push(event), onRetry: (event) => seen.push(event) };
      const context = createPageContext({
        appId: '1',
        appSecret: secrets.appSecret,
        licenseKey: secrets.licenseKey,
        fetch: stubFetch(step),
        retry: { baseDelayMs: 0 },
        ...hooks,
      })._unsafeUnwrap();
      return { context, seen };
    }

    test('no secret is in the error, nor in what the hooks are told', async () => {
      for (const method of ['GET', 'POST', 'DELETE']) {
        const { context, seen } = hooked();
        const result = await send(context, {
          ...newCall(),
          method: methodOf(method),
          path: '42/feed',
          token: secrets.token,
          secrets: [secrets.code, secrets.input],
          schema: createdSchema,
          mayRepeat: afterResponse,
        });
        expectClean(result._unsafeUnwrapErr());
        expectClean(seen);
      }
    });

    // Every day a fourth of the places, another one than of the next response.
    test('nor where the caller put them into a low-level request', async () => {
      await putInto(places.filter((_place, at) => (at + turn) % 4 === 0));
      const { context, seen } = hooked();
      const result = await get(context, `42/feed?${new URLSearchParams(body)}`);
      if (result.isErr()) expectClean(result.error);
      const listed = await paginate(context, '42/feed', { params: body });
      if (listed.isErr()) expectClean(listed.error);
      expectClean(seen);
    });

    test('nor in other places of one', { tags: 'long' }, async () => {
      await putInto(places.filter((_place, at) => (at + turn) % 4 !== 0));
    });

    async function putInto(some: readonly RequestOptions[]): Promise<void> {
      for (const options of some) {
        const { context, seen } = hooked();
        const result = await post(context, `42/feed`, options);
        if (result.isErr()) expectClean(result.error);
        expectClean(seen);
      }
    }

    test('nor in the error of a function', async () => {
      const { context, seen } = hooked();
      const result = await publishPost(context, { pageId: '42', pageToken: secrets.token, message: 'Hello' });
      // This function knows of no code: what else it was given must not be shown.
      expect(shown([result._unsafeUnwrapErr(), seen])).not.toMatch(/CANARY-(token|app|license)/i);
      expect(shown(seen)).not.toContain(proof);
    });
  },
);

describe('contexts and clients', () => {
  test('show no secret, however they are looked at', () => {
    const { appSecret, licenseKey } = secrets;
    const contexts = [
      createPageContext({ appId: '1', appSecret, licenseKey }),
      createPicsContext({ appId: '1', appSecret, licenseKey }),
      createPicsContextViaPages({ appSecret, licenseKey }),
    ].map((context) => context._unsafeUnwrap());

    for (const context of contexts) {
      expectClean(context);
      expectClean({ context });
      expect(context.secret).toBe(appSecret);
      expect(context.licenseKey).toBe(licenseKey);
      expect(Object.keys(context)).not.toContain('secret');
    }
    expectClean(createPageClient({ appId: '1', appSecret, licenseKey }));
  });

  test('show none after they were used', async () => {
    const context = pageContext({ appSecret: secrets.appSecret, fetch: stubFetch(json({ id: '1' })) });

    await publishPost(context, { pageId: '42', pageToken: secrets.token, message: 'Hello' });

    expectClean(context);
  });

  test('name a bad secret without showing it', () => {
    for (const options of [
      { appId: '1', appSecret: secrets.appSecret, licenseKey: 5 as unknown as string, timeoutMs: -1 },
      { appId: '', appSecret: secrets.appSecret },
    ]) {
      expectClean(createPageContext(options)._unsafeUnwrapErr());
    }
  });
});
