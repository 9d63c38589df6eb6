// How often a post under a key asks its store, where several processes make equal ones at once, each under a key of its own: they
// wait for each other, and must not ask the more often the more they are.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createPageContext, publishPost } from '../src/page/index.ts';
import type { Row } from './rows.ts';
import { openStore, startStore } from './stores.ts';

const processes = 4;
const [few, many] = [80, 320];
/** How long the platform takes for a post. */
const postMs = 20;

/** What a process tells at its end. */
interface Report {
  readonly trips: number;
  readonly published: number;
}

/** How often each post asks the store, and how many are published. */
async function measure(posts: number): Promise<Report> {
  const folder = await mkdtemp(join(tmpdir(), 'pagepics-equals-'));
  try {
    await using store = await startStore('sqlite', folder);
    const reports = await Promise.all(
      Array.from({ length: processes }, async (_, at) => {
        const child = fork(import.meta.filename, [store.address, `${at}`, `${posts / processes}`]);
        const [report] = await once(child, 'message');
        await once(child, 'exit');
        // The message of `publish`.
        return report as Report;
      }),
    );
    const sum = (of: keyof Report): number => reports.reduce((total, report) => total + report[of], 0);
    return { trips: sum('trips') / posts, published: sum('published') };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What each of the processes does. */
async function publish(address: string, name: string, posts: number): Promise<Report> {
  const { journal, trips, close } = await openStore('sqlite', address);
  let made = 0;
  const context = createPageContext({
    appId: '1',
    appSecret: 'a-secret',
    journal,
    deadlineMs: 600_000,
    fetch: async () => {
      await new Promise((resolve) => setTimeout(resolve, postMs));
      const id = `100_${process.pid}${made++}`;
      return Response.json({ id }, { headers: { date: new Date().toUTCString() } });
    },
  })._unsafeUnwrap();
  const results = await Promise.all(
    Array.from({ length: posts }, (_, at) =>
      publishPost(context, {
        pageId: '100',
        pageToken: 'token',
        message: 'Open until nine',
        idempotencyKey: `${name} ${at}`,
      }),
    ),
  );
  await close();
  return { trips: trips(), published: results.filter((result) => result.isOk()).length };
}

export async function equals(): Promise<readonly Row[]> {
  const [first, last] = [await measure(few), await measure(many)];
  const told = ({ trips, published }: Report): string =>
    `${trips.toFixed(1)} of each, ${published} published`;
  return [
    {
      figure: `questions to SQLite of ${many} equal posts under keys, by ${processes} processes`,
      own: told(last),
      peer: `of ${few}: ${told(first)}`,
      ratio: last.trips / first.trips,
      aim: 1.1,
    },
  ];
}

const [, , address = '', name = '', posts] = process.argv;
if (process.send && import.meta.main) process.send(await publish(address, name, Number(posts)));
