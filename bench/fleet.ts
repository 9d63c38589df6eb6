// Processes that publish on order, and can be killed at any point: see `worker.ts`.
import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';

import { build } from 'esbuild';

import type { Sandbox } from '../src/sandbox/index.ts';
import { callHeader, type FromWorker, type Order, type Told, type ToWorker } from './orders.ts';

/** Says whether a process may pass a point of its call. It is killed where it may not. */
export type Gate = (point: string) => boolean;

export interface Fleet {
  /** Has a process make a call. */
  readonly publish: (order: Order, gate?: Gate) => Promise<Told | 'killed'>;
  /** A sandbox to serve, whose requests are points of the calls that they belong to. */
  readonly watched: (sandbox: Sandbox) => Sandbox;
  readonly close: () => void;
}

interface Call {
  readonly child: ChildProcess;
  readonly gate: Gate;
  readonly end: (told: Told | 'killed') => void;
}

/** Starts processes. What they need for a while is put in a folder, beside their program. */
export async function openFleet(size: number, folder: string): Promise<Fleet> {
  const program = join(folder, 'worker.mjs');
  // As one file it starts in a fifth of the time.
  await build({
    entryPoints: [join(import.meta.dirname, 'worker.ts')],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  });
  const calls = new Map<number, Call>();
  let last = 0;
  let isOpen = true;
  const children = Array.from({ length: size }, start);

  function start(): ChildProcess {
    const child = fork(program, { execArgv: ['--no-warnings'] });
    child.on('message', (message: FromWorker) => {
      const call = calls.get(message.number);
      if (call === undefined) return;
      if ('told' in message) {
        calls.delete(message.number);
        call.end(message.told);
      } else if (mayPass(message.number, message.point)) {
        child.send({ passed: message.pass } satisfies ToWorker);
      }
    });
    child.on('exit', (code) => {
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
    const passes = call.gate(point);
    if (!passes) call.child.kill('SIGKILL');
    return passes;
  }

  return {
    publish: (order, gate = () => true) => {
      const number = last++;
      const child = children[number % size];
      if (child === undefined) throw new Error('a fleet has processes');
      // One that is being killed takes no more orders.
      if (child.killed || !child.connected) return Promise.resolve('killed');
      return new Promise((resolve) => {
        calls.set(number, { child, gate, end: resolve });
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
    close: () => {
      isOpen = false;
      for (const child of children) child.kill('SIGKILL');
    },
  };
}

/** For nobody: the process that asked is dead. */
function gone(): Response {
  return new Response(null, { status: 500 });
}
