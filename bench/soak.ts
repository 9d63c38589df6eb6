// Publishes thousands of times over HTTP, while the platform loses a fifth of the responses, and compares what the
// calls reported with what happened. `node bench/soak.ts [calls] [seed] [--adverse]`
import { setTimeout } from 'node:timers/promises';

import type { ResultAsync } from 'neverthrow';

import type { ContainerNotReadyError, Failure, Outcome } from '../src/core/index.ts';
import {
  createPageContext,
  publishComment as commentOnPage,
  publishPhotos,
  publishPost,
  replyComment,
} from '../src/page/index.ts';
import {
  createPicsContext,
  publish,
  publishCarousel,
  publishComment,
  replyComment as replyToComment,
  sendMessage,
} from '../src/pics/index.ts';
import { createSandbox, type Effect, type FaultAction, serveSandbox } from '../src/sandbox/index.ts';
import { amongStrangers, endlessBytes, hostileFetch } from './adversity.ts';
import { createRandom } from './random.ts';

export interface SoakOptions {
  readonly calls: number;
  readonly seed: number;
  /** Calls in flight at the same time. */
  readonly concurrency: number;
  /** Sandboxes that the calls are spread over. */
  readonly platforms: number;
  /** `false` sends lost writes again, to prove that the soak would notice. @default true */
  readonly onceOnly?: boolean;
  /**
   * Lost writes land after their lookups, lookups are slow, the local clock is set forward and back, two contexts
   * share the calls, visitors comment with the words of a call, lists show entries twice, responses have no end, and
   * callers change their options after the call. @default false
   */
  readonly adverse?: boolean;
}

export interface SoakReport {
  readonly calls: number;
  readonly effects: number;
  /** Requests whose response was lost or spoilt, after their effect and before it. */
  readonly lostApplied: number;
  readonly lostNotApplied: number;
  /** Rate limits, which are retried. */
  readonly refused: number;
  readonly said: Readonly<Record<Said, number>>;
  /** Effects beyond the first one of a call. */
  readonly duplicates: number;
  /** Calls that reported a success or `applied` without an effect, or `rejected` with one. */
  readonly silentLosses: number;
  /** Ids that are those of another call's effect, or that were returned twice. */
  readonly wrongIds: number;
  /** Writes that were sent again without having been refused. */
  readonly resent: number;
  /** Calls that took longer than the lookups of a lost write may. */
  readonly hangs: number;
}

type Said = 'ok' | Outcome;

/** What a call reported. Calls of one group have equal effects. */
interface Told {
  readonly group: string;
  readonly said: Said;
  readonly id: string | undefined;
  readonly ms: number;
}

/** Share of the writes that meet each fault; a fifth in all. */
const faults: readonly (FaultAction & { readonly when: 'before' | 'after'; readonly share: number })[] = [
  { drop: true, when: 'after', share: 0.04 },
  { truncate: 5, when: 'after', share: 0.03 },
  { status: 502, when: 'after', share: 0.02 },
  { status: 500, when: 'after', share: 0.01 },
  { drop: true, when: 'before', share: 0.05 },
  { status: 503, when: 'before', share: 0.03 },
  { status: 504, when: 'before', share: 0.02 },
  { error: { code: 32 }, when: 'before', share: 0.01 },
];
const writePath = /\/(feed|comments|replies|media_publish|messages)$/;
const listPath = /\/(published_posts|scheduled_posts|comments|replies|media|conversations)$/;
/** Milliseconds by which lost writes and lookups are delayed on an adverse platform. */
const landAfterMs = 4000;
const lookupDelayMs = 1200;
/** Milliseconds for a call: the pauses of its lookups are short here, and their time is limited to 10 s. */
const longestCallMs = 60_000;

export async function soak(options: SoakOptions): Promise<SoakReport> {
  const { calls, seed, concurrency, platforms } = options;
  const part = {
    ...options,
    calls: Math.ceil(calls / platforms),
    concurrency: Math.ceil(concurrency / platforms),
  };
  const reports = await Promise.all(
    Array.from({ length: platforms }, (_, index) => soakOne({ ...part, seed: seed + index })),
  );
  return reports.reduce(add);
}

