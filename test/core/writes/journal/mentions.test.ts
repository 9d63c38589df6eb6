import { describe, expect, test } from 'vitest';

import { forgetKey, isFinal, journalState, settleKey } from '../../../../src/core/index.ts';
import { deletePost, privateReply, sendMessage } from '../../../../src/page/index.ts';
import { publishings } from './publishings.ts';
import { createWorld, leaseMs, settleMs, type World } from './support.ts';

// Of two keys on one list, both of whose responses were lost, one text has a mention. The platform shows a name in its
// place, or nothing: what it shows may then be the text of the other key.

const keys = ['named', 'plain'] as const;
type Key = (typeof keys)[number];

interface Texts extends Readonly<Record<Key, string>> {
  /** What the platform shows in the place of the mention. */
  readonly name: string;
}

const mention = '@[1]';
// What is shown of both differs only by what is compared of no text, so that tests see whose it is.
const shownAs = (name: string, plain: string): Texts => ({ named: `Thanks, ${mention}!`, plain, name });
const asNothing = shownAs('', 'Thanks!');
const allTexts = [
  ...['', 'Jane Doe'].flatMap((name) => ['Thanks!', 'Thanks Jane Doe!'].map((plain) => shownAs(name, plain))),
  // As it was written.
  shownAs(mention, 'Thanks!'),
];

type Loss = 'before' | 'after';

/** Publishes in a process whose n-th write is lost, before or after it takes effect: nothing arrives any more from then on. */
function publish(
  world: World,
  name: string,
  { texts, key, loses, when }: { texts: Texts; key: Key; loses?: number; when?: Loss },
) {
  let [writes, isCut] = [0, false];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const isLost = request.method === 'POST' && ++writes === loses;
    if (isCut || (isLost && when === 'before')) {
      isCut = true;
      throw new TypeError('fetch failed');
    }
    const response = await world.sandbox.fetch(await withNames(request, texts.name));
    if (!isLost) return response;
    isCut = true;
    throw new TypeError('fetch failed');
  };
  const target = { page: world.page, account: world.sandbox.account };
  const job = { idempotencyKey: key, message: texts[key] };
  const called = publishings[name]?.call(world.start(Infinity, { fetch }), target, job);
  if (called === undefined) throw new Error(`${name} is none of them`);
  return called.map((value) => ({ value, writes }));
}

/** The request as the platform takes it, which shows names. */
async function withNames(request: Request, name: string): Promise<Request> {
  const { method, url, headers } = request;
  if (method !== 'POST') return request;
  const bytes = Buffer.from(await request.arrayBuffer()).toString('latin1');
  const body = Buffer.from(
    bytes.replaceAll(mention, name).replaceAll(encodeURIComponent(mention), encodeURIComponent(name)),
    'latin1',
  );
  return new Request(url, { method, headers, body });
}

const lastWrites = new Map<string, number>();

/** The number of the write that publishes, which is the last one. */
async function lastWrite(name: string): Promise<number> {
  const known = lastWrites.get(name);
  if (known !== undefined) return known;
  const { writes } = (await publish(createWorld(), name, { texts: asNothing, key: 'plain' }))._unsafeUnwrap();
  lastWrites.set(name, writes);
  return writes;
}

async function lose(world: World, name: string, texts: Texts, key: Key, when: Loss): Promise<void> {
  const loses = await lastWrite(name);
  expect((await publish(world, name, { texts, key, loses, when })).isErr()).toBe(true);
}

/** The ids of what a key has made, by its text. */
function madeBy({ sandbox }: World, name: string, texts: Texts, key: Key): readonly string[] {
  const text = JSON.stringify(texts[key].replace(mention, texts.name));
  return sandbox
    .effects(publishings[name]?.kind)
    .filter(({ content }) => JSON.stringify(content).includes(text))
    .map(({ id }) => id);
}

/** Calls each key again and again, with the time that its requests take in between. */
async function settle(world: World, name: string, texts: Texts, order: readonly Key[], rounds = 5) {
  const values: Partial<Record<Key, unknown>> = {};
  const failures: Partial<Record<Key, Error | undefined>> = {};
  for (let round = 0; round < rounds; round++) {
    world.sandbox.advance(round === 0 ? leaseMs : settleMs);
    for (const key of order) {
      const called = await publish(world, name, { texts, key });
      failures[key] = called.isErr() ? called.error : undefined;
      if (called.isOk()) values[key] = called.value.value;
    }
  }
  return { values, failures };
}

interface Case {
  readonly name: string;
  readonly texts: Texts;
  /** Whose request takes effect before its response is lost. */
  readonly made: Key | 'both' | 'neither';
  readonly first: Key;
}

const titled = (cases: readonly Case[]) =>
  cases.map((one) => {
    const { name, texts, made, first } = one;
    const what = `${texts.plain} beside ${texts.named} shown with ${texts.name || 'nothing'}`;
    return { ...one, title: `${name}: ${what}, made: ${made}, first: ${first}` };
  });

