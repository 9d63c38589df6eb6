// Two journals in Deno KV, operated over standard input and output: a line of encoded JSON each.
import { createInterface } from 'node:readline';

import { type DenoKv, denoKvJournal, type Journal } from '../../src/stores/index.ts';

declare const Deno: {
  readonly args: readonly string[];
  readonly openKv: (path: string | undefined) => Promise<DenoKv>;
};

type Command = readonly [
  id: number,
  at: number,
  operation: 'get' | 'compareAndSet' | 'list',
  key: never,
  ...values: never[],
];

const kv = await Deno.openKv(Deno.args[0]);
const journals: readonly Journal[] = [denoKvJournal(kv), denoKvJournal(kv)];
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

/** Encoded: readers of lines take some characters for the end of one. */
function say(value: unknown): void {
  console.log(encodeURIComponent(JSON.stringify(value)));
}
