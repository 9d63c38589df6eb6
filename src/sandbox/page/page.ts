import { livePlatform } from '../../core/platform.ts';
import { isGrantedFor, linkedTo, tasksOn } from '../auth/grants.ts';
import { pageTokenFor } from '../auth/tokens.ts';
import { digits } from '../json.ts';
import { linkedFields, pageEdges, pageFields } from '../knownNames.ts';
import type { PicsAccountNode } from '../pics/nodes.ts';
import { type Call, onNode, redirectTo, type Route } from '../route.ts';
import { nestedCall, select, type Shape, readNode } from '../select.ts';
import { find, type World } from '../world.ts';
import { pageInsights } from './insights.ts';
import type { PageNode } from './nodes.ts';
import { flag, oneOf } from './values.ts';

const linkedAccount = livePlatform.words.linkedAccount;

const linkedShape: Shape<PicsAccountNode> = {
  type: 'IGUser',
  fields: linkedFields,
  defaults: [],
  read: (account) => ({ id: account.id, username: account.username, name: account.name }),
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

const pageShape: Shape<PageNode> = {
  type: 'Page',
  fields: pageFields.filter((name) => name !== 'tasks' && name !== 'perms'),
  defaults: ['name'],
  edges: pageEdges,
  read: (page, call) => ({
    id: page.id,
    name: page.name,
    category: 'Business',
    category_list: [{ id: '2200', name: 'Business' }],
    link: `https://page.sandbox.test/${page.id}`,
    username: page.name.toLowerCase().replaceAll(/[^a-z]+/g, '.'),
    about: `${page.name}, at your service`,
    description: `All about ${page.name}.`,
    phone: '+49 30 1234567',
    emails: [`hello@${page.id}.sandbox.test`],
    website: `https://www.sandbox.test/${page.id}`,
    single_line_address: 'Kanalstr. 1, Berlin, Germany',
    location,
    hours: { mon_1_open: '09:00', mon_1_close: '18:00' },
    is_always_open: false,
    is_permanently_closed: false,
    is_published: true,
    is_webhooks_subscribed: page.subscribed !== undefined,
    has_transitioned_to_new_page_experience: true,
    verification_status: 'not_verified',
    followers_count: 1200,
    fan_count: 1180,
    talking_about_count: 12,
    rating_count: 8,
    overall_star_rating: 4.5,
    cover: {
      id: digits(`9${page.id}`),
      source: `https://cdn.sandbox.test/${page.id}/cover.jpg`,
      offset_x: 0,
      offset_y: 50,
    },
    access_token: tokenOf(call, page),
  }),
  expand: {
    insights: (call, page, { args }) =>
      pageInsights(nestedCall(call, args, ['read_insights'], ['ANALYZE']), page),
    picture: (_call, page, { args }) => pictureOf(page.id, args),
    [linkedAccount]: (call, page, selection) => {
      const account = find(call.world, 'picsAccount', linkedTo(call.world, call.token, page.id) ?? '');
      return account === undefined ? undefined : select(call, linkedShape, account, selection.fields ?? []);
    },
  },
};

/** A Page as an entry of `accounts`, which adds fields of its own. */
export const accountShape: Shape<PageNode> = {
  ...pageShape,
  fields: pageFields,
  defaults: ['access_token', 'category', 'category_list', 'name', 'tasks'],
  read: (page, call) => ({ ...pageShape.read(page, call), tasks: tasksOn(call.token, page) }),
};

/** A person gets a token only for Pages on which they have a task and which they ticked in the dialog. */
function tokenOf(call: Call, page: PageNode): string | undefined {
  if (call.token.kind !== 'user') return call.token.value;
  return tokenReaches(call, page) ? pageTokenFor(call.world, call.token, page.id).value : undefined;
}

/** Whether the person has a task on a Page, and granted the app access to it. */
export function tokenReaches({ world, token }: Call, page: PageNode): boolean {
  return tasksOn(token, page).length > 0 && isGrantedFor(world, token, 'pages_show_list', page.id);
}

const sides: Readonly<Record<string, number>> = { small: 50, normal: 100, album: 50, large: 200, square: 50 };

/** The picture of a person or a Page, as the value of a field. */
export function pictureOf(id: string, params: Call['params']): { readonly data: object } {
  const side = sides[oneOf(params, 'type', Object.keys(sides)) ?? 'square'] ?? 50;
  const width = Number(params['width'] ?? params['height'] ?? side);
  const height = Number(params['height'] ?? params['width'] ?? side);
  return {
    data: { height, is_silhouette: false, url: `https://cdn.sandbox.test/${id}/${width}.jpg`, width },
  };
}

/** `GET /{id}/picture` redirects to the picture itself, unless `redirect` is off. */
export function pictureRoute(on: 'user' | 'page'): Route {
  return onNode({
    method: 'GET',
    hosts: ['graph'],
    on,
    edge: 'picture',
    tokens: ['user', 'page'],
    scopes: [],
    params: ['breaking_change', 'height', 'redirect', 'type', 'width'],
    run: ({ params }, { id }) => {
      const picture = pictureOf(id, params);
      if (flag(params, 'redirect') === false) return picture;
      return redirectTo((picture.data as { readonly url: string }).url);
    },
  });
}

/** A Page itself. */
export const pageNodeRoutes: readonly Route[] = [
  pictureRoute('page'),
  onNode({
    method: 'GET',
    hosts: ['graph'],
    on: 'page',
    tokens: ['user', 'page'],
    scopes: ({ token }) => (token.kind === 'page' ? ['pages_read_engagement'] : []),
    run: (call, page) => readNode(call, pageShape, page),
  }),
];
