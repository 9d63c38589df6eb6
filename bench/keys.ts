// Publishes under many keys from three processes that are killed at random, while the platform loses a fifth of the
// responses, and compares what the calls reported with what happened. `node bench/keys.ts [keys] [seed]`
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createSandbox, type Effect, type FaultAction, serveSandbox } from '../src/sandbox/index.ts';
import { fileOf, type Publishing, publishings } from '../test/core/journal/publishings.ts';
import { openFleet } from './fleet.ts';
import type { Told } from './orders.ts';
import { createRandom } from './random.ts';

export interface KeysReport {
  readonly planned: number;
  /** Keys that told what they published. */
  readonly published: number;
  /** Calls whose process was killed. */
  readonly killed: number;
  /** Keys that told what they published after such a call. */
  readonly resumed: number;
  /** Effects beyond the first one of a key. */
  readonly duplicates: number;
  /** Keys that told an id that is not that of their effect. */
  readonly wrongIds: number;
  /** Keys that neither told what they published nor that it is unknown, and that told it without an effect. */
  readonly lost: number;
  /** Keys that came to no end: of which some are published. */
  readonly unknown: number;
  readonly unknownButLive: number;
  /** Effects that belong to no key: the judge failed. */
  readonly strays: number;
  /** How many of the unknown each kind of publishing has. */
  readonly unknownOf: Readonly<Record<string, number>>;
  /** Why each of them is unknown. */
  readonly reasons: readonly string[];
}

interface Key {
  readonly name: string;
  readonly publishing: Publishing;
  readonly message: string;
  isKilled: boolean;
  told: Told | undefined;
}

/** A fifth of the responses of writes is lost, or spoilt. */
const faults: readonly (FaultAction & { readonly when: 'before' | 'after'; readonly share: number })[] = [
  { drop: true, when: 'after', share: 0.07 },
  { truncate: 5, when: 'after', share: 0.03 },
  { drop: true, when: 'before', share: 0.06 },
  { status: 503, when: 'before', share: 0.04 },
];
/** Longer than a lease and the time in which a request settles. */
const roundMs = 800_000;
const rounds = 8;
/** More of them, where keys still wait for each other. */
const mostRounds = 40;
/** In the last ones, nobody is killed. */
const roundsWithKills = 5;
/** How often a process is killed at a point of one of its calls. */
const killChance = 1 / 150;
const workers = 3;
/** Longer than a call takes, and not so long as to wait for a lost one to settle. */
const deadlineMs = 3000;
const callsAtOnce = 12;
/** Of the others, nothing can tell what a lost request made. */
const named = Object.entries(publishings).filter(
  ([, { isBlind, hidesId, hidesContent, isGuarded, prepare }]) =>
    !isBlind && !hidesId && !hidesContent && !isGuarded && prepare === undefined,
);

export async function publishKeys(planned: number, seed: number): Promise<KeysReport> {
  const random = createRandom(seed);
  const sandbox = createSandbox({ seed });
  sandbox.tune({ pics: { quotaTotal: Infinity } });
  let passed = 1;
  for (const { share, ...fault } of faults) {
    sandbox.fault({ ...fault, method: 'POST', times: Infinity, chance: share / passed });
    passed -= share;
  }
  const folder = await mkdtemp(join(tmpdir(), 'pagepics-keys-'));
  const fleet = await openFleet(workers, folder);
  await using server = await serveSandbox(fleet.watched(sandbox));
  const { app, picsApp, account, pages } = sandbox;
  const [page] = pages;
  if (page?.picsId === undefined) throw new Error('the first Page has an account');
  const fixed = {
    target: { page: { ...page, picsId: page.picsId }, account },
    platform: server.platform,
    app,
    picsApp,
    journal: join(folder, 'journal.db'),
    deadlineMs,
  };
  const keys = Array.from({ length: planned }, (_, number): Key => {
    const [name, publishing] = named[number % named.length] as (typeof named)[number];
    return { name, publishing, message: `Number-${number}-`, isKilled: false, told: undefined };
  });
  let killed = 0;
  for (let round = 0; round < mostRounds; round++) {
    const isCalm = round >= roundsWithKills;
    if (round >= rounds && !keys.some(({ told }) => told?.error?.['reason'] === 'busy')) break;
    const open = keys.filter(({ told }) => told?.value === undefined);
    await eachAtOnce(open, callsAtOnce, (key) => publish(key, round * roundMs, isCalm));
    sandbox.advance(roundMs);
  }
  fleet.close();
  await rm(folder, { recursive: true });
  return { planned, killed, ...judge(keys, sandbox.effects()) };

  /** Calls under a key, and again at once where its process was killed, as a queue does. */
  async function publish(key: Key, aheadMs: number, isCalm: boolean): Promise<void> {
    const job = { idempotencyKey: key.message, message: key.message };
    const order = { ...fixed, name: key.name, job, aheadMs };
    for (let tries = 0; tries < 2; tries++) {
      const told = await fleet.publish(order, () => isCalm || random() >= killChance);
      if (told !== 'killed') {
        key.told = told;
        return;
      }
      killed++;
      key.isKilled = true;
    }
  }
}

