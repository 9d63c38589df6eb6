import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { path } from '../core/http/path.ts';
import { perform, send } from '../core/http/send.ts';
import { check, id, optional, that, token as tokenRule } from '../core/options/check.ts';
import { type Acknowledgement, acknowledgementSchema } from '../models/written.ts';
import type { PicsCallOptions, PicsContext } from './context.ts';
import { checkMode } from './internal/account.ts';
import { type ProductTag, productTagList, toProductTags } from './internal/mediaOptions.ts';

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
 * A media has at most 5; for Reels, the platform spoke of 30 before: what is too much, it refuses. A product that is not
 * approved can be tagged, and is not shown. To do it twice is to do it once, so that it is sent again after a lost
 * response.
 *
 * Permissions: `catalog_management`, `pics_basic`, `pics_shopping_tag_products`, `pages_read_engagement`,
 * `pages_show_list`. Source: platform guide, Product Tagging.
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
  const checked = check(
    context,
    options,
    () => ({
      token: tokenRule,
      mediaId: id,
      productTags: productTagList(1),
      childIndex: optional(
        that((value) => Number.isSafeInteger(value) && Number(value) >= 0, 'a whole number from 0 on'),
      ),
    }),
    () => checkMode(context, 'page'),
  );
  return perform(context, 'updateProductTags', checked, (call, own) => {
    const { mediaId, productTags, childIndex } = own;
    return send(context, {
      ...call,
      method: 'POST',
      path: path`${mediaId}/product_tags`,
      form: { updated_tags: toProductTags(productTags), child_index: childIndex },
      schema: acknowledgementSchema,
    });
  });
}
