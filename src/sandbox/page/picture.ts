import { onNode, redirectTo, type Call, type Route } from '../route.ts';
import { flag, oneOf } from './values.ts';

const sides: Readonly<Record<string, number>> = { small: 50, normal: 100, album: 50, large: 200, square: 50 };

/** The picture of a person or a Page, as a field has it. */
export function pictureOf(id: string, params: Call['params']): { readonly data: object } {
  const side = sides[oneOf(params, 'type', Object.keys(sides)) ?? 'square'] ?? 50;
  const width = Number(params['width'] ?? params['height'] ?? side);
  const height = Number(params['height'] ?? params['width'] ?? side);
  return {
    data: { height, is_silhouette: false, url: `https://cdn.sandbox.test/${id}/${width}.jpg`, width },
  };
}

/** `GET /{id}/picture` leads to the picture itself, unless `redirect` is off. */
export function pictureRoute(on: 'user' | 'page'): Route {
  return onNode({
    method: 'GET',
    hosts: ['graph'],
    on,
    edge: 'picture',
    tokens: ['user', 'page'],
    scopes: [],
    params: ['breaking_change', 'height', 'redirect', 'type', 'width'],
    run: ({ params }, { id }) => {
      const picture = pictureOf(id, params);
      if (flag(params, 'redirect') === false) return picture;
      return redirectTo((picture.data as { readonly url: string }).url);
    },
  });
}
