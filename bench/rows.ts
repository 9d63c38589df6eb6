// Shared by the measurements, each of which prints nothing, and returns rows of one table.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { createRandom } from './random.ts';

setFlagsFromString('--expose-gc');
/** What one case leaves behind costs the next one more than most of its work. */
export const collectGarbage: () => void = runInNewContext('gc');

/** A row of the table. */
export interface Row {
  readonly figure: string;
  /** With its unit. */
  readonly own: string;
  /** The figure of the earlier build, with its unit. */
  readonly before?: string;
  /** The figure it is compared with, with its unit. */
  readonly peer?: string;
  /** The ratio to the peer: a median of rounds. */
  readonly ratio?: number;
  /** The most that the ratio should be; a text if the limit is not a ratio. */
  readonly aim?: number | string;
}

export type Case = () => unknown;

/** Milliseconds. */
export const wallTime = (): number => performance.now();

/** Milliseconds of processor time of all threads, which other load on the machine lengthens less than the time by the clock. */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Milliseconds of each round of each case. The cases take turns, in a different order each round. `before` is not measured. */
export async function inTurn(
  cases: Readonly<Record<string, Case>>,
  rounds: number,
  runs: number,
  before?: () => void,
  timeNow = wallTime,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const names = Object.keys(cases);
  const random = createRandom(1);
  const times = new Map<string, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    // Each case comes after each other one now and then: what a case leaves behind slows the next one down.
    const turns = names.map((name) => [random(), name] as const).toSorted(([a], [b]) => a - b);
    for (const [, name] of turns) {
      const run = cases[name] as Case;
      // As in an app: the event loop turns between calls, and finalizers run.
      await new Promise((resolve) => setImmediate(resolve));
      before?.();
      const started = timeNow();
      for (let at = 0; at < runs; at++) await run();
      times.get(name)?.push((timeNow() - started) / runs);
    }
  }
  // Warms up the engine.
  return new Map(names.map((name) => [name, times.get(name)?.slice(Math.ceil(rounds / 5)) ?? []]));
}

/** The median of the ratios within a round: other load on the machine affects both sides alike. */
export function ratioOf(own: readonly number[] = [], peer: readonly number[] = []): number {
  return median(own.map((time, round) => time / (peer[round] ?? Number.NaN)));
}

export function median(values: readonly number[] = []): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** The row of a case `own`, compared with `peer`, and with `before` where an earlier build was measured. */
export function toRow(
  figure: string,
  peer: string,
  times: ReadonlyMap<string, readonly number[]>,
  aim?: number | string,
): Row {
  const [own, other, before] = ['own', 'peer', 'before'].map((name) => times.get(name));
  return {
    figure,
    own: inMs(median(own)),
    peer: `${peer}: ${inMs(median(other))}`,
    ratio: ratioOf(own, other),
    ...(before !== undefined && { before: `${inMs(median(before))} (${ratioOf(before, own).toFixed(2)})` }),
    ...(aim !== undefined && { aim }),
  };
}

export function inMs(ms: number): string {
  return ms < 1 ? `${(ms * 1000).toFixed(1)} µs` : `${ms.toFixed(1)} ms`;
}
