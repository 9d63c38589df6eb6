import { describe, expect, test } from 'vitest';

import { POST } from '../../../src/core/http/methods.ts';
import { send } from '../../../src/core/http/send.ts';
import { get } from '../../../src/core/lowLevel/request.ts';
import { createdSchema } from '../../../src/models/fields.ts';
import { pages } from '../../../src/page/pages.ts';
import { posts } from '../../../src/page/posts.ts';
import { me, exchangeCode } from '../../../src/page/tokens.ts';
import { refreshToken, exchangeCode as exchangePicsCode } from '../../../src/pics/tokens.ts';
import { pageContext, picsContext, newCall } from '../../support/context.ts';
import { json, networkFailure, refusal, requestsTo, type Step, stubFetch, text } from '../stub.ts';

describe('the words of the SDK are not masked', () => {
  const words = [
    'unknown',
    'rejected',
    'status',
    'code',
    'CODE',
    'outcome',
    'payload',
    'message',
    'ApiError',
    'network failed',
    'transient',
    'platform',
    'expected',
    'unexpected',
    'body',
    'string',
    'JSON',
    'answer',
    'true',
    '500',
  ];
  const steps: Readonly<Record<string, Step>> = {
    'a refusal': refusal(190, { status: 400, message: 'dead' }),
    'a passing fault': refusal(2, { status: 500, message: 'later' }),
    'no JSON': text('oops', 502),
    'an empty response': text('', 500),
    'another shape': json({ data: 1 }),
    'a redirect': text('', 302, { location: 'https://x.test/y' }),
    'a network failure': networkFailure('ECONNRESET', 'reset by peer'),
  };

  test.each(Object.entries(steps))('in what fails with %s', async (_, step) => {
    async function fail(code: string): Promise<[unknown, number, unknown[]]> {
      const fetch = stubFetch(step);
      const events: unknown[] = [];
      const note = (event: { readonly durationMs?: number; readonly error?: unknown }): void => {
        events.push({ ...event, durationMs: 0, error: undefined });
      };
      const context = pageContext({ fetch, onResponse: note, onRetry: note, onFailure: note });
      const request = { method: POST, path: '1/feed', secrets: [code], schema: createdSchema };
      const error = (await send(context, { ...newCall(), ...request }))._unsafeUnwrapErr();
      const shown = Object.fromEntries([...Object.entries(error), ['message', error.message]]);
      return [
        shown,
        requestsTo(fetch).length,
        events.map((event) => JSON.stringify(event).replace(/"delayMs":[\d.]+/, '')),
      ];
    }
    const usual = await fail('nothing like it');
    for (const word of words) {
      // What the platform said is masked: none of it has these words in it.
      expect([word, await fail(word)]).toEqual([word, usual]);
    }
  });

  test('in what a login fails with', async () => {
    for (const code of ['unknown', 'status', 'CODE']) {
      const context = pageContext({
        fetch: stubFetch(refusal(100, { status: 500, message: `bad ${code}` })),
      });
      const error = (await exchangeCode(context, { code, redirectUri: 'https://x.test' }))._unsafeUnwrapErr();

      expect(error).toMatchObject({
        name: 'ApiError',
        code: 100,
        status: 500,
        message: 'bad [secret]',
        outcome: 'unknown',
      });
    }
  });
});

