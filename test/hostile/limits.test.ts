import { createServer } from 'node:http';

import { afterAll, afterEach, describe, expect, test } from 'vitest';

import { close } from '../../src/core/client.ts';
import { paginate } from '../../src/core/lowLevel/paginate.ts';
import { get, post } from '../../src/core/lowLevel/request.ts';
import { createPageContext } from '../../src/page/context.ts';
import { publishVideoStory } from '../../src/page/stories.ts';
import { share } from '../support/property.ts';
import { listen } from '../support/server.ts';
import { catalogue } from './catalogue.ts';
import type { Hostile } from './hostile.ts';
import { expectNone, judge, settle, watchRejections } from './judge.ts';
import { createBench } from './platform.ts';

const subjects = catalogue().filter(({ exported }) => !['loginUrl', 'appSecretProof'].includes(exported));
const rejections = watchRejections();

afterAll(async () => {
  await new Promise((resolve) => setTimeout(resolve, 50));
  rejections.end();
  expect(rejections.seen).toEqual([]);
});

/** Calls all functions at once. Each gets valid responses for a while, and then the same hostile one again and again. */
async function callAll(
  response: Hostile,
  skip: number,
  around?: (bench: ReturnType<typeof createBench>, controller: AbortController) => void,
): Promise<string[]> {
  const faults = await Promise.all(
    subjects.map(async (subject) => {
      const bench = createBench(subject, { timeoutMs: 15 });
      const log = bench.begin(({ index }) => (index < skip ? undefined : response));
      const controller = new AbortController();
      const options = {
        ...subject.variants[0],
        signal: controller.signal,
        ...('uploadTimeoutMs' in subject.kinds && { uploadTimeoutMs: 15 }),
      };
      const call = settle(() => subject.call(bench.contexts, options));
      around?.(bench, controller);
      const fault = judge(subject, await call, log);
      return fault === undefined ? [] : [`${subject.name}: ${fault}`];
    }),
  );
  return faults.flat();
}

describe.each([0, 1, 2, 3])('after %i good responses, every function ends in time', (skip) => {
  test.each([
    ['nothing comes', { kind: 'silence', isDeaf: false }],
    ['nothing comes, and fetch is deaf to its signal', { kind: 'silence', isDeaf: true }],
    ['the response has no end', { kind: 'endless', isDeaf: false }],
    ['the response has no end, and fetch is deaf to its signal', { kind: 'endless', isDeaf: true }],
  ] as const)('when %s', async (_, response) => {
    expectNone(await callAll(response, skip));
  });

  test('when the caller aborts', async () => {
    expectNone(
      await callAll({ kind: 'silence', isDeaf: true }, skip, (_, controller) => {
        setTimeout(() => controller.abort(new Error('enough')), 5);
      }),
    );
  });

  test('when the context is closed', async () => {
    expectNone(
      await callAll({ kind: 'silence', isDeaf: true }, skip, ({ contexts }) => {
        setTimeout(() => Object.values(contexts).forEach((context) => close(context)), 5);
      }),
    );
  });
});

// Our own recursion ends far below; texts of ten million signs are what `redact.test.ts` measures.
const deep = 20_000;
const large: readonly (readonly [string, string])[] = [
  ['arrays twenty thousand deep', `${'['.repeat(deep)}${']'.repeat(deep)}`],
  ['objects twenty thousand deep', `${'{"data":'.repeat(deep)}1${'}'.repeat(deep)}`],
  [
    'an error twenty thousand deep',
    `{"error":{"code":1,"error_data":${'['.repeat(deep)}${']'.repeat(deep)}}}`,
  ],
  ['a status twenty thousand deep', `{"id":"1","status":${'{"error":'.repeat(deep)}1${'}'.repeat(deep)}}`],
  ['an entry twenty thousand deep', `{"data":[{"id":"1","name":${'['.repeat(deep)}${']'.repeat(deep)}}]}`],
  ['a list of ten thousand entries', `{"data":[${'{"id":1},'.repeat(10_000)}{"id":12345678901234567}]}`],
  [
    'a text of half a million signs',
    JSON.stringify({ id: '1', data: [], message: 'token=secret '.repeat(40_000) }),
  ],
  ['half a million signs of no JSON', 'access_token=\\u0041"code":"'.repeat(18_000)],
  ['two hundred thousand backslashes', `{"error":{"message":"${'\\\\'.repeat(100_000)}"}}`],
  ['two hundred thousand quotes', '"'.repeat(200_000)],
  ['two hundred thousand digits', '1'.repeat(200_000)],
];

