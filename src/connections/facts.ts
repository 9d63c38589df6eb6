import { err, ok, type Result, type ResultAsync, type Err } from 'neverthrow';
import * as v from 'valibot';

import { type Coded, isMendedByLogin, needOf, refusesApp } from '../core/codes.ts';
import type { Failure, RequestFailure, TransportError } from '../core/errors.ts';
import { path } from '../core/http/addresses.ts';
import { send, mapConcurrent } from '../core/http/send.ts';
import type { Call, GraphRequest, Params } from '../core/http/types.ts';
import { inspect } from '../core/lowLevel/inspect.ts';
import { platformNow } from '../core/options/clock.ts';
import { isMisplaced, picsPlatform } from '../core/platform.ts';
import * as s from '../models/fields.ts';
import { type Page, pageSchema } from '../models/profile.ts';
import { subscribedAppsSchema, subscribedFields } from '../models/subscriptions.ts';
import { inspected, type TokenInfo, tokenInfoSchema } from '../models/tokens.ts';
import type { PageContext } from '../page/context.ts';
import type { PicsContext } from '../pics/context.ts';
import { type Requirement, picsScopePrefix } from './requirements.ts';

/**
 * What a reason concerns. Of the token: the token itself; a permission that was not granted, or was granted for other
 * Pages or accounts; the access to data, which ends 90 days after the person last used the app; an end that is near.
 * Of the Page: what the person may do on it; the account that is linked to it; a webhook that is not subscribed. Also a
 * function that the mode lacks, and what no call shows.
 */
export type ReasonCode =
  | 'token'
  | 'permission'
  | 'asset'
  | 'task'
  | 'subscription'
  | 'mode'
  | 'data_access'
  | 'expires_soon'
  | 'linked_account'
  | 'unknown';

/** Why something does not work, or may not, and how to fix it. */
export interface Reason {
  readonly code: ReasonCode;
  /** What is wrong, in a sentence. */
  readonly message: string;
  /** The permission concerned, as the platform names it. */
  readonly permission?: string;
  /** The task that the person lacks; one of a list is enough. */
  readonly task?: string | readonly string[];
  /** The webhook field that is not subscribed. */
  readonly field?: string;
  /** What to do, in a sentence. */
  readonly fix: string;
}

/** A reason; `concerns` is the permission, the task or the field that it is about. */
export function reasonOf(
  code: ReasonCode,
  message: string,
  fix: string,
  concerns?: Pick<Reason, 'permission' | 'task' | 'field'>,
): Reason {
  return { code, message, ...concerns, fix };
}

/** What the platform said about a connection. */
export interface Facts {
  readonly token: TokenInfo | undefined;
  /** Why no call with the token succeeds. */
  readonly dead?: Reason | undefined;
  /** The kind of the token, if it is known. */
  readonly kind: Requirement['token'];
  /** Why a permission does not hold; `undefined` where it does. */
  readonly lacking: (permission: string) => Reason | undefined;
  /** Why calls for the Page or the account fail whatever they ask for. */
  readonly faults: readonly Reason[];
  /** What the person may do on the Page; `undefined` where no call shows it. */
  readonly tasks: readonly string[] | undefined;
  readonly warnings: readonly Reason[];
}

/** The tasks that a person can have on a Page. */
export const allTasks = ['ADVERTISE', 'ANALYZE', 'CREATE_CONTENT', 'MANAGE', 'MESSAGING', 'MODERATE'];

/** What to do about a permission or an asset. */
const relogin = 'Send the person through the login again';

/** How the advice about a permission begins. */
export const withScope = `${relogin}, with this permission among its scopes.`;

/** What to find out. */
export interface Wanted {
  readonly token: string;
  readonly pageId?: string | undefined;
  readonly picsUserId?: string | undefined;
  readonly webhookFields: readonly string[];
  /** All that the functions need. */
  readonly permissions: readonly string[];
}

/** The result of a read: a value, or the platform's refusal. */
type ValueOrRefusal<TValue> =
  | { readonly value: TValue; readonly refusal?: undefined }
  | { readonly value?: undefined; readonly refusal: AnyRefusal };

