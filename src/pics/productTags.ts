import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { path } from '../core/http/path.ts';
import { perform } from '../core/http/send.ts';
import { collect, type List } from '../core/lists/list.ts';
import { check } from '../core/options/check.ts';
import { type MediaProductTag, mediaProductTagSchema } from '../models/shop.ts';
import type { PicsCallOptions, PicsContext } from './context.ts';
import { checkMode } from './internal/account.ts';
import { mediaListRules, withField } from './internal/lists.ts';

export interface ProductTagsOptions extends PicsCallOptions {
  /** A media of the account. Of a carousel, those of its items are listed. */
  readonly mediaId: string;
  /**
   * Tags to return, over all pages.
   * @default 25
   */
  readonly limit?: number | undefined;
  /**
   * Fields to request; `product_id` is always among them. An unknown one fails the whole call.
   * @default the documented fields of {@link MediaProductTag}
   */
  readonly fields?: readonly string[] | undefined;
}

const defaultFields =
  'product_id,merchant_id,name,price_string,stripped_price_string,stripped_sale_price_string,image_url,review_status,is_checkout,x,y';

/**
 * Lists the products that are tagged in a media. Page mode only.
 *
 * Permissions: `catalog_management`, `pics_basic`, `pics_shopping_tag_products`, `pages_read_engagement`,
 * `pages_show_list`. Source: platform guide, Product Tagging.
 *
 * @example
 * const tags = await productTags(context, { token, mediaId });
 * if (tags.isOk()) for (const { product_id, x, y } of tags.value) console.log(product_id, x, y);
 *
 * @example With a client, which throws
 * const tags = await client.productTags({ token, mediaId });
 */
export function productTags(
  context: PicsContext,
  options: ProductTagsOptions,
): ResultAsync<List<MediaProductTag>, Failure> {
  const checked = check(context, options, mediaListRules, () => checkMode(context, 'page'));
  return perform(context, 'productTags', checked, (call, own) => {
    const { mediaId, limit = 25, fields } = own;
    return collect(context, {
      ...call,
      path: path`${mediaId}/product_tags`,
      query: { fields: withField(fields, 'product_id', defaultFields) },
      limit,
      item: mediaProductTagSchema,
      idOf: ({ product_id }) => product_id,
      // Several items of a carousel can show one product.
      keepsRepeats: true,
    });
  });
}
