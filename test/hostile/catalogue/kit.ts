import type { PageContext } from '../../../src/page/context.ts';
import type { PicsContext } from '../../../src/pics/context.ts';
import { graphBase } from '../../support/context.ts';
import type { Kind, Kinds } from '../kinds.ts';

/** Which context a function is called with. */
export type Realm = 'page' | 'login' | 'viaPages';

export interface Contexts {
  readonly page: PageContext;
  readonly login: PicsContext;
  readonly viaPages: PicsContext;
}

/** An exported function, and all that a test has to know to call it and to judge what comes back. */
export interface Subject {
  /** Such as `pics/publish (viaPages)`. */
  readonly name: string;
  readonly realm: Realm;
  readonly exported: string;
  readonly call: (contexts: Contexts, options: unknown) => unknown;
  /** What each option is: all of them, the `signal` included. */
  readonly kinds: Readonly<Record<string, Kind>>;
  /** Valid options; together, all of the options are given. */
  readonly variants: readonly Options[];
  /** Valid responses by `METHOD path`, the path without address and version. */
  readonly routes: Readonly<Record<string, unknown>>;
  /** Names of the errors that the function can fail with, when its options are valid. */
  readonly failures: readonly string[];
  /** What a success promises. */
  readonly holds: (value: unknown) => boolean;
  readonly isLowLevel: boolean;
}

export type Options = Readonly<Record<string, unknown>>;

/** What the tests write where a token, or a code, belongs. Replaced by the secrets of a test. */
export interface Secrets {
  readonly token: string;
  readonly code: string;
  readonly shortToken: string;
  readonly longToken: string;
  readonly entryToken: string;
}

export const plainSecrets: Secrets = {
  token: 'page-token',
  code: 'login-code',
  shortToken: 'short-lived-token',
  longToken: 'long-lived-token',
  entryToken: 'token-of-an-entry',
};

const request = ['ApiError', 'RateLimitError', 'PermissionError', 'TransportError'];
export const publishing = [...request, 'ContainerNotReadyError'];
export const network = ['TransportError'];

/** The platform's description of a token. */
export const inspected = {
  data: {
    app_id: '1',
    type: 'USER',
    is_valid: true,
    issued_at: 1_700_000_000,
    expires_at: 1_800_000_000,
    data_access_expires_at: 0,
    scopes: ['email'],
    granular_scopes: [{ scope: 'pages_show_list', target_ids: ['42'] }],
    user_id: '5',
    profile_id: '42',
    error: { code: 190, subcode: 463, message: 'Session has expired' },
  },
};

export type Call<TContext, TOptions> = (context: TContext, options: TOptions) => unknown;

/** What a test knows about a function besides its name. */
export interface Facts<TOptions> {
  /** Every option of the function: one that is missing here does not compile. */
  readonly kinds: { readonly [TName in keyof Required<Omit<TOptions, 'signal'>>]: Kind };
  readonly variants: readonly NoInfer<TOptions>[];
  readonly routes?: Readonly<Record<string, unknown>>;
  readonly failures?: readonly string[];
  readonly holds: (value: never) => boolean;
}

/** What the parts of the catalogue are made with: functions that add to `subjects`, and what several routes share. */
export type Kit = ReturnType<typeof createKit>;

