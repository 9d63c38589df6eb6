import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { parseEnv } from 'node:util';

import nock from 'nock';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { createPageClientFromEnv } from '../../../src/page/client.ts';
import { run } from '../../../src/sandbox/cli.ts';
import { listen } from '../../support/server.ts';

beforeAll(() => {
  nock.restore();
});
afterAll(() => {
  nock.activate();
});

interface Said {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

/** Runs the command line; once it serves, does `meanwhile`, and stops it. */
async function said(args: string, meanwhile?: (url: string) => Promise<void>): Promise<Said> {
  const [out, error]: [string[], string[]] = [[], []];
  const { promise: stopped, resolve } = Promise.withResolvers<void>();
  const write = (line: string): void => {
    out.push(line);
    const [url] = /http:\S+/.exec(line) ?? [];
    if (url !== undefined) resolve(meanwhile?.(url));
  };
  const words = args.split(' ').filter(Boolean);
  const code = await run(words, { write, writeError: (line) => error.push(line), stopped });
  return { code, out: out.join('\n'), error: error.join('\n') };
}

test('serves until it is stopped', async () => {
  let url = '';
  const { code, out, error } = await said('sandbox --port=0 --seed 7 --pages 4', async (at) => {
    url = at;
    const text = await (await fetch(at)).text();
    expect(text.match(/<h3>Page 4</g)).toHaveLength(1);
  });
  expect({ code, error }).toEqual({ code: 0, error: '' });
  expect(out).toMatch(/^The sandbox is at http:\/\/127\.0\.0\.1:\d+ \(Ctrl-C stops it\)\.$/);
  await expect(fetch(url)).rejects.toThrow('fetch failed');
});

test(
  'has as many posts as are asked for, and takes uploads at the speed that is',
  { tags: 'long' },
  async () => {
    await said('sandbox --port 0 --posts 30 --upload-speed 500', async (url) => {
      const env = parseEnv(await (await fetch(`${url}/.env`)).text());
      await using client = createPageClientFromEnv({ env });
      const [pageId = '', pageToken = ''] = [env['PAGE_ID'], env['PAGE_TOKEN']];
      expect(await client.posts({ pageId, pageToken, limit: Infinity })).toHaveLength(30);
      const begun = performance.now();
      await client.publishVideoStory({ pageId, pageToken, video: new Blob([randomBytes(100_000)]) });
      expect(performance.now() - begun).toBeGreaterThan(180);
    });
  },
);

test('equal seeds give equal tokens, and others others', async () => {
  const tokenOf = async (seed: string): Promise<string | undefined> => {
    let token: string | undefined;
    await said(`sandbox --port 0 --seed ${seed}`, async (url) => {
      token = /PAGE_TOKEN=(\w+)/.exec(await (await fetch(url)).text())?.[1];
    });
    return token;
  };
  const [one, again, other] = [await tokenOf('1'), await tokenOf('1'), await tokenOf('2')];
  expect(one).toMatch(/^\w{20,}$/);
  expect([again === one, other === one]).toEqual([true, false]);
});

test.each([
  ['', 200],
  ['--require-proof', 400],
])('calls need no proof unless it is asked for: %s', async (option, expected) => {
  await said(`sandbox --port 0 ${option}`, async (url) => {
    const token = /PAGE_TOKEN=(\w+)/.exec(await (await fetch(url)).text())?.[1];
    const { status } = await fetch(`${url}/graph/v26.0/me?access_token=${token}`);
    expect(status).toBe(expected);
  });
});

test('a quota limits the calls for each Page and each account', async () => {
  await said('sandbox --port 0 --quota 2', async (url) => {
    const page = await (await fetch(url)).text();
    for (const name of ['PAGE_TOKEN', 'PICS_TOKEN']) {
      const [, token = ''] = new RegExp(`${name}=(\\w+)`).exec(page) ?? [];
      const host = name === 'PICS_TOKEN' ? 'pics' : 'graph';
      const codes: unknown[] = [];
      for (let call = 0; call < 3; call++) {
        const response = await fetch(`${url}/${host}/v26.0/me?fields=id&access_token=${token}`);
        codes.push(((await response.json()) as { error?: { code: number } }).error?.code);
      }
      expect(codes).toEqual([undefined, undefined, name === 'PICS_TOKEN' ? 80_002 : 80_001]);
    }
  });
});

test.each([
  ['2', 86_400_000],
  ['2/day', 86_400_000],
  ['2/hour', 3_600_000],
])('the quota %s has a window of %i ms', async (quota, windowMs) => {
  await said(`sandbox --port 0 --quota ${quota}`, async (url) => {
    const [, token] = /PAGE_TOKEN=(\w+)/.exec(await (await fetch(url)).text()) ?? [];
    const call = async () => (await fetch(`${url}/graph/v26.0/me?fields=id&access_token=${token}`)).status;
    const advance = (ms: number) =>
      fetch(`${url}/ui/advance`, {
        method: 'POST',
        headers: { origin: url },
        body: new URLSearchParams(`ms=${ms}`),
      });
    expect([await call(), await call(), await call()]).toEqual([200, 200, 400]);
    await advance(windowMs - 60_000);
    expect(await call()).toBe(400);
    await advance(windowMs);
    expect(await call()).toBe(200);
  });
});

test.each(['sandbox --help', 'sandbox -h --port x'])('%s shows how it is used', async (args) => {
  const { code, out, error } = await said(args);
  expect({ code, error }).toEqual({ code: 0, error: '' });
  expect(out).toMatch(/^Usage: pagepics sandbox/);
  for (const option of [
    '--port',
    '--seed',
    '--pages',
    '--posts',
    '--upload-speed',
    '--quota',
    '--require-proof',
    '--help',
  ])
    expect(out).toContain(option);
});

test.each([
  ['sandbox --host 0.0.0.0', 'Unknown argument: --host'],
  ['sandbox 4010', 'Unknown argument: 4010'],
  ['sandbox --constructor', 'Unknown argument: --constructor'],
  ['sandbox --port', '--port takes a whole number from 0 to 65535.'],
  ['sandbox --port=', '--port takes a whole number from 0 to 65535.'],
  ['sandbox --port 65536', '--port takes a whole number from 0 to 65535.'],
  ['sandbox --port -1', '--port takes a whole number from 0 to 65535.'],
  ['sandbox --port 0x50', '--port takes a whole number from 0 to 65535.'],
  ['sandbox --pages 2', '--pages takes a whole number from 3 to 100.'],
  ['sandbox --posts 1001', '--posts takes a whole number from 0 to 1000.'],
  ['sandbox --upload-speed 0', '--upload-speed takes a whole number from 1 to 1000000.'],
  ['sandbox --quota 0', '--quota takes a whole number from 1 to 1000000000, or that with /hour or /day.'],
  [
    'sandbox --quota 9/week',
    '--quota takes a whole number from 1 to 1000000000, or that with /hour or /day.',
  ],
  ['sandbox --port 0/hour', '--port takes a whole number from 0 to 65535.'],
  ['sandbox --seed 1.5', '--seed takes a whole number from 0 to 4294967295.'],
  ['sandbox --require-proof=no', 'Unknown argument: --require-proof'],
  ['sandbox EAAOpasted0by0mistake01234', 'Unknown argument: (26 characters)'],
])('%s is refused: %s', async (args, message) => {
  const { code, out, error } = await said(args);
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(error.startsWith(`${message}\n\nUsage: `)).toBe(true);
});

test('a port in use is reported in one sentence', async () => {
  await using server = await listen(createServer());
  const { port } = server;
  const { code, out, error } = await said(`sandbox --port ${port}`);
  expect({ code, out, error }).toEqual({
    code: 1,
    out: '',
    error: `Port ${port} is in use. Choose another one with --port.`,
  });
});
