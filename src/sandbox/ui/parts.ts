import type { ContactNode, MessageNode } from '../inbox/nodes.ts';
import { conversationWith } from '../inbox/talk.ts';
import { listed, type World } from '../world.ts';
import { html, type Html } from './html.ts';

const most = 10;

/** The newest entries of a list, each as an item. */
export function entries<T>(all: readonly T[], toHtml: (one: T) => Html, none: string): Html {
  if (all.length === 0) return html`<p class="soft">${none}</p>`;
  const older = all.length - most;
  return html`<ul class="entries">
      ${all.slice(0, most).map((one) => html`<li>${toHtml(one)}</li> `)}
    </ul>
    ${older > 0 ? html`<p class="soft">and ${older} more</p>` : undefined}`;
}

const few = 5;

/** The few newest comments or messages, the newest last, as a person reads them. */
function newest<T>(all: readonly T[], toHtml: (one: T) => Html): Html {
  const shown = all.slice(0, few).toReversed();
  return shown.length === 0
    ? html``
    : html`<ul>
        ${shown.map((one) => html`<li>${toHtml(one)}</li> `)}
      </ul>`;
}

interface Comment {
  readonly hidden: boolean;
  readonly parentId: string | undefined;
}

/** The newest comments on a post or a media, and a form to add one. */
export function commentsPart<T extends Comment>(
  on: string,
  text: string,
  comments: readonly T[],
  said: (comment: T) => readonly [who: string, text: string],
  value: string,
): Html {
  const label = `A customer comments on “${shortened(text, 40)}”`;
  return html`${newest(comments, (one) => {
    const [who, words] = said(one);
    const { hidden, parentId } = one;
    return html`${who}${parentId === undefined ? '' : ' replied'}: ${words}${hidden ? ' (hidden)' : ''}`;
  })}
  ${lineForm('comment', label, 'Comment', { on }, { name: 'message', value })}`;
}

/** A time by the sandbox clock: its day and minute, or its second. */
export function timeOf(ms: number, precision: 'minutes' | 'seconds' = 'minutes'): Html {
  const iso = new Date(ms).toISOString();
  const shown = precision === 'minutes' ? iso.slice(0, 16).replace('T', ' ') : iso.slice(11, 19);
  return html`<time datetime="${iso}">${shown}</time>`;
}

/** A form of one line of text and a button. */
function lineForm(
  action: string,
  label: string,
  button: string,
  fields: Readonly<Record<string, string>>,
  text: { readonly name: string; readonly value: string },
): Html {
  return html`<form class="line" method="post" action="/ui/${action}">
    ${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
    <label>${label} <input name="${text.name}" value="${text.value}" required maxlength="1000" /></label>
    <button>${button}</button>
  </form>`;
}

/** The subscription of a Page or account, without which no webhook is delivered. */
export function subscriptionOf(id: string, fields: readonly string[] | undefined): Html {
  if (fields !== undefined) return html`<p id="on-${id}">Webhooks: <code>${fields.join(', ')}</code></p>`;
  return html`<form class="line" method="post" action="/ui/subscribe">
    <input type="hidden" name="id" value="${id}" />
    <span>Webhooks: not subscribed, so that nothing is delivered.</span>
    <button class="plain">Subscribe</button>
  </form>`;
}

export function shortened(text: string, length = 80): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}

/** The inbox of a Page or an account: everyone who can write to it, and the last messages. */
export function inboxPart(world: World, ownerId: string): Html {
  const contacts = listed(world, 'contact', (one) => !one.gone && one.ownerId === ownerId).toReversed();
  return html`<h4>Inbox</h4>
    <div id="inbox-${ownerId}" data-live>
      ${entries(contacts, (one) => contactOf(world, one), 'Nobody writes here.')}
    </div>`;
}

function contactOf(world: World, contact: ContactNode): Html {
  const conversation = conversationWith(world, contact.id);
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
