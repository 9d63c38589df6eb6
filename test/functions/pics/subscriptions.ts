import type { PicsContext } from '../../../src/pics/context.ts';
import type * as subject from '../../../src/pics/subscriptions.ts';
import { isTrue } from '../holds.ts';
import type { Table } from '../table.ts';
import { token } from '../values.ts';
import { account } from './shared.ts';

export const subscriptions: Table<PicsContext, typeof subject> = {
  subscribeAccount: {
    modes: ['login'],
    kinds: { token: 'token', picsUserId: 'account', fields: 'names', add: 'flag' },
    variants: [
      { token, ...account, fields: ['comments'] },
      { token, ...account, fields: ['comments'], add: true },
    ],
    routes: {
      'GET 17/subscribed_apps': [
        { data: [{ app_id: 'pics-app-id', subscribed_fields: ['mentions'] }] },
        { data: [{ app_id: 'pics-app-id', subscribed_fields: ['mentions', 'comments'] }] },
      ],
      'POST 17/subscribed_apps': { success: true },
    },
    holds: isTrue,
    options: ({ own }) => own,
    writes: [{ kind: 'subscribe', lost: { path: /\/subscribed_apps$/ } }],
  },
};
