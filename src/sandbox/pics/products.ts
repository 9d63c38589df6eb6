import { fieldsOf } from '../../core/objects.ts';
import type { Node, ProductTag } from '../nodes.ts';
import { type Call, inPageMode, on, type Route } from '../route.ts';
import { list, lists, type Shape } from '../shapes.ts';
import { invalid, missing, parsed } from '../values.ts';
import { find, make, succeed, type World } from '../world.ts';
import { itemsOf } from './media.ts';
import { isPlace } from './publishing.ts';

const catalogShape: Shape<Node<'picsCatalog'>> = {
  type: 'UserAvailableCatalogs',
  fields: {
    catalog_id: ({ id }) => id,
    catalog_name: ({ name }) => name,
    product_count: ({ id }, { world }) => productsOf(world, id).length,
    shop_name: ({ shop }) => shop,
  },
};

const productShape: Shape<Node<'picsProduct'>> = {
  type: 'ShadowIGUserCatalogProductSearch',
  fields: {
    product_id: (product) => product.id,
    product_name: (product) => product.name,
    merchant_id: (product) => product.catalogId,
    retailer_id: (product) => product.retailerId,
    review_status: (product) => product.reviewStatus,
    is_checkout_flow: () => false,
    image_url: (product) => imageOf(product),
    product_variants: () => [],
  },
};

interface ShownTag extends ProductTag {
  readonly id: string;
  readonly createdAt: number;
  readonly product: Node<'picsProduct'>;
}

const tagShape: Shape<ShownTag> = {
  type: 'ShadowIGMediaProductTags',
  blank: 'stripped_sale_price_string',
  fields: {
    product_id: ({ product }) => product.id,
    merchant_id: ({ product }) => product.catalogId,
    name: ({ product }) => product.name,
    price_string: ({ product }) => product.price,
    stripped_price_string: ({ product }) => product.price.replace(/\.00$/, ''),
    image_url: ({ product }) => imageOf(product),
    review_status: ({ product }) => product.reviewStatus,
    is_checkout: () => false,
    x: ({ x }) => x,
    y: ({ y }) => y,
  },
};

/** The tags of a media; of a carousel, those of its items. */
function tagsOn(world: World, media: Node<'picsMedia'>): ShownTag[] {
  return [media, ...itemsOf({ world }, media)].flatMap(({ id, productTags = [] }) =>
    productTags.flatMap((one) => {
      const product = find(world, 'picsProduct', one.product_id);
      return product === undefined
        ? []
        : { ...one, product, id: `${id}_${product.id}`, createdAt: media.createdAt };
    }),
  );
}

/** Adds tags, or moves existing ones. A product that is not approved can be tagged, but people do not see it. */
function tag(call: Call, media: Node<'picsMedia'>): unknown {
  const { world, params } = call;
  if (media.product === 'STORY') return missing(media.id, call.method);
  const on = media.type === 'CAROUSEL_ALBUM' ? itemAt(call, media) : media;
  const given = readTags(call, on);
  const known = new Map((on.productTags ?? []).map((one) => [one.product_id, one]));
  for (const one of given) known.set(one.product_id, one);
  if (known.size > 5) return invalid('A media can have at most 5 product tags', 2_207_036);
  on.productTags = [...known.values()];
  const content = { tags: given, ...(on !== media && { childIndex: Number(params['child_index']) }) };
  return succeed(world, 'product_tags', media.id, media.accountId, content);
}

function itemAt(call: Call, media: Node<'picsMedia'>): Node<'picsMedia'> {
  const { child_index: index } = call.params;
  if (index === undefined) return invalid('The parameter child_index is required');
  const item = /^\d+$/.test(index) ? itemsOf(call, media)[Number(index)] : undefined;
  return item ?? invalid('Param child_index must be the index of an item of the carousel');
}