/** Those whose effects are told by their texts. */
const kinds = Object.entries(publishings)
  .filter(([, one]) => !one.isBlind && !one.hidesContent && !one.hidesId && !one.isGuarded && !one.prepare)
  .map(([name]) => name)
  .filter((name) => /publishPost|publishPhoto$|Comment$|sendMessage/.test(name));
const madeBySome = ['named', 'plain', 'both', 'neither'] as const;
const allOf = (name: string) =>
  allTexts.flatMap((texts) =>
    madeBySome.flatMap((made) => keys.map((first): Case => ({ name, texts, made, first }))),
  );
const worst = [
  { texts: shownAs('', 'Thanks!'), made: 'named', first: 'plain' },
  { texts: shownAs('', 'Thanks!'), made: 'plain', first: 'named' },
  { texts: shownAs('Jane Doe', 'Thanks Jane Doe!'), made: 'named', first: 'plain' },
] as const;
const others = kinds.filter((name) => name !== 'page publishPost');

describe('a text with a mention, and one that is what it may be shown as: neither is published twice', () => {
  const everyday = allOf('page publishPost').filter(
    ({ first, made }) => first === 'plain' && made !== 'neither',
  );
  test.each(titled(everyday))('$title', areOnce);
  const long = [
    ...allOf('page publishPost').filter((one) => !everyday.includes(one)),
    ...others.flatMap((name) => worst.map((one): Case => ({ name, ...one }))),
  ];
  test.each(titled(long))('$title', { tags: 'long' }, areOnce);

  async function areOnce({ name, texts, made, first }: Case): Promise<void> {
    const world = createWorld();
    const order = first === 'named' ? keys : keys.toReversed();
    for (const key of order)
      await lose(world, name, texts, key, made === key || made === 'both' ? 'after' : 'before');

    const { values } = await settle(world, name, texts, order);

    // A name that is typed by hand tells nobody that it is not shown in the place of a mention, as journal.md says.
    const isTyped = texts.name !== '' && texts.plain.includes(texts.name);
    for (const key of keys) {
      const ids = madeBy(world, name, texts, key);
      expect(ids.length, key).toBeLessThanOrEqual(1);
      const value = Object.values(Object(values[key]) as object);
      if (values[key] !== undefined && !(isTyped && key === 'plain')) expect(value).toContain(ids[0]);
    }
  }
});

const post = 'page publishPost';

/** Both are lost; one of them has taken effect. */
async function loseBoth(made: Key, texts: Texts = asNothing): Promise<World> {
  const world = createWorld();
  for (const key of keys) await lose(world, post, texts, key, made === key ? 'after' : 'before');
  return world;
}

test.each(keys)('a person tells whose it is (%s), and the other key is settled by its call', async (made) => {
  const world = await loseBoth(made);
  const { context } = world.start();
  const { values, failures } = await settle(world, post, asNothing, keys);
  const [id] = madeBy(world, post, asNothing, made);

  expect(values).toEqual({});
  const { named, plain } = failures;
  expect(plain).toMatchObject({ outcome: 'unknown', payload: { candidates: [id] } });
  expect(plain?.message).toContain('idempotencyKey named');
  expect(plain && isFinal(plain)).toBe(true);
  // It waits for the other one, which may turn out to have it.
  expect(named?.message).toContain('idempotencyKey plain');
  expect(named && isFinal(named)).toBe(false);

  const outcome = made === 'plain' ? ({ value: { id }, force: true } as const) : 'rejected';
  expect((await settleKey(context, 'plain', outcome)).isOk()).toBe(true);
  await settle(world, post, asNothing, ['named', 'plain'], 3);
  const ids = keys.map((key) => madeBy(world, post, asNothing, key));
  expect(ids.map(({ length }) => length)).toEqual([1, 1]);
  for (const [at, key] of keys.entries())
    expect((await publish(world, post, { texts: asNothing, key }))._unsafeUnwrap().value).toEqual({
      id: ids[at]?.[0],
    });
});

test('a key is not left to a person before the other one has looked', async () => {
  const world = await loseBoth('plain');
  world.sandbox.advance(leaseMs + 2 * settleMs);
  const early = (await publish(world, post, { texts: asNothing, key: 'plain' }))._unsafeUnwrapErr();
  expect(isFinal(early)).toBe(false);
  expect(early.message).toContain('idempotencyKey named, which is not settled yet');

  // A person deletes it, for a reason of their own: then the other one finds nothing.
  const [id = ''] = madeBy(world, post, asNothing, 'plain');
  const on = { postId: id, pageToken: world.page.token };
  expect((await deletePost(world.start().context, on)).isOk()).toBe(true);
  const { values } = await settle(world, post, asNothing, ['named']);
  expect(values.named).toEqual({ id: madeBy(world, post, asNothing, 'named')[0] });
});

