import { livePlatform } from '../core/platform.ts';
import type { Node } from './nodes.ts';
import { type Access, type Call, editing, inLoginMode, needs, ofPage, on, type Route } from './route.ts';
import { flag, invalid, names, oneOf, refuse, wordsIn } from './values.ts';
import { randomText, succeed } from './world.ts';

/** The webhook fields of a Page. */
const pageFields = wordsIn(`
  affiliation agent_messages agent_questions attire awards bio birthday business_integrity call_permission_reply call_settings_update
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

/** The webhook fields of an account. */
const accountFields: readonly string[] = wordsIn(`
  agent_messages comment_poll_response comments creator_marketplace_invited_creator_onboarding
  creator_marketplace_projects delta follow live_comments mentions message_edit message_reactions
  messages messaging_handover messaging_optins messaging_postbacks messaging_referral messaging_seen
  onboarding_welcome_message_series share_to_story standby story_insights story_poll_response
  story_reactions
`);

/** Subscribes a Page or an account to fields. They take the place of the ones before. */
function subscribe(known: readonly string[]) {
  return ({ world, params }: Call, owner: Node<'page' | 'picsAccount'>): unknown => {
    const fields = names(params['subscribed_fields']);
    const at = fields.findIndex((name) => !known.includes(name));
    if (at >= 0) {
      const values = known.join(', ');
      return invalid(`Param subscribed_fields[${at}] must be one of {${values}} - got "${fields[at]}".`);
    }
    owner.subscribed = fields;
    return succeed(world, 'subscribe', owner.id, owner.id, { fields });
  };
}

function unsubscribe({ world }: Call, owner: Node<'page' | 'picsAccount'>): unknown {
  owner.subscribed = undefined;
  return succeed(world, 'unsubscribe', owner.id, owner.id, {});
}

/** Lists the app, if the Page or account is subscribed. */
function subscriptions(appOf: (call: Call) => object) {
  return (call: Call, { subscribed }: Node<'page' | 'picsAccount'>): unknown => ({
    data: subscribed === undefined ? [] : [{ ...appOf(call), subscribed_fields: subscribed }],
  });
}

function appOfPage({ world }: Call): object {
  const link = 'https://app.sandbox.test/';
  return { category: 'Business', link, name: 'Sandbox App', id: world.app.id };
}

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
function readSubscription({ params }: Call) {
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
  const known = { page: pageFields, [livePlatform.words.picsPlatform]: accountFields }[object];
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

/** Whether a call subscribes to inbox fields, which need other permissions. */
function hasMessages({ params }: Call): boolean {
  return names(params['subscribed_fields']).some((name) => name.startsWith('messag'));
}

/** Each field needs the permissions for reading the same data. */
function permissionsFor(call: Call): readonly string[] {
  const needed = names(call.params['subscribed_fields']).flatMap((name) => {
    if (/^(?:messag|standby)/.test(name)) return 'manage_messages';
    if (name === 'story_insights') return 'manage_insights';
    return /^(?:live_)?comments$|^mentions$/.test(name) ? 'manage_comments' : [];
  });
  return needs(['basic', ...needed])(call);
}

const manages = ofPage(['pages_manage_metadata'], editing);
const subscribing: Access<unknown> = {
  ...manages,
  scopes: (call) => (hasMessages(call) ? ['pages_messaging'] : ['pages_manage_metadata']),
  tasks: (call) => (hasMessages(call) ? ['MESSAGING'] : editing),
};
// The app's own token ends what the token of a Page began, also when that is dead.
const ending: Access<unknown> = {
  ...manages,
  tokens: ['page', 'app'],
  scopes: ({ token }) => (token.kind === 'app' ? [] : ['pages_manage_metadata']),
  tasks: ({ token }) => (token.kind === 'app' ? [] : editing),
};
const basic = inLoginMode(['basic']);
const ofFields: Access<unknown> = { ...basic, scopes: permissionsFor };
const ofApp: Access<unknown> = { hosts: ['graph'], tokens: ['app'], scopes: [] };
const subscribeParams = 'object! callback_url! verify_token! include_values fields!';
const ofAccount = subscriptions(({ world }) => ({ app_id: world.picsApp.id }));

/** Webhook subscriptions: of a Page, of an account, and of the whole app, which are made with the app's own token. */
export const subscriptionRoutes: readonly Route[] = [
  on('GET', 'page', 'subscribed_apps', manages, subscriptions(appOfPage)),
  on('POST', 'page', 'subscribed_apps', subscribing, subscribe(pageFields), 'subscribed_fields!'),
  on('DELETE', 'page', 'subscribed_apps', ending, unsubscribe),
  on('GET', 'picsAccount', 'subscribed_apps', basic, ofAccount),
  on('POST', 'picsAccount', 'subscribed_apps', ofFields, subscribe(accountFields), 'subscribed_fields!'),
  on('DELETE', 'picsAccount', 'subscribed_apps', basic, unsubscribe),
  on('GET', 'app', 'subscriptions', ofApp, subscriptionsOfApp),
  { ...on('POST', 'app', 'subscriptions', ofApp, subscribeApp, subscribeParams), before: verifyCallback },
  on('DELETE', 'app', 'subscriptions', ofApp, unsubscribeApp, 'object'),
];
