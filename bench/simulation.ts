// Simulates fleets of governors, the product's own code, in virtual time: processes with clocks of their own share a store
// and a limit that the platform enforces, and want more than that allows. The table of docs/governor.md comes from here:
//   node bench/simulation.ts [pattern of names] [seeds, 3 by default]
import { POST } from '../src/core/http/methods.ts';
import { GET } from '../src/core/http/send.ts';
import type { Attempt, PreparedRequest } from '../src/core/http/types.ts';
import { createJournal, RateLimitError, withOptions } from '../src/core/index.ts';
import { createGovernor, type Lane } from '../src/governor/index.ts';
import { createPageContext } from '../src/page/index.ts';
import { createRandom } from './random.ts';

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
const laneNames: readonly Lane[] = ['publish', 'interact', 'read', 'background'];
const shares = [100, 90, 75, 50];

export interface Scenario {
  /** Calls that the limit allows in a window. */
  readonly quota: number;
  readonly windowMs?: number;
  /** Usage falls to nothing at each multiple of the window, instead of call by call. */
  readonly isReset?: boolean;
  /** Calls leave the window in steps of so many milliseconds. */
  readonly stepMs?: number;
  readonly round?: 'floor' | 'ceil' | 'round';
  /** Responses say nothing before so many calls. */
  readonly headersAfter?: number;
  /** Whether the platform says for how long a limit is used up. */
  readonly tellsRegain?: boolean;
  readonly processes?: number;
  /** Calls that are wanted, in quotas, and the parts of the lanes in it. */
  readonly demand?: number;
  readonly mix?: readonly number[];
  readonly skewMs?: number;
  readonly callMs?: readonly [number, number];
  readonly maxWaitMs?: number;
  /** How many windows it lasts, and of these how many come before anything is counted. */
  readonly windows?: number;
  readonly warm?: number;
  /** Each call has a process of its own, as at the edge. */
  readonly isOneCall?: boolean;
  readonly kills?: number;
  /** When the store is away, and whether it then hangs instead of failing; without a store: 'never'. */
  readonly down?: readonly [from: number, to: number];
  readonly hasStore?: boolean;
  /** How long the store takes for an operation. */
  readonly storeMs?: readonly [number, number];
  /** The part of its compare-and-sets that fail although no other process wrote. */
  readonly loses?: number;
  /** Other software: its demand at random, in quotas; and when it uses how many quotas within a minute. */
  readonly others?: number;
  readonly jumps?: readonly (readonly [at: number, quotas: number])[];
  readonly startUsed?: number;
  /** Posts in quotas, from when on and for how long. */
  readonly burst?: readonly [at: number, quotas: number, forMs: number];
  /** A published rate, which no header reports. */
  readonly rate?: 'replies' | 'profile' | 'inbox';
  /** When the limit has room again, from which on the time to full speed counts. */
  readonly recoverAt?: number;
  /** When a clock is set by how much. */
  readonly clockStep?: readonly [at: number, byMs: number];
}

const timed: Partial<Scenario> = { windows: 6 };
const untimed: Partial<Scenario> = { windows: 6, tellsRegain: false };
const reads = { demand: 5, mix: [0, 0, 1, 0] };
const oneCall = { isOneCall: true, tellsRegain: false };

