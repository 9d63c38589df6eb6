import { createConnection } from 'node:net';

import nock from 'nock';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { serveSandbox, type ServedSandbox } from '../../src/sandbox/index.ts';
import { pageOf, read, still } from './support/caller.ts';

beforeAll(() => nock.restore());
afterAll(() => nock.activate());

const sandbox = still({ requireProof: false, strict: false });
const { id, token } = pageOf(sandbox);
const graph = `${sandbox.platform.graphUrl}/v26.0`;
const query = `access_token=${token}`;

const bodies: Readonly<Record<string, readonly [type: string, body: string]>> = {
  'JSON that ends early': ['application/json', '{"message":'],
  'JSON that is no object': ['application/json', '[1,null]'],
  'JSON null': ['application/json', 'null'],
  'a form without its boundary': ['multipart/form-data; boundary=x', '--y\r\nfoo'],
  'a form that names no boundary': ['multipart/form-data', 'abc'],
  'a batch that is no list': ['application/x-www-form-urlencoded', 'batch=nope'],
};

describe('a malformed request is refused in the platform’s form', () => {
  test.each(Object.entries(bodies))('%s', async (_, [type, body]) => {
    const headers = { 'content-type': type };
    const path = body.startsWith('batch') ? '' : `/${id}/feed`;

    const reply = await read(
      await sandbox.fetch(`${graph}${path}?${query}`, { method: 'POST', headers, body }),
    );

    expect(reply.status).toBe(400);
    expect(reply.body.error).toMatchObject({ code: 100, type: 'OAuthException' });
  });

  test.each([
    [`/%zz?${query}`, 2500],
    [`/${id}/%E0%A4%A?${query}`, 2500],
    [`/${id}/__proto__?${query}`, 2500],
    [`/constructor?${query}`, 803],
    [`/${id}?${query}&fields=__proto__`, 100],
    [`/${id}?${query}&fields=${'posts{'.repeat(50_000)}`, 2500],
    [`/${id}/feed?${query}&limit=1e9`, 100],
    [`/${id}/feed?${query}&after=%00%ff`, 100],
    [`/${id}/feed?${query}&since=never`, 100],
  ])('%.60s', async (path, code) => {
    const reply = await read(await sandbox.fetch(graph + path));

    expect(reply.status).toBe(400);
    expect(reply.body.error.code).toBe(code);
    expect(reply.text.length).toBeLessThan(1000);
  });

  test.each(['PUT', 'PATCH', 'OPTIONS', 'BREW'])('the method %s', async (method) => {
    const reply = await read(await sandbox.fetch(`${graph}/${id}?${query}`, { method }));

    expect(reply.body.error).toMatchObject({ code: 100, message: '(#100) Unsupported method' });
  });

  test('a body over the limit', { tags: 'long' }, async () => {
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 10_000_000;
        controller.enqueue(new Uint8Array(10_000_000).fill(97));
      },
    });
    const init = { method: 'POST', body: endless, duplex: 'half' } as RequestInit;

    const reply = await read(await sandbox.fetch(`${graph}/${id}/feed?${query}`, init));

    expect([reply.status, reply.body.error.code]).toEqual([413, 100]);
    expect(sent).toBeLessThan(200_000_000);
  });

  test('parts of a batch that are none, each on its own', async () => {
    const batch = JSON.stringify([
      1,
      null,
      { method: 5 },
      { relative_url: '%zz' },
      { relative_url: `${id}?fields=id` },
    ]);

    const reply = await read(
      await sandbox.fetch(`${graph}?${query}`, { method: 'POST', body: new URLSearchParams({ batch }) }),
    );

    expect(reply.body.map(({ code }: { readonly code: number }) => code)).toEqual([400, 400, 400, 400, 200]);
  });

  test.each(['javascript:alert(1)', 'data:text/html,x', 'nowhere'])(
    'a dialog that would lead to %s',
    async (address) => {
      const url = `${sandbox.platform.dialogUrl}/v26.0/dialog/oauth?client_id=${sandbox.app.id}&redirect_uri=${encodeURIComponent(address)}`;

      await expect(sandbox.authorize(url)).rejects.toThrow('Invalid redirect_uri');
    },
  );
});

describe('a served sandbox stays up', () => {
  /** What the server says to bytes that no client sends. */
  function send(port: number, bytes: string): Promise<string> {
    return new Promise((resolve, reject) => {
      let said = '';
      const socket = createConnection(port, '127.0.0.1', () => socket.end(bytes, 'latin1'));
      socket.on('data', (chunk) => (said += String(chunk)));
      socket.on('error', reject);
      socket.on('close', () => resolve(said));
    });
  }

  async function isUp(server: ServedSandbox): Promise<boolean> {
    const response = await fetch(`${server.platform.graphUrl}/v26.0/${id}?${query}&fields=id`);
    return (await response.text()).includes(id);
  }

  test.each([
    ['an address that is none', 'GET //[::1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', ' 400 '],
    [
      'an address elsewhere',
      'GET http://x.example/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      ' 404 ',
    ],
    [
      'a method that no Request has',
      'TRACE /graph/1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      ' 400 ',
    ],
    ['garbage', '\x00\x01garbage\r\n\r\n', ' 400 '],
    [
      'a length below zero',
      'POST /graph/1 HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\nConnection: close\r\n\r\n',
      ' 400 ',
    ],
  ])('after %s', async (_, bytes, status) => {
    await using server = await serveSandbox(sandbox);

    expect((await send(server.port, bytes)).split('\r\n')[0]).toContain(status);
    expect(await isUp(server)).toBe(true);
  });

  test('and says so where the port is in use', async () => {
    await using server = await serveSandbox(sandbox);

    await expect(serveSandbox(still(), { port: server.port })).rejects.toMatchObject({
      message: `port ${server.port} is in use: pass another one`,
      code: 'EADDRINUSE',
    });
  });
});
