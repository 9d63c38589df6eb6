import { addContact, addMessage, beginConversation } from './messaging/inbox.ts';
import type { Node } from './nodes.ts';
import { addComment } from './page/comments.ts';
import { addPost } from './page/posts.ts';
import { addPicsComment } from './pics/comments.ts';
import { makeMedia } from './pics/media.ts';
import { seedAudio } from './pics/music.ts';
import { seedShop } from './pics/products.ts';
import { day, hour, issueToken, pageScopes, pageTokenFor, picsScopes } from './tokens.ts';
import type { AddedAccount, SandboxAccount, SandboxContact, SandboxPage } from './types.ts';
import { make, type Token, type World } from './world.ts';

type Content = Pick<SandboxPage, 'postIds' | 'commentIds' | 'formIds' | 'leadIds' | 'adId'>;

const people = ['Mara Lind', 'Jon Bell', 'Kim Ito', 'Ola Berg', 'Tess Vale'];

/** How many entries of each kind are seeded. */
type ContentSizes = Readonly<Record<'posts' | 'comments' | 'leads', number>>;

/** Adds a Page that these people manage. */
export function addPage(
  world: World,
  userIds: readonly string[],
  { id = world.newId(), ...more }: Partial<Node<'page'>> & Pick<Node<'page'>, 'name'>,
): Node<'page'> {
  const defaults = { picsId: undefined, archives: false, subscribed: undefined, isDirect: true };
  return make(world, 'page', [id, ...userIds], { ...defaults, ...more, id });
}

/** Seeds the posts, comments, ad, forms and leads of one Page. */
function seedContent(world: World, page: Node<'page'>, user: Node<'user'>, sizes: ContentSizes): Content {
  const postIds = Array.from({ length: sizes.posts }, (_, index) => seedPost(world, page, index));
  const [first] = postIds;
  if (first !== undefined) seedVisitorPost(world, page);
  const commentIds = first === undefined ? [] : seedPageComments(world, page, first, sizes.comments);
  const ad = seedAd(world, page, user);
  const forms = [seedForm(world, page, 'Newsletter', 'en_US'), seedForm(world, page, 'Angebot', 'de_DE')];
  const [form] = forms;
  const leadIds = form === undefined ? [] : seedLeads(world, form, ad, sizes.leads);
  return { postIds, commentIds, formIds: forms.map(({ id }) => id), leadIds, adId: ad['ad_id'] ?? '' };
}

function seedPost(world: World, page: Node<'page'>, index: number): string {
  const createdAt = world.now() - (index * 24 + 2) * hour;
  const message = `News no. ${index + 1} from ${page.name}`;
  return addPost(world, page, { createdAt, message, clicks: 7 + index }).id;
}

function seedVisitorPost(world: World, page: Node<'page'>): void {
  const from = { id: world.newId(), name: 'Wim Prins' };
  addPost(world, page, { createdAt: world.now() - 3 * hour, message: 'A visitor was here', from });
}

function seedPageComments(world: World, page: Node<'page'>, postId: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const createdAt = world.now() - hour - index * 60_000;
    const by = (at: number) => ({ id: world.newId(), name: people[at % people.length] ?? '' });
    const on = { pageId: page.id, postId };
    const comment = addComment(world, on, { createdAt, from: by(index), message: `Comment ${index + 1}` });
    if (index % 3 === 0) {
      const reply = { from: by(index + 1), message: `Reply to ${index + 1}` };
      addComment(world, { ...on, parent: comment }, { createdAt: createdAt + 30_000, ...reply });
    }
    return comment.id;
  });
}

function seedAd(world: World, page: Node<'page'>, user: Node<'user'>): Record<string, string> {
  const id = world.newId();
  const adset = {
    id: world.newId(),
    name: 'Readers 25+',
    optimization_goal: 'LEAD_GENERATION',
    targeting: { age_min: 25, geo_locations: { countries: ['DE'] } },
  };
  const campaign = { id: world.newId(), name: `Autumn at ${page.name}`, objective: 'OUTCOME_LEADS' };
  const name = 'Sign up';
  const createdAt = world.now() - 240 * hour;
  make(world, 'ad', [user.id, page.id], { id, createdAt, name, adset, campaign });
  return {
    ad_id: id,
    ad_name: name,
    adset_id: adset.id,
    adset_name: adset.name,
    campaign_id: campaign.id,
    campaign_name: campaign.name,
  };
}

export function seedForm(world: World, page: Node<'page'>, name: string, locale: string): Node<'form'> {
  return make(world, 'form', [page.id], {
    id: world.newId(),
    createdAt: world.now() - 200 * hour,
    pageId: page.id,
    name,
    status: 'ACTIVE',
    locale,
    questions: [
      { key: 'full_name', label: 'Full name', type: 'FULL_NAME', id: world.newId() },
      { key: 'email', label: 'Email', type: 'EMAIL', id: world.newId() },
      {
        key: 'Favourite Drinks?',
        label: 'Favourite drinks?',
        type: 'CUSTOM',
        id: world.newId(),
        options: [
          { key: 'tea', value: 'Tea' },
          { key: 'coffee', value: 'Coffee' },
        ],
      },
    ],
  });
}

