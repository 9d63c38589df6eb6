// A machine of a fleet: makes calls on demand, and reports their results. In `fleet.ts`, each machine is a process; the test
// of the governor runs several in its own process, and moves their clock.
import { AsyncLocalStorage } from 'node:async_hooks';

import {
  type Clock,
  createJournal,
  type Fetch,
  type Journal,
  type Platform,
  withOptions,
} from '../src/core/index.ts';
import { createGovernor, type GovernorOptions, type Lane } from '../src/governor/index.ts';
import {
  createPageContext,
  type PageContext,
  pageProfile,
  publishPost,
  replyComment,
} from '../src/page/index.ts';
import { type Held, laneHeader, lanes, machineHeader, mix, type Operation } from './demand.ts';
import { createRandom } from './random.ts';

/** The Page that the machines call for, and its token. */
export interface Account {
  readonly appId: string;
  readonly appSecret: string;
  readonly pageId: string;
  readonly pageToken: string;
  readonly commentId: string;
}

/** A machine's report. */
export interface MachineReport {
  readonly held: Held[];
  readonly operations: Operation[];
  /** Failures that are no refusals, by message. */
  readonly failures: string[];
}

export interface MachineOptions {
  readonly machine: number;
  readonly seed: number;
  readonly account: Account;
  readonly store: Journal;
  readonly governor: GovernorOptions;
  readonly platform?: Platform | undefined;
  readonly fetch: Fetch;
  readonly clock: Clock;
  /** The time of all machines, whatever their clocks say. */
  readonly now: () => number;
  /** How late a call can be sent and still not count as having waited. */
  readonly slackMs: number;
}

export interface Machine {
  /** Makes the calls that are wanted by now. */
  readonly work: (wanted: number) => Promise<void>;
  /** What happened since the last report. */
  readonly report: () => MachineReport;
}

export function createMachine(options: MachineOptions): Machine {
  const { machine, account, now } = options;
  const { pageId, pageToken, commentId } = account;
  const random = createRandom(options.seed);
  const process = `${machine} ${options.seed}`;
  /** When the request of a call was sent. */
  const sentAt = new AsyncLocalStorage<{ at?: number }>();
  let told: MachineReport = { held: [], operations: [], failures: [] };
  const governor = createGovernor({
    ...options.governor,
    store: watched(options.store, (is, key) => told.operations.push({ at: now(), process, is, key })),
    onStoreError: (error) => told.failures.push(String(error)),
  });
  const contexts = new Map(lanes.map((lane) => [lane, contextOf(lane)]));
  let number = 0;

  function contextOf(lane: Lane): PageContext {
    const context = createPageContext({
      appId: account.appId,
      appSecret: account.appSecret,
      governor,
      clock: options.clock,
      platform: options.platform,
      retry: { attempts: 1 },
      fetch: (input, init) => {
        const request = new Request(input, init);
        request.headers.set(machineHeader, `${machine}`);
        request.headers.set(laneHeader, lane);
        const call = sentAt.getStore();
        if (call !== undefined) call.at = now();
        return options.fetch(request);
      },
    })._unsafeUnwrap();
    return lane === 'background' ? withOptions(context, { lane })._unsafeUnwrap() : context;
  }

  async function want(lane: Lane): Promise<void> {
    const context = contexts.get(lane);
    if (context === undefined) throw new Error('all lanes have a context');
    const at = now();
    const call: { at?: number } = {};
    const message = `${machine} ${number++} ${at}`;
    const result = await sentAt.run(call, async () =>
      lane === 'publish'
        ? publishPost(context, { pageId, pageToken, message })
        : lane === 'interact'
          ? replyComment(context, { commentId, pageToken, message })
          : pageProfile(context, { pageId, pageToken }),
    );
    const waitedMs = call.at === undefined ? undefined : call.at - at;
    if (waitedMs === undefined || waitedMs > options.slackMs) told.held.push({ at, machine, lane, waitedMs });
    if (result.isErr() && result.error.name !== 'RateLimitError')
      told.failures.push(`${lane}: ${result.error.message}`);
  }

  return {
    work: async (wanted) => {
      await Promise.all(Array.from({ length: wanted }, () => want(drawn(random()))));
    },
    report: () => {
      const report = told;
      told = { held: [], operations: [], failures: [] };
      return report;
    },
  };
}

/** A lane, by its share in the mix. */
function drawn(share: number): Lane {
  let rest = share;
  return lanes.find((lane) => (rest -= mix[lane]) < 0) ?? 'background';
}

function watched(store: Journal, tell: (is: Operation['is'], key: string) => void): Journal {
  return createJournal({
    get: (key) => {
      tell('read', key);
      return store.get(key);
    },
    compareAndSet: (key, ...rest) => {
      tell('write', key);
      return store.compareAndSet(key, ...rest);
    },
  });
}