type AnyRefusal = Exclude<RequestFailure, TransportError>;

/** Sends a GET. A refusal counts as a result: only network failures stay failures. */
function read<TValue>(
  context: AnyContext,
  call: Call,
  path: string,
  schema: s.Schema<TValue>,
  more?: Partial<GraphRequest<unknown>>,
): ResultAsync<ValueOrRefusal<TValue>, TransportError> {
  return send(context, { ...call, path, ...more, schema })
    .map((value): ValueOrRefusal<TValue> => ({ value }))
    .orElse((failure): Result<ValueOrRefusal<TValue>, TransportError> =>
      failure.name === 'TransportError' ? err(failure) : ok({ refusal: failure }),
    );
}

/** Whether a refusal concerns what the token may see, and is not a failure of the platform. */
function isDenied({ category, code }: AnyRefusal): boolean {
  // Without a code, a gateway may have sent it.
  return code !== undefined && (category === 'permission' || category === 'not_found');
}

/** A reason for something that the platform did not report. */
function undetermined(
  what: string,
  refusal: AnyRefusal,
  permissionFix = `${relogin}, with the permission that this names.`,
): Reason {
  const { category, message } = refusal;
  const fix = isOfApp(refusal) ? fixes.app : category === 'permission' ? permissionFix : 'Check again later.';
  return reasonOf('unknown', `Could not determine ${what}: ${message}`, fix);
}

/** The context of either client. */
export type AnyContext = PageContext | PicsContext;

export function isOfPics(context: AnyContext): context is PicsContext {
  return context.mode !== undefined;
}

type Steps<TValue> = AsyncGenerator<Err<never, Failure>, TValue, undefined>;

const week = 604_800_000;

/** What the platform says about a token of a Page or a person, in at most six reads. */
export async function* pageFacts(context: AnyContext, call: Call, wanted: Wanted): Steps<Facts> {
  const { appId, secret } = context;
  const asked = { ...call, token: `${appId}|${secret}` };
  const said = yield* inspect(context, asked, wanted.token, tokenInfoSchema);
  const info = inspected(said, wanted.token);
  const now = platformNow(context);
  const kind = info.type === 'PAGE' || info.profile_id !== undefined ? 'page' : 'user';
  const known = {
    token: info,
    kind,
    warnings: [],
    faults: [],
    tasks: undefined,
    lacking: () => undefined,
  } as const;
  if (!info.is_valid) return { ...known, dead: deadToken(context, wanted, info) };
  const page = yield* kind === 'user'
    ? pageOfUser(context, call, wanted)
    : pageOfToken(context, call, wanted, info);
  const account = wanted.picsUserId ?? page.pics_id;
  const isShown = lackingIn(info, 'pages_show_list', page.id, account, now)?.code !== 'asset';
  const events = yield* eventWarnings(context, call, wanted, page);
  const faults = page.fault ? [page.fault] : isOfPics(context) ? accountFaults(info, wanted, page) : [];
  return {
    ...known,
    // Without these permissions, the platform shows no linked account.
    faults: ['pages_show_list', `${picsScopePrefix}basic`].every((scope) => info.scopes.includes(scope))
      ? faults
      : faults.filter(({ code }) => code !== 'linked_account'),
    // Do not report as absent what the platform does not show.
    tasks: isShown ? page.tasks : undefined,
    lacking: (permission) => lackingIn(info, permission, page.id, account, now),
    warnings: [...endsSoon(info, now), ...events],
  };
}

function deadToken(context: AnyContext, { token }: Wanted, { error }: TokenInfo): Reason {
  const why: Readonly<Record<number, string>> = {
    458: 'the person removed the app',
    459: 'the platform wants the person to log in there first',
    460: 'the person changed the password',
    463: 'it has expired',
    467: 'its session was ended',
    492: 'the person lost the role on the Page',
  };
  const reason = why[error?.subcode ?? 0] ?? error?.message;
  return reasonOf(
    'token',
    `The token is not valid${reason === undefined ? '' : `: ${reason.replace(/\.$/, '')}`}.`,
    fixOf(context, token, { code: undefined, subcode: undefined, ...error }),
  );
}

