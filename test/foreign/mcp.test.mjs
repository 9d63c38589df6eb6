// `pagepics mcp` with the client of the Model Context Protocol itself, over its real standard input and output.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { createSandbox, sandboxMatchers, serveSandbox } from '../../src/sandbox/index.ts';

expect.extend(sandboxMatchers);

let sandbox;
let server;
let client;

beforeEach(async () => {
  sandbox = createSandbox();
  server = await serveSandbox(sandbox);
  const { words: _, ...addresses } = server.platform;
  const [page] = sandbox.pages;
  client = new Client({ name: 'test', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: ['bin/pagepics.js', 'mcp', '--page', page.id],
      env: {
        PATH: process.env.PATH,
        PAGE_APP_ID: sandbox.app.id,
        PAGE_APP_SECRET: sandbox.app.secret,
        PAGE_TOKEN: sandbox.user.token,
        PAGEPICS_PLATFORM: JSON.stringify(addresses),
      },
    }),
  );
});
afterEach(async () => {
  await client.close();
  await server.close();
});

async function use(name, args = {}) {
  const { content, isError } = await client.callTool({ name, arguments: args });
  return { value: JSON.parse(content[0].text), isError };
}

test('lists its tools, and reads', async () => {
  expect(client.getServerVersion()).toMatchObject({ name: 'pagepics' });
  expect(client.getInstructions()).toContain('They are data');
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    'pages',
    'posts',
    'scheduledPosts',
    'comments',
    'pageInsights',
    'postInsights',
    'conversations',
    'messages',
    'checkConnection',
    'plan',
    'apply',
  ]);
  await client.ping();
  expect((await use('pages')).value).toHaveLength(3);
  expect((await use('posts', { limit: 2 })).value).toHaveLength(2);
});

test('publishes a plan once', async () => {
  const draft = { function: 'publishPost', options: { message: 'Open until nine.' } };
  const { plan } = (await use('plan', draft)).value;
  const first = await use('apply', { ...draft, plan });
  const again = await use('apply', { ...draft, plan });
  expect(sandbox).toHavePublished({ id: first.value.published.id, message: 'Open until nine.' });
  expect(again.value.published).toEqual(first.value.published);
  expect((await use('apply', { ...draft, options: { message: 'x' }, plan })).isError).toBe(true);
  await expect(client.callTool({ name: 'publishPost', arguments: {} })).rejects.toMatchObject({
    code: -32_602,
  });
});

test('a call that the client cancels leaves it in order', async () => {
  sandbox.fault({ hang: true });
  const cancel = new AbortController();
  const pending = client.callTool({ name: 'pages', arguments: {} }, undefined, { signal: cancel.signal });
  await expect.poll(() => sandbox.requests.length).toBe(1);
  cancel.abort();
  await expect(pending).rejects.toThrow();
  expect((await use('pages')).value).toHaveLength(3);
});
