import { html, type Html } from '../http.ts';
import { conversationWith } from '../messaging/inbox.ts';
import type { Node } from '../nodes.ts';
import type { RequestLog, SandboxDelivery } from '../types.ts';
import { toJson } from '../values.ts';
import { isSubscribed, isTaken } from '../webhooks.ts';
import { find, isPublished, listed, listedOn, type World } from '../world.ts';
import { page, type Ui } from './html.ts';

const maxEntries = 10;

/** The newest entries of a list, each as an item. */
function entries<T>(all: readonly T[], toHtml: (one: T) => Html, none: string): Html {
  if (all.length === 0) return html`<p class="soft">${none}</p>`;
  const older = all.length - maxEntries;
  return html`<ul class="entries">
      ${all.slice(0, maxEntries).map((one) => html`<li>${toHtml(one)}</li> `)}
    </ul>
    ${older > 0 ? html`<p class="soft">and ${older} more</p>` : undefined}`;
}

const maxNewest = 5;

/** The newest comments or messages, the newest last, as a person reads them. */
function newest<T>(all: readonly T[], toHtml: (one: T) => Html): Html {
  const shown = all.slice(0, maxNewest).toReversed();
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
function commentsPart<T extends Comment>(
  on: string,
  text: string,
  comments: readonly T[],
  lineOf: (comment: T) => readonly [who: string, text: string],
  value: string,
): Html {
  const label = `A customer comments on “${shortened(text, 40)}”`;
  return html`${newest(comments, (one) => {
    const [who, words] = lineOf(one);
    const { hidden, parentId } = one;
    return html`${who}${parentId === undefined ? '' : ' replied'}: ${words}${hidden ? ' (hidden)' : ''}`;
  })}
  ${lineForm('comment', label, 'Comment', { on }, { name: 'message', value })}`;
}

/** A time by the sandbox clock: its day and minute, or its second. */
function timeOf(ms: number, precision: 'minutes' | 'seconds' = 'minutes'): Html {
  const iso = new Date(ms).toISOString();
  const shown = precision === 'minutes' ? iso.slice(0, 16).replace('T', ' ') : iso.slice(11, 19);
  return html`<time datetime="${iso}">${shown}</time>`;
}

/** An id or a token on one line: on a narrow screen its end is hidden, and its title has it whole. */
function idOf(id: string): Html {
  return html`<code class="id" title="${id}">${id}</code>`;
}

/** A part of the page that is renewed while a person reads it, under its heading. */
function livePart(title: string, id: string, content: Html): Html {
  return html`<h4>${title}</h4>
    <div id="${id}" data-live>${content}</div>`;
}

/** A form of one line of text and a button. */
function lineForm(
  action: string,
  label: string,
  button: string,
  fields: Readonly<Record<string, string>>,
  text: { readonly name: string; readonly value: string },
): Html {
  return html`<form class="line said" method="post" action="/ui/${action}">
    ${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
    <label
      ><span class="hidden">${label}</span>
      <input name="${text.name}" value="${text.value}" required maxlength="1000"
    /></label>
    <button>${button}</button>
  </form>`;
}

/** The subscription of a Page or account, without which no webhook is delivered. */
function subscriptionOf(id: string, fields: readonly string[] | undefined): Html {
  if (fields !== undefined) return html`<p id="on-${id}">Webhooks: <code>${fields.join(', ')}</code></p>`;
  return html`<form class="line" method="post" action="/ui/subscribe">
    <input type="hidden" name="id" value="${id}" />
    <span>Webhooks: not subscribed, so nothing is delivered.</span>
    <button class="plain">Subscribe</button>
  </form>`;
}

export function shortened(text: string, length = 80): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}

/** The inbox of a Page or an account: everyone who can write to it, and the last messages. */
function inboxPart(world: World, ownerId: string): Html {
  const contacts = listed(world, 'contact', (one) => !one.gone && one.ownerId === ownerId).toReversed();
  const content = entries(contacts, (one) => contactOf(world, one), 'Nobody writes here.');
  return livePart('Inbox', `inbox-${ownerId}`, content);
}