function seedLeads(world: World, form: Node<'form'>, ad: Record<string, string>, count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const name = people[index % people.length] ?? '';
    return make(world, 'lead', form.owners, {
      createdAt: world.now() - (index + 1) * hour,
      formId: form.id,
      fieldData: [
        { name: 'full_name', values: [name] },
        { name: 'email', values: [`${name.split(' ')[0]?.toLowerCase()}@sandbox.test`] },
        { name: 'Favourite Drinks?', values: index % 2 === 0 ? ['tea', 'coffee'] : ['tea'] },
      ],
      ad: index % 4 === 3 ? {} : ad,
    }).id;
  });
}

/**
 * Seeds a business portfolio that owns one of the user's Pages and others, and serves the Page of a client, on which
 * the user has no task.
 */
function seedPortfolio(world: World, user: Node<'user'>, pageId: string, count: number, born: number): void {
  const further = (name: string, userIds: readonly string[]): string =>
    addPage(world, userIds, { name, createdAt: born, isDirect: false }).id;
  const owned = Array.from({ length: count }, (_, at) => further(`Branch ${at + 1}`, [user.id]));
  const client = count === 0 ? [] : [further('Client Bakery', [])];
  make(world, 'business', [user.id], {
    createdAt: born,
    name: 'Keller Holding',
    ownedPages: [pageId, ...owned],
    clientPages: client,
  });
}

/** Contacts: one with a long history, one without consent, one who wrote too long ago, and two without a conversation. */
function seedAccountInbox(
  world: World,
  { id: ownerId, owners }: Node<'picsAccount'>,
): Pick<SandboxAccount, 'contacts' | 'conversationIds' | 'goneContactId'> {
  const contact = (username: string, wanted: Partial<Node<'contact'>> = {}): Node<'contact'> =>
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
  const shown = ({ id, username = '', consent }: Node<'contact'>, inWindow: boolean): SandboxContact => {
    const conversationId = conversations.find(({ contactId }) => contactId === id)?.id;
    return { id, username, consent, inWindow, conversationId };
  };
  return {
    contacts: [shown(anna, true), shown(bela, true), shown(carl, false), shown(dora, false)],
    conversationIds: conversations.map((one) => one.id),
    goneContactId: gone.id,
  };
}

