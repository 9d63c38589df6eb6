// A process whose journal loses its connections again and again. It says how its writes ended, and that it goes on.
import pg from 'pg';

import { postgresJournal } from '../../src/stores/index.ts';

const pool = new pg.Pool({ connectionString: process.argv[2] });
// Without a listener, a broken connection ends the process.
pool.on('error', () => undefined);
const journal = postgresJournal(pool);
// The table is there.
await journal.compareAndSet('first', undefined, 'x', 60_000);
process.send('ready');
const reasons = new Set();
let stored = 0;
for (let at = 0; at < 100; at++) {
  const writes = [0, 1, 2].map((one) => journal.compareAndSet(`key ${at} ${one}`, undefined, 'x', 60_000));
  for (const write of await Promise.allSettled(writes)) {
    if (write.status === 'fulfilled') stored++;
    else reasons.add(String(write.reason?.code ?? write.reason));
  }
}
process.send({ stored, reasons: [...reasons] });
// Nobody ends its connections any more.
await new Promise((resolve) => void process.once('message', resolve));
for (let left = 20; left > 0; left--)
  await journal.get('key 0 0').then(
    () => (left = 0),
    () => undefined,
  );
process.send({ isAlive: await journal.compareAndSet('last', undefined, 'x', 60_000) });
await pool.end();
process.disconnect();
