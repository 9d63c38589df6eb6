import type { Node } from '../nodes.ts';
import * as route from '../route.ts';
import { at, type Call, on, type OpenCall, type Route } from '../route.ts';
import { list, lists, members, reads, type Shape } from '../shapes.ts';
import { day } from '../tokens.ts';
import { invalid, refuse } from '../values.ts';
import { everyone, find, listed, make, type World } from '../world.ts';
import { hashtagMediaShape, hashtagsIn, likesOf } from './media.ts';

type Edge = 'recent_media' | 'top_media';

const week = 7 * day;
const maxTags = 30;

const hashtagShape: Shape<Node<'picsHashtag'>> = {
  type: 'ShadowIGHashtag',
  defaults: [],
  fields: members('id', 'name'),
};

/** The hashtag of a word. Searching for the same word again within a week does not count. */
function search({ world, params }: Call, account: Node<'picsAccount'>): Node<'picsHashtag'> {
  const name = (params['q'] ?? '').toLowerCase();
  if (!/^[\p{L}\p{M}\p{N}_]+$/u.test(name)) return invalid('Param q must be a hashtag without its sign');
  const known = [...world.nodes.ofKind('picsHashtag')].find((one) => one.name === name);
  const recent = recentSearches(world, account);
  const isCounted = known !== undefined && recent.includes(known.id);
  if (!isCounted && recent.length >= maxTags) {
    return refuse(18, '(#18) The account has searched for 30 hashtags within 7 days');
  }
  const hashtag = known ?? make(world, 'picsHashtag', [everyone], { name, walks: new Map() });
  if (!isCounted) (account.searches ??= new Map<string, number>()).set(hashtag.id, world.now());
  return hashtag;
}

/** The searches of an account in the last seven days, newest first. */
function recentSearches(world: World, { searches = new Map() }: Node<'picsAccount'>): string[] {
  const recent = [...searches].filter(([, at]) => at > world.now() - week);
  return recent.map(([id]) => id).toReversed();
}

/** The cursor stays the same on each page; the platform remembers the position of the walk. The last page is empty. */
function mediaPage(call: Call, hashtag: Node<'picsHashtag'>, edge: Edge): unknown {
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
function taggedWith(world: World, { name }: Node<'picsHashtag'>, edge: Edge): Node<'picsMedia'>[] {
  const isTagged = ({ parentId, product, caption = '' }: Node<'picsMedia'>): boolean =>
    parentId === undefined && product !== 'STORY' && hashtagsIn(caption).includes(name);
  const found = listed(world, 'picsMedia', isTagged);
  return edge === 'top_media'
    ? found.toSorted((a, b) => likesOf(b) - likesOf(a))
    : found.filter(({ createdAt }) => createdAt > world.now() - day);
}

function findHashtag(open: OpenCall): unknown {
  const call = route.pageCall(open, route.needs(['basic']));
  return { data: [{ id: search(call, route.accountIn(call)).id }] };
}

function mediaWith(edge: Edge) {
  return (call: Call, hashtag: Node<'picsHashtag'>): unknown => {
    route.accountIn(call);
    return mediaPage(call, hashtag, edge);
  };
}

const searched = lists(
  { ...hashtagShape, defaults: ['name'] },
  ({ world }, account: Node<'picsAccount'>) =>
    recentSearches(world, account).flatMap((id) => find(world, 'picsHashtag', id) ?? []),
  { max: maxTags },
);
const basic = route.inPageMode(['basic']);

export const hashtagRoutes: readonly Route[] = [
  at('GET', 'graph', '/ig_hashtag_search', findHashtag, 'q! user_id!'),
  on('GET', 'picsHashtag', '', basic, reads(hashtagShape)),
  on('GET', 'picsHashtag', 'recent_media', basic, mediaWith('recent_media'), 'user_id!'),
  on('GET', 'picsHashtag', 'top_media', basic, mediaWith('top_media'), 'user_id!'),
  on('GET', 'picsAccount', 'recently_searched_hashtags', basic, searched),
];
