import type { Err } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { path } from '../core/http/path.ts';
import { platformNow } from '../core/http/platformClock.ts';
import { send, sendForResponse } from '../core/http/send.ts';
import type { Call } from '../core/http/types.ts';
import { picsPlatform } from '../core/platform.ts';
import { isObject, objectOf, prepared, string } from '../core/schema.ts';
import { arrayOf, node, part, text } from '../models/fields.ts';
import { type Page, pageSchema, subscribedAppsSchema } from '../models/page.ts';
import { type TokenInfo, tokenInspection } from '../models/tokens.ts';
import type { PageContext } from '../page/context.ts';
import type { PicsContext } from '../pics/context.ts';
import type { Wanted } from './checkConnection.ts';
import {
  allTasks,
  type Read,
  readOrRefusal,
  type Facts,
  isDenied,
  type Reason,
  relogin,
  subscriptionReasons,
  untold,
} from './report.ts';
import { picsScopePrefix } from './requirements.ts';

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
  const info = yield* sendForResponse(context, {
    ...call,
    ...tokenInspection(context, `${appId}|${secret}`, wanted.token),
  }).map(({ value, redact }) => ({ ...value, error: redact(value.error) }));
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
  if (!info.is_valid) return { ...known, dead: deadToken(info) };
  const page = yield* kind === 'user'
    ? pageOfUser(context, call, wanted)
    : pageOfToken(context, call, wanted, info);
  const account = wanted.picsUserId ?? page.pics_id;
  const isShown = lackingIn(info, 'pages_show_list', page.id, account, now)?.code !== 'asset';
  const events = yield* eventWarnings(context, page.token && { ...call, token: page.token }, wanted, page.id);
  return {
    ...known,
    faults: [...page.faults, ...(isOfPics(context) ? accountFaults(info, wanted, page) : [])],
    // Do not report as absent what the platform does not show.
    tasks: isShown ? page.tasks : undefined,
    lacking: (permission) => lackingIn(info, permission, page.id, account, now),
    warnings: [...endsSoon(info, now), ...events],
  };
}

function deadToken({ error }: TokenInfo): Reason {
  const why: Readonly<Record<number, string>> = {
    458: 'the person removed the app',
    459: 'the platform wants the person to log in there first',
    460: 'the person changed the password',
    463: 'it has expired',
    467: 'its session was ended',
    492: 'the person lost the role on the Page',
  };
  const reason = why[error?.subcode ?? 0];
  return {
    code: 'token',
    message: `The token is not valid${reason === undefined ? '' : `: ${reason}`}.`,
    fix: `${relogin}, and store the new tokens.`,
  };
}

interface PageOf {
  readonly id: string | undefined;
  /** The Page's own token. */
  readonly token: string | undefined;
  readonly tasks: readonly string[] | undefined;
  /** Its linked account. */
  readonly pics_id: string | undefined;
  /** Why its account is not known; absent where it could be read. */
  readonly unseen?: Reason | undefined;
  readonly faults: readonly Reason[];
}

const noPage: PageOf = { id: undefined, token: undefined, tasks: undefined, pics_id: undefined, faults: [] };

async function* pageOfToken(
  context: AnyContext,
  call: Call,
  { pageId, token }: Wanted,
  { profile_id: own }: TokenInfo,
): Steps<PageOf> {
  const id = pageId ?? own;
  if (id === undefined) return { ...noPage, token };
  if (own !== undefined && own !== id) {
    const message = `The token is that of the Page ${own}, not of ${id}.`;
    return {
      ...noPage,
      id,
      faults: [{ code: 'asset', message, fix: `Use the token that pages gives for ${id}.` }],
    };
  }
  if (!isOfPics(context)) return { ...noPage, id, token };
  const { value, refusal } = yield* readPage(context, call, id);
  const unseen = refusal && untold('Which account is linked to the Page', refusal);
  return { ...noPage, id, token, pics_id: value?.pics_id, unseen };
}

/** The Page as the person sees it: in the list of their Pages, which shows the tasks, or by its id. */
async function* pageOfUser(context: AnyContext, call: Call, { pageId, picsUserId }: Wanted): Steps<PageOf> {
  if (pageId === undefined && picsUserId === undefined) {
    const message = 'No Page was given, and a person may have several.';
    return { ...noPage, faults: [{ code: 'unknown', message, fix: 'Give pageId.' }] };
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
    const fix = `${relogin}, to choose the account and its Page; or link the account to a Page.`;
    return { ...noPage, faults: [{ code: 'linked_account', message, fix }] };
  }
  const { value, refusal } = yield* readPage(context, call, pageId);
  // The platform gives a token for each Page on which the person has a task.
  if (refusal === undefined) return seen(value, value.access_token === '' ? [] : undefined);
  const fault: Reason = isDenied(refusal)
    ? {
        code: 'asset',
        message: `The platform shows the person no Page ${pageId}.`,
        fix: `${relogin}, to choose the Page; or let somebody who manages it give the person a task.`,
      }
    : untold('Whether the person has the Page', refusal);
  return { ...noPage, id: pageId, faults: [fault] };
}