async function eachAtOnce<T>(
  items: readonly T[],
  most: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: most }, async () => {
      for (let item = items[next++]; item !== undefined; item = items[next++]) await work(item);
    }),
  );
}

function judge(keys: readonly Key[], effects: readonly Effect[]): Omit<KeysReport, 'planned' | 'killed'> {
  const kinds = new Set(named.map(([, { kind }]) => kind));
  const owners = ownersOf(keys, effects);
  const strays = effects.filter(
    // Photos for others to hold may be of any.
    ({ kind, id, content }) => kinds.has(kind) && content['published'] !== false && !owners.has(id),
  ).length;
  const report = { published: 0, resumed: 0, duplicates: 0, wrongIds: 0, lost: 0, unknown: 0 };
  let unknownButLive = 0;
  const unknownOf: Record<string, number> = {};
  const reasons: string[] = [];
  for (const key of keys) {
    const { publishing, told, isKilled, name } = key;
    const own = effects.filter(({ kind, id }) => kind === publishing.kind && owners.get(id) === key);
    report.duplicates += Math.max(0, own.length - 1);
    if (told?.value !== undefined) {
      report.published++;
      if (isKilled) report.resumed++;
      if (own.length === 0) report.lost++;
      else if (!own.some(({ id }) => id === told.value?.[publishing.id])) report.wrongIds++;
    } else if (told?.error?.['outcome'] === 'unknown' || told?.error?.['outcome'] === 'applied') {
      report.unknown++;
      if (own.length > 0) unknownButLive++;
      unknownOf[name] = (unknownOf[name] ?? 0) + 1;
      const { outcome, message } = told.error;
      reasons.push(`${key.message} ${name}, ${own.length} live: ${String(outcome)}, ${String(message)}`);
    } else {
      report.lost++;
    }
  }
  return { ...report, unknownButLive, strays, unknownOf, reasons };
}

/** To which key what was made belongs: by its text, its bytes, or what it was made of. */
function ownersOf(keys: readonly Key[], effects: readonly Effect[]): ReadonlyMap<string, Key> {
  const files = new Map(
    keys.map((key) => [createHash('sha256').update(fileOf(key.message)).digest('hex'), key]),
  );
  const owners = new Map<string, Key>();
  // What a story is made of may be told only after it began: its bytes come later.
  for (let known = -1; known !== owners.size;) {
    known = owners.size;
    for (const { id, content } of effects) {
      const text = JSON.stringify(content);
      const number = /Number-(\d+)-/.exec(text)?.[1];
      const file = files.get(String(content['sha256']));
      const part = [...text.matchAll(/\d{6,}/g)].map(([one]) => owners.get(one)).find(Boolean);
      const owner = number === undefined ? (file ?? part) : keys[Number(number)];
      if (owner !== undefined && !owners.has(id)) owners.set(id, owner);
    }
  }
  return owners;
}

if (import.meta.main) {
  const [keys = 1000, seed = 1] = process.argv.slice(2).map(Number);
  const started = performance.now();
  const { unknownOf, reasons, ...report } = await publishKeys(keys, seed);
  const seconds = Math.round((performance.now() - started) / 100) / 10;
  console.log(`keys, seed ${seed}: ${workers} processes, killed at random, every fifth response lost`);
  console.table({ ...report, seconds });
  if (report.unknown > 0) console.table(unknownOf);
  for (const reason of reasons) console.log(reason);
  const { duplicates, wrongIds, lost, strays } = report;
  if (duplicates + wrongIds + lost + strays > 0) process.exitCode = 1;
}
