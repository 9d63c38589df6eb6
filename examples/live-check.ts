// Runs the calls that only read on your Page and its account, and writes what they met to live-check.md: versions,
// statuses, errors, and shapes that this package does not know. It holds no token, id, name or text, so that it can be
// pasted into an issue. The exit code is 1 if a call failed, or nothing could be checked.
//
//   npx pagepics example live-check              with .env in this folder, or with the same variables
//   npx pagepics example live-check --publish    also makes an unpublished post on the Page, and deletes it
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';

import type { Result, ResultAsync } from 'neverthrow';
import {
  createPageContextFromEnv,
  createPicsContextFromEnv,
  createPicsContextViaPagesFromEnv,
  type FailureEvent,
  type ResponseEvent,
} from 'pagepics';
import pkg from 'pagepics/package.json' with { type: 'json' };
import * as onPage from 'pagepics/page';
import * as onPics from 'pagepics/pics';

if (existsSync('.env')) process.loadEnvFile('.env');
// Whatever happens now, no earlier report passes for that of this run.
await rm('live-check.md', { force: true });
const { PAGE_TOKEN: pageToken, USER_TOKEN: userToken, PICS_TOKEN: picsToken } = process.env;
const { PAGE_ID: pageId, PICS_USER_ID: picsUserId } = process.env;

/** Fields that models have under another name. */
const renamed = new Set(
  'instagram_business_account locale profile_picture_url biography reactions comments'.split(' '),
);
/** What the report does not name, even where it looks like a word or a short number. */
const ids = new Set(
  ['PAGE_ID', 'PICS_USER_ID', 'PICS_ID', 'PAGE_APP_ID', 'PICS_APP_ID'].map((name) =>
    process.env[name]?.toLowerCase(),
  ),
);
const rows: string[] = [];
const notes: string[] = [];
let calls = 0;
let failures = 0;
const unknown = new Set<string>();
const served = new Set<string>();
const secrets = new Set<string>();
for (const [name, value = ''] of Object.entries(process.env))
  if (/TOKEN|SECRET|KEY/.test(name) && value.length > 5) secrets.add(value);

/** An attempt. `status` is absent if there was no response. */
interface Attempt {
  /** All attempts of a request have the same number. */
  readonly request: number;
  readonly text: string;
  readonly status?: number;
}
let attempts: Attempt[] = [];
const hooks = {
  onResponse: ({ method, path, request, status, apiVersion }: ResponseEvent) => {
    attempts.push({ request, status, text: `${method} ${shownPath(path)} ${status}` });
    if (apiVersion !== undefined) served.add(shown(apiVersion));
  },
  onFailure: ({ method, path, request }: FailureEvent) =>
    void attempts.push({ request, text: `${method} ${shownPath(path)} failed` }),
};

const ofApp = ['PAGE_APP_ID', 'PAGE_APP_SECRET', 'PAGE_ID', 'PAGE_TOKEN'];
if (isSet('Page', ofApp) && pageId && pageToken) await checkPage({ pageId, pageToken });
if (isSet('account, page mode', [...ofApp, 'PICS_USER_ID']) && pageId && pageToken && picsUserId)
  await checkAccount({ token: pageToken, picsUserId }, pageId);
if (isSet('account, login mode', ['PICS_TOKEN']) && picsToken) await checkLogin({ token: picsToken });
if (calls > 0) await write();
else console.error('\nNothing was checked, and no report was written.');
if (calls === 0 || failures > 0) process.exitCode = 1;

/** Whether these variables are set; notes those that are not. */
function isSet(part: string, names: readonly string[]): boolean {
  const missing = names.filter((name) => !process.env[name]);
  if (missing.length > 0) {
    const why = `left out: without ${missing.join(', ')}`;
    rows.push(`| ${part} | ${why} | | |`);
    console.error(`${part.padEnd(28)} ${why}`);
  }
  return missing.length === 0;
}

/** The context of a part; one that cannot be made is noted. */
function contextOf<T>(part: string, made: Result<T, Error>): T | undefined {
  if (made.isOk()) return made.value;
  rows.push(`| ${part} | left out: ${described(made.error)} | | |`);
  console.error(`${part.padEnd(28)} left out: ${made.error.message}`);
  return undefined;
}

