import type * as subject from '../../../src/pics/accounts.ts';
import type { PicsContext } from '../../../src/pics/context.ts';
import { inPageMode } from '../at.ts';
import { hasId, haveIds } from '../holds.ts';
import type { Table } from '../table.ts';
import { inner, token } from '../values.ts';
import { account, medium, ofAccount } from './shared.ts';

export const accounts: Table<PicsContext, typeof subject> = {
  profile: {
    kinds: { token: 'token', picsUserId: 'account' },
    variants: [{ token, ...account }],
    routes: {
      'GET 17': {
        id: '17',
        user_id: '170',
        username: 'shop',
        name: null,
        profile_picture_url: 'https://example.com',
        biography: 'We sell',
        website: 'https://example.com',
        followers_count: 3,
        follows_count: 2,
        media_count: 1,
        account_type: 'BUSINESS',
      },
    },
    holds: hasId,
    options: ({ own }) => own,
  },
  businessDiscovery: {
    modes: ['viaPages'],
    kinds: {
      token: 'token',
      picsUserId: 'account',
      username: 'text',
      mediaLimit: 'count',
      mediaFields: 'names',
      after: 'text',
    },
    variants: [{ ...ofAccount, username: 'ada', mediaLimit: 3, mediaFields: ['id'], after: 'QVF1' }],
    routes: {
      'GET 17': {
        business_discovery: {
          id: '8',
          username: 'ada',
          followers_count: 3,
          media: { data: [medium], paging: inner },
        },
        id: '17',
      },
    },
    holds: (value: { id: string; media: { data: unknown } }) => hasId(value) && haveIds(value.media.data),
    options: (at) => ({ ...inPageMode(at), username: 'harbour' }),
  },
};
