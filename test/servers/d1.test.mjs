// The journal that docs/stores.md has for D1, in a Worker of miniflare.
import { build } from 'esbuild';
import { afterAll, beforeAll, describe } from 'vitest';

import { startWorker } from '../../examples/support/miniflare.ts';
import { createJournal } from '../../src/stores/index.ts';
import { keepsItsWord } from '../support/journalContract.ts';

const worker = `
  import { d1Journal, table } from './d1.ts';
  export default {
    async fetch(request, { DB }) {
      const [operation, ...values] = await request.json();
      const journal = d1Journal(DB);
      if (operation === 'create') return Response.json({ result: await DB.prepare(table).run() });
      if (operation === 'list') return Response.json({ result: await Array.fromAsync(journal.list(...values)) });
      return Response.json({ result: await journal[operation](...values.map((value) => value ?? undefined)) });
    },
  };`;

describe('a journal in D1, in a Worker', () => {
  let miniflare;
  beforeAll(async () => {
    const { outputFiles } = await build({
      stdin: { contents: worker, resolveDir: import.meta.dirname, loader: 'ts' },
      alias: { 'pagepics/journal': './src/stores/index.ts' },
      bundle: true,
      format: 'esm',
      write: false,
    });
    miniflare = await startWorker({
      modules: true,
      script: outputFiles[0].text,
      compatibilityDate: '2026-10-01',
      d1Databases: ['DB'],
    });
    await ask('create');
  });
  afterAll(() => miniflare?.dispose());

  async function ask(...operation) {
    const init = { method: 'POST', body: JSON.stringify(operation) };
    const { result } = await (await miniflare.dispatchFetch('http://worker/', init)).json();
    return result;
  }
  const journal = createJournal({
    get: (key) => ask('get', key),
    compareAndSet: (...values) => ask('compareAndSet', ...values.map((value) => value ?? null)),
    list: async function* (query) {
      yield* await ask('list', query);
    },
  });
  keepsItsWord(() => [journal, journal]);
});
