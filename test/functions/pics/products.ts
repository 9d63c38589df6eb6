import type { PicsContext } from '../../../src/pics/context.ts';
import * as pics from '../../../src/pics/index.ts';
import type * as subject from '../../../src/pics/products.ts';
import { inPageMode, onMedium } from '../at.ts';
import { haveNamed, isAcknowledged } from '../holds.ts';
import type { Table } from '../table.ts';
import { paging, token } from '../values.ts';
import { listing, ofAccount, onMedia, several } from './shared.ts';

async function firstCatalog(context: PicsContext, own: ReturnType<typeof inPageMode>): Promise<string> {
  return (await pics.productCatalogs(context, own))._unsafeUnwrap()[0]?.catalog_id ?? '';
}

export const products: Table<PicsContext, typeof subject> = {
  productCatalogs: {
    modes: ['viaPages'],
    kinds: listing,
    variants: [{ ...ofAccount, ...several }],
    routes: { 'GET available_catalogs': { data: [{ catalog_id: '190', product_count: 3 }], paging } },
    holds: haveNamed('catalog_id'),
    options: inPageMode,
  },
  searchProducts: {
    modes: ['viaPages'],
    kinds: { ...listing, catalogId: 'id', query: 'text' },
    variants: [{ ...ofAccount, catalogId: '190', query: 'cup', ...several }],
    routes: { 'GET catalog_product_search': { data: [{ product_id: '5', merchant_id: '7' }], paging } },
    holds: haveNamed('product_id'),
    prepare: ({ context, at }) => firstCatalog(context, inPageMode(at)),
    options: (at) => ({ ...inPageMode(at), catalogId: at.prepared }),
  },
  productTags: {
    modes: ['viaPages'],
    kinds: onMedia,
    variants: [{ token, mediaId: '901', ...several }],
    routes: { 'GET product_tags': { data: [{ product_id: '5', x: 0, y: 1 }], paging } },
    holds: haveNamed('product_id'),
    options: onMedium,
  },
  updateProductTags: {
    modes: ['viaPages'],
    kinds: { token: 'token', mediaId: 'id', productTags: 'list', childIndex: 'offset' },
    variants: [{ token, mediaId: '901', productTags: [{ productId: '5', x: 0, y: 1 }], childIndex: 0 }],
    routes: { 'POST product_tags': { success: true } },
    holds: isAcknowledged,
    prepare: async ({ context, at }) => {
      const catalogId = await firstCatalog(context, inPageMode(at));
      const found = await pics.searchProducts(context, { ...inPageMode(at), catalogId });
      return found._unsafeUnwrap()[0]?.product_id ?? '';
    },
    options: (at) => ({ ...onMedium(at), productTags: [{ productId: at.prepared, x: 0.5, y: 0 }] }),
    writes: [{ kind: 'product_tags', lost: { path: /\/product_tags$/ } }],
  },
};