function contactOf(world: World, contact: Node<'contact'>): Html {
  const conversation = conversationWith(world, contact.id);
  const messages = listed(world, 'message', ({ conversationId }) => conversationId === conversation?.id);
  const who = contact.username ?? contact.name ?? contact.id;
  const label = `${who} writes`;
  const text = { name: 'text', value: 'Do you have a table for two?' };
  return html`<p id="on-${contact.id}">${who} <span class="soft">${idOf(contact.id)}</span></p>
    ${newest(messages, (one) => messageOf(one, who))}
    ${lineForm('message', label, 'Write', { contactId: contact.id }, text)}`;
}

function messageOf({ inbound, text, extra, createdAt }: Node<'message'>, who: string): Html {
  const more = Object.keys(extra).length === 0 ? '' : ` (with ${Object.keys(extra).join(', ')})`;
  return html`${inbound ? who : 'You'}: ${text}${more} <span class="soft">${timeOf(createdAt)}</span>`;
}

/** Every Page with its content: first those that the user manages directly, then those of business portfolios. */
function pageParts({ world, sandbox }: Ui): Html {
  const oldest = listed(world, 'page', () => true).toReversed();
  const direct = oldest.filter(({ isDirect }) => isDirect);
  const others = oldest.filter(({ isDirect }) => !isDirect);
  const tokens = new Map(sandbox.pages.map(({ id, token }) => [id, token]));
  return html`${[...direct, ...others].map((page, at) => pagePart(world, page, tokens.get(page.id), at === 0))}`;
}

function pagePart(world: World, page: Node<'page'>, token: string | undefined, open: boolean): Html {
  const all = [
    ...listedOn(world, 'post', page),
    // The post of a Reel cannot be read: its video is listed instead.
    ...listedOn(world, 'video', page, isReel),
  ].toSorted((a, b) => b.createdAt - a.createdAt);
  const posts = all.filter((post) => isPublished(world, post));
  const others = all.filter((post) => !isPublished(world, post));
  const stories = listedOn(world, 'story', page);
  const forms = listedOn(world, 'form', page).toReversed();
  const published = entries(posts, (post) => postOf(world, post), 'No posts.');
  const scheduled = entries(others, (post) => scheduledOf(world, post), 'Nothing is scheduled.');
  return html`<details class="part" ${open ? html` open` : undefined}>
    <summary><h3>${page.name}</h3></summary>
    <p class="soft">Page ${idOf(page.id)}${token === undefined ? undefined : html`, token ${idOf(token)}`}</p>
    <div id="subscription-${page.id}" data-live>${subscriptionOf(page.id, page.subscribed)}</div>
    ${livePart('Posts', `posts-${page.id}`, published)}
    ${livePart('Scheduled posts and drafts', `scheduled-${page.id}`, scheduled)}
    ${livePart('Stories', `stories-${page.id}`, entries(stories, pageStory, 'No stories.'))}
    <h4>Lead forms</h4>
    ${entries(forms, (form) => formOf(world, form), 'No lead forms.')} ${inboxPart(world, page.id)}
  </details>`;
}

function isReel({ edge, finishedAt }: Node<'video'>): boolean {
  return edge === 'video_reels' && finishedAt !== undefined;
}

function textOf(post: Node<'post' | 'video'>): string {
  const text = post.kind === 'post' ? (post.message ?? post.link) : (post.title ?? post.description);
  return text ?? 'without a text';
}

function postOf(world: World, post: Node<'post' | 'video'>): Html {
  const text = textOf(post);
  const comments = listed(world, 'comment', ({ postId }) => postId === post.id);
  const author = post.kind === 'post' ? post.from.name : find(world, 'page', post.pageId)?.name;
  const hidden = post.kind === 'post' && post.hidden === true ? ', hidden' : '';
  const lineOf = ({ from, message = '(a photo)' }: Node<'comment'>) => [from.name, message] as const;
  return html`${badgeOf(kindOfPost(world, post))}
    <p id="on-${post.id}">${text}</p>
    <p class="soft">${author}, ${timeOf(post.createdAt)}${mediaIn(world, post)}${hidden}, ${idOf(post.id)}</p>
    ${commentsPart(post.id, text, comments, lineOf, 'Are you open on Sunday?')}`;
}

function scheduledOf(world: World, post: Node<'post' | 'video'>): Html {
  const { scheduledAt } = post;
  const state = scheduledAt === undefined ? 'a draft' : html`scheduled for ${timeOf(scheduledAt)}`;
  return html`${badgeOf(kindOfPost(world, post))}
    <p id="on-${post.id}">${textOf(post)}</p>
    <p class="soft">${state}${mediaIn(world, post)}, ${idOf(post.id)}</p>`;
}

