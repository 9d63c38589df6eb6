import { describe, expect, test } from 'vitest';

import { memoryJournal } from '../../src/core/index.ts';
import { createWriteMemory } from '../../src/core/writes/memory.ts';
import { createPageContext } from '../../src/page/context.ts';
import { sendMessage, type SendMessageOptions, privateReply } from '../../src/page/inbox.ts';
import { createPicsContext } from '../../src/pics/context.ts';
import { sendMessage as sendPics, privateReply as replyToMedia } from '../../src/pics/inbox.ts';
import { createSandbox } from '../../src/sandbox/index.ts';
import { fc } from '../support/property.ts';

type Content = Pick<SendMessageOptions, 'text' | 'attachment' | 'images' | 'template'>;

/** Contents of a kind. The number distinguishes the calls, which the platform's list does not. */
const kinds: Readonly<Record<string, (at: number) => Content>> = {
  image: (at) => ({ attachment: { type: 'image', url: addressOf(at) } }),
  file: (at) => ({ attachment: { type: 'file', url: addressOf(at) } }),
  audio: (at) => ({ attachment: { type: 'audio', url: addressOf(at) } }),
  'two images': (at) => ({ images: [addressOf(at), addressOf(at)] }),
  template: (at) => ({ template: { type: 'generic', elements: [{ title: addressOf(at), subtitle: 'x' }] } }),
};

function addressOf(at: number): string {
  return `https://example.com/${at}-`;
}

/** What becomes of a call: all well; lost before its effect, or after it; or its effect comes between two lookups. */
const fates = ['well', 'before', 'after', 'late'] as const;
type Fate = (typeof fates)[number];

interface Call {
  readonly kind: string;
  readonly fate: Fate;
  /** Which of two processes sends it; with a memory that they share, or not. */
  readonly process: 0 | 1;
}

/** Sends messages to one person at the same time. */
async function sendAll(calls: readonly Call[], sharesMemory: boolean) {
  const sandbox = createSandbox({ strict: true });
  const { app, platform, clock } = sandbox;
  const [page] = sandbox.pages;
  if (page === undefined) throw new Error('the sandbox has Pages');
  const late: (() => Promise<unknown>)[] = [];
  let lookups = 0;

  const fetch = async (input: string | URL | Request): Promise<Response> => {
    const request = input as Request;
    // Even a response takes its time.
    await clock.sleep(1);
    if (request.method === 'GET') {
      if (++lookups % 2 === 0) await late.shift()?.();
      return sandbox.fetch(request);
    }
    const body = await request.clone().text();
    const at = calls.findIndex((_, index) => body.includes(addressOf(index)));
    const fate = calls[at]?.fate ?? 'well';
    const { url, method, headers } = request;
    if (fate === 'late') late.push(() => sandbox.fetch(url, { method, headers, body }));
    if (fate === 'before' || fate === 'late') throw new TypeError('fetch failed');
    const response = await sandbox.fetch(request);
    if (fate === 'after') throw new TypeError('fetch failed');
    return response;
  };

  const shared = createWriteMemory();
  const contexts = [shared, sharesMemory ? shared : createWriteMemory()].map((memory) =>
    createPageContext({
      appId: app.id,
      appSecret: app.secret,
      platform,
      fetch,
      clock,
      memory,
    })._unsafeUnwrap(),
  );
  const results = await Promise.all(
    calls.map(({ kind, process }, at) => {
      const context = contexts[process];
      const content = kinds[kind]?.(at);
      if (context === undefined || content === undefined) throw new Error('no such call');
      const to = { pageId: page.id, pageToken: page.token, recipientId: page.contacts[0]?.id ?? '' };
      return sendMessage(context, { ...to, ...content } as SendMessageOptions);
    }),
  );
  await Promise.all(late.map((land) => land()));
  const effects = sandbox.effects('message');
  return results.map((result, at) => ({
    ...calls[at],
    said: result.isOk() ? 'ok' : 'outcome' in result.error && result.error.outcome,
    id: result.isOk() ? result.value.message_id : undefined,
    made: effects
      .filter(({ content }) => JSON.stringify(content).includes(addressOf(at)))
      .map(({ id }) => id),
  }));
}

const call: fc.Arbitrary<Call> = fc.record({
  kind: fc.constantFrom(...Object.keys(kinds)),
  fate: fc.constantFrom(...fates),
  process: fc.constantFrom(0, 1),
});

test.each(['before', 'after'] as const)(
  'a private reply is made once where two processes reply, and one is lost %s its effect',
  async (when) => {
    const { app, platform, clock, fetch, fault, pages, effects } = createSandbox({ strict: true });
    const [page] = pages;
    if (page === undefined) throw new Error('the sandbox has Pages');
    const reply = {
      pageId: page.id,
      pageToken: page.token,
      commentId: page.commentIds[0] ?? '',
      text: 'It costs ten.',
    };
    fault({ method: 'POST', path: 'messages', drop: true, when });

    const results = await Promise.all(
      [1, 2].map(() => {
        const options = { appId: app.id, appSecret: app.secret, platform, fetch, clock };
        const memory = createWriteMemory();
        return privateReply(createPageContext({ ...options, memory })._unsafeUnwrap(), reply);
      }),
    );

    const said = results.map((result) =>
      result.isOk() ? result.value.message_id : 'outcome' in result.error && result.error.outcome,
    );
    const [made, ...others] = effects('private_reply');
    expect(others).toEqual([]);
    // Which of them arrives first is chance: the lost one may be the one that is refused. It cannot tell its own reply from
    // that of the other.
    const pairs = [
      ['applied', made?.id],
      [when === 'after' ? 'applied' : made?.id, 'rejected'],
    ];
    expect(pairs.map((pair) => new Set(pair))).toContainEqual(new Set(said));
  },
);

