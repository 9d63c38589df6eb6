import {
  type ContextOptions,
  createJournal,
  type JournalStore,
  memoryJournal,
} from '../../../../src/core/index.ts';
import { createPageContext, type PageContext } from '../../../../src/page/index.ts';
import {
  createPicsContext,
  createPicsContextViaPages,
  type PicsContext,
} from '../../../../src/pics/index.ts';
import { createSandbox, type Sandbox, type SandboxPage } from '../../../../src/sandbox/index.ts';
import { lazy } from '../../../support/lazy.ts';

/** A process of the caller's: it shares the platform and the journal with others, and nothing else. */
export interface Machine {
  readonly context: PageContext;
  /** Login mode. */
  readonly pics: PicsContext;
  /** Page mode. */
  readonly viaPages: PicsContext;
  /** What it did so far, in order: requests and writes to the journal, each once before and once after. */
  readonly points: readonly string[];
  /** Resolves when it dies. */
  readonly death: Promise<'dead'>;
}

export interface World {
  readonly sandbox: Sandbox;
  readonly page: SandboxPage & { readonly picsId: string };
  readonly store: JournalStore;
  /** Starts a process, which dies at its n-th point, or at the first of a name: from there on, nothing that it does comes to an end. */
  readonly start: (dieAt?: number | string, options?: ContextOptions, appSecret?: string) => Machine;
  /** For how many ms all processes slept. What it takes besides, on a busy machine, moves the clock, too. */
  readonly sleptMs: () => number;
  /** Resolves when all requests so far have arrived, also those of processes that died. */
  readonly arrived: () => Promise<void>;
}

const never = new Promise<never>(() => undefined);

/** What happens while processes run. */
export interface Surroundings {
  /** Before and after each request, and each write of something else than an entry. */
  readonly between?: () => Promise<void>;
  /** At each point of a process, which waits for it. */
  readonly onPoint?: ((point: string) => Promise<void>) | undefined;
  /** How many requests that write are made before the one whose response is lost. */
  readonly loses?: number | undefined;
}

/** A platform with a clock that moves by sleeping, and a journal. */
export function createWorld(
  store: JournalStore = memoryJournal(),
  { between = async () => undefined, onPoint, loses }: Surroundings = {},
): World {
  const sandbox = createSandbox({ posts: 2, comments: 3, leads: 1 });
  const [page] = sandbox.pages;
  if (page?.picsId === undefined) throw new Error('the first Page has an account');
  let posts = 0;
  let sleptMs = 0;
  const underWay = new Set<Promise<unknown>>();

  function start(
    dieAt: number | string = Infinity,
    options: ContextOptions = {},
    appSecret: string = sandbox.app.secret,
  ): Machine {
    const points: string[] = [];
    let die: (dead: 'dead') => void = () => undefined;
    const death = new Promise<'dead'>((resolve) => {
      die = resolve;
    });
    const isDead = (): boolean =>
      typeof dieAt === 'number' ? points.length > dieAt : points.some((point) => point.startsWith(dieAt));
    async function pass(point: string): Promise<void> {
      points.push(point);
      await onPoint?.(point);
      if (isDead()) {
        die('dead');
        await never;
      }
    }
    /** Writes to the journal. Beside an entry alone, anything may happen before and after it. */
    async function write(keys: readonly string[], work: () => Promise<boolean>): Promise<boolean> {
      const isEntry = keys.every((key) => key.startsWith('pagepics '));
      if (!isEntry) await between();
      await pass('before a write');
      const isStored = await work();
      await pass('after a write');
      if (!isEntry) await between();
      return isStored;
    }
    const { compareAndSetAll } = store;
    const settings: ContextOptions = {
      platform: sandbox.platform,
      // Its own function: contexts of one `fetch` share what they remember, as those of one process do.
      fetch: async (input, init) => {
        const { method, url } = input as Request;
        const name = `${method} ${new URL(url).pathname}`;
        await between();
        await pass(`before ${name}`);
        const isLost = method !== 'GET' && posts++ === loses;
        const arriving = sandbox.fetch(input, init);
        underWay.add(arriving);
        const response = await arriving.finally(() => underWay.delete(arriving));
        await pass(`after ${name}`);
        await between();
        if (isLost) throw new TypeError('fetch failed');
        return response;
      },
      clock: { now: sandbox.now, monotonic: sandbox.now, sleep },
      journal: createJournal({
        get: async (...key) => (isDead() ? never : store.get(...key)),
        compareAndSet: (key, ...replacement) => write([key], () => store.compareAndSet(key, ...replacement)),
        ...(compareAndSetAll && {
          compareAndSetAll: (replacements, now) =>
            write(
              replacements.map(({ key }) => key),
              () => compareAndSetAll(replacements, now),
            ),
        }),
      }),
      retry: { baseDelayMs: 5 },
      ...options,
    };
    return lazy<Machine>({
      context: () => createPageContext({ ...settings, appId: sandbox.app.id, appSecret })._unsafeUnwrap(),
      pics: () => createPicsContext({ ...settings, appSecret: sandbox.picsApp.secret })._unsafeUnwrap(),
      viaPages: () => createPicsContextViaPages({ ...settings, appSecret })._unsafeUnwrap(),
      points: () => points,
      death: () => death,
    });
  }

  async function sleep(ms: number): Promise<void> {
    sleptMs += ms;
    sandbox.advance(ms);
  }

  async function arrived(): Promise<void> {
    await Promise.allSettled(underWay);
  }

  return { sandbox, page: { ...page, picsId: page.picsId }, store, start, sleptMs: () => sleptMs, arrived };
}

/** The times of a context without options of its own. */
export const leaseMs = 120_000;
/** Until a lost request is over: its time limit, `journalSettleMs`, and a minute for clocks. */
export const settleMs = 30_000 + 600_000 + 63_000;
