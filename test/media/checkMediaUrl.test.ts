import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type AnySdkError, ConfigurationError, isFinal, TransportError } from '../../src/core/index.ts';
import { checkMediaUrl, type CheckMediaUrlOptions, type MediaUrlCheck } from '../../src/media/index.ts';
import { robotsVerdict } from '../../src/media/robots.ts';
import { urlRules } from '../../src/media/rules.ts';
import { isPublicHost } from '../../src/publicHost.ts';
import { listen } from '../support/server.ts';
import { be, bytesOf, fileOf, jpeg } from './support.ts';

/** The host of a test: what it was asked, and how it answers. */
const asked: { readonly path: string; readonly headers: IncomingMessage['headers'] }[] = [];
let answer: RequestListener = (_, response) => void response.end();
let robots: RequestListener = missing;
let server: Awaited<ReturnType<typeof listen>>;

function missing(_: IncomingMessage, response: ServerResponse): void {
  response.writeHead(404).end();
}

beforeAll(async () => {
  server = await listen(
    createServer((request, response) => {
      const path = request.url ?? '';
      if (path !== '/robots.txt') asked.push({ path, headers: request.headers });
      (path === '/robots.txt' ? robots : answer)(request, response);
    }),
  );
});
afterAll(() => server.close());

/** Leads the name of a public host to the server of this test. */
async function toServer(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const { pathname, search } = new URL(input instanceof Request ? input.url : input);
  return fetch(`${server.origin}${pathname}${search}`, init);
}

const address = 'https://media.example.com/clip.mp4?signature=sesame';

async function check(options: Partial<CheckMediaUrlOptions> = {}, url = address): Promise<MediaUrlCheck> {
  const checked = await checkMediaUrl(url, { kind: 'pics.reel', fetch: toServer, ...options });
  expect(JSON.stringify(checked)).not.toContain('sesame');
  return checked._unsafeUnwrap();
}

async function failureOf(options: Partial<CheckMediaUrlOptions> = {}, url = address): Promise<AnySdkError> {
  const checked = await checkMediaUrl(url, { kind: 'pics.reel', fetch: toServer, ...options });
  const failure = checked._unsafeUnwrapErr();
  expect(`${failure.message} ${JSON.stringify(failure)}`).not.toContain('sesame');
  return failure;
}

/** What was found about the address: its severity, and what it is. */
function aboutUrl({ findings }: MediaUrlCheck): string[] {
  return findings
    .filter(({ property }) => property === 'url')
    .map(({ severity, found }) => `${severity}: ${found}`);
}

/** Serves bytes with what a good host answers. */
function serving(bytes: Uint8Array, type = 'video/mp4'): RequestListener {
  return ({ headers }, response) => {
    const [, from = '0', to = ''] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? [];
    const last = Math.min(Number(to), bytes.length - 1);
    response.writeHead(206, {
      'content-type': type,
      'content-range': `bytes ${from}-${last}/${bytes.length}`,
      'content-length': last + 1 - Number(from),
    });
    response.end(bytes.subarray(Number(from), last + 1));
  };
}

/** A file with so many bytes of pictures between its head and its index. */
function reel(pictures: number): Uint8Array {
  const file = fileOf('default.mp4');
  const index = file.subarray(Buffer.from(file).lastIndexOf('moov') - 4);
  const head = bytesOf(file.subarray(0, Buffer.from(file).indexOf('mdat') - 4), be(pictures + 8, 4), 'mdat');
  const bytes = new Uint8Array(head.length + pictures + index.length);
  bytes.set(head);
  bytes.set(index, head.length + pictures);
  return bytes;
}

function given(...handlers: readonly [RequestListener, RequestListener?]): void {
  [answer, robots = missing] = handlers;
  asked.splice(0);
}

