import { livePlatform } from '../../core/platform.ts';
import { insightsWithin } from '../insights.ts';
import type { Node } from '../nodes.ts';
import * as route from '../route.ts';
import { at, type Call, on, type OpenCall, type Route } from '../route.ts';
import { always, list, lists, members, only, reads, select, type Shape } from '../shapes.ts';
import { demandToken, pageTokenFor, tokensOf } from '../tokens.ts';
import { denied, digits, flag, invalid, oneOf, wordsIn } from '../values.ts';
import { find, listed, succeed, type World } from '../world.ts';
import { pageInsights } from './insights.ts';

const linkedAccount = livePlatform.words.linkedAccount;

const linkedShape: Shape<Node<'picsAccount'>> = {
  type: 'IGUser',
  defaults: [],
  fields: members('id', 'username', 'name'),
};

const location = {
  city: 'Berlin',
  country: 'Germany',
  street: 'Kanalstr. 1',
  zip: '12047',
  latitude: 52.49,
  longitude: 13.43,
};

/** A Page as the place of a post. */
export function placeAt(world: World, placeId: string | undefined): object | undefined {
  const page = find(world, 'page', placeId ?? '');
  return page && { name: page.name, location, id: page.id };
}

const pageShape: Shape<Node<'page'>> = {
  type: 'Page',
  defaults: ['name'],
  blank:
    'bio birthday business checkins company_overview founded general_info impressum mission page_backed_threads_account_id parent_page products',
  fields: {
    ...members<Node<'page'>>('id', 'name'),
    ...always(false, 'is_always_open is_permanently_closed'),
    ...always(true, 'is_published has_transitioned_to_new_page_experience'),
    category: () => 'Business',
    category_list: () => [{ id: '2200', name: 'Business' }],
    link: (page) => `https://page.sandbox.test/${page.id}`,
    username: (page) => page.name.toLowerCase().replaceAll(/[^a-z]+/g, '.'),
    about: (page) => `${page.name}, at your service`,
    description: (page) => `All about ${page.name}.`,
    phone: () => '+49 30 1234567',
    emails: (page) => [`hello@${page.id}.sandbox.test`],
    website: (page) => `https://www.sandbox.test/${page.id}`,
    single_line_address: () => 'Kanalstr. 1, Berlin, Germany',
    location: () => location,
    hours: () => ({ mon_1_open: '09:00', mon_1_close: '18:00' }),
    is_webhooks_subscribed: (page) => page.subscribed !== undefined,
    verification_status: () => 'not_verified',
    followers_count: () => 1200,
    fan_count: () => 1180,
    talking_about_count: () => 12,
    rating_count: () => 8,
    overall_star_rating: () => 4.5,
    cover: (page) => ({
      id: digits(`9${page.id}`),
      source: `https://cdn.sandbox.test/${page.id}/cover.jpg`,
      offset_x: 0,
      offset_y: 50,
    }),
    access_token: (page, call) => tokenOf(call, page),
  },
  expand: {
    insights: insightsWithin(pageInsights, { scopes: () => ['read_insights'], tasks: ['ANALYZE'] }),
    picture: (_call, page, { args }) => pictureOf(page.id, args),
    [linkedAccount]: (call, page, selection) => {
      const account = find(call.world, 'picsAccount', route.linkedTo(call.world, call.token, page.id) ?? '');
      return account === undefined ? undefined : select(call, linkedShape, account, selection.fields ?? []);
    },
  },
};

/** A Page as an entry of `accounts`, which adds fields of its own. */
const accountShape: Shape<Node<'page'>> = {
  ...pageShape,
  defaults: ['access_token', 'category', 'category_list', 'name', 'tasks'],
  fields: { ...pageShape.fields, tasks: (page, call) => route.tasksOn(call.token, page) },
};

