import type { PageContext } from '../../../src/page/context.ts';
import * as page from '../../../src/page/index.ts';
import type * as subject from '../../../src/page/subscriptions.ts';
import { at } from '../../hostile/kinds.ts';
import { onPage } from '../at.ts';
import { isRecord, isText, isTrue } from '../holds.ts';
import type { Table } from '../table.ts';
import { entryToken, pageToken, paging } from '../values.ts';

const webhooks = {
  object: 'page',
  callbackUrl: 'https://app.example/webhooks',
  verifyToken: 'verify-token',
  fields: ['feed'],
} as const;

export const subscriptions: Table<PageContext, typeof subject> = {
  subscribePage: {
    kinds: { pageId: 'id', pageToken: 'token', fields: 'names', add: 'flag' },
    variants: [
      { pageId: '42', pageToken, fields: ['feed'] },
      { pageId: '42', pageToken, fields: ['feed'], add: true },
    ],
    routes: {
      'GET 42/subscribed_apps': [
        { data: [{ id: 'app-id', subscribed_fields: ['mention'] }], paging },
        { data: [{ id: 'app-id', subscribed_fields: ['mention', 'feed'] }], paging },
      ],
      'POST 42/subscribed_apps': { success: true },
    },
    holds: isTrue,
    options: onPage,
    writes: [{ kind: 'subscribe', lost: { path: /\/subscribed_apps$/ } }],
  },
  subscriptions: {
    kinds: { pageId: 'id', pageToken: 'token' },
    variants: [{ pageId: '42', pageToken }],
    routes: { 'GET 42/subscribed_apps': { data: [{ id: '1', subscribed_fields: ['feed'] }] } },
    holds: (value: unknown[]) => value.every(isRecord),
    options: onPage,
  },
  unsubscribePage: {
    kinds: { pageId: 'id', pageToken: 'token' },
    variants: [{ pageId: '42', pageToken }],
    routes: { 'DELETE 42/subscribed_apps': { success: true } },
    holds: isTrue,
    options: onPage,
    writes: [{ kind: 'unsubscribe', lost: { path: /\/subscribed_apps$/, method: 'DELETE' } }],
  },
  appSubscriptions: {
    kinds: {},
    variants: [{}],
    routes: {
      'GET app-id/subscriptions': {
        data: [
          {
            object: 'page',
            callback_url: 'https://a.test',
            active: true,
            fields: [{ name: 'feed', version: 'v26.0' }],
          },
        ],
      },
    },
    holds: (value: unknown) =>
      Array.isArray(value) &&
      value.every((one) => isText(at(one, 'object')) && Array.isArray(at(one, 'fields'))),
    options: () => ({}),
  },
  subscribeApp: {
    kinds: { object: 'app object', callbackUrl: 'url', verifyToken: 'verify token', fields: 'names' },
    variants: [
      {
        object: 'pics',
        callbackUrl: 'https://a.test/webhooks',
        verifyToken: entryToken,
        fields: ['comments'],
      },
    ],
    routes: { 'POST app-id/subscriptions': { success: true } },
    holds: isTrue,
    options: () => webhooks,
    writes: [{ kind: 'app_subscribe', lost: { path: /\/subscriptions$/ } }],
  },
  unsubscribeApp: {
    kinds: { object: 'app object', fields: 'names' },
    variants: [{ object: 'pics', fields: ['comments'] }],
    routes: { 'DELETE app-id/subscriptions': { success: true } },
    holds: isTrue,
    prepare: async ({ context }) => {
      (await page.subscribeApp(context, webhooks))._unsafeUnwrap();
      return '';
    },
    options: () => ({ object: 'page' }),
    writes: [{ kind: 'app_unsubscribe', lost: { path: /\/subscriptions$/, method: 'DELETE' } }],
  },
};