describe('a file at an address', () => {
  test('a Reel of 46 MB with its index at the end takes two requests of closed ranges, and 128 KiB', async () => {
    const file = reel(46_000_000);
    given(serving(file));
    const { facts, findings, isAccepted } = await check();
    expect(isAccepted).toBe(true);
    expect(findings.map(({ property }) => property)).not.toContain('url');
    expect(facts).toMatchObject({ size: file.length, moov: 'end', video: { codec: 'h264' }, requests: 2 });
    expect(facts?.durationMs).toBeGreaterThan(0);
    expect(facts?.bytesRead).toBeLessThanOrEqual(128 * 1024);
    expect(asked.map(({ headers }) => headers.range)).toEqual([
      'bytes=0-65535',
      expect.stringMatching(new RegExp(`^bytes=46\\d+-${file.length - 1}$`)),
    ]);
    for (const { headers } of asked)
      expect(headers).toMatchObject({
        'user-agent': 'facebookexternalhit/1.1',
        'accept-encoding': 'identity',
      });
  });

  test('the unit of a range is written in any case', async () => {
    given((_, response) => {
      const bytes = jpeg();
      const range = `Bytes 0-${bytes.length - 1}/${bytes.length}`;
      response.writeHead(206, { 'content-type': 'image/jpeg', 'content-range': range }).end(bytes);
    });
    const { facts, findings } = await check({ kind: 'pics.image' });
    expect([facts?.width, findings]).toEqual([1080, []]);
  });

  test('a picture takes one request', async () => {
    given(serving(jpeg(), 'image/jpeg'));
    const { facts, findings } = await check({ kind: 'pics.image' });
    expect(findings).toEqual([]);
    expect(facts).toMatchObject({ format: 'jpeg', width: 1080, height: 1350, requests: 1 });
  });

  test('a refused file is refused as by checkMedia', async () => {
    given(serving(jpeg({ width: 2000, height: 1000 }), 'image/jpeg'));
    const { findings, isAccepted } = await check({ kind: 'pics.image' });
    expect(isAccepted).toBe(false);
    expect(findings).toMatchObject([{ property: 'aspect_ratio', severity: 'refused' }]);
  });

  test('a host without ranges is told, and no more is taken of it than needed', async () => {
    let sent = 0;
    given((_, response) => {
      response.writeHead(200, { 'content-type': 'image/jpeg', 'content-length': 200_000_000 });
      const part = bytesOf(jpeg(), new Uint8Array(500_000));
      const more = (): void => {
        if (response.destroyed || sent > 150_000_000) return;
        sent += part.length;
        response.write(part, more);
      };
      more();
    });
    const { facts } = await check({ kind: 'page.photo' });
    expect(facts).toMatchObject({ format: 'jpeg', size: 200_000_000, width: 1080, requests: 1 });
    expect(facts?.bytesRead).toBeLessThan(2_000_000);
    // What a socket holds besides is less.
    expect(sent).toBeLessThan(50_000_000);
  });

  test('a video of a host without ranges is read as far as 16 MiB', async () => {
    const whole = (file: Uint8Array): RequestListener => {
      return (_, response) => {
        response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': file.length }).end(file);
      };
    };
    given(whole(reel(1_000_000)));
    const small = await check();
    expect(small.facts).toMatchObject({ moov: 'end', video: { codec: 'h264' }, requests: 1 });
    expect(aboutUrl(small)).toEqual(['risk: status 200 for a part']);

    given(whole(reel(20_000_000)));
    const large = await check();
    expect(large.facts?.incomplete).toMatch(/does not answer Range/);
    expect(large.findings.map(({ severity }) => severity)).toContain('unknown');
    expect(large.isAccepted).toBe(true);
  });

  test('a file of unknown size is read to its end', async () => {
    const file = reel(100_000);
    given((_, response) => void response.writeHead(200, { 'content-type': 'video/mp4' }).end(file));
    const told = await check();
    expect(told.facts).toMatchObject({ size: file.length, video: { codec: 'h264' } });
    expect(aboutUrl(told)).toEqual(['risk: status 200 for a part', 'risk: a file without Content-Length']);
  });

  test('a file that does not end is read within bounds', { tags: 'long' }, async () => {
    const part = new Uint8Array(1_000_000);
    given((_, response) => {
      response.writeHead(200, { 'content-type': 'video/mp4' });
      response.write(fileOf('default.mp4').subarray(0, 40));
      const more = (): boolean => response.destroyed || response.write(part, () => void more());
      more();
    });
    const endless = await check();
    expect(endless.facts?.incomplete).toMatch(/more than 16777216 bytes/);
    expect(endless.isAccepted).toBe(true);
  });

  test.each([
    ['another length', (size: number) => `bytes FROM-TO/${size + 1}`],
    ['another part', (size: number) => `bytes 7-TO/${size}`],
    ['no part', () => undefined],
  ])('a file that has %s when it is read again is not judged by it', async (_, rangeOf) => {
    const file = reel(1_000_000);
    const good = serving(file);
    given((request, response) => {
      if (request.headers.range === 'bytes=0-65535') return good(request, response);
      const [, from = '', to = ''] = /(\d+)-(\d+)/.exec(request.headers.range ?? '') ?? [];
      const range = rangeOf(file.length)?.replace('FROM', from).replace('TO', to);
      response.writeHead(206, range ? { 'content-range': range } : {}).end(file.subarray(Number(from)));
      return response;
    });
    const { facts, findings, isAccepted } = await check();
    expect(facts?.incomplete).toMatch(/changed while it was read/);
    expect(facts?.durationMs).toBeUndefined();
    expect(isAccepted).toBe(true);
    expect(findings.map(({ severity }) => severity)).toContain('unknown');
  });

  test('a host that gives less than it says does not stop the check', async () => {
    const file = reel(1_000_000);
    given((_, response) => {
      response
        .writeHead(206, { 'content-type': 'video/mp4', 'content-range': `bytes 0-65535/${file.length}` })
        .end(file.subarray(0, 1000));
    });
    expect((await check()).facts?.incomplete).toMatch(/gave less/);
  });
});

