import nock from 'nock';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';

import { sign } from '../../../src/core/http/proof.ts';
import { batch, type BatchPart } from '../../../src/core/lowLevel/batch.ts';
import { createdSchema } from '../../../src/models/index.ts';
import { createPageClient } from '../../../src/page/client.ts';
import { createPageContext } from '../../../src/page/context.ts';
import { createSandbox } from '../../../src/sandbox/index.ts';
import { refusal } from '../../page/support.ts';
import {
  appSecret,
  authenticated,
  graphBase,
  pageContext,
  picsContext,
  platform,
  token,
} from '../../support/context.ts';
import { fc, runs } from '../../support/property.ts';

/** A batch within a part of one. */
const nested = [{ method: 'POST', relative_url: '1/feed' }];

type WirePart = Readonly<Record<string, string>>;

/** Mocks one request; `respond` gets its parts. */
function request(respond: (parts: WirePart[]) => unknown, status = 200): WirePart[][] {
  const seen: WirePart[][] = [];
  nock(graphBase)
    .post('/')
    .query(authenticated)
    .reply(async (incoming: Request) => {
      const form = new URLSearchParams(await incoming.text());
      expect([...form.keys()]).toEqual(['batch', 'include_headers']);
      expect(form.get('include_headers')).toBe('false');
      const parts = JSON.parse(form.get('batch') ?? '') as WirePart[];
      seen.push(parts);
      return [status, JSON.stringify(respond(parts))];
    });
  return seen;
}