describe('of what a token endpoint responds with, no error shows anything', () => {
  const fresh = 'EAAfreshTOKEN12345';
  const bodies: Readonly<Record<string, Step>> = {
    bare: text(fresh),
    'bare, as a failure': text(fresh, 500),
    cut: text(`{"token_type":"bearer","access_to":"${fresh}`),
    XML: text(`<response><access_token>${fresh}</access_token></response>`),
    'HTML-escaped': text(`{&quot;access_token&quot;:&quot;${fresh}&quot;}`),
    'a list': json({ access_token: [fresh] }),
    'an object': json({ access_token: { value: fresh } }),
    'under another name': json({ data: { text: fresh } }),
    'beside an error': json({ error: { code: 1, message: 'No' }, other: fresh }, 500),
    'not granted': json({ success: false, other: fresh }),
  };
  const callback = { code: 'c0de-c0de', redirectUri: 'https://x.test' };
  const calls = {
    'page exchangeCode': (step: Step) =>
      exchangeCode(pageContext({ fetch: stubFetch(step), retry: { attempts: 1 } }), callback),
    'pics exchangeCode': (step: Step) =>
      exchangePicsCode(picsContext({ fetch: stubFetch(step), retry: { attempts: 1 } }), callback),
    refreshToken: (step: Step) =>
      refreshToken(picsContext({ fetch: stubFetch(step), retry: { attempts: 1 } }), { token: 'old-token' }),
  } as const;

  test.each(Object.entries(calls))('%s', async (_, call) => {
    for (const [name, step] of Object.entries(bodies)) {
      const error = (await call(step))._unsafeUnwrapErr();
      expect(error).toMatchObject({ name: 'ApiError' });
      const shown = `${error.message} ${error.stack} ${JSON.stringify(Object.entries(error))}`;
      expect([name, /EAAfresh|freshTOKEN|TOKEN12345/.test(shown)]).toEqual([name, false]);
    }
  });
});

describe('a success does not repeat the token that it was asked for with', () => {
  const own = 'EAAown/token+12345=';
  const echoes = [own, encodeURIComponent(own), own.replaceAll('/', '\\/')];

  test.each(echoes)('in raw: %s', async (echo) => {
    const body = {
      id: '1',
      name: 'Anna',
      access_token: echo,
      about: [{ deep: `see ${echo}` }],
      [`x-${echo}`]: 1,
    };
    const profile = (await me(pageContext({ fetch: stubFetch(json(body)) }), { token: own }))._unsafeUnwrap();
    const listed = (
      await posts(pageContext({ fetch: stubFetch(json({ data: [body] })) }), { pageId: '1', pageToken: own })
    )._unsafeUnwrap();

    for (const value of [profile, listed]) {
      expect(JSON.stringify(value)).not.toContain('EAAown');
      expect(JSON.stringify(value)).toContain('see [secret]');
    }
  });

  test('but hands out tokens that were asked for, be they the same', async () => {
    const entry = { id: '1', name: 'Page', access_token: own, tasks: [], other: own };
    const [page] = (
      await pages(pageContext({ fetch: stubFetch(json({ data: [entry] })) }), { token: own })
    )._unsafeUnwrap();
    expect(page?.access_token).toBe(own);
    expect(JSON.stringify(page)).not.toContain('EAAown');

    const fetch = stubFetch(json({ access_token: own, token_type: 'bearer', expires_in: 9 }));
    const bundle = (await refreshToken(picsContext({ fetch }), { token: own }))._unsafeUnwrap();
    expect(bundle.access_token).toBe(own);
  });

  test('and is as it came where the caller of a low-level function put the token in', async () => {
    const body = {
      access_token: own,
      text: own,
      paging: { next: `https://graph.test/1?access_token=${own}` },
    };
    const context = pageContext({ fetch: stubFetch(json(body)) });
    expect((await get(context, '1', { params: { access_token: own } }))._unsafeUnwrap()).toEqual(body);
  });

  test('and keeps the cursor of a link', async () => {
    const next = 'https://graph.test/v26.0/1/feed?limit=25&until=17&__paging_token=enc_Ad12';
    const entry = { id: '1_2', comments: { data: [], paging: { next: `${next}&access_token=${own}` } } };
    const [post] = (
      await posts(pageContext({ fetch: stubFetch(json({ data: [entry] })) }), { pageId: '1', pageToken: own })
    )._unsafeUnwrap();
    expect(JSON.stringify(post)).toContain(`"${next}"`);
  });
});
