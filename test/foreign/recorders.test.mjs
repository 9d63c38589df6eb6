// The table of SECURITY.md: what tools that record requests write of a call, by default and with the token in a header.
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';

import { createSandbox, serveSandbox } from '../../src/sandbox/index.ts';

const run = promisify(execFile);

/** The first cell of each row; `debug` is the variable `NODE_DEBUG`. */
const tools = {
  'OpenTelemetry, `instrumentation-undici` 0.34.0': { tool: 'undici' },
  'OpenTelemetry, `instrumentation-http` 0.301.0': { tool: 'http' },
  'Sentry, `@sentry/node` 11.12.0': { tool: 'sentry', folder: 'more' },
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

for (const [title, { tool, debug, folder = '' }] of Object.entries(tools)) {
  // CI leaves out what is too large.
  const isInstalled = existsSync(new URL(`./${folder}/node_modules`, import.meta.url));
  test.skipIf(!isInstalled)(title, () => holds(title, tool, debug));
}

async function holds(title, tool, debug) {
  const [, byDefault, inHeader] = rows.find(([first]) => first === title) ?? [];
  const sandbox = createSandbox();
  const server = await serveSandbox(sandbox);
  // One Page for each transport: what is written shows by its token and its id which one it is of.
  const [query, header] = sandbox.pages;
  const settings = {
    app: sandbox.app,
    platform: server.platform,
    pages: { query, header },
    dsn: `http://key@127.0.0.1:${server.port}/1`,
  };
  const env = { ...process.env, SETTINGS: JSON.stringify(settings), NODE_DEBUG: debug ?? '' };
  try {
    const { stdout, stderr } = await run(
      process.execPath,
      [new URL('recorders.mjs', import.meta.url).pathname, tool],
      { env, maxBuffer: 64_000_000 },
    );
    // All calls were made while the tool was at work.
    expect(sandbox.effects('post').map(({ parentId }) => parentId)).toEqual([query.id, header.id]);
    const written = stdout + stderr;
    expect(written).not.toContain(sandbox.app.secret);
    const seen = ({ id, token }) =>
      written.includes(token) ? 'the token' : written.includes(id) ? 'the call' : 'nothing';
    expect({ byDefault: seen(query), inHeader: seen(header) }).toEqual({ byDefault, inHeader });
  } finally {
    await server.close();
  }
}