async function soakOne(options: SoakOptions): Promise<SoakReport> {
  const { calls, seed, concurrency, onceOnly = true, adverse = false } = options;
  const sandbox = createSandbox({ strict: true, seed });
  sandbox.tune({ pics: { quotaTotal: Infinity } });
  let passed = 1;
  for (const { share, ...fault } of faults) {
    // A rule only sees the requests that the rules before it let pass.
    sandbox.fault({ ...fault, method: 'POST', path: writePath, times: Infinity, chance: share / passed });
    passed -= share;
  }
  if (adverse) {
    sandbox.tune({ writes: { landAfterMs } });
    const slow = { method: 'GET', path: listPath, delayMs: lookupDelayMs, times: Infinity } as const;
    sandbox.fault({ ...slow, when: 'before', chance: 0.2 });
    sandbox.fault({ ...slow, when: 'after', chance: 0.2 });
  }
  const random = createRandom(seed);
  await using server = await serveSandbox(adverse ? amongStrangers(sandbox, random) : sandbox);
  const { app, picsApp, account, pages } = sandbox;
  let clockAheadMs = 0;
  const clock = { now: () => Date.now() + clockAheadMs, sleep: (ms: number) => setTimeout(ms) };
  const settings = {
    platform: server.platform,
    // More than a call retries, or it would report the limit as a refusal.
    retry: { baseDelayMs: 5, attempts: 8, onceOnly },
    ...(adverse && { clock, fetch: hostileFetch(random, writePath), maxResponseBytes: endlessBytes / 4 }),
  };
  const contexts = Array.from({ length: adverse ? 2 : 1 }, () => ({
    context: createPageContext({ ...settings, appId: app.id, appSecret: app.secret })._unsafeUnwrap(),
    pics: createPicsContext({ ...settings, appSecret: picsApp.secret })._unsafeUnwrap(),
  }));
  const customers = account.contacts.filter(({ inWindow }) => inWindow).map(({ id }) => id);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;

  /** One of ten kinds in turn. A tenth of the texts repeat, half where the platform is adverse. */
  function call(number: number): Promise<Told> {
    const text =
      random() < (adverse ? 0.5 : 0.1) ? pick(['Thank you!', 'Open until nine.']) : `Number ${number}`;
    const url = `https://example.com/${number}.jpg`;
    const page = pick(pages);
    const { token } = account;
    const { context, pics } = pick(contexts);
    if (adverse && number % 7 === 0) clockAheadMs = pick([0, 120_000, -120_000]);
    switch (number % 10) {
      case 0:
        // Equal texts with different links: the lookup compares texts only, and the effect shows which post it was.
        return tell(
          `post ${url}`,
          publishPost(context, { pageId: page.id, pageToken: page.token, message: text, link: url }),
        );
      case 1:
        return tell(`media ${url}`, publish(pics, { token, imageUrl: url, caption: text }));
      case 2: {
        const commentId = pick(page.commentIds);
        const reply = replyComment(context, { commentId, pageToken: page.token, message: text });
        return tell(`reply ${commentId} ${text}`, reply);
      }
      case 3: {
        const commentId = pick(account.commentIds);
        return tell(`reply ${commentId} ${text}`, replyToComment(pics, { commentId, token, message: text }));
      }
      case 4: {
        const items = [{ imageUrl: url }, { video: new Uint8Array(100) }] as const;
        const carousel = publishCarousel(pics, { token, items, caption: text });
        if (adverse) spoil(items);
        return tell(`media ${url}`, carousel);
      }
      case 5: {
        const mediaId = pick(account.mediaIds);
        return tell(`comment ${mediaId} ${text}`, publishComment(pics, { mediaId, token, message: text }));
      }
      case 6: {
        const scheduledAt = new Date(sandbox.now() + 86_400_000 + 60_000 * Math.floor(random() * 3));
        const post = { pageId: page.id, pageToken: page.token, message: text, link: url, scheduledAt };
        return tell(`post ${url}`, publishPost(context, post));
      }
      case 7: {
        const photos = [{ photoUrl: url }, { photoUrl: url }];
        const post = { pageId: page.id, pageToken: page.token, message: text, photos };
        const published = publishPhotos(context, post);
        if (adverse) spoil(photos);
        return tell(`photos ${page.id} ${text}`, published);
      }
      case 8: {
        const objectId = pick(page.postIds);
        const comment = commentOnPage(context, { objectId, pageToken: page.token, message: text });
        return tell(`comment ${objectId} ${text}`, comment);
      }
      default: {
        const recipientId = pick(customers);
        return tell(`message ${recipientId} ${text}`, sendMessage(pics, { recipientId, token, text }));
      }
    }
  }

  const told: Told[] = [];
  let next = 0;
  async function work(): Promise<void> {
    while (next < calls) told.push(await call(next++));
  }
  await Promise.all(Array.from({ length: concurrency }, work));

  // Lost writes may still land.
  sandbox.advance(landAfterMs);
  const ignored = ['container', 'upload', 'photo'];
  const effects = sandbox.effects().filter(({ kind }) => !ignored.includes(kind));
  const containers = new Map(sandbox.effects('container').map(({ id, content }) => [id, content]));
  const requests = sandbox.requests.filter(({ method, path }) => method === 'POST' && writePath.test(path));
  const refused = requests.filter(({ status }) => status === 400).length;
  const lost = requests.filter(({ faulted }) => faulted).length - refused;
  const answered = requests.filter(({ faulted }) => !faulted).length;
  const report = judge(told, effects, (effect) => groupOf(effect, containers));
  return {
    ...report,
    hangs: told.filter(({ ms }) => ms > longestCallMs).length,
    refused,
    lostApplied: effects.length - answered,
    lostNotApplied: lost - (effects.length - answered),
    resent: requests.length - refused - calls,
  };
}

