import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { searchProducts } from '../../src/pics/searchProducts.ts';
import { authenticated, graphBase, picsContext, picsPageContext, token } from '../support/context.ts';

const options = { token, picsUserId: '17', catalogId: '190' };
const documented =
  'product_id,product_name,image_url,retailer_id,merchant_id,review_status,is_checkout_flow,product_variants';

describe('searchProducts', () => {
  test.each([
    [{}, { fields: documented, limit: '25' }],
    [{ query: 'cup' }, { q: 'cup', fields: documented, limit: '25' }],
    [{ fields: ['product_name'] }, { fields: 'product_name,product_id', limit: '25' }],
  ])('searches the catalog: %j', async (own, asked) => {
    nock(graphBase)
      .get('/17/catalog_product_search')
      .query({ ...authenticated, catalog_id: '190', ...asked })
      .reply(200, {
        data: [{ product_id: 5, product_name: 'Blue cup', merchant_id: 7, product_variants: [] }],
      });

    const found = (await searchProducts(picsPageContext(), { ...options, ...own }))._unsafeUnwrap();

    expect(found).toMatchObject([{ product_id: '5', product_name: 'Blue cup', merchant_id: '7' }]);
    expect(found[0]?.raw['product_variants']).toEqual([]);
  });

  test('is refused in login mode, and nothing is sent', async () => {
    const error = (await searchProducts(picsContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ConfigurationError', option: 'context' });
  });
});
