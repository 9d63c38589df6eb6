// Publishes under many keys from three processes that are killed at random, while the platform loses a fifth of the
// responses, and compares the reports of the calls with what happened. `node bench/keys.ts [keys] [seed]`
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createSandbox, type Effect, type FaultAction, serveSandbox } from '../src/sandbox/index.ts';
import {
  type Publishing,
  publishings,
  type Target,
  variants,
} from '../test/core/writes/journal/publishings.ts';
import { fileOf } from '../test/functions/at.ts';
import { amongStrangers } from './adversity.ts';
import type { Told } from './orders.ts';
import { openPublishers } from './publishers.ts';
import { createRandom } from './random.ts';
import { startStore, type StoreName } from './stores.ts';

export interface KeysReport {
  readonly planned: number;
  /** Keys that reported what they published. */
  readonly published: number;
  /** Calls whose process was killed. */
  readonly killed: number;
  /** Calls whose process was frozen for longer than a lease, and went on. */
  readonly frozen: number;
  /** Keys that reported what they published after such a call. */
  readonly resumed: number;
  /** Effects beyond the first one of a key. */
  readonly duplicates: number;
  /** Keys that reported an id other than that of their effect. */
  readonly wrongIds: number;
  /** Keys that reported a success without an effect, or a refusal with one. */
  readonly lost: number;
  /** Keys whose last call sent nothing, or was killed: a queue would call them again. */
  readonly unfinished: number;
  /** Keys of which is known that they took effect, but not as what. */
  readonly applied: number;
  /** Keys whose outcome stayed unknown. Some of them are published. */
  readonly unknown: number;
  readonly unknownButLive: number;
  /** Keys of which a call said that only a person can settle them, and a later one had settled them. */
  readonly hasty: number;
  /** Effects that belong to no key: the judge failed. */
  readonly strays: number;
  /** The number of unknown keys by kind of publishing. */
  readonly unknownOf: Readonly<Record<string, number>>;
  /** Why each of them is unknown. */
  readonly reasons: readonly string[];
}

interface Key {
  readonly name: string;
  readonly publishing: Publishing;
  readonly target: Target;
  readonly message: string;
  isKilled: boolean;
  /** Whether a call said that only a person can settle it. */
  isFinal: boolean;
  told: Told | undefined;
  /** What all of its calls came to. */
  readonly all: Told[];
  /** The same in words, in their order. */
  readonly story: string[];
}

/** The adversity of a run. */
export interface Hardship {
  /**
   * Which kinds of publishing: those whose name contains one of these, also if nothing shows what became of them. By
   * default, all whose lost requests leave a trace that identifies them.
   */
  readonly kinds: readonly string[];
  readonly processes: number;
  /** The probability that a process is killed at a point of a call. */
  readonly kills: number;
  /** The probability that it is frozen there. */
  readonly freezes: number;
  /** The share of responses to writes that are lost or damaged. */
  readonly lost: number;
  readonly store: Exclude<StoreName, 'memory'>;
  /**
   * Visitors comment with the words of a call, posts are edited before their keys know them, replies go to replies,
   * proxies write a `Date` of their own, wall clocks step by more than a lease, lists show entries twice, and responses
   * have no end.
   */
  readonly adverse: boolean;
  /** Every other key has the text of the one before, but for a mention; a few of them are on one Page. */
  readonly mentions: boolean;
}

