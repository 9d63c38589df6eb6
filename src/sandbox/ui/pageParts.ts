import type { FormNode, LeadNode, PageNode, PostNode, StoryNode } from '../page/nodes.ts';
import { isPublished } from '../page/postWrites.ts';
import { listed, type World } from '../world.ts';
import { html, type Html } from './html.ts';
import type { Ui } from './pages.ts';
import { commentsPart, entries, inboxPart, subscriptionOf, timeOf } from './parts.ts';

/** Every Page with its content: the user's own first, then those of business portfolios. */
export function pageParts({ world, sandbox }: Ui): Html {
  const oldest = listed(world, 'page', () => true).toReversed();
  const own = oldest.filter(({ isDirect }) => isDirect);
  const others = oldest.filter(({ isDirect }) => !isDirect);
  const tokens = new Map(sandbox.pages.map(({ id, token }) => [id, token]));
  return html`${[...own, ...others].map((page, at) => partOf(world, page, tokens.get(page.id), at === 0))}`;
}

function partOf(world: World, page: PageNode, token: string | undefined, open: boolean): Html {
  const posts = listed(world, 'post', ({ pageId }) => pageId === page.id);
  const stories = listed(world, 'story', ({ pageId }) => pageId === page.id);
  const forms = listed(world, 'form', ({ pageId }) => pageId === page.id).toReversed();
  return html`<details class="part" ${open ? html` open` : undefined}>
    <summary><h3>${page.name}</h3></summary>
    <p class="soft">
      Page <code>${page.id}</code>${token === undefined ? undefined : html`, token <code>${token}</code>`}
    </p>
    <div id="subscription-${page.id}" data-live>${subscriptionOf(page.id, page.subscribed)}</div>
    <h4>Posts</h4>
    <div id="posts-${page.id}" data-live>${entries(posts, (post) => postOf(world, post), 'No posts.')}</div>
    <h4>Stories</h4>
    <div id="stories-${page.id}" data-live>${entries(stories, storyOf, 'No stories.')}</div>
    <h4>Lead forms</h4>
    ${entries(forms, (form) => formOf(world, form), 'No lead forms.')} ${inboxPart(world, page.id)}
  </details>`;
}

function postOf(world: World, post: PostNode): Html {
  const text = post.message ?? post.link ?? 'without a text';
  const comments = listed(world, 'comment', ({ postId }) => postId === post.id);
  return html`<p id="on-${post.id}">${text}</p>
    <p class="soft">
      ${post.from.name}, ${timeOf(post.createdAt)}${stateOf(world, post)}, <code>${post.id}</code>
    </p>
    ${commentsPart(
      post.id,
      text,
      comments,
      (one) => [one.from.name, one.message ?? '(a photo)'],
      'Are you open on Sunday?',
    )}`;
}

function stateOf(world: World, post: PostNode): string {
  if (isPublished(world, post)) return post.hidden === true ? ', hidden' : '';
  if (post.scheduledAt === undefined) return ', a draft';
  return `, scheduled for ${new Date(post.scheduledAt).toISOString()}`;
}

function storyOf({ id, mediaType, createdAt }: StoryNode): Html {
  return html`${mediaType}, ${timeOf(createdAt)}, <code>${id}</code>`;
}

function formOf(world: World, form: FormNode): Html {
  const leads = listed(world, 'lead', ({ formId }) => formId === form.id);
  return html`<p id="on-${form.id}">
      ${form.name} <span class="soft"><code>${form.id}</code></span>
    </p>
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

function leadOf({ id, createdAt, fieldData }: LeadNode): Html {
  const answers = fieldData.map(({ name, values }) => `${name}: ${values.join(', ')}`).join('; ');
  return html`<p>${answers}</p>
    <p class="soft">${timeOf(createdAt)}, <code>${id}</code></p>`;
}
