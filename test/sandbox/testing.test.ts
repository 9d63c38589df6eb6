import { describe, expect, test as base, vi } from 'vitest';

import { checkConnection } from '../../src/connections/index.ts';
import { memoryJournal } from '../../src/core/index.ts';
import { createPageClient, createPicsClient } from '../../src/index.ts';
import {
  createPageContext,
  pageInsights,
  pages,
  publishPost,
  sendMessage,
  subscribePage,
  type PageContext,
} from '../../src/page/index.ts';
import {
  createPicsContext,
  createPicsContextViaPages,
  deleteMessengerProfile,
  insights,
  profile,
  publish,
  publishContainer,
  refreshToken,
  type PicsContext,
} from '../../src/pics/index.ts';
import {
  createSandbox,
  sandboxFixtures,
  sandboxHandlers,
  sandboxMatchers,
  withSandbox,
  type ExpectedPublished,
  type Sandbox,
  type SandboxMatchers,
  type SandboxPage,
  type SandboxTest,
  type ScenarioName,
} from '../../src/sandbox/index.ts';
import { eventsOnce } from '../../src/stores/index.ts';
import { createWebhookHandler, type WebhookEvent } from '../../src/webhooks/index.ts';

declare module 'vitest' {
  interface Matchers<R, T> extends SandboxMatchers<R> {}
}

expect.extend(sandboxMatchers);
const test = base.extend<SandboxTest>(sandboxFixtures());

function firstPage({ pages: [page] }: Sandbox): SandboxPage & { readonly picsId: string } {
  if (page?.picsId === undefined) throw new Error('the first Page has an account');
  return { ...page, picsId: page.picsId };
}

test('publishes a reel that takes a minute', async ({ sandbox, picsOptions }) => {
  sandbox.tune({ containers: { processingMs: 60_000 } });
  const client = createPicsClient(picsOptions);
  const videoUrl = 'https://example.com/tour.mp4';

  await client.publish({ token: sandbox.account.token, videoUrl, caption: 'Our new place' });

  expect(sandbox).toHavePublished({ kind: 'media', caption: expect.stringContaining('new place') });
});

describe('the fixtures', () => {
  const seen: Sandbox[] = [];

  test('give a client of Pages, whose waits take no time', async ({ sandbox, pageOptions }) => {
    seen.push(sandbox);
    const [begun, real] = [sandbox.now(), performance.now()];
    sandbox.fault({ status: 503, headers: { 'retry-after': '50' } });
    const { id, token } = firstPage(sandbox);

    expect(await createPageClient(pageOptions).posts({ pageId: id, pageToken: token })).not.toEqual([]);
    expect(sandbox.now() - begun).toBeGreaterThanOrEqual(50_000);
    expect(performance.now() - real).toBeLessThan(20_000);
  });

  test('give the next test another sandbox, and close the one before', async ({ sandbox, picsOptions }) => {
    const [before] = seen;
    expect(before).toBeDefined();
    expect(before).not.toBe(sandbox);
    await expect(before?.fetch(`${sandbox.platform.graphUrl}/me`)).rejects.toThrow('fetch failed');

    const { account } = sandbox;
    const profile = await createPicsClient(picsOptions).profile({ token: account.token });
    expect(profile.username).toBe(account.username);
  });

  const small = base.extend<SandboxTest>(sandboxFixtures({ posts: 1 }));
  small('take the options of the sandbox', ({ sandbox }) => {
    expect(firstPage(sandbox).postIds).toHaveLength(1);
  });
});

describe('withSandbox', () => {
  base(
    'gives the same to the test of any framework',
    withSandbox(
      async ({ sandbox, pageOptions }) => {
        const { id, token, postIds } = firstPage(sandbox);
        await createPageClient(pageOptions).publishPost({ pageId: id, pageToken: token, message: 'Hi' });
        expect(sandbox).toHavePublished({ message: 'Hi' });
        expect(postIds).toHaveLength(2);
      },
      { posts: 2 },
    ),
  );

  base('passes on what the body gives, and closes the sandbox of one that fails, too', async () => {
    const seen: Sandbox[] = [];
    await expect(withSandbox(({ sandbox }) => seen.push(sandbox))()).resolves.toBe(1);
    const fails = withSandbox(({ sandbox }) => {
      seen.push(sandbox);
      throw new Error('no');
    });
    await expect(fails()).rejects.toThrow('no');
    for (const { fetch, platform } of seen)
      await expect(fetch(platform.graphUrl)).rejects.toThrow('fetch failed');
    expect(seen).toHaveLength(2);
  });

  base('ends requests that never would', async () => {
    const left = await withSandbox(({ sandbox, pageOptions }) => {
      sandbox.fault({ hang: true });
      const { id, token } = firstPage(sandbox);
      const context = createPageContext({ ...pageOptions, retry: { attempts: 1 } });
      if (context.isErr()) throw context.error;
      return { pending: publishPost(context.value, { pageId: id, pageToken: token, message: 'Hi' }) };
    })();

    const ended = await left.pending;
    expect(ended._unsafeUnwrapErr()).toMatchObject({ name: 'TransportError', reason: 'network' });
  });
});

