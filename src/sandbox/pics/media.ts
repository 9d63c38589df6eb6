import { missing } from '../errors.ts';
import { timeWindow } from '../page/values.ts';
import { list } from '../paging.ts';
import { onNode, type Route } from '../route.ts';
import { readNode } from '../select.ts';
import { both, needs, pageOnly } from './access.ts';
import { isLive, itemsOf, mediaOf, mediaShape, storiesOf } from './mediaShape.ts';

export const mediaRoutes: readonly Route[] = [
  onNode({
    ...both,
    method: 'GET',
    on: 'picsAccount',
    edge: 'media',
    scopes: needs(['basic']),
    params: ['since', 'until'],
    run: (call, account) => {
      const inTime = timeWindow(call);
      const found = mediaOf(call.world, account.id).filter((media) => inTime(media.createdAt));
      return list(call, mediaShape(call), found);
    },
  }),
  onNode({
    ...pageOnly,
    method: 'GET',
    on: 'picsAccount',
    edge: 'stories',
    scopes: needs(['basic'], ['pages_read_engagement']),
    run: (call, account) => list(call, mediaShape(call), storiesOf(call.world, account.id)),
  }),
  onNode({
    ...both,
    method: 'GET',
    on: 'picsMedia',
    scopes: needs(['basic']),
    run: (call, media) =>
      isLive(call.world, media) ? readNode(call, mediaShape(call), media) : missing(media.id, call.method),
  }),
  onNode({
    ...both,
    method: 'GET',
    on: 'picsMedia',
    edge: 'children',
    scopes: needs(['basic']),
    run: (call, media) => ({ data: list(call, mediaShape(call), itemsOf(call.world, media.id)).data }),
  }),
];
