import { setImmediate } from 'node:timers/promises';

import { describe, expect, test } from 'vitest';

import { createLifecycle, transportError } from '../../../src/core/http/lifecycle.ts';
import { systemClock } from '../../../src/core/options/clock.ts';

describe('what ends a call', () => {
  test.each([
    ['network', 'the network failed'],
    ['timeout', 'the time for the request ran out'],
    ['aborted', 'the call was aborted'],
    ['closed', 'the client is closed'],
  ] as const)('is told: %s', (reason, message) => {
    expect(transportError(reason, 'unknown')).toMatchObject({
      name: 'TransportError',
      reason,
      message,
      outcome: 'unknown',
    });
  });

  test('leaves work alone that is done', async () => {
    const { withTimeout, close } = createLifecycle();
    const abort = new AbortController();
    let seen: AbortSignal | undefined;
    await withTimeout(Infinity, abort.signal, async (signal) => {
      seen = signal;
    });

    await setImmediate();
    abort.abort();
    await close();

    expect(seen?.aborted).toBe(false);
  });
});

test('a sleep needs no signal', async () => {
  await expect(systemClock.sleep(1)).resolves.toBeUndefined();
});