describe('toHavePublished', () => {
  const asked = vi.fn();

  /** The message of an assertion that fails. */
  function messageOf(assertion: () => void): string {
    try {
      assertion();
    } catch (thrown) {
      return (thrown as Error).message;
    }
    throw new Error('the assertion holds');
  }

  test('passes for what was published once, and fails for what was not', async ({ sandbox, pageOptions }) => {
    const { id, token, commentIds } = firstPage(sandbox);
    const client = createPageClient(pageOptions);
    expect(sandbox).not.toHavePublished();
    expect(messageOf(() => expect(sandbox).toHavePublished({ message: 'Hi' }))).toBe(
      'expected the sandbox to have published {"message":"Hi"}\nit has published nothing',
    );

    const self: Record<string, unknown> = {};
    self['self'] = self;
    for (const [odd, text] of [
      [1n, '{"text":"1n"}'],
      [self, '(not serializable as JSON)'],
    ] as const) {
      expect(messageOf(() => expect(sandbox).toHavePublished({ text: odd }))).toBe(
        `expected the sandbox to have published ${text}\nit has published nothing`,
      );
    }

    const post = await client.publishPost({ pageId: id, pageToken: token, message: 'Hi' });
    await client.hideComment({ commentId: commentIds[0] ?? '', pageToken: token });
    const reply = { commentId: commentIds[0] ?? '', pageToken: token, message: 'Thanks' };
    const { id: replyId } = await client.replyComment(reply);

    expect(sandbox).toHavePublished({ kind: 'post', parentId: id, id: post.id, message: 'Hi' });
    expect(sandbox).toHavePublished({
      kind: 'reply',
      message: expect.stringMatching(/^Th/),
      link: undefined,
    });
    expect(sandbox).toHavePublished({ times: 2 });
    expect(sandbox).not.toHavePublished({ kind: 'message' });
    expect(sandbox).not.toHavePublished({ times: 1 });
    const message = messageOf(() =>
      expect(sandbox).toHavePublished({ kind: 'post', message: expect.stringContaining('Ho') }),
    );
    expect(message.split('\n')).toEqual([
      'expected the sandbox to have published {"kind":"post","message":"StringContaining(Ho)"}',
      'it has published 2, of which 0 fit (*):',
      `  {"message":"Hi","published":true,"kind":"post","id":"${post.id}","parentId":"${id}"}`,
      `  {"message":"Thanks","kind":"reply","id":"${replyId}","parentId":"${commentIds[0]}"}`,
    ]);
  });

  test('knows the quick replies of a message', async ({ sandbox, pageOptions }) => {
    const { id, token, contacts } = firstPage(sandbox);
    await createPageClient(pageOptions).sendMessage({
      pageId: id,
      pageToken: token,
      recipientId: contacts[0]?.id ?? '',
      text: 'Open?',
      quickReplies: [{ title: 'Yes', payload: 'YES' }],
    });

    const quick_replies = [{ content_type: 'text', title: 'Yes', payload: 'YES' }];
    expect(sandbox.effects('message')).toMatchObject([{ content: { text: 'Open?', quick_replies } }]);
    expect(sandbox).toHavePublished({ kind: 'message', quick_replies });
  });

  test('fails for what was published twice, with or without `not`', async ({ sandbox, pageOptions }) => {
    const { id, token } = firstPage(sandbox);
    const client = createPageClient(pageOptions);
    for (const message of ['Hi', 'Hi', 'Ho'])
      await client.publishPost({ pageId: id, pageToken: token, message });

    const lines = messageOf(() => expect(sandbox).toHavePublished({ message: 'Hi' })).split('\n');
    expect(lines[1]).toBe('it has published 3, of which 2 fit (*):');
    expect(lines.slice(2).map((line) => line[0])).toEqual(['*', '*', ' ']);
    expect(messageOf(() => expect(sandbox).not.toHavePublished({ message: 'Hi' }))).toMatch(
      /^expected the sandbox not to have published \{"message":"Hi"\}\nit has published 3, of which 2 fit/,
    );
    expect(sandbox).toHavePublished({ message: 'Hi', times: 2 });
    expect(messageOf(() => expect(sandbox).toHavePublished({ message: 'Ho', times: 2 }))).toMatch(
      /^expected the sandbox to have published 2 times \{"message":"Ho"\}\nit has published 3, of which 1 fits/,
    );
  });

  test('counts no draft and no schedule, and each private reply once', async ({ sandbox, pageOptions }) => {
    const { id, token, commentIds } = firstPage(sandbox);
    const client = createPageClient(pageOptions);
    const scheduledAt = new Date(sandbox.now() + 3_600_000);
    const page = { pageId: id, pageToken: token };
    await client.publishPost({ ...page, message: 'Later', scheduledAt });
    await client.publishPost({ ...page, message: 'Draft', draft: true });
    await client.publishReel({ ...page, videoUrl: 'https://example.com/a.mp4', scheduledAt });
    expect(sandbox).not.toHavePublished();

    await client.privateReply({ ...page, commentId: commentIds[0] ?? '', text: 'Hello' });
    expect(sandbox).toHavePublished({ kind: 'message', text: 'Hello' });
    expect(sandbox).toHavePublished();
  });

  test('refuses what can be a typo only', ({ sandbox }) => {
    const loose: (expected: unknown) => void = (expected) =>
      expect(sandbox).toHavePublished(expected as ExpectedPublished);
    expect(() => loose({ kind: 'posts' })).toThrow(
      'there is no kind of what is published posts: comment, media',
    );
    expect(() => loose({ times: -1 })).toThrow('times must be a whole number of at least 0');
    expect(() => loose('Hi')).toThrow('what toHavePublished expects must be an object');
    expect(() => expect(asked).toHavePublished()).toThrow('toHavePublished takes a sandbox');
  });
});