export const scenarios: Readonly<Record<string, Scenario>> = {
  'quota 20, told': { quota: 20, ...timed },
  'quota 20, untimed': { quota: 20, ...untimed },
  'quota 200, told': { quota: 200, ...timed },
  'quota 200, untimed': { quota: 200, ...untimed },
  'quota 600, untimed': { quota: 600, ...untimed },
  'quota 900, untimed': { quota: 900, ...untimed },
  'quota 4800': { quota: 4800 },
  'quota 40000': { quota: 40_000, windows: 2 },
  '4800 a day': { quota: 4800, windowMs: day },
  '600 a day, told': { quota: 600, windowMs: day, windows: 4 },
  '600 a day, untimed': { quota: 600, windowMs: day, windows: 4, tellsRegain: false },
  'rounded up, 600': { quota: 600, round: 'ceil', ...untimed },
  'rounded nearest, 200': { quota: 200, round: 'round', ...untimed },
  'headers from call 30 on, 200': { quota: 200, headersAfter: 30, warm: 0 },
  '1 process, 600': { quota: 600, processes: 1, ...untimed },
  '40 processes, 200': { quota: 200, processes: 40, ...untimed },
  '40 processes, 4800': { quota: 4800, processes: 40 },
  'demand 0.3, 600': { quota: 600, demand: 0.3, ...timed },
  'demand 1, 600': { quota: 600, demand: 1, ...timed },
  'demand 5, 600, untimed': { quota: 600, demand: 5, ...untimed },
  'demand 5, 40 processes, 4800': { quota: 4800, demand: 5, processes: 40 },
  'reads only, 5x, 200': { quota: 200, ...reads, ...untimed },
  'reads only, 5x, 20': { quota: 20, ...reads, ...untimed },
  'reads only, 5x, 600 a day': { quota: 600, windowMs: day, ...reads, tellsRegain: false, windows: 4 },
  'reads 3x and a burst of posts, 200': {
    quota: 200,
    mix: [0, 0, 1, 0],
    burst: [2.5 * hour, 0.22, minute],
    tellsRegain: false,
    warm: 2,
  },
  'reads 3x, posts 0.2x, 20': {
    quota: 20,
    demand: 3.2,
    mix: [0.2, 0, 3, 0],
    tellsRegain: false,
    windows: 12,
  },
  'from nothing (first hour), 600': { quota: 600, warm: 0, windows: 1 },
  'first hour, 40 processes, 5x, 200': { quota: 200, processes: 40, demand: 5, warm: 0, windows: 1 },
  'one call a process, 600': { quota: 600, ...oneCall, windows: 4 },
  'one call a process, 20': { quota: 20, ...oneCall, windows: 6 },
  'one call a process, Page blocked': {
    quota: 200,
    isOneCall: true,
    demand: 0.4,
    startUsed: 1.2,
    warm: 0,
    windows: 0.9,
  },
  'killed every 5 minutes, 600': { quota: 600, kills: 60, ...untimed },
  'store that takes up to 3 s, 200': { quota: 200, storeMs: [1, 3000], ...untimed },
  'store that takes up to 1 s, 200': { quota: 200, storeMs: [1, 1000], ...untimed },
  'store that takes up to 0.3 s, 200': { quota: 200, storeMs: [1, 300], ...untimed },
  'store that takes up to 0.3 s, 600': { quota: 600, storeMs: [1, 300], ...untimed },
  'store that loses 40 % of compare-and-sets, 600': { quota: 600, loses: 0.4, ...untimed },
  'store away for an hour, 600': {
    quota: 600,
    down: [1.5 * hour, 2.5 * hour],
    tellsRegain: false,
    windows: 4,
  },
  'store away for an hour, 4800': {
    quota: 4800,
    down: [1.5 * hour, 2.5 * hour],
    tellsRegain: false,
    windows: 4,
  },
  'others use half, 600': { quota: 600, others: 0.5, ...untimed },
  'others jump to 60 %, 400': {
    quota: 400,
    demand: 0.3,
    jumps: [[1.2 * hour, 0.6]],
    warm: 1,
    windows: 2.2,
    tellsRegain: false,
  },
  'others fill it up, told, 600': {
    quota: 600,
    demand: 1.5,
    jumps: [[1.5 * hour, 1]],
    windows: 4,
    recoverAt: 2.51 * hour,
  },
  'others fill it up, untimed, 600': {
    quota: 600,
    demand: 1.5,
    jumps: [[1.5 * hour, 1]],
    windows: 4,
    tellsRegain: false,
    recoverAt: 2.51 * hour,
  },
  'burst of 0.3x posts, 40 processes, 900': {
    quota: 900,
    processes: 40,
    demand: 0.5,
    burst: [1.5 * hour, 0.3, 3e4],
  },
  'burst of 0.2x posts, 40 processes, 40000': {
    quota: 4e4,
    processes: 40,
    demand: 0.5,
    burst: [1.2 * hour, 0.2, 3e4],
    windows: 1.5,
  },
  'published rate 750 an hour': { quota: 750, rate: 'replies', mix: [0, 1, 0, 0], windows: 4 },
  'published rate 10 in 10 minutes': {
    quota: 10,
    windowMs: 10 * minute,
    rate: 'profile',
    mix: [0, 1, 0, 0],
    windows: 12,
  },
  'calls last up to 20 s, 600': { quota: 600, callMs: [500, 20_000], tellsRegain: false, windows: 4 },
  'clocks off by a minute, 600': { quota: 600, skewMs: minute, tellsRegain: false, windows: 4 },
  'waits of 30 s, 600': { quota: 600, maxWaitMs: 30_000, demand: 1.2, windows: 4 },
  'window of 150 s, 1000': { quota: 1000, windowMs: 150_000, windows: 24, warm: 8 },
  'window of 3 hours, 600': { quota: 600, windowMs: 3 * hour, tellsRegain: false, windows: 4 },
  // Not of the model.
  'window of 10 minutes, 300': {
    quota: 300,
    windowMs: 10 * minute,
    tellsRegain: false,
    windows: 24,
    warm: 6,
  },
  'window of 2 hours, 600': { quota: 600, windowMs: 2 * hour, tellsRegain: false, windows: 4 },
  'window of 6 hours, 600': { quota: 600, windowMs: 6 * hour, tellsRegain: false, windows: 4 },
  'window of 12 hours, 600': { quota: 600, windowMs: 12 * hour, tellsRegain: false, windows: 4 },
  'reset at the full hour, told, 600': { quota: 600, isReset: true, ...timed },
  'reset at the full hour, untimed, 600': { quota: 600, isReset: true, ...untimed },
  'calls leave in steps of 10 minutes, 600': { quota: 600, stepMs: 10 * minute, ...untimed },
  'others use 0.3x, 200': { quota: 200, others: 0.3, ...untimed },
  'others use half, 4800': { quota: 4800, others: 0.5, tellsRegain: false },
  'others jump to 60 % each hour, 600': {
    quota: 600,
    jumps: [1.2, 2.2, 3.2, 4.2].map((at) => [at * hour, 0.6] as const),
    ...untimed,
    windows: 5,
  },
  'no store, 600': { quota: 600, hasStore: false, ...untimed },
  'no store, 1 process, 600': { quota: 600, hasStore: false, processes: 1, ...untimed },
  'a clock set back by an hour, 600': { quota: 600, clockStep: [1.5 * hour, -hour], ...untimed },
  'a clock set ahead by an hour, 600': { quota: 600, clockStep: [1.5 * hour, hour], ...untimed },
  'waits of 30 s, 3x, 200': { quota: 200, maxWaitMs: 30_000, tellsRegain: false, windows: 4 },
  'inbox, 2 in a second': {
    quota: 2,
    windowMs: 1000,
    rate: 'inbox',
    mix: [0, 0, 1, 0],
    windows: 600,
    warm: 60,
    skewMs: 2500,
  },
  'inbox, 2 in a second, clocks ten seconds apart': {
    quota: 2,
    windowMs: 1000,
    rate: 'inbox',
    mix: [0, 0, 1, 0],
    windows: 600,
    warm: 60,
  },
};

