import nock from 'nock';
import { describe, expect, test } from 'vitest';

import {
  productCatalogs,
  productTags,
  searchProducts,
  updateProductTags,
  type UpdateProductTagsOptions,
} from '../../src/pics/products.ts';
import { authenticated, graphBase, picsContext, picsPageContext, token } from '../support/context.ts';
import { partOf } from '../support/rules.ts';

describe('productCatalogs', () => {
  const options = { token, picsUserId: '17' };

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

describe('searchProducts', () => {
  const options = { token, picsUserId: '17', catalogId: '190' };

  const documented =
    'product_id,product_name,image_url,retailer_id,merchant_id,review_status,is_checkout_flow,product_variants';

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

describe('productTags', () => {
  const options = { token, mediaId: '901' };

  const documented =
    'product_id,merchant_id,name,price_string,stripped_price_string,stripped_sale_price_string,image_url,' +
    'review_status,is_checkout,x,y';

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

describe('updateProductTags', () => {
  const options = { token, mediaId: '901', productTags: [{ productId: '5', x: 0, y: 1 }] };

  test.each<[object, object]>([
    [{}, { updated_tags: '[{"product_id":"5","x":0,"y":1}]' }],
    [
      { productTags: [{ productId: '5' }], childIndex: 0 },
      { updated_tags: '[{"product_id":"5"}]', child_index: '0' },
    ],
  ])('sends the tags: %j', async (own, sent) => {
    nock(graphBase)
      .post('/901/product_tags', sent as Record<string, string>)
      .query(authenticated)
      .reply(200, { success: true });

    const tagged = await updateProductTags(picsPageContext(), { ...options, ...own });

    expect(tagged._unsafeUnwrap()).toEqual({ success: true });
  });

  test('is sent again when the response was lost, since that does no harm', async () => {
    nock(graphBase).post('/901/product_tags').query(true).reply(503, 'Busy');
    nock(graphBase).post('/901/product_tags').query(true).reply(200, { success: true });

    expect((await updateProductTags(picsPageContext(), options)).isOk()).toBe(true);
  });

  test('is refused in login mode, and nothing is sent', async () => {
    const error = (await updateProductTags(picsContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ConfigurationError', option: 'context' });
  });

  test.each<[string, string, object]>([
    [
      'productTags',
      'productTags[0].x must be a number from 0 to 1',
      { productTags: [{ productId: '5', x: 2, y: 0 }] },
    ],
  ])('refuses bad %s before anything is sent: %s', async (option, message, own) => {
    const bad: UpdateProductTagsOptions = { ...options, ...own };

    expect((await updateProductTags(picsPageContext(), bad))._unsafeUnwrapErr()).toMatchObject({
      name: 'ConfigurationError',
      option: partOf(option),
      message,
    });
  });
});
