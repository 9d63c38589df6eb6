import type { PicsContext } from '../../../src/pics/context.ts';
import type * as subject from '../../../src/pics/messengerProfile.ts';
import { at } from '../../hostile/kinds.ts';
import { isAcknowledged, isRecord } from '../holds.ts';
import type { Table } from '../table.ts';
import { sender, senderKinds } from './shared.ts';

const local = [{ locale: 'default', call_to_actions: [{ question: 'Open?', payload: 'HOURS' }] }];
const profileRoute = 'messenger_profile';

export const messengerProfile: Table<PicsContext, typeof subject> = {
  messengerProfile: {
    kinds: { ...senderKinds, fields: 'names' },
    variants: [{ ...sender, fields: ['ice_breakers'] }, sender],
    routes: { [`GET ${profileRoute}`]: { data: local } },
    holds: (value: object) => isRecord(at(value, 'raw')),
    options: ({ inbox }) => inbox,
  },
  updateMessengerProfile: {
    kinds: {
      ...senderKinds,
      iceBreakers: 'list',
      persistentMenu: 'list',
    },
    variants: [
      {
        ...sender,
        iceBreakers: local,
        persistentMenu: [{ locale: 'default' }],
      },
    ],
    routes: { [`POST ${profileRoute}`]: { result: 'success' } },
    holds: isAcknowledged,
    options: ({ inbox }) => ({
      ...inbox,
      iceBreakers: [{ locale: 'default', call_to_actions: [{ question: 'Open?', payload: 'OPEN' }] }],
    }),
    writes: [{ mode: 'viaPages', kind: 'profile', lost: { path: /\/messenger_profile$/ } }],
  },
  deleteMessengerProfile: {
    kinds: { ...senderKinds, fields: 'names' },
    variants: [{ ...sender, fields: ['ice_breakers'] }],
    routes: { [`DELETE ${profileRoute}`]: { success: 'true' } },
    holds: isAcknowledged,
    options: ({ inbox }) => ({ ...inbox, fields: ['ice_breakers'] }),
    writes: [{ kind: 'profile', lost: { path: /\/messenger_profile$/, method: 'DELETE' } }],
  },
};
