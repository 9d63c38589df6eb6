import { describe, expect, test } from 'vitest';

import {
  type ContextOptions,
  createJournal,
  type JournalReplacement,
  memoryJournal,
} from '../../../../src/core/index.ts';
import {
  createPageContext,
  deletePost,
  posts,
  privateReply,
  publishPost,
  updatePost,
} from '../../../../src/page/index.ts';
import { createPicsContext, media, publishContainer } from '../../../../src/pics/index.ts';
import { createSandbox } from '../../../../src/sandbox/index.ts';
import {
  type ModelState,
  randomFrom,
  type Scenario,
  type Walk,
  walk,
  walkable,
} from '../../../model/journal.mjs';
import { lazy } from '../../../support/lazy.ts';
import { isCI } from '../../../support/machine.ts';

// The engine goes the walks of the model of `npm run model`, one operation at a time. After each step, the store must
// hold what it holds in the model, so that model and code cannot part.

/** A tick of the model. Requests take a fifth of it, so that they are over after two ticks, as there. */
const tickMs = 300_000;
const times = { timeoutMs: tickMs / 5, journalLeaseMs: tickMs, journalSettleMs: 1.2 * tickMs };
const message = 'Open until nine';

/** An operation of a call, which waits for its turn: `tell` ends it for the call. */
interface Operation {
  readonly name: string;
  readonly perform: () => Promise<() => void>;
}

/** A call of the engine, which does one operation at a time. */
class Call {
  readonly key: number;
  readonly abort = new AbortController();
  /** Whether the store fails: before it has stored, after that, or so that it stores late. */
  storeFails: string | undefined;
  /** The entries that the list shows. */
  shown: readonly string[] = [];
  /** How often it paused before a lookup. */
  pauses = 0;
  hasStored = false;
  readonly #waiting: Operation[] = [];
  #isOver = false;
  #wake = (): void => undefined;
  #tell = (): void => undefined;

  constructor(key: number) {
    this.key = key;
  }

  end(): void {
    this.#isOver = true;
    this.#wake();
  }