/** The ways in which responses to writes are lost or damaged, with their shares. */
const faults: readonly (FaultAction & { readonly when: 'before' | 'after'; readonly share: number })[] = [
  { drop: true, when: 'after', share: 0.35 },
  { truncate: 5, when: 'after', share: 0.15 },
  { drop: true, when: 'before', share: 0.3 },
  { status: 503, when: 'before', share: 0.2 },
];
/** Longer than a lease plus the time in which a request settles. */
const roundMs = 800_000;
/** Longer than a lease, and shorter than a request takes to settle. */
const frozenMs = 250_000;
const rounds = 8;
/** More of them, where a call says that another one may tell more. */
const mostRounds = 40;
/** In the last rounds, no process is killed. */
const roundsWithKills = 5;
/** Longer than a call takes, but too short for a lost request to settle. */
const deadlineMs = 3000;
const usual: Hardship = {
  kinds: [''],
  processes: 3,
  kills: 1 / 150,
  freezes: 0,
  lost: 0.2,
  store: 'sqlite',
  adverse: true,
  mentions: false,
};
/** Pairs of keys that differ by a mention, on one Page: of texts with mentions, one at a time is published on a list. */
const pairsPerPage = 4;
/** Each with a text of its own, and most on one Page: so many are in flight when their process is killed. */
const callsAtOnce = 12;
/** Each further Page is for so many of what the platform limits per Page. */
const fewest = Math.min(...Object.values(publishings).map(({ mostPerPage = Infinity }) => mostPerPage));
const all = Object.entries({ ...publishings, ...variants }).filter(
  ([, { prepare }]) => prepare === undefined,
);
/** For the other kinds, a lost request leaves no trace that identifies it. */
const traced = all.filter(
  ([name, { isBlind, hidesId, hidesContent, isGuarded }]) =>
    name in publishings && !isBlind && !hidesId && !hidesContent && !isGuarded,
);

