// All functions, as suites that call every one of them take them.
import type { Result, ResultAsync } from 'neverthrow';

import type { Context } from '../../src/core/index.ts';
import type { PageContext } from '../../src/page/context.ts';
import * as page from '../../src/page/endpoints.ts';
import type { PicsContext } from '../../src/pics/context.ts';
import * as pics from '../../src/pics/endpoints.ts';
import type { Sandbox } from '../../src/sandbox/index.ts';
import { pageFunctions } from './page/index.ts';
import { picsFunctions } from './pics/index.ts';
import type { Entry, Mode, Spot, Way } from './table.ts';

/** Which context a function is called with. */
export type Realm = 'page' | Mode;

export interface Contexts {
  readonly page: PageContext;
  readonly login: PicsContext;
  readonly viaPages: PicsContext;
}

/** What a function returns before it is awaited. */
export type Outcome =
  | ResultAsync<unknown, Error>
  | Result<unknown, Error>
  | AsyncIterableIterator<Result<unknown, Error>>;

export interface Endpoint {
  readonly platform: 'page' | 'pics';
  readonly name: string;
  readonly entry: Entry<Context, object>;
  /** The first one is that of its writes, unless they say otherwise. */
  readonly realms: readonly [Realm, ...Realm[]];
  readonly call: (context: Context, options: object) => Outcome;
}

/** One way to write, of one of them. */
export interface Writing extends Way<Context, object> {
  readonly endpoint: Endpoint;
  /** Such as `page publishPost, scheduled`. */
  readonly name: string;
  readonly realm: Realm;
  readonly options: (at: Spot) => object;
}

export const endpoints: readonly Endpoint[] = [
  ...list('page', page, pageFunctions),
  ...list('pics', pics, picsFunctions),
];

export const writings: readonly Writing[] = endpoints.flatMap((endpoint) =>
  (endpoint.entry.writes ?? []).map((way): Writing => {
    const { options, prepare } = endpoint.entry;
    return {
      prepare,
      ...way,
      endpoint,
      name: [`${endpoint.platform} ${endpoint.name}`, way.as].filter(Boolean).join(', '),
      realm: way.mode ?? endpoint.realms[0],
      options: (at) => ({ ...options(at), ...way.give?.(at) }),
    };
  }),
);

function list(
  platform: Endpoint['platform'],
  functions: object,
  table: Readonly<Record<string, unknown>>,
): readonly Endpoint[] {
  return Object.entries(functions).flatMap(([name, call]) => {
    // The tables have an entry for each function, which fits it: that is their type.
    const entry = table[name] as Endpoint['entry'] | undefined;
    const [first = 'login', ...others] = entry?.modes ?? (['login', 'viaPages'] as const);
    const realms: Endpoint['realms'] = platform === 'page' ? ['page'] : [first, ...others];
    // What the types of tables lack, `test/endpoints.test.ts` names.
    return entry === undefined ? [] : [{ platform, name, entry, realms, call: call as Endpoint['call'] }];
  });
}

/** Where a call is made: with these tokens, which are by default those that may do everything. */
export function spotIn(
  realm: Realm,
  target: Pick<Spot, 'page' | 'account'>,
  {
    token = realm === 'login' ? target.account.token : target.page.token,
    pageToken = target.page.token,
    prepared = '',
    message = 'Hi',
    named = false,
  }: Partial<Pick<Spot, 'token' | 'pageToken' | 'prepared' | 'message'>> & {
    /** Whether login mode names its account, too. */
    readonly named?: boolean;
  } = {},
): Spot {
  const { page, account } = target;
  const held = realm === 'viaPages' ? pageToken : token;
  const picsUserId = realm === 'login' ? account.userId : page.picsId;
  const own = realm === 'login' && !named ? { token: held } : { token: held, picsUserId };
  return {
    page,
    account,
    token: held,
    pageToken,
    own,
    inbox: realm === 'viaPages' ? { ...own, pageId: page.id } : own,
    prepared,
    message,
  };
}

/** The first Page of a sandbox, which has an account. */
export function firstPage({ pages: [page] }: Sandbox): Spot['page'] {
  if (page?.picsId === undefined) throw new Error('the first Page has an account');
  return { ...page, picsId: page.picsId };
}
