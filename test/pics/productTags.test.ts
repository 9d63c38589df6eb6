import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { productTags } from '../../src/pics/productTags.ts';
import { authenticated, graphBase, picsContext, picsPageContext, token } from '../support/context.ts';

const options = { token, mediaId: '901' };
const documented =
  'product_id,merchant_id,name,price_string,stripped_price_string,stripped_sale_price_string,image_url,' +
  'review_status,is_checkout,x,y';

describe('productTags', () => {
  test.each([
    [{}, { fields: documented, limit: '25' }],
    [
      { fields: ['x'], limit: 2 },
      { fields: 'x,product_id', limit: '2' },
    ],
  ])('lists the tags, also two of one product: %j', async (own, asked) => {
    nock(graphBase)
      .get('/901/product_tags')
      .query({ ...authenticated, ...asked })
      .reply(200, { data: [{ product_id: 5, x: 0, y: '0.5' }, { product_id: '5' }] });

    const tags = await productTags(picsPageContext(), { ...options, ...own });

    expect(tags._unsafeUnwrap()).toEqual([{ product_id: '5', x: 0, y: 0.5 }, { product_id: '5' }]);
  });

  test('is refused in login mode, and nothing is sent', async () => {
    const error = (await productTags(picsContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ConfigurationError', option: 'context' });
  });
});
