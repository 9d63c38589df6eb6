import { livePlatform } from '../../core/platform.ts';
import { pageTokenFor } from '../auth/tokens.ts';
import { invalid } from '../errors.ts';
import { list } from '../paging.ts';
import type { PicsAccountNode } from '../pics/nodes.ts';
import { onNode, type Call, type Route } from '../route.ts';
import { readNode, select, type Shape } from '../select.ts';
import { find, listed, recordEffect, type Token } from '../world.ts';
import { linkedFields, pageEdges, pageFields, userEdges, userFields } from './knownNames.ts';
import type { PageNode, UserNode } from './nodes.ts';

const linkedAccount = livePlatform.words.linkedAccount;

const userShape: Shape<UserNode> = {
  type: 'User',
  fields: userFields,
  defaults: ['name'],
  edges: userEdges,
  read: (user, call) => ({
    id: user.id,
    name: user.name,
    first_name: user.name.split(' ')[0],
    last_name: user.name.split(' ')[1],
    email: call.token.scopes.includes('email') ? user.email : undefined,
  }),
  expand: {
    picture: (_call, user, { args }) => {
      const side = args['type'] === 'large' ? 200 : 50;
      const url = `https://cdn.sandbox.test/${user.id}/${side}.jpg`;
      return { data: { height: side, is_silhouette: false, url, width: side } };
    },
  },
};

const linkedShape: Shape<PicsAccountNode> = {
  type: 'IGUser',
  fields: linkedFields,
  defaults: [],
  read: (account) => ({ id: account.id, username: account.username, name: account.name }),
};

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
    is_published: true,
    followers_count: 1200,
    fan_count: 1180,
    access_token:
      call.token.kind === 'user' ? pageTokenFor(call.world, call.token, page.id).value : call.token.value,
  }),
  expand: {
    [linkedAccount]: (call, page, selection) => {
      const account = page.picsId === undefined ? undefined : find(call.world, 'picsAccount', page.picsId);
      return account === undefined ? undefined : select(call, linkedShape, account, selection.fields ?? []);
    },
  },
};

/** A Page as an entry of `accounts`, which adds fields of its own. */
const accountShape: Shape<PageNode> = {
  ...pageShape,
  fields: pageFields,
  defaults: ['access_token', 'category', 'category_list', 'name', 'tasks'],
  read: (page, call) => ({
    ...pageShape.read(page, call),
    tasks: ['ADVERTISE', 'ANALYZE', 'CREATE_CONTENT', 'MESSAGING', 'MODERATE', 'MANAGE'],
  }),
};

export const userRoutes: readonly Route[] = [
  onNode({
    method: 'GET',
    hosts: ['graph'],
    on: 'user',
    tokens: ['user'],
    scopes: [],
    run: (call, user) => readNode(call, userShape, user),
  }),
  onNode({
    method: 'GET',
    hosts: ['graph'],
    on: 'page',
    tokens: ['user', 'page'],
    scopes: [],
    run: (call, page) => readNode(call, pageShape, page),
  }),
  onNode({
    method: 'GET',
    hosts: ['graph'],
    on: 'user',
    edge: 'accounts',
    tokens: ['user'],
    scopes: ['pages_show_list'],
    params: ['ad_id', 'is_place', 'is_promotable'],
    run: (call, user) => {
      const pages = listed(call.world, 'page', (page) => page.owners.includes(user.id));
      return list(call, accountShape, pages.toReversed());
    },
  }),
  onNode({
    method: 'DELETE',
    hosts: ['graph'],
    on: 'user',
    edge: 'permissions',
    tokens: ['user'],
    scopes: [],
    params: ['permission'],
    run: revoke,
  }),
];

function revoke(call: Call, user: UserNode): unknown {
  const { world, params } = call;
  const permission = params['permission'];
  const granted = [...world.tokens.values()].filter(
    (token) => token.userId === user.id && token.kind !== 'pics',
  );
  if (permission !== undefined && !granted.some((token) => token.scopes.includes(permission))) {
    return invalid(`Permission ${permission} is not granted`);
  }
  for (const token of granted) withdraw(token, permission);
  recordEffect(world, 'revoke', user.id, undefined, { permission });
  return { success: true };
}

function withdraw(token: Token, permission: string | undefined): void {
  if (permission === undefined) token.death = 458;
  else token.scopes = token.scopes.filter((scope) => scope !== permission);
}