test('of other words, a text with a mention keeps no key from its own', async () => {
  const texts: Texts = { named: `Happy birthday, ${mention}!`, plain: 'Thanks!', name: '' };
  const world = await loseBoth('plain', texts);
  world.sandbox.advance(leaseMs);

  const { value } = (await publish(world, post, { texts, key: 'plain' }))._unsafeUnwrap();

  expect(value).toEqual({ id: madeBy(world, post, texts, 'plain')[0] });
});

test.each([
  ['may be published already, says the key of it', asNothing, 'named'],
  ['keeps no other key from its own', asNothing, 'plain'],
  ['keeps no other key from its own', { ...asNothing, named: `Happy birthday, ${mention}!` }, 'plain'],
] as const)('what an earlier version sent, with a mention, %s: %j, made: %s', async (_, texts, made) => {
  const world = await loseBoth(made, texts);
  const stored = `pagepics ${new URL(world.sandbox.platform.graphUrl).origin} named`;
  const text = (await world.store.get(stored)) ?? '';
  const older = text.replace(/,"bare":"[^"]*"/, '');
  expect(older).not.toBe(text);
  await world.store.compareAndSet(stored, text, older, 1e9);

  const { values, failures } = await settle(world, post, texts, ['plain', 'named']);

  const id = madeBy(world, post, texts, made)[0];
  expect(values.plain).toEqual({ id });
  expect(madeBy(world, post, texts, made).length).toBe(1);
  // Whether that was its own it cannot know.
  if (texts === asNothing) expect(failures.named).toMatchObject({ payload: { candidates: [id] } });
  else expect(values.named).toEqual({ id: madeBy(world, post, texts, 'named')[0] });
});

test.each([asNothing, shownAs('', 'Thanks Jane Doe!'), shownAs('Jane Doe', 'Thanks Jane Doe!')])(
  'a key whose post a person has given to one with a mention is not published twice: %j',
  async (texts) => {
    const world = await loseBoth('plain', texts);
    const [id] = madeBy(world, post, texts, 'plain');
    world.sandbox.advance(leaseMs);
    const { context } = world.start();
    expect((await settleKey(context, 'named', { value: { id } })).isOk()).toBe(true);

    await settle(world, post, texts, ['plain'], 3);

    // Without its mention, the text is the same: then it may be as the person has said.
    expect(madeBy(world, post, texts, 'plain').length).toBe(texts === asNothing ? 2 : 1);
  },
);

test('the post of a forgotten key with a mention is left to a person', async () => {
  const world = await loseBoth('named');
  const { context } = world.start();
  world.sandbox.advance(leaseMs);
  expect((await forgetKey(context, 'named')).isOk()).toBe(true);

  const { failures } = await settle(world, post, asNothing, ['plain'], 3);

  expect(failures.plain).toMatchObject({ payload: { candidates: madeBy(world, post, asNothing, 'named') } });
  expect(failures.plain && isFinal(failures.plain)).toBe(true);
});

test.each(['Hi @[1]', '@[1]', '\u{1F389} @[1]'])(
  'what was taken by its text, with a name in it, %j may have made',
  async (named) => {
    const texts: Texts = { named, plain: named.replace(mention, 'Jane'), name: 'Jane' };
    const world = await loseBoth('named', texts);

    const { failures } = await settle(world, post, texts, ['plain', 'named'], 3);

    const [id] = world.sandbox.effects('post').map((one) => one.id);
    expect(world.sandbox.effects('post').length).toBe(1);
    expect(failures.named).toMatchObject({ outcome: 'unknown', payload: { candidates: [id] } });
    expect((await journalState(world.start().context, 'plain'))._unsafeUnwrap()?.state).toBe('published');
  },
);

test('a message is not taken for a private reply with a mention, whose conversation it belongs to', async () => {
  const call = (world: World) => {
    const onPage = { pageId: world.page.id, pageToken: world.page.token };
    const [commentId = ''] = world.page.commentIds;
    const text = asNothing.named;
    return privateReply(world.start().context, { ...onPage, commentId, text, idempotencyKey: 'named' });
  };
  const { recipient_id: recipientId } = (await call(createWorld()))._unsafeUnwrap();
  const world = createWorld();
  const { sandbox, page } = world;
  sandbox.fault({ method: 'POST', path: '/messages', when: 'after', drop: true });
  expect((await call(world)).isErr()).toBe(true);
  const onPage = { pageId: page.id, pageToken: page.token };
  const message = { ...onPage, recipientId, text: asNothing.plain, idempotencyKey: 'plain' };
  sandbox.receiveMessage({ contactId: recipientId, text: 'And on Sunday?' });
  sandbox.fault({ method: 'POST', path: '/messages', when: 'before', drop: true });

  expect((await sendMessage(world.start().context, message))._unsafeUnwrapErr()).toMatchObject({
    outcome: 'unknown',
    payload: { candidates: sandbox.effects('message').map(({ id }) => id) },
  });
});
