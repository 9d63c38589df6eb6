import { describe, expect, test } from 'vitest';

import { createWriteMemory } from '../../src/core/writes/memory.ts';
import { type Publishing, publishings, type Target } from '../core/writes/journal/publishings.ts';
import { createWorld, leaseMs, type Machine, settleMs, type World } from '../core/writes/journal/support.ts';

/** What a person makes in the second of a lost call never becomes the call's own. */

const message = 'Open until nine';

/** When a person creates something that looks the same, relative to the publishing request. */
const turns = ['before it', 'after it'] as const;
type Turn = (typeof turns)[number];

interface Case {
  readonly publishing: Publishing;
  /** The request is lost before its effect, or after it. */
  readonly when: 'before' | 'after';
  readonly turn: Turn;
  /** Milliseconds until lists show what was made: the person's own shows first. */
  readonly lagMs: number;
  readonly idempotencyKey: string | undefined;
}

/** How many requests a call makes before the one that publishes. */
async function requestsBefore(publishing: Publishing): Promise<number> {
  const { world, target } = await setUp(publishing);
  let posts = 0;
  let before = -1;
  const machine = world.start(Infinity, {
    fetch: async (input, init) => {
      const known = world.sandbox.effects(publishing.kind).length;
      const response = await world.sandbox.fetch(input, init);
      if ((input as Request).method === 'POST') posts++;
      if (before < 0 && world.sandbox.effects(publishing.kind).length > known) before = posts - 1;
      return response;
    },
  });
  (await publishing.call(machine, target, { idempotencyKey: 'rehearsal', message }))._unsafeUnwrap();
  expect(before).toBeGreaterThanOrEqual(0);
  return before;
}

async function setUp({ prepare }: Publishing): Promise<{ readonly world: World; readonly target: Target }> {
  const world = createWorld();
  const { sandbox, page } = world;
  return { world, target: { page, account: sandbox.account, prepared: await prepare?.(sandbox) } };
}

/** Publishes while a person does, and returns what the call reported, and what it and the person created. */
async function publishBesideStranger(at: Case) {
  const { publishing, when, turn, lagMs, idempotencyKey } = at;
  const { kind, id, call } = publishing;
  const losesAt = await requestsBefore(publishing);
  const { world, target } = await setUp(publishing);
  const { sandbox } = world;
  sandbox.tune({ lists: { lagMs } });
  const strangers: string[] = [];
  const own = new Set<string>();
  let posts = 0;

  /** Someone with other tools: nothing of the caller's processes knows of it. */
  async function act(): Promise<void> {
    const known = new Set(idsOf());
    const memory = createWriteMemory();
    const person: Machine = world.start(Infinity, {
      memory,
      fetch: (...request) => sandbox.fetch(...request),
    });
    strangers.push(await publishing.stranger({ ...person, sandbox, target, message }));
    strangers.push(...idsOf().filter((one) => !known.has(one)));
    // Within the second, but so that the person's shows before the call's.
    if (turn === 'before it') sandbox.advance(300);
  }
  const idsOf = (): readonly string[] => sandbox.effects(kind).map((effect) => effect.id);
  const start = (): Machine =>
    world.start(Infinity, {
      memory: createWriteMemory(),
      fetch: async (input, init) => {
        const isLost = (input as Request).method === 'POST' && posts++ === losesAt;
        if (isLost && turn === 'before it') await act();
        if (isLost && when === 'before') {
          if (turn === 'after it') await act();
          throw new TypeError('fetch failed');
        }
        const known = new Set(idsOf());
        const response = await sandbox.fetch(input, init);
        for (const one of idsOf()) if (!known.has(one)) own.add(one);
        if (!isLost) return response;
        if (turn === 'after it') await act();
        throw new TypeError('fetch failed');
      },
      retry: { baseDelayMs: 100 },
    });

  // With a key, other processes ask again: while it settles, and after that.
  const pauses = idempotencyKey === undefined ? [0] : [0, leaseMs + 1, settleMs + leaseMs];
  const told: unknown[] = [];
  for (const pauseMs of pauses) {
    sandbox.advance(pauseMs);
    const result = await call(start(), target, { idempotencyKey, message });
    told.push(result.isOk() ? (result.value as Readonly<Record<string, unknown>>)[id] : undefined);
  }
  expect(strangers[0]).toMatch(/./);
  return { told, own: [...own], strangers };
}

const cases = [undefined, 'job-1'].flatMap((idempotencyKey) =>
  (['before', 'after'] as const).flatMap((when) =>
    turns.flatMap((turn) => [0, 350].map((lagMs) => ({ idempotencyKey, when, turn, lagMs }))),
  ),
);

describe.each(Object.entries(publishings))(
  'a stranger who does the same as %s, in the same second',
  (_, publishing) => {
    test.each(cases)('%o: no id is told but that of what the call made', async (at) => {
      const { told, own, strangers } = await publishBesideStranger({ publishing, ...at });

      expect(own.length).toBeLessThanOrEqual(1);
      for (const id of told) {
        if (id !== undefined) expect(own).toContain(id);
        expect(strangers).not.toContain(id);
      }
    });
  },
);

test('most of what was lost is found despite a stranger', async () => {
  const found: string[] = [];
  for (const [name, publishing] of Object.entries(publishings)) {
    const at = { publishing, when: 'after', turn: 'after it', lagMs: 0, idempotencyKey: undefined } as const;
    const { told } = await publishBesideStranger(at);
    if (told[0] !== undefined) found.push(name);
  }

  expect(found).toEqual(
    expect.arrayContaining(['page replyComment', 'page sendMessage', 'pics publishComment']),
  );
});
