import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { describe, expect, test } from 'vitest';

import { withOptions } from '../../src/core/context.ts';
import { memoryJournal } from '../../src/core/writes/journal/createJournal.ts';
import { createGovernor, type GovernorOptions, limits } from '../../src/governor/index.ts';
import { conversations } from '../../src/page/inbox.ts';
import { me } from '../../src/page/tokens.ts';
import { json, refusal, requestsTo, type Step, stubFetch } from '../core/stub.ts';
import { pageContext, token } from '../support/context.ts';
import { handClock } from './support.ts';

const person = { id: '1', name: 'Ada' };
const used = (percent: number): Step =>
  json(person, 200, { 'x-app-usage': JSON.stringify({ call_count: percent }) });

/** A process with a clock of its own, whose calls publish. */
function process(step: Step, options: GovernorOptions = {}) {
  const clock = handClock();
  const fetch = stubFetch(step);
  const governor = createGovernor(options);
  const context = pageContext({ clock, fetch, governor, retry: { attempts: 1 } });
  const urgent = withOptions(context, { lane: 'publish' })._unsafeUnwrap();
  return {
    clock,
    context,
    call: () => me(urgent, { token }),
    read: () => me(context, { token }),
    sent: () => requestsTo(fetch).length,
  };
}

/** Lets work in the background finish, and time pass. */
async function pass(seconds: number, ...clocks: readonly { advance(ms: number): void }[]): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => void setImmediate(resolve));
    for (const clock of clocks) clock.advance(1000);
  }
  for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => void setImmediate(resolve));
}

test('two calls wait for the end of a block, and neither is told to wait for ever', async () => {
  let isBlocked = true;
  const { call, clock, sent } = process((...sending) => (isBlocked ? refusal(17) : used(10))(...sending), {
    maxWaitMs: 120_000,
  });
  await call();
  isBlocked = false;
  const calls = [call(), call()];
  await pass(70, clock);

  expect((await Promise.all(calls)).map((result) => result.isOk())).toEqual([true, true]);
  expect(sent()).toBe(3);
});

test('every wait that a held call is told is a safe integer', async () => {
  const { call, read, clock } = process((...sending) => used(99)(...sending), { maxWaitMs: 0 });
  await call();
  for (let second = 0; second < 100; second++) {
    const result = await read();
    if (result.isErr()) expect(result.error).toMatchObject({ retryAfterMs: expect.any(Number) });
    if (result.isErr() && result.error.name === 'RateLimitError')
      expect(Number.isSafeInteger(result.error.retryAfterMs) && Number(result.error.retryAfterMs) > 0).toBe(
        true,
      );
    clock.advance(60_000);
  }
});

describe('what a process learns reaches the others', () => {
  test('before its caller knows of a refusal, though it calls no more', async () => {
    const store = memoryJournal();
    const [one, other] = [process(refusal(17), { store }), process(refusal(17), { store })];
    await one.call();

    for (const seconds of [5, 30]) {
      expect((await other.call())._unsafeUnwrapErr()).toMatchObject({ limit: { percent: 100 } });
      await pass(seconds, one.clock, other.clock);
    }
    expect(other.sent()).toBe(0);
  });

  test('with its next call after syncMs otherwise, or when it is asked for limits', async () => {
    const store = memoryJournal();
    let percent = 10;
    const [one, other] = [
      process((...sending) => used(percent)(...sending), { store }),
      process(used(10), { store }),
    ];
    await one.call();
    percent = 95;
    await one.call();
    expect((await other.read()).isOk()).toBe(true);
    await limits(one.context);
    await pass(1, one.clock, other.clock);

    expect((await other.read())._unsafeUnwrapErr()).toMatchObject({ limit: { kind: 'app', percent: 95 } });
    expect(other.sent()).toBe(1);
  });

  test('so that of twenty processes of one call each, one finds out that a Page is blocked', async () => {
    const store = memoryJournal();
    let sent = 0;
    for (let edge = 0; edge < 20; edge++) {
      const one = process(refusal(80001), { store });
      await one.call();
      sent += one.sent();
    }

    expect(sent).toBe(1);
  });
});