async function checkPage(page: { readonly pageId: string; readonly pageToken: string }): Promise<void> {
  const context = contextOf('Page', createPageContextFromEnv(hooks));
  if (context === undefined) return;
  const call = { ...page, limit: 5 };
  const { pageToken } = page;
  if (userToken) {
    const user = { token: userToken };
    await run('me', () => onPage.me(context, user));
    await run('permissions', () => onPage.permissions(context, user));
    for (const one of (await run('pages', () => onPage.pages(context, user))) ?? [])
      if (one.access_token !== '') secrets.add(one.access_token);
  }
  await run('inspectToken', () => onPage.inspectToken(context, { token: pageToken }));
  await run('pageDetails', () => onPage.pageDetails(context, { pageId: page.pageId, token: pageToken }));
  await run('pageProfile', () => onPage.pageProfile(context, page));
  const [post] = (await run('posts', () => onPage.posts(context, call))) ?? [];
  await run('feed', () => onPage.feed(context, call));
  if (post !== undefined) {
    const { id: postId } = post;
    const of = { postId, pageToken };
    await run('postDetails', () => onPage.postDetails(context, { ...of, totals: true }));
    await run('comments', () => onPage.comments(context, { ...of, limit: 5 }));
    await run('reactions', () => onPage.reactions(context, { objectId: postId, pageToken, limit: 5 }));
    await run('postInsights', () => onPage.postInsights(context, of));
  }
  await run('scheduledPosts', () => onPage.scheduledPosts(context, call));
  await run('photos', () => onPage.photos(context, call));
  await run('videos', () => onPage.videos(context, call));
  await run('reels', () => onPage.reels(context, call));
  await run('stories', () => onPage.stories(context, call));
  await run('visitorPosts', () => onPage.visitorPosts(context, call));
  const inbox = await run('conversations', () => onPage.conversations(context, call));
  const conversationId = inbox?.data[0]?.id;
  if (conversationId !== undefined)
    await run('messages', () => onPage.messages(context, { conversationId, pageToken, limit: 5 }));
  const forms = (await run('leadForms', () => onPage.leadForms(context, page))) ?? [];
  const form = forms.find(({ leads_count }) => Number(leads_count) > 0) ?? forms[0];
  if (form !== undefined)
    await run('leads', () => onPage.leads(context, { formId: form.id, pageToken, limit: 5 }));
  await run('pageInsights', () => onPage.pageInsights(context, page));
  await run('subscriptions', () => onPage.subscriptions(context, page));
  await run('appSubscriptions', () => onPage.appSubscriptions(context));
  await run('messengerProfile', () => onPage.messengerProfile(context, page));
  if (!process.argv.includes('--publish')) return;
  const message = 'A check of pagepics, never published.';
  const draft = await attempt('publishPost, a draft', () =>
    onPage.publishPost(context, { ...page, message, draft: true }),
  );
  if (draft.isErr()) {
    // No list shows drafts, so none can be looked for.
    if (fieldsOf(draft.error)['outcome'] === 'unknown')
      note('The response to publishPost was lost: a draft may be left on the Page.');
    return;
  }
  const { id: postId } = draft.value;
  if ((await run('deletePost', () => onPage.deletePost(context, { postId, pageToken }))) !== undefined)
    return;
  note('The draft may be left on the Page: it was not deleted.');
  console.error(`Its id is ${postId}.`);
}

function note(text: string): void {
  notes.push(text);
  console.error(text);
}

async function checkAccount(account: { token: string; picsUserId: string }, pageId: string): Promise<void> {
  const context = contextOf('account, page mode', createPicsContextViaPagesFromEnv(hooks));
  if (context === undefined) return;
  await readAccount('page mode', context, account);
  await run('stories, page mode', () => onPics.stories(context, account));
  await run('recentHashtags, page mode', () => onPics.recentHashtags(context, account));
  const inbox = { token: account.token, pageId, limit: 5 };
  await run('conversations, page mode', () => onPics.conversations(context, inbox));
}

async function checkLogin(account: { readonly token: string }): Promise<void> {
  const context = contextOf('account, login mode', createPicsContextFromEnv(hooks));
  if (context !== undefined) await readAccount('login mode', context, account);
}

async function readAccount(
  mode: string,
  context: onPics.PicsContext,
  account: { readonly token: string; readonly picsUserId?: string },
): Promise<void> {
  const { token } = account;
  await run(`profile, ${mode}`, () => onPics.profile(context, account));
  await run(`publishingLimit, ${mode}`, () => onPics.publishingLimit(context, account));
  await run(`insights, ${mode}`, () => onPics.insights(context, account));
  await run(`demographics, ${mode}`, () => onPics.demographics(context, account));
  const [item] = (await run(`media, ${mode}`, () => onPics.media(context, { ...account, limit: 5 }))) ?? [];
  if (item === undefined) return;
  const { id: mediaId } = item;
  await run(`mediaDetails, ${mode}`, () => onPics.mediaDetails(context, { token, mediaId }));
  await run(`comments, ${mode}`, () => onPics.comments(context, { token, mediaId, limit: 5 }));
  await run(`mediaInsights, ${mode}`, () => onPics.mediaInsights(context, { token, mediaId }));
}

/** The value of a call, if there is one. */
async function run<T>(name: string, call: () => ResultAsync<T, Error>): Promise<T | undefined> {
  return (await attempt(name, call)).unwrapOr(undefined);
}

