import { denied, invalid } from '../errors.ts';
import { onNode, type Call, type Route } from '../route.ts';
import { recordEffect } from '../world.ts';
import { subscribableFields } from './knownNames.ts';
import type { PageNode } from './nodes.ts';
import { names } from './values.ts';

const common = {
  hosts: ['graph'],
  on: 'page',
  edge: 'subscribed_apps',
  tokens: ['page'],
  scopes: ['pages_manage_metadata', 'pages_show_list'],
} as const;

export const subscriptionRoutes: readonly Route[] = [
  onNode({
    ...common,
    method: 'POST',
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

function subscribe({ world, params, token }: Call, page: PageNode): unknown {
  const fields = names(params['subscribed_fields']);
  const unknown = fields.find((name) => !subscribableFields.includes(name));
  if (unknown !== undefined) {
    return invalid(
      `Param subscribed_fields[${fields.indexOf(unknown)}] must be one of {${subscribableFields.join(', ')}} - got "${unknown}".`,
    );
  }
  if (fields.some((name) => name.startsWith('messag')) && !token.scopes.includes('pages_messaging')) {
    return denied('To subscribe to the messages field, one of these permissions is needed: pages_messaging');
  }
  page.subscribed = fields;
  recordEffect(world, 'subscribe', page.id, page.id, { fields });
  return { success: true };
}
