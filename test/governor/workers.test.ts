import { build } from 'esbuild';
import { afterAll, expect, test } from 'vitest';

interface Worker {
  readonly dispatchFetch: (url: string) => Promise<Response>;
  readonly dispose: () => Promise<void>;
}
// Not a literal: its types need packages that are not installed.
const [name] = ['miniflare'];
const { Miniflare } = (await import(name)) as { readonly Miniflare: new (options: object) => Worker };

/**
 * Requests of a Worker share a governor with a store. A request makes a call of a lane, and its response says how much of
 * the limit is used. At `/stuck`, the store never answers it. `/state` says what the others do.
 */
const script = `
  import { withOptions } from './src/core/index.ts';
  import { createGovernor } from './src/governor/index.ts';
  import { createPageContext, me } from './src/page/index.ts';

  const entries = new Map();
  let [context, answer, percent] = [undefined, async () => undefined, 0];
  const state = { reads: 0, stuck: 0 };

  function createContext() {
    const governor = createGovernor({
      maxWaitMs: 600_000,
      syncMs: 100,
      store: {
        get: async (key) => {
          await answer();
          return entries.get(key);
        },
        compareAndSet: async (key, expected, value) =>
          entries.get(key) === expected && Boolean(entries.set(key, value)),
      },
    });
    const respond = async () =>
      Response.json({ id: '42' }, { headers: { 'x-app-usage': JSON.stringify({ call_count: percent }) } });
    return createPageContext({ appId: '7', appSecret: 'a-secret', governor, fetch: respond }).value;
  }

  addEventListener('fetch', (event) => event.respondWith(serve(new URL(event.request.url))));

  async function serve({ pathname, searchParams }) {
    if (pathname === '/state') return Response.json(state);
    context ??= createContext();
    const isStuck = pathname === '/stuck';
    // A timer of this request, as the connection to a store is.
    answer = () => {
      if (isStuck) state.stuck++;
      return new Promise((resolve) => setTimeout(resolve, isStuck ? 3_600_000 : 1));
    };
    const lane = searchParams.get('lane') ?? 'read';
    const next = searchParams.get('percent');
    if (next !== null) percent = Number(next);
    const used = withOptions(context, { lane }).value;
    const begun = Date.now();
    if (!isStuck && lane === 'read') state.reads++;
    const result = await me(used, { token: 'a-token' });
    if (!isStuck && lane === 'read') state.reads--;
    return Response.json({ isOk: result.isOk(), error: result.error?.message, ms: Date.now() - begun });
  }`;

const running: Worker[] = [];

/** Starts a Worker. */
async function start(compatibilityDate: string) {
  const { outputFiles } = await build({
    stdin: { contents: script, resolveDir: '.', loader: 'ts' },
    bundle: true,
    format: 'iife',
    write: false,
  });
  const lines: string[] = [];
  const worker = new Miniflare({
    script: outputFiles[0]?.text ?? '',
    compatibilityDate,
    handleRuntimeStdio: (...streams: readonly NodeJS.ReadableStream[]) => {
      for (const stream of streams) stream.on('data', (data) => lines.push(String(data)));
    },
  });
  running.push(worker);
  const ask = async (path: string): Promise<unknown> => {
    const response = await worker.dispatchFetch(`http://worker.example${path}`);
    const text = await response.text();
    return response.ok ? JSON.parse(text) : text;
  };
  return { ask, lines };
}

afterAll(async () => {
  for (const worker of running) await worker.dispose();
});

// Before the second date, a promise that another request resolves goes on in the wrong request.
test.each(['2024-01-01', '2026-10-01'])(
  'a request of a Worker of %s waits for no exchange, timer or promise of another one',
  async (date) => {
    const { ask, lines } = await start(date);
    expect(await ask('/?percent=10')).toMatchObject({ isOk: true });
    // Until what is leased is over, a call does not ask the store.
    const state = () => ask('/state') as Promise<Record<'reads' | 'stuck', number>>;
    const beStuck = async () => {
      void ask('/stuck').catch(() => undefined);
      return (await state()).stuck;
    };
    await expect.poll(beStuck, { timeout: 5000 }).toBeGreaterThan(0);

    expect(await ask('/')).toMatchObject({ isOk: true });
    // Reads wait for room, until a response to another request says that there is some.
    expect(await ask('/?percent=74.05&lane=publish')).toMatchObject({ isOk: true });
    const reads = [ask('/'), ask('/'), ask('/')];
    await expect.poll(async () => (await state()).reads, { timeout: 5000 }).toBe(3);
    expect(await ask('/?percent=20&lane=publish')).toMatchObject({ isOk: true });

    expect(await Promise.all(reads)).toMatchObject([{ isOk: true }, { isOk: true }, { isOk: true }]);
    expect(lines.join('')).not.toMatch(/different request|hang|hung/i);
  },
);