describe('a host that fails while the file comes', () => {
  const file = reel(1_000_000);
  const isFirst = ({ headers }: IncomingMessage): boolean => headers.range === 'bytes=0-65535';

  test.each(['the first part', 'a later part'])(
    'breaks the connection within %s: it may be asked again',
    async (which) => {
      given((request, response) => {
        if (isFirst(request) && which === 'a later part') return serving(file)(request, response);
        const [, from, to] = /(\d+)-(\d+)/.exec(request.headers.range ?? '') ?? [];
        const headers = { 'content-range': `bytes ${from}-${to}/${file.length}`, 'content-length': 65_536 };
        response.writeHead(206, headers).write('abc', () => request.socket.destroy());
        return undefined;
      });
      const error = await failureOf();
      expect(error).toBeInstanceOf(TransportError);
      expect(error).toMatchObject({
        reason: 'network',
        outcome: 'rejected',
        operation: 'checkMediaUrl',
        callId: expect.any(String),
        cause: { name: expect.any(String), message: expect.any(String) },
      });
      expect(isFinal(error)).toBe(false);
    },
  );

  test('refuses the second connection', async () => {
    given((request, response) => {
      if (isFirst(request)) serving(file)(request, response);
      else request.socket.destroy();
    });
    expect(await failureOf()).toMatchObject({ reason: 'network', cause: { code: expect.any(String) } });
  });

  test('leads to one of its own network at the second request', async () => {
    given(serving(file));
    let requests = 0;
    const fetched: typeof toServer = (input, init) => {
      if (requests++ === 0) return toServer(input, init);
      const cause = Object.assign(new Error('no'), { code: 'ENOTPUBLIC' });
      return Promise.reject(new TypeError('fetch failed', { cause }));
    };
    expect(aboutUrl(await check({ fetch: fetched }))).toEqual(['refused: its name leads to a private one']);
  });

  test.each([
    [503, {}, ['risk: status 503 for a later part'], true],
    [429, {}, ['risk: status 429 for a later part'], true],
    [403, {}, ['refused: status 403 for a later part'], false],
    [404, {}, ['refused: status 404 for a later part'], false],
    [302, {}, ['risk: a redirect, status 302 for a later part'], true],
    [200, {}, ['risk: status 200 for a later part'], true],
    [200, { 'content-type': 'text/html' }, ['refused: a page, text/html for a later part'], false],
    [206, { 'content-range': 'bytes 65536-99/100' }, ['risk: another part, or another size, later'], true],
    [206, {}, ['risk: another part, or another size, later'], true],
  ])('answers the second request with %i %j: %j', async (status, headers, found, isAccepted) => {
    given((request, response) => {
      if (isFirst(request)) serving(file)(request, response);
      else response.writeHead(status, headers).end();
    });
    const checked = await check();
    expect(aboutUrl(checked)).toEqual(found);
    expect(checked.isAccepted).toBe(isAccepted);
    expect(checked.facts?.incomplete).toMatch(/changed while it was read/);
    expect(asked).toHaveLength(2);
  });

  test.each(['bytes 0-0/0', 'bytes 0-65535/0', 'bytes 0--1/0'])('has an empty file: %s', async (range) => {
    given((_, response) => void response.writeHead(206, { 'content-range': range }).end());
    const checked = await check();
    expect(aboutUrl(checked)).toEqual(['refused: 0 bytes']);
    expect(checked.isAccepted).toBe(false);
  });
});