/** What a post shows besides its text. */
function mediaIn(world: World, post: Node<'post' | 'video'>): string {
  if (post.kind === 'video') return ', Reel';
  if (kindOfPost(world, post) === 'video') return ', video';
  const { length } = post.media ?? [];
  return length === 0 ? '' : `, ${count(length, 'photo', 'photos')}`;
}

/** What a post is, by what it shows. */
function kindOfPost(world: World, post: Node<'post' | 'video'>): Kind {
  if (post.kind === 'video') return 'reel';
  const [first, ...more] = post.media ?? [];
  if (first === undefined) return post.link === undefined ? 'text' : 'link';
  if (find(world, 'video', first) !== undefined) return 'video';
  return more.length > 0 ? 'carousel' : 'image';
}

type Kind = 'text' | 'link' | 'image' | 'video' | 'reel' | 'carousel' | 'story';

/** The drawing of each kind, in a square of 24. */
const drawings: Readonly<Record<Kind, string>> = {
  text: 'M4 6h16M4 11h16M4 16h10',
  link: 'M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1',
  image: 'M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15 9h.01',
  video: 'M4 5h16v14H4zM10 9v6l5-3z',
  reel: 'M7 3h10v18H7zM10.5 9v6l4-3z',
  carousel: 'M7 4h13v13H7zM4 8v12h12M7 14l4-4 4 4 2-2 3 3',
  story: 'M12 4a8 8 0 1 0 .01 0M12 8v8M8 12h8',
};

/** A picture of a kind: the media themselves lie elsewhere, and pages of the sandbox load nothing from there. */
function badgeOf(kind: Kind): Html {
  return html`<svg class="kind ${kind}" viewBox="0 0 24 24" role="img" aria-label="${kind}">
    <path d="${drawings[kind]}" />
  </svg>`;
}

function pageStory({ id, mediaType, createdAt }: Node<'story'>): Html {
  return html`${badgeOf('story')} ${mediaType}, ${timeOf(createdAt)}, ${idOf(id)}`;
}

function formOf(world: World, form: Node<'form'>): Html {
  const leads = listed(world, 'lead', ({ formId }) => formId === form.id);
  return html`<p id="on-${form.id}">${form.name} <span class="soft">${idOf(form.id)}</span></p>
    <form class="line" method="post" action="/ui/lead">
      <input type="hidden" name="formId" value="${form.id}" />
      ${form.questions.map(questionOf)}
      <button>Leave a lead</button>
    </form>
    <div id="leads-${form.id}" data-live>${entries(leads, leadOf, 'No leads.')}</div>`;
}

const examples: Readonly<Record<string, string>> = { FULL_NAME: 'Wim Prins', EMAIL: 'wim@sandbox.test' };

function questionOf(question: Readonly<Record<string, unknown>>): Html {
  const { key, label, type } = question;
  const value = examples[String(type)] ?? '';
  return html`<label
    >${String(label)} <input name="answer:${String(key)}" value="${value}" maxlength="1000"
  /></label>`;
}

function leadOf({ id, createdAt, fieldData }: Node<'lead'>): Html {
  const answers = fieldData.map(({ name, values }) => `${name}: ${values.join(', ')}`).join('; ');
  return html`<p>${answers}</p>
    <p class="soft">${timeOf(createdAt)}, ${idOf(id)}</p>`;
}

/** Every photo-sharing account, with its media and its inbox. */
function accountParts(world: World): Html {
  return html`${listed(world, 'picsAccount', () => true)
    .toReversed()
    .map((account, at) => accountPart(world, account, at === 0))}`;
}

function accountPart(world: World, account: Node<'picsAccount'>, open: boolean): Html {
  const all = listed(
    world,
    'picsMedia',
    ({ accountId, parentId }) => accountId === account.id && parentId === undefined,
  );
  const stories = all.filter(({ product }) => product === 'STORY');
  const media = all.filter(({ product }) => product !== 'STORY');
  const page = find(world, 'page', account.pageId ?? '');
  return html`<details class="part" ${open ? html` open` : undefined}>
    <summary><h3>${account.username}</h3></summary>
    <p class="soft">Account ${idOf(account.id)}, in login mode ${idOf(account.scopedId)}</p>
    <div id="subscription-${account.id}" data-live>
      ${subscriptionOf(account.id, account.subscribed ?? page?.subscribed)}
    </div>
    ${livePart(
      'Media',
      `media-${account.id}`,
      entries(media, (one) => mediaOf(world, one), 'No media.'),
    )}
    ${livePart('Stories', `stories-${account.id}`, entries(stories, accountStory, 'No stories.'))}
    ${inboxPart(world, account.id)}
  </details>`;
}

