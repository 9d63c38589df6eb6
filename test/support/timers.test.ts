import { createServer } from 'node:http';

import { expect, test, vi } from 'vitest';

import { listen } from './server.ts';
import { fakeTimers } from './timers.ts';

test('a connection that `fetch` keeps open sets no timer that a test counts', async () => {
  await using server = await listen(createServer((_, response) => response.end('a')));
  const response = fetch(server.origin);
  fakeTimers();
  expect(await (await response).text()).toBe('a');
  const left = setTimeout(() => {}, 1000);

  expect(vi.getTimerCount()).toBe(1);
  clearTimeout(left);
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});
