import { expect } from 'vitest';

import { type Held, laneHeader, machineHeader, type Operation, type Sent } from '../../bench/demand.ts';
import { createMachine } from '../../bench/machine.ts';
import { createSteppedClock } from '../../bench/steps.ts';
import { type Fetch, type Journal, memoryJournal } from '../../src/core/index.ts';
import type { GovernorOptions, Lane } from '../../src/governor/index.ts';
import { createSandbox } from '../../src/sandbox/index.ts';
import { caller, pageOf } from '../sandbox/support/caller.ts';

const stepMs = 100;

export interface Wish {
  readonly machines: number;
  readonly quota: { readonly calls: number; readonly windowMs: number };
  /** Calls wanted, in quotas. */
  readonly demand: number;
  readonly governor?: GovernorOptions;
  /** @default one in memory */
  readonly store?: Journal;
  /** Milliseconds by which the clocks differ. */
  readonly skewMs?: number;
  /** When a machine is started again, in milliseconds. */
  readonly restarts?: readonly number[];
  /** Milliseconds until the platform responds. @default 200 */
  readonly latencyMs?: number;
}

/** Machines in this process that share a store, on a clock that moves as the test says. */
export function openFleet(wish: Wish) {
  const { machines, quota, demand, governor = {}, store = memoryJournal() } = wish;
  const { skewMs = 0, restarts = [], latencyMs = 200 } = wish;
  const { calls, windowMs } = quota;
  const clock = createSteppedClock(Date.UTC(2026, 9, 5, 12), settled);
  const { now } = clock;
  const sandbox = createSandbox({ now, requireProof: false, quotas: { page: quota } });
  const page = pageOf(sandbox);
  const sent: Sent[] = [];
  const held: Held[] = [];
  const operations: Operation[] = [];
  const failures: string[] = [];
  const due: number[] = [];
  let regainAt = 0;
  const opened = now();
  const pending = [...restarts];
  const team = Array.from({ length: machines }, (_, machine) => start(machine, machine));

  function start(machine: number, seed: number) {
    due[machine] = seed / machines;
    const aheadMs = (machine / (machines - 1) - 0.5) * skewMs;
    return createMachine({
      machine,
      seed,
      account: {
        appId: sandbox.app.id,
        appSecret: sandbox.app.secret,
        pageId: page.id,
        pageToken: page.token,
        commentId: page.commentIds[0] ?? '',
      },
      store,
      governor,
      platform: sandbox.platform,
      fetch: platform,
      clock: { ...clock.clock, now: () => now() + aheadMs },
      now,
      slackMs: 400,
    });
  }

  async function platform(...sending: Parameters<Fetch>): Promise<Response> {
    const request = new Request(...sending);
    const at = now();
    const response = await sandbox.fetch(request);
    await clock.clock.sleep(latencyMs);
    const usage = response.headers.get('x-business-use-case-usage') ?? '';
    const minutes = Number(/"estimated_time_to_regain_access":(\d+)/.exec(usage)?.[1] ?? 0);
    if (minutes > 0) regainAt = Math.max(regainAt, at + minutes * 60_000);
    sent.push({
      at,
      until: now(),
      machine: Number(request.headers.get(machineHeader)),
      lane: request.headers.get(laneHeader) as Lane, // a machine sets it
      isRefused: !response.ok,
    });
    return response;
  }

  return {
    now,
    regainAt: () => regainAt,
    observed: () => ({ sent, held, operations }),
    run: async (ms: number) => {
      const end = now() + ms;
      while (now() < end) {
        for (const machine of team.keys()) {
          due[machine] = (due[machine] ?? 0) + (demand * calls * stepMs) / windowMs / machines;
          const wanted = Math.floor(due[machine]);
          due[machine] -= wanted;
          void team[machine]?.work(wanted);
        }
        await clock.advance(now() + stepMs);
        if (now() - opened < (pending[0] ?? Infinity)) continue;
        const machine = pending.length % machines;
        pending.shift();
        collect(machine);
        team[machine] = start(machine, machines + pending.length);
      }
      for (const machine of team.keys()) collect(machine);
      expect(failures).toEqual([]);
    },
    /** Another app uses up what there is. */
    useUp: async () => {
      regainAt = 0;
      const { get } = caller(sandbox);
      await Promise.all(Array.from({ length: calls }, () => get(`/${page.id}`, page.token)));
    },
  };

  function collect(machine: number): void {
    const report = team[machine]?.report();
    held.push(...(report?.held ?? []));
    operations.push(...(report?.operations ?? []));
    failures.push(...(report?.failures ?? []));
  }
}

/** Lets promises go on. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => void setImmediate(resolve));
}

/** A clock that moves only as the test says. What sleeps wakes when its time has come. */
export function handClock(start = Date.UTC(2026, 0, 2)) {
  let [time, shift] = [start, 0];
  const sleepers = new Set<{ readonly at: number; readonly wake: () => void }>();
  let woken = 0;
  return {
    /** How many woke up at the last advance. */
    woken: () => woken,
    now: () => time + shift,
    monotonic: () => time,
    sleep: (ms: number, signal?: AbortSignal) =>
      new Promise<void>((resolve) => {
        const sleeper = { at: time + ms, wake };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', wake);
        function wake(): void {
          sleepers.delete(sleeper);
          resolve();
        }
      }),
    /** Sets the wall clock. */
    set: (ms: number) => {
      shift += ms;
    },
    advance: (ms: number) => {
      time += ms;
      const due = [...sleepers].filter(({ at }) => at <= time).sort((one, other) => one.at - other.at);
      woken = due.length;
      for (const { wake } of due) wake();
    },
  };
}