const response = (body: unknown, code = 200): object => ({
  code,
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

describe('batch', () => {
  test('no login helps a part whose token begins like one of the other platform', async () => {
    const dead = response({ error: { code: 190, message: 'Invalid OAuth access token' } }, 400);
    request(() => [dead, dead]);
    const parts = [
      { method: 'GET', path: 'me', token: 'IGAAOther0' },
      { method: 'GET', path: 'me' },
    ] as const;

    const results = (await batch(pageContext(), parts, { token }))._unsafeUnwrap();

    expect(results.map((one) => one._unsafeUnwrapErr())).toMatchObject([
      { action: 'fix' },
      { action: 'login' },
    ]);
  });

  test('sends each part as the platform takes it, and returns a Result for each', async () => {
    const seen = request(() => [
      response('{"id":12345678901234567891,"paging":{"next":"https://h.test/?access_token=T&after=x"}}'),
      response({ id: '7_8' }),
      response(refusal(100), 400),
      response({ success: true }),
    ]);

    const results = (
      await batch(
        pageContext(),
        [
          { method: 'GET', path: '/me', params: { fields: ['id', 'name'], skip: undefined } },
          {
            method: 'POST',
            path: '7/feed?locale=de',
            data: { message: 'a & b', tags: ['x'] },
            schema: createdSchema,
          },
          { method: 'GET', path: `${platform.graphUrl}/v25.0/9`, token: 'other-token' },
          { method: 'DELETE', path: '5' },
        ],
        { token },
      )
    )._unsafeUnwrap();

    const proof = await sign('other-token', appSecret);
    expect(seen).toEqual([
      [
        { method: 'GET', relative_url: 'me?fields=id%2Cname' },
        { method: 'POST', relative_url: '7/feed?locale=de', body: 'message=a%20%26%20b&tags=x' },
        { method: 'GET', relative_url: `v25.0/9?access_token=other-token&appsecret_proof=${proof}` },
        { method: 'DELETE', relative_url: '5' },
      ],
    ]);
    expect(results[0]._unsafeUnwrap()).toEqual({
      id: '12345678901234567891',
      paging: { next: 'https://h.test/?after=x' },
    });
    expect(results[1]._unsafeUnwrap().id).toBe('7_8');
    expect(results[2]._unsafeUnwrapErr()).toMatchObject({ code: 100, status: 400, outcome: 'rejected' });
    expect(results[3]._unsafeUnwrap()).toEqual({ success: true });
  });

  test('takes as many requests of 50 as it needs, in order', async () => {
    const echo = (parts: WirePart[]): object[] => parts.map((part) => response({ at: part['relative_url'] }));
    const seen = [request(echo), request(echo), request(echo)].flat();
    const parts = Array.from({ length: 101 }, (_, at): BatchPart => ({ method: 'GET', path: `${at}` }));

    const results = (await batch(pageContext(), parts, { token }))._unsafeUnwrap();

    expect(results.map((part) => part._unsafeUnwrap())).toEqual(parts.map(({ path }) => ({ at: path })));
    expect(seen.flat()).toHaveLength(0);
  });

  test('sends no fragment, and the parameters all the same', async () => {
    const seen = request(() => [response({}), response({})]);
    const params = { fields: 'id' };

    await batch(
      pageContext(),
      [
        { method: 'GET', path: '/me#top', params },
        { method: 'GET', path: `${platform.graphUrl}/v25.0/me?a=1#top`, params },
      ],
      { token },
    );

    expect(seen[0]?.map(({ relative_url }) => relative_url)).toEqual([
      'me?fields=id',
      'v25.0/me?a=1&fields=id',
    ]);
  });

  test('sends nothing for no parts', async () => {
    expect((await batch(pageContext(), [], { token }))._unsafeUnwrap()).toEqual([]);
  });

  test.each([
    ['null', null],
    ['missing', undefined],
  ])('a part that is %s is unknown for a write, and rejected for a read', async (_, missing) => {
    request(() => (missing === null ? [response({ id: '1' }), null, null, null] : [response({ id: '1' })]));

    const results = (
      await batch(
        pageContext(),
        [
          { method: 'GET', path: '1' },
          { method: 'GET', path: '2' },
          { method: 'POST', path: '3/feed' },
          { method: 'DELETE', path: '4' },
        ],
        { token },
      )
    )._unsafeUnwrap();

    expect(results.map((part) => (part.isOk() ? 'ok' : `${part.error.name} ${part.error.outcome}`))).toEqual([
      'ok',
      'TransportError rejected',
      'TransportError unknown',
      'TransportError unknown',
    ]);
  });

  test.each([
    ['no object', 5],
    ['without a code', { body: '{}' }],
    ['with a body that is no JSON', { code: 200, body: '<html>' }],
    ['with a body of another shape', { code: 200, body: '{"id":null}' }],
    ['with an error under a success', { code: 200, body: '{"error":{"code":2}}' }],
    ['with success: false', { code: 200, body: '{"success":false}' }],
    ['with a code below those of successes', { code: 199, body: '{"id":"1"}' }],
    ['with a code above those of successes', { code: 300, body: '{"id":"1"}' }],
  ])('a part that comes back %s is an ApiError', async (_, part) => {
    request(() => [part]);

    const [result] = (
      await batch(pageContext(), [{ method: 'POST', path: '1/x', schema: createdSchema }], { token })
    )._unsafeUnwrap();

    expect(result._unsafeUnwrapErr()).toMatchObject({ name: 'ApiError' });
  });

  test.each([
    [v.looseObject({ size: v.number() }), '{"size":"big"}', 'size: expected number'],
    [v.looseObject({ sizes: v.array(v.number()) }), '{"sizes":[1,"2"]}', 'sizes.1: expected number'],
    [v.looseObject({ size: v.number() }), '{}', 'size: expected a value'],
    [v.looseObject({ id: createdSchema }), '{"id":{}}', 'id.id: expected a value'],
    [
      v.pipe(
        v.unknown(),
        v.transform((value) => Object.keys(Object(value))),
        v.minLength(1),
      ),
      '{}',
      'body: expected >=1',
    ],
    [
      v.pipe(
        v.unknown(),
        v.check(() => false),
      ),
      '{}',
      'body: it does not fit the schema',
    ],
  ] as readonly (readonly [v.GenericSchema, string, string])[])(
    'says where a part does not fit a schema of valibot: %#',
    async (schema, body, place) => {
      request(() => [{ code: 200, body }]);

      const [result] = (
        await batch(pageContext(), [{ method: 'GET', path: '1', schema }], { token })
      )._unsafeUnwrap();

      expect(result._unsafeUnwrapErr()).toMatchObject({
        name: 'ApiError',
        message: `unexpected response at ${place}`,
      });
    },
  );

  test('a schema that throws fails its own part only', async () => {
    request(() => [response({ id: '1' }), response({ id: '2' })]);
    const throws = v.pipe(
      v.unknown(),
      v.transform((value) => String(Object(value).name.first)),
    );

    const [broken, sound] = (
      await batch(
        pageContext(),
        [
          { method: 'GET', path: '1', schema: throws },
          { method: 'POST', path: '1/feed', schema: createdSchema },
        ],
        { token },
      )
    )._unsafeUnwrap();

    expect(broken._unsafeUnwrapErr()).toMatchObject({
      name: 'ApiError',
      message: 'unexpected response at body: the schema throws',
      payload: { id: '1' },
    });
    expect(sound._unsafeUnwrap()).toEqual({ id: '2' });
  });

  test('with a write, it is not sent again after a lost response', async () => {
    nock(graphBase).post('/').query(true).replyWithError(new Error('lost'));

    const results = (
      await batch(
        pageContext(),
        [
          { method: 'GET', path: '1' },
          { method: 'POST', path: '1/feed', data: { message: 'x' } },
        ],
        { token },
      )
    )._unsafeUnwrap();

    expect(results.map((part) => part._unsafeUnwrapErr())).toMatchObject([
      { reason: 'network', outcome: 'rejected' },
      { reason: 'network', outcome: 'unknown' },
    ]);
  });

  test.each([
    ['of reads', [{ method: 'GET', path: '1' }], {}],
    ['that may be repeated', [{ method: 'POST', path: '1', data: { is_hidden: true } }], { retry: true }],
    ...['1_2?is_hidden=true', '/1_2', 'me', 't_1', '%31', 'v25.0/1_2/', 'm_AbC-=', `${graphBase}/1_2`].map(
      (path) => [`of a change of ${path}`, [{ method: 'POST', path }], { retry: true }] as const,
    ),
    ['of a deletion', [{ method: 'DELETE', path: '1' }], {}],
    ['of what an edge no longer has', [{ method: 'DELETE', path: '1/likes' }], { retry: true }],
  ] as const)('a batch %s is sent again after a lost response', async (_, parts, options) => {
    nock(graphBase).post('/').query(true).replyWithError(new Error('lost'));
    request(() => [response({ id: '1' })]);

    const [result] = (await batch(pageContext(), parts, { token, ...options }))._unsafeUnwrap();

    expect(result.isOk()).toBe(true);
  });

  test('a batch with a write is sent again once the platform refused it as a whole', async () => {
    nock(graphBase).post('/').query(true).reply(400, refusal(4));
    request(() => [response({ id: '1' })]);

    const [result] = (
      await batch(pageContext(), [{ method: 'POST', path: '1/feed' }], { token })
    )._unsafeUnwrap();

    expect(result.isOk()).toBe(true);
  });

  test('a part that a gateway may have responded to is unknown, but for a read', async () => {
    request(() => [
      response({ error: { message: 'upstream request timeout' } }, 408),
      response({ error: { message: 'forbidden' } }, 403),
      response({ error: { message: 'forbidden' } }, 403),
    ]);

    const results = (
      await batch(
        pageContext(),
        [
          { method: 'POST', path: '1' },
          { method: 'DELETE', path: '2' },
          { method: 'GET', path: '3' },
        ],
        { token },
      )
    )._unsafeUnwrap();

    expect(results.map((part) => part._unsafeUnwrapErr().outcome)).toEqual([
      'unknown',
      'unknown',
      'rejected',
    ]);
  });

  test('a refused batch is told in each part', async () => {
    nock(graphBase).post('/').query(true).reply(400, refusal(190));

    const results = (
      await batch(
        pageContext(),
        [
          { method: 'GET', path: '1' },
          { method: 'POST', path: '2' },
        ],
        { token },
      )
    )._unsafeUnwrap();

    expect(results.map((part) => part._unsafeUnwrapErr())).toMatchObject([
      { code: 190, outcome: 'rejected' },
      { code: 190, outcome: 'rejected' },
    ]);
  });

  test('a part is read before it is masked: an encoded echo spoils none', async () => {
    const appToken = '4711|s3cr3t-of-the-app';
    const body = JSON.stringify({
      name: '"quoted" \u0026 more',
      text: `asked with ${encodeURIComponent(appToken)} and ${encodeURIComponent('{"')}`,
      access_token: 'EAAOthers',
      upload_token: 'EAAUpload',
    });
    const fetch: typeof globalThis.fetch = async () => Response.json([{ code: 200, body }]);

    const [part] = (
      await batch(pageContext({ fetch }), [{ method: 'GET', path: '1' }], { token: appToken })
    )._unsafeUnwrap();

    expect(part._unsafeUnwrap()).toEqual({
      name: '"quoted" & more',
      text: 'asked with [secret] and {"',
      access_token: 'EAAOthers',
      upload_token: 'EAAUpload',
    });
  });

  test('goes by the mode of the context where one address is that of both graphs', async () => {
    const both = { graphUrl: 'https://proxy.test', picsGraphUrl: 'https://proxy.test' };
    const fetch: typeof globalThis.fetch = async () => Response.json([response({ id: '1' })]);
    const parts = [{ method: 'GET', path: '1' }] as const;

    const ofPage = await batch(pageContext({ platform: both, fetch }), parts, { token });
    const ofLogin = await batch(picsContext({ platform: both, fetch }), parts, { token });

    expect(ofPage._unsafeUnwrap()[0].isOk()).toBe(true);
    expect(ofLogin._unsafeUnwrapErr().message).toContain('login mode');
  });

  test('no token of a part is in an error', async () => {
    const own = 'EAAOpartpartpart';
    request((parts) => [
      response({ error: { message: `bad ${own} ${parts[0]?.['relative_url']}`, code: 100 } }, 400),
    ]);

    const [result] = (
      await batch(
        pageContext(),
        [{ method: 'GET', path: '1', token: own, params: { code: 'secret-code' } }],
        {
          token,
        },
      )
    )._unsafeUnwrap();

    const error = result._unsafeUnwrapErr();
    expect(`${error.message} ${JSON.stringify(error)} ${error.stack}`).not.toMatch(
      new RegExp(`${own}|secret-code|${await sign(own, appSecret)}`),
    );
  });

  test.each<[string, unknown, object?]>([
    ['parts', 'me'],
    ['parts[0]', [null]],
    [
      'parts[1].method',
      [
        { method: 'GET', path: '1' },
        { method: 'PUT', path: '1' },
      ],
    ],
    ['parts[0].path', [{ method: 'GET', path: '' }]],
    ['parts[0].path', [{ method: 'GET', path: 'https://elsewhere.test/v26.0/me' }]],
    ['parts[0].path', [{ method: 'GET', path: `${platform.graphUrl}.evil.test/me` }]],
    ['parts[0].params', [{ method: 'GET', path: '1', params: 'a=b' }]],
    ['parts[0].params', [{ method: 'GET', path: '1', params: { method: 'post' } }]],
    ['parts[0].params', [{ method: 'GET', path: '1?fields=id&method=delete' }]],
    ['parts[0].params', [{ method: 'DELETE', path: '1', params: { method: ['POST'] } }]],
    ['parts[0].data', [{ method: 'GET', path: '1', data: { a: 1 } }]],
    ['parts[0].token', [{ method: 'GET', path: '1', token: 'a b' }]],
    ['parts[0].schema', [{ method: 'POST', path: '1/feed', schema: { parse: (value: unknown) => value } }]],
    ['parts[0].schema', [{ method: 'POST', path: '1/feed', schema: v.string }]],
    ['parts[0].schema', [{ method: 'POST', path: '1/feed', schema: v.pipeAsync(v.string(), v.trim()) }]],
    ['parts[0].path', [{ method: 'POST', path: '1/feed', data: {} }], { retry: true }],
    ['parts[0].path', [{ method: 'POST', path: '1/media_publish?creation_id=2' }], { retry: true }],
    ['parts[0].path', [{ method: 'POST', path: '1/feed#x', data: {} }], { retry: true }],
    ['parts[0].path', [{ method: 'POST', path: '1/feed//' }], { retry: true }],
    ['parts[0].path', [{ method: 'POST', path: '1/mentions?message=Hi' }], { retry: true }],
    ...[
      '1/f%65ed',
      '1/f%2565ed',
      '1%2Ffeed',
      '1%252Ffeed',
      '1%2ffeed',
      '1/FEED',
      '1/feed%20',
      '1/feed%00',
      '%31/feed',
      '1/./feed',
      '1/../1/feed',
      '1\\feed',
      '1/feed;x',
      '1/feed%3Fx=1',
      '1/feed%23',
      '1/%',
      '//1//feed//',
      'v25.0/1/feed',
      '/V25.0/1/feed',
      `${graphBase}/1/feed`,
      '1/albums',
      '1/subscribed_apps',
      '1/anything_new',
      '',
      '/',
      '?id=1',
      '..',
      'feed',
      'Videos',
      'search',
      'oauth',
      'v25.0/feed',
      'f%65ed',
      '1:feed',
      '1..feed',
      '1.feed',
      '1=feed',
      '1-feed',
      '1feed',
      '1_feed',
      'me.feed',
      'ME',
    ].map((path): [string, unknown, object] => [
      'parts[0].path',
      [{ method: 'POST', path }],
      { retry: true },
    ]),
    ['parts[0].data', [{ method: 'POST', path: 'me', data: { batch: nested } }], { retry: true }],
    ['parts[0].params', [{ method: 'POST', path: 'me', params: { batch: nested } }], { retry: true }],
    ['parts[0].data', [{ method: 'POST', path: '1', data: { 'batch[0][method]': 'POST' } }], { retry: true }],
    ...[
      'me?batch=[]',
      'me?a=1&b%61tch=[]',
      'me?BATCH=[]',
      'v25.0/me/?batch%5B0%5D[method]=POST',
      'me??batch=[]',
    ].map((path): [string, unknown, object] => [
      'parts[0].path',
      [{ method: 'POST', path }],
      { retry: true },
    ]),
    ['token', [{ method: 'GET', path: '1' }], { token: '' }],
    ['retry', [{ method: 'GET', path: '1' }], { retry: 'yes' }],
  ])('refuses a wrong %s before anything is sent', async (option, parts, more = {}) => {
    const error = (
      await batch(pageContext(), parts as readonly BatchPart[], { token, ...more })
    )._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ConfigurationError', option });
    expect(error.message).toContain(option);
    expect(error.message).not.toMatch(/(must .*){2}/);
  });

  test('refuses to repeat what posts to an edge, in every spelling', async () => {
    const ends = ['feed', 'photos', 'videos', 'comments', 'media_publish', 'messages', 'albums'];
    const heads = ['', '1/', '1_2/', 'me/', '17/../1/'];
    const escape = (text: string, isEscaped: (at: number) => number): string =>
      Array.from(text)
        .map((sign, at) => {
          const hex = sign.charCodeAt(0).toString(16);
          return ['%', '%25', '%2525'].map((mark) => `${mark}${hex}`)[isEscaped(at) - 1] ?? sign;
        })
        .join('');
    const spellings = fc
      .record({
        head: fc.constantFrom(...heads),
        end: fc.constantFrom(...ends),
        upper: fc.boolean(),
        before: fc.constantFrom('', '/', '//', 'v26.0/', '/V26.0//', `${graphBase}/`, `${graphBase}//`),
        after: fc.constantFrom(
          '',
          '/',
          '//',
          '%20',
          '%00',
          '.',
          ';a',
          '?',
          '?a=b',
          '#',
          '#a',
          '/?id=1',
          '%3Fa',
        ),
        escapes: fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 12 }),
      })
      .map(({ head, end, upper, before, after, escapes }) => {
        const plain = `${head}${upper ? end.toUpperCase() : end}`;
        return `${before}${escape(plain, (at) => escapes[at % escapes.length] ?? 0)}${after}`;
      });
    await fc.assert(
      fc.asyncProperty(spellings, async (path) => {
        const parts = [{ method: 'POST', path }] as const;
        const error = (await batch(pageContext(), parts, { token, retry: true }))._unsafeUnwrapErr();
        expect(error).toMatchObject({ name: 'ConfigurationError', option: 'parts[0].path' });
      }),
      { numRuns: runs(2000) },
    );
  });

  test('is refused in login mode', async () => {
    const error = (await batch(picsContext(), [{ method: 'GET', path: 'me' }], { token }))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ConfigurationError', option: 'context' });
  });

  test('any body of a part gives a Result', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.string(), async (value, text) => {
        request(() => [value, { code: 200, body: text }, { code: value, body: value }]);
        const parts = [1, 2, 3].map((at): BatchPart => ({ method: 'POST', path: `${at}` }));

        const results = (await batch(pageContext(), parts, { token }))._unsafeUnwrap();

        expect(results).toHaveLength(3);
        for (const part of results) if (part.isErr()) expect(part.error.message).not.toBe('');
      }),
      { numRuns: runs(50) },
    );
  });
});

