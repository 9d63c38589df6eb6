import type { Fetch } from '../../core/http/types.ts';
import type { Clock } from '../../core/options/clock.ts';
import type { Platform } from '../../core/platform.ts';
import { createSandbox } from '../createSandbox.ts';
import type { Sandbox, SandboxOptions } from '../types.ts';

/** Options for a context or a client of a sandbox. Waits take no time, and advance the sandbox's clock. */
export interface SandboxAccess {
  readonly appId: string;
  readonly appSecret: string;
  readonly fetch: Fetch;
  readonly platform: Platform;
  readonly clock: Clock;
}

/** The fixtures of a test: its own sandbox, and the options for clients of it. */
export interface SandboxTest {
  readonly sandbox: Sandbox;
  /** For `createPageClient`, `createPageContext`, and both of pics in page mode. */
  readonly pageOptions: SandboxAccess;
  /** For `createPicsClient` and `createPicsContext`: login mode. */
  readonly picsOptions: SandboxAccess;
}

/** A fixture for `test.extend` of vitest, and the fixtures that it needs. */
type Fixture<T, Needs> = (test: Needs, use: (value: T) => Promise<void>) => Promise<void>;

export interface SandboxFixtures {
  readonly sandbox: Fixture<Sandbox, object>;
  readonly pageOptions: Fixture<SandboxAccess, Pick<SandboxTest, 'sandbox'>>;
  readonly picsOptions: Fixture<SandboxAccess, Pick<SandboxTest, 'sandbox'>>;
}

/**
 * Fixtures for `test.extend` of vitest: each test gets a new sandbox, which is closed after it.
 *
 * @example
 * const test = base.extend<SandboxTest>(sandboxFixtures());
 */
export function sandboxFixtures(options: SandboxOptions = {}): SandboxFixtures {
  return {
    // oxlint-disable-next-line no-empty-pattern -- vitest reads from the parameter which fixtures this one needs
    sandbox: async ({}, use) => {
      const sandbox = createSandbox(options);
      try {
        await use(sandbox);
      } finally {
        sandbox.close();
      }
    },
    pageOptions: async ({ sandbox }, use) => use(accessOf(sandbox, sandbox.app)),
    picsOptions: async ({ sandbox }, use) => use(accessOf(sandbox, sandbox.picsApp)),
  };
}

/**
 * The same for any other test framework: the body of a test, which gets a new sandbox each time that it runs.
 *
 * @example
 * test('publishes', withSandbox(async ({ sandbox, pageOptions }) => { … }));
 */
export function withSandbox<T>(
  body: (test: SandboxTest) => T | Promise<T>,
  options: SandboxOptions = {},
): () => Promise<T> {
  return async () => {
    const sandbox = createSandbox(options);
    try {
      return await body({
        sandbox,
        pageOptions: accessOf(sandbox, sandbox.app),
        picsOptions: accessOf(sandbox, sandbox.picsApp),
      });
    } finally {
      sandbox.close();
    }
  };
}

function accessOf(
  { fetch, platform, clock }: Sandbox,
  { id, secret }: { readonly id: string; readonly secret: string },
): SandboxAccess {
  return { appId: id, appSecret: secret, fetch, platform, clock };
}
