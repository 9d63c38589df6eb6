import { afterEach, describe, expect, test, vi } from 'vitest';

import { createPageClient, createPicsClient } from '../../src/index.ts';
import { createPageContext } from '../../src/page/context.ts';
import { me } from '../../src/page/tokens.ts';
import { createPicsContext } from '../../src/pics/context.ts';
import { publish } from '../../src/pics/publishing/publish.ts';
import { createSandbox, type Sandbox } from '../../src/sandbox/index.ts';
import { pageOf, still } from './support/caller.ts';

function pageClient({ app, fetch, platform }: Sandbox) {
  return createPageClient({ appId: app.id, appSecret: app.secret, fetch, platform });
}

afterEach(() => vi.useRealTimers());

describe('the clock of a sandbox', () => {
  async function publishReel(sandbox: Sandbox) {
    sandbox.tune({ containers: { processingMs: 60_000 } });
    const { picsApp, account, fetch, platform, clock } = sandbox;
    const context = createPicsContext({
      appId: picsApp.id,
      appSecret: picsApp.secret,
      fetch,
      platform,
      clock,
    })._unsafeUnwrap();
    return publish(context, { token: account.token, videoUrl: 'https://example.com/tour.mp4' });
  }

  test('takes a wait of a minute at once, and moves on by it', async () => {
    const sandbox = still();
    const before = sandbox.now();

    expect((await publishReel(sandbox)).isOk()).toBe(true);
    expect(sandbox.now() - before).toBeGreaterThanOrEqual(60_000);
  });

  test('works under fake timers', async () => {
    vi.useFakeTimers();

    expect((await publishReel(createSandbox({ strict: true }))).isOk()).toBe(true);
  });

  test('does not move for a wait that was aborted before it began', async () => {
    const sandbox = still();
    const before = sandbox.now();

    await sandbox.clock.sleep(1000, AbortSignal.abort());

    expect(sandbox.now()).toBe(before);
  });
});

describe('two sandboxes of one process', () => {
  test('never touch each other', async () => {
    const [first, second] = [still(), still()];
    const { id, token } = pageOf(first);
    await pageClient(first).publishPost({ pageId: id, pageToken: token, message: 'Hello' });
    first.advance(5000);
    first.fault({ drop: true });

    expect(second.effects()).toEqual([]);
    expect(second.requests).toEqual([]);
    expect(second.now()).not.toBe(first.now());
    expect((await pageClient(second).me({ token: second.user.token })).id).toBe(second.user.id);
  });
});

test('a context without the platform is told so', async () => {
  const { app, user, fetch, clock } = still();
  const context = createPageContext({ appId: app.id, appSecret: app.secret, fetch, clock })._unsafeUnwrap();

  const error = (await me(context, { token: user.token }))._unsafeUnwrapErr();

  expect(error.message).toContain('give the context its platform as well as its fetch');
});

describe('what is added', () => {
  test('a person manages Pages of their own', async () => {
    const sandbox = still();
    const ben = sandbox.addUser({ name: 'Ben Oduya' });
    const page = sandbox.addPage({ name: 'Second Street', userId: ben.id });
    const client = pageClient(sandbox);

    expect(await client.me({ token: ben.token })).toMatchObject({ id: ben.id, name: 'Ben Oduya' });
    const pages = await client.pages({ token: ben.token });
    expect(pages.map(({ id, name, access_token }) => ({ id, name, access_token }))).toEqual([
      { id: page.id, name: 'Second Street', access_token: page.token },
    ]);
    expect(await client.pages({ token: sandbox.user.token })).toHaveLength(3);
  });

  test('a person logs in', async () => {
    const sandbox = still();
    const ben = sandbox.addUser({ name: 'Ben Oduya' });
    const client = pageClient(sandbox);
    const redirectUri = 'https://app.example/callback';

    const back = await sandbox.authorize(client.loginUrl({ redirectUri, state: 's' }), { as: ben.id });
    const { access_token: token } = await client.exchangeCode({
      code: back.searchParams.get('code') ?? '',
      redirectUri,
    });

    expect((await client.me({ token })).name).toBe('Ben Oduya');
    await expect(
      sandbox.authorize(client.loginUrl({ redirectUri, state: 's' }), { as: '1' }),
    ).rejects.toThrow('no person or account 1');
  });

  test('an account publishes, in both modes', async () => {
    const sandbox = still();
    const page = sandbox.addPage();
    const account = sandbox.addAccount({ pageId: page.id, username: 'corner' });
    const { picsApp, fetch, platform } = sandbox;
    const client = createPicsClient({ appId: picsApp.id, appSecret: picsApp.secret, fetch, platform });

    expect((await client.profile({ token: account.token })).username).toBe('corner');
    await client.publish({ token: account.token, imageUrl: 'https://example.com/a.jpg' });
    expect(sandbox.effects('media').map(({ parentId }) => parentId)).toEqual([account.userId]);
    expect(() => sandbox.addAccount({ pageId: page.id })).toThrow('has an account');
  });

  test('posts, comments and leads are there at the time that is given, and are no effects', async () => {
    const sandbox = still();
    const { id: pageId, token: pageToken, formIds } = sandbox.addPage();
    const [formId = ''] = formIds;
    const at = sandbox.now() - 3_600_000;
    const postId = sandbox.addPost({ pageId, message: 'An hour ago', at });
    const visit = sandbox.addPost({ pageId, message: 'A visit', by: 'Wim Prins' });
    const commentId = sandbox.addComment({ on: postId, message: 'First', by: 'Kim Ito', at });
    const replyId = sandbox.addComment({ on: commentId, message: 'Second' });
    const mediaComment = sandbox.addComment({ on: sandbox.account.mediaIds[0] ?? '', message: 'Nice' });
    const leadId = sandbox.addLead({ formId, answers: { email: 'kim@example.com' }, at });
    const client = pageClient(sandbox);

    const posts = await client.posts({ pageId, pageToken });
    expect(posts.map(({ id }) => id)).toEqual([postId]);
    expect(Date.parse(posts[0]?.created_time ?? '')).toBe(Math.floor(at / 1000) * 1000);
    const comments = await client.comments({ postId, pageToken });
    expect(comments.map(({ id, message }) => [id, message])).toEqual([[commentId, 'First']]);
    const leads = await client.leads({ formId, pageToken });
    expect(leads.map(({ id }) => id)).toEqual([leadId]);
    expect(new Set([postId, visit, commentId, replyId, mediaComment, leadId]).size).toBe(6);
    expect(sandbox.effects()).toEqual([]);
  });

  test.each([
    ['addPost', { pageId: '1', message: 'x' }, 'no page 1'],
    ['addComment', { on: '1', message: 'x' }, 'no post 1'],
    ['addLead', { formId: '1' }, 'no form 1'],
    ['addAccount', { pageId: '1' }, 'no page 1'],
    ['addPage', { userId: '1' }, 'no user 1'],
  ] as const)('%s names what does not exist', (name, options, message) => {
    expect(() => still()[name](options as never)).toThrow(message);
  });

  test('a token of another person has the scopes that are given', async () => {
    const sandbox = still();
    const ben = sandbox.addUser();
    const token = sandbox.issueToken({ userId: ben.id, scopes: ['public_profile'] });
    const client = pageClient(sandbox);

    expect((await client.me({ token })).id).toBe(ben.id);
    await expect(client.pages({ token })).rejects.toMatchObject({ name: 'PermissionError' });
  });
});
