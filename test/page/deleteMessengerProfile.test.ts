import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { deleteMessengerProfile } from '../../src/page/deleteMessengerProfile.ts';
import { authenticated, graphBase, pageContext, token } from '../support/context.ts';

const options = { pageId: '42', pageToken: token };

describe('deleteMessengerProfile of a Page', () => {
  test.each([{ success: 'true' }, { result: 'success' }])(
    'names the properties, without a platform, again after a lost response: %j',
    async (body) => {
      const deletion = (): nock.Interceptor =>
        nock(graphBase)
          .delete('/42/messenger_profile', '')
          .query({ ...authenticated, fields: '["get_started","persistent_menu"]' });
      deletion().replyWithError(new Error('socket hang up'));
      deletion().reply(200, body);

      const deleted = await deleteMessengerProfile(pageContext(), {
        ...options,
        fields: ['get_started', 'persistent_menu'],
      });

      expect(deleted._unsafeUnwrap()).toEqual({ success: true });
    },
  );
});
