// What `remote.mjs` talks to, in Deno and in Bun.
import { createInterface } from 'node:readline';

import type { Journal } from '../../src/stores/index.ts';

type Command = readonly [
  id: number,
  at: number,
  operation: 'get' | 'compareAndSet' | 'list',
  key: never,
  ...values: never[],
];

export async function serveJournals(journals: readonly Journal[]): Promise<void> {
  console.log('ready');
  for await (const line of createInterface({ input: process.stdin })) {
    void respond(JSON.parse(decodeURIComponent(line)) as Command);
  }

  async function respond([id, at, operation, key, expected, value, ttlMs]: Command): Promise<void> {
    const journal = journals[at] as Journal;
    try {
      if (operation === 'list') {
        const result = [];
        for await (const row of journal.list?.(key) ?? []) result.push(row);
        say([id, { result }]);
        return;
      }
      const result = await (operation === 'get'
        ? journal.get(key)
        : journal.compareAndSet(key, expected ?? undefined, value as never, ttlMs as never));
      say([id, { result }]);
    } catch (thrown) {
      say([id, { failure: String(thrown) }]);
    }
  }
}

/** Encoded: readers of lines take some characters for the end of one. */
function say(value: unknown): void {
  console.log(encodeURIComponent(JSON.stringify(value)));
}
