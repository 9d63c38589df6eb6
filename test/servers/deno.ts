// Two journals in Deno KV.
import { type DenoKv, denoKvJournal } from '../../src/stores/index.ts';
import { serveJournals } from './serveJournals.ts';

declare const Deno: {
  readonly args: readonly string[];
  readonly openKv: (path: string | undefined) => Promise<DenoKv>;
};

const kv = await Deno.openKv(Deno.args[0]);
await serveJournals([denoKvJournal(kv), denoKvJournal(kv)]);
