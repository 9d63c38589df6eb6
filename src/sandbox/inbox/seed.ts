import { day, hour } from '../auth/tokens.ts';
import type { PageNode } from '../page/nodes.ts';
import type { PicsAccountNode } from '../pics/nodes.ts';
import type { SandboxAccount, SandboxContact, SandboxPage } from '../types.ts';
import type { World } from '../world.ts';
import type { ContactNode, ConversationNode } from './nodes.ts';
import { addContact, addMessage, beginConversation } from './talk.ts';

/** Contacts: one with a long history, one without consent, one who wrote too long ago, and two without a conversation. */
export function seedAccountInbox(
  world: World,
  { id: ownerId, owners }: PicsAccountNode,
): Pick<SandboxAccount, 'contacts' | 'conversationIds' | 'goneContactId'> {
  const contact = (username: string, wanted: Partial<ContactNode> = {}): ContactNode =>
    addContact(world, ownerId, owners, { username, ...wanted });
  const anna = contact('anna');
  const bela = contact('bela', { consent: false });
  const carl = contact('carl', { name: null, picture: null, followers: 12 });
  const dora = contact('dora', { consent: false });
  const gone = contact('gone', { consent: false, gone: true });
  const conversations = [
    talk(world, anna, 2 * hour, 25, extras(anna.id)),
    talk(world, bela, 5 * hour, 2),
    talk(world, carl, 3 * day, 2),
  ];
  const shown = (who: ContactNode, inWindow: boolean): SandboxContact => ({
    id: who.id,
    username: who.username ?? '',
    consent: who.consent,
    inWindow,
    conversationId: conversations.find((one) => one.contactId === who.id)?.id,
  });
  return {
    contacts: [shown(anna, true), shown(bela, true), shown(carl, false), shown(dora, false)],
    conversationIds: conversations.map((one) => one.id),
    goneContactId: gone.id,
  };
}

/** Contacts of a Page: two who wrote today, and one who wrote too long ago. */
export function seedPageInbox(
  world: World,
  { id: ownerId, owners }: Pick<PageNode, 'id' | 'owners'>,
): Required<Pick<SandboxPage, 'contacts' | 'conversationIds'>> {
  const contact = (name: string, consent = true): ContactNode =>
    addContact(world, ownerId, owners, { name, consent });
  const nora = contact('Nora Vik');
  const liam = contact('Liam Roth', false);
  const yuki = contact('Yuki Sato');
  const conversations = [
    talk(world, nora, 3 * hour, 3),
    talk(world, liam, 6 * hour, 1),
    talk(world, yuki, 2 * day, 2),
  ];
  return {
    contacts: [nora, liam, yuki].map((who, at) => ({
      id: who.id,
      name: who.name ?? '',
      consent: who.consent,
      inWindow: who !== yuki,
      conversationId: conversations[at]?.id,
    })),
    conversationIds: conversations.map((one) => one.id),
  };
}

/** A conversation from its oldest message to its newest one, which the contact wrote. */
function talk(
  world: World,
  who: ContactNode,
  newest: number,
  count: number,
  extra: Extra = {},
): ConversationNode {
  const begun = world.now() - newest - count * hour;
  const conversation = beginConversation(world, who.ownerId, who.id, who.owners, begun);
  const called = who.username ?? who.name;
  for (let back = count - 1; back >= 0; back -= 1) {
    const text = back === 2 && extra[2] !== undefined ? '' : `${called}: message ${count - back}`;
    const sentAt = world.now() - newest - back * hour;
    addMessage(world, conversation, back % 2 === 0, text, extra[back], sentAt);
  }
  return conversation;
}

type Extra = Readonly<Record<number, Readonly<Record<string, unknown>>>>;

function extras(contactId: string): Extra {
  const reaction = { reaction: 'love', users: [{ id: contactId, username: 'anna' }] };
  const picture = {
    id: 'a1',
    image_data: { url: 'https://cdn.sandbox.test/attachments/a1.jpg', width: 800, height: 600 },
  };
  const link = 'https://cdn.sandbox.test/stories/s1.jpg';
  return {
    1: { reactions: { data: [reaction] } },
    2: { attachments: { data: [picture] } },
    3: { is_unsupported: true },
    4: { story: { reply_to: { link, id: 's1' } } },
  };
}
