import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import type { JournalStore } from '../../../../src/core/index.ts';
import { isCI } from '../../../support/machine.ts';
import { type Publishing, publishings, type Target, variants } from './publishings.ts';
import { createWorld, leaseMs, type Machine, settleMs, type Surroundings, type World } from './support.ts';

// Processes die whose lease is renewed between all steps of a call, as if it were shorter than any of them: what a call
// has noted, but not stored yet, is then stored by a renewal, and the next call finds it.

// The timers of leases do what a test tells them to.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

const renewals = {
  /** Each step waits for a renewal. */
  before: async () => {
    vi.advanceTimersByTime(leaseMs / 3);
    await storesAreDone();
  },
  /** The call goes on while one renewal is under way and another waits for it, which stores what is noted meanwhile. */
  beside: async () => {
    vi.advanceTimersByTime((2 * leaseMs) / 3);
  },
};

/** How long the store takes, in turns of promises: longer than a call from its response to its next step. */
const turns = 300;

function storesAreDone(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}

interface Case {
  readonly world: World;
  readonly target: Target;
  /** At each point so far, what the store held, without what differs in each text, and what was made. */
  readonly states: string[];
}

async function setUp(
  { prepare }: Publishing,
  renewed: keyof typeof renewals,
  { loses, onPoint }: Pick<Surroundings, 'loses' | 'onPoint'> = {},
): Promise<Case> {
  const rows = new Map<string, string>();
  const store: JournalStore = {
    get: async (key) => rows.get(key),
    compareAndSet: async (key, expected, value) => {
      for (let turn = 0; turn < turns; turn++) await Promise.resolve();
      return rows.get(key) === expected && Boolean(rows.set(key, value));
    },
  };
  const states: string[] = [];
  const changing = /"(?:nonce|lease|updatedAt|sentAt|local|platform)":[^,}]*,?/g;
  const world = createWorld(store, {
    between: renewals[renewed],
    loses,
    onPoint: async (point) => {
      const held = [...rows].map((row) => row.join(' ').replace(changing, ''));
      states.push([world.sandbox.effects().length, ...held].join('\n'));
      await onPoint?.(point);
    },
  });
  const { sandbox, page } = world;
  const target = { page, account: sandbox.account, prepared: await prepare?.(sandbox) };
  return { world, target, states };
}

/** A clone takes each of them in one of the two manners; CI takes both. */
const casesOf = (renewed: keyof typeof renewals) =>
  Object.entries({ ...publishings, ...variants }).filter(
    (_, at) => isCI || (at % 2 === 0) === (renewed === 'before'),
  );

describe.each(['before', 'beside'] as const)('its lease renewed %s each step,', (renewed) => {
  describe.each(casesOf(renewed))('%s is done once, and told whole, whatever point', (_, publishing) => {
    const { kind, id, isBlind, hidesContent, hidesId, isGuarded } = publishing;
    const isHidden = isBlind === true || hidesContent === true || hidesId === true || isGuarded === true;
    const call = (at: Machine, target: Target, idempotencyKey = 'job-1') =>
      publishing.call(at, target, { idempotencyKey, message: 'Open until nine' });

    /** The points of a call at which something has changed. */
    async function turningPoints(
      first?: (at: Case) => Promise<unknown>,
      loses?: number,
    ): Promise<readonly number[]> {
      const rehearsal = await setUp(publishing, renewed, { loses });
      await first?.(rehearsal);
      const begin = rehearsal.states.length;
      const whole = rehearsal.world.start();
      await call(whole, rehearsal.target);
      const states = rehearsal.states.slice(begin);
      const points = [...whole.points.keys()].filter((point) => states[point] !== states[point - 1]);
      expect(points.length).toBeGreaterThan(0);
      return points;
    }

    /** Calls under the keys until each is told what it made: one at most, and its own. */
    async function settleAll({ world, target }: Case, where: string, keys = ['job-1']): Promise<void> {
      const values = new Map<string, object>();
      for (const waitMs of [leaseMs + 1, settleMs, 3_600_000, 3_600_000]) {
        world.sandbox.advance(waitMs);
        for (const key of keys.filter((one) => !values.has(one))) {
          const told = await call(world.start(), target, key);
          if (told.isOk()) values.set(key, Object(told.value));
          // What another key has used up, such as a container, is refused.
          else if (keys.length === 1)
            expect(told.error, where).toMatchObject({
              outcome: expect.stringMatching(/^(?:unknown|applied)$/),
            });
        }
      }
      const made = world.sandbox.effects(kind).map((effect) => effect.id);
      const ids = [...values.values()].map(
        (value) => Object.entries(value).find(([name]) => name === id)?.[1],
      );
      expect(made.length, where).toBeLessThanOrEqual(keys.length);
      expect(new Set(ids).size, where).toBe(ids.length);
      expect(made, where).toEqual(expect.arrayContaining(ids));
      expect([...values.values()].flatMap(Object.values), where).not.toContain('');
      if (!isHidden) expect([...values.keys()].toSorted(), where).toEqual(keys);
    }

    /** Kills a process at each turning point of its call. */
    async function killEach(first?: (at: Case) => Promise<unknown>, loses?: number): Promise<void> {
      for (const point of await turningPoints(first, loses)) {
        const at = await setUp(publishing, renewed, { loses });
        await first?.(at);
        const dying = at.world.start(point);
        await Promise.race([call(dying, at.target), dying.death]);
        await at.world.arrived();
        await settleAll(at, `${point}: ${dying.points[point]}`);
      }
    }

    /** How many requests of it write, and at which point it hears of the last one. */
    async function rehearse(): Promise<{ readonly posts: number; readonly unheard: number }> {
      const { world, target } = await setUp(publishing, renewed);
      const whole = world.start();
      await call(whole, target);
      const { points } = whole;
      const posts = points.filter((point) => /^after (?:POST|PUT)/.test(point)).length;
      return { posts, unheard: points.findLastIndex((point) => point.startsWith('after POST')) };
    }

    test('it dies at', () => killEach());

    test('it dies at that looks for what it has sent itself', async () => {
      const { posts } = await rehearse();
      await killEach(undefined, posts - 1);
    });

    test.each([leaseMs + 1, leaseMs + settleMs])(
      'it dies at that looks for what a dead one has sent, %i ms later',
      async (ms) => {
        const { unheard } = await rehearse();
        await killEach(async ({ world, target }) => {
          const dead = world.start(unheard);
          expect(await Promise.race([call(dead, target), dead.death])).toBe('dead');
          await world.arrived();
          world.sandbox.advance(ms);
        });
      },
    );

    test.runIf(renewed === 'before').each(['job-1', 'job-2'])(
      'it is frozen at for longer than its lease, while another calls under %s',
      async (key) => {
        for (const point of await turningPoints()) {
          let frozen: Machine | undefined;
          const at = await setUp(publishing, renewed, {
            onPoint: async () => {
              if (frozen?.points.length !== point + 1) return;
              frozen = undefined;
              at.world.sandbox.advance(leaseMs + 1);
              await call(at.world.start(), at.target, key);
            },
          });
          frozen = at.world.start();
          const { points } = frozen;
          await call(frozen, at.target);
          await settleAll(at, `${point}: ${points[point]}`, [...new Set(['job-1', key])]);
        }
      },
    );
  });
});
