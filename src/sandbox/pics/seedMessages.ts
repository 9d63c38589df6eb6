import { day, hour } from '../auth/tokens.ts';
import { randomText } from '../random.ts';
import type { SandboxAccount, SandboxContact } from '../types.ts';
import { add, type World } from '../world.ts';
import type { PicsAccountNode, PicsContactNode, PicsConversationNode, PicsMessageNode } from './nodes.ts';

type Seeded = Pick<SandboxAccount, 'contacts' | 'conversationIds' | 'goneContactId'>;

/** Contacts: one with a long history, one without consent, one who wrote too long ago, and two without a conversation. */
export function seedMessages(world: World, account: PicsAccountNode): Seeded {
  const { owners } = account;
  const contact = (username: string, wanted: Partial<PicsContactNode> = {}): PicsContactNode =>
    add(world, {
      kind: 'picsContact',
      id: world.newId('68'),
      owners,
      createdAt: world.now() - 90 * day,
      username,
      name: `${username} doe`,
      picture: `https://cdn.sandbox.test/people/${username}.jpg`,
      followers: 250,
      consent: true,
      gone: false,
      ...wanted,
    });
  const talk = (
    who: PicsContactNode,
    newest: number,
    count: number,
    extra: Extra = {},
  ): PicsConversationNode => {
    const conversation = add<PicsConversationNode>(world, {
      kind: 'picsConversation',
      id: `aWdf${randomText(world.random, 60)}`,
      owners,
      createdAt: world.now() - newest - count * hour,
      accountId: account.id,
      contactId: who.id,
    });
    // From the oldest message to the newest one, which the contact wrote.
    for (let back = count - 1; back >= 0; back -= 1) {
      add<PicsMessageNode>(world, {
        kind: 'picsMessage',
        id: `aWdf${randomText(world.random, 60)}`,
        owners,
        createdAt: world.now() - newest - back * hour,
        conversationId: conversation.id,
        inbound: back % 2 === 0,
        text: back === 2 && count > 2 ? '' : `${who.username}: message ${count - back}`,
        extra: count > 2 ? (extra[back] ?? {}) : {},
      });
    }
    return conversation;
  };
  const anna = contact('anna');
  const bela = contact('bela', { consent: false });
  const carl = contact('carl', { name: null, picture: null, followers: 12 });
  const dora = contact('dora', { consent: false });
  const gone = contact('gone', { consent: false, gone: true });
  const conversations = [
    talk(anna, 2 * hour, 25, extras(anna.id)),
    talk(bela, 5 * hour, 2),
    talk(carl, 3 * day, 2),
  ];
  const shown = (who: PicsContactNode, inWindow: boolean): SandboxContact => ({
    id: who.id,
    username: who.username,
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
