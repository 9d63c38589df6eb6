import { day } from '../auth/tokens.ts';
import { invalid, refuse } from '../errors.ts';
import { list } from '../paging.ts';
import { atPath, onNode, type Call, type Route } from '../route.ts';
import { readNode, type Shape } from '../select.ts';
import { add, everyone, find, listed, type World } from '../world.ts';
import { accountIn, needs, pageCall, pageOnly } from './access.ts';
import { hashtagMediaShape, hashtagsIn, likesOf } from './mediaShape.ts';
import type { PicsAccountNode, PicsHashtagNode, PicsMediaNode } from './nodes.ts';

const scopes = needs(['basic']);
const week = 7 * day;
const mostTags = 30;

const hashtagShape: Shape<PicsHashtagNode> = {
  type: 'ShadowIGHashtag',
  fields: ['id', 'name'],
  defaults: [],
  edges: ['recent_media', 'top_media'],
  read: ({ id, name }) => ({ id, name }),
};

export const hashtagRoutes: readonly Route[] = [
  atPath({
    method: 'GET',
    hosts: ['graph'],
    path: '/ig_hashtag_search',
    params: ['q', 'user_id'],
    required: ['q', 'user_id'],
    run: (open) => {
      const call = pageCall(open, scopes);
      return { data: [{ id: search(call, accountIn(call)).id }] };
    },
  }),
  onNode({
    ...pageOnly,
    method: 'GET',
    on: 'picsHashtag',
    scopes,
    run: (call, hashtag) => readNode(call, hashtagShape, hashtag),
  }),
  ...(['recent_media', 'top_media'] as const).map((edge) =>
    onNode({
      ...pageOnly,
      method: 'GET',
      on: 'picsHashtag',
      edge,
      scopes,
      params: ['user_id'],
      required: ['user_id'],
      run: (call, hashtag) => {
        accountIn(call);
        return mediaPage(call, hashtag, edge);
      },
    }),
  ),
  onNode({
    ...pageOnly,
    method: 'GET',
    on: 'picsAccount',
    edge: 'recently_searched_hashtags',
    scopes,
    run: (call, account) => {
      const found = recentSearches(call.world, account).flatMap(
        ([id]) => find(call.world, 'picsHashtag', id) ?? [],
      );
      return list(call, { ...hashtagShape, defaults: ['name'] }, found, { max: mostTags });
    },
  }),
];

/** The hashtag of a word. Searching for the same word again within a week does not count. */
function search({ world, params }: Call, account: PicsAccountNode): PicsHashtagNode {
  const name = (params['q'] ?? '').toLowerCase();
  if (!/^[\p{L}\p{M}\p{N}_]+$/u.test(name)) return invalid('Param q must be a hashtag without its sign');
  const known = [...world.nodes.ofKind('picsHashtag')].find((one) => one.name === name);
  const recent = recentSearches(world, account).map(([id]) => id);
  const isCounted = known !== undefined && recent.includes(known.id);
  if (!isCounted && recent.length >= mostTags) {
    return refuse({
      code: 4,
      status: 403,
      message: '(#4) Application request limit reached',
      is_transient: true,
    });
  }
  const hashtag =
    known ??
    add<PicsHashtagNode>(world, {
      kind: 'picsHashtag',
      id: world.newId('178'),
      owners: [everyone],
      createdAt: world.now(),
      name,
      walks: new Map(),
    });
  if (!isCounted) (account.searches ??= new Map<string, number>()).set(hashtag.id, world.now());
  return hashtag;
}

/** The searches of an account in the last seven days, newest first. */
function recentSearches(
  world: World,
  { searches = new Map<string, number>() }: PicsAccountNode,
): (readonly [string, number])[] {
  return [...searches].filter(([, at]) => at > world.now() - week).toReversed();
}

/** The cursor stays the same on each page; the platform remembers the position of the walk. The last page is empty. */
function mediaPage(call: Call, hashtag: PicsHashtagNode, edge: 'recent_media' | 'top_media'): unknown {
  const { world, params } = call;
  const { after } = params;
  const known = after === undefined ? undefined : hashtag.walks.get(after);
  if (after !== undefined && known?.edge !== edge) {
    return invalid('Invalid cursors values were provided in the request');
  }
  const walk = known ?? { edge, ids: taggedWith(world, hashtag, edge).map(({ id }) => id) };
  const left = walk.ids.flatMap((id) => find(world, 'picsMedia', id) ?? []);
  const rest = Object.entries(params).filter(([name]) => name !== 'after' && name !== 'before');
  const first: Call = { ...call, params: Object.fromEntries(rest) };
  const { data } = list(first, hashtagMediaShape, left, { max: 50 });
  if (data.length === 0) return { data };
  const cursor = after ?? world.newId('9');
  hashtag.walks.set(cursor, { edge, ids: left.slice(data.length).map(({ id }) => id) });
  return { data, paging: { cursors: { after: cursor } } };
}

/** Everybody's public media with a hashtag: those of the last day, newest first; or all, by likes. */
function taggedWith(
  world: World,
  { name }: PicsHashtagNode,
  edge: 'recent_media' | 'top_media',
): PicsMediaNode[] {
  const found = listed(
    world,
    'picsMedia',
    (media) =>
      media.parentId === undefined &&
      media.product !== 'STORY' &&
      hashtagsIn(media.caption ?? '').includes(name),
  );
  return edge === 'top_media'
    ? found.toSorted((a, b) => likesOf(b) - likesOf(a))
    : found.filter(({ createdAt }) => createdAt > world.now() - day);
}
