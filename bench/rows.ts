// What the measurements share. Each prints nothing, and gives rows of one table.

/** A row of the table. */
export interface Row {
  readonly figure: string;
  /** With its unit. */
  readonly own: string;
  /** What it is measured beside, with its unit. */
  readonly peer?: string;
  /** To the peer: a median of rounds, or of one that is said. */
  readonly ratio?: number;
  /** What the ratio should not exceed; a text where it is no ratio. */
  readonly aim?: number | string;
}

export type Case = () => unknown;

/** Milliseconds of each round of each case. The cases run in turn, in another order each round. */
export async function inTurn(
  cases: Readonly<Record<string, Case>>,
  rounds: number,
  runs: number,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const names = Object.keys(cases);
  const times = new Map<string, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(round + turn) % names.length] as string;
      const run = cases[name] as Case;
      // As in an app, where the event loop turns between calls, and finalizers run.
      await new Promise((resolve) => setImmediate(resolve));
      const started = performance.now();
      for (let at = 0; at < runs; at++) await run();
      times.get(name)?.push((performance.now() - started) / runs);
    }
  }
  // The first rounds warm the engine up.
  return new Map(names.map((name) => [name, times.get(name)?.slice(Math.ceil(rounds / 5)) ?? []]));
}

/** The median of the ratios within a round, so that what else the machine does matters less. */
export function ratioOf(own: readonly number[] = [], peer: readonly number[] = []): number {
  return median(own.map((time, round) => time / (peer[round] ?? Number.NaN)));
}

export function median(values: readonly number[] = []): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

export function inMs(ms: number): string {
  return ms < 1 ? `${(ms * 1000).toFixed(1)} µs` : `${ms.toFixed(1)} ms`;
}