describe('a host that does not tell the size in its Content-Range', () => {
  /** Serves parts without the size; beyond the end, what it is told. */
  const serves =
    (bytes: Uint8Array): RequestListener =>
    ({ headers }, response) => {
      const [, from = '0', to = ''] = /(\d+)-(\d+)/.exec(headers.range ?? '') ?? [];
      if (Number(from) >= bytes.length) return response.writeHead(416).end();
      const part = bytes.subarray(Number(from), Number(to) + 1);
      const range = `bytes ${from}-${Number(from) + part.length - 1}/*`;
      return response.writeHead(206, { 'content-type': 'video/mp4', 'content-range': range }).end(part);
    };

  test.each([
    ['small', fileOf('cut.mp4').subarray(0, 60_000), 1],
    ['in two parts', reel(200_000), 2],
    ['as long as the first part', bytesOf(reel(100), new Uint8Array(65_536)).subarray(0, 65_536), 2],
  ])('a file that is %s is read whole', async (_, bytes, requests) => {
    given(serves(bytes));
    const checked = await check();
    expect(checked.facts).toMatchObject({
      size: bytes.length,
      format: 'mp4',
      requests,
      bytesRead: bytes.length,
    });
    expect(aboutUrl(checked)).toEqual(['risk: a Content-Range without the size']);
  });

  test('a large one has facts as far as they can be had', { tags: 'long' }, async () => {
    given(serves(reel(17_000_000)));
    const { facts, isAccepted } = await check();
    expect(facts?.incomplete).toMatch(/does not tell its size, which is more than/);
    expect(isAccepted).toBe(true);
  });
});

