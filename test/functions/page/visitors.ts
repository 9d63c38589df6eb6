import type { PageContext } from '../../../src/page/context.ts';
import * as page from '../../../src/page/index.ts';
import type * as subject from '../../../src/page/visitors.ts';
import { at } from '../../hostile/kinds.ts';
import { customer, onPage } from '../at.ts';
import { haveIds, isAcknowledged } from '../holds.ts';
import type { Table } from '../table.ts';
import { paging } from '../values.ts';
import { inbox } from './shared.ts';

const peopleKinds = { pageId: 'id', pageToken: 'token', userId: 'id', userIds: 'names' } as const;
const people: page.BlockUserOptions[] = [
  { ...inbox, userId: '8' },
  { ...inbox, userIds: ['8'] },
];

export const visitors: Table<PageContext, typeof subject> = {
  visitorPosts: {
    kinds: { pageId: 'id', pageToken: 'token', limit: 'count', fields: 'names' },
    variants: [{ ...inbox, limit: 3, fields: ['id'] }],
    routes: { 'GET 42/visitor_posts': { data: [{ id: '8_1', message: 'Hi', from: { id: '8' } }], paging } },
    holds: haveIds,
    options: onPage,
  },
  taggedPosts: {
    kinds: {
      pageId: 'id',
      pageToken: 'token',
      limit: 'count',
      fields: 'names',
      metrics: 'metrics',
      totals: 'flag',
      comments: 'inner comments',
    },
    variants: [
      { ...inbox, limit: 3, fields: ['id'] },
      { ...inbox, metrics: true, totals: true, comments: { limit: 2, replies: true } },
    ],
    routes: { 'GET 42/tagged': { data: [{ id: '8_1', message: 'Hi', from: { id: '8' } }], paging } },
    holds: haveIds,
    options: onPage,
  },
  blockedUsers: {
    kinds: { pageId: 'id', pageToken: 'token', limit: 'count', fields: 'names' },
    variants: [{ ...inbox, limit: 3, fields: ['id'] }],
    routes: { 'GET 42/blocked': { data: [{ id: '8', name: 'Ada' }], paging } },
    holds: haveIds,
    options: onPage,
  },
  blockUser: {
    kinds: peopleKinds,
    variants: people,
    routes: { 'POST 42/blocked': { 8: true } },
    holds: (value: object) => typeof at(value, '8') === 'boolean',
    options: (at) => ({ ...onPage(at), userId: customer(at.page) }),
    writes: [{ kind: 'block', lost: { path: /\/blocked$/ } }],
  },
  unblockUser: {
    kinds: peopleKinds,
    variants: people,
    routes: { 'DELETE 42/blocked': { success: true } },
    holds: isAcknowledged,
    prepare: async ({ context, at }) => {
      const userId = customer(at.page);
      (await page.blockUser(context, { ...onPage(at), userId }))._unsafeUnwrap();
      return userId;
    },
    options: (at) => ({ ...onPage(at), userId: at.prepared }),
    writes: [{ kind: 'unblock', lost: { path: /\/blocked$/, method: 'DELETE' } }],
  },
};