/** What to do about a token that the platform refuses. A login that cannot help is not advised. */
function fixOf({ mode }: AnyContext, token: string, refusal: Coded): string {
  if (isMisplaced(token, mode))
    return `Check it with a context ${mode === 'login' ? 'for Pages, or in page mode' : 'in login mode'}: it begins like a token for that.`;
  if (isOfApp(refusal)) return fixes.app;
  return fixes[isMendedByLogin(refusal) ? 'login' : (needOf(refusal) ?? 'token')];
}

const fixes = {
  login: `${relogin}, and store the new tokens.`,
  person:
    'Let the person log in on the platform itself and do what it asks: before that, no login of the app helps.',
  role: 'Let another administrator of the Page give the role back: before that, no login of the app helps.',
  token: 'Use a token of this app, of the kind that is needed: no login of the app helps.',
  app: 'Connect the account to the app, or see its dashboard for what restricts it: no login of the app helps.',
};

/** What is known of the Page. */
interface PageOf {
  readonly id?: string | undefined;
  /** The Page's own token. */
  readonly token?: string | undefined;
  readonly tasks?: readonly string[] | undefined;
  /** Its linked account. */
  readonly pics_id?: string | undefined;
  /** Why its account is not known; absent where it could be read. */
  readonly unseen?: Reason | undefined;
  /** Why there is no more. */
  readonly fault?: Reason;
}

const otherId = 'If this is its id in login mode, use the one that pages gives: pics_id.';

async function* pageOfToken(
  context: AnyContext,
  call: Call,
  { pageId, token }: Wanted,
  { profile_id }: TokenInfo,
): Steps<PageOf> {
  const id = pageId ?? profile_id;
  if (id === undefined) return { token };
  if (profile_id !== undefined && profile_id !== id) {
    const message = `The token is that of the Page ${profile_id}, not of ${id}.`;
    return { id, fault: reasonOf('asset', message, `Use the token that pages gives for ${id}.`) };
  }
  if (!isOfPics(context)) return { id, token };
  const { value, refusal } = yield* readPage(context, call, id);
  const unseen = refusal && undetermined('which account is linked to the Page', refusal);
  return { id, token, pics_id: value?.pics_id, unseen };
}

/** The Page as the person sees it: in the list of their Pages, which shows the tasks, or by its id. */
async function* pageOfUser(context: AnyContext, call: Call, { pageId, picsUserId }: Wanted): Steps<PageOf> {
  if (pageId === undefined && picsUserId === undefined) {
    const message = 'No Page was given, and a person may have several.';
    return { fault: reasonOf('unknown', message, 'Give pageId.') };
  }
  let after: string | undefined;
  for (let pages = 0; pages < 2; pages += 1) {
    const { value } = yield* readPages(context, call, after);
    const found = value?.data.find((one) =>
      pageId === undefined ? one.pics_id === picsUserId : one.id === pageId,
    );
    if (found !== undefined) return seen(found, plainTasks(found.tasks));
    after = value?.paging?.next === undefined ? undefined : value.paging.cursors?.after;
    if (after === undefined) break;
  }
  if (pageId === undefined) {
    const message = `No Page of the person shows the account ${picsUserId}.`;
    const fix = `${relogin}, to choose the account and its Page; or link the account to a Page. ${otherId}`;
    return { fault: reasonOf('linked_account', message, fix) };
  }
  const { value, refusal } = yield* readPage(context, call, pageId);
  // The platform gives a token for each Page on which the person has a task.
  if (refusal === undefined) return seen(value, value.access_token === '' ? [] : undefined);
  // Code 100: what is no Page lacks its fields.
  const fault =
    isDenied(refusal) || refusal.code === 100
      ? reasonOf(
          'asset',
          `The token reaches no Page ${pageId}.`,
          `${relogin}, to choose it; or get a task on it; or use the id that pages gives.`,
        )
      : undetermined('whether the person has the Page', refusal);
  return { id: pageId, fault };
}

