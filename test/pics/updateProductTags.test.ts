import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { updateProductTags, type UpdateProductTagsOptions } from '../../src/pics/updateProductTags.ts';
import { authenticated, graphBase, picsContext, picsPageContext, token } from '../support/context.ts';

const options = { token, mediaId: '901', productTags: [{ productId: '5', x: 0, y: 1 }] };

describe('updateProductTags', () => {
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
      'productTags[0].x must be from 0 to 1',
      { productTags: [{ productId: '5', x: 2, y: 0 }] },
    ],
  ])('refuses bad %s before anything is sent: %s', async (option, message, own) => {
    const bad: UpdateProductTagsOptions = { ...options, ...own };

    expect((await updateProductTags(picsPageContext(), bad))._unsafeUnwrapErr()).toMatchObject({
      name: 'ConfigurationError',
      option,
      message,
    });
  });
});
