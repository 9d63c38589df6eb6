import { expect, test } from 'vitest';

import { tokenAddress } from '../../../src/pics/internal/tokenAddress.ts';
import { picsContext } from '../../support/context.ts';

test.each(['https://pics.test', 'https://pics.test/', 'https://pics.test//'])(
  'the address of a token endpoint is joined to %s with one slash, without version',
  (picsGraphUrl) => {
    const context = picsContext({ platform: { picsGraphUrl } });

    expect(tokenAddress(context, 'access_token')).toBe('https://pics.test/access_token');
  },
);