export interface Figures {
  readonly sent: number;
  readonly refused: number;
  /** Percent of what the lanes allow. */
  readonly use: number;
  readonly posts: number;
  /** Posts that were not sent while two calls and 2 % were free. */
  readonly heldWithRoom: number;
  /** The most calls of a process, divided by the fewest. */
  readonly unevenness: number;
  readonly storeOperationsPerSecond: number;
  readonly storeOperationsPerCall: number;
  /** From the end of a block until 80 % of what is wanted gets through. */
  readonly recoveryS: number;
  readonly notFinite: number;
  readonly bytes: number;
}

/** An element that is there. */
function element<T>(list: readonly T[], index: number): T {
  const found = list[index];
  if (found === undefined) throw new Error('the list has such an element');
  return found;
}

/** Events in order of time. */
function createTimeline(start: number) {
  interface Item {
    readonly at: number;
    readonly number: number;
    run: () => void;
  }
  const heap: Item[] = [];
  let [now, number] = [start, 0];
  const isLess = (a: Item, b: Item): boolean => a.at < b.at || (a.at === b.at && a.number < b.number);
  const swap = (i: number, j: number): void => {
    [heap[i], heap[j]] = [element(heap, j), element(heap, i)];
  };
  return {
    now: () => now,
    at: (at: number, run: () => void): Item => {
      const item: Item = { at: Math.max(at, now), number: number++, run };
      let i = heap.push(item) - 1;
      for (let up = (i - 1) >> 1; i > 0 && isLess(element(heap, i), element(heap, up)); up = (i - 1) >> 1) {
        swap(i, up);
        i = up;
      }
      return item;
    },
    next: (end: number): (() => void) | undefined => {
      const [first] = heap;
      if (first === undefined || first.at > end) return undefined;
      const last = heap.pop() ?? first;
      if (heap.length > 0) {
        heap[0] = last;
        for (let i = 0; ;) {
          let child = 2 * i + 1;
          if (child >= heap.length) break;
          if (child + 1 < heap.length && isLess(element(heap, child + 1), element(heap, child))) child++;
          if (!isLess(element(heap, child), element(heap, i))) break;
          swap(i, child);
          i = child;
        }
      }
      now = first.at;
      return first.run;
    },
  };
}

