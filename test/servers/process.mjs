// A process that opens a journal on a store which others open at the same time, and claims one key.
import { DatabaseSync } from 'node:sqlite';

import pg from 'pg';

import { postgresJournal, sqliteJournal } from '../../src/stores/index.ts';

const [, , kind, address, key] = process.argv;
const [journal, close] = kind === 'postgres' ? overPostgres() : overSqlite();
// All begin together: when the last one has started.
process.send('ready');
await new Promise((resolve) => void process.once('message', resolve));
const isStored = await journal.compareAndSet(key, undefined, `${process.pid}`, 60_000);
const value = await journal.get(key);
process.send({ isStored, value });
await close();
process.disconnect();

function overPostgres() {
  const pool = new pg.Pool({ connectionString: address });
  return [postgresJournal(pool), () => pool.end()];
}

function overSqlite() {
  const db = new DatabaseSync(address);
  return [sqliteJournal(db), async () => db.close()];
}