/** A person gets a token only for Pages on which they have a task and which they ticked in the dialog. */
function tokenOf(call: Call, page: Node<'page'>): string | undefined {
  if (call.token.kind === 'page') return undefined;
  if (call.token.kind !== 'user') return call.token.value;
  return tokenReaches(call, page) ? pageTokenFor(call.world, call.token, page.id).value : undefined;
}

/** Whether the person has a task on a Page, and granted the app access to it. */
function tokenReaches({ world, token }: Call, page: Node<'page'>): boolean {
  return (
    route.tasksOn(token, page).length > 0 && route.isGrantedFor(world, token, 'pages_show_list', page.id)
  );
}

const sides: Readonly<Record<string, number>> = { small: 50, normal: 100, album: 50, large: 200, square: 50 };

/** The picture of a person or a Page, as the value of a field. */
function pictureOf(id: string, params: Call['params']) {
  const side = sides[oneOf(params, 'type', Object.keys(sides)) ?? 'square'] ?? 50;
  const width = Number(params['width'] ?? params['height'] ?? side);
  const height = Number(params['height'] ?? params['width'] ?? side);
  const url = `https://cdn.sandbox.test/${id}/${width}.jpg`;
  return { data: { height, is_silhouette: false, url, width } };
}

/** `GET /{id}/picture` redirects to the picture itself, unless `redirect` is off. */
function picture({ params }: Call, { id }: Node<'user' | 'page'>): unknown {
  const found = pictureOf(id, params);
  return flag(params, 'redirect') === false ? found : route.redirectTo(found.data.url);
}

const userShape: Shape<Node<'user'>> = {
  type: 'User',
  defaults: ['name'],
  blank: 'birthday gender hometown languages link locale location middle_name name_format timezone',
  fields: {
    ...members<Node<'user'>>('id', 'name'),
    first_name: (user) => user.name.split(' ')[0],
    last_name: (user) => user.name.split(' ')[1],
    email: (user, call) => (call.token.scopes.includes('email') ? user.email : undefined),
  },
  expand: {
    picture: (_call, user, { args }) => pictureOf(user.id, args),
    permissions: (call, user, { args }) => permissionsOf({ ...call, params: args }, user),
  },
};

/** The permissions that the token has, and those that the person declined in the last dialog. None expires. */
function permissionsOf({ token, params }: Call, { declined = [] }: Node<'user'>): unknown {
  const status = oneOf(params, 'status', ['granted', 'declined', 'expired']);
  const { permission = '' } = params;
  const all = [...new Set([...token.scopes, ...declined])].map((scope) => ({
    permission: scope,
    status: token.scopes.includes(scope) ? 'granted' : 'declined',
  }));
  const data = all.filter(
    (one) =>
      (status === undefined || one.status === status) && (permission === '' || one.permission === permission),
  );
  return { data };
}

function revoke(call: Call, user: Node<'user'>): unknown {
  const { world, params } = call;
  const permission = params['permission'];
  const granted = tokensOf(world, user.id);
  if (permission !== undefined && !granted.some((token) => token.scopes.includes(permission))) {
    return invalid(`Permission ${permission} is not granted`);
  }
  for (const token of granted) {
    if (permission === undefined) token.death = 458;
    else token.scopes = token.scopes.filter((scope) => scope !== permission);
  }
  return succeed(world, 'revoke', user.id, undefined, { permission });
}

const businessShape: Shape<Node<'business'>> = {
  type: 'Business',
  defaults: ['name'],
  fields: { ...members<Node<'business'>>('id', 'name'), verification_status: () => 'not_verified' },
};

/** Lists the Pages that a portfolio owns, or those that it serves. */
function pagesIn(list: 'ownedPages' | 'clientPages') {
  return lists(accountShape, ({ world }, business: Node<'business'>) =>
    listed(world, 'page', ({ id }) => business[list].includes(id)).toReversed(),
  );
}

/** The Pages of a person, without those that are reached through a business portfolio only. */
function accounts(call: Call, user: Node<'user'>): Node<'page'>[] {
  return listed(
    call.world,
    'page',
    (page) => page.isDirect && page.owners.includes(user.id) && tokenReaches(call, page),
  ).toReversed();
}

