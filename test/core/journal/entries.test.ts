import { createHash } from 'node:crypto';

import { expect, test } from 'vitest';

import { type JournalStore, memoryJournal } from '../../../src/core/index.ts';
import { publishings } from './publishings.ts';
import { createWorld, leaseMs, settleMs } from './support.ts';

const message = 'Canary, that nobody may read';

/** A store, and all that it was ever given. */
function watchedStore(): { readonly store: JournalStore; readonly given: string[] } {
  const memory = memoryJournal();
  const given: string[] = [];
  return {
    given,
    store: {
      get: (key) => {
        given.push(key);
        return memory.get(key);
      },
      compareAndSet: (key, expected, value, ttlMs) => {
        given.push(key, expected ?? '', value);
        return memory.compareAndSet(key, expected, value, ttlMs);
      },
    },
  };
}

test.each(Object.entries(publishings))(
  '%s gives a journal no text, no token and no secret, nor a digest of one',
  async (_, { call, prepare }) => {
    const { store, given } = watchedStore();
    const { sandbox, page, start } = createWorld(store);
    const { account, app, picsApp, user } = sandbox;
    const target = { page, account, prepared: await prepare?.(sandbox) };
    const job = { idempotencyKey: 'key', message };
    // Lost, refused, looked up and done: each has entries of its own.
    sandbox.fault({ method: 'POST', error: { code: 100, message }, status: 400 });
    await call(start(), target, job);
    sandbox.fault({ method: 'POST', when: 'after', drop: true, times: 3 });
    for (let calls = 0; calls < 3; calls++) {
      await call(start(), target, job);
      sandbox.advance(leaseMs + settleMs);
    }
    await call(start(), target, { ...job, idempotencyKey: 'another' });

    const all = given.join('\n');
    expect(all).toContain('"digest"');
    const secrets = [page.token, account.token, user.token, app.secret, picsApp.secret];
    for (const canary of [message, encodeURIComponent(message), 'Canary', ...secrets]) {
      expect(all).not.toContain(canary);
      for (const encoding of ['hex', 'base64'] as const) {
        const hash = createHash('sha256').update(canary).digest(encoding);
        expect(all).not.toContain(hash.slice(0, 16));
      }
    }
  },
);