function readTags({ world, params }: Call, media: Node<'picsMedia'>): ProductTag[] {
  const account = find(world, 'picsAccount', media.accountId);
  const catalogs = account === undefined ? [] : catalogsOf(world, account).map(({ id }) => id);
  const given = parsed(params['updated_tags'] ?? '');
  if (!Array.isArray(given) || given.length === 0) return invalid('Param updated_tags must be an array');
  return given.map((item) => {
    const { product_id: value, x, y } = fieldsOf(item);
    const id = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
    const product = find(world, 'picsProduct', id);
    if (product === undefined || !catalogs.includes(product.catalogId)) {
      return invalid(`Invalid product_id: ${id}`, 2_207_036);
    }
    if (media.type === 'VIDEO') {
      return x === undefined && y === undefined
        ? { product_id: id }
        : invalid('A video has no x and y', 2_207_035);
    }
    return isPlace(x) && isPlace(y)
      ? { product_id: id, x, y }
      : invalid('Product tags on an image need x and y from 0 to 1', 2_207_035);
  });
}

function catalogsOf(world: World, { id }: Node<'picsAccount'>): Node<'picsCatalog'>[] {
  return [...world.nodes.ofKind('picsCatalog')].filter(({ accountId }) => accountId === id);
}

export function hasShop(world: World, account: Node<'picsAccount'>): boolean {
  return catalogsOf(world, account).length > 0;
}

function productsOf(world: World, catalogId: string): Node<'picsProduct'>[] {
  return [...world.nodes.ofKind('picsProduct')].filter((product) => product.catalogId === catalogId);
}

function imageOf({ id }: Node<'picsProduct'>): string {
  return `https://cdn.sandbox.test/products/${id}.jpg`;
}

/** Gives an account a shop with a catalog. One of its products is not approved. */
export function seedShop(world: World, { id: accountId, owners }: Node<'picsAccount'>): void {
  const { id: catalogId } = make(world, 'picsCatalog', owners, {
    id: '19000000000000001',
    accountId,
    name: 'Beans and cups',
    shop: 'Harbour Coffee',
  });
  const products = [
    ['House blend', '$12.50', 'approved'],
    ['Dark roast', '$14.00', 'approved'],
    ['Blue cup', '$9.00', 'approved'],
    ['Red cup', '$9.00', 'pending'],
    ['Filter papers', '$4.50', 'approved'],
    ['Grinder', '$89.00', 'approved'],
  ] as const;
  for (const [index, [name, price, reviewStatus]] of products.entries()) {
    make(world, 'picsProduct', owners, {
      id: `1900000000000010${2 * index + 1}`,
      catalogId,
      name,
      price,
      reviewStatus,
      retailerId: `sku-${index + 1}`,
    });
  }
}

function searchProducts(call: Call, account: Node<'picsAccount'>): unknown {
  const { catalog_id: catalogId, q = '' } = call.params;
  if (!catalogsOf(call.world, account).some(({ id }) => id === catalogId)) {
    return invalid('Param catalog_id must be the ID of a catalog of the account');
  }
  const found = productsOf(call.world, catalogId ?? '').filter(({ name }) =>
    name.toLowerCase().includes(q.toLowerCase()),
  );
  return list(call, productShape, found);
}

const catalogs = lists(catalogShape, ({ world }, account: Node<'picsAccount'>) => catalogsOf(world, account));
const tags = lists(tagShape, ({ world }, media: Node<'picsMedia'>) => tagsOn(world, media));
const shopping = inPageMode(['basic', 'shopping_tag_products'], ['catalog_management']);

export const productRoutes: readonly Route[] = [
  on('GET', 'picsAccount', 'available_catalogs', shopping, catalogs),
  on('GET', 'picsAccount', 'catalog_product_search', shopping, searchProducts, 'catalog_id! q'),
  on('GET', 'picsMedia', 'product_tags', shopping, tags),
  on('POST', 'picsMedia', 'product_tags', shopping, tag, 'child_index updated_tags!'),
];
