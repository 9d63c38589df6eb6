import { livePlatform } from '../../core/platform.ts';
import { invalid, refuse } from '../errors.ts';
import { webhookFields, subscribableFields } from '../knownNames.ts';
import { randomText } from '../random.ts';
import { onNode, type Call, type Route } from '../route.ts';
import { recordEffect } from '../world.ts';
import type { AppNode } from './nodes.ts';
import { flag, names, oneOf } from './values.ts';

const on = { hosts: ['graph'], on: 'app', edge: 'subscriptions', tokens: ['app'], scopes: [] } as const;
const objects = ['page', 'permissions', 'user', livePlatform.words.picsPlatform];
const mostToken = 64;

/** Webhook subscriptions of the whole app, which are made with the app's own token. */
export const appSubscriptionRoutes: readonly Route[] = [
  onNode({
    ...on,
    method: 'GET',
    run: (call, { subscriptions }) => ({
      data: [...subscriptions].map(([object, { callbackUrl, fields }]) => ({
        object,
        callback_url: callbackUrl,
        active: true,
        fields: fields.map((name) => ({ name, version: call.version })),
      })),
    }),
  }),
  onNode({
    ...on,
    method: 'POST',
    params: ['object', 'callback_url', 'verify_token', 'include_values'],
    required: ['object', 'callback_url', 'verify_token', 'fields'],
    before: shakeHands,
    run: subscribe,
  }),
  onNode({ ...on, method: 'DELETE', params: ['object'], run: unsubscribe }),
];

/** Reads and checks the request for a subscription. */
function readSubscription({ params }: Call): {
  object: string;
  url: string;
  token: string;
  fields: string[];
} {
  const object = oneOf(params, 'object', objects) ?? invalid('The parameter object is required');
  const { callback_url: url = '', verify_token: token = '' } = params;
  if (!/^https?:/.test(url) || !URL.canParse(url))
    return invalid('callback_url should represent a valid URL');
  if (token === '') return invalid('The parameter verify_token is required');
  if (token.length > mostToken) {
    return invalid(`Param verify_token must be at most ${mostToken} characters long`);
  }
  flag(params, 'include_values');
  const fields = names(params['fields']);
  const known = { page: subscribableFields, [livePlatform.words.picsPlatform]: webhookFields }[object];
  const unknown = fields.find((name) => known?.includes(name) === false);
  if (unknown !== undefined) return invalid(`Param fields has an unknown value: ${unknown}`);
  return { object, url, token, fields };
}

/** The platform verifies the callback address within the call. */
async function shakeHands(call: Call): Promise<void> {
  const { url, token } = readSubscription(call);
  const challenge = randomText(call.world.random, 12);
  const address = new URL(url);
  for (const [name, value] of Object.entries({ mode: 'subscribe', challenge, verify_token: token })) {
    address.searchParams.set(`hub.${name}`, value);
  }
  let response: Response;
  try {
    response = await call.world.callBack(new Request(address));
  } catch {
    return failed(
      'The callback URL or verify token could not be validated: curl_errno = 7; curl_error = Failed to connect',
    );
  }
  const text = await response.text();
  if (response.status !== 200)
    return failed(`HTTP Status Code = ${response.status}; HTTP Message = ${response.statusText}`);
  if (text !== challenge) return refuse({ code: 2200, message: '(#2200) callback verification failed: ' });
}

function failed(errors: string): never {
  return refuse({
    code: 2200,
    message: `(#2200) Callback verification failed with the following errors: ${errors}`,
  });
}

/** Adds fields to the subscribed ones. Each object has one address. */
function subscribe(call: Call, app: AppNode): unknown {
  const { object, url, fields } = readSubscription(call);
  const known = app.subscriptions.get(object)?.fields ?? [];
  app.subscriptions.set(object, { callbackUrl: url, fields: [...new Set([...known, ...fields])] });
  recordEffect(call.world, 'app_subscribe', app.id, app.id, { object, fields, callback_url: url });
  return { success: true };
}

/** Removes some fields, or all of an object, or everything. */
function unsubscribe({ world, params }: Call, { id, subscriptions }: AppNode): unknown {
  const object = oneOf(params, 'object', objects);
  const gone = names(params['fields']);
  if (object === undefined) subscriptions.clear();
  const known = subscriptions.get(object ?? '');
  const fields = known?.fields.filter((name) => !gone.includes(name)) ?? [];
  if (known !== undefined && gone.length > 0 && fields.length > 0) {
    subscriptions.set(object ?? '', { ...known, fields });
  } else subscriptions.delete(object ?? '');
  recordEffect(world, 'app_unsubscribe', id, id, { object, fields: gone });
  return { success: true };
}
