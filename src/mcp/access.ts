import { err, ok, okAsync, type Result, type ResultAsync } from 'neverthrow';

import { checkConnection } from '../connections/checkConnection.ts';
import { clientIn, tokenVariable, usualClient } from '../connections/environment.ts';
import type { ConnectionClient } from '../connections/requirements.ts';
import { type AnySdkError, ConfigurationError } from '../core/errors.ts';
import { safeTry } from '../core/http/send.ts';
import type { Environment } from '../core/settings.ts';
import type { Journal } from '../core/writes/journal/types.ts';
import { createPageContextFromEnv, type PageContext } from '../page/context.ts';
import { pageProfile, pages } from '../page/pages.ts';
import { inspectToken } from '../page/tokens.ts';
import { profile } from '../pics/accounts.ts';
import {
  createPicsContextFromEnv,
  createPicsContextViaPagesFromEnv,
  type PicsContext,
} from '../pics/context.ts';

/** The Page, or the account, that a call is for. */
export interface Target {
  readonly id: string;
  readonly name: string | undefined;
  /** The token that functions of it are called with. */
  readonly token: string;
  /** The Page that an account is linked to. The token belongs to that Page. */
  readonly pageId?: string | undefined;
}

/** A Page that the token gives access to. */
export interface ReachedPage extends Target {
  readonly picsUserId: string | undefined;
}

/** What the tools may read and publish. It comes from the environment: no tool takes a token. */
export type Access = {
  readonly client: ConnectionClient;
  readonly token: string;
  /** The Page or account that is meant if a call names none. */
  readonly usual: string | undefined;
  /** What no output may hold. It grows as Page tokens are read. */
  readonly secrets: Set<string>;
  /** Targets that are known, by their ids. */
  readonly known: Map<string, Target>;
} & (
  | { readonly platform: 'page'; readonly context: PageContext; readonly pages: PageContext }
  | { readonly platform: 'pics'; readonly context: PicsContext; readonly pages: PageContext | undefined }
);

export type PageAccess = Extract<Access, { readonly platform: 'page' }>;
type PicsAccess = Extract<Access, { readonly platform: 'pics' }>;

/** Which client the environment is for, with its token. */
export function accessFrom(
  env: Environment,
  wanted: {
    readonly client?: string | undefined;
    readonly page?: string | undefined;
    readonly account?: string | undefined;
  },
  journal: Journal,
): Result<Access, ConfigurationError> {
  const account = wanted.account ?? (env['PICS_USER_ID'] || undefined);
  const named = clientIn(wanted.client, usualClient(env, wanted));
  if (named.isErr()) return err(named.error);
  const client = named.value;
  const variable = tokenVariable(client);
  const token = env[variable];
  // Never read from standard input, which carries the protocol.
  if (!token) return err(new ConfigurationError(`There is no token: set ${variable}.`, variable));
  const names = ['PAGE_TOKEN', 'PICS_TOKEN', 'PAGE_APP_SECRET', 'PICS_APP_SECRET', 'SDK_LICENSE_KEY'];
  const secrets = new Set(names.map((name) => env[name] ?? '').filter((secret) => secret.length >= 8));
  const shared = { client, token, secrets, known: new Map<string, Target>() };
  const page = wanted.page ?? (env['PAGE_ID'] || undefined);
  if (client === 'page') {
    return createPageContextFromEnv({ env, journal }).map((context) => ({
      ...shared,
      platform: 'page',
      context,
      pages: context,
      usual: page,
    }));
  }
  const create = client === 'pics-login' ? createPicsContextFromEnv : createPicsContextViaPagesFromEnv;
  return create({ env, journal }).andThen((context) => {
    const access = { ...shared, platform: 'pics', context, usual: account } as const;
    return client === 'pics-login'
      ? ok({ ...access, pages: undefined })
      : createPageContextFromEnv({ env }).map((found) => ({ ...access, pages: found }));
  });
}

/** The Page or account with this id, or the usual one, with the token that its functions are called with. */
export function targetOf(
  access: Access,
  id: string | undefined,
  signal: AbortSignal,
): ResultAsync<Target, AnySdkError> {
  const wanted = id ?? access.usual ?? '';
  const known = access.known.get(wanted);
  if (known !== undefined) return okAsync(known);
  const found =
    access.platform === 'page' ? pageTarget(access, wanted, signal) : accountTarget(access, wanted, signal);
  // The token of another Page is a secret, too.
  return found.map((target) => {
    if (target.token !== '') access.secrets.add(target.token);
    access.known.set(wanted, target);
    return target;
  });
}

