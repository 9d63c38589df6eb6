// The cost of a key: round trips to the store per publish, and publishes a second, 16 at a time on a platform that responds
// at once; for each store, empty and with rows, and without a key; beside Redis, what three bare commands cost.
// `node bench/journal.ts [publishes] [rows] [stores…]`; with TMPDIR=/dev/shm, the data of the stores is in memory.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createPageContext, publishPost } from '../src/page/index.ts';
import { type OpenedStore, openStore, startStore, type StoreName, storeNames } from './stores.ts';

const atOnce = 16;

interface Cost {
  readonly trips: number;
  readonly perSecond: number;
  /** Measured in processor time of this process, which other load on the machine affects less. */
  readonly perCpuSecond: number;
}

/** Publishes under new keys; without a store, without keys. */
async function measure(opened: OpenedStore | undefined, publishes: number, name: string): Promise<Cost> {
  const { journal, trips = () => 0 } = opened ?? {};
  let made = 0;
  const context = createPageContext({
    appId: '1234567890',
    appSecret: '0123456789abcdef0123456789abcdef',
    journal,
    fetch: async () =>
      Response.json({ id: `100_${Date.now()}${made++}` }, { headers: { date: new Date().toUTCString() } }),
  })._unsafeUnwrap();
  let next = 0;
  const publishOne = async (): Promise<void> => {
    const number = next++;
    const post = await publishPost(context, {
      pageId: '100',
      pageToken: 'token',
      message: `${name} ${number}`,
      idempotencyKey: journal && `${name}-${number}`,
    });
    if (post.isErr()) throw post.error;
  };
  return time(publishes, publishOne, trips);
}

/** Does something many times, 16 at a time. */
async function time(times: number, work: () => Promise<unknown>, trips = (): number => 0): Promise<Cost> {
  // Work that is done only once is not counted.
  await work();
  const before = trips();
  let begun = 0;
  const cpu = process.cpuUsage();
  const started = performance.now();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (begun++ < times) await work();
    }),
  );
  const seconds = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  return {
    trips: (trips() - before) / times,
    perSecond: times / seconds,
    perCpuSecond: (times * 1e6) / (user + system),
  };
}

function rowOf({ trips, perSecond, perCpuSecond }: Cost) {
  return {
    'round trips': trips,
    'a second': Math.round(perSecond),
    'a second of CPU': Math.round(perCpuSecond),
  };
}

/** Rows like those of the publishes of the last days. */
async function fill(opened: OpenedStore, name: StoreName, rows: number): Promise<void> {
  const value = JSON.stringify({
    version: 1,
    digest: 'd'.repeat(64),
    owner: 'o'.repeat(32),
    text: 'x'.repeat(150),
  });
  if (name === 'postgres') {
    await opened.run(`insert into pagepics_journal select 'filled ' || n, '${value}',
      date_trunc('hour', now() + make_interval(secs => n % 600000)) from generate_series(1, ${rows}) n`);
    await opened.run('analyze pagepics_journal');
  } else if (name === 'sqlite') {
    await opened.run(`insert into pagepics_journal with recursive numbers(n) as
      (select 1 union all select n + 1 from numbers where n < ${rows})
      select 'filled ' || n, '${value}', ${Date.now()} + n * 600 from numbers`);
  } else if (name === 'redis') {
    await opened.run(
      `for n = 1, ${rows} do redis.call('SET', 'filled ' .. n, '${value}', 'PX', 600000 + n * 600) end`,
    );
  }
}

const [publishes = '2000', rows = '0', ...named] = process.argv.slice(2);
const chosen = named.length === 0 ? storeNames : storeNames.filter((name) => named.includes(name));
const table: Record<string, object> = {};
// Whatever is measured first would pay for compiling the code.
for (const opened of [undefined, await openStore('memory', '')]) await measure(opened, 2000, 'warm');
table['no key'] = rowOf(await measure(undefined, Number(publishes), 'plain'));
for (const name of chosen) {
  const folder = await mkdtemp(join(tmpdir(), 'pagepics-cost-'));
  await using store = await startStore(name, folder);
  const opened = await openStore(name, store.address);
  const row = rowOf(await measure(opened, Number(publishes), 'empty'));
  table[name] = row;
  if (Number(rows) > 0) {
    await fill(opened, name, Number(rows));
    const full = await measure(opened, Number(publishes), 'full');
    table[name] = {
      ...row,
      [`a second, ${rows} rows`]: Math.round(full.perSecond),
      [`of CPU, ${rows} rows`]: Math.round(full.perCpuSecond),
    };
  }
  const { bare } = opened;
  if (bare !== undefined) {
    let key = 0;
    const cost = await time(Number(publishes), () => bare(`bare ${key++}`));
    table[`${name}, three bare commands`] = rowOf({ ...cost, trips: 3 });
  }
  await opened.close();
  await rm(folder, { recursive: true });
}
console.log(`under a key each, ${atOnce} side by side, ${publishes} publishes`);
console.table(table);
