// The example that traces: its spans have parents, its log says which call failed.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';

const run = promisify(execFile);

test('each attempt is below its call, and each call below the span that made it', async () => {
  const { stdout, stderr } = await run(process.execPath, ['examples/tracing/main.ts']);

  expect(stderr).toBe('');
  const [, trace] = stdout.split('== the trace\n');
  expect(trace.replaceAll(/\d{17}/g, '<id>')).toBe(`   PUT /posts
     publishPost
       POST /graph/v26.0/<id>/feed network
       GET /graph/v26.0/<id>/published_posts 200
     deletePost ApiError
       DELETE /graph/v26.0/<id>_404 503
       DELETE /graph/v26.0/<id>_404 400
`);
  const lines = stdout.match(/^\{.*\}$/gm).map((line) => JSON.parse(line));
  const traceId = expect.stringMatching(/^[\da-f]{32}$/);
  expect(lines).toMatchObject([
    { msg: 'trying again', operation: 'deletePost', attempt: 1, err: { status: 503 } },
    { operation: 'deletePost', attempts: 2, traceId, err: { method: 'DELETE' } },
  ]);
  expect(new Set(lines.map(({ callId }) => callId)).size).toBe(1);
  expect(stdout).not.toMatch(/EAAO\w{40}|access_token=|appsecret_proof/);
});

test('its code compiles', async () => {
  const compiled = await run('tsc', ['-p', 'examples/tracing']).catch((thrown) => thrown);
  expect(compiled.stdout).toBe('');
});