test('a lane stays under its share, whatever a call costs', { tags: 'long' }, async () => {
  let calls = 0;
  const { read, clock, sent } = process((...sending) => used(5 * ++calls)(...sending));
  for (let second = 0; second < 3000; second++) {
    await read();
    clock.advance(1000);
  }

  // 75 % and one call.
  expect(sent()).toBeLessThanOrEqual(16);
  expect(sent()).toBeGreaterThanOrEqual(14);
});

test('a jump of usage by others is not charged to the own calls', async () => {
  let [calls, others] = [0, 0];
  const { call, clock, sent } = process((...sending) => used(Math.floor(++calls / 5) + others)(...sending));
  for (let minute = 0; minute < 45; minute++) {
    await call();
    clock.advance(20_000);
  }
  others = 69;
  for (let minute = 0; minute < 60; minute++) {
    expect((await call()).isOk()).toBe(true);
    clock.advance(5000);
  }

  expect(sent()).toBe(105);
});

test('a full published rate says so, by the Page in its path', async () => {
  const clock = handClock();
  const fetch = stubFetch(json({ data: [] }));
  const context = pageContext({ clock, fetch, governor: createGovernor() });
  const read = () => conversations(context, { pageId: '42', pageToken: token });
  await read();
  await read();

  expect((await read())._unsafeUnwrapErr()).toMatchObject({
    limit: { kind: 'conversations', id: '42', percent: 100 },
  });
  expect((await limits(context))._unsafeUnwrap()).toMatchObject([{ kind: 'conversations', percent: 100 }]);
});

test('1,500 responses that report 60 new ids each leave a thousand limits', { tags: 'long' }, async () => {
  let id = 0;
  const step: Step = (...sending) => {
    const entries = Array.from({ length: 60 }, () => [`${id++}`, [{ type: 'pages', call_count: 1 }]]);
    const headers = { 'x-business-use-case-usage': JSON.stringify(Object.fromEntries(entries)) };
    return json(person, 200, headers)(...sending);
  };
  const { call, context, clock } = process(step);
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  collect();
  const before = globalThis.process.memoryUsage().heapUsed;
  for (let calls = 0; calls < 1500; calls++) {
    await call();
    clock.advance(10);
  }
  collect();
  const grown = globalThis.process.memoryUsage().heapUsed - before;

  expect((await limits(context))._unsafeUnwrap().length).toBeLessThanOrEqual(1000);
  expect(grown).toBeLessThan(20e6);
});

const digits = '9'.repeat(400);

test.each<[string, Step]>([
  ['a Retry-After of 400 digits', refusal(17, { headers: { 'retry-after': digits } })],
  [
    'a Retry-After in the year 9999',
    refusal(17, { headers: { 'retry-after': 'Fri, 31 Dec 9999 23:59:59 GMT' } }),
  ],
  ['usage of 400 digits', json(person, 200, { 'x-app-usage': `{"call_count":${digits}}` })],
  [
    'a regain time of 400 digits',
    json(person, 200, {
      'x-business-use-case-usage': `{"42":[{"type":"pages","call_count":100,"estimated_time_to_regain_access":${digits}}]}`,
    }),
  ],
])('%s leaves all numbers finite', async (_, step) => {
  const { call, context, clock } = process(step);
  const first = await call();
  if (first.isErr()) expect(Number.isSafeInteger(Object(first.error).retryAfterMs ?? 0)).toBe(true);
  for (let minutes = 0; minutes < 10; minutes++) {
    const result = await call();
    const known = (await limits(context))._unsafeUnwrap();
    if (result.isErr() && 'limit' in result.error && result.error.name === 'RateLimitError') {
      expect(Number.isSafeInteger(result.error.retryAfterMs)).toBe(true);
      expect(result.error.retryAfterMs).toBeLessThanOrEqual(86_400_000);
    }
    for (const { percent, blockedUntil, observedAt } of known) {
      expect(Number.isFinite(percent)).toBe(true);
      expect(Number.isFinite(observedAt.getTime())).toBe(true);
      if (blockedUntil) expect(Number.isFinite(blockedUntil.getTime())).toBe(true);
    }
    clock.advance(60_000);
  }
});