export async function publishKeys(
  planned: number,
  seed: number,
  hardship: Partial<Hardship> = {},
): Promise<KeysReport> {
  const whole = { ...usual, ...hardship };
  const { kinds, processes, kills, freezes, lost, store: storeName, adverse, mentions } = whole;
  const isAny = kinds.every((kind) => kind === '');
  const chosen = isAny ? traced : all.filter(([name]) => kinds.some((kind) => name.includes(kind)));
  const random = createRandom(seed);
  const pairPages = mentions ? planned / 2 / pairsPerPage : 0;
  const sandbox = createSandbox({
    seed,
    pages: 3 + Math.ceil(Math.max(pairPages, planned / chosen.length / fewest)),
  });
  sandbox.tune({ pics: { quotaTotal: Infinity } });
  let passed = 1;
  for (const { share, ...fault } of faults) {
    sandbox.fault({ ...fault, method: 'POST', times: Infinity, chance: (share * lost) / passed });
    passed -= share * lost;
  }
  const folder = await mkdtemp(join(tmpdir(), 'pagepics-keys-'));
  await using store = await startStore(storeName, folder);
  const fleet = await openPublishers(processes, folder);
  await using server = await serveSandbox(
    adverse ? amongStrangers(fleet.watched(sandbox), random) : fleet.watched(sandbox),
  );
  const { app, picsApp, account, pages } = sandbox;
  const [page] = pages;
  if (page?.picsId === undefined) throw new Error('the first Page has an account');
  const fixed = {
    platform: server.platform,
    app,
    picsApp,
    journal: store.address,
    store: storeName,
    deadlineMs,
    adverse,
  };
  // Every other reply is one to a reply, which the platform attaches to the top-level comment.
  const replies = [page.commentIds, account.commentIds].map(([on = '']) =>
    adverse ? [sandbox.addComment({ on, message: 'And on Sunday?' })] : [on],
  );
  const placeOf = (number: number) => ({
    page: { ...page, picsId: page.picsId ?? '', ...(number % 2 === 0 && { commentIds: replies[0] ?? [] }) },
    account: { ...account, ...(number % 2 === 0 && { commentIds: replies[1] ?? [] }) },
  });
  /** Where the platform accepts only one answer, a key has a comment of its own. */
  const commentsFor = ({ isGuarded }: Publishing, [on = '']: readonly string[]) =>
    isGuarded && { commentIds: [sandbox.addComment({ on, message: 'And on Sunday?' })] };
  const keys = Array.from({ length: planned }, (_, number): Key => {
    const pair = Math.floor(number / 2);
    const [name, publishing] = chosen[(mentions ? pair : number) % chosen.length] as (typeof all)[number];
    const { mostPerPage = Infinity } = publishing;
    // Keys of the kind come in turns.
    const at = 3 + Math.floor(mentions ? pair / pairsPerPage : number / chosen.length / mostPerPage);
    const other = mostPerPage === Infinity && !mentions ? page : (pages[at] ?? page);
    return {
      name,
      publishing,
      target: {
        page: {
          ...placeOf(number).page,
          id: other.id,
          token: other.token,
          ...commentsFor(publishing, page.postIds),
        },
        account: { ...placeOf(number).account, ...commentsFor(publishing, account.mediaIds) },
      },
      message: mentions && number % 2 === 1 ? `Number-${number - 1}- @[${number}]` : `Number-${number}-`,
      isKilled: false,
      isFinal: false,
      told: undefined,
      all: [],
      story: [],
    };
  });
  let killed = 0;
  let frozen = 0;
  let aheadMs = 0;
  for (let round = 0; round < mostRounds; round++) {
    const isCalm = round >= roundsWithKills;
    if (round >= rounds && !keys.some(({ told }) => told?.error?.['retryAfterMs'] !== undefined)) break;
    await callAll(isCalm ? 0 : kills, isCalm ? 0 : freezes);
    if (freezes > 0) {
      advance(frozenMs);
      // A process that continues finds that others have taken over its keys.
      await Promise.all([fleet.thaw(aheadMs), callAll(isCalm ? 0 : kills, 0)]);
    }
    if (adverse && !isCalm) await editSome();
    advance(roundMs);
  }
  fleet.close();
  const report = { planned, killed, frozen, ...judge(keys, sandbox.effects()) };
  await rm(folder, { recursive: true, force: true });
  return report;

  /** A person edits some of the posts whose keys do not know them yet. */
  async function editSome(): Promise<void> {
    for (const { target, told, name, message } of keys) {
      if (told?.value !== undefined || name !== 'page publishPost' || random() > 0.3) continue;
      const post = sandbox.effects('post').find(({ content }) => content['message'] === message);
      if (post === undefined) continue;
      const body = new URLSearchParams({ message: 'Edited by hand', access_token: target.page.token });
      const address = `${sandbox.platform.graphUrl}/v26.0/${post.id}`;
      // A fault may lose it.
      await sandbox.fetch(address, { method: 'POST', body }).catch(() => undefined);
    }
  }

  function advance(ms: number): void {
    sandbox.advance(ms);
    aheadMs += ms;
  }

  /** Calls again under all keys without a known outcome. */
  async function callAll(killChance: number, freezeChance: number): Promise<void> {
    const open = keys.filter(({ told }) => told?.value === undefined);
    await eachAtOnce(open, callsAtOnce, (key) => publish(key, killChance, freezeChance));
  }

  /** Calls under a key, and again at once where its process was killed, as a queue does. */
  async function publish(key: Key, killChance: number, freezeChance: number): Promise<void> {
    const job = { idempotencyKey: key.message, message: key.message };
    const order = { ...fixed, name: key.name, target: key.target, job, aheadMs };
    const gate = (): boolean | 'frozen' => {
      const drawn = random();
      return drawn < killChance ? false : drawn < killChance + freezeChance ? 'frozen' : true;
    };
    for (let attempts = 0; attempts < 4; attempts++) {
      const told = await fleet.publish(order, gate, (late) => key.all.push(late));
      key.story.push(`${aheadMs / 1000} s: ${inWords(told)}`);
      if (told !== 'killed' && told.isFrozen === true) {
        frozen++;
        return;
      }
      if (told !== 'killed') {
        key.told = told;
        const { outcome, retryAfterMs } = told.error ?? {};
        key.isFinal ||= outcome === 'unknown' && retryAfterMs === undefined;
        return;
      }
      killed++;
      key.isKilled = true;
    }
  }
}