/** Changes the options after the call, like a caller who reuses its objects. */
function spoil(objects: readonly object[]): void {
  for (const object of objects) {
    for (const name of Object.keys(object))
      Reflect.set(object, name, 'https://example.com/of-the-next-call.jpg');
  }
}

async function tell(
  group: string,
  call: ResultAsync<object, Failure | ContainerNotReadyError>,
): Promise<Told> {
  const begun = performance.now();
  const result = await call;
  const ms = performance.now() - begun;
  if (result.isErr()) {
    if (result.error.name === 'ConfigurationError') throw result.error;
    return { group, said: result.error.outcome, id: undefined, ms };
  }
  const { id, media_id, message_id } = result.value as Readonly<Record<string, string | undefined>>;
  return { group, said: 'ok', id: media_id ?? message_id ?? id, ms };
}

function groupOf(
  { kind, parentId, content }: Effect,
  containers: ReadonlyMap<string, Effect['content']>,
): string {
  const { link, imageUrl, recipientId, text, message } = content as Readonly<Record<string, string>>;
  if (kind === 'post') return link === undefined ? `photos ${parentId} ${message}` : `post ${link}`;
  if (kind === 'media') {
    // A carousel is identified by its first image.
    const [child = ''] = content['childIds'] as readonly string[];
    return `media ${imageUrl ?? containers.get(child)?.['imageUrl']}`;
  }
  return kind === 'message' ? `message ${recipientId} ${text}` : `${kind} ${parentId} ${message}`;
}

/** Compares what the calls reported with what happened. */
function judge(
  told: readonly Told[],
  effects: readonly Effect[],
  groupOfEffect: (effect: Effect) => string,
): Omit<SoakReport, 'refused' | 'lostApplied' | 'lostNotApplied' | 'resent' | 'hangs'> {
  const said = { ok: 0, applied: 0, unknown: 0, rejected: 0 };
  for (const one of told) said[one.said]++;
  let duplicates = 0;
  let silentLosses = 0;
  let wrongIds = 0;
  const made = Map.groupBy(effects, groupOfEffect);
  const asked = Map.groupBy(told, ({ group }) => group);
  for (const group of new Set([...made.keys(), ...asked.keys()])) {
    const ids = new Set(made.get(group)?.map(({ id }) => id));
    const calls = asked.get(group) ?? [];
    const count = (...outcomes: readonly Said[]): number =>
      calls.filter((one) => outcomes.includes(one.said)).length;
    const own = new Set(calls.flatMap(({ id }) => (id !== undefined && ids.has(id) ? [id] : [])));
    wrongIds += count('ok') - own.size;
    duplicates += Math.max(0, ids.size - calls.length);
    silentLosses += Math.max(0, count('ok', 'applied') - ids.size);
    silentLosses += Math.max(0, Math.min(calls.length, ids.size) - count('ok', 'applied', 'unknown'));
  }
  return { calls: told.length, effects: effects.length, said, duplicates, silentLosses, wrongIds };
}

function add(a: SoakReport, b: SoakReport): SoakReport {
  const sum = (x: object, y: object): object =>
    Object.fromEntries(
      Object.entries(x).map(([name, value]: [string, unknown]) => {
        const other: unknown = Reflect.get(y, name);
        return [
          name,
          typeof value === 'object' ? sum(value as object, other as object) : Number(value) + Number(other),
        ];
      }),
    );
  return sum(a, b) as SoakReport;
}

if (import.meta.main) {
  const adverse = process.argv.includes('--adverse');
  const [calls = 10_000, seed = 1] = process.argv
    .slice(2)
    .filter((text) => /^\d+$/.test(text))
    .map(Number);
  const started = performance.now();
  const { said, ...report } = await soak({ calls, seed, concurrency: 50, platforms: 10, adverse });
  const seconds = Math.round((performance.now() - started) / 100) / 10;
  console.log(`soak over HTTP, seed ${seed}${adverse ? ', adverse' : ''}`);
  console.table({ ...report, ...said, seconds });
  const { duplicates, silentLosses, wrongIds, resent, hangs } = report;
  if (duplicates + silentLosses + wrongIds + resent + hangs > 0) process.exitCode = 1;
}
