import { list } from '../paging.ts';
import { onNode, type Call, type Route } from '../route.ts';
import type { Shape } from '../select.ts';
import { listed } from '../world.ts';
import type { BusinessNode, PageNode } from './nodes.ts';
import { accountShape } from './page.ts';

const businessShape: Shape<BusinessNode> = {
  type: 'Business',
  fields: [
    'block_offline_analytics',
    'created_by',
    'created_time',
    'extended_updated_time',
    'id',
    'is_hidden',
    'link',
    'name',
    'payment_account_id',
    'primary_page',
    'profile_picture_uri',
    'timezone_id',
    'two_factor_type',
    'updated_by',
    'updated_time',
    'user_access_expire_time',
    'verification_status',
    'vertical',
    'vertical_id',
  ],
  defaults: ['name'],
  read: ({ id, name }) => ({ id, name, verification_status: 'not_verified' }),
};

const common = {
  method: 'GET',
  hosts: ['graph'],
  tokens: ['user'],
  scopes: ['business_management'],
} as const;

/** Business portfolios, and the Pages that they own or serve. */
export const businessRoutes: readonly Route[] = [
  onNode({
    ...common,
    on: 'user',
    edge: 'businesses',
    run: (call, user) => {
      const own = listed(call.world, 'business', ({ owners }) => owners.includes(user.id));
      return list(call, businessShape, own.toReversed());
    },
  }),
  onNode({
    ...common,
    on: 'business',
    edge: 'owned_pages',
    run: (call, { ownedPages }) => list(call, accountShape, pagesOf(call, ownedPages)),
  }),
  onNode({
    ...common,
    on: 'business',
    edge: 'client_pages',
    run: (call, { clientPages }) => list(call, accountShape, pagesOf(call, clientPages)),
  }),
];

function pagesOf({ world }: Call, ids: readonly string[]): PageNode[] {
  return listed(world, 'page', ({ id }) => ids.includes(id)).toReversed();
}
