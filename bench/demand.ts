// What the machines of a fleet want from a limit, and what they get. Shared by `fleet.ts`, whose machines are processes, and
// by the test, whose machines share a process and a simulated clock.
import type { Lane } from '../src/governor/index.ts';

/** The share of each lane in the demand. At three times the quota, publishing alone exceeds it. */
export const mix: Readonly<Record<Lane, number>> = {
  publish: 0.4,
  interact: 0.3,
  read: 0.2,
  background: 0.1,
};
export const lanes = Object.keys(mix) as readonly Lane[]; // the keys of the record above

/** The headers that identify the sender of a request. */
export const machineHeader = 'x-machine';
export const laneHeader = 'x-lane';

/** A request that reached the platform. */
export interface Sent {
  readonly at: number;
  /** When the platform responded. */
  readonly until: number;
  readonly machine: number;
  readonly lane: Lane;
  /** Whether the platform refused it because of a limit. */
  readonly isRefused: boolean;
}

/** A call that had to wait. */
export interface Held {
  readonly at: number;
  readonly machine: number;
  readonly lane: Lane;
  /** How long it waited; `undefined` if it was refused. */
  readonly waitedMs: number | undefined;
}

/** An operation on the store. */
export interface Operation {
  readonly at: number;
  /** The process, of which a machine has one after another. */
  readonly process: string;
  readonly is: 'read' | 'write';
  readonly key: string;
}

export interface Observed {
  readonly sent: readonly Sent[];
  readonly held: readonly Held[];
  readonly operations: readonly Operation[];
}

export interface Span {
  readonly from: number;
  readonly to: number;
}

export interface Figures {
  /** The used share of the quota, from 0 to 1. */
  readonly used: number;
  readonly sent: number;
  readonly refused: number;
  readonly refusedShare: number;
  /** Publishing calls that were held while a lower lane was let through by the same process, or in the second after. */
  readonly overtaken: number;
  /** The same, by any process of the fleet. */
  readonly overtakenElsewhere: number;
  /** The calls of the machine with the most, divided by those of the machine with the fewest. */
  readonly unevenness: number;
  /** The most operations of one process on one entry within a second. */
  readonly readsPerSecond: number;
  readonly writesPerSecond: number;
  /** The same on average. */
  readonly operationsPerSecond: number;
  readonly lanes: Readonly<Record<Lane, LaneFigures>>;
}

export interface LaneFigures {
  readonly sent: number;
  readonly refusedByPlatform: number;
  readonly heldBack: number;
  readonly waited: number;
  readonly meanWaitMs: number;
}

/** What happened in a span of time, of a quota of so many calls in each window. */
export function figuresOf(
  observed: Observed,
  span: Span,
  {
    calls,
    windowMs,
    machines,
  }: { readonly calls: number; readonly windowMs: number; readonly machines: number },
): Figures {
  const within = ({ at }: { readonly at: number }): boolean => at >= span.from && at < span.to;
  const sent = observed.sent.filter(within);
  const held = observed.held.filter(within);
  const operations = observed.operations.filter(within);
  const refused = sent.filter(({ isRefused }) => isRefused).length;
  const shares = Array.from(
    { length: machines },
    (_, machine) => sent.filter((one) => one.machine === machine).length,
  );
  return {
    used: (sent.length - refused) / ((calls * (span.to - span.from)) / windowMs),
    sent: sent.length,
    refused,
    refusedShare: sent.length === 0 ? 0 : refused / sent.length,
    overtaken: Array.from({ length: machines }, (_, machine) => {
      const isOwn = (one: Sent | Held): boolean => one.machine === machine;
      return overtaken(sent.filter(isOwn), held.filter(isOwn));
    }).reduce((sum, one) => sum + one, 0),
    overtakenElsewhere: overtaken(sent, held),
    unevenness: Math.max(...shares) / Math.max(1, Math.min(...shares)),
    readsPerSecond: mostPerSecond(operations.filter((one) => one.is === 'read')),
    writesPerSecond: mostPerSecond(operations.filter((one) => one.is === 'write')),
    operationsPerSecond: perSecond(operations),
    lanes: laneFigures(sent, held),
  };
}

