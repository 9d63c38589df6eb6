import { editing } from '../auth/grants.ts';
import { subscribableFields } from '../knownNames.ts';
import { onNode, type Call, type Route } from '../route.ts';
import { recordEffect } from '../world.ts';
import type { PageNode } from './nodes.ts';
import { names, subscribedFields } from './values.ts';

const common = {
  hosts: ['graph'],
  on: 'page',
  edge: 'subscribed_apps',
  tokens: ['page'],
  scopes: ['pages_manage_metadata'],
  tasks: editing,
} as const;

export const subscriptionRoutes: readonly Route[] = [
  onNode({
    ...common,
    method: 'POST',
    scopes: (call) => (hasMessages(call) ? ['pages_messaging'] : common.scopes),
    tasks: (call) => (hasMessages(call) ? ['MESSAGING'] : editing),
    params: ['subscribed_fields'],
    required: ['subscribed_fields'],
    run: subscribe,
  }),
  onNode({
    ...common,
    method: 'GET',
    run: ({ world }, page) => ({
      data:
        page.subscribed === undefined
          ? []
          : [
              {
                category: 'Business',
                link: 'https://app.sandbox.test/',
                name: 'Sandbox App',
                id: world.app.id,
                subscribed_fields: page.subscribed,
              },
            ],
    }),
  }),
  onNode({
    ...common,
    method: 'DELETE',
    run: ({ world }, page) => {
      page.subscribed = undefined;
      recordEffect(world, 'unsubscribe', page.id, page.id, {});
      return { success: true };
    },
  }),
];

/** Whether a call names inbox fields, which need other permissions. */
function hasMessages({ params }: Call): boolean {
  return names(params['subscribed_fields']).some((name) => name.startsWith('messag'));
}

function subscribe({ world, params }: Call, page: PageNode): unknown {
  const fields = subscribedFields(params, subscribableFields);
  page.subscribed = fields;
  recordEffect(world, 'subscribe', page.id, page.id, { fields });
  return { success: true };
}
