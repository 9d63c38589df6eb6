import type { SandboxPage } from '../types.ts';
import { add, type World } from '../world.ts';
import { addComment } from './comment.ts';
import type { FormNode, PageNode, UserNode } from './nodes.ts';
import { addPost } from './postWrites.ts';

type Content = Pick<SandboxPage, 'postIds' | 'commentIds' | 'formIds' | 'leadIds' | 'adId'>;

const hour = 3_600_000;
const people = ['Mara Lind', 'Jon Bell', 'Kim Ito', 'Ola Berg', 'Tess Vale'];

/** How many entries of each kind are seeded. */
export interface ContentSizes {
  readonly posts: number;
  readonly comments: number;
  readonly leads: number;
}

/** Adds a Page that these people manage. */
export function addPage(
  world: World,
  userIds: readonly string[],
  { id = world.newId(), ...more }: Partial<PageNode> & Pick<PageNode, 'name'>,
): PageNode {
  return add<PageNode>(world, {
    createdAt: world.now(),
    picsId: undefined,
    archives: false,
    subscribed: undefined,
    isDirect: true,
    ...more,
    kind: 'page',
    id,
    owners: [id, ...userIds],
  });
}

/** Seeds the posts, comments, ad, forms and leads of one Page. */
export function seedContent(world: World, page: PageNode, user: UserNode, sizes: ContentSizes): Content {
  const postIds = Array.from({ length: sizes.posts }, (_, index) => seedPost(world, page, index));
  const [first] = postIds;
  if (first !== undefined) seedVisitorPost(world, page);
  const commentIds = first === undefined ? [] : seedComments(world, page, first, sizes.comments);
  const ad = seedAd(world, page, user);
  const forms = [seedForm(world, page, 'Newsletter', 'en_US'), seedForm(world, page, 'Angebot', 'de_DE')];
  const [form] = forms;
  const leadIds = form === undefined ? [] : seedLeads(world, form, ad, sizes.leads);
  return { postIds, commentIds, formIds: forms.map(({ id }) => id), leadIds, adId: ad['ad_id'] ?? '' };
}

function seedPost(world: World, page: PageNode, index: number): string {
  return addPost(world, page, {
    createdAt: world.now() - (index * 24 + 2) * hour,
    message: `News no. ${index + 1} from ${page.name}`,
    link: undefined,
    published: true,
    clicks: 7 + index,
  }).id;
}

function seedVisitorPost(world: World, page: PageNode): void {
  addPost(world, page, {
    createdAt: world.now() - 3 * hour,
    message: 'A visitor was here',
    link: undefined,
    published: true,
    from: { id: world.newId(), name: 'Wim Prins' },
  });
}

function seedComments(world: World, page: PageNode, postId: string, count: number): string[] {
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

function seedAd(world: World, page: PageNode, user: UserNode): Record<string, string> {
  const id = world.newId();
  const adset = {
    id: world.newId(),
    name: 'Readers 25+',
    optimization_goal: 'LEAD_GENERATION',
    targeting: { age_min: 25, geo_locations: { countries: ['DE'] } },
  };
  const campaign = { id: world.newId(), name: `Autumn at ${page.name}`, objective: 'OUTCOME_LEADS' };
  add(world, {
    kind: 'ad',
    id,
    owners: [user.id],
    createdAt: world.now() - 240 * hour,
    name: 'Sign up',
    adset,
    campaign,
  });
  return {
    ad_id: id,
    ad_name: 'Sign up',
    adset_id: adset.id,
    adset_name: adset.name,
    campaign_id: campaign.id,
    campaign_name: campaign.name,
  };
}

export function seedForm(world: World, page: PageNode, name: string, locale: string): FormNode {
  return add<FormNode>(world, {
    kind: 'form',
    id: world.newId(),
    owners: [page.id],
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

function seedLeads(world: World, form: FormNode, ad: Record<string, string>, count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const name = people[index % people.length] ?? '';
    return add(world, {
      kind: 'lead',
      id: world.newId(),
      owners: form.owners,
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
export function seedPortfolio(
  world: World,
  user: UserNode,
  pageId: string,
  count: number,
  born: number,
): void {
  const further = (name: string, userIds: readonly string[]): string =>
    addPage(world, userIds, { name, createdAt: born, isDirect: false }).id;
  const owned = Array.from({ length: count }, (_, at) => further(`Branch ${at + 1}`, [user.id]));
  const client = count === 0 ? [] : [further('Client Bakery', [])];
  add(world, {
    kind: 'business',
    id: world.newId(),
    owners: [user.id],
    createdAt: born,
    name: 'Keller Holding',
    ownedPages: [pageId, ...owned],
    clientPages: client,
  });
}
