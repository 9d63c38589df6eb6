import type { JournalReplacement } from '../core/writes/journal/types.ts';

/** Replacements that belong together. */
export type Step = readonly JournalReplacement[];

interface Waiting {
  readonly step: Step;
  readonly kind: string;
  readonly resolve: (isStored: readonly boolean[]) => void;
  readonly reject: (thrown: unknown) => void;
}

/** How many steps one request stores at most: a power of two. */
const most = 16;
/** How many requests are under way at the same time. More of them would each store fewer steps. */
const requests = 2;
/** A request that takes longer does not hold up others: its connection may hang. */
const patienceMs = 1000;

/**
 * Stores what arrives while a store is busy together, so that many steps at once cost little more than one; a step that
 * is alone does not wait. A request has steps of one kind, and no two that have a key in common.
 */
export function together(
  kindOf: (step: Step) => string,
  storeAll: (steps: readonly Step[]) => Promise<readonly (readonly boolean[])[]>,
): (step: Step) => Promise<readonly boolean[]> {
  let waiting: readonly Waiting[] = [];
  let free = requests;

  return (step) =>
    new Promise((resolve, reject) => {
      waiting = [...waiting, { step, kind: kindOf(step), resolve, reject }];
      storeNext();
    });

  function storeNext(): void {
    if (free === 0 || waiting.length === 0) return;
    free--;
    const batch = takeBatch();
    let isFreed = false;
    const release = (): void => {
      if (isFreed) return;
      isFreed = true;
      free++;
      storeNext();
    };
    const timer = setTimeout(release, patienceMs);
    void store(batch).then(() => {
      clearTimeout(timer);
      release();
    });
  }

  async function store(batch: readonly Waiting[]): Promise<void> {
    try {
      const stored = await storeAll(batch.map(({ step }) => step));
      for (const [index, { resolve }] of batch.entries()) resolve(stored[index] ?? []);
    } catch (thrown) {
      for (const { reject } of batch) reject(thrown);
    }
  }

  function takeBatch(): readonly Waiting[] {
    const keys = new Set<string>();
    const fitting = waiting.filter(({ step, kind }) => {
      if (kind !== waiting[0]?.kind || step.some(({ key }) => keys.has(key))) return false;
      for (const { key } of step) keys.add(key);
      return true;
    });
    // A power of two, so that there are few different requests: stores prepare each of them.
    const batch = new Set(fitting.slice(0, Math.min(most, 2 ** Math.floor(Math.log2(fitting.length)))));
    waiting = waiting.filter((one) => !batch.has(one));
    // In the same order everywhere, so that two processes hardly ever wait for each other's keys.
    return [...batch].toSorted((a, b) => (lastKey(a) < lastKey(b) ? -1 : 1));
  }
}

/** What a step has in common with others is its last key. */
function lastKey({ step }: Waiting): string {
  return step.at(-1)?.key ?? '';
}