function mediaOf(world: World, media: Node<'picsMedia'>): Html {
  const text = media.caption ?? 'without a caption';
  const comments = listed(world, 'picsComment', ({ mediaId }) => mediaId === media.id);
  return html`${badgeOf(kindOf(media))}
    <p id="on-${media.id}">${text}</p>
    <p class="soft">${kindOf(media)}, ${timeOf(media.createdAt)}, ${idOf(media.id)}</p>
    ${commentsPart(media.id, text, comments, (one) => [one.from.username, one.text], 'Lovely')}`;
}

function kindOf({ type, product }: Node<'picsMedia'>): Kind {
  if (product === 'REELS') return 'reel';
  return ({ IMAGE: 'image', VIDEO: 'video', CAROUSEL_ALBUM: 'carousel' } as const)[type];
}

function accountStory(media: Node<'picsMedia'>): Html {
  return html`${badgeOf('story')} ${kindOf(media)}, ${timeOf(media.createdAt)}, ${idOf(media.id)}`;
}

/** The events that wait for delivery, and the result of the last delivery. */
function webhookParts({ world, delivered, target }: Ui): Html {
  const ready = world.happenings.filter((one) => isSubscribed(world, one)).length;
  const others = world.happenings.length - ready;
  return html`<div id="waiting" data-live>
      <p>
        ${count(ready, 'event waits', 'events wait')} for
        delivery.${others === 0 ? undefined : ` ${count(others, 'more belongs', 'more belong')} to a Page, account or field without a subscription, and will be dropped.`}
      </p>
    </div>
    <form class="line" method="post" action="/ui/deliver">
      <label
        >Address of your webhook, on this machine <input name="to" type="url" value="${target}" required
      /></label>
      <button>Deliver</button>
    </form>
    ${delivered === undefined ? undefined : resultOf(delivered, target)}`;
}

function resultOf(delivered: readonly SandboxDelivery[], target: string): Html {
  if (delivered.length === 0) return html`<p role="status">There was nothing to deliver.</p>`;
  return html`<div role="status">
    <p>Sent to <code>${target}</code>:</p>
    <ul>
      ${delivered.map((one) => html`<li>${deliveryOf(one)}</li> `)}
    </ul>
  </div>`;
}

function deliveryOf({ body, signature, statuses }: SandboxDelivery): Html {
  const status = statuses.at(-1);
  const { object, entry } = JSON.parse(body) as {
    readonly object: string;
    readonly entry: readonly object[];
  };
  const outcome =
    status === undefined
      ? html`<strong class="bad">no response</strong>`
      : html`response <strong class="${isTaken(status) ? 'good' : 'bad'}">${status}</strong>`;
  const again = isTaken(status) ? undefined : ' The events wait for another delivery.';
  return html`${count(entry.length, 'event', 'events')} of <code>${object}</code>: ${outcome}.${again}
    <details>
      <summary>Show the request</summary>
      <pre tabindex="0">
X-Hub-Signature-256: ${signature}

${body}</pre>
    </details>`;
}