  gate<T>(name: string, work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const perform = () =>
        work().then(
          (value) => () => resolve(value),
          (error: unknown) => () => reject(error as Error),
        );
      this.#waiting.push({ name, perform });
      this.#wake();
    });
  }

  /** The name of the operation that it waits for; `undefined` if it is over. */
  async next(): Promise<string | undefined> {
    this.tell();
    while (this.#waiting.length === 0 && !this.#isOver) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.#waiting[0]?.name;
  }

  /** Does the operation that it waits for, of which it hears later. */
  async perform(): Promise<void> {
    this.hear((await this.#waiting.shift()?.perform()) ?? this.#tell);
  }

  /** What it hears of before its next step. */
  hear(tell: () => void): void {
    this.#tell = tell;
  }

  tell(): void {
    this.#tell();
    this.#tell = () => undefined;
  }

  /** Lets it go on until it has done the operation. Nothing else may be stored. */
  async passUntil(target: string, label: string): Promise<void> {
    for (;;) {
      const name = await this.next();
      // It knows already that its entry is lost.
      if (name === undefined && label.endsWith('refused')) return;
      if (name === undefined) throw new Error(`it is over before it ${label}`);
      this.hasStored = false;
      await this.perform();
      if (name.startsWith(target)) return;
      if (this.hasStored || name === 'post') throw new Error(`${name}, before it ${label}`);
    }
  }
}

/** The request of a call, until its response is there. */
interface Flight {
  readonly call: Call;
  readonly request: Request;
  readonly respond: (response: Response) => void;
  readonly lose: () => void;
  response?: Response;
  /** Nobody waits for it. */
  isAbandoned?: boolean;
}

/** The engine on the sandbox. */
function createReplay(scenario: Scenario) {
  const { warm, dateOff = [0, 0], showsMaker, object, single, joint, contents, mention } = scenario;
  const sandbox = createSandbox(single === undefined ? { posts: 0 } : { posts: 1, comments: 20 });
  const { app, platform, picsApp, account } = sandbox;
  const ofApp = { platform, appId: app.id, appSecret: app.secret };
  const [page] = sandbox.pages;
  if (page === undefined) throw new Error('it has a Page');
  // Those who take turns: their ids end alike.
  const [firstId = '', ...others] = page.commentIds;
  const commentIds = [firstId, others.find((id) => id.at(-1) === firstId.at(-1)) ?? ''];
  const onPage = { pageId: page.id, pageToken: page.token };
  const startedAt = sandbox.now();
  const store = memoryJournal();
  /** What it holds, by the names of the model. */
  const rows = new Map<string, string>();
  const calls: (Call | undefined)[] = [];
  const flights: Flight[] = [];
  /** What the store has yet to store. */
  const late: { readonly name: string; readonly store: () => Promise<boolean> }[] = [];
  /** The ids of all entries of the list, in the order of the model. */
  const made: string[] = [];
  const strangers = new Set<string>();
  const offMs = [0, 0];
  const person = createPageContext({ ...ofApp, fetch: sandbox.fetch })._unsafeUnwrap();

  const messages = [
    mention === true ? 'Open @[1] until nine' : message,
    contents === undefined || mention === true ? message : 'Open until ten',
  ];
  /** The locks in the order of the model, by their names in the store. */
  const locks = new Map<string, number>();

  const login = { token: account.token, picsUserId: account.userId };
  const containers = [0, 1].map(() => '');

  async function begin(p: number, key: number): Promise<Call> {
    const call = new Call(key);
    if (object !== undefined) containers[key] ||= await makeContainer();
    calls[p] = call;
    let isGated = false;
    /** As a proxy dates it. */
    const dated = ({ body, status, headers }: Response): Response => {
      const date = new Date(sandbox.now() + (dateOff[p] ?? 0) * tickMs).toUTCString();
      return new Response(body, { status, headers: { ...Object.fromEntries(headers), date } });
    };
    const settings: ContextOptions = {
      ...times,
      platform,
      retry: { baseDelayMs: 1, jitter: 'none' },
      clock: {
        now: () => sandbox.now() + (offMs[p] ?? 0),
        monotonic: sandbox.now,
        sleep: (ms) =>
          call.gate('sleep', async () => {
            // For the holder of a lock, the model does not wait.
            if (ms < 100) call.pauses++;
            else call.abort.abort();
          }),
      },
      journal: createJournal({
        get: (name) => call.gate(`get ${calledBy(call, name)}`, () => fromStore(() => store.get(name))),
        compareAndSet: (key, expected, value, ttlMs) => replaceAll([{ key, expected, value, ttlMs }]),
        ...(joint === true && { compareAndSetAll: replaceAll }),
      }),
      fetch: async (input, init) => {
        const request = new Request(input, init);
        if (!isGated) return dated(await sandbox.fetch(request));
        // The first three lookups of a call that has lost its response fail: the model has one.
        const isLost = call.pauses % 4 > 0;
        if (request.method === 'GET')
          return call.gate(isLost ? 'a lookup that fails' : 'list', () => look(request, isLost));
        const body = await request.text();
        const sent = await call.gate('post', async () => ({
          response: new Promise<Response>((resolve, reject) => {
            const { url, method, headers } = request;
            const respond = (response: Response) => call.hear(() => resolve(dated(response)));
            const lose = () => call.hear(() => reject(new TypeError('fetch failed')));
            flights.push({ call, request: new Request(url, { method, headers, body }), respond, lose });
          }),
        }));
        return sent.response;
      },
    };
    const at = lazy({
      context: () => createPageContext({ ...settings, ...ofApp })._unsafeUnwrap(),
      pics: () => createPicsContext({ ...settings, appSecret: picsApp.secret })._unsafeUnwrap(),
    });
    // It learns the platform's time.
    if (warm === true)
      (await (object === undefined ? posts(at.context, onPage) : media(at.pics, login)))._unsafeUnwrap();
    isGated = true;
    const job = { idempotencyKey: `${key}`, signal: call.abort.signal };
    const commentId = commentIds[key] ?? '';
    const done =
      object !== undefined
        ? publishContainer(at.pics, { ...login, ...job, containerId: containers[key] ?? '' })
        : single !== undefined
          ? privateReply(at.context, { ...onPage, ...job, commentId, text: message })
          : publishPost(at.context, { ...onPage, ...job, message: messages[key] ?? '' });
    void done.then(() => call.end());
    return call;

    function replaceAll(replacements: readonly JournalReplacement[]): Promise<boolean> {
      const names = replacements.map(({ key: stored }) => calledBy(call, stored)).join(' and ');
      return call.gate(`swap ${names}`, () => {
        const swap = async (): Promise<boolean> => {
          const isStored = (await store.compareAndSetAll?.(replacements)) ?? false;
          if (isStored) for (const one of replacements) rows.set(rowOf(one.key), one.value);
          call.hasStored ||= isStored;
          return isStored;
        };
        if (call.storeFails === 'late') late.push({ name: names, store: swap });
        return fromStore(swap);
      });
    }

    async function fromStore<T>(work: () => Promise<T>): Promise<T> {
      const { storeFails } = call;
      if (storeFails !== undefined) call.storeFails = 'before';
      if (storeFails === 'before' || storeFails === 'late') throw new Error('down');
      const value = await work();
      if (storeFails === undefined) return value;
      throw new Error('down');
    }

    async function look(request: Request, isLost: boolean): Promise<Response> {
      if (isLost) throw new TypeError('fetch failed');
      const response = await sandbox.fetch(request);
      if (single !== undefined) return dated(response);
      if (object !== undefined) {
        const isDone = call.shown.length > 0;
        return dated(Response.json({ id: '1', status_code: isDone ? 'PUBLISHED' : 'FINISHED' }));
      }
      const { data } = (await response.json()) as { data: readonly { id: string }[] };
      const listed = data.filter(({ id }) => call.shown.includes(id));
      const named = listed.map((post) =>
        showsMaker === true && strangers.has(post.id) ? { ...post, application: { id: '1' } } : post,
      );
      return dated(Response.json({ data: named }));
    }
  }

  /** What the store holds something under, as a call sees it: it first asks for the lock of its own text. */
  function calledBy(call: Call, stored: string): string {
    const [kind, , name = ''] = stored.split(' ');
    if (kind !== 'pagepics-lock') return nameOf(stored);
    const own = contents === undefined ? 0 : call.key;
    if (![...locks.values()].includes(own)) locks.set(name, own);
    return locks.get(name) === own ? 'lock' : 'lock of another text';
  }

  function rowOf(stored: string): string {
    const [kind, , name = ''] = stored.split(' ');
    return kind === 'pagepics-lock' ? `lock ${locks.get(name)}` : nameOf(stored);
  }

  /** What the store holds, as the model says it. */
  function state(): unknown {
    const read = (name: string): Record<string, unknown> | undefined => {
      const row = rows.get(name);
      return row === undefined ? undefined : (JSON.parse(row) as Record<string, unknown>);
    };
    const ticks = (time: unknown): number | null =>
      time === undefined ? null : Math.round((Number(time) - startedAt) / tickMs) + 0;
    return {
      e: [0, 1].map((key) => {
        const entry = read(`entry ${key}`);
        if (entry === undefined) return null;
        const { lease, sending, value, applied } = entry;
        const { local, platform: date, seen } = Object(sending) as Record<string, unknown>;
        return {
          l: lease === 0 ? -Infinity : ticks(lease),
          s: sending === undefined ? null : { l: ticks(local), p: ticks(date), seen: ticks(seen) },
          m: value === undefined ? null : made.indexOf(idOf(value)),
          a: applied === true,
        };
      }),
      locks: [0, 1].map((at) => {
        const held = read(`lock ${at}`);
        return (
          held && {
            k: Number(held['key']),
            past: (held['past'] as { key: string }[]).map(({ key }) => Number(key)),
          }
        );
      }),
      owners: made
        .map((id) => rows.get(`owner ${id}`)?.slice('key '.length))
        .map((key) => (key === undefined ? null : Number(key))),
    };
  }

  async function makeContainer(): Promise<string> {
    const body = new URLSearchParams({ image_url: 'https://example.com/a.jpg', access_token: account.token });
    const created = await sandbox.fetch(`${platform.picsGraphUrl}/v26.0/me/media`, { method: 'POST', body });
    return ((await created.json()) as { id: string }).id;
  }

  return { sandbox, onPage, person, rows, calls, flights, late, made, strangers, offMs, begin, state };
}

function nameOf(stored: string): string {
  const [kind, , name] = stored.split(' ');
  return `${kind === 'pagepics' ? 'entry' : 'owner'} ${name}`;
}

/** The id in a value or a response: that of the effect. */
function idOf(value: unknown): string {
  const {
    id,
    message_id: messageId = id,
    media_id: mediaId = messageId,
  } = Object(value) as Record<string, string>;
  return mediaId ?? '';
}

function stateOf({ e, L, fx }: ModelState): unknown {
  return {
    e: e.map((entry) => {
      if (entry === null) return null;
      const { l, s, m, a = false } = entry;
      return { l, s: s && { l: s.l, p: s.p, seen: s.seen }, m, a };
    }),
    locks: L.slice(0, 2).map((lock) => (lock ? { k: lock.k, past: lock.past.map(({ k }) => k) } : undefined)),
    owners: fx.map(({ o }) => o),
  };
}

type Replay = ReturnType<typeof createReplay>;

/** What surrounds the calls takes a step. Says whether it was one of these. */
async function surround(replay: Replay, label: string): Promise<boolean> {
  const { sandbox, onPage, person, calls, flights, made } = replay;
  const [, p = NaN] = /P(\d)/.exec(label)?.map(Number) ?? [];
  const [, of = NaN] = /(?:key|entry) (\d+)/.exec(label)?.map(Number) ?? [];
  const post = { postId: made[of] ?? '', pageToken: onPage.pageToken };
  const awaited = flights.find(({ call, isAbandoned }) => call === calls[p] && isAbandoned !== true);
  const due = flights.findIndex(({ call, response }) => call.key === of && response === undefined);
  const steps: readonly (readonly [RegExp, () => unknown])[] = [
    [/^tick/, () => sandbox.advance(tickMs)],
    [/^the clock/, () => (replay.offMs[p] = (replay.offMs[p] ?? 0) + Number(/-?\d+$/.exec(label)) * tickMs)],
    [
      /^a stranger/,
      async () => {
        const { id } = (await publishPost(person, { ...onPage, message }))._unsafeUnwrap();
        made.push(id);
        replay.strangers.add(id);
      },
    ],
    [/is deleted$/, () => deletePost(person, post).then((done) => done._unsafeUnwrap())],
    [
      /is edited/,
      () => updatePost(person, { ...post, message: 'Closed' }).then((done) => done._unsafeUnwrap()),
    ],
    [
      /takes effect$/,
      async () => {
        const flight = flights[due] as Flight;
        flight.response = await sandbox.fetch(flight.request);
        made.push(idOf(await flight.response.clone().json()));
      },
    ],
    [
      /^what was late is stored/,
      async () => {
        // One that others came before is refused.
        for (const { name, store } of replay.late) {
          const what = name.replace(/(?<=owner )\S+/, (id) => `${made.indexOf(id)}`);
          if (label.endsWith(`: ${what}`) && (await store())) return;
        }
      },
    ],
    [/never arrives$/, () => flights.splice(due, 1)],
    [/gets its response$/, () => awaited?.respond(awaited.response as Response)],
    [
      /^the platform refuses/,
      () => {
        awaited?.respond(Response.json({ error: { code: 100, message: 'No' } }, { status: 400 }));
        flights.splice(flights.indexOf(awaited as Flight), 1);
      },
    ],
    [
      /that there is one$/,
      async () => {
        awaited?.respond(await sandbox.fetch(awaited.request));
        flights.splice(flights.indexOf(awaited as Flight), 1);
      },
    ],
    [/times out$|is lost$/, () => awaited?.lose()],
    [/crashes$/, () => (calls[p] = undefined)],
  ];
  const step = steps.find(([name]) => name.test(label));
  if (step === undefined) return false;
  await step[1]();
  if (awaited !== undefined && !/^(?:tick|the clock|a stranger|entry|the request|what)/.test(label))
    awaited.isAbandoned = true;
  return true;
}

/** The operation with which a call takes each of its steps. */
const operations: readonly (readonly [RegExp, string])[] = [
  [/^reads its entry again/, 'get entry this'],
  [/^reads the lock/, 'get lock'],
  [/^reads the entry of the lock's holder/, 'get entry other'],
  [/^fences/, 'swap entry other'],
  [/^takes the lock and/, 'swap lock and entry this'],
  [/^takes the lock/, 'swap lock'],
  [/^reads the list/, 'list'],
  [/^records itself as the owner/, 'swap owner'],
  [/^sends/, 'post'],
  [/^(?:claims|renews|confirms|records|releases|reports|waits)/, 'swap entry this'],
];

/** A call takes a step. */
async function proceed(replay: Replay, p: number, label: string, after: ModelState): Promise<void> {
  const [, key] = /^begins a call under key (\d)/.exec(label) ?? [];
  const call = key === undefined ? replay.calls[p] : await replay.begin(p, Number(key));
  if (call === undefined) throw new Error(`P${p} makes no call`);
  const of = (name: string): string =>
    name.replace('this', `${call.key}`).replace('other', `${1 - call.key}`);
  const { pc, list } = after.pr[p] ?? { pc: 'idle' };
  call.shown = list?.map((x) => replay.made[x] ?? '') ?? [];
  [, call.storeFails] = /the store fails.* (before|after|late)$/.exec(label) ?? [];
  const [, target] = operations.find(([step]) => step.test(label)) ?? [];
  if (target !== undefined) await call.passUntil(of(target), label);
  // A first call knows of no entry before it claims it.
  else if (key !== undefined && replay.rows.has(of('entry this')))
    await call.passUntil(of('get entry this'), label);
  if (target === 'post') call.tell();
  if (target === undefined || /^(?:get|list)/.test(target)) {
    // It hears at once of what it reads. To decide, it reads until it writes; and it may ask for the time.
    const further = label.includes('decides') ? /^(?!swap)/ : /^list/;
    for (let next = await call.next(); next !== undefined && further.test(next); next = await call.next())
      await call.perform();
  }
  if (pc !== 'idle') return;
  call.storeFails &&= 'before';
  call.hasStored = false;
  for (let next = await call.next(); next !== undefined; next = await call.next()) {
    if (next === 'post') throw new Error('it sends');
    await call.perform();
  }
  if (call.hasStored) throw new Error('it stores after its end');
}

async function replay({ sc, steps }: Walk): Promise<void> {
  const engine = createReplay(sc);
  for (const [at, { label, after }] of steps.entries()) {
    try {
      const [, p, own = ''] = /^P(\d) (.*)$/.exec(label) ?? [];
      if (!(await surround(engine, label))) await proceed(engine, Number(p), own, after);
      expect(engine.state()).toEqual(stateOf(after));
    } catch (thrown) {
      const trace = steps.slice(0, at + 1).map((step) => step.label);
      throw new Error(`the engine differs from the model after\n${trace.join('\n')}`, { cause: thrown });
    }
  }
}

describe.each(walkable)('the engine does what the model does: %s', (name) => {
  test('in a walk', async () => {
    await replay(walk(name, randomFrom(1)));
  });

  test('in many walks', { tags: 'long' }, async () => {
    const random = randomFrom(2);
    for (let walks = isCI ? 150 : 10; walks > 0; walks--) await replay(walk(name, random));
  });
});

test('the walks take every step of a call', { tags: 'long' }, () => {
  const random = randomFrom(2);
  const walks = walkable.flatMap((name) => Array.from({ length: 40 }, () => walk(name, random)));
  const labels = walks.flatMap(({ steps }) => steps.map(({ label }) => label.replace(/^P\d /, '')));
  const outcomes = ['confirm', 'own', 'release', 'recordSending'].map((pc) => new RegExp(`decides: ${pc}`));
  for (const step of [
    ...operations.map(([label]) => label),
    ...outcomes,
    /^fences.*: refused/,
    /^confirms.*: refused/,
  ])
    expect(
      labels.some((label) => step.test(label)),
      `${step}`,
    ).toBe(true);
});