describe('answers', () => {
  test.each([
    [301, {}, ['risk: a redirect, status 301'], true],
    [307, { location: 'https://other.example.com/?key=sesame' }, ['risk: a redirect, status 307'], true],
    [401, {}, ['refused: status 401'], false],
    [403, {}, ['refused: status 403'], false],
    [404, {}, ['refused: status 404'], false],
    [204, {}, ['refused: status 204'], false],
    [202, {}, ['risk: status 202'], true],
    [423, {}, ['risk: status 423'], true],
    [429, {}, ['risk: status 429'], true],
    [503, {}, ['risk: status 503'], true],
    [416, { 'content-range': 'bytes */0' }, ['refused: 0 bytes'], false],
    [200, { 'content-length': '0' }, ['refused: 0 bytes'], false],
    [206, {}, ['risk: status 206 without Content-Range'], true],
    [206, { 'content-range': 'bytes 5-9/90' }, ['risk: another part of the file'], true],
    [206, { 'content-range': 'bytes 0-65535/90' }, ['risk: another part of the file'], true],
    [416, { 'content-range': 'Bytes */0' }, ['refused: 0 bytes'], false],
    [200, { 'content-type': 'text/html; charset=utf-8' }, ['refused: a page, text/html'], false],
  ])('%i with %j: %j', async (status, headers, found, isAccepted) => {
    given((_, response) => void response.writeHead(status, headers).end());
    const checked = await check();
    expect(aboutUrl(checked)).toEqual(found);
    expect(checked.isAccepted).toBe(isAccepted);
    expect(checked.facts).toBeUndefined();
    expect(asked).toHaveLength(1);
  });

  test.each([
    ['pics.image', 404, '9004/2207052'],
    ['pics.reel', 404, '2207077'],
    ['pics.reel', 423, '2207076'],
    ['page.video', 404, '389/1363057'],
    ['page.photo', 404, '100/1366046'],
    ['page.messageVideo', 404, '100/2018008'],
    ['page.reel', 404, undefined],
  ] as const)('%s with %i: code %s', async (kind, status, code) => {
    given((_, response) => void response.writeHead(status).end());
    expect((await check({ kind })).findings[0]?.code).toBe(code);
  });

  test.each([
    [
      'a page as a picture',
      'image/jpeg',
      bytesOf('\n<!DOCTYPE html><p>Not here'),
      ['refused: a page, announced as image/jpeg'],
    ],
    ['a picture as a video', 'video/mp4', jpeg(), ['refused: jpeg, announced as video/mp4']],
    ['a JPEG as PNG', 'image/png', jpeg(), ['risk: jpeg, announced as image/png']],
    ['any bytes', 'application/octet-stream', jpeg(), ['risk: jpeg, announced as application/octet-stream']],
    ['no type', '', jpeg(), ['risk: jpeg, announced as no Content-Type']],
    ['letters in any case', 'IMAGE/JPEG; q=1', jpeg(), []],
  ])('%s', async (_, type, bytes, found) => {
    given((request, response) => {
      serving(bytes, type)(request, response);
    });
    expect(aboutUrl(await check({ kind: 'pics.image' }))).toEqual(found);
  });

  test('an MP4 may be announced as QuickTime, and sound of Pages must be announced as sound', async () => {
    given(serving(fileOf('default.mp4'), 'video/quicktime'));
    expect(aboutUrl(await check())).toEqual([]);
    given(serving(fileOf('audio.m4a'), 'video/mp4'));
    expect(aboutUrl(await check({ kind: 'page.messageAudio' }))).toEqual(['refused: video/mp4']);
    given(serving(fileOf('audio.m4a'), 'audio/mp4'));
    expect(aboutUrl(await check({ kind: 'page.messageAudio' }))).toEqual([]);
  });
});

