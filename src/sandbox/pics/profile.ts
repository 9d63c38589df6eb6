import { insightsWithin } from '../insights.ts';
import type { Node } from '../nodes.ts';
import { type Call, inBothModes, loginMode, needs, on, type Route } from '../route.ts';
import * as s from '../shapes.ts';
import { digits, invalid, refuse, timeParam } from '../values.ts';
import { listed } from '../world.ts';
import { accountInsights } from './insights.ts';
import { discoveredMediaShape, mediaOf } from './media.ts';
import { mentionedComment, mentionedMedia } from './mentions.ts';
import { hasShop } from './products.ts';
import { publishedSince } from './publishing.ts';

const insights = insightsWithin(accountInsights, { scopes: needs(['manage_insights']) });

/** Another professional account, by its name. A personal one and an unknown one are refused alike. */
function discover(call: Call, _account: Node<'picsAccount'>, { args, fields }: s.Selection): unknown {
  const scopes = needs(['manage_insights'])(call);
  const inner = s.nestedCall(call, args, scopes);
  const { username } = args;
  if (username === undefined) return invalid('The parameter username is required');
  const [found] = listed(call.world, 'picsAccount', (one) => one.username === username);
  if (found === undefined) {
    return refuse(110, 'Invalid user id', {
      error_subcode: 2_207_013,
      error_user_title: 'Cannot find User',
      error_user_msg: `The user with username: ${username} cannot be found.`,
    });
  }
  return s.select(inner, discoveredShape, found, fields ?? []);
}

const pageShape: s.Shape<Node<'picsAccount'>> = {
  type: 'IGUser',
  defaults: [],
  fields: {
    ...s.members<Node<'picsAccount'>>('id', 'username', 'name'),
    ...s.always(true, 'has_profile_pic is_published'),
    biography: () => 'Coffee by the water \u{2615}',
    website: () => 'https://harbour.sandbox.test/',
    followers_count: (_, { world }) => world.tuning.pics.followers,
    follows_count: () => 310,
    media_count: (account, call) => mediaOf(call, account).length,
    profile_picture_url: (account) => `https://cdn.sandbox.test/${account.id}/picture.jpg`,
    shopping_product_tag_eligibility: (account, { world }) => hasShop(world, account),
  },
  expand: {
    business_discovery: discover,
    insights,
    mentioned_comment: mentionedComment,
    mentioned_media: mentionedMedia,
  },
};

const loginShape: s.Shape<Node<'picsAccount'>> = {
  type: pageShape.type,
  defaults: [],
  fields: {
    ...s.only(
      pageShape.fields,
      'biography followers_count follows_count media_count name profile_picture_url username website',
    ),
    id: (account) => account.scopedId,
    user_id: (account) => digits(account.id),
    account_type: () => 'BUSINESS',
  },
  expand: { insights },
};

/** An account as everybody sees it. */
const discoveredShape: s.Shape<Node<'picsAccount'>> = {
  type: 'ShadowIGUser',
  defaults: [],
  fields: s.only(
    pageShape.fields,
    `biography followers_count follows_count has_profile_pic id is_published media_count name profile_picture_url
    username website`,
  ),
  expand: {
    media: (call, account, selection) =>
      s.withoutNext(
        s.listsWithin(discoveredMediaShape, mediaOf, { isAlways: true })(call, account, selection),
      ),
  },
};

const dayS = 86_400;

const limitShape: s.Shape<Node<'picsAccount'>> = {
  type: 'ContentPublishingLimitResponse',
  defaults: ['quota_usage'],
  fields: {
    quota_usage: (account, call) => publishedSince(call.world, account.id, since(call)),
    config: (_, call) => ({ quota_total: call.world.tuning.pics.quotaTotal, quota_duration: dayS }),
  },
};

function since(call: Call): number {
  const oldest = call.world.now() - dayS * 1000;
  const asked = timeParam(call, 'since');
  if (asked === undefined) return oldest;
  return asked * 1000 < oldest - 999 ? invalid('Param since must not be older than 24 hours') : asked * 1000;
}

function profile(call: Call, account: Node<'picsAccount'>): unknown {
  if (!loginMode(call)) return s.readNode(call, pageShape, account);
  const found = s.readNode(call, loginShape, account);
  return call.world.tuning.pics.wrapped ? { data: [found] } : found;
}

function publishingLimit(call: Call, account: Node<'picsAccount'>): unknown {
  return { data: [s.readNode(call, limitShape, account)] };
}

const publishes = inBothModes(['content_publish']);

export const profileRoutes: readonly Route[] = [
  on('GET', 'picsAccount', '', inBothModes(['basic']), profile, 'adgroup_id'),
  on('GET', 'picsAccount', 'content_publishing_limit', publishes, publishingLimit, 'since'),
];
