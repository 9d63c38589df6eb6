import type { BlockedPerson, Node } from '../nodes.ts';
import { type Call, moderating, on, type Route } from '../route.ts';
import { lists, members, type Shape } from '../shapes.ts';
import { invalid, names } from '../values.ts';
import { recordEffect, type World } from '../world.ts';

/** The kinds of ids for people; `uid` is the old name of `user`. */
const idParams = ['user', 'psid', 'asid', 'uid'];

function pictureOf(id: string): string {
  return `https://cdn.sandbox.test/${id}/50.jpg`;
}

const personShape: Shape<BlockedPerson> = {
  type: 'Profile',
  defaults: ['name'],
  blank: 'username',
  fields: {
    ...members<BlockedPerson>('id', 'name'),
    link: ({ id }) => `https://page.sandbox.test/${id}`,
    pic: ({ id }) => pictureOf(id),
    picture: ({ id }) => ({ data: { height: 50, is_silhouette: false, url: pictureOf(id), width: 50 } }),
    profile_type: () => 'user',
    can_post: () => false,
  },
};

/** Returns whether each person is now blocked: `false` for a person whom the Page never met. */
function block(call: Call, page: Node<'page'>): unknown {
  const { world } = call;
  const ids = idsIn(call);
  return Object.fromEntries(
    ids.map((id) => {
      const name = nameOf(world, page, id);
      if (name === undefined) return [id, false];
      page.blocked ??= new Map();
      if (!page.blocked.has(id)) {
        page.blocked.set(id, { id, name, createdAt: world.now() });
        recordEffect(world, 'block', id, page.id, { name });
      }
      return [id, true];
    }),
  );
}

function unblock(call: Call, page: Node<'page'>): unknown {
  const [id = '', ...more] = idsIn(call);
  if (more.length > 0) return invalid('Only one person can be unblocked at a time');
  if (page.blocked?.delete(id) === true) recordEffect(call.world, 'unblock', id, page.id, {});
  return { success: true };
}

/** The people in exactly one of the parameters. */
function idsIn({ params }: Call): readonly string[] {
  const given = idParams.filter((name) => params[name] !== undefined);
  const ids = names(params[given[0] ?? '']);
  return given.length === 1 && ids.length > 0 ? ids : invalid(`Give one of {${idParams.join(', ')}}`);
}

/** The name of a person who wrote on the Page, commented there, or sent it a message. */
function nameOf(world: World, page: Node<'page'>, id: string): string | undefined {
  if (id === page.id) return undefined;
  for (const kind of ['post', 'comment'] as const) {
    for (const { pageId, from } of world.nodes.ofKind(kind)) {
      if (pageId === page.id && from.id === id) return from.name;
    }
  }
  for (const contact of world.nodes.ofKind('contact')) {
    if (contact.ownerId === page.id && contact.id === id) return contact.name ?? '';
  }
  return undefined;
}

/** The people whom the Page blocked, the last one first. */
function blockedPeople({ params }: Call, { blocked }: Node<'page'>): BlockedPerson[] {
  const asked = names(params['user'] ?? params['uid']);
  const found = [...(blocked?.values() ?? [])].filter(({ id }) => asked.length === 0 || asked.includes(id));
  return found.toReversed();
}

export const visitorRoutes: readonly Route[] = [
  on('GET', 'page', 'blocked', moderating, lists(personShape, blockedPeople), 'uid user'),
  on('POST', 'page', 'blocked', moderating, block, idParams.join(' ')),
  on('DELETE', 'page', 'blocked', moderating, unblock, idParams.join(' ')),
];