describe('on the sandbox', () => {
  test('parts act and fail alone, and those that time out are told apart', async () => {
    const sandbox = createSandbox({ strict: true });
    const [page] = sandbox.pages;
    if (page === undefined) throw new Error('the sandbox has Pages');
    const { fetch, platform: at } = sandbox;
    const options = { appId: sandbox.app.id, appSecret: sandbox.app.secret, fetch, platform: at };
    const client = createPageClient(options);

    const [me, post, wrong, own] = await client.batch(
      [
        { method: 'GET', path: 'me', params: { fields: 'id' } },
        { method: 'POST', path: `${page.id}/feed`, data: { message: 'From a batch' }, schema: createdSchema },
        { method: 'GET', path: 'me', params: { fields: 'nonsense' } },
        { method: 'GET', path: 'me/accounts', token: sandbox.user.token },
      ],
      { token: page.token },
    );

    expect(me._unsafeUnwrap()).toEqual({ id: page.id });
    expect(sandbox.effects('post').map(({ id }) => id)).toEqual([post._unsafeUnwrap().id]);
    expect(wrong._unsafeUnwrapErr()).toMatchObject({ code: 100 });
    expect(own._unsafeUnwrap()).toMatchObject({ data: { length: 3 } });
    expect(JSON.stringify(own._unsafeUnwrap())).not.toContain('access_token=');

    sandbox.tune({ batch: { finishes: 1, lands: true } });
    const context = createPageContext(options)._unsafeUnwrap();
    const [first, second] = (
      await batch(
        context,
        [
          { method: 'GET', path: 'me' },
          { method: 'POST', path: `${page.id}/feed`, data: { message: 'Late' } },
        ],
        { token: page.token },
      )
    )._unsafeUnwrap();
    expect(first.isOk()).toBe(true);
    expect(second._unsafeUnwrapErr()).toMatchObject({ name: 'TransportError', outcome: 'unknown' });
    expect(sandbox.effects('post')).toHaveLength(2);
  });
});