function seen({ id, access_token, pics_id }: Page, tasks: PageOf['tasks']): PageOf {
  return { id, token: access_token || undefined, pics_id, tasks };
}

/** New Pages name tasks differently, and have one name for all of them. */
function plainTasks(tasks: readonly string[]): readonly string[] {
  const plain = tasks.map((task) => task.replace(/^PROFILE_PLUS_/, ''));
  return plain.includes('FULL_CONTROL') ? allTasks : plain;
}

function pageFields({ platform }: AnyContext): string {
  return `id,name,access_token,${platform.words.linkedAccount}{id,username}`;
}

function readPages(context: AnyContext, call: Call, after: string | undefined) {
  const schema = s.objectOf({
    data: s.arrayOf(pageSchema(context.platform.words.linkedAccount)),
    paging: s.part(s.node({ next: s.text, cursors: s.part(s.node({ after: s.text })) })),
  });
  const query = { fields: `tasks,${pageFields(context)}`, limit: 100, after };
  return read(context, call, 'me/accounts', schema, { query, tokens: 'named' });
}

function readPage(context: AnyContext, call: Call, pageId: string) {
  const schema = pageSchema(context.platform.words.linkedAccount);
  return read(context, call, path`${pageId}`, schema, {
    query: { fields: pageFields(context) },
    tokens: 'named',
  });
}

/** Permissions that outlive the end of the access to data. */
const lasting = /^(?:ads_|pages_|business_management$|read_insights$|public_profile$|email$)/;
/** Permissions that hold for single Pages. */
const singlePages = /^(?:pages_|read_insights$|leads_retrieval$)/;

function lackingIn(
  { scopes, granular_scopes: limits, data_access_expires_at: dataEnds }: TokenInfo,
  permission: string,
  pageId: string | undefined,
  account: string | undefined,
  now: number,
): Reason | undefined {
  // Permission to manage ads includes permission to read them.
  const isGranted =
    scopes.includes(permission) || (permission === 'ads_read' && scopes.includes('ads_management'));
  if (!isGranted) {
    return reasonOf('permission', `The person did not grant ${permission}.`, withScope, { permission });
  }
  const ofPage = singlePages.test(permission) ? pageId : undefined;
  const id = permission.startsWith(picsScopePrefix) ? account : ofPage;
  const targets = limits.find(({ scope }) => scope === permission)?.target_ids;
  if (id !== undefined && targets?.includes(id) === false) {
    const fix = `${relogin}, to choose this Page and its account there.`;
    return reasonOf('asset', `The person granted ${permission}, but not for ${id}.`, fix, { permission });
  }
  if (lasting.test(permission) || !(Number(dataEnds) <= now)) return undefined;
  const message = `${permission} ended 90 days after the person last used the app.`;
  return reasonOf('data_access', message, `${relogin}: the access to data begins anew.`, { permission });
}

function endsSoon(
  { expires_at, data_access_expires_at: dataEnds }: TokenInfo,
  now: number,
): readonly Reason[] {
  const ends = Object.entries({ 'The token': expires_at, 'The access to data': dataEnds });
  return ends.flatMap(([what, at]) =>
    at !== undefined && Number(at) > now && Number(at) <= now + week
      ? [reasonOf('expires_soon', `${what} ends at ${at.toISOString()}.`, `${relogin} before that.`)]
      : [],
  );
}

