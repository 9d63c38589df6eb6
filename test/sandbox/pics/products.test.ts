import { describe, expect, test } from 'vitest';

import { pageOf, refusal, still } from '../support/caller.ts';
import { as, container, jpeg } from './support.ts';

function setting() {
  const sandbox = still();
  return { sandbox, ...as('page', sandbox), user_id: sandbox.account.userId };
}

describe('a shop', () => {
  test('lists its catalogs and finds its products', async () => {
    const { get, account } = setting();

    const catalogs = (await get(`${account}/available_catalogs`)).body.data;
    expect(catalogs).toEqual([
      {
        catalog_id: expect.any(String),
        catalog_name: 'Beans and cups',
        product_count: 6,
        shop_name: 'Harbour Coffee',
      },
    ]);
    const { catalog_id } = catalogs[0];
    const search = (q: string) => get(`${account}/catalog_product_search`, { catalog_id, q });
    expect((await search('CUP')).body.data).toMatchObject([
      { product_name: 'Blue cup', review_status: 'approved', retailer_id: 'sku-3', product_variants: [] },
      { product_name: 'Red cup', review_status: 'pending', merchant_id: catalog_id },
    ]);
    expect((await search('')).body.data).toHaveLength(6);
    expect(refusal(await get(`${account}/catalog_product_search`))).toEqual([400, 100, undefined]);
    const other = await get(`${account}/catalog_product_search`, { catalog_id: '404' });
    expect(refusal(other)).toEqual([400, 100, undefined]);
  });

  test('is not had by every account, nor shown to every token', async () => {
    const { sandbox, get, account } = setting();
    const fern = pageOf(sandbox, 2);
    const other = as('page', sandbox, fern.token);
    const eligible = { fields: 'shopping_product_tag_eligibility' };
    const few = sandbox.issueToken({ kind: 'page', scopes: ['instagram_basic', 'catalog_management'] });
    const refused = await as('page', sandbox, few).get(`${account}/available_catalogs`);

    expect((await get(account, eligible)).body.shopping_product_tag_eligibility).toBe(true);
    expect((await other.get(`/${fern.picsId}`, eligible)).body.shopping_product_tag_eligibility).toBe(false);
    expect((await other.get(`/${fern.picsId}/available_catalogs`)).body).toEqual({ data: [] });
    expect(refusal(refused)).toEqual([403, 10, undefined]);
  });
});

describe('product tags', () => {
  async function products({ get, account }: ReturnType<typeof setting>): Promise<string[]> {
    const [{ catalog_id }] = (await get(`${account}/available_catalogs`)).body.data;
    const { body } = await get(`${account}/catalog_product_search`, { catalog_id });
    return body.data.map((one: { product_id: string }) => one.product_id);
  }

  test('are added to an image, up to five', async () => {
    const open = setting();
    const { sandbox, get, post } = open;
    const [first = '', second = '', third = '', pending = '', ...more] = await products(open);
    const path = `/${sandbox.account.mediaIds[0]}/product_tags`;
    const tag = (tags: unknown) => post(path, { updated_tags: JSON.stringify(tags) });

    expect((await get(path)).body.data).toEqual([]);
    expect((await tag([{ product_id: first, x: 0.1, y: 0.2 }])).body).toEqual({ success: true });
    await tag([
      { product_id: second, x: 0, y: 1 },
      { product_id: pending, x: 0.5, y: 0.5 },
    ]);
    await tag([{ product_id: first, x: 0.3, y: 0.4 }]);

    expect((await get(path)).body.data).toMatchObject([
      {
        product_id: first,
        name: 'House blend',
        price_string: '$12.50',
        review_status: 'approved',
        x: 0.3,
        y: 0.4,
      },
      { product_id: second, stripped_price_string: '$14', x: 0, y: 1 },
      { product_id: pending, review_status: 'pending' },
    ]);
    expect(refusal(await tag([{ product_id: '404', x: 0, y: 0 }]))).toEqual([400, 100, 2_207_036]);
    expect(refusal(await tag([{ product_id: first, x: 2, y: 0 }]))).toEqual([400, 100, 2_207_035]);
    expect(refusal(await tag([]))).toEqual([400, 100, undefined]);
    expect(sandbox.effects('product_tags')).toHaveLength(3);

    const rest = [third, ...more].map((product_id) => ({ product_id, x: 0, y: 0 }));
    expect(refusal(await tag(rest))).toEqual([400, 100, 2_207_036]);
    expect((await tag(rest.slice(1))).status).toBe(200);
    expect((await get(path)).body.data).toHaveLength(5);
  });

  test('are added to an item of a carousel', async () => {
    const open = setting();
    const { sandbox, get, post } = open;
    const [product_id = ''] = await products(open);
    const [, carousel = ''] = sandbox.account.mediaIds;
    const [, item = ''] = sandbox.account.carouselItemIds;
    const path = `/${carousel}/product_tags`;
    const updated_tags = JSON.stringify([{ product_id, x: 0.5, y: 0.5 }]);

    expect(refusal(await post(path, { updated_tags }))).toEqual([400, 100, undefined]);
    expect(refusal(await post(path, { updated_tags, child_index: '3' }))).toEqual([400, 100, undefined]);
    expect((await post(path, { updated_tags, child_index: '1' })).body).toEqual({ success: true });

    for (const id of [item, carousel]) {
      expect((await get(`/${id}/product_tags`)).body.data).toMatchObject([{ product_id, x: 0.5, y: 0.5 }]);
    }
    expect(sandbox.effects('product_tags')).toMatchObject([{ id: carousel, content: { childIndex: 1 } }]);
  });

  test('of a container are those of what is published', async () => {
    const open = setting();
    const { get, post, account } = open;
    const [product_id = ''] = await products(open);
    const product_tags = JSON.stringify([{ product_id, x: 0.5, y: 0.25 }]);
    const creation_id = await container(open, { image_url: jpeg, product_tags });

    const { body } = await post(`${account}/media_publish`, { creation_id });

    expect((await get(`/${body.id}/product_tags`, { fields: 'product_id,y' })).body.data).toEqual([
      { product_id, y: 0.25 },
    ]);
  });
});
