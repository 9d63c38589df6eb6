// Two journals over `bun:sqlite`, each with a connection of its own.
import { type SqliteDatabase, sqliteJournal } from '../../src/stores/index.ts';
import { serveJournals } from './serveJournals.ts';

// By a variable: only Bun has it.
const name: string = 'bun:sqlite';
const { Database } = (await import(name)) as { readonly Database: new (path: string) => SqliteDatabase };
const [, , path = ''] = process.argv;
const [one, two] = [new Database(path), new Database(path)];
one.exec('pragma journal_mode = wal');
await serveJournals([sqliteJournal(one), sqliteJournal(two)]);