describe('robots.txt', () => {
  test.each([
    [
      'names it',
      'User-agent: facebookexternalhit\nDisallow: /',
      ['refused: robots.txt that forbids the address'],
    ],
    ['is for all', 'User-agent: *\nDisallow: /', ['risk: robots.txt that forbids the address']],
    ['lets it in', 'User-agent: *\nDisallow: /private/', []],
  ])('a rule that %s', async (_, text, found) => {
    given(serving(fileOf('default.mp4')), (__, response) => void response.end(text));
    expect(aboutUrl(await check())).toEqual(found);
  });

  test.each([
    [403, 'text/plain', ['risk: robots.txt with status 403']],
    [500, 'text/plain', ['risk: robots.txt with status 500']],
    [200, 'text/html', ['risk: a page as robots.txt']],
    [404, 'text/html', []],
  ])('status %i, %s', async (status, type, found) => {
    given(serving(fileOf('default.mp4')), (_, response) => {
      response.writeHead(status, { 'content-type': type }).end('<p>Hi');
    });
    expect(aboutUrl(await check())).toEqual(found);
  });

  test('is asked for when all of the file has come', async () => {
    const order: string[] = [];
    given(
      (request, response) => {
        order.push(request.headers.range ?? '');
        serving(reel(1_000_000))(request, response);
      },
      (request, response) => {
        order.push('robots');
        missing(request, response);
      },
    );
    await check();
    expect(order).toEqual([expect.stringMatching(/^bytes=0-/), expect.stringMatching(/^bytes=1/), 'robots']);
  });

  test(
    'one that never ends, or is endless, keeps nobody waiting for the file',
    { timeout: 30_000, tags: 'long' },
    async () => {
      given(serving(fileOf('default.mp4')), () => {});
      expect((await check({ deadlineMs: 300 })).facts?.format).toBe('mp4');
      given(serving(fileOf('default.mp4')), (_, response) => {
        const more = (): boolean =>
          response.destroyed || response.write('# a\n'.repeat(20_000), () => void more());
        more();
      });
      expect(aboutUrl(await check())).toEqual([]);
      const controller = new AbortController();
      given(serving(fileOf('default.mp4')), () => controller.abort());
      expect(await failureOf({ signal: controller.signal })).toMatchObject({ reason: 'aborted' });
    },
  );

  test('one that cannot be had says nothing', async () => {
    given(serving(fileOf('default.mp4')), (request) => request.socket.destroy());
    expect(aboutUrl(await check())).toEqual([]);
  });

  test.each([
    ['User-agent: a\nUser-agent: FacebookExternalHit/1.1\nDisallow: /a', '/a/b', 'named'],
    ['User-agent: facebookexternalhit\nDisallow: /\nAllow: /media', '/media/a.mp4', undefined],
    ['User-agent: facebookexternalhit\nDisallow:', '/a', undefined],
    ['User-agent: *\nDisallow: /\n\nUser-agent: facebookexternalhit\nAllow: /', '/a', undefined],
    ['User-agent: *\nDisallow: /*.mp4$', '/x/a.mp4', 'all'],
    ['User-agent: *\nDisallow: /*.mp4$', '/x/a.mp4?b', undefined],
    ['User-agent: *\r\nDisallow: /a*c # all', '/abbc', 'all'],
    ['User-agent: googlebot\nDisallow: /', '/a', undefined],
    ['Disallow: /', '/a', undefined],
    ['nonsense', '/a', undefined],
    ['\ufeffUser-agent: *\nDisallow: /', '/a', 'all'],
  ])('%j for %s: %s', (text, path, verdict) => {
    expect(robotsVerdict(text, 'facebookexternalhit', path)).toBe(verdict);
  });

  test('patterns with many stars cost no time', { timeout: 2000 }, () => {
    const text = `User-agent: *\nDisallow: /${'*a'.repeat(100_000)}b`;
    expect(robotsVerdict(text, 'facebookexternalhit', `/${'a'.repeat(8000)}`)).toBeUndefined();
  });
});

describe('hosts that are not public are never asked', () => {
  test.each([
    'http://localhost/a.mp4',
    'https://cdn.localhost./a.mp4',
    'http://intranet/a.mp4',
    'http://nas.local/a.mp4',
    'http://vault.internal/a.mp4',
    'http://127.0.0.1/a.mp4',
    'http://2130706433/a.mp4',
    'http://0x7f.1/a.mp4',
    'http://0.0.0.0/a.mp4',
    'http://10.1.2.3/a.mp4',
    'http://172.16.0.1/a.mp4',
    'http://192.168.1.1/a.mp4',
    'http://169.254.169.254/latest/meta-data',
    'http://100.100.100.100/a.mp4',
    'http://[::1]/a.mp4',
    'http://[::ffff:127.0.0.1]/a.mp4',
    'http://[64:ff9b::7f00:1]/a.mp4',
    'http://[fe80::1]/a.mp4',
    'http://[fd00::1]/a.mp4',
    'http://255.255.255.255/a.mp4',
  ])('%s', async (url) => {
    given(() => {});
    const fetch = (): Promise<Response> => Promise.reject(new Error('it was asked'));
    const checked = await check({ fetch }, url);
    expect(aboutUrl(checked)).toEqual(['refused: a private one']);
    expect(checked.isAccepted).toBe(false);
  });

  test.each([
    'media.example.com',
    '172.15.0.1',
    '172.32.0.1',
    '8.8.8.8',
    '[2606:4700::1111]',
    '1.0.0.10',
    '198.20.0.1',
  ])('%s is public', (host) => {
    expect(isPublicHost(host)).toBe(true);
  });

  test('hosts of the platform are not asked for a Page', async () => {
    given(() => {});
    const url = 'https://scontent.xx.fbcdn.net/a.jpg';
    expect(aboutUrl(await check({ kind: 'page.photo' }, url))).toEqual(['refused: one of the platform']);
    expect(asked).toEqual([]);
  });

  test('a fetch that finds a name to be private says so by the code of its error', async () => {
    const cause = Object.assign(new Error('no'), { code: 'ENOTPUBLIC' });
    const fetch = (): Promise<Response> => Promise.reject(new TypeError('fetch failed', { cause }));
    expect(aboutUrl(await check({ fetch }))).toEqual(['refused: its name leads to a private one']);
  });

  test('http is told for the photo-sharing platform', async () => {
    given(serving(fileOf('default.mp4')));
    const url = 'http://media.example.com/a.mp4';
    expect(aboutUrl(await check({}, url))).toEqual(['risk: http']);
    expect(aboutUrl(await check({ kind: 'page.video' }, url))).toEqual([]);
  });
});

