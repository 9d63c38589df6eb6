import { openSandbox } from './sandbox.ts';
import type { Sandbox, SandboxOptions } from './types.ts';

export type * from './types.ts';
export * from './testing.ts';
export { serveSandbox, type ServedSandbox, type ServeOptions } from './serve.ts';

/** Creates a sandbox: the platform, emulated in memory, for tests and trials. Nothing leaves the process. */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  return openSandbox(options).sandbox;
}