const token = 'a-token';
const paths = { replies: '42/messages', profile: '42/messenger_profile', inbox: '42/conversations' };
const operations = ['publishPost', 'replyComment', 'pageProfile', 'pageProfile'];

/** Runs a scenario. The timers of this process are those of virtual time while it runs. */
export async function simulate(scenario: Scenario, seed: number): Promise<Figures> {
  const s = {
    windowMs: hour,
    isReset: false,
    stepMs: 1,
    round: 'floor' as const,
    headersAfter: 0,
    tellsRegain: true,
    processes: 8,
    demand: 3,
    mix: [0.4, 0.3, 0.2, 0.1],
    skewMs: 5e3,
    callMs: [100, 400] as const,
    maxWaitMs: 0,
    windows: 3,
    warm: 1,
    isOneCall: false,
    kills: 0,
    hasStore: true,
    storeMs: [1, 50] as const,
    loses: 0,
    others: 0,
    jumps: [],
    startUsed: 0,
    ...scenario,
  };
  const start = 1_800_000_000_000;
  const line = createTimeline(start);
  const random = createRandom(seed);
  const between = ([a, b]: readonly [number, number]): number => a + (b - a) * random();
  const real = { setTimeout, clearTimeout, random: Math.random };
  Math.random = random;
  Object.assign(globalThis, {
    setTimeout: (run: () => void, ms: number) => line.at(line.now() + ms, run),
    clearTimeout: (item?: { run: () => void }) => item && (item.run = () => undefined),
  });

  // The platform. Refused calls count as well.
  const used: number[] = [];
  let head = 0;
  const endOf = (at: number): number =>
    s.isReset
      ? (Math.floor(at / s.windowMs) + 1) * s.windowMs
      : Math.ceil((at + s.windowMs) / s.stepMs) * s.stepMs;
  const usedNow = (): number => {
    while (head < used.length && endOf(element(used, head)) <= line.now()) head++;
    return used.length - head;
  };
  const serve = () => {
    const before = usedNow();
    used.push(line.now());
    const last = used[used.length - s.quota];
    const regainMs = before + 1 >= s.quota && last !== undefined ? endOf(last) - line.now() : 0;
    const percent = s.rate ? 1 : Math[s.round]((100 * (before + 1)) / s.quota);
    const minutes = s.tellsRegain && !s.rate ? Math.max(0, Math.ceil(regainMs / minute)) : 0;
    const usage = [{ type: 'pages', call_count: percent, estimated_time_to_regain_access: minutes }];
    const isTold = before + 1 > s.headersAfter && (!s.rate || s.rate === 'inbox');
    const headers = new Headers(isTold ? { 'x-business-use-case-usage': JSON.stringify({ 42: usage }) } : {});
    return { isRefused: before >= s.quota, headers };
  };

  // The store.
  const entries = new Map<string, string>();
  let storeOperations = 0;
  const later = <T>(isDead: () => boolean, work: () => T): Promise<T> =>
    new Promise((resolve, reject) => {
      storeOperations++;
      const ms = between(s.storeMs);
      const at = line.now() - start;
      const isDown = s.down !== undefined && at >= s.down[0] && at < s.down[1];
      line.at(line.now() + ms / 2, () => {
        if (isDown) return line.at(line.now() + ms / 2, () => reject(new Error('the store is away')));
        const value = work();
        return line.at(line.now() + ms / 2, () => isDead() || resolve(value));
      });
    });

  /** A process: a governor, and what sends its calls. */
  function createProcess() {
    let isDead = false;
    let skew = (random() * 2 - 1) * s.skewMs;
    if (s.clockStep && processes.length === 0) {
      const [at, byMs] = s.clockStep;
      line.at(start + at, () => (skew += byMs));
    }
    const clock = {
      now: () => line.now() + skew,
      monotonic: line.now,
      sleep: (ms: number, signal?: AbortSignal) =>
        new Promise<void>((resolve) => {
          const end = (): void => void (isDead || resolve());
          line.at(line.now() + ms, end);
          signal?.addEventListener('abort', end);
        }),
    };
    const store = createJournal({
      get: (key) =>
        later(
          () => isDead,
          () => entries.get(key),
        ),
      compareAndSet: (key, expected, value) =>
        later(
          () => isDead,
          () =>
            (s.loses === 0 || random() >= s.loses) &&
            entries.get(key) === expected &&
            Boolean(entries.set(key, value)),
        ),
    });
    const governor = createGovernor({ maxWaitMs: s.maxWaitMs, ...(s.hasStore && { store }) });
    const made = createPageContext({ appId: 'app', appSecret: 'x', governor, clock })._unsafeUnwrap();
    const contexts = laneNames.map((lane) => withOptions(made, { lane })._unsafeUnwrap());
    const attempt: Attempt = () =>
      new Promise((resolve) => {
        const ms = between(s.callMs);
        line.at(line.now() + ms / 2, () => {
          const { isRefused, headers } = serve();
          const details = {
            code: s.rate ? 613 : 80001,
            category: 'rate_limit',
            outcome: 'rejected',
          } as const;
          const error = new RateLimitError('refused', details);
          line.at(line.now() + ms / 2, () => {
            if (isDead) return;
            resolve(
              isRefused
                ? { error, isRejected: true, headers }
                : { status: 200, headers, body: {}, isJson: true },
            );
          });
        });
      });
    const governed = governor.govern(attempt);
    return {
      call: async (lane: number): Promise<{ isSent: boolean; isRefused: boolean; retryAfterMs: number }> => {
        const context = element(contexts, lane);
        const path = s.rate ? paths[s.rate] : '42';
        const prepared: PreparedRequest = {
          context,
          number: 1,
          isRead: true,
          deadline: Infinity,
          address: `${context.graphBase}/${path}`,
          redact: (value) => value,
          place: () => ({ method: 'GET', path }),
          show: (body) => body,
          request: {
            method: s.rate === 'replies' ? POST : GET,
            signal: undefined,
            deadline: Infinity,
            path,
            token,
            ...(s.rate === 'replies' && {
              json: {
                message: {},
                recipient: { comment_id: '7' },
              },
            }),
            trace: {
              of: {
                operation: element(operations, lane),
                callId: '1',
              },
              startedAt: 0,
              requests: 0,
              attempts: 0,
              place: undefined,
            },
            schema: undefined as never,
          },
        };
        const result = await governed(prepared, 1);
        const error = 'error' in result ? result.error : undefined;
        const retryAfterMs = error?.name === 'RateLimitError' ? (error.retryAfterMs ?? 0) : 0;
        const isHeld = error !== undefined && 'limit' in error;
        return { isSent: !isHeld, isRefused: error !== undefined && !isHeld, retryAfterMs };
      },
      kill: () => {
        isDead = true;
      },
    };
  }

  const processes: ReturnType<typeof createProcess>[] = [];
  for (let index = 0; index < s.processes; index++) processes.push(createProcess());
  const end = start + s.windows * s.windowMs;
  const from = start + s.warm * s.windowMs;
  const by = processes.map(() => 0);
  const okAt: number[] = [];
  let [sent, refused, ok, posts, heldWithRoom, notFinite, operationsBefore] = [0, 0, 0, 0, 0, 0, 0];
  line.at(from, () => (operationsBefore = storeOperations));

  async function want(lane: number, index: number): Promise<void> {
    const isIn = line.now() >= from;
    const one = s.isOneCall ? createProcess() : element(processes, index);
    if (isIn && lane === 0) posts++;
    const { isSent, isRefused, retryAfterMs } = await one.call(lane);
    if (s.isOneCall) one.kill();
    if (isSent && !isRefused) okAt.push(line.now());
    if (!isIn) return;
    if (isSent) sent++;
    if (isSent && isRefused) refused++;
    if (isSent && !isRefused) [ok, by[index]] = [ok + 1, element(by, index) + 1];
    if (!isSent && !(Number.isSafeInteger(retryAfterMs) && retryAfterMs > 0)) notFinite++;
    if (!isSent && lane === 0 && s.quota - usedNow() >= Math.max(2, 0.02 * s.quota)) heldWithRoom++;
  }

  const arrivals = (perMs: number, what: () => void): void => {
    const next = (): void => {
      line.at(line.now() - Math.log(1 - random()) / perMs, () => (what(), next()));
    };
    if (perMs > 0) next();
  };
  const total = s.mix.reduce((a, b) => a + b, 0);
  const rate = (s.demand * s.quota) / s.windowMs;
  const anyone = (): number => Math.floor(random() * s.processes);
  arrivals(rate, () => {
    let left = random() * total;
    void want(
      Math.max(
        0,
        s.mix.findIndex((part) => (left -= part) < 0),
      ),
      anyone(),
    );
  });
  const foreign = (): void => void used.push(line.now());
  arrivals((s.others * s.quota) / s.windowMs, foreign);
  for (let call = 0; call < s.startUsed * s.quota; call++) foreign();
  for (const [at, quotas] of s.jumps)
    for (let call = 0; call < quotas * s.quota; call++) line.at(start + at + random() * minute, foreign);
  const [burstAt, quotas, forMs] = s.burst ?? [0, 0, 0];
  for (let call = 0; call < quotas * s.quota; call++)
    line.at(start + burstAt + random() * forMs, () => void want(0, anyone()));
  for (let kill = 0; kill < s.kills; kill++)
    line.at(from + ((end - from) * (kill + random())) / s.kills, () => {
      const index = anyone();
      processes[index]?.kill();
      processes[index] = createProcess();
    });

  for (let run = line.next(end); run; run = line.next(end)) {
    run();
    // All that is ready goes on.
    await new Promise((resolve) => void setImmediate(resolve));
  }
  Object.assign(globalThis, { setTimeout: real.setTimeout, clearTimeout: real.clearTimeout });
  Math.random = real.random;

  // What the lanes allow: each fills up to its share, the most urgent first.
  let level = Math.min(1, s.others);
  for (const [lane, share] of shares.entries())
    level = Math.max(level, Math.min(share / 100, level + (s.demand * element(s.mix, lane)) / total));
  if (s.rate) level = Math.min(1, s.demand);
  const operationsIn = storeOperations - operationsBefore;
  return {
    sent,
    refused,
    posts,
    heldWithRoom,
    notFinite,
    use: (100 * ok) / ((s.quota * (end - from)) / s.windowMs) / (level - s.others),
    unevenness: s.isOneCall ? 0 : Math.max(...by) / Math.max(1, Math.min(...by)),
    storeOperationsPerSecond: (1e3 * operationsIn) / (end - from),
    storeOperationsPerCall: operationsIn / Math.max(1, sent),
    recoveryS: s.recoverAt === undefined ? 0 : recovery(okAt, start + s.recoverAt, rate),
    bytes: Math.max(0, ...[...entries].map(([key, text]) => (key.includes(' token ') ? 0 : text.length))),
  };
}