/** Why calls of page mode do not reach the account. */
function accountFaults(
  { granular_scopes: limits }: TokenInfo,
  { picsUserId }: Wanted,
  page: PageOf,
): readonly Reason[] {
  if (page.unseen !== undefined) return [page.unseen];
  if (page.pics_id !== undefined && (picsUserId === undefined || picsUserId === page.pics_id)) return [];
  // An account that was not chosen in the login is not shown either.
  const isHidden = limits.some(
    ({ scope, target_ids: ids }) =>
      scope.startsWith(picsScopePrefix) && ids !== undefined && !ids.includes(picsUserId ?? ''),
  );
  if (isHidden && picsUserId !== undefined) return [];
  const notLinked = reasonOf(
    'linked_account',
    `The Page shows no linked account${picsUserId === undefined ? '' : ` ${picsUserId}`}${page.pics_id === undefined ? '' : `, but ${page.pics_id}`}.`,
    `Let the person link the professional account to the Page, in the settings of either.${picsUserId === undefined ? '' : ` ${otherId}`}`,
  );
  if (!isHidden) return [notLinked];
  const message = 'The person chose no account of the Page in the login, or another one.';
  return [notLinked, reasonOf('asset', message, `${relogin}, to choose the account there.`)];
}

/** Why events do not arrive: both the Page and the app must be subscribed to a field. */
async function* eventWarnings(
  context: AnyContext,
  call: Call,
  { webhookFields }: Wanted,
  { id, token }: PageOf,
): Steps<readonly Reason[]> {
  const { appId, secret } = context;
  if (webhookFields.length === 0 || !id || !token || appId === undefined) return [];
  const page = yield* read(context, call, path`${id}/subscribed_apps`, subscribedAppsSchema, { token });
  const app = yield* read(context, call, path`${appId}/subscriptions`, appSubscriptions, {
    token: `${appId}|${secret}`,
  });
  const isPics = isOfPics(context);
  return [
    ...subscriptionReasons(
      'Page',
      page,
      (apps) => apps.find(({ id }) => id === appId)?.fields,
      // For its account, any field of the Page is enough.
      isPics ? [] : webhookFields,
      (fields) => `Call subscribePage with ${fields}, or with add: true.`,
    ),
    ...subscriptionReasons(
      'app',
      app,
      ({ data }) => data.find(({ object }) => object === (isPics ? picsPlatform : 'page'))?.fields,
      webhookFields,
      (fields) =>
        `Call subscribeApp with callbackUrl, verifyToken and ${fields}, for the object ${isPics ? 'pics' : 'page'}.`,
    ),
  ];
}

const appSubscriptions = s.objectOf({
  data: s.arrayOf(s.node({ object: s.text, fields: s.part(subscribedFields) })),
});

/** The fields that a subscription lacks, or the whole subscription. */
function subscriptionReasons<TValue>(
  who: string,
  { value, refusal }: ValueOrRefusal<TValue>,
  fieldsIn: (value: TValue) => readonly string[] | undefined,
  wanted: readonly string[],
  fixFor: (fields: string) => string,
): readonly Reason[] {
  // Not the usual advice: who receives no webhooks needs no further permission.
  const permissionFix = 'For webhooks, ask for the permission that this names, too.';
  if (refusal !== undefined)
    return [undetermined(`whether the ${who} is subscribed`, refusal, permissionFix)];
  const subscribed = fieldsIn(value);
  if (subscribed === undefined) {
    const fix = fixFor(wanted.length === 0 ? 'any field' : `the fields ${wanted.join(', ')}`);
    return [reasonOf('subscription', `The ${who} is not subscribed: no event arrives.`, fix)];
  }
  return wanted
    .filter((field) => !subscribed.includes(field))
    .map((field) => {
      const message = `The ${who} is not subscribed to ${field}: its events do not arrive.`;
      return reasonOf('subscription', message, fixFor('these fields'), { field });
    });
}

/** How permissions of login mode begin. */
const scope = `${picsScopePrefix}business_`;

/** For each permission of login mode, the smallest read that needs it. */
const probes: readonly (readonly [name: string, path: string, query: Params])[] = [
  ['basic', 'me', { fields: 'id,user_id' }],
  ['content_publish', 'me/content_publishing_limit', { fields: 'quota_usage' }],
  ['manage_comments', 'me/tags', { fields: 'id', limit: 1 }],
  ['manage_insights', 'me/insights', { metric: 'reach', period: 'day', metric_type: 'total_value' }],
  ['manage_messages', 'me/conversations', { fields: 'id', limit: 1 }],
];