/** The Pages that the token gives access to. A Page token gives access to its own Page. */
export function reachedPages(
  { pages: context, token, secrets }: Pick<PageAccess, 'pages' | 'token' | 'secrets'>,
  signal: AbortSignal,
): ResultAsync<readonly ReachedPage[], AnySdkError> {
  return safeTry(async function* () {
    const { is_valid, type, profile_id: pageId } = yield* inspectToken(context, { token, signal });
    if (!is_valid) return fault('token', 'is no longer valid: the person has to log in again');
    if (type === 'PAGE' && pageId !== undefined) {
      const found = await pageProfile(context, { pageId, pageToken: token, fields: ['name'], signal });
      const name = found.isOk() ? found.value.name : undefined;
      return ok([{ id: pageId, name, token, picsUserId: undefined }]);
    }
    const listed = yield* pages(context, { token, signal });
    return ok(
      listed.map(({ id, name, access_token, pics_id: picsUserId }) => {
        if (access_token !== '') secrets.add(access_token);
        return { id, name, token: access_token, picsUserId };
      }),
    );
  });
}

/** The error for an argument, or for what stands for it in the environment. */
export function fault(option: string, message: string): Result<never, ConfigurationError> {
  return err(new ConfigurationError(`${option} ${message}`, option));
}

/** A function of the SDK, and the options that say for which Page or account it is called. */
export interface Callable {
  /** It checks its context and its options itself, whatever their types. */
  readonly run: (context: never, options: never) => ResultAsync<unknown, AnySdkError>;
  readonly placed: (target: Target) => object;
}

type Run = Callable['run'];

/** A function of a Page. */
export function ofPage(run: Run): Callable {
  return { run, placed: ({ id, token }) => ({ pageId: id, pageToken: token }) };
}

/** A function of something on a Page, which has an id of its own. */
export function onPage(run: Run): Callable {
  return { run, placed: ({ token }) => ({ pageToken: token }) };
}

/** A function of an account. */
export function ofAccount(run: Run): Callable {
  return { run, placed: ({ id, token }) => ({ picsUserId: id, token }) };
}

/** A function of the inbox of an account. */
export function ofInbox(run: Run): Callable {
  return { run, placed: ({ id, token, pageId }) => ({ picsUserId: id, token, pageId }) };
}

/** A function of something of an account, which has an id of its own. */
export function onAccount(run: Run): Callable {
  return { run, placed: ({ token }) => ({ token }) };
}

/** Calls a function for a Page or an account. */
export function callFor(
  { context }: Access,
  target: Target,
  { run, placed }: Callable,
  options: object,
): ResultAsync<unknown, AnySdkError> {
  // See `Callable`.
  return run(context as never, { ...options, ...placed(target) } as never);
}

/** Tells which of these functions work for a Page or an account; without them, which of all. */
export function checkFor(
  { context, platform, client, token }: Access,
  target: Target,
  functions: readonly string[] | undefined,
  signal: AbortSignal,
): ReturnType<typeof checkConnection> {
  return checkConnection(context, {
    token: client === 'pics-pages' ? target.token : token,
    ...(platform === 'page' ? { pageId: target.id } : { picsUserId: target.id }),
    functions,
    signal,
  });
}

function pageTarget(
  access: PageAccess,
  wanted: string,
  signal: AbortSignal,
): ResultAsync<Target, AnySdkError> {
  return reachedPages(access, signal).andThen((reached) => {
    const [first, ...more] = reached;
    const found = wanted === '' && more.length === 0 ? first : reached.find((page) => page.id === wanted);
    if (found?.token === '')
      return fault('pageId', 'is a Page without a token from the platform: a task on it is missing');
    if (found !== undefined) return ok(found);
    const names = reached.map(({ id, name }) => `${id} (${name ?? ''})`).join(', ');
    return fault(
      'pageId',
      wanted === ''
        ? `is missing, and there are several: ${names}`
        : `is a Page that the token does not reach: ${names}`,
    );
  });
}

function accountTarget(
  access: PicsAccess,
  wanted: string,
  signal: AbortSignal,
): ResultAsync<Target, AnySdkError> {
  const { pages } = access;
  return safeTry(async function* () {
    const reached = pages === undefined ? [] : yield* reachedPages({ ...access, pages }, signal);
    const page =
      reached.find(({ picsUserId }) => picsUserId === wanted) ??
      // A Page token shows one Page, and not its account.
      (reached.length === 1 ? reached[0] : undefined);
    const token = page?.token || access.token;
    const picsUserId = wanted === '' ? undefined : wanted;
    const { user_id, id, username } = yield* profile(access.context, { token, picsUserId, signal });
    return ok({ id: picsUserId ?? user_id ?? id, name: username, token, pageId: page?.id });
  });
}