/** Makes a call, and notes what it met. */
async function attempt<T>(name: string, call: () => ResultAsync<T, Error>): Promise<Result<T, Error>> {
  attempts = [];
  calls += 1;
  const began = performance.now();
  const result = await call();
  const ms = Math.round(performance.now() - began);
  // How each request ended: a call can do without some, and those that report numbers without all.
  const ends = [...new Map(attempts.map((one) => [one.request, one])).values()];
  const unanswered = ends.filter(({ status = 500 }) => status >= 500);
  const lacking = ends.filter(({ status = 500 }) => status >= 400);
  const isEmpty = ends.length > 0 && lacking.length === ends.length;
  const isFailure = result.isErr() || (isEmpty && unanswered.length > 0);
  if (isFailure) failures += 1;
  const found = result.isErr()
    ? described(result.error)
    : isFailure
      ? 'no request was answered'
      : isEmpty
        ? 'ok, but all requests were refused'
        : 'ok';
  const isOptional = (one: Attempt): boolean => found === 'ok' && lacking.includes(one);
  const sent = attempts.map((one) => (isOptional(one) ? `${one.text} (optional)` : one.text));
  rows.push(`| ${name} | ${found} | ${sent.join('; ')} | ${ms} |`);
  console.log(`${name.padEnd(28)} ${found}`);
  if (result.isOk()) look(result.value, name.replace(/,.*/, ''));
  return result;
}

/** An error in words of this package: those of the platform may name people. */
function described(error: Error): string {
  const { name, message } = error;
  const fields = ['category', 'code', 'subcode', 'action', 'outcome', 'reason'].flatMap((field) => {
    const value = fieldsOf(error)[field];
    return typeof value === 'string' || typeof value === 'number' ? [`${field} ${shown(`${value}`)}`] : [];
  });
  const [, at, fault = ''] = /^unexpected response at ([^:]+): (.*)/.exec(message) ?? [];
  if (at !== undefined)
    unknown.add(
      `${shownPath(at, '.')}: ${fault
        .split(/[^\w]+/)
        .map(shown)
        .join(' ')}`,
    );
  return [name, ...fields].join(', ');
}

/** Notes fields that the platform sent and the models lack, or leave out since their type is another one. */
function look(value: unknown, place: string, raw: unknown = fieldsOf(value)['raw']): void {
  if (Array.isArray(value)) {
    const rawList: readonly unknown[] = Array.isArray(raw) ? raw : [];
    for (const [at, item] of value.entries()) look(item, `${place}[]`, fieldsOf(item)['raw'] ?? rawList[at]);
    return;
  }
  const known = fieldsOf(value);
  for (const [field, sent] of Object.entries(fieldsOf(raw))) {
    const own = known[field];
    if (own === undefined && sent !== null && !renamed.has(field))
      unknown.add(`${place}.${shown(field)}: ${typeOf(sent)}`);
    else if (typeof own === 'object') look(own, `${place}.${shown(field)}`, sent);
  }
  if (Array.isArray(known['data'])) look(known['data'], `${place}.data`);
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function typeOf(value: unknown): string {
  return Array.isArray(value) ? 'list' : typeof value;
}

/** A word of the platform's documentation, a short number or a version; whatever else may be a secret or a name. */
function shown(text: string): string {
  return !ids.has(text.toLowerCase()) &&
    /^(?:[a-z]{1,20}(?:_[a-z]{1,20}){0,4}(?:_?\d{1,2}[a-z]?)?|\d{1,8}|v\d{1,2}\.\d)$/.test(text)
    ? text
    : '*';
}

function shownPath(path: string, separator = '/'): string {
  return path
    .split(separator)
    .map((part) => {
      const isId = ids.has(part.toLowerCase()) || /^(?:t_|m_)?[\d_]{4,}$/.test(part);
      return part === '' ? '' : isId ? '<id>' : shown(part);
    })
    .join(separator);
}

async function write(): Promise<void> {
  const platform = process.env['PAGEPICS_PLATFORM'] ? 'another platform' : 'the live platform';
  let report = `# Live check

pagepics ${pkg.version}, Node ${process.version}, ${process.platform}; ${platform}, served by ${[...served].join(', ')}

| Call | Result | Requests | ms |
|---|---|---|---|
${rows.join('\n')}
${notes.map((one) => `\n${one}\n`).join('')}
Fields with another type than in the models; and fields that those of people, Pages, profiles, forms and leads lack (the other models pass on all that comes):

${[...unknown].map((one) => `- ${one}`).join('\n') || 'none'}
`;
  for (const secret of secrets) report = report.replaceAll(secret, '*');
  await writeFile('live-check.md', report);
  console.log('\nThe report is in live-check.md. Read it before you paste it anywhere.');
}