describe('the handlers of requests', () => {
  const pretend = {
    all: (address: RegExp, resolver: (info: { readonly request: Request }) => Promise<Response>) => ({
      address,
      resolver,
    }),
  };

  test('take what goes to the platform, and nothing else', ({ sandbox }) => {
    const handlers = sandboxHandlers(sandbox, pretend);
    const taken = (address: string): boolean => handlers.some((handler) => handler.address.test(address));
    const ours = [
      'https://graph.facebook.com/v26.0/me',
      'https://graph.facebook.com',
      'https://graph.instagram.com/me/media',
      'https://rupload.facebook.com/video-upload/v26.0/1',
      'https://api.instagram.com/oauth/access_token',
      'https://www.instagram.com/oauth/authorize',
      'https://www.facebook.com/v26.0/dialog/oauth',
      'https://www.facebook.com/dialog/oauth',
      `${sandbox.platform.graphUrl}/v26.0/me`,
      'https://cdn.sandbox.test/a.jpg',
    ];
    const others = [
      'https://www.facebook.com/harbour',
      'https://graph.facebook.com.example.com/me',
      'https://graph-facebook.com/me',
      'http://graph.facebook.com/me',
      'https://www.instagram.com/harbour',
      'https://example.com/graph.facebook.com/',
    ];

    expect(ours.filter((address) => !taken(address))).toEqual([]);
    expect(others.filter(taken)).toEqual([]);
  });

  test('give pictures and videos, and turn a lost connection into a network error', async ({ sandbox }) => {
    const handlers = sandboxHandlers(sandbox, pretend, { platform: sandbox.platform });
    const respond = async (address: string): Promise<Response | undefined> =>
      handlers.find((handler) => handler.address.test(address))?.resolver({ request: new Request(address) });

    const picture = await respond('https://cdn.sandbox.test/harbour/0.jpg');
    const bytes = new Uint8Array((await picture?.arrayBuffer()) ?? new ArrayBuffer());
    expect([picture?.headers.get('content-type'), bytes[0], bytes.at(-1)]).toEqual([
      'image/jpeg',
      0xff,
      0xd9,
    ]);
    const video = await respond('https://cdn.sandbox.test/harbour/clip.mp4');
    expect([video?.headers.get('content-type'), (await video?.text())?.slice(4, 12)]).toEqual([
      'video/mp4',
      'ftypisom',
    ]);
    sandbox.fault({ drop: true });
    expect(await respond(`${sandbox.platform.graphUrl}/me`)).toMatchObject({ type: 'error' });
    expect(await respond('https://graph.facebook.com/me')).toBeUndefined();
  });
});

