import type { Result } from 'neverthrow';

import type { ContextOptions } from '../../src/core/context.ts';
import type { Platform } from '../../src/core/platform.ts';
import type { PageContext } from '../../src/page/context.ts';
import { createPageContext } from '../../src/page/context.ts';
import { createPicsContext, createPicsContextViaPages, type PicsContext } from '../../src/pics/context.ts';
import { createSandbox, type Sandbox, type SandboxAccount } from '../../src/sandbox/index.ts';
import { lazy } from '../support/lazy.ts';
import { endpoints, firstPage, type Outcome, type Realm, spotIn } from './index.ts';
import type { Mode, Spot } from './table.ts';

/** Where calls are made: the first Page of a sandbox, and its account. */
export interface Place {
  readonly sandbox: Sandbox;
  readonly page: PageContext;
  readonly login: PicsContext;
  readonly viaPages: PicsContext;
  readonly first: Spot['page'];
  readonly account: SandboxAccount;
}

/** A fresh sandbox, whose clock moves only when it is advanced. */
export function openPlace(): Place {
  const now = Date.UTC(2026, 9, 5, 12);
  const sandbox = createSandbox({
    now: () => now,
    strict: true,
    posts: 2,
    comments: 2,
    leads: 1,
    callbacks: async ({ url }) => new Response(new URL(url).searchParams.get('hub.challenge')),
  });
  return placeIn(sandbox, sandbox);
}

/** Contexts for a sandbox, which send their requests there. */
export function placeIn(
  sandbox: Sandbox,
  {
    platform,
    fetch,
    retry,
  }: {
    readonly platform: Platform;
    readonly fetch?: Sandbox['fetch'];
    readonly retry?: ContextOptions['retry'];
  },
): Place {
  const { app, picsApp, clock, account } = sandbox;
  const common = { platform, fetch, retry, clock };
  return lazy<Place>({
    sandbox: () => sandbox,
    first: () => firstPage(sandbox),
    account: () => account,
    page: () => createPageContext({ ...common, appId: app.id, appSecret: app.secret })._unsafeUnwrap(),
    login: () =>
      createPicsContext({ ...common, appId: picsApp.id, appSecret: picsApp.secret })._unsafeUnwrap(),
    viaPages: () =>
      createPicsContextViaPages({ ...common, appId: app.id, appSecret: app.secret })._unsafeUnwrap(),
  });
}

/** The tokens that a call is made with. */
export interface Tokens {
  /** The one that is checked. */
  readonly token: string;
  /** The Page token that it gives, or is. */
  readonly pageToken: string;
}

/** Makes what the call is about, by a token that may do everything, and returns the call. */
type Prepare = (place: Place) => Promise<(tokens: Tokens) => Outcome>;

export type Calls = Readonly<Record<string, Prepare>>;

/** A call of each page function that succeeds with a token that may do everything. */
export const pageCalls: Calls = callsIn('page', 'page');

/** A call of each function of a mode. */
export function picsCalls(mode: Mode): Calls {
  return callsIn('pics', mode);
}

function callsIn(platform: 'page' | 'pics', realm: Realm): Calls {
  const own = endpoints.filter((endpoint) => endpoint.platform === platform);
  return Object.fromEntries(
    own.map(({ name, entry: { prepare, options }, call }): [string, Prepare] => [
      name,
      async (place) => {
        const { sandbox, account, first } = place;
        const target = { page: first, account };
        const context = place[realm];
        const prepared = (await prepare?.({ sandbox, context, at: spotIn(realm, target) })) ?? '';
        return (tokens) => call(context, options(spotIn(realm, target, { ...tokens, prepared })));
      },
    ]),
  );
}

/**
 * Whether a call succeeded, by the function that was called. Some return nothing instead of a failure: an empty object,
 * an empty list, or a contact that is not available.
 */
export async function worked(name: string, outcome: Outcome): Promise<boolean> {
  const result = 'next' in outcome ? (await outcome.next()).value : await outcome;
  if (result === undefined) return true;
  const settled = result as Result<unknown, Error>;
  if (settled.isErr()) return false;
  const { value } = settled;
  const works = endpoints.find((one) => one.name === name && one.entry.works !== undefined)?.entry.works;
  if (works !== undefined) return works(value as never);
  if (typeof value !== 'object' || value === null) return value !== false;
  return 'available' in value ? value.available === true : true;
}
