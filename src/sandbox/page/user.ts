import { invalid } from '../errors.ts';
import { userEdges, userFields } from '../knownNames.ts';
import { list } from '../paging.ts';
import { onNode, type Call, type Route } from '../route.ts';
import { readNode, type Shape } from '../select.ts';
import { listed, recordEffect, type Token } from '../world.ts';
import type { UserNode } from './nodes.ts';
import { accountShape, tokenReaches, pictureOf, pictureRoute } from './page.ts';
import { oneOf } from './values.ts';

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
    picture: (_call, user, { args }) => pictureOf(user.id, args),
    permissions: (call, _user, { args }) => permissionsOf({ ...call, params: args }),
  },
};

export const userRoutes: readonly Route[] = [
  pictureRoute('user'),
  onNode({
    method: 'GET',
    hosts: ['graph'],
    on: 'user',
    tokens: ['user'],
    scopes: ['public_profile'],
    run: (call, user) => readNode(call, userShape, user),
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
      const pages = listed(
        call.world,
        'page',
        (page) => page.isDirect && page.owners.includes(user.id) && tokenReaches(call, page),
      );
      return list(call, accountShape, pages.toReversed());
    },
  }),
  onNode({
    method: 'GET',
    hosts: ['graph'],
    on: 'user',
    edge: 'permissions',
    tokens: ['user'],
    scopes: [],
    params: ['permission', 'status'],
    run: permissionsOf,
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

/** The granted permissions. The sandbox does not remember which ones were declined in the dialog. */
function permissionsOf({ token, params }: Call): unknown {
  const status = oneOf(params, 'status', ['granted', 'declined', 'expired']) ?? 'granted';
  const { permission = '' } = params;
  const granted = token.scopes.filter((scope) => permission === '' || scope === permission);
  const data = status === 'granted' ? granted : [];
  return { data: data.map((scope) => ({ permission: scope, status: 'granted' })) };
}

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