function inWords(told: Told | 'killed'): string {
  if (told === 'killed') return told;
  if (told.isFrozen === true) return 'frozen';
  if (told.value !== undefined) return `value ${JSON.stringify(told.value)}`;
  const { outcome, retryAfterMs, message, payload } = told.error ?? {};
  return `${String(outcome)}, again after ${String(retryAfterMs)} ms: ${String(message)} ${JSON.stringify(payload)}`;
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

function judge(
  keys: readonly Key[],
  effects: readonly Effect[],
): Omit<KeysReport, 'planned' | 'killed' | 'frozen'> {
  const kinds = new Set(traced.map(([, { kind }]) => kind));
  const owners = ownersOf(keys, effects);
  const strays = effects.filter(
    // Photos for others to hold may be of any.
    ({ kind, id, content }) => kinds.has(kind) && content['published'] !== false && !owners.has(id),
  ).length;
  const report = {
    published: 0,
    resumed: 0,
    duplicates: 0,
    wrongIds: 0,
    lost: 0,
    unfinished: 0,
    applied: 0,
    unknown: 0,
    hasty: 0,
  };
  let unknownButLive = 0;
  const unknownOf: Record<string, number> = {};
  const reasons: string[] = [];
  for (const key of keys) {
    const { publishing, told, isKilled, isFinal, name, all } = key;
    const own = effects.filter(({ kind, id }) => kind === publishing.kind && owners.get(id) === key);
    report.duplicates += Math.max(0, own.length - 1);
    if (own.length > 1)
      reasons.push(
        `DUPLICATE ${key.message} ${name}: ${JSON.stringify(own.map(({ id, at, content }) => ({ id, at, text: content['message'] })))} ${JSON.stringify(all)} ${JSON.stringify(told)}`,
      );
    if (told?.value !== undefined) {
      report.published++;
      // What a person edits may be told only later.
      if (isFinal) {
        report.hasty++;
        reasons.push(`HASTY ${key.message} ${name}\n  ${key.story.join('\n  ')}`);
      }
      if (isKilled) report.resumed++;
      if (own.length === 0) report.lost++;
      else if (all.some(({ value }) => value && !own.some(({ id }) => id === value[publishing.id]))) {
        report.wrongIds++;
      }
    } else {
      const { outcome, message } = told?.error ?? { message: 'each call was killed' };
      if (outcome === 'applied' && own.length > 0) {
        report.applied++;
        if (!isFinal) continue;
        report.hasty++;
        reasons.push(`HASTY ${key.message} ${name}\n  ${key.story.join('\n  ')}`);
        continue;
      }
      if (outcome === 'applied') {
        report.lost++;
      } else if (outcome === 'unknown') {
        report.unknown++;
        if (own.length > 0) unknownButLive++;
        unknownOf[name] = (unknownOf[name] ?? 0) + 1;
      } else if (outcome === 'rejected' && own.length > 0) {
        report.lost++;
      } else {
        report.unfinished++;
      }
      reasons.push(`${key.message} ${name}, ${own.length} live: ${String(outcome)}, ${String(message)}`);
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
  // The content of a story may be known only after it began: its bytes come later.
  for (let known = -1; known !== owners.size;) {
    known = owners.size;
    for (const { id, content } of effects) {
      const text = JSON.stringify(content);
      const number = (/@\[(\d+)\]/.exec(text) ?? /Number-(\d+)-/.exec(text))?.[1];
      const file = files.get(String(content['sha256']));
      const part = [...text.matchAll(/\d{6,}/g)].map(([one]) => owners.get(one)).find(Boolean);
      const owner = number === undefined ? (file ?? part) : keys[Number(number)];
      if (owner !== undefined && !owners.has(id)) owners.set(id, owner);
    }
  }
  // What shows nothing of its key, such as a video from an address without a text, is that of the first key that says so.
  for (const { id } of effects) {
    const teller = keys.find(({ publishing, told }) => told?.value?.[publishing.id] === id);
    if (teller !== undefined && !owners.has(id)) owners.set(id, teller);
  }
  return owners;
}

if (import.meta.main) {
  const [keys = 1000, seed = 1] = process.argv.slice(2).map(Number);
  const started = performance.now();
  const { unknownOf, reasons, ...report } = await publishKeys(keys, seed);
  const seconds = Math.round((performance.now() - started) / 100) / 10;
  console.log(
    `keys, seed ${seed}: ${usual.processes} processes, killed at random, every fifth response lost, adverse`,
  );
  console.table({ ...report, seconds });
  if (report.unknown > 0) console.table(unknownOf);
  for (const reason of reasons) console.log(reason);
  const { duplicates, wrongIds, lost, unfinished, strays } = report;
  if (duplicates + wrongIds + lost + unfinished + strays > 0) process.exitCode = 1;
}
