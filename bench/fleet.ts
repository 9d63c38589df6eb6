// A fleet on one Page: processes that want three times what the Page's limit lets through, share a store, and are killed and
// started again; then another app uses the limit up, and the fleet has to come back (which shows with `--window 300` only).
// It prints how much of the limit was used, how many calls the platform refused, the result of each lane, and the load on the store. Platform, store and
// processes are real. Time is simulated: it moves in steps, as fast as the computer allows. Options, with their defaults:
//   node bench/fleet.ts --store sqlite | postgres | redis --processes 8 --quota 600 --window 3600 (seconds of the rolling window)
//     --demand 3 --wait 0 (maxWaitMs) --kills 8 --skew 4000 (ms that clocks differ by) --seed 1
// Clients and servers are installed by `npm run test:servers`.
import { type ChildProcess, fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import type { Lane } from '../src/governor/index.ts';
import { createSandbox, type Sandbox, serveSandbox } from '../src/sandbox/index.ts';
import {
  figuresOf,
  type Held,
  laneHeader,
  machineHeader,
  type Operation,
  recoveryOf,
  type Sent,
} from './demand.ts';
import type { FromMember, MemberOrder, ToMember } from './member.ts';
import { bundleProgram } from './publishers.ts';
import { createRandom } from './random.ts';
import { startStore, storeNames } from './stores.ts';

const { values } = parseArgs({
  options: {
    store: { type: 'string', default: 'sqlite' },
    processes: { type: 'string', default: '8' },
    quota: { type: 'string', default: '600' },
    window: { type: 'string', default: '3600' },
    demand: { type: 'string', default: '3' },
    wait: { type: 'string', default: '0' },
    kills: { type: 'string', default: '8' },
    skew: { type: 'string', default: '4000' },
    seed: { type: 'string', default: '1' },
  },
});
const storeName = storeNames.find((name) => name === values.store);
if (storeName === undefined || storeName === 'memory') {
  throw new Error('--store must be sqlite, postgres or redis');
}
const began = performance.now();
const machines = Number(values.processes);
const calls = Number(values.quota);
const windowMs = Number(values.window) * 1000;
const stepMs = 1000;
const latencyMs = 200;
const random = createRandom(Number(values.seed));
let now = Date.now();

const folder = await mkdtemp(join(tmpdir(), 'pagepics-fleet-'));
await using store = await startStore(storeName, folder);
const sandbox = createSandbox({
  now: () => now,
  requireProof: false,
  quotas: { page: { calls, windowMs } },
});
const [page] = sandbox.pages;
if (page === undefined) throw new Error('the sandbox has Pages');
const sent: Sent[] = [];
const held: Held[] = [];
const operations: Operation[] = [];
const failures = new Map<string, number>();
/** When calls are allowed again, as the platform told the fleet. */
let regainAt = 0;
await using server = await serveSandbox(watched(sandbox));
const program = join(folder, 'member.mjs');
await bundleProgram(join(import.meta.dirname, 'member.ts'), program);

interface Member {
  readonly child: ChildProcess;
  /** Advances its time. Resolves when it has done all work that was due, or is dead. */
  readonly move: (to: number) => Promise<void>;
}

const team = await Promise.all(Array.from({ length: machines }, (_, machine) => start(machine, machine)));
await run(windowMs);
const span = { from: now, to: now + windowMs };
const kills = Number(values.kills);
for (let kill = 0; kill < kills; kill++) {
  await run(((0.5 + random()) * (span.to - span.from)) / (kills + 1));
  await replace(Math.floor(random() * machines), kill);
}
await run(span.to - now);
const figures = figuresOf({ sent, held, operations }, span, { calls, windowMs, machines });

// Another app uses up the rest of the limit.
const blockedAt = now;
regainAt = 0;
await Promise.all(Array.from({ length: calls }, () => ask(page.id, page.token)));
// A fleet that holds its calls back learns of room when one of the calls probes.
while (regainAt === 0 && now < blockedAt + 60_000) await run(1000);
await run(5000);
const knownAt = now;
const isTold = regainAt > 0;
const regain = regainAt || (sandbox.quotas[0]?.blockedUntil ?? 0);
await run(regain - now + 20_000);
const recovery = recoveryOf(sent, knownAt, regain, machines);
const refusedAtBlock = sent.filter(({ at, isRefused }) => isRefused && at >= blockedAt && at < regain).length;
for (const { child } of team) child.kill('SIGKILL');
await rm(folder, { recursive: true, force: true });

const percent = (share: number): string => `${(100 * share).toFixed(2)} %`;
const { lanes, ...totals } = figures;
console.log(`fleet of ${machines} on ${storeName}: ${JSON.stringify(values)}`);
console.table({
  'quota used': percent(totals.used),
  'calls sent': totals.sent,
  'refused by the platform': `${totals.refused} (${percent(totals.refusedShare)})`,
  'publishing overtaken in its process, in the fleet': `${totals.overtaken}, ${totals.overtakenElsewhere}`,
  'most to least by machine': totals.unevenness.toFixed(2),
  'reads, writes an entry, process and second at most': `${totals.readsPerSecond}, ${totals.writesPerSecond}`,
  'operations an entry, process and second': totals.operationsPerSecond.toFixed(2),
});
console.table(lanes);
console.table({
  'the fleet was told of the block': isTold,
  'blocked for s': Math.round((regain - blockedAt) / 1000),
  'refused until all knew': refusedAtBlock,
  'sent while blocked': recovery.sentWhileBlocked,
  'first request after ms': Math.round(recovery.firstMs),
  'half of the fleet after ms': Math.round(recovery.halfMs),
  probes: recovery.probes,
});
if (failures.size > 0) console.table(Object.fromEntries(failures));
console.log(`${Math.round((performance.now() - began) / 1000)} s`);

async function start(machine: number, seed: number): Promise<Member> {
  const child = fork(program, { execArgv: ['--no-warnings'] });
  const order: MemberOrder = {
    machine,
    seed: Number(values.seed) * 1000 + seed,
    store: store.name,
    address: store.address,
    platform: server.platform,
    account: {
      appId: sandbox.app.id,
      appSecret: sandbox.app.secret,
      pageId: page?.id ?? '',
      pageToken: page?.token ?? '',
      commentId: page?.commentIds[0] ?? '',
    },
    now,
    skewMs: (random() - 0.5) * Number(values.skew),
    wanted: (Number(values.demand) * calls) / (windowMs / 1000) / machines,
    maxWaitMs: Number(values.wait),
    latencyMs,
  };
  let answer: (() => void) | undefined;
  child.on('message', (message: FromMember) => {
    if ('report' in message) {
      held.push(...message.report.held);
      operations.push(...message.report.operations);
      for (const text of message.report.failures) failures.set(text, (failures.get(text) ?? 0) + 1);
    }
    answer?.();
  });
  child.once('exit', (code) => {
    if (code !== null) throw new Error(`a process ended by itself, with ${code}`);
    answer?.();
  });
  const tell = (message: ToMember): Promise<void> =>
    new Promise((resolve) => {
      answer = resolve;
      child.send(message, (error) => error && resolve());
    });
  await tell({ order });
  return { child, move: (to) => tell({ to }) };
}

/** Kills a process in the middle of its work, while the others go on. Another one takes its place. */
async function replace(machine: number, kill: number): Promise<void> {
  const old = team[machine];
  setTimeout(() => old?.child.kill('SIGKILL'), 3 * random());
  await run(stepMs);
  old?.child.kill('SIGKILL');
  team[machine] = await start(machine, machines + kill);
}

async function run(ms: number): Promise<void> {
  const end = now + ms;
  while (now < end) {
    const to = Math.min(end, now + stepMs);
    // Requests arrive at the start of a step.
    await Promise.all(team.map(({ move }) => move(to)));
    now = to;
  }
}

/** Records each request of the fleet. */
function watched(watching: Sandbox): Sandbox {
  return {
    ...watching,
    serveAt: (platform) => {
      const respond = watching.serveAt(platform);
      return async (request) => {
        const at = now;
        const response = await respond(request);
        const machine = Number(request.headers.get(machineHeader));
        const lane = request.headers.get(laneHeader) as Lane; // a member sets it
        sent.push({ at, until: at + latencyMs, machine, lane, isRefused: response.status >= 400 });
        const usage = response.headers.get('x-business-use-case-usage') ?? '';
        const minutes = Number(/"estimated_time_to_regain_access":(\d+)/.exec(usage)?.[1] ?? 0);
        // The header has whole minutes, so a later one is closer to the truth.
        if (minutes > 0) regainAt = at + minutes * 60_000;
        return response;
      };
    },
  };
}

async function ask(id: string, token: string): Promise<void> {
  const url = new URL(`${sandbox.platform.graphUrl}/v26.0/${id}`);
  url.searchParams.set('access_token', token);
  await sandbox.fetch(url);
}
