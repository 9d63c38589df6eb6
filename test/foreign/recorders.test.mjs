// The table of SECURITY.md: what tools that record requests write of a call, by default and with the token in a header.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';

import { createSandbox, serveSandbox } from '../../src/sandbox/index.ts';

const run = promisify(execFile);

/** The first cell of each row; `debug` is the variable `NODE_DEBUG`. */
const tools = {
  'OpenTelemetry, `instrumentation-undici` 0.34.0': { tool: 'undici' },
  'OpenTelemetry, `instrumentation-http` 0.301.0': { tool: 'http' },
  'Sentry, `@sentry/node` 11.12.0': { tool: 'sentry' },
  '`nock.recorder` 15.0.6': { tool: 'nock' },
  'the same with `enable_reqheaders_recording`': { tool: 'nockWithHeaders' },
  'Polly 6.0.6, its files': { tool: 'polly' },
  'the warnings of MSW 2.15.0': { tool: 'msw' },
  '`NODE_DEBUG=undici`': { tool: 'node', debug: 'undici' },
  '`NODE_DEBUG=fetch`': { tool: 'node', debug: 'fetch' },
  '`NODE_DEBUG=http,net`': { tool: 'node', debug: 'http,net' },
  '`performance.getEntriesByType`': { tool: 'performance' },
};

const table = /^\| What writes .*\n(?:\|.*\n)+/m.exec(readFileSync('SECURITY.md', 'utf8'))?.[0] ?? '';
const rows = table
  .trim()
  .split('\n')
  .slice(2)
  .map((line) => line.slice(2, -2).split(' | '));

test('SECURITY.md has a row for each tool', () => {
  expect(rows.map(([title]) => title)).toEqual(Object.keys(tools));
});

test.each(Object.entries(tools))('%s', async (title, { tool, debug }) => {
  const [, byDefault, inHeader] = rows.find(([first]) => first === title) ?? [];
  expect({ byDefault: await seen('query'), inHeader: await seen('header') }).toEqual({ byDefault, inHeader });

  async function seen(tokenTransport) {
    const sandbox = createSandbox();
    const [page] = sandbox.pages;
    const server = await serveSandbox(sandbox);
    const settings = {
      app: sandbox.app,
      platform: server.platform,
      page,
      tokenTransport,
      dsn: `http://key@127.0.0.1:${server.port}/1`,
    };
    const env = { ...process.env, SETTINGS: JSON.stringify(settings), NODE_DEBUG: debug ?? '' };
    try {
      const { stdout, stderr } = await run(
        process.execPath,
        [new URL('recorders.mjs', import.meta.url).pathname, tool],
        { env, maxBuffer: 64_000_000 },
      );
      // Both calls were made while the tool was at work.
      expect(sandbox.effects('post')).toHaveLength(1);
      const written = stdout + stderr;
      expect(written).not.toContain(sandbox.app.secret);
      if (written.includes(page.token)) return 'the token';
      return /published|feed/.test(written) ? 'the call' : 'nothing';
    } finally {
      await server.close();
    }
  }
});