export function createKit(subjects: Subject[], secrets: Secrets) {
  const { token, code, shortToken, longToken, entryToken } = secrets;
  const pageToken = token;

  function add(
    entry: string,
    realm: Realm,
    exported: string,
    call: Subject['call'],
    { kinds, variants, routes = {}, failures = request, holds }: Facts<never>,
    isLowLevel = false,
  ): void {
    const own = 'signal' in kinds || exported === 'loginUrl' || exported === 'appSecretProof';
    subjects.push({
      name: `${entry}/${exported} (${realm})`,
      realm,
      exported,
      call,
      kinds: own ? kinds : { ...(kinds as Kinds), signal: 'signal' },
      variants: own ? variants : (variants as readonly Options[]).map(withSignal),
      routes,
      failures,
      holds: holds as (value: unknown) => boolean,
      isLowLevel,
    });
  }

  function ofPage<TOptions>(fn: Call<PageContext, TOptions>, facts: Facts<TOptions>): void {
    const call: Subject['call'] = (contexts, options) => fn(contexts.page, options as TOptions);
    add('page', 'page', fn.name, call, facts as unknown as Facts<never>);
  }

  function ofPics<TOptions>(
    fn: Call<PicsContext, TOptions>,
    realms: readonly ('login' | 'viaPages')[],
    facts: Facts<TOptions>,
  ): void {
    for (const realm of realms) {
      const call: Subject['call'] = (contexts, options) => fn(contexts[realm], options as TOptions);
      add('pics', realm, fn.name, call, facts as unknown as Facts<never>);
    }
  }

  const both = ['login', 'viaPages'] as const;
  const created = { id: '901' };
  const time = '2026-01-02T00:00:01+0000';
  const paging = {
    cursors: { before: 'QVF1', after: 'QVF2' },
    previous: `${graphBase}/42/list?access_token=${encodeURIComponent(token)}&before=QVF1`,
  };

  // Lists within lists have links of their own.
  const inner = {
    cursors: paging.cursors,
    next: `${paging.previous}&appsecret_proof=0a0a`,
    previous: paging.previous,
  };

  const address = 'https://example.com/a';
  const buttons = [{ type: 'postback', title: 'Menu', payload: 'MENU' }] as const;
  /** A content of each kind that both platforms can send, and what a conversation shows of it. */
  const replies = [
    { text: 'Hi', quickReplies: [{ title: 'Yes', payload: 'YES' }] },
    { attachment: { type: 'image', url: address } },
    { images: [address, address] },
    { template: { type: 'button', text: 'What next?', buttons } },
  ] as const;
  const contents = replies.map((content) => ({ ...content, replyTo: 'm_0', humanAgent: true }));
  const contentKinds = {
    text: 'text',
    quickReplies: 'list',
    attachment: 'object',
    images: 'images',
    template: 'object',
  } as const;
  const sentMessage = {
    id: 'm_1',
    created_time: time,
    from: { id: '42' },
    to: { data: [{ id: '8' }] },
    message: 'Hi',
    attachments: { data: [{ id: 'a_1', image_data: { url: address } }], paging: inner },
    shares: { data: [{ link: address }] },
    sticker: address,
  };
  const messaging = {
    replies,
    contents,
    contentKinds,
    routes: {
      'POST messages': { recipient_id: '8', message_id: 'm_1' },
      'GET conversations': { data: [{ id: 't_1', messages: { data: [sentMessage] } }] },
    },
  };

  return {
    messaging,
    token,
    code,
    shortToken,
    longToken,
    entryToken,
    pageToken,
    add,
    ofPage,
    ofPics,
    both,
    created,
    time,
    paging,
    inner,
  };
}

function withSignal(options: Options): Options {
  return { ...options, signal: new AbortController().signal };
}

/** A walk as a function: it gives the last entry. */
export function walked<TContext, TOptions>(
  name: string,
  walk: (context: TContext, options: TOptions) => AsyncIterable<Entry>,
): Call<TContext, TOptions> {
  const call: Call<TContext, TOptions> = (context, options) => lastOf(walk(context, options));
  return Object.defineProperty(call, 'name', { value: name });
}

/** The last entry of a walk: its failure, where it has one. That ends the walk. */
export async function lastOf(entries: AsyncIterable<Entry>): Promise<unknown> {
  let last: Entry = { isOk: () => true, isErr: () => false, value: undefined };
  for await (const entry of entries) {
    if (last.isErr()) throw new Error('an entry comes after a failure');
    last = entry;
  }
  return last;
}

interface Entry {
  readonly isOk: () => boolean;
  readonly isErr: () => boolean;
  readonly value?: unknown;
}
