import { onNode, type Route } from '../route.ts';
import { readNode } from '../select.ts';
import { pageShape } from './pageShape.ts';

/** A Page itself. */
export const pageNodeRoutes: readonly Route[] = [
  onNode({
    method: 'GET',
    hosts: ['graph'],
    on: 'page',
    tokens: ['user', 'page'],
    scopes: [],
    run: (call, page) => readNode(call, pageShape, page),
  }),
];
