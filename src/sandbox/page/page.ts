import { onNode, type Route } from '../route.ts';
import { readNode } from '../select.ts';
import { pageShape } from './pageShape.ts';
import { pictureRoute } from './picture.ts';

/** A Page itself. */
export const pageNodeRoutes: readonly Route[] = [
  pictureRoute('page'),
  onNode({
    method: 'GET',
    hosts: ['graph'],
    on: 'page',
    tokens: ['user', 'page'],
    scopes: ({ token }) => (token.kind === 'page' ? ['pages_read_engagement'] : []),
    run: (call, page) => readNode(call, pageShape, page),
  }),
];
