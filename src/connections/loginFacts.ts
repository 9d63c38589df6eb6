import type { Err } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { mapConcurrent } from '../core/http/concurrency.ts';
import { send } from '../core/http/send.ts';
import type { Call, Params } from '../core/http/types.ts';
import { prepared } from '../core/schema.ts';
import { node, optionalId } from '../models/fields.ts';
import { subscribedAppsSchema } from '../models/page.ts';
import type { PicsContext } from '../pics/context.ts';
import type { Wanted } from './checkConnection.ts';
import {
  type ValueOrRefusal,
  readOrRefusal,
  type Facts,
  isDenied,
  type Reason,
  relogin,
  subscriptionReasons,
  untold,
} from './report.ts';
import { picsScopePrefix } from './requirements.ts';

const basic = `${picsScopePrefix}business_basic`;

interface Probe {
  readonly permission: string;
  readonly path: string;
  readonly query: Params;
}

/** For each permission of login mode, the smallest read that needs it. */
const probes: readonly Probe[] = (
  [
    ['basic', 'me', { fields: 'id,user_id' }],
    ['content_publish', 'me/content_publishing_limit', { fields: 'quota_usage' }],
    ['manage_comments', 'me/tags', { fields: 'id', limit: 1 }],
    ['manage_insights', 'me/insights', { metric: 'reach', period: 'day', metric_type: 'total_value' }],
    ['manage_messages', 'me/conversations', { fields: 'id', limit: 1 }],
  ] as const
).map(([name, path, query]) => ({
  permission: basic.replace('basic', name),
  path,
  query,
}));

const anyBody = prepared(
  (body) => {
    const data: unknown = Object(body).data;
    return Array.isArray(data) ? (data[0] ?? {}) : body;
  },
  node({ id: optionalId, user_id: optionalId }),
);

/** The facts about a login-mode token. It cannot be inspected, so they are what it can read. */
export async function* loginFacts(
  context: PicsContext,
  call: Call,
  wanted: Wanted,
): AsyncGenerator<Err<never, Failure>, Facts, undefined> {
  const { permissions, picsUserId } = wanted;
  const asked = probes.filter(({ permission }) => permission === basic || permissions.includes(permission));
  const results = await mapConcurrent(asked, ({ path, query }) =>
    readOrRefusal(send(context, { ...call, method: 'GET', path, query, schema: anyBody })),
  );
  const found = new Map<string, ValueOrRefusal<Ids>>();
  for (const [at, result] of results.entries()) found.set(asked[at]?.permission ?? '', yield* result);
  const me = found.get(basic);
  const refusals = [...found.values()].flatMap(({ refusal }) => refusal ?? []);
  return {
    token: undefined,
    kind: 'account',
    dead: deadToken(refusals),
    lacking: (permission) => lackingIn(permission, found.get(permission)),
    faults: picsUserId === undefined ? [] : accountFaults(picsUserId, me?.value),
    tasks: undefined,
    warnings: yield* eventWarnings(context, call, wanted),
  };
}

interface Ids {
  readonly id?: string | undefined;
  readonly user_id?: string | undefined;
}

function deadToken(refusals: readonly NonNullable<ValueOrRefusal<unknown>['refusal']>[]): Reason | undefined {
  const refusal = refusals.find(({ category }) => category === 'auth');
  if (refusal === undefined) return undefined;
  return {
    code: 'token',
    message: `The platform refuses the token: ${refusal.message}`,
    fix: `${relogin}, and store the new token.`,
  };
}

function lackingIn(permission: string, read: ValueOrRefusal<unknown> | undefined): Reason | undefined {
  const { refusal } = read ?? {};
  if (refusal === undefined) return undefined;
  if (!isDenied(refusal)) return untold(`Whether ${permission} was granted`, refusal);
  const inbox = permission.endsWith('messages')
    ? ' If it was granted, let the person allow access to messages in the settings of the account.'
    : '';
  return {
    code: 'permission',
    message: `The platform refuses what needs ${permission}.`,
    permission,
    fix: `${relogin}, with this permission among its scopes.${inbox}`,
  };
}

function accountFaults(picsUserId: string, me: Ids | undefined): readonly Reason[] {
  if (me === undefined || me.id === picsUserId || me.user_id === picsUserId) return [];
  const message = `The token is that of the account ${me.user_id ?? me.id ?? ''}, not of ${picsUserId}.`;
  return [{ code: 'asset', message, fix: 'Use the token of this account.' }];
}

/**
 * In login mode, only the account's subscription can be read: that of the app is shown only in its dashboard.
 */
async function* eventWarnings(
  context: PicsContext,
  call: Call,
  wanted: Wanted,
): AsyncGenerator<Err<never, Failure>, readonly Reason[], undefined> {
  const { webhookFields } = wanted;
  if (webhookFields.length === 0) return [];
  const { value, refusal } = yield* readOrRefusal(
    send(context, {
      ...call,
      method: 'GET',
      path: 'me/subscribed_apps',
      schema: subscribedAppsSchema,
    }),
  );
  if (refusal !== undefined) return [untold('Whether the account is subscribed', refusal)];
  const own = value?.find(({ id }) => context.appId === undefined || id === context.appId);
  return subscriptionReasons(
    'The account',
    own?.fields,
    webhookFields,
    'Call subscribeAccount with these fields, or with add: true.',
  );
}