const anyBody = v.pipe(
  v.unknown(),
  v.transform((body) => {
    const data: unknown = Object(body).data;
    return Array.isArray(data) ? (data[0] ?? {}) : body;
  }),
  s.node({ id: s.optionalId, user_id: s.optionalId }),
);

/** The facts about a login-mode token. It cannot be inspected, so they are what it can read. */
export async function* loginFacts(context: PicsContext, call: Call, wanted: Wanted): Steps<Facts> {
  const { permissions, picsUserId } = wanted;
  const asked = probes.filter(([name]) => name === 'basic' || permissions.includes(scope + name));
  const results = await mapConcurrent(asked, ([name, path, query]) =>
    read(context, call, path, anyBody, { query }).map((answer) => [scope + name, answer] as const),
  );
  const found = new Map<string, ValueOrRefusal<Ids>>();
  for (const result of results) found.set(...(yield* result));
  const me = found.get(`${scope}basic`);
  const refusals = [...found.values()].flatMap(({ refusal }) => refusal ?? []);
  const [first] = refusals;
  // An outage, or a rate limit, says nothing about the token.
  const isTold = refusals.length < found.size || refusals.some((one) => isDenied(one) || isDead(one));
  if (first && !isTold) yield* err(first);
  return {
    token: undefined,
    kind: 'account',
    dead: refusedToken(context, wanted.token, refusals),
    lacking: (permission) => refusedPermission(permission, found.get(permission)),
    faults: otherAccount(picsUserId, me?.value),
    tasks: undefined,
    warnings: yield* accountEventWarnings(context, call, wanted),
  };
}

/** Whether the platform refuses the token itself. Without a code, a gateway may have sent it. */
function isDead({ category, code }: AnyRefusal): boolean {
  return code !== undefined && category === 'auth';
}

/** Whether the platform refuses the app, not what the token may do. */
function isOfApp({ message = '' }: { readonly message?: string | undefined }): boolean {
  return refusesApp.test(message);
}

type Ids = v.InferOutput<typeof anyBody>;

/** Why the platform refuses all that is done with the token, if it does. */
function refusedToken(
  context: AnyContext,
  token: string,
  refusals: readonly AnyRefusal[],
): Reason | undefined {
  const refusal = refusals.find(isDead) ?? refusals.find(isOfApp);
  if (refusal === undefined) return undefined;
  return reasonOf(
    'token',
    `The platform refuses the token: ${refusal.message}`,
    fixOf(context, token, refusal),
  );
}

function refusedPermission(
  permission: string,
  read: ValueOrRefusal<unknown> | undefined,
): Reason | undefined {
  const { refusal } = read ?? {};
  if (refusal === undefined) return undefined;
  if (!isDenied(refusal)) return undetermined(`whether ${permission} was granted`, refusal);
  const inbox = permission.endsWith('messages')
    ? ' If it was granted, let the person allow access to messages in the settings of the account.'
    : '';
  const message = `The platform refuses what needs ${permission}.`;
  return reasonOf('permission', message, withScope + inbox, { permission });
}

function otherAccount(wanted: string | undefined, me: Ids | undefined): readonly Reason[] {
  if (wanted === undefined || me === undefined || me.id === wanted || me.user_id === wanted) return [];
  const message = `The token is that of the account ${me.user_id ?? me.id ?? ''}, not of ${wanted}.`;
  return [reasonOf('asset', message, 'Use the token of this account.')];
}

/** In login mode, only the account's subscription can be read: that of the app is shown only in its dashboard. */
async function* accountEventWarnings(
  context: PicsContext,
  call: Call,
  { webhookFields }: Wanted,
): Steps<readonly Reason[]> {
  if (webhookFields.length === 0) return [];
  const { appId } = context;
  const account = yield* read(context, call, 'me/subscribed_apps', subscribedAppsSchema);
  return subscriptionReasons(
    'account',
    account,
    (apps) => apps.find(({ id }) => appId === undefined || id === appId)?.fields,
    webhookFields,
    (fields) => `Call subscribeAccount with ${fields}, or with add: true.`,
  );
}
