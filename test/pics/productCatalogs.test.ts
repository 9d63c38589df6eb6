import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { productCatalogs } from '../../src/pics/productCatalogs.ts';
import { authenticated, graphBase, picsContext, picsPageContext, token } from '../support/context.ts';

const options = { token, picsUserId: '17' };

describe('productCatalogs', () => {
  test.each([
    [{}, { fields: 'catalog_id,catalog_name,product_count,shop_name', limit: '25' }],
    [
      { fields: ['shop_name'], limit: 2 },
      { fields: 'shop_name,catalog_id', limit: '2' },
    ],
  ])('lists the catalogs: %j', async (own, asked) => {
    nock(graphBase)
      .get('/17/available_catalogs')
      .query({ ...authenticated, ...asked })
      .reply(200, { data: [{ catalog_id: 190, catalog_name: 'Beans', product_count: '6' }] });

    const catalogs = await productCatalogs(picsPageContext(), { ...options, ...own });

    expect(catalogs._unsafeUnwrap()).toEqual([
      { catalog_id: '190', catalog_name: 'Beans', product_count: 6 },
    ]);
  });

  test('is refused in login mode, and nothing is sent', async () => {
    const error = (await productCatalogs(picsContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ConfigurationError', option: 'context' });
  });
});