function recovery(okAt: readonly number[], from: number, perMs: number): number {
  for (let at = from; at < from + hour; at += 1000) {
    const got = okAt.filter((one) => one >= at && one < at + 2 * minute).length;
    if (got >= 0.8 * perMs * 2 * minute) return (at - from) / 1000;
  }
  return Infinity;
}

if (process.argv[1]?.endsWith('simulation.ts')) {
  const [, , pattern = '', seeds = '3'] = process.argv;
  const sum = (all: readonly Figures[], of: (one: Figures) => number): number =>
    all.reduce((total, one) => total + of(one), 0);
  console.log(
    '| Scenario | Refused in 1,000 | Use, % | Posts held with room, % | Most to least | Store operations a second, a call |',
  );
  console.log('|---|---|---|---|---|---|');
  for (const [name, scenario] of Object.entries(scenarios)) {
    if (!new RegExp(pattern).test(name)) continue;
    const all: Figures[] = [];
    const isLarge = scenario.quota >= 40_000 && !process.argv.includes('--all');
    for (let seed = 1; seed <= (isLarge ? Math.min(2, Number(seeds)) : Number(seeds)); seed++)
      all.push(await simulate(scenario, seed));
    const mean = (of: (one: Figures) => number): number => sum(all, of) / all.length;
    const refused =
      (1000 * sum(all, (one) => one.refused)) /
      Math.max(
        1,
        sum(all, (one) => one.sent),
      );
    const held =
      (100 * sum(all, (one) => one.heldWithRoom)) /
      Math.max(
        1,
        sum(all, (one) => one.posts),
      );
    const extra = [
      scenario.recoverAt === undefined ? '' : `full speed after ${mean((one) => one.recoveryS).toFixed(0)} s`,
      sum(all, (one) => one.notFinite) > 0 ? `${sum(all, (one) => one.notFinite)} waits not finite` : '',
      process.argv.includes('--bytes') ? `${Math.max(...all.map((one) => one.bytes))} bytes` : '',
    ].filter((text) => text !== '');
    const cells = [
      [name, ...extra].join('; '),
      refused.toFixed(1),
      mean((one) => one.use).toFixed(0),
      held.toFixed(1),
      mean((one) => one.unevenness).toFixed(1),
      `${mean((one) => one.storeOperationsPerSecond).toFixed(2)}, ${mean((one) => one.storeOperationsPerCall).toFixed(1)}`,
    ];
    console.log(`| ${cells.join(' | ')} |`);
  }
}
