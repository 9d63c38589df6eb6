import { livePlatform } from '../../core/platform.ts';
import type { Node } from '../nodes.ts';
import { webhookFields } from '../pics/subscriptions.ts';
import { type Access, type Call, editing, ofPage, on, type Route } from '../route.ts';
import { flag, invalid, names, oneOf, refuse, subscribedFields, wordsIn } from '../values.ts';
import { randomText, succeed } from '../world.ts';

/** Whether a call subscribes to inbox fields, which need other permissions. */
function hasMessages({ params }: Call): boolean {
  return names(params['subscribed_fields']).some((name) => name.startsWith('messag'));
}

function subscriptionOf({ world }: Call, { subscribed }: Node<'page'>): unknown {
  if (subscribed === undefined) return { data: [] };
  const app = {
    category: 'Business',
    link: 'https://app.sandbox.test/',
    name: 'Sandbox App',
    id: world.app.id,
  };
  return { data: [{ ...app, subscribed_fields: subscribed }] };
}

function unsubscribePage({ world }: Call, page: Node<'page'>): unknown {
  page.subscribed = undefined;
  return succeed(world, 'unsubscribe', page.id, page.id, {});
}

function subscribePage({ world, params }: Call, page: Node<'page'>): unknown {
  const fields = subscribedFields(params, pageFields);
  page.subscribed = fields;
  return succeed(world, 'subscribe', page.id, page.id, { fields });
}

/** The webhook fields of a Page. */
const pageFields = wordsIn(`
  affiliation attire awards bio birthday business_integrity call_permission_reply call_settings_update
  calls category checkins comment_poll_response company_overview conversations culinary_team
  current_location description email feature_access_list feed follow founded general_info
  general_manager group_feed hometown hours inbox_labels invalid_topic_placeholder
  invoice_access_bank_slip_events invoice_access_invoice_change invoice_access_invoice_draft_change
  invoice_access_onboarding_status_active leadgen leadgen_fat leadgen_update live_videos
  local_delivery location marketing_message_clicks marketing_message_deliveries
  marketing_message_delivery_failed marketing_message_echoes marketing_message_reads
  marketing_messages_subscriber_upload_status mcom_invoice_change members mention merchant_review
  message_context message_deliveries message_echoes message_edits message_mention message_reactions
  message_reads message_template_status_update messages messaging_account_linking
  messaging_appointments messaging_checkout_updates messaging_customer_information
  messaging_direct_sends messaging_fblogin_account_linking messaging_feedback messaging_game_plays
  messaging_handovers messaging_in_thread_lead_form_submit messaging_integrity messaging_optins
  messaging_optouts messaging_payments messaging_policy_enforcement messaging_postbacks
  messaging_pre_checkouts messaging_referrals mission name page_about_story page_change_proposal
  page_upcoming_change parking payment_options payment_request_update personal_info personal_interests
  phone picture price_range product_review products public_transit publisher_subscriptions ratings
  registration response_feedback send_cart standby story_poll_response story_share user_action
  video_text_question_responses videos website
`);

const objects = ['page', 'permissions', 'user', livePlatform.words.picsPlatform];
const maxTokenLength = 64;

function subscriptionsOfApp({ version }: Call, { subscriptions }: Node<'app'>): unknown {
  const data = [...subscriptions].map(([object, { callbackUrl, fields }]) => ({
    object,
    callback_url: callbackUrl,
    active: true,
    fields: fields.map((name) => ({ name, version })),
  }));
  return { data };
}

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
  if (token.length > maxTokenLength) {
    return invalid(`Param verify_token must be at most ${maxTokenLength} characters long`);
  }
  flag(params, 'include_values');
  const fields = names(params['fields']);
  const known = { page: pageFields, [livePlatform.words.picsPlatform]: webhookFields }[object];
  const unknown = fields.find((name) => known?.includes(name) === false);
  if (unknown !== undefined) return invalid(`Param fields has an unknown value: ${unknown}`);
  return { object, url, token, fields };
}

/** The platform verifies the callback address within the call. */
async function verifyCallback(call: Call): Promise<void> {
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
  if (text !== challenge) return refuse(2200, '(#2200) callback verification failed: ');
}

function failed(errors: string): never {
  return refuse(2200, `(#2200) Callback verification failed with the following errors: ${errors}`);
}

/** Adds fields to the subscribed ones. Each object has one address. */
function subscribeApp(call: Call, app: Node<'app'>): unknown {
  const { object, url, fields } = readSubscription(call);
  const known = app.subscriptions.get(object)?.fields ?? [];
  app.subscriptions.set(object, { callbackUrl: url, fields: [...new Set([...known, ...fields])] });
  return succeed(call.world, 'app_subscribe', app.id, app.id, { object, fields, callback_url: url });
}

/** Removes some fields, or all of an object, or everything. */
function unsubscribeApp({ world, params }: Call, { id, subscriptions }: Node<'app'>): unknown {
  const object = oneOf(params, 'object', objects);
  const removed = names(params['fields']);
  if (object === undefined) subscriptions.clear();
  const known = subscriptions.get(object ?? '');
  const fields = known?.fields.filter((name) => !removed.includes(name)) ?? [];
  if (known !== undefined && removed.length > 0 && fields.length > 0) {
    subscriptions.set(object ?? '', { ...known, fields });
  } else subscriptions.delete(object ?? '');
  return succeed(world, 'app_unsubscribe', id, id, { object, fields: removed });
}

const manages = ofPage(['pages_manage_metadata'], editing);
/** Inbox fields need other permissions. */
const subscribing: Access<unknown> = {
  ...manages,
  scopes: (call) => (hasMessages(call) ? ['pages_messaging'] : ['pages_manage_metadata']),
  tasks: (call) => (hasMessages(call) ? ['MESSAGING'] : editing),
};
const ofApp: Access<unknown> = { hosts: ['graph'], tokens: ['app'], scopes: [] };
const subscribeParams = 'object! callback_url! verify_token! include_values fields!';

/** The webhook subscriptions of a Page, and those of the whole app, which are made with the app's own token. */
export const subscriptionRoutes: readonly Route[] = [
  on('GET', 'page', 'subscribed_apps', manages, subscriptionOf),
  on('POST', 'page', 'subscribed_apps', subscribing, subscribePage, 'subscribed_fields!'),
  on('DELETE', 'page', 'subscribed_apps', manages, unsubscribePage),
  on('GET', 'app', 'subscriptions', ofApp, subscriptionsOfApp),
  { ...on('POST', 'app', 'subscriptions', ofApp, subscribeApp, subscribeParams), before: verifyCallback },
  on('DELETE', 'app', 'subscriptions', ofApp, unsubscribeApp, 'object'),
];
