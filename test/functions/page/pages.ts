import { livePlatform } from '../../../src/core/platform.ts';
import type { PageStatus } from '../../../src/models/profile.ts';
import type { PageContext } from '../../../src/page/context.ts';
import type * as subject from '../../../src/page/pages.ts';
import { at } from '../../hostile/kinds.ts';
import { isNotEmpty, onPage } from '../at.ts';
import { hasId, haveIds, isString } from '../holds.ts';
import type { Table } from '../table.ts';
import { entryToken, pageToken, paging, token } from '../values.ts';

const rules = 'https://example.com/rules';
const isDate = (value: unknown): boolean =>
  value === undefined || (value instanceof Date && !Number.isNaN(value.getTime()));

export const pages: Table<PageContext, typeof subject> = {
  pages: {
    kinds: { token: 'token', fields: 'names' },
    variants: [{ token }, { token, fields: ['fan_count'] }],
    routes: {
      'GET me/accounts': {
        data: [
          {
            id: '42',
            name: 'Shop',
            access_token: entryToken,
            tasks: ['MODERATE'],
            [livePlatform.words.linkedAccount]: { id: '17', username: 'shop' },
          },
          { id: 43, name: 'Other' },
        ],
        paging,
      },
    },
    holds: (value: { access_token: string }[]) =>
      haveIds(value) && value.every((one) => isString(one.access_token)),
    options: ({ token }) => ({ token }),
  },
  pageDetails: {
    kinds: { token: 'token', pageId: 'id', fields: 'names' },
    variants: [
      { token, pageId: '42' },
      { token, pageId: '42', fields: ['fan_count'] },
    ],
    routes: {
      'GET 42': {
        id: '42',
        name: 'Shop',
        access_token: entryToken,
        [livePlatform.words.linkedAccount]: { id: '17', username: 'shop' },
      },
    },
    holds: (value: { access_token: string }) => hasId(value) && isString(value.access_token),
    options: (at) => ({ token: at.token, pageId: at.page.id }),
  },
  portfolioPages: {
    kinds: { token: 'token' },
    variants: [{ token }],
    routes: {
      'GET me/accounts': { data: [{ id: '42', name: 'Bakery', access_token: entryToken }], paging },
      'GET me/businesses': { data: [{ id: 'b1', name: 'Holding' }], paging },
      'GET b1/owned_pages': { data: [{ id: '43', name: 'Branch', access_token: entryToken }], paging },
      'GET b1/client_pages': { data: [{ id: '44', name: 'Client' }], paging },
    },
    holds: (value: object) => haveIds(at(value, 'pages')) && Array.isArray(at(value, 'skipped')),
    options: ({ token }) => ({ token }),
    works: ({ pages, skipped }: { pages: object; skipped: readonly unknown[] }) =>
      skipped.length === 0 && isNotEmpty(pages),
  },
  pageProfile: {
    kinds: { pageId: 'id', pageToken: 'token', fields: 'names' },
    variants: [
      { pageId: '42', pageToken },
      { pageId: '42', pageToken, fields: ['id', 'checkins'] },
    ],
    routes: {
      'GET 42': {
        id: '42',
        name: 'Bakery',
        emails: ['a@b.example'],
        location: { city: 'Berlin' },
        hours: { mon_1_open: '09:00' },
        fan_count: 3,
        is_published: true,
        picture: { data: { url: 'https://example.com' } },
        cover: { source: 'https://example.com' },
        [livePlatform.words.linkedAccount]: { id: '17', username: 'bakery' },
      },
    },
    holds: hasId,
    options: onPage,
  },
  pageStatus: {
    kinds: { pageId: 'id', pageToken: 'token' },
    variants: [{ pageId: '42', pageToken }],
    routes: {
      'GET 42/page_status': {
        id: '42',
        timestamp: 1_763_665_904,
        status: 'restricted',
        violations: [{ type: 'SPAM', description: 'Spam', url: rules, severity: 'LOW' }],
        restrictions: [
          {
            feature: 'page_messaging_api',
            description: 'No messages',
            applied_time: 1_763_665_904,
            expiration_time: 1_763_675_775,
            violation_type: ['SPAM'],
          },
        ],
        recommended_actions: [{ action_type: 'FILE_APPEAL', url: rules, violation_type: ['SPAM'] }],
        actions_events: [
          {
            type: 'FILE_APPEAL',
            status: 'OPEN',
            created_time: 1_763_666_000,
            updated_time: 1_763_667_000,
            violation_type: ['SPAM'],
          },
        ],
      },
    },
    holds: ({ timestamp, restrictions, actions_events }: PageStatus) =>
      isDate(timestamp) &&
      restrictions.every((one) => isDate(one.applied_time) && isDate(one.expiration_time)) &&
      actions_events.every((one) => isDate(one.created_time) && isDate(one.updated_time)),
    options: onPage,
  },
  searchPlaces: {
    kinds: { token: 'token', query: 'text', limit: 'count', fields: 'names' },
    variants: [{ token, query: 'Coffee', limit: 3, fields: ['id', 'name'] }],
    routes: {
      'GET pages/search': {
        data: [
          {
            id: '43',
            name: 'Coffee',
            link: 'https://example.com/43',
            location: { city: 'Berlin', latitude: 52.5, longitude: 13.4 },
            is_eligible_for_branded_content: true,
            is_unclaimed: false,
            verification_status: 'not_verified',
          },
        ],
        paging,
      },
    },
    holds: haveIds,
    options: (at) => ({ token: at.token, query: at.page.name }),
  },
};
