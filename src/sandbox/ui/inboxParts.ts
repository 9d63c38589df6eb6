import type { ContactNode, MessageNode } from '../inbox/nodes.ts';
import { conversationOf } from '../inbox/talk.ts';
import { listed, type World } from '../world.ts';
import { html, type Html } from './html.ts';
import { entries, lineForm, newest, timeOf } from './parts.ts';

/** The inbox of a Page or an account: everyone who can write to it, and the last messages. */
export function inboxPart(world: World, ownerId: string): Html {
  const contacts = listed(world, 'contact', (one) => !one.gone && one.ownerId === ownerId).toReversed();
  return html`<h4>Inbox</h4>
    <div id="inbox-${ownerId}" data-live>
      ${entries(contacts, (one) => contactOf(world, one), 'Nobody writes here.')}
    </div>`;
}

function contactOf(world: World, contact: ContactNode): Html {
  const conversation = conversationOf(world, contact.id);
  const messages = listed(world, 'message', ({ conversationId }) => conversationId === conversation?.id);
  const who = contact.username ?? contact.name ?? contact.id;
  const label = `${who} writes`;
  const text = { name: 'text', value: 'Do you have a table for two?' };
  return html`<p id="on-${contact.id}">
      ${who} <span class="soft"><code>${contact.id}</code></span>
    </p>
    ${newest(messages, (one) => messageOf(one, who))}
    ${lineForm('message', label, 'Write', { contactId: contact.id }, text)}`;
}

function messageOf({ inbound, text, extra, createdAt }: MessageNode, who: string): Html {
  const more = Object.keys(extra).length === 0 ? '' : ` (with ${Object.keys(extra).join(', ')})`;
  return html`${inbound ? who : 'You'}: ${text}${more} <span class="soft">${timeOf(createdAt)}</span>`;
}
