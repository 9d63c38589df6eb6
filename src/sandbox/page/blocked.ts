import { invalid } from '../errors.ts';
import { list } from '../paging.ts';
import { onNode, type Call, type Route } from '../route.ts';
import type { Shape } from '../select.ts';
import { recordEffect, type World } from '../world.ts';
import { moderating } from './access.ts';
import type { BlockedPerson, PageNode } from './nodes.ts';
import { names } from './values.ts';

const common = { ...moderating, on: 'page', edge: 'blocked' } as const;

/** The kinds of ids for people; `uid` is the old name of `user`. */
const idParams = ['user', 'psid', 'asid', 'uid'];

const personShape: Shape<BlockedPerson> = {
  type: 'Profile',
  fields: ['can_post', 'id', 'link', 'name', 'pic', 'profile_type', 'username'],
  defaults: ['name'],
  edges: ['picture'],
  read: ({ id, name }) => ({
    id,
    name,
    link: `https://page.sandbox.test/${id}`,
    profile_type: 'user',
    can_post: false,
  }),
};

export const blockedRoutes: readonly Route[] = [
  onNode({
    ...common,
    method: 'GET',
    params: ['uid', 'user'],
    run: (call, { blocked }) => {
      const asked = names(call.params['user'] ?? call.params['uid']);
      const found = [...(blocked?.values() ?? [])].filter(
        ({ id }) => asked.length === 0 || asked.includes(id),
      );
      return list(call, personShape, found.toReversed());
    },
  }),
  onNode({ ...common, method: 'POST', params: idParams, run: block }),
  onNode({ ...common, method: 'DELETE', params: idParams, run: unblock }),
];

/** Returns whether each person is now blocked: `false` for a person whom the Page never met. */
function block(call: Call, page: PageNode): unknown {
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

function unblock(call: Call, page: PageNode): unknown {
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
function nameOf(world: World, page: PageNode, id: string): string | undefined {
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