/** A sandbox in a scenario, its contexts, and what ends the scenario. */
function begin(name: ScenarioName) {
  const sandbox = createSandbox();
  const { app, picsApp, fetch, platform, clock, user, account } = sandbox;
  const shared = { fetch, platform, clock, journal: memoryJournal() };
  const own = { ...shared, appId: app.id, appSecret: app.secret };
  const page: PageContext = createPageContext(own)._unsafeUnwrap();
  const viaPages: PicsContext = createPicsContextViaPages(own)._unsafeUnwrap();
  const pics: PicsContext = createPicsContext({
    ...shared,
    appId: picsApp.id,
    appSecret: picsApp.secret,
  })._unsafeUnwrap();
  const { id: pageId, token: pageToken, picsId } = firstPage(sandbox);
  const image = { imageUrl: 'https://example.com/a.jpg', caption: 'Hi' };
  return {
    sandbox,
    user,
    page,
    pics,
    viaPages,
    pageId,
    pageToken,
    end: sandbox.scenario(name),
    post: { pageId, pageToken, message: 'Hi' },
    image: { ...image, token: account.token },
    imageViaPage: { ...image, token: pageToken, picsUserId: picsId },
  };
}

describe('the scenario', () => {
  base('media-fetch-fails-once: a container is created again after five seconds', async () => {
    const { sandbox, pics, image } = begin('media-fetch-fails-once');
    const begun = sandbox.now();

    const published = await publish(pics, image);

    expect(published.isOk()).toBe(true);
    expect(sandbox.now() - begun).toBeGreaterThanOrEqual(5000);
    expect(sandbox.requests.filter(({ status }) => status === 400)).toHaveLength(1);
    expect(sandbox).toHavePublished({ kind: 'media', caption: 'Hi' });
  });

  base('media-not-ready: publishing is refused twice, and goes well after that', async () => {
    const { sandbox, pics, image } = begin('media-not-ready');

    const published = await publish(pics, image);

    expect(published.isOk()).toBe(true);
    expect(sandbox.requests.filter(({ path }) => path.endsWith('/media_publish'))).toHaveLength(3);
    expect(sandbox).toHavePublished({ kind: 'media', caption: 'Hi' });
  });

  base('failed-without-code: the text of the status tells, until it ends', async () => {
    const { sandbox, pics, image, end } = begin('failed-without-code');

    const failed = await publish(pics, image);

    expect(failed._unsafeUnwrapErr()).toMatchObject({
      name: 'ContainerNotReadyError',
      outcome: 'rejected',
      action: 'retry',
      subcode: 2_207_077,
    });
    end();
    expect((await publish(pics, image)).isOk()).toBe(true);
    expect(sandbox).toHavePublished({ kind: 'media', caption: 'Hi' });
  });

  base('reads-refused: an image is published all the same; a video keeps its container', async () => {
    const { sandbox, pics, viaPages, imageViaPage, end } = begin('reads-refused');
    const login = { token: sandbox.account.token, picsUserId: undefined };
    const { imageUrl: _, ...rest } = imageViaPage;
    const video = { ...rest, caption: 'Reel', videoUrl: 'https://example.com/a.mp4' };

    expect((await publish(viaPages, imageViaPage)).isOk()).toBe(true);
    expect(sandbox).toHavePublished({ caption: 'Hi' });
    const failed = (await publish(viaPages, video))._unsafeUnwrapErr();
    expect(failed).toMatchObject({ name: 'ApiError', code: 100, subcode: 33, outcome: 'rejected' });
    expect(sandbox).not.toHavePublished({ caption: 'Reel' });

    // Login mode can still read.
    expect((await publish(pics, { ...video, ...login })).isOk()).toBe(true);
    end();
    expect((await publish(viaPages, { ...video, caption: 'Later' })).isOk()).toBe(true);
    expect(sandbox).toHavePublished({ caption: 'Reel' });
  });

  base('published-though-refused: the media is found, not published again', async () => {
    const { sandbox, pics, image } = begin('published-though-refused');

    const published = (await publish(pics, image))._unsafeUnwrap();

    expect(sandbox).toHavePublished({ id: published.media_id, caption: 'Hi' });
    expect((await publish(pics, { ...image, caption: 'Ho' })).isOk()).toBe(true);
    expect(sandbox.requests.filter(({ path }) => path.endsWith('/media_publish'))).toHaveLength(2);
  });

  base('app-restricted: all calls of login mode are refused, with the word of each method', async () => {
    const { sandbox, pics, viaPages, image, imageViaPage, end } = begin('app-restricted');
    const { token } = sandbox.account;

    const refused = [
      [await publish(pics, image), 'post'],
      [await profile(pics, { token }), 'get'],
      [await refreshToken(pics, { token }), 'get'],
      [await deleteMessengerProfile(pics, { token, fields: ['ice_breakers'] }), 'delete'],
    ] as const;

    for (const [result, method] of refused) {
      const error = result._unsafeUnwrapErr();
      expect(error).toMatchObject({ name: 'PermissionError', outcome: 'rejected', action: 'fix' });
      expect(error.message).toContain(`Unsupported request - method type: ${method}`);
    }
    expect(sandbox.effects()).toEqual([]);
    // In page mode, the app is another one.
    expect((await publish(viaPages, imageViaPage)).isOk()).toBe(true);
    end();
    expect((await publish(pics, image)).isOk()).toBe(true);
  });

  base('lost-and-listed-late: unknown, until a call with the same key finds it', async () => {
    const { sandbox, page, post } = begin('lost-and-listed-late');
    const keyed = { ...post, idempotencyKey: 'monday' };

    const lost = (await publishPost(page, keyed))._unsafeUnwrapErr();

    expect(lost).toMatchObject({ name: 'TransportError', outcome: 'unknown' });
    sandbox.advance(60_000);
    const [effect] = sandbox.effects('post');
    expect((await publishPost(page, keyed))._unsafeUnwrap()).toEqual({ id: effect?.id });
    expect(sandbox).toHavePublished({ message: 'Hi' });
  });

  base('duplicate-post-refused: the same text within an hour is refused, from the same Page', async () => {
    const { sandbox, page, post, end } = begin('duplicate-post-refused');
    const other = sandbox.pages[1];
    await publishPost(page, post);

    const refused = (await publishPost(page, post))._unsafeUnwrapErr();

    expect(refused).toMatchObject({ name: 'ApiError', code: 506, outcome: 'rejected', action: 'fix' });
    expect((await publishPost(page, { ...post, message: 'Ho' })).isOk()).toBe(true);
    const elsewhere = { pageId: other?.id ?? '', pageToken: other?.token ?? '', message: 'Hi' };
    expect((await publishPost(page, elsewhere)).isOk()).toBe(true);
    sandbox.advance(3_600_000);
    expect((await publishPost(page, post)).isOk()).toBe(true);
    end();
    expect((await publishPost(page, post)).isOk()).toBe(true);
    expect(sandbox).toHavePublished({ message: 'Hi', parentId: post.pageId, times: 3 });
  });

  base('partial-grant: what was not ticked is missing, and a report says so', async () => {
    const { sandbox, user, page, post, pageId, end } = begin('partial-grant');

    const refused = (await publishPost(page, post))._unsafeUnwrapErr();
    const report = (
      await checkConnection(page, { token: user.token, pageId, functions: ['publishPost', 'posts'] })
    )._unsafeUnwrap();
    const elsewhere = await checkConnection(page, {
      token: user.token,
      pageId: sandbox.pages[1]?.id,
      functions: ['posts'],
    });

    expect(refused).toMatchObject({ name: 'PermissionError', outcome: 'rejected', action: 'fix' });
    expect(report.missing).toEqual(['pages_manage_posts']);
    expect(report.functions['posts']?.works).toBe(true);
    expect(elsewhere._unsafeUnwrap().functions['posts']?.reasons[0]?.code).toBe('asset');
    end();
    expect((await publishPost(page, post)).isOk()).toBe(true);
  });

  base('token-expires-midway: the container is kept, and a new token publishes it', async () => {
    const { sandbox, pics, image } = begin('token-expires-midway');

    const failed = (await publish(pics, image))._unsafeUnwrapErr();

    expect(failed).toMatchObject({
      name: 'ApiError',
      code: 190,
      subcode: 463,
      outcome: 'rejected',
      action: 'login',
    });
    const { container_id } = failed.name === 'ApiError' ? failed.ids : {};
    const token = sandbox.issueToken({ kind: 'pics' });
    const published = await publishContainer(pics, { token, containerId: container_id ?? '' });
    expect(published.isOk()).toBe(true);
    expect(sandbox).toHavePublished({ kind: 'media', caption: 'Hi' });
  });

  base('token-expires-midway: its end makes the tokens valid again', async () => {
    const { page, post, end } = begin('token-expires-midway');

    expect((await publishPost(page, post)).isOk()).toBe(true);
    expect((await publishPost(page, post))._unsafeUnwrapErr()).toMatchObject({ code: 190 });
    end();
    expect((await publishPost(page, post)).isOk()).toBe(true);
  });

  base('page-throttled: the error says for how long, and then it is over', async () => {
    const { sandbox, user, page, post, pics, image } = begin('page-throttled');

    const refused = (await publishPost(page, post))._unsafeUnwrapErr();

    expect(refused).toMatchObject({
      name: 'RateLimitError',
      code: 80_001,
      outcome: 'rejected',
      retryAfterMs: 19 * 60_000,
    });
    sandbox.advance(18 * 60_000);
    // Soon enough for the SDK to wait for it.
    expect((await publishPost(page, post)).isOk()).toBe(true);
    expect((await pages(page, { token: user.token })).isOk()).toBe(true);
    expect((await publish(pics, image)).isOk()).toBe(true);
    expect(sandbox).toHavePublished({ kind: 'post', message: 'Hi' });
  });

  base('metric-retired: the others are there, and the dead one says why not', async () => {
    const { sandbox, page, pageId, pageToken, pics, image, end } = begin('metric-retired');

    const figures = (await pageInsights(page, { pageId, pageToken }))._unsafeUnwrap();
    const account = (await insights(pics, { token: image.token }))._unsafeUnwrap();

    expect(Object.keys(figures.refused)).toEqual(['page_media_view']);
    expect(Object.keys(figures.metrics).length).toBeGreaterThan(1);
    expect(account).not.toHaveProperty('views');
    end();
    expect((await pageInsights(page, { pageId, pageToken }))._unsafeUnwrap().refused).toEqual({});
    expect(sandbox).not.toHavePublished();
  });

  base('message-window-closed: no message, but for a human agent, until the customer writes', async () => {
    const { sandbox, page, pageId, pageToken } = begin('message-window-closed');
    const contact = firstPage(sandbox).contacts.find(({ inWindow }) => inWindow);
    const recipientId = contact?.id ?? '';
    const message = { pageId, pageToken, recipientId, text: 'Hello' } as const;

    const refused = (await sendMessage(page, message))._unsafeUnwrapErr();

    expect(refused).toMatchObject({ name: 'PermissionError', category: 'window', outcome: 'rejected' });
    expect((await sendMessage(page, { ...message, humanAgent: true })).isOk()).toBe(true);
    sandbox.receiveMessage({ contactId: recipientId, text: 'Are you there?' });
    expect((await sendMessage(page, message)).isOk()).toBe(true);
    expect(sandbox).toHavePublished({ kind: 'message', recipientId, times: 2 });
  });

  base('webhooks-repeated: each event comes twice, the newest first, and is handled once', async () => {
    const { sandbox, page, pageId, pageToken, end } = begin('webhooks-repeated');
    await subscribePage(page, { pageId, pageToken, fields: ['feed'] });
    const heard: string[] = [];
    const seen: string[] = [];
    const textOf = (event: WebhookEvent): string =>
      event.type === 'feed' ? (event.data.message ?? '') : event.type;
    const handler = (once: boolean) =>
      createWebhookHandler({
        verifyToken: 'any',
        secrets: sandbox.app.secret,
        ...(once ? { once: eventsOnce(memoryJournal()) } : {}),
        onEvent: (event) => void (once ? heard : seen).push(textOf(event)),
      });
    const [once, plain] = [handler(true), handler(false)];
    const comment = (message: string): string =>
      sandbox.happen({ kind: 'comment', on: firstPage(sandbox).postIds[0] ?? '', message });

    comment('one');
    comment('two');
    await sandbox.deliver(once);
    comment('three');
    comment('four');
    await sandbox.deliver(plain);
    end();
    comment('five');
    await sandbox.deliver(plain);

    expect(heard).toEqual(['two', 'one']);
    expect(seen).toEqual(['four', 'three', 'four', 'three', 'five']);
  });

  base('must be one that there is', () => {
    const { scenario } = createSandbox();
    expect(() => scenario('media-fails' as ScenarioName)).toThrow(
      'there is no scenario media-fails: media-fetch-fails-once, media-not-ready, failed-without-code',
    );
  });
});
