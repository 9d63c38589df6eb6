import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { path } from '../core/http/path.ts';
import { perform } from '../core/http/send.ts';
import { collect, type List } from '../core/lists/list.ts';
import { check, id, optional, text } from '../core/options/check.ts';
import { type CatalogProduct, catalogProductSchema } from '../models/shop.ts';
import type { PicsCallOptions, PicsContext } from './context.ts';
import { accountOf, checkMode } from './internal/account.ts';
import { accountListRules, withField } from './internal/lists.ts';

export interface SearchProductsOptions extends PicsCallOptions {
  /** Id of the account. Required. */
  readonly picsUserId?: string | undefined;
  /** From `productCatalogs`. */
  readonly catalogId: string;
  /**
   * Words to search for.
   * @default all products
   */
  readonly query?: string | undefined;
  /**
   * Products to return, over all pages.
   * @default 25
   */
  readonly limit?: number | undefined;
  /**
   * Fields to request; `product_id` is always among them. An unknown one fails the whole call.
   * @default the documented fields of {@link CatalogProduct}, and `product_variants`, which is in `raw`
   */
  readonly fields?: readonly string[] | undefined;
}

const defaultFields =
  'product_id,product_name,image_url,retailer_id,merchant_id,review_status,is_checkout_flow,product_variants';

/**
 * Searches a catalog of the account for products to tag: `updateProductTags` and `publish` take a `product_id` as
 * `productId`. Page mode only.
 *
 * Permissions: `catalog_management`, `pics_basic`, `pics_shopping_tag_products`, `pages_read_engagement`,
 * `pages_show_list`. Source: platform guide, Product Tagging.
 *
 * @example
 * const found = await searchProducts(context, { token, picsUserId, catalogId: '190', query: 'cup' });
 * if (found.isOk()) for (const { product_id, product_name } of found.value) console.log(product_id, product_name);
 *
 * @example With a client, which throws
 * const products = await client.searchProducts({ token, picsUserId, catalogId: '190' });
 */
export function searchProducts(
  context: PicsContext,
  options: SearchProductsOptions,
): ResultAsync<List<CatalogProduct>, Failure> {
  const checked = check(
    context,
    options,
    () => ({ ...accountListRules(context), catalogId: id, query: optional(text) }),
    () => checkMode(context, 'page'),
  );
  return perform(context, 'searchProducts', checked, (call, own) => {
    const { picsUserId, catalogId, query, limit = 25, fields } = own;
    return collect(context, {
      ...call,
      path: path`${accountOf(picsUserId)}/catalog_product_search`,
      query: { catalog_id: catalogId, q: query, fields: withField(fields, 'product_id', defaultFields) },
      limit,
      item: catalogProductSchema,
      idOf: ({ product_id }) => product_id,
    });
  });
}
