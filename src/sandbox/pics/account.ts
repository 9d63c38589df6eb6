import { invalid, refuse } from '../errors.ts';
import type { Selection } from '../fields.ts';
import { digits } from '../json.ts';
import {
  loginAccountEdges,
  loginAccountFields,
  pageAccountEdges,
  pageAccountFields,
  webhookFields,
} from '../knownNames.ts';
import { names, timeParam, subscribedFields } from '../page/values.ts';
import { nested, withoutNext } from '../paging.ts';
import { onNode, type Call, type Route } from '../route.ts';
import { nestedCall, readNode, select, type Shape } from '../select.ts';
import { listed, recordEffect } from '../world.ts';
import { both, loginMode, loginOnly, needs } from './access.ts';
import { mentionedComment, mentionedMedia } from './community.ts';
import { publishedSince } from './containerState.ts';
import { accountInsights } from './insights.ts';
import { discoveredMediaShape, mediaOf } from './mediaShape.ts';
import type { PicsAccountNode } from './nodes.ts';
import { hasShop } from './shop.ts';

function insights(call: Call, account: PicsAccountNode, { args }: Selection): unknown {
  return accountInsights(nestedCall(call, args, needs(['manage_insights'])(call)), account);
}

const discoveredShape: Shape<PicsAccountNode> = {
  type: 'ShadowIGUser',
  fields: [
    'biography',
    'followers_count',
    'follows_count',
    'has_profile_pic',
    'id',
    'ig_id',
    'is_published',
    'media_count',
    'name',
    'profile_picture_url',
    'username',
    'website',
  ],
  defaults: [],
  read: (account, call) => pageShape.read(account, call),
  expand: {
    media: (call, account, selection) =>
      withoutNext(nested(call, discoveredMediaShape, mediaOf(call.world, account.id), selection, '')),
  },
};

/** Another professional account, by its name. A personal one and an unknown one are refused alike. */
function discover(call: Call, _account: PicsAccountNode, { args, fields }: Selection): unknown {
  const scopes = needs(['manage_insights'])(call);
  const inner = nestedCall(call, args, scopes);
  const { username } = args;
  if (username === undefined) return invalid('The parameter username is required');
  const [found] = listed(call.world, 'picsAccount', (one) => one.username === username);
  if (found === undefined) {
    return refuse({
      code: 110,
      error_subcode: 2_207_013,
      message: 'Invalid user id',
      error_user_title: 'Cannot find User',
      error_user_msg: `The user with username: ${username} cannot be found.`,
    });
  }
  return select(inner, discoveredShape, found, fields ?? []);
}

const pageShape: Shape<PicsAccountNode> = {
  type: 'IGUser',
  fields: pageAccountFields,
  defaults: [],
  edges: pageAccountEdges,
  read: (account, { world }) => ({
    id: account.id,
    username: account.username,
    name: account.name,
    biography: 'Coffee by the water \u{2615}',
    website: 'https://harbour.sandbox.test/',
    followers_count: world.tuning.pics.followers,
    follows_count: 310,
    media_count: mediaOf(world, account.id).length,
    profile_picture_url: `https://cdn.sandbox.test/${account.id}/picture.jpg`,
    has_profile_pic: true,
    is_published: true,
    shopping_product_tag_eligibility: hasShop(world, account),
  }),
  expand: {
    business_discovery: discover,
    insights,
    mentioned_comment: mentionedComment,
    mentioned_media: mentionedMedia,
  },
};

const loginShape: Shape<PicsAccountNode> = {
  ...pageShape,
  expand: { insights },
  fields: loginAccountFields,
  edges: loginAccountEdges,
  read: (account, call) => ({
    ...pageShape.read(account, call),
    id: account.scopedId,
    user_id: digits(account.id),
    account_type: 'BUSINESS',
  }),
};

export const accountRoutes: readonly Route[] = [
  onNode({
    ...both,
    method: 'GET',
    on: 'picsAccount',
    scopes: needs(['basic']),
    params: ['adgroup_id'],
    run: (call, account) => {
      if (!loginMode(call)) return readNode(call, pageShape, account);
      const found = readNode(call, loginShape, account);
      return call.world.tuning.pics.wrapped ? { data: [found] } : found;
    },
  }),
  onNode({
    ...both,
    method: 'GET',
    on: 'picsAccount',
    edge: 'content_publishing_limit',
    scopes: needs(['content_publish']),
    params: ['since'],
    run: (call, account) => ({ data: [readNode(call, limitShape, account)] }),
  }),
  onNode({
    ...loginOnly,
    method: 'POST',
    on: 'picsAccount',
    edge: 'subscribed_apps',
    scopes: subscribing,
    params: ['subscribed_fields'],
    required: ['subscribed_fields'],
    run: subscribe,
  }),
  onNode({
    ...loginOnly,
    method: 'GET',
    on: 'picsAccount',
    edge: 'subscribed_apps',
    scopes: needs(['basic']),
    run: ({ world }, { subscribed }) => ({
      data: subscribed === undefined ? [] : [{ app_id: world.picsApp.id, subscribed_fields: subscribed }],
    }),
  }),
  onNode({
    ...loginOnly,
    method: 'DELETE',
    on: 'picsAccount',
    edge: 'subscribed_apps',
    scopes: needs(['basic']),
    run: ({ world }, account) => {
      account.subscribed = undefined;
      recordEffect(world, 'unsubscribe', account.id, account.id, {});
      return { success: true };
    },
  }),
];

/** Each field needs the permissions for reading the same data. */
function subscribing(call: Call): readonly string[] {
  const needed = names(call.params['subscribed_fields']).flatMap((name) => {
    if (/^(?:messag|standby)/.test(name)) return 'manage_messages';
    if (name === 'story_insights') return 'manage_insights';
    return /^(?:live_)?comments$|^mentions$/.test(name) ? 'manage_comments' : [];
  });
  return needs(['basic', ...needed])(call);
}

const dayS = 86_400;

const limitShape: Shape<PicsAccountNode> = {
  type: 'ContentPublishingLimitResponse',
  fields: ['config', 'quota_usage'],
  defaults: ['quota_usage'],
  read: (account, call) => ({
    quota_usage: publishedSince(call.world, account.id, since(call)),
    config: { quota_total: call.world.tuning.pics.quotaTotal, quota_duration: dayS },
  }),
};

function since(call: Call): number {
  const oldest = call.world.now() - dayS * 1000;
  const asked = timeParam(call, 'since');
  if (asked === undefined) return oldest;
  return asked * 1000 < oldest - 999 ? invalid('Param since must not be older than 24 hours') : asked * 1000;
}

function subscribe({ world, params }: Call, account: PicsAccountNode): unknown {
  const fields = subscribedFields(params, webhookFields);
  account.subscribed = fields;
  recordEffect(world, 'subscribe', account.id, account.id, { fields });
  return { success: true };
}
