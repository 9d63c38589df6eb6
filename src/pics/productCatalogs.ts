import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { path } from '../core/http/path.ts';
import { perform } from '../core/http/send.ts';
import { collect, type List } from '../core/lists/list.ts';
import { check } from '../core/options/check.ts';
import { type ProductCatalog, productCatalogSchema } from '../models/shop.ts';
import type { PicsCallOptions, PicsContext } from './context.ts';
import { accountOf, checkMode } from './internal/account.ts';
import { accountListRules, withField } from './internal/lists.ts';

export interface ProductCatalogsOptions extends PicsCallOptions {
  /** Id of the account. Required. */
  readonly picsUserId?: string | undefined;
  /**
   * Catalogs to return, over all pages.
   * @default 25
   */
  readonly limit?: number | undefined;
  /**
   * Fields to request; `catalog_id` is always among them. An unknown one fails the whole call.
   * @default the documented fields of {@link ProductCatalog}
   */
  readonly fields?: readonly string[] | undefined;
}

const defaultFields = 'catalog_id,catalog_name,product_count,shop_name';

/**
 * Lists the catalogs whose products the account can tag. For business accounts with a shop. Page mode only.
 *
 * Permissions: `catalog_management`, `pics_basic`, `pics_shopping_tag_products`, `pages_read_engagement`,
 * `pages_show_list`. Source: platform guide, Product Tagging.
 *
 * @example
 * const catalogs = await productCatalogs(context, { token, picsUserId });
 * if (catalogs.isOk()) for (const { catalog_id, catalog_name } of catalogs.value) console.log(catalog_id, catalog_name);
 *
 * @example With a client, which throws
 * const catalogs = await client.productCatalogs({ token, picsUserId });
 */
export function productCatalogs(
  context: PicsContext,
  options: ProductCatalogsOptions,
): ResultAsync<List<ProductCatalog>, Failure> {
  const checked = check(
    context,
    options,
    () => accountListRules(context),
    () => checkMode(context, 'page'),
  );
  return perform(context, 'productCatalogs', checked, (call, own) => {
    const { picsUserId, limit = 25, fields } = own;
    return collect(context, {
      ...call,
      path: path`${accountOf(picsUserId)}/available_catalogs`,
      query: { fields: withField(fields, 'catalog_id', defaultFields) },
      limit,
      item: productCatalogSchema,
      idOf: ({ catalog_id }) => catalog_id,
    });
  });
}