function seen({ id, access_token, pics_id }: Page, tasks: PageOf['tasks']): PageOf {
  return { ...noPage, id, token: access_token || undefined, pics_id, tasks };
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
  return readOrRefusal(
    send(context, {
      ...call,
      method: 'GET',
      path: 'me/accounts',
      query: { fields: `tasks,${pageFields(context)}`, limit: 100, after },
      tokens: 'named',
      schema: objectOf({
        data: arrayOf(pageSchema(context.platform.words.linkedAccount)),
        paging: part(node({ next: text, cursors: part(node({ after: text })) })),
      }),
    }),
  );
}

function readPage(context: AnyContext, call: Call, pageId: string): Read<Page> {
  return readOrRefusal(
    send(context, {
      ...call,
      method: 'GET',
      path: path`${pageId}`,
      query: { fields: pageFields(context) },
      tokens: 'named',
      schema: pageSchema(context.platform.words.linkedAccount),
    }),
  );
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
    return {
      code: 'permission',
      message: `The person did not grant ${permission}.`,
      permission,
      fix: `${relogin}, with this permission among its scopes.`,
    };
  }
  const id = permission.startsWith(picsScopePrefix)
    ? account
    : singlePages.test(permission)
      ? pageId
      : undefined;
  const targets = limits.find(({ scope }) => scope === permission)?.target_ids;
  if (id !== undefined && targets?.includes(id) === false) {
    return {
      code: 'asset',
      message: `The person granted ${permission}, but not for ${id}.`,
      permission,
      fix: `${relogin}, to choose this Page and its account there.`,
    };
  }
  if (lasting.test(permission) || !(Number(dataEnds) <= now)) return undefined;
  return {
    code: 'data_access',
    message: `${permission} ended 90 days after the person last used the app.`,
    permission,
    fix: `${relogin}: the access to data begins anew.`,
  };
}

function endsSoon(
  { expires_at, data_access_expires_at: dataEnds }: TokenInfo,
  now: number,
): readonly Reason[] {
  const ends = [
    { what: 'The token', at: expires_at },
    { what: 'The access to data', at: dataEnds },
  ];
  return ends
    .filter(({ at }) => at !== undefined && at.getTime() > now && at.getTime() <= now + week)
    .map(({ what, at }) => ({
      code: 'expires_soon',
      message: `${what} ends at ${at?.toISOString()}.`,
      fix: `${relogin} before that.`,
    }));
}

/** Why calls of page mode do not reach the account. */
function accountFaults(
  { granular_scopes: limits }: TokenInfo,
  { picsUserId }: Wanted,
  page: PageOf,
): readonly Reason[] {
  if (page.faults.length > 0) return [];
  if (page.unseen !== undefined) return [page.unseen];
  if (page.pics_id !== undefined && (picsUserId === undefined || picsUserId === page.pics_id)) return [];
  // An account that was not chosen in the login is not shown either.
  const isHidden = limits.some(
    ({ scope, target_ids: ids }) =>
      scope.startsWith(picsScopePrefix) && ids !== undefined && !ids.includes(picsUserId ?? ''),
  );
  if (isHidden && picsUserId !== undefined) return [];
  const notLinked: Reason = {
    code: 'linked_account',
    message: `The Page shows no linked account${picsUserId === undefined ? '' : ` ${picsUserId}`}.`,
    fix: 'Let the person link the professional account to the Page, in the settings of either.',
  };
  if (!isHidden) return [notLinked];
  const message = 'The person chose no account of the Page in the login, or another one.';
  return [notLinked, { code: 'asset', message, fix: `${relogin}, to choose the account there.` }];
}

/** Why events do not arrive: both the Page and the app must be subscribed to a field. */
async function* eventWarnings(
  context: AnyContext,
  call: Call | '' | undefined,
  { webhookFields }: Wanted,
  pageId: string | undefined,
): Steps<readonly Reason[]> {
  const { appId, secret } = context;
  if (webhookFields.length === 0 || pageId === undefined || !call || appId === undefined) return [];
  const [page, app] = [
    yield* readOrRefusal(
      send(context, {
        ...call,
        method: 'GET',
        path: path`${pageId}/subscribed_apps`,
        schema: subscribedAppsSchema,
      }),
    ),
    yield* readOrRefusal(
      send(context, {
        ...call,
        method: 'GET',
        path: path`${appId}/subscriptions`,
        token: `${appId}|${secret}`,
        schema: appSubscriptions,
      }),
    ),
  ];
  const ofPage = page.value?.find((one) => one.id === appId)?.fields;
  const object = isOfPics(context) ? picsPlatform : 'page';
  const ofApp = app.value?.data.find((one) => one.object === object)?.fields;
  return [
    ...(page.refusal
      ? [untold('Whether the Page is subscribed', page.refusal)]
      : // For its account, any field of the Page is enough.
        subscriptionReasons(
          'The Page',
          ofPage,
          isOfPics(context) ? [] : webhookFields,
          'Call subscribePage with these fields, or with add: true.',
        )),
    ...(app.refusal
      ? [untold('Whether the app is subscribed', app.refusal)]
      : subscriptionReasons(
          'The app',
          ofApp,
          webhookFields,
          `Call subscribeApp with these fields, for the object ${isOfPics(context) ? 'pics' : 'page'}.`,
        )),
  ];
}

const appSubscriptions = objectOf({
  data: arrayOf(
    node({
      object: text,
      fields: part(arrayOf(prepared((field) => (isObject(field) ? field['name'] : field), string))),
    }),
  ),
});