describe.each(large)('%s', (name, text) => {
  test.each([200, 400, 500])('do no harm at status %i', async (status) => {
    const turn = large.findIndex((each) => each[0] === name) + status / 100;
    const faults: string[] = [];
    for (const subject of share(subjects, turn)) {
      const bench = createBench(subject);
      for (const skip of [0, 1]) {
        // A retry is no other case.
        const log = bench.begin(({ index }) =>
          index === skip
            ? { kind: 'text', text, status }
            : index < skip
              ? undefined
              : { kind: 'text', text: '', status },
        );
        const fault = judge(
          subject,
          await settle(() => subject.call(bench.contexts, subject.variants[0])),
          log,
        );
        if (fault !== undefined) faults.push(`${subject.name} after ${skip}: ${fault}`);
      }
    }
    expectNone(faults);
  });
});

describe('over real HTTP', () => {
  const servers: AsyncDisposable[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) await server[Symbol.asyncDispose]();
  });

  async function serve(
    location: (url: string) => string,
    status = 302,
  ): Promise<{ url: string; seen: string[] }> {
    const seen: string[] = [];
    const server = createServer((request, response) => {
      seen.push(`${request.method} ${request.url} ${request.headers.authorization ?? ''}`);
      request.resume();
      response.writeHead(status, { location: location(request.url ?? '') }).end();
    });
    const listening = await listen(server);
    servers.push(listening);
    return { url: listening.origin, seen };
  }

  test.each([301, 302, 303, 307, 308])('a redirect elsewhere is not followed (%i)', async (status) => {
    const foreign = await serve(() => '/', 200);
    const platform = await serve((url) => `${foreign.url}${url}`, status);
    const context = createPageContext({
      appId: '1',
      appSecret: 'app-secret',
      platform: { graphUrl: platform.url, uploadUrl: platform.url },
      retry: { attempts: 2, baseDelayMs: 0 },
    })._unsafeUnwrap();
    const params = { access_token: 'page-token' };

    for (const result of [
      await get(context, 'me', { params }),
      await post(context, 'me', { params, data: { access_token: 'page-token' } }),
      await post(context, 'me', { params, json: { access_token: 'page-token' } }),
      await paginate(context, 'me/accounts', { params }),
    ]) {
      expect(result._unsafeUnwrapErr()).toMatchObject({ name: 'ApiError', status });
    }
    expect(platform.seen).toHaveLength(4);
    expect(foreign.seen).toEqual([]);
  });

  test.each([302, 307])('an upload is not redirected elsewhere (%i)', async (status) => {
    const foreign = await serve(() => '/', 200);
    const upload = await serve((url) => `${foreign.url}${url}`, status);
    const context = createPageContext({
      appId: '1',
      appSecret: 'app-secret',
      platform: { graphUrl: 'https://graph.test', uploadUrl: upload.url },
      retry: { attempts: 1, baseDelayMs: 0 },
      fetch: async (input, init) =>
        (input as Request).url.startsWith('https://graph.test')
          ? Response.json({ video_id: '77', upload_url: `${upload.url}/video/77`, status: {} })
          : fetch(input, init),
    })._unsafeUnwrap();
    const options = { pageId: '42', pageToken: 'page-token', uploadAttempts: 1 };

    for (const video of [{ video: new Uint8Array(100_000) }, { videoUrl: 'https://example.com/a.mp4' }]) {
      const result = await publishVideoStory(context, { ...options, ...video });
      expect(result._unsafeUnwrapErr()).toMatchObject({ payload: { video_id: '77' } });
    }
    expect(upload.seen.length).toBeGreaterThan(0);
    expect(foreign.seen).toEqual([]);
  });

  test('redirects without end are not followed', async () => {
    const platform = await serve((url) => `${url}/again`);
    const context = createPageContext({
      appId: '1',
      appSecret: 'app-secret',
      platform: { graphUrl: platform.url },
    })._unsafeUnwrap();

    const result = await get(context, 'me', { params: { access_token: 'page-token' } });

    expect(result._unsafeUnwrapErr()).toMatchObject({ name: 'ApiError', status: 302 });
    expect(platform.seen).toHaveLength(1);
  });
});