function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`;
}

const maxCalls = 50;

/** The last calls, newest first. */
export function callParts({ requests }: World): Html {
  const { length } = requests;
  return callTable(requests, length === 0 ? 'No calls yet.' : `${length} in all, the newest first.`);
}

export function callTable(requests: readonly RequestLog[], caption: string): Html {
  const rows = requests.slice(-maxCalls).toReversed();
  return html`<table class="calls">
    <caption class="soft">
      ${caption}
    </caption>
    ${rows.length === 0 ? undefined : callHead()}
    <tbody>
      ${rows.map(rowOf)}
    </tbody>
  </table>`;
}

function callHead(): Html {
  return html`<thead>
    <tr>
      <th scope="col">Time</th>
      <th scope="col">Call</th>
      <th scope="col">Status</th>
    </tr>
  </thead>`;
}

function rowOf(call: RequestLog): Html {
  const { method, path, at, status, faulted } = call;
  const state = status === undefined ? undefined : status < 400 ? 'good' : 'bad';
  return html`<tr>
    <td>${timeOf(at, 'seconds')}</td>
    <td>
      ${method} ${path}${faulted ? html` <span class="badge">fault</span>` : undefined}<br /><span
        class="soft"
        >${fieldsOf(call)}</span
      >
    </td>
    <td class="${state}">${status ?? 'no response'}</td>
  </tr> `;
}

const secret = /token|secret|proof|^code$/;

/** The parameters of a call, without its credentials. */
function fieldsOf({ query, form, json }: RequestLog): string {
  const body = typeof json === 'object' && json !== null ? json : {};
  const fields = Object.entries({ ...query, ...form, ...body }).filter(([name]) => !secret.test(name));
  const texts = fields.map(([name, value]) => `${name}=${typeof value === 'string' ? value : toJson(value)}`);
  return shortened(texts.join(' '), 200);
}

/** A version of the start page, which changes whenever its content does. */
export function versionOf({ requests, served, nodes, effects, happenings }: World): string {
  const running = requests.slice(-maxCalls).filter(({ status }) => status === undefined).length;
  return [served, running, nodes.size(), effects.length, happenings.length].join('.');
}

/** The start page. */
export function startPage(ui: Ui): Response {
  const { world } = ui;
  const body = html`<header>
      <h1>pagepics sandbox</h1>
      <p>
        Both platforms, emulated in memory at <code>${ui.url}</code>. It forgets everything when it stops.
        Times are in UTC.
      </p>
      <nav aria-label="Parts of this page">
        <p>
          <a href="#env">Ids and tokens</a> · <a href="#pages">Pages</a> ·
          <a href="#accounts">Photo-sharing accounts</a> · <a href="#webhooks">Webhooks</a> ·
          <a href="#calls">Calls</a> · <a href="/ui/faults">What would have gone wrong</a>
        </p>
      </nav>
    </header>
    <main data-version="${versionOf(world)}">
      ${ui.notice === undefined ? undefined : html`<p class="notice" role="status">${ui.notice}</p>`}
      <div class="columns">
        <div>
          <section aria-labelledby="env">
            <h2 id="env">Ids and tokens</h2>
            <p>For a <code>.env</code>. <button class="plain" data-copy="variables" hidden>Copy</button></p>
            <pre id="variables" tabindex="0" aria-label="Variables">${variables(ui)}</pre>
          </section>
          <section aria-labelledby="pages">
            <h2 id="pages">Pages</h2>
            ${pageParts(ui)}
          </section>
          <section aria-labelledby="accounts">
            <h2 id="accounts">Photo-sharing accounts</h2>
            ${accountParts(world)}
          </section>
        </div>
        <div class="beside">
          <section aria-labelledby="webhooks">
            <h2 id="webhooks">Webhooks</h2>
            ${webhookParts(ui)}
          </section>
          <section aria-labelledby="calls">
            <h2 id="calls">Calls</h2>
            <p class="soft" id="live" role="status">Reload the page to see new calls.</p>
            <div id="rows" data-live>${callParts(world)}</div>
          </section>
        </div>
      </div>
    </main>
    <script src="/ui/live.js"></script>`;
  return page('pagepics sandbox', body);
}

/** Environment variables for contexts, with a token of each kind and the addresses of the sandbox. */
export function variables({ sandbox, platform }: Ui): string {
  const { app, picsApp, user, pages, account } = sandbox;
  const all = {
    PAGE_APP_ID: app.id,
    PAGE_APP_SECRET: app.secret,
    PAGE_CONFIG_ID: app.configId,
    PICS_APP_ID: picsApp.id,
    PICS_APP_SECRET: picsApp.secret,
    USER_TOKEN: user.token,
    PAGE_ID: pages[0]?.id,
    PAGE_TOKEN: pages[0]?.token,
    PAGE_CONTACT_ID: pages[0]?.contacts[0]?.id,
    PICS_ID: account.id,
    PICS_USER_ID: account.userId,
    PICS_TOKEN: account.token,
    PICS_CONTACT_ID: account.contacts[0]?.id,
    PAGEPICS_PLATFORM: `'${JSON.stringify(platform)}'`,
  };
  return Object.entries(all)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}
