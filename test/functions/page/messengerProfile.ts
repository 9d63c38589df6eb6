import type { PageContext } from '../../../src/page/context.ts';
import type * as subject from '../../../src/page/messengerProfile.ts';
import { at } from '../../hostile/kinds.ts';
import { onPage } from '../at.ts';
import { isAcknowledged, isRecord } from '../holds.ts';
import type { Table } from '../table.ts';
import { inbox } from './shared.ts';

const profileRoute = '42/messenger_profile';
const questions = [{ locale: 'default', call_to_actions: [{ question: 'Open?', payload: 'HOURS' }] }];

export const messengerProfile: Table<PageContext, typeof subject> = {
  messengerProfile: {
    kinds: { pageId: 'id', pageToken: 'token', fields: 'names' },
    variants: [{ ...inbox, fields: ['greeting'] }, inbox],
    routes: { [`GET ${profileRoute}`]: { data: [{ greeting: [{ locale: 'default', text: 'Hello' }] }] } },
    holds: (value: object) => isRecord(at(value, 'raw')),
    options: onPage,
  },
  updateMessengerProfile: {
    kinds: {
      pageId: 'id',
      pageToken: 'token',
      greeting: 'list',
      getStarted: 'object',
      iceBreakers: 'list',
      persistentMenu: 'list',
      whitelistedDomains: 'list',
    },
    variants: [
      {
        ...inbox,
        greeting: [{ locale: 'default', text: 'Hello' }],
        getStarted: { payload: 'START' },
        iceBreakers: questions,
        persistentMenu: [{ locale: 'default' }],
        whitelistedDomains: ['https://example.com'],
      },
    ],
    routes: { [`POST ${profileRoute}`]: { result: 'success' } },
    holds: isAcknowledged,
    options: (at) => ({ ...onPage(at), getStarted: { payload: 'START' } }),
    writes: [{ kind: 'profile', lost: { path: /\/messenger_profile$/ } }],
  },
  deleteMessengerProfile: {
    kinds: { pageId: 'id', pageToken: 'token', fields: 'names' },
    variants: [{ ...inbox, fields: ['ice_breakers'] }],
    routes: { [`DELETE ${profileRoute}`]: { success: 'true' } },
    holds: isAcknowledged,
    options: (at) => ({ ...onPage(at), fields: ['ice_breakers'] }),
    writes: [{ kind: 'profile', lost: { path: /\/messenger_profile$/, method: 'DELETE' } }],
  },
};
