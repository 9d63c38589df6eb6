// Posts a second under a key each, 16 at a time on a platform that responds at once, for each store that can be started here.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Build, builds } from './builds.ts';
import { median, processorTime, type Row, wallTime } from './rows.ts';
import { type OpenedStore, openStore, startStore, type Store, type StoreName } from './stores.ts';

const atOnce = 16;
const publishes = 200;
const rounds = 7;
const stores: Readonly<Record<StoreName, string>> = {
  memory: 'memory',
  sqlite: 'SQLite on disk, WAL',
  postgres: 'Postgres on disk',
  redis: 'Redis, fsync always',
};
let keys = 0;

interface Rate {
  readonly perSecond: number;
  /** Posts in a second of processor time of this process. */
  readonly perCpuSecond: number;
}

async function measure({ page }: Build, opened: OpenedStore | undefined, posts = publishes): Promise<Rate> {
  let made = 0;
  const context = page
    .createPageContext({
      appId: '1234567890',
      appSecret: '0123456789abcdef0123456789abcdef',
      journal: opened?.journal,
      fetch: async () =>
        Response.json({ id: `100_${Date.now()}${made++}` }, { headers: { date: new Date().toUTCString() } }),
    })
    ._unsafeUnwrap();
  let begun = 0;
  const [startedAt, usedAtStart] = [wallTime(), processorTime()];
  const work = async (): Promise<void> => {
    while (begun++ < posts) {
      const name = `post ${keys++}`;
      const idempotencyKey = opened && name;
      const options = { pageId: '100', pageToken: 'token', message: name, idempotencyKey };
      (await page.publishPost(context, options))._unsafeUnwrap();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  const rateSince = (start: number, now: number): number => (posts * 1000) / (now - start);
  return {
    perSecond: rateSince(startedAt, wallTime()),
    perCpuSecond: rateSince(usedAtStart, processorTime()),
  };
}

/** Starts a store, unless its server or its client is not installed. */
async function startIfThere(name: StoreName, folder: string): Promise<Store | undefined> {
  try {
    const store = await startStore(name, folder);
    const opened = await openStore(name, store.address).catch(() => undefined);
    if (opened === undefined) await store[Symbol.asyncDispose]();
    await opened?.close();
    return opened && store;
  } catch {
    return undefined;
  }
}

/** The medians of rounds without the first two, which compile the code. */
function typical(rates: readonly Rate[]): Rate {
  const [perSecond, perCpuSecond] = (['perSecond', 'perCpuSecond'] as const).map((of) =>
    median(rates.slice(2).map((rate) => rate[of])),
  );
  return { perSecond: perSecond ?? NaN, perCpuSecond: perCpuSecond ?? NaN };
}

function inRate({ perSecond, perCpuSecond }: Rate): string {
  return `${perSecond.toFixed(0)} a second, ${perCpuSecond.toFixed(0)} a second of processor time`;
}

async function rowOf(name: StoreName, withoutKey: Rate): Promise<readonly Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'pagepics-cost-'));
  const store = await startIfThere(name, folder);
  const figure = `posts under a key each, in ${stores[name]}`;
  if (store === undefined) return [{ figure, own: 'not installed: npm run test:servers' }];
  try {
    const opened = await Promise.all(
      builds.map((build) => openStore(name, store.address, { ...build.journal, ...build.core })),
    );
    const rates: Rate[][] = builds.map(() => []);
    for (let round = 0; round < rounds; round++)
      for (const [at, build] of builds.entries()) rates[at]?.push(await measure(build, opened[at]));
    for (const { close } of opened) await close();
    const [own, before] = rates.map(typical);
    const trips = (opened[0]?.trips() ?? NaN) / (rounds * publishes);
    return [
      {
        figure,
        own: own === undefined ? '' : `${inRate(own)}; ${trips.toFixed(1)} round trips each`,
        peer: `without a key: ${inRate(withoutKey)}`,
        ...(before !== undefined && { before: inRate(before) }),
      },
    ];
  } finally {
    await store[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  }
}

/** What a post costs once many others were made, to what the first ones cost. */
async function growth(build: Build): Promise<Row> {
  const opened = await openStore('memory', '', { ...build.journal, ...build.core });
  // Compiles the code.
  for (let at = 0; at < 3; at++) await measure(build, opened, thousand);
  const costs: number[] = [];
  for (let at = 0; at < 20; at++) costs.push(1e6 / (await measure(build, opened, thousand)).perCpuSecond);
  await opened.close();
  const [first = NaN, last = NaN] = [costs.at(0), costs.at(-1)];
  return {
    figure: 'a post under a key, in memory, the last thousand of 20,000 to the first',
    own: `${last.toFixed(0)} µs of processor time`,
    peer: `${first.toFixed(0)} µs`,
    ratio: last / first,
    aim: 1.1,
  };
}

const thousand = 1000;

export async function keyed(): Promise<readonly Row[]> {
  const [own] = builds as readonly [Build];
  const plain: Rate[] = [];
  for (let round = 0; round < rounds; round++) plain.push(await measure(own, undefined));
  const rows: Row[] = [await growth(own)];
  for (const name of Object.keys(stores) as StoreName[]) rows.push(...(await rowOf(name, typical(plain))));
  return rows;
}