function businesses({ world }: Call, user: Node<'user'>): Node<'business'>[] {
  return listed(world, 'business', ({ owners }) => owners.includes(user.id)).toReversed();
}

const placeShape: Shape<Node<'page'>> = {
  ...pageShape,
  defaults: ['name'],
  blank: '',
  expand: {},
  fields: {
    ...only(pageShape.fields, 'id name link location verification_status'),
    ...always(false, 'is_eligible_for_branded_content is_unclaimed'),
  },
};

/** Searches all Pages by words of their names. It takes the token of a person, always with its proof. */
function searchPages(open: OpenCall): unknown {
  const token = demandToken(open.world, open.params['access_token'], open.host);
  if (token.kind !== 'user' || open.params['appsecret_proof'] === undefined) {
    return denied('To use Page Public Metadata Access, your use of this endpoint must be reviewed.', 10);
  }
  const words = wordsIn((open.params['q'] ?? '').toLowerCase());
  const found = listed(open.world, 'page', ({ name }) =>
    words.every((word) => name.toLowerCase().includes(word)),
  );
  return list({ ...open, token }, placeShape, found);
}

/** Whether a Page keeps the rules, as the test tunes it. Fields that no documented sample has are left out. */
function pageStatus({ world }: Call, { id }: Node<'page'>): unknown {
  const { status } = world.tuning.pages;
  const now = Math.floor(world.now() / 1000);
  const about = { violation_type: ['SPAM'] };
  const url = `https://page.sandbox.test/${id}/rules`;
  const isOk = status === 'ok';
  const isRestricted = status === 'restricted' || status === 'suspended';
  const restriction = {
    feature: 'page_messaging_api',
    description: 'The Page cannot send messages by API',
    applied_time: now,
    expiration_time: now + 7 * 86_400,
    ...about,
  };
  return {
    id,
    timestamp: now,
    status,
    violations: isOk ? [] : [{ type: 'SPAM', description: 'Too many equal messages', url, severity: 'LOW' }],
    restrictions: isRestricted ? [restriction] : [],
    recommended_actions: isOk ? [] : [{ action_type: 'FILE_APPEAL', url, ...about }],
    actions_events: [],
  };
}

const anyone: route.Access<unknown> = { hosts: ['graph'], tokens: ['user', 'page'], scopes: [] };
const aboutPage: route.Access<unknown> = {
  ...anyone,
  scopes: ({ token }) => (token.kind === 'page' ? ['pages_read_engagement'] : ['pages_show_list']),
};
const showing = route.ofUser(['pages_show_list']);
const portfolio = route.ofUser(['business_management']);

/** People, their Pages, and the business portfolios that own or serve Pages. */
export const pageRoutes: readonly Route[] = [
  on('GET', 'user', '', route.ofUser(['public_profile']), reads(userShape)),
  on('GET', ['user', 'page'], 'picture', anyone, picture, 'breaking_change height redirect type width'),
  on('GET', 'user', 'accounts', showing, lists(accountShape, accounts), 'ad_id is_place is_promotable'),
  on('GET', 'user', 'permissions', route.ofUser([]), permissionsOf, 'permission status'),
  on('DELETE', 'user', 'permissions', route.ofUser([]), revoke, 'permission'),
  on('GET', 'user', 'businesses', portfolio, lists(businessShape, businesses)),
  on('GET', 'business', 'owned_pages', portfolio, pagesIn('ownedPages')),
  on('GET', 'business', 'client_pages', portfolio, pagesIn('clientPages')),
  on('GET', 'page', '', aboutPage, reads(pageShape)),
  on('GET', 'page', 'page_status', route.ofPage(['pages_manage_metadata']), pageStatus),
  at('GET', 'graph', '/pages/search', searchPages, 'q!'),
];