function laneFigures(sent: readonly Sent[], held: readonly Held[]): Record<Lane, LaneFigures> {
  const entries = lanes.map((lane) => {
    const own = sent.filter((one) => one.lane === lane);
    const waits = held.filter((one) => one.lane === lane);
    const waited = waits.flatMap(({ waitedMs }) => waitedMs ?? []);
    const figures: LaneFigures = {
      sent: own.length,
      refusedByPlatform: own.filter(({ isRefused }) => isRefused).length,
      heldBack: waits.length - waited.length,
      waited: waited.length,
      meanWaitMs: Math.round(waited.reduce((sum, ms) => sum + ms, 0) / Math.max(1, waited.length)),
    };
    return [lane, figures] as const;
  });
  return Object.fromEntries(entries) as Record<Lane, LaneFigures>; // of all lanes
}

/** Publishing calls that others overtook: while one waited, or in the second after it was refused. */
function overtaken(sent: readonly Sent[], held: readonly Held[]): number {
  const lower = sent
    .filter(({ lane }) => lane !== 'publish')
    .map(({ at }) => at)
    .toSorted((a, b) => a - b);
  return held.filter(({ lane, at, waitedMs }) => {
    const next = lower[firstAfter(lower, at)];
    return lane === 'publish' && next !== undefined && next < at + (waitedMs ?? 1000);
  }).length;
}

function firstAfter(sorted: readonly number[], at: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? Infinity) > at) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The most operations of one process on one entry that a second held. */
function mostPerSecond(operations: readonly Operation[]): number {
  const times = new Map<string, number[]>();
  let most = 0;
  for (const { process, key, at } of operations) {
    const name = `${process} ${key}`;
    const recent = (times.get(name) ?? []).filter((other) => other > at - 1000);
    recent.push(at);
    times.set(name, recent);
    most = Math.max(most, recent.length);
  }
  return most;
}

/** How many operations a process did on an entry each second, from its first to its last. */
function perSecond(operations: readonly Operation[]): number {
  const spans = new Map<string, { readonly from: number; to: number; count: number }>();
  for (const { process, key, at } of operations) {
    const span = spans.get(`${process} ${key}`) ?? { from: at, to: at, count: 0 };
    spans.set(`${process} ${key}`, span);
    span.to = at;
    span.count++;
  }
  const all = [...spans.values()];
  const seconds = all.reduce((sum, { from, to }) => sum + (to - from) / 1000, 0);
  return all.reduce((sum, { count }) => sum + count, 0) / Math.max(1, seconds);
}

/** How a fleet came back after the platform had blocked it. */
export interface Recovery {
  /** Requests sent while all machines knew of the block. */
  readonly sentWhileBlocked: number;
  /** Milliseconds from the regain time to the first request, and to the first one of half of the machines. */
  readonly firstMs: number;
  readonly halfMs: number;
  /** Requests sent before the first one was responded to. */
  readonly probes: number;
}

/** Evaluates the requests since all machines knew of a block, and since the time at which it was to end. */
export function recoveryOf(
  sent: readonly Sent[],
  knownAt: number,
  regainAt: number,
  machines: number,
): Recovery {
  const after = sent.filter(({ at }) => at >= regainAt);
  const answered = Math.min(...after.filter(({ isRefused }) => !isRefused).map(({ until }) => until));
  const firsts = Array.from({ length: machines }, (_, machine) =>
    Math.min(...after.filter((one) => one.machine === machine).map(({ at }) => at)),
  ).toSorted((a, b) => a - b);
  return {
    sentWhileBlocked: sent.filter(({ at }) => at >= knownAt && at < regainAt).length,
    firstMs: (firsts[0] ?? Infinity) - regainAt,
    halfMs: (firsts[Math.ceil(machines / 2) - 1] ?? Infinity) - regainAt,
    probes: after.filter(({ at }) => at < answered).length,
  };
}
