import { flag, idSchema, node, number, optionalId, type Raw, type Schema, text } from './fields.ts';

/** A catalog of products that an account can tag. */
export interface ProductCatalog {
  readonly catalog_id: string;
  readonly catalog_name?: string | undefined;
  readonly product_count?: number | undefined;
  readonly shop_name?: string | undefined;
  /** The catalog as the platform sent it. Not enumerable. */
  readonly raw: Raw;
}

/** Reads a {@link ProductCatalog}. */
export const productCatalogSchema: Schema<ProductCatalog> = node({
  catalog_id: idSchema,
  catalog_name: text,
  product_count: number,
  shop_name: text,
});

/** A product of a catalog. */
export interface CatalogProduct {
  readonly product_id: string;
  readonly product_name?: string | undefined;
  readonly image_url?: string | undefined;
  /** The caller's own id of it. */
  readonly retailer_id?: string | undefined;
  readonly merchant_id?: string | undefined;
  /** Such as `approved`, `pending` or `rejected`. A product that is not approved can be tagged, and is not shown. */
  readonly review_status?: string | undefined;
  readonly is_checkout_flow?: boolean | undefined;
  /** The product as the platform sent it, its `product_variants` too. Not enumerable. */
  readonly raw: Raw;
}

/** Reads a {@link CatalogProduct}. */
export const catalogProductSchema: Schema<CatalogProduct> = node({
  product_id: idSchema,
  product_name: text,
  image_url: text,
  retailer_id: text,
  merchant_id: optionalId,
  review_status: text,
  is_checkout_flow: flag,
});

/** A product that is tagged in a media. */
export interface MediaProductTag {
  readonly product_id: string;
  readonly merchant_id?: string | undefined;
  readonly name?: string | undefined;
  readonly price_string?: string | undefined;
  readonly stripped_price_string?: string | undefined;
  readonly stripped_sale_price_string?: string | undefined;
  readonly image_url?: string | undefined;
  /** Such as `approved`, `pending` or `rejected`. */
  readonly review_status?: string | undefined;
  readonly is_checkout?: boolean | undefined;
  /** Where it is in an image, from 0 (left) to 1 (right). */
  readonly x?: number | undefined;
  /** Where it is in an image, from 0 (top) to 1 (bottom). */
  readonly y?: number | undefined;
  /** The tag as the platform sent it. Not enumerable. */
  readonly raw: Raw;
}

/** Reads a {@link MediaProductTag}. */
export const mediaProductTagSchema: Schema<MediaProductTag> = node({
  product_id: idSchema,
  merchant_id: optionalId,
  name: text,
  price_string: text,
  stripped_price_string: text,
  stripped_sale_price_string: text,
  image_url: text,
  review_status: text,
  is_checkout: flag,
  x: number,
  y: number,
});