/** Contacts of a Page: two who wrote today, and one who wrote too long ago. */
function seedPageInbox(
  world: World,
  { id: ownerId, owners }: Pick<Node<'page'>, 'id' | 'owners'>,
): Required<Pick<SandboxPage, 'contacts' | 'conversationIds'>> {
  const contact = (name: string, consent = true): Node<'contact'> =>
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
  who: Node<'contact'>,
  newest: number,
  count: number,
  extra: Extra = {},
): Node<'conversation'> {
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

/** Makes a professional account that is linked to a Page. It can be found by both of its ids. */
export function seedAccount(
  world: World,
  pageId: string,
  userId: string,
  username: string,
): Node<'picsAccount'> {
  const id = world.newId('1784');
  const scopedId = world.newId('26');
  const account = make(world, 'picsAccount', [id, pageId, userId], {
    id,
    scopedId,
    createdAt: world.now() - 400 * day,
    pageId,
    username,
    name: `${username} studio`,
  });
  world.nodes.set(scopedId, account);
  return account;
}

/** Issues a token of login mode for an account, as which it is then known. */
export function connect(world: World, account: Node<'picsAccount'>, userId: string): AddedAccount {
  const { id, scopedId, username } = account;
  const token = issueToken(world, { kind: 'pics', subjectId: id, userId, scopes: picsScopes });
  return { id: scopedId, userId: id, username, token: token.value };
}

/** Seeds an account, and describes it as login mode sees it. */
function seedPics(world: World, account: Node<'picsAccount'>, userId: string): SandboxAccount {
  const connected = connect(world, account, userId);
  const { media, items, stories } = seedMedia(world, account);
  const messages = seedAccountInbox(world, account);
  const people = messages.contacts.map(({ id, username }) => ({ id, username }));
  const comments = seedPicsComments(world, account, media[0]?.id ?? '', people);
  return {
    ...connected,
    mediaIds: media.map((one) => one.id),
    carouselItemIds: items.map((one) => one.id),
    storyIds: stories.map((one) => one.id),
    ...comments,
    ...messages,
  };
}

function seedMedia(
  world: World,
  account: Node<'picsAccount'>,
): Record<'media' | 'items' | 'stories', readonly Node<'picsMedia'>[]> {
  const make = (age: number, wanted: Partial<Node<'picsMedia'>>): Node<'picsMedia'> =>
    makeMedia(world, {
      owners: account.owners,
      createdAt: world.now() - age,
      accountId: account.id,
      type: 'IMAGE',
      product: 'FEED',
      url: `https://cdn.sandbox.test/${account.username}/${age}.jpg`,
      likes: 12,
      viewers: 140,
      ...wanted,
    });
  const video = { type: 'VIDEO', url: `https://cdn.sandbox.test/${account.username}/clip.mp4` } as const;
  const carousel = make(2 * day, { type: 'CAROUSEL_ALBUM', caption: 'Three cups \u{2615}', likes: 31 });
  return {
    media: [
      make(day, { caption: 'Morning light' }),
      carousel,
      make(3 * day, { ...video, product: 'REELS', caption: 'Latte art', sharedToFeed: true, viewers: 900 }),
      make(10 * day, { caption: 'Beans', altText: 'A bag of beans' }),
      make(40 * day, {}),
    ],
    items: [1, 2, 3].map((index) => make(2 * day, { parentId: carousel.id, altText: `Cup ${index}` })),
    stories: [
      make(3 * hour, { product: 'STORY', viewers: 40 }),
      make(5 * hour, { ...video, product: 'STORY', viewers: 3 }),
    ],
  };
}

function seedPicsComments(
  world: World,
  account: Node<'picsAccount'>,
  mediaId: string,
  people: readonly { readonly id: string; readonly username: string }[],
): { readonly commentIds: readonly string[]; readonly replyId: string } {
  const media = { ...account, id: mediaId, accountId: account.id };
  const make = (age: number, text: string, from: Node<'picsComment'>['from'], parentId?: string) =>
    addPicsComment(world, media, { createdAt: world.now() - age, parentId, from, text });
  const owner = { id: account.id, username: account.username };
  const texts = ['Lovely', 'Open on Sunday?', 'Great spot \u{1f44d}', 'First!'];
  const comments = texts.map((text, index) => make((index + 1) * hour, text, people[index] ?? owner));
  const reply = make(2 * hour, 'Thanks', owner, comments.at(-1)?.id);
  return { commentIds: comments.map((one) => one.id), replyId: reply.id };
}

export type SeedSizes = ContentSizes & Readonly<Record<'pages' | 'portfolioPages', number>>;

export interface Seeded {
  readonly user: { readonly id: string; readonly name: string; readonly token: string };
  readonly pages: readonly SandboxPage[];
  readonly account: SandboxAccount;
}

export const noContent = { postIds: [], commentIds: [], formIds: [], leadIds: [] };
export const noInbox = { conversationIds: [], contacts: [] };
const pageNames = ['Harbour Coffee', 'Northside Books', 'Fern & Field'];

/** Makes a person, and a long-lived token with all scopes. */
export function seedUser(
  world: World,
  name: string,
  createdAt: number,
): { readonly user: Node<'user'>; readonly token: Token } {
  const id = world.newId();
  const email = `${(name.split(' ')[0] ?? '').toLowerCase()}@sandbox.test`;
  const user = make(world, 'user', [id], { id, createdAt, name, email });
  const token = issueToken(world, { kind: 'user', subjectId: id, userId: id, scopes: pageScopes });
  return { user, token };
}

/** Fills an empty world with a user, Pages, linked accounts and their content. None of it counts as an effect. */
export function seed(world: World, sizes: SeedSizes): Seeded {
  const born = world.now() - 400 * day;
  const { id: appId } = world.app;
  make(world, 'app', [appId], { id: appId, createdAt: born, subscriptions: new Map() });
  const { user, token } = seedUser(world, 'Ada Keller', born);
  const accounts: Node<'picsAccount'>[] = [];
  const pages = Array.from({ length: Math.max(3, sizes.pages) }, (_, index) => {
    const id = world.newId();
    const account =
      index === 0 || index === 2
        ? seedAccount(world, id, user.id, index === 0 ? 'harbour' : 'fernfield')
        : undefined;
    if (account !== undefined) accounts.push(account);
    const page = addPage(world, [user.id], {
      id,
      createdAt: born + index * 1000,
      name: pageNames[index] ?? `Page ${index + 1}`,
      picsId: account?.id,
      archives: index === 0,
    });
    const content = index < 3 ? seedContent(world, page, user, sizes) : noContent;
    return {
      id,
      name: page.name,
      token: pageTokenFor(world, token, id).value,
      ...(account && { picsId: account.id, picsUsername: account.username }),
      ...content,
    };
  });
  seedPortfolio(world, user, pages[0]?.id ?? '', sizes.portfolioPages, born);
  const [first] = accounts;
  if (first === undefined) throw new Error('the first Page has an account');
  seedAudio(world);
  seedShop(world, first);
  return {
    user: { id: user.id, name: user.name, token: token.value },
    account: seedPics(world, first, user.id),
    pages: pages.map((page, index): SandboxPage => ({
      ...page,
      ...(index === 0 ? seedPageInbox(world, { id: page.id, owners: [page.id] }) : noInbox),
    })),
  };
}