describe('a lost message next to an equal private reply to the same person', () => {
  const text = 'It costs ten.';

  /** Replies in private, and sends the same, which is lost, before the response to the reply is there. */
  async function sendBoth(inbox: 'page' | 'pics', replyComesTo: 'its response' | 'nothing', key?: string) {
    const sandbox = createSandbox({ strict: true });
    const { account, clock, effects, pages, platform, picsApp, app } = sandbox;
    const [page] = pages;
    if (page === undefined) throw new Error('the sandbox has Pages');
    const journal = memoryJournal();
    const held = Promise.withResolvers<void>();
    let posts = 0;
    const fetch = async (input: string | URL | Request): Promise<Response> => {
      if ((input as Request).method === 'GET') return sandbox.fetch(input);
      if (++posts > 1) throw new TypeError('fetch failed');
      const response = await sandbox.fetch(input);
      await held.promise;
      return response;
    };
    const idempotencyKey = (name: string) => key && `${key} ${name}`;
    // With a key, they are two processes.
    const options = () => ({
      platform,
      fetch,
      clock,
      journal,
      memory: key === undefined ? memory : createWriteMemory(),
      retry: { attempts: 1, baseDelayMs: 1 },
    });
    const memory = createWriteMemory();
    const ofPage = () =>
      createPageContext({ ...options(), appId: app.id, appSecret: app.secret })._unsafeUnwrap();
    const ofPics = () => createPicsContext({ ...options(), appSecret: picsApp.secret })._unsafeUnwrap();
    const here = { pageId: page.id, pageToken: page.token };
    const there = { token: account.token, picsUserId: account.userId };
    const onPage = {
      ...here,
      commentId: page.commentIds[0] ?? '',
      text,
      idempotencyKey: idempotencyKey('reply'),
    };
    const onMedia = {
      ...there,
      commentId: account.commentIds[0] ?? '',
      text,
      idempotencyKey: idempotencyKey('reply'),
    };

    const reply = inbox === 'page' ? privateReply(ofPage(), onPage) : replyToMedia(ofPics(), onMedia);
    await expect.poll(() => effects('private_reply').length).toBe(1);
    const recipientId = String(effects('private_reply')[0]?.content['recipientId']);
    sandbox.receiveMessage({ contactId: recipientId, text: 'How much?' });
    const message = { recipientId, text, idempotencyKey: idempotencyKey('message') };
    const lost =
      inbox === 'page'
        ? sendMessage(ofPage(), { ...here, ...message })
        : sendPics(ofPics(), { ...there, ...message });
    const sent = await lost;
    if (replyComesTo === 'nothing') held.reject(new TypeError('fetch failed'));
    else held.resolve();
    return { sent, replied: await reply, made: effects('message').map(({ id }) => id) };
  }

  test.each([
    ['page', undefined],
    ['pics', undefined],
    ['page', 'job'],
    ['pics', 'job'],
  ] as const)('is not told its id: %s, key %s', async (inbox, key) => {
    const { sent, replied, made } = await sendBoth(inbox, 'its response', key);

    expect(made.length).toBe(1);
    expect(sent._unsafeUnwrapErr()).toMatchObject({ outcome: 'unknown' });
    expect(replied._unsafeUnwrap().message_id).toBe(made[0]);
  });

  test('does not get its id either if the reply is lost as well', async () => {
    const { sent, replied } = await sendBoth('page', 'nothing');

    expect(sent._unsafeUnwrapErr()).toMatchObject({ outcome: 'unknown' });
    expect(replied._unsafeUnwrapErr()).toMatchObject({ outcome: 'unknown' });
  });
});

describe('messages that are sent at the same time', () => {
  test('are each sent once, and get no id but their own', async () => {
    let unknown = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 4 }), async (calls) => {
        for (const { fate, said, id, made } of await sendAll(calls, true)) {
          expect(made.length).toBe(fate === 'before' ? 0 : 1);
          if (said === 'ok') expect([id]).toEqual(made);
          else expect([said, fate === 'well']).toEqual(['unknown', false]);
          if (said === 'unknown') unknown++;
        }
      }),
      { numRuns: 50 },
    );
    expect(unknown).toBeGreaterThan(5);
  });

  // Nothing in a message without a text says whose it is.
  test.each(Object.keys(kinds))('are of unknown outcome where one alone is lost: %s', async (kind) => {
    for (const fate of ['after', 'late'] as const) {
      const [told] = await sendAll([{ kind, fate, process: 0 }], true);
      expect(told).toMatchObject({ said: 'unknown' });
      expect(told?.made).toHaveLength(1);
    }
  });

  test('and both lost are of unknown outcome, also in processes that know nothing of each other', async () => {
    const lost = (process: 0 | 1): Call => ({ kind: 'image', fate: 'after', process });

    const told = await sendAll([lost(0), lost(1)], false);

    expect(told.map(({ said }) => said)).toEqual(['unknown', 'unknown']);
  });
});
