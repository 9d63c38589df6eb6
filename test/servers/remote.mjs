// Journals in another runtime, operated over standard input and output: a line of encoded JSON each.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

import { createJournal } from '../../src/stores/index.ts';

/** Two journals in a process that runs `serveJournals`. */
export async function startRemote(command, args) {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const waiting = new Map();
  let asked = 0;
  const lines = createInterface({ input: child.stdout });
  await once(lines, 'line');
  lines.on('line', (line) => {
    const [id, { result, failure }] = JSON.parse(decodeURIComponent(line));
    const { resolve, reject } = waiting.get(id);
    waiting.delete(id);
    if (failure === undefined) resolve(result);
    else reject(new Error(failure));
  });
  const ask = (...operation) =>
    new Promise((resolve, reject) => {
      waiting.set(++asked, { resolve, reject });
      child.stdin.write(`${encodeURIComponent(JSON.stringify([asked, ...operation]))}\n`);
    });
  const pair = [0, 1].map((at) =>
    createJournal({
      get: (key) => ask(at, 'get', key),
      compareAndSet: (...values) => ask(at, 'compareAndSet', ...values.map((value) => value ?? null)),
      list: async function* (query) {
        yield* await ask(at, 'list', query);
      },
    }),
  );
  return {
    pair,
    async stop() {
      child.kill();
      await once(child, 'exit');
    },
  };
}
