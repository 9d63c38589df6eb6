import type { Node } from '../nodes.ts';
import { type Call, inLoginMode, needs, on, type Route } from '../route.ts';
import { names, subscribedFields, wordsIn } from '../values.ts';
import { succeed } from '../world.ts';

/** The webhook fields of an account. */
export const webhookFields: readonly string[] = wordsIn(`
  comment_poll_response comments creator_marketplace_invited_creator_onboarding
  creator_marketplace_projects delta follow live_comments mentions message_edit message_reactions
  messages messaging_handover messaging_optins messaging_postbacks messaging_referral messaging_seen
  onboarding_welcome_message_series share_to_story standby story_insights story_poll_response
  story_reactions
`);

/** Each field needs the permissions for reading the same data. */
function subscribing(call: Call): readonly string[] {
  const needed = names(call.params['subscribed_fields']).flatMap((name) => {
    if (/^(?:messag|standby)/.test(name)) return 'manage_messages';
    if (name === 'story_insights') return 'manage_insights';
    return /^(?:live_)?comments$|^mentions$/.test(name) ? 'manage_comments' : [];
  });
  return needs(['basic', ...needed])(call);
}

function subscribe({ world, params }: Call, account: Node<'picsAccount'>): unknown {
  const fields = subscribedFields(params, webhookFields);
  account.subscribed = fields;
  return succeed(world, 'subscribe', account.id, account.id, { fields });
}

function subscriptionOf({ world }: Call, { subscribed }: Node<'picsAccount'>): unknown {
  const all = subscribed === undefined ? [] : [{ app_id: world.picsApp.id, subscribed_fields: subscribed }];
  return { data: all };
}

function unsubscribe({ world }: Call, account: Node<'picsAccount'>): unknown {
  account.subscribed = undefined;
  return succeed(world, 'unsubscribe', account.id, account.id, {});
}

const basic = inLoginMode(['basic']);
const ofFields = { ...basic, scopes: subscribing };

export const picsSubscriptionRoutes: readonly Route[] = [
  on('GET', 'picsAccount', 'subscribed_apps', basic, subscriptionOf),
  on('POST', 'picsAccount', 'subscribed_apps', ofFields, subscribe, 'subscribed_fields!'),
  on('DELETE', 'picsAccount', 'subscribed_apps', basic, unsubscribe),
];
