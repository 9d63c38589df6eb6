import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { path } from '../core/http/addresses.ts';
import { POST } from '../core/http/methods.ts';
import { performRequest } from '../core/http/send.ts';
import { type List, type ListOptions, performList } from '../core/lists/list.ts';
import * as rule from '../core/options/rules.ts';
import type { CatalogProduct, MediaProductTag, ProductCatalog } from '../models/community.ts';
import { catalogProductSchema, mediaProductTagSchema, productCatalogSchema } from '../models/community.ts';
import { type Acknowledgement, acknowledgementSchema, fieldsFor } from '../models/fields.ts';
import { accountListRules, accountOf, checkInMode, type PageModeOptions } from './accountOptions.ts';
import type { PicsCallOptions, PicsContext } from './context.ts';
import { mediaListRules } from './mediaLists.ts';
import { type ProductTag, productTagList, toProductTags } from './publishing/options.ts';

export interface ProductCatalogsOptions extends PageModeOptions, ListOptions {
  /**
   * Fields to request; `catalog_id` is always among them. An unknown one fails the whole call.
   * @default the documented fields of {@link ProductCatalog}
   */
  readonly fields?: readonly string[] | undefined;
}

/**
 * Lists the catalogs whose products the account can tag. For business accounts with a shop. Page mode only.
 *
 * Source: platform guide, Product Tagging.
 *
 * @example
 * const catalogs = await productCatalogs(context, { token, picsUserId });
 * if (catalogs.isOk()) for (const { catalog_id, catalog_name } of catalogs.value) console.log(catalog_id, catalog_name);
 */
export function productCatalogs(
  context: PicsContext,
  options: ProductCatalogsOptions,
): ResultAsync<List<ProductCatalog>, Failure> {
  const checked = checkInMode('page', context, options, accountListRules(context));
  return performList(context, 'productCatalogs', checked, 25, ({ picsUserId, fields }) => ({
    path: path`${accountOf(picsUserId)}/available_catalogs`,
    query: { fields: fieldsFor(productCatalogSchema, fields, 'catalog_id') },
    item: productCatalogSchema,
    idOf: ({ catalog_id }) => catalog_id,
  }));
}

export interface SearchProductsOptions extends PageModeOptions, ListOptions {
  /** From `productCatalogs`. */
  readonly catalogId: string;
  /**
   * Words to search for.
   * @default all products
   */
  readonly query?: string | undefined;
  /**
   * Fields to request; `product_id` is always among them. An unknown one fails the whole call.
   * @default the documented fields of {@link CatalogProduct}, and `product_variants`, which is in `raw`
   */
  readonly fields?: readonly string[] | undefined;
}

/**
 * Searches a catalog of the account for products to tag: `updateProductTags` and `publish` take a `product_id` as
 * `productId`. Page mode only.
 *
 * Source: platform guide, Product Tagging.
 *
 * @example
 * const found = await searchProducts(context, { token, picsUserId, catalogId: '190', query: 'cup' });
 * if (found.isOk()) for (const { product_id, product_name } of found.value) console.log(product_id, product_name);
 */
export function searchProducts(
  context: PicsContext,
  options: SearchProductsOptions,
): ResultAsync<List<CatalogProduct>, Failure> {
  const checked = checkInMode('page', context, options, {
    ...accountListRules(context),
    catalogId: rule.id,
    query: rule.optional(rule.text),
  });
  return performList(context, 'searchProducts', checked, 25, ({ picsUserId, catalogId, query, fields }) => ({
    path: path`${accountOf(picsUserId)}/catalog_product_search`,
    query: {
      catalog_id: catalogId,
      q: query,
      fields: fieldsFor(catalogProductSchema, fields, 'product_id'),
    },
    item: catalogProductSchema,
    idOf: ({ product_id }) => product_id,
  }));
}

export interface ProductTagsOptions extends PicsCallOptions, ListOptions {
  /** A media of the account. Of a carousel, those of its items are listed. */
  readonly mediaId: string;
  /**
   * Fields to request; `product_id` is always among them. An unknown one fails the whole call.
   * @default the documented fields of {@link MediaProductTag}
   */
  readonly fields?: readonly string[] | undefined;
}

/**
 * Lists the products that are tagged in a media. Page mode only.
 *
 * Source: platform guide, Product Tagging.
 *
 * @example
 * const tags = await productTags(context, { token, mediaId });
 * if (tags.isOk()) for (const { product_id, x, y } of tags.value) console.log(product_id, x, y);
 */
export function productTags(
  context: PicsContext,
  options: ProductTagsOptions,
): ResultAsync<List<MediaProductTag>, Failure> {
  const checked = checkInMode('page', context, options, mediaListRules);
  return performList(context, 'productTags', checked, 25, ({ mediaId, fields }) => ({
    path: path`${mediaId}/product_tags`,
    query: { fields: fieldsFor(mediaProductTagSchema, fields, 'product_id') },
    item: mediaProductTagSchema,
    idOf: ({ product_id }) => product_id,
    // Several items of a carousel can show one product.
    keepsRepeats: true,
  }));
}

export interface UpdateProductTagsOptions extends PicsCallOptions {
  /** A media of the account; not a story. */
  readonly mediaId: string;
  /** One or more. An image needs `x` and `y`, a video has none. */
  readonly productTags: readonly ProductTag[];
  /** Which item of a carousel it is, from 0. Required for a carousel. */
  readonly childIndex?: number | undefined;
}

/**
 * Tags products in a media that is published, or moves the tags that are there; other tags stay. Page mode only.
 *
 * A media has at most 5 tags. For Reels, the platform once documented 30; it refuses what is too many. A product that
 * is not approved can be tagged, but is not shown. Repeating it has no further effect, so it is sent again after a lost
 * response.
 *
 * Source: platform guide, Product Tagging.
 *
 * @example
 * const productTags = [{ productId: '1900', x: 0.5, y: 0.5 }];
 * const tagged = await updateProductTags(context, { token, mediaId, productTags });
 * if (tagged.isErr()) console.error(tagged.error.message);
 *
 * @example With a client, which throws
 * await client.updateProductTags({ token, mediaId, childIndex: 0, productTags: [{ productId: '1900', x: 0.5, y: 0.5 }] });
 */
export function updateProductTags(
  context: PicsContext,
  options: UpdateProductTagsOptions,
): ResultAsync<Acknowledgement, Failure> {
  const checked = checkInMode('page', context, options, {
    token: rule.token,
    mediaId: rule.id,
    productTags: productTagList(1),
    childIndex: rule.optional(rule.index),
  });
  return performRequest(context, 'updateProductTags', checked, ({ mediaId, productTags, childIndex }) => ({
    method: POST,
    path: path`${mediaId}/product_tags`,
    form: { updated_tags: toProductTags(productTags), child_index: childIndex },
    schema: acknowledgementSchema,
  }));
}
