import { expect, test } from 'vitest';

import { livePlatform } from '../../src/core/platform.ts';

test('the live platform is addressed, and spoken to, as its documentation says', () => {
  expect(livePlatform).toEqual({
    graphUrl: 'https://graph.facebook.com',
    dialogUrl: 'https://www.facebook.com',
    picsGraphUrl: 'https://graph.instagram.com',
    picsAuthUrl: 'https://www.instagram.com/oauth/authorize',
    picsTokenUrl: 'https://api.instagram.com/oauth/access_token',
    uploadUrl: 'https://rupload.facebook.com',
    words: {
      exchangeGrant: 'fb_exchange_token',
      picsExchangeGrant: 'ig_exchange_token',
      picsRefreshGrant: 'ig_refresh_token',
      picsScopePrefix: 'instagram_',
      picsPlatform: 'instagram',
      linkedAccount: 'instagram_business_account',
      traceField: 'fbtrace_id',
      traceHeader: 'x-fb-trace-id',
      versionHeader: 'facebook-api-version',
    },
  });
});
