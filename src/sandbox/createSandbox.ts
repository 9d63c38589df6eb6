import { openSandbox } from './sandbox.ts';
import type { Sandbox, SandboxOptions } from './types.ts';

// By itself, so that the packed types of the entry need none of the world.

/** Creates a sandbox: the platform, emulated in memory, for tests and trials. Nothing leaves the process. */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  return openSandbox(options).sandbox;
}
