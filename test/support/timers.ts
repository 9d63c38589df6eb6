import { vi } from 'vitest';

/**
 * Fakes the timers of the product. Those of Node's `fetch` stay real, which takes the global ones, too: of a connection
 * that an earlier file of the worker left idle, it would set one that a test then counts as left behind.
 */
export function fakeTimers(): void {
  const real = { setTimeout, clearTimeout };
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const fake = { setTimeout, clearTimeout };
  const ofFetch = new WeakSet<object>();
  // Assigned, not stubbed: `useRealTimers` puts the real ones back.
  Object.assign(globalThis, {
    setTimeout: (...given: Parameters<typeof setTimeout>) => {
      if (new Error().stack?.includes('node:internal/deps/undici') !== true) return fake.setTimeout(...given);
      const timer = real.setTimeout(...given);
      ofFetch.add(timer);
      return timer;
    },
    clearTimeout: (timer: NodeJS.Timeout | undefined) => {
      const { clearTimeout } = timer !== undefined && ofFetch.has(timer) ? real : fake;
      clearTimeout(timer);
    },
  });
}