describe('failures', () => {
  test('nobody answers', async () => {
    given(({ socket }) => socket.destroy());
    const error = await failureOf();
    expect(error).toBeInstanceOf(TransportError);
    expect(error).toMatchObject({ reason: 'network', message: expect.stringContaining('did not answer') });
  });

  test('what a fetch throws is not quoted', async () => {
    const thrown = [
      new Error(`cannot reach ${address}`),
      'sesame',
      undefined,
      Object.defineProperty({}, 'code', {
        get: () => {
          throw new Error('sesame');
        },
      }),
    ];
    for (const each of thrown) {
      const fetch = (): Promise<Response> => Promise.reject(each);
      expect(await failureOf({ fetch })).toMatchObject({ reason: 'network' });
    }
    const throws = (): never => {
      throw new Error('sesame');
    };
    expect(await failureOf({ fetch: throws })).toMatchObject({ reason: 'network' });
  });

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['a text', 'OK'],
    ['an object', {}],
    ['what a mock has', { ok: true, status: 200, headers: {}, text: async () => '' }],
    ['a status that is none', { status: NaN, headers: new Headers(), body: null }],
    ['a status as text', { status: '200', headers: new Headers(), body: null }],
    ['a stream of Node', { status: 200, headers: new Headers(), body: Readable.from(['a']) }],
    ['an error', Response.error()],
  ])('a fetch that returns no Response, but %s', async (_, returned) => {
    // Not every caller has TypeScript.
    const error = await failureOf({ fetch: async () => returned as Response });
    expect(error).toBeInstanceOf(TransportError);
    expect(error).toMatchObject({
      reason: 'network',
      message: 'the host of the address did not answer: fetch returned no Response',
    });
  });

  test('a host that is silent, or stalls within a part, is given up at the deadline', async () => {
    given(() => {});
    expect(await failureOf({ deadlineMs: 50 })).toMatchObject({ reason: 'timeout' });
    given((_, response) => {
      response.writeHead(206, { 'content-range': 'bytes 0-65535/100000' }).write('a');
    });
    expect(await failureOf({ deadlineMs: 50 })).toMatchObject({ reason: 'timeout' });
    // As is a fetch that looks at no signal.
    const fetch = (): Promise<Response> => new Promise(() => {});
    expect(await failureOf({ fetch, deadlineMs: 20 })).toMatchObject({ reason: 'timeout' });
  });

  test(
    'a body of empty parts without end is given up at the deadline',
    { timeout: 10_000, tags: 'long' },
    async () => {
      for (const part of [new Uint8Array(), new Uint8Array(1)]) {
        const body = (): ReadableStream =>
          new ReadableStream({ pull: (controller) => controller.enqueue(part) });
        const fetch = async (): Promise<Response> =>
          new Response(body(), { headers: { 'content-type': 'video/mp4', 'content-length': '99999999' } });
        expect(await failureOf({ fetch, deadlineMs: 100 })).toMatchObject({ reason: 'timeout' });
      }
    },
  );

  test('the cause is what the network reported, unless it quotes the address', async () => {
    const cause = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    const fetch = (): Promise<Response> => Promise.reject(new TypeError('fetch failed', { cause }));
    expect(await failureOf({ fetch })).toMatchObject({
      message: 'the host of the address did not answer: ECONNRESET',
      operation: 'checkMediaUrl',
      callId: expect.stringMatching(/^[a-z\d]+-[a-z\d]+$/),
      cause: { name: 'Error', code: 'ECONNRESET', message: 'read ECONNRESET' },
    });
    const quotes = Object.assign(new Error(`ECONNRESET at ${address}`), { code: 'ECONNRESET' });
    expect(await failureOf({ fetch: () => Promise.reject(quotes) })).toMatchObject({
      cause: { code: 'ECONNRESET', message: 'ECONNRESET' },
    });
  });

  test('an aborted check has the reason of its signal', async () => {
    given(() => {});
    const reason = new DOMException('I left', 'AbortError');
    expect(await failureOf({ signal: AbortSignal.abort(reason) })).toMatchObject({
      reason: 'aborted',
      operation: 'checkMediaUrl',
      cause: { name: 'AbortError', message: 'I left' },
    });
    expect(await failureOf({ signal: AbortSignal.timeout(20) })).toMatchObject({
      message: 'the call was aborted: its signal timed out',
      cause: { name: 'TimeoutError' },
    });
  });

  test('what is wrong with options names the function, and no call', async () => {
    const error = await failureOf({}, 'clip.mp4');
    expect(error).toMatchObject({ operation: 'checkMediaUrl', option: 'url' });
    expect(error).not.toHaveProperty('callId');
    expect(await failureOf({ deadlineMs: 0 })).not.toHaveProperty('callId');
  });

  test('a signal ends it', async () => {
    given(() => {});
    expect(await failureOf({ signal: AbortSignal.abort() })).toMatchObject({ reason: 'aborted' });
    const controller = new AbortController();
    given(() => controller.abort());
    expect(await failureOf({ signal: controller.signal })).toMatchObject({ reason: 'aborted' });
  });

  test.each([
    ['url', {}, 'ftp://example.com/a.mp4'],
    ['url', {}, 'clip.mp4'],
    ['url', {}, 'https://me:sesame@example.com/a.mp4'],
    ['url', {}, Object.create(null) as string],
    ['kind', { kind: 'reel' }, address],
    ['fetch', { fetch: 7 }, address],
    ['signal', { signal: {} }, address],
    ['deadlineMs', { deadlineMs: 0 }, address],
    ['deadlineMS', { deadlineMS: 1000 }, address],
    ['deadline', { deadline: 1000 }, address],
  ])('wrong: %s', async (option, wrong, url) => {
    // Not every caller has TypeScript.
    const error = await failureOf(wrong as Partial<CheckMediaUrlOptions>, url);
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error).toMatchObject({ option });
  });

  test('no options at all', async () => {
    // As above.
    const checked = await checkMediaUrl(address, undefined as unknown as CheckMediaUrlOptions);
    expect(checked._unsafeUnwrapErr()).toMatchObject({ option: 'kind' });
  });
});

test('each rule says what helps', () => {
  for (const [, rule, remedy, source] of Object.values(urlRules)) {
    expect(rule).toMatch(/^[a-z]/i);
    expect(remedy).toMatch(/^[a-z]/);
    expect(source).toMatch(/20\d\d/);
  }
});

test('docs/media.md has each rule about addresses', () => {
  const [, section = ''] = readFileSync('docs/media.md', 'utf8').split('\n## Addresses\n');
  const rows = [...section.matchAll(/^\| ([^|]+) \| (`refused`|`risk`)/gm)].map(([, rule]) => rule);
  for (const [, rule] of Object.values(urlRules)) expect(rows).toContain(rule);
});
