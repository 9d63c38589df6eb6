import type { PicsConversationNode, PicsMessageNode } from '../pics/nodes.ts';
import { randomText } from '../random.ts';
import { add, find, type NodeKind, type NodeMap, type World } from '../world.ts';
import {
  announceComment,
  announceInConversation,
  announceLead,
  announceMessage,
  announcePicsComment,
  announcePost,
} from './announce.ts';
import type { SandboxAct } from './types.ts';

/** Lets a person act, and returns the id of the result. Throws if the target does not exist. */
export function happen(world: World, act: SandboxAct): string {
  switch (act.kind) {
    case 'post':
      return post(world, act);
    case 'comment':
      return comment(world, act);
    case 'lead':
      return lead(world, act);
    case 'message':
      return message(world, act);
    case 'reaction':
    case 'read':
      return mark(world, act);
  }
}

type Act<TKind extends SandboxAct['kind']> = Extract<SandboxAct, { readonly kind: TKind }>;

function post(world: World, act: Act<'post'>): string {
  const page = demand(world, 'page', act.pageId);
  const made = add(world, {
    kind: 'post',
    id: `${page.id}_${world.newId()}`,
    owners: [page.id],
    createdAt: world.now(),
    pageId: page.id,
    message: act.message,
    link: undefined,
    published: true,
    from: { id: world.newId(), name: act.by ?? 'Wim Prins' },
    clicks: 0,
  });
  announcePost(world, made);
  return made.id;
}

function comment(world: World, { on, message, by }: Act<'comment'>): string {
  const picsParent = find(world, 'picsComment', on);
  const media = find(world, 'picsMedia', picsParent?.mediaId ?? on);
  if (media !== undefined) {
    const made = add(world, {
      kind: 'picsComment',
      id: world.newId('181'),
      owners: media.owners,
      createdAt: world.now(),
      accountId: media.accountId,
      mediaId: media.id,
      parentId: picsParent?.parentId ?? picsParent?.id,
      from: { id: world.newId('68'), username: by ?? 'wim' },
      text: message,
      likes: 0,
      hidden: false,
    });
    announcePicsComment(world, made);
    return made.id;
  }
  const parent = find(world, 'comment', on);
  const { id: postId, pageId } = demand(world, 'post', parent?.postId ?? on);
  const made = add(world, {
    kind: 'comment',
    id: `${postId.split('_')[1]}_${world.newId()}`,
    owners: [pageId],
    createdAt: world.now(),
    pageId,
    postId,
    parentId: parent?.parentId ?? parent?.id,
    from: { id: world.newId(), name: by ?? 'Wim Prins' },
    message,
    hidden: false,
  });
  announceComment(world, made);
  return made.id;
}

function lead(world: World, { formId, answers }: Act<'lead'>): string {
  const form = demand(world, 'form', formId);
  const given = answers ?? { full_name: 'Wim Prins', email: 'wim@sandbox.test' };
  const { id } = add(world, {
    kind: 'lead',
    id: world.newId(),
    owners: form.owners,
    createdAt: world.now(),
    formId,
    fieldData: Object.entries(given).map(([name, value]) => ({ name, values: [value] })),
    ad: {},
  });
  announceLead(world, id);
  return id;
}

function message(world: World, { contactId, text }: Act<'message'>): string {
  const conversation = conversationWith(world, contactId);
  const made = add<PicsMessageNode>(world, {
    kind: 'picsMessage',
    id: `aWdf${randomText(world.random, 60)}`,
    owners: conversation.owners,
    createdAt: world.now(),
    conversationId: conversation.id,
    inbound: true,
    text,
    extra: {},
  });
  announceMessage(world, made);
  return made.id;
}

function conversationWith(world: World, contactId: string): PicsConversationNode {
  const contact = demand(world, 'picsContact', contactId);
  const known = [...world.nodes.values()].find(
    (node) => node.kind === 'picsConversation' && node.contactId === contactId,
  );
  if (known?.kind === 'picsConversation') return known;
  const account = [...world.nodes.values()].find(
    (node) => node.kind === 'picsAccount' && contact.owners.includes(node.id),
  );
  return add<PicsConversationNode>(world, {
    kind: 'picsConversation',
    id: `aWdf${randomText(world.random, 60)}`,
    owners: contact.owners,
    createdAt: world.now(),
    accountId: account?.id ?? '',
    contactId,
  });
}

function mark(world: World, act: Act<'reaction'> | Act<'read'>): string {
  const on = demand(world, 'picsMessage', act.messageId);
  const mid = on.id;
  const reaction =
    act.kind === 'reaction' && act.undo !== true ? { reaction: 'love', emoji: '\u{2764}' } : {};
  const action = act.kind === 'reaction' && act.undo === true ? 'unreact' : 'react';
  const contents = act.kind === 'read' ? { read: { mid } } : { reaction: { mid, action, ...reaction } };
  announceInConversation(world, on, true, world.now(), contents);
  return mid;
}

function demand<K extends NodeKind>(world: World, kind: K, id: string): NodeMap[K] {
  const node = find(world, kind, id);
  if (node === undefined) throw new Error(`the sandbox has no ${kind} ${id}`);
  return node;
}
