import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';

import { describe, expect, test } from 'vitest';

import { createPageClient, type PageClient } from '../../src/page/client.ts';
import { createPageContext } from '../../src/page/context.ts';
import * as endpoints from '../../src/page/endpoints.ts';
import { createSandbox, type Sandbox, type SandboxPage } from '../../src/sandbox/index.ts';
import { createWebhookHandler } from '../../src/webhooks/index.ts';
import { pageCalls } from '../functions/sandboxCalls.ts';
import { listen } from '../support/server.ts';
import { asMethods, failing, noting, onRealSockets, serve } from './support.ts';

onRealSockets();

type Methods = Pick<PageClient, keyof typeof endpoints>;

interface Setting extends AsyncDisposable {
  readonly page: Methods;
  readonly sandbox: Sandbox;
  /** The first Page, as options for most calls. */
  readonly at: { readonly pageId: string; readonly pageToken: string };
  readonly first: SandboxPage;
}

const redirectUri = 'https://app.example/callback';

function scenarios(style: 'function' | 'facade method'): void {
  const called = new Set<string>();

  async function setting(): Promise<Setting> {
    const { sandbox, platform, close } = await serve();
    const options = { appId: sandbox.app.id, appSecret: sandbox.app.secret, platform, clock: sandbox.clock };
    const methods: Methods =
      style === 'function'
        ? asMethods(createPageContext(options)._unsafeUnwrap(), endpoints)
        : createPageClient(options);
    const [first] = sandbox.pages;
    if (first === undefined) throw new Error('the sandbox has Pages');
    return {
      page: noting(methods, Object.keys(endpoints), called),
      sandbox,
      at: { pageId: first.id, pageToken: first.token },
      first,
      [Symbol.asyncDispose]: close,
    };
  }

  test('a login gives a token, which names the user and the Pages, until it is revoked', async () => {
    await using it = await setting();
    const { page, sandbox } = it;
    const dialog = page.loginUrl({
      redirectUri,
      state: 'random',
      scopes: ['email', 'pages_show_list'],
    });
    const callback = await sandbox.authorize(dialog);
    expect(callback.searchParams.get('state')).toBe('random');

    const code = callback.searchParams.get('code') ?? '';
    const { access_token: token, expires_at } = await page.exchangeCode({ code, redirectUri });
    expect(expires_at?.getTime()).toBeGreaterThan(Date.now() + 59 * 86_400_000);
    expect(await page.grantedScopes({ token })).toEqual(expect.arrayContaining(['email', 'pages_show_list']));
    expect(await page.me({ token })).toMatchObject({
      id: sandbox.user.id,
      name: sandbox.user.name,
      email: 'ada@sandbox.test',
    });

    expect(await page.permissions({ token })).toEqual(
      expect.arrayContaining([{ permission: 'pages_show_list', status: 'granted' }]),
    );

    const info = await page.inspectToken({ token });
    expect(info).toMatchObject({
      is_valid: true,
      type: 'USER',
      user_id: sandbox.user.id,
      app_id: sandbox.app.id,
    });
    expect(info.expires_at?.getTime()).toBeGreaterThan(Date.now() + 59 * 86_400_000);

    expect(await page.revoke({ token })).toBe(true);
    expect(await page.inspectToken({ token })).toMatchObject({
      is_valid: false,
      error: { code: 190, subcode: 458 },
    });
    await expect(page.me({ token })).rejects.toMatchObject({ name: 'ApiError', category: 'auth' });
    expect(await page.grantedScopes({ token })).toEqual([]);
  });

  test('a person declines a permission, which the app can tell', async () => {
    await using it = await setting();
    const { page, sandbox } = it;
    const dialog = page.loginUrl({ redirectUri, scopes: ['email', 'pages_show_list'] });
    const callback = await sandbox.authorize(dialog, { scopes: ['email'] });

    const code = callback.searchParams.get('code') ?? '';
    const { access_token: token } = await page.exchangeCode({ code, redirectUri });
    expect(await page.permissions({ token })).toEqual(
      expect.arrayContaining([
        { permission: 'email', status: 'granted' },
        { permission: 'pages_show_list', status: 'declined' },
      ]),
    );
  });

  test('the business login sends the configuration and no scope', async () => {
    await using it = await setting();
    const { page, sandbox } = it;
    const dialog = page.loginUrl({ redirectUri, configId: sandbox.app.configId });
    const callback = await sandbox.authorize(dialog);

    const code = callback.searchParams.get('code') ?? '';
    const { access_token: token } = await page.exchangeCode({ code, redirectUri });
    expect(await page.grantedScopes({ token })).toContain('leads_retrieval');
  });

  test('the Pages come with their tokens and linked accounts', async () => {
    await using it = await setting();
    const { page, sandbox } = it;
    const found = await page.pages({ token: sandbox.user.token });

    expect(found.map(({ id, name, access_token }) => ({ id, name, access_token }))).toEqual(
      sandbox.pages.map(({ id, name, token }) => ({ id, name, access_token: token })),
    );
    const [first] = found;
    const one = await page.pageDetails({ token: sandbox.user.token, pageId: first?.id ?? '' });
    expect([one, one.access_token]).toMatchObject([{ name: first?.name, tasks: [] }, first?.access_token]);
    expect(found.map(({ pics_id, pics_username }) => [pics_id, pics_username])).toEqual(
      sandbox.pages.map(({ picsId, picsUsername }) => [picsId, picsUsername]),
    );
  });

  test('the Pages of portfolios come too, those without a task without a token', async () => {
    await using it = await setting();
    const { page, sandbox } = it;
    const { pages, skipped } = await page.portfolioPages({ token: sandbox.user.token });

    expect(skipped).toEqual([]);
    expect(pages.slice(0, -2).map(({ id }) => id)).toEqual(sandbox.pages.map(({ id }) => id));
    expect(pages.slice(-2).map(({ name, access_token }) => [name, access_token !== ''])).toEqual([
      ['Branch 1', true],
      ['Client Bakery', false],
    ]);

    const limited = sandbox.issueToken({ scopes: ['pages_show_list'] });
    expect(await page.portfolioPages({ token: limited })).toMatchObject({
      pages: { length: sandbox.pages.length },
      skipped: [{ edge: 'businesses', business_id: undefined, error: { name: 'PermissionError' } }],
    });
  });

  test('a portfolio of 500 Pages takes no request twice', async () => {
    const sandbox = createSandbox({ strict: true, pages: 250, portfolioPages: 250 });
    const context = createPageContext({
      appId: sandbox.app.id,
      appSecret: sandbox.app.secret,
      fetch: sandbox.fetch,
      platform: sandbox.platform,
    })._unsafeUnwrap();

    const { pages } = (
      await endpoints.portfolioPages(context, { token: sandbox.user.token })
    )._unsafeUnwrap();

    expect(new Set(pages.map(({ id }) => id)).size).toBe(501);
    expect(pages).toHaveLength(501);
    const asked = sandbox.requests.map(({ path, query }) => `${path} ${query['after']}`);
    expect(asked).toHaveLength(new Set(asked).size);
    // 250 own Pages are three requests, the portfolio's 251 three more, its clients and the list one each.
    expect(asked).toHaveLength(8);
  });

  test('a Page tells its profile', async () => {
    await using it = await setting();
    const { page, at, first } = it;

    expect(await page.pageProfile(at)).toMatchObject({
      id: first.id,
      name: first.name,
      followers_count: 1200,
      pics_id: first.picsId,
      picture: expect.stringContaining('https://'),
      cover: expect.stringContaining('https://'),
    });
  });

  test('metrics of a Page come as series, and a retired one by name', async () => {
    await using it = await setting();
    const { page, sandbox, at } = it;
    const since = new Date(sandbox.now() - 200 * 86_400_000);
    const { metrics, refused } = await page.pageInsights({
      ...at,
      metrics: ['page_follows', 'page_impressions'],
      since,
    });

    expect(Object.keys(refused)).toEqual(['page_impressions']);
    const ends = (metrics['page_follows'] ?? []).map(({ end_time }) => end_time?.getTime() ?? 0);
    // Each day once, without a gap, one of 23 or 25 hours where the clock changes; the present day is not over.
    expect(ends.length).toBeGreaterThanOrEqual(199);
    expect(ends.slice(1).every((end, at) => Math.round((end - (ends[at] ?? 0)) / 86_400_000) === 1)).toBe(
      true,
    );
  });

  test('a Page is subscribed to the webhook, and no longer', async () => {
    await using it = await setting();
    const { page, sandbox, at } = it;
    expect(await page.subscriptions(at)).toEqual([]);

    expect(await page.subscribePage(at)).toBe(true);
    expect(await page.subscriptions(at)).toEqual([
      expect.objectContaining({
        id: sandbox.app.id,
        subscribed_fields: [
          'leadgen',
          'leadgen_update',
          'feed',
          'messages',
          'messaging_postbacks',
          'mention',
        ],
      }),
    ]);
    expect(await page.subscribePage({ ...at, fields: ['leadgen'] })).toBe(true);
    expect(await page.subscriptions(at)).toMatchObject([{ subscribed_fields: ['leadgen'] }]);

    expect(await page.subscribePage({ ...at, fields: ['feed', 'leadgen'], add: true })).toBe(true);
    expect(await page.subscriptions(at)).toMatchObject([{ subscribed_fields: ['leadgen', 'feed'] }]);

    expect(await page.unsubscribePage(at)).toBe(true);
    expect(await page.subscriptions(at)).toEqual([]);
  });

  test('the app is subscribed once its handler knows the challenge, and no longer', async () => {
    await using it = await setting();
    const { page } = it;
    const handler = createWebhookHandler({ verifyToken: 'geheim', secrets: 's', onEvent: () => undefined });
    const server = createServer(({ url = '' }, response) => {
      void handler(new Request(`http://app.test${url}`)).then(async (handled) =>
        response.writeHead(handled.status).end(await handled.text()),
      );
    });
    await using app = await listen(server);
    const callbackUrl = `${app.origin}/webhooks`;
    const wanted = { object: 'page', callbackUrl, verifyToken: 'geheim', fields: ['feed'] } as const;

    await expect(page.subscribeApp({ ...wanted, verifyToken: 'another' })).rejects.toMatchObject({
      code: 2200,
    });
    expect(await page.appSubscriptions()).toEqual([]);
    expect(await page.subscribeApp(wanted)).toBe(true);
    expect(await page.subscribeApp({ ...wanted, fields: ['leadgen'] })).toBe(true);
    expect(await page.subscribeApp({ ...wanted, object: 'pics', fields: ['comments'] })).toBe(true);
    expect(await page.appSubscriptions()).toMatchObject([
      {
        object: 'page',
        callback_url: callbackUrl,
        active: true,
        fields: [{ name: 'feed' }, { name: 'leadgen' }],
      },
      { object: 'pics', fields: [{ name: 'comments' }] },
    ]);

    expect(await page.unsubscribeApp({ object: 'page', fields: ['feed'] })).toBe(true);
    expect(await page.unsubscribeApp({ object: 'pics' })).toBe(true);
    expect(await page.appSubscriptions()).toMatchObject([{ object: 'page', fields: [{ name: 'leadgen' }] }]);
  });

  test('a post is published, listed, measured and deleted', async () => {
    await using it = await setting();
    const { page, at, first } = it;
    const message = 'Grüße aus dem Hafen ☕ 100 % & mehr';
    const { id: postId } = await page.publishPost({ ...at, message, link: 'https://example.com/menu' });
    const { id: draftId } = await page.publishPost({ ...at, message: 'Not yet', published: false });

    const listed = await page.posts(at);
    expect(listed[0]).toMatchObject({ id: postId, message });
    expect(listed.map(({ id }) => id)).toEqual([postId, ...first.postIds]);
    expect(listed.map(({ id }) => id)).not.toContain(draftId);
    expect(await page.posts({ ...at, limit: 2 })).toHaveLength(2);
    expect(await Array.fromAsync(page.iteratePosts(at))).toEqual([...listed]);

    const one = { postId, pageToken: at.pageToken };
    expect(await page.postDetails(one)).toEqual(listed[0]);
    await page.publishComment({ objectId: postId, pageToken: at.pageToken, message: 'Bis gleich!' });
    await page.like({ objectId: postId, pageToken: at.pageToken });
    const liking = await page.reactions({ objectId: postId, pageToken: at.pageToken });
    expect([liking[0], liking.summary]).toMatchObject([{ id: at.pageId, type: 'LIKE' }, { total_count: 1 }]);
    expect(await page.postDetails({ ...one, fields: ['id'], totals: true })).toEqual({
      id: postId,
      totals: { reactions: 1, comments: 1, shares: 1 },
    });

    expect(await page.postInsights({ postId: first.postIds[0] ?? '', pageToken: at.pageToken })).toEqual({
      post_media_view: expect.any(Number),
      post_total_media_view_unique: expect.any(Number),
      post_clicks: expect.any(Number),
      post_reactions_by_type_total: expect.any(Object),
    });

    expect(await page.deletePost({ postId, pageToken: at.pageToken })).toBe(true);
    expect((await page.posts(at)).map(({ id }) => id)).toEqual(first.postIds);
  });

  test('a post is scheduled, moved, changed and published; a draft shows in no list', async () => {
    await using it = await setting();
    const { page, sandbox, at } = it;
    const { pageToken } = at;
    const now = Math.floor(sandbox.now() / 1000);
    const inHours = (hours: number): number => now + hours * 3600;
    const { id: postId } = await page.publishPost({
      ...at,
      message: 'Sunday brunch',
      scheduledAt: inHours(2),
    });
    const { id: other } = await page.publishPost({
      ...at,
      message: 'Sunday brunch',
      scheduledAt: inHours(4),
    });
    const { id: draft } = await page.publishPost({ ...at, message: 'Not yet', draft: true });

    expect(await page.scheduledPosts(at)).toMatchObject([
      { id: other, scheduled_publish_time: inHours(4), is_published: false },
      { id: postId, scheduled_publish_time: inHours(2), is_published: false },
    ]);
    await page.updatePost({ postId, pageToken, message: 'Monday brunch', scheduledAt: inHours(3) });
    expect((await page.scheduledPosts(at))[1]).toMatchObject({
      message: 'Monday brunch',
      scheduled_publish_time: inHours(3),
    });

    expect(await page.publishScheduledPost({ postId, pageToken })).toEqual({ success: true });
    expect(await page.publishScheduledPost({ postId: draft, pageToken })).toEqual({ success: true });
    expect((await page.scheduledPosts(at)).map(({ id }) => id)).toEqual([other]);
    expect((await page.posts({ ...at, limit: 2 })).map(({ id }) => id)).toEqual([draft, postId]);
    await page.deletePost({ postId: other, pageToken });
    expect(await page.scheduledPosts(at)).toEqual([]);
  });

  test('photos are published one by one and together, now and later', async () => {
    await using it = await setting();
    const { page, sandbox, at } = it;
    const photo = randomBytes(3000);
    const one = await page.publishPhoto({ ...at, photo, message: 'The menu', altText: 'A card' });
    const scheduledAt = new Date(sandbox.now() + 7_200_000);
    const later = await page.publishPhoto({ ...at, photoUrl: 'https://cdn.example/a.jpg', scheduledAt });
    const kept = await page.publishPhoto({ ...at, photo, published: false });
    expect(later).toEqual({ id: expect.any(String), post_id: expect.any(String) });
    const scheduled = { postId: later.post_id ?? '', pageToken: at.pageToken };
    expect((await page.scheduledPosts(at)).map(({ id }) => id)).toEqual([scheduled.postId]);
    await page.updatePost({ ...scheduled, message: 'Soon' });
    await page.publishScheduledPost(scheduled);
    expect(await page.posts({ ...at, limit: 1 })).toMatchObject([{ id: later.post_id, message: 'Soon' }]);
    await page.deletePost(scheduled);
    const sha256 = createHash('sha256').update(photo).digest('hex');
    expect(sandbox.effects('photo')[0]).toMatchObject({
      id: one.id,
      content: { url: `bytes:${sha256}`, message: 'The menu', altText: 'A card', published: true },
    });

    const photos = [
      { photo: new Blob([photo]), altText: 'Bytes' },
      { photoUrl: 'https://cdn.example/b.jpg' },
      { photoId: kept.id },
    ];
    const several = await page.publishPhotos({ ...at, photos, message: 'Three' });
    const planned = await page.publishPhotos({ ...at, photos: photos.slice(0, 2), scheduledAt });
    expect(several.photo_ids.at(-1)).toBe(kept.id);
    const listed = await page.posts({ ...at, fields: ['id', 'message', 'attachments'], limit: 2 });
    expect(listed).toMatchObject([
      { id: several.id, message: 'Three' },
      { id: one.post_id, message: 'The menu' },
    ]);
    const shown = listed[0]?.raw['attachments'] as {
      readonly data: readonly {
        readonly subattachments: { readonly data: readonly { readonly target: unknown }[] };
      }[];
    };
    expect(shown.data[0]?.subattachments.data.map(({ target }) => target)).toMatchObject(
      several.photo_ids.map((id) => ({ id })),
    );
    expect((await page.scheduledPosts(at)).map(({ id }) => id)).toContain(planned.id);
    expect(await page.publishPhotoStory({ ...at, photo })).toMatchObject({ success: true });
  });

  test('a photo becomes a story, from an address and from an uploaded photo', async () => {
    await using it = await setting();
    const { page, sandbox, at } = it;
    const story = await page.publishPhotoStory({ ...at, photoUrl: 'https://cdn.example/a.jpg' });
    expect(story).toMatchObject({ success: true });

    const [listed] = await page.stories(at);
    expect(listed).toMatchObject({
      post_id: story.post_id,
      media_id: story.photo_id,
      media_type: 'photo',
      status: 'PUBLISHED',
    });

    sandbox.fault({ path: '/photo_stories', error: { code: 100, message: 'Try that again' } });
    const failed: unknown = await page
      .publishPhotoStory({ ...at, photoUrl: 'https://cdn.example/b.jpg' })
      .catch((error: unknown) => error);
    expect(failed).toMatchObject({ name: 'ApiError', payload: { photo_id: expect.any(String) } });
    const { photo_id: photoId } = (failed as { readonly payload: { readonly photo_id: string } }).payload;
    expect(await page.publishPhotoStory({ ...at, photoId })).toMatchObject({ photo_id: photoId });
    expect(await page.stories(at)).toHaveLength(2);
  });

  test('a video becomes a story, from bytes and from an address', async () => {
    await using it = await setting();
    const { page, sandbox, at } = it;
    const video = randomBytes(300_000);
    const story = await page.publishVideoStory({ ...at, video });
    expect(sandbox.upload(story.video_id)).toMatchObject({
      sha256: createHash('sha256').update(video).digest('hex'),
      transfers: [{ offset: 0, bytes: 300_000 }],
    });
    const hosted = await page.publishVideoStory({ ...at, videoUrl: 'https://cdn.example/a.mp4' });

    const status = await page.videoStoryStatus({ videoId: story.video_id, pageToken: at.pageToken });
    expect([
      status.uploading_phase.status,
      status.processing_phase.status,
      status.publishing_phase.status,
    ]).toEqual(['complete', 'complete', 'complete']);
    const listed = await page.stories({ ...at, limit: 2 });
    expect(listed.map(({ post_id, media_id, media_type }) => ({ post_id, media_id, media_type }))).toEqual(
      [hosted, story].map(({ post_id, video_id }) => ({ post_id, media_id: video_id, media_type: 'video' })),
    );
  });

  test('Reels are published from bytes and from an address, now and later', async () => {
    await using it = await setting();
    const { page, sandbox, at } = it;
    const { pageToken } = at;
    const video = randomBytes(300_000);
    const reel = await page.publishReel({ ...at, video, title: 'Reel', description: 'One minute' });
    expect(reel).toMatchObject({ success: true, post_id: expect.any(String) });
    expect(sandbox.upload(reel.video_id)).toMatchObject({
      sha256: createHash('sha256').update(video).digest('hex'),
    });
    expect(await page.reels(at)).toMatchObject([{ id: reel.video_id, post_id: reel.post_id, title: 'Reel' }]);
    expect(await page.videos(at)).toEqual([]);
    const shared = await page.publishReel({
      ...at,
      videoUrl: 'https://cdn.example/a.mp4',
      thumbnail: new Uint8Array(9),
      collaborators: ['404', sandbox.pages[1]?.id ?? ''],
    });
    expect(sandbox.effects('thumbnail')).toMatchObject([
      { parentId: shared.video_id, content: { bytes: 9, preferred: true } },
    ]);
    expect(sandbox.effects('collaborator').map(({ id, parentId }) => [id, parentId])).toEqual([
      ['404', shared.video_id],
      [sandbox.pages[1]?.id, shared.video_id],
    ]);
    const scheduledAt = new Date(sandbox.now() + 7_200_000);
    const later = await page.publishReel({ ...at, videoUrl: 'https://cdn.example/a.mp4', scheduledAt });
    expect(later).toEqual({ video_id: expect.any(String), success: true });
    // Nothing lists it, and the platform neither moves nor publishes it: it can be deleted.
    expect((await page.reels(at)).map(({ id }) => id)).not.toContain(later.video_id);
    const unlisted = { postId: later.video_id, pageToken };
    for (const call of [
      page.publishScheduledPost(unlisted),
      page.updatePost({ ...unlisted, scheduledAt: new Date(sandbox.now() + 9_000_000) }),
    ])
      await expect(call).rejects.toThrow('Unsupported post request');

    expect(await page.videoStatus({ videoId: reel.video_id, pageToken })).toMatchObject({
      publishing_phase: { status: 'complete', publish_status: 'published' },
    });
    expect(await page.videoStatus({ videoId: later.video_id, pageToken })).toMatchObject({
      publishing_phase: { status: 'not_started', publish_status: 'scheduled' },
    });
    expect(sandbox.effects('reel').map(({ id }) => id)).toEqual([
      reel.video_id,
      shared.video_id,
      later.video_id,
    ]);
    expect(await page.deletePost(unlisted)).toBe(true);
  });

  test('videos are published in parts and from an address, now and later, with a thumbnail', async () => {
    await using it = await setting();
    const { page, sandbox, at } = it;
    sandbox.tune({ videos: { partBytes: 100_000 } });
    const video = randomBytes(250_000);
    const thumbnail = randomBytes(500);
    const sent = await page.publishVideo({ ...at, video, title: 'Tour', description: 'A tour', thumbnail });
    expect(sandbox.upload(sent.video_id)).toMatchObject({
      sha256: createHash('sha256').update(video).digest('hex'),
      transfers: [
        { offset: 0, bytes: 100_000 },
        { offset: 100_000, bytes: 100_000 },
        { offset: 200_000, bytes: 50_000 },
      ],
    });
    const captions = new Blob(['1\n00:00:01,000 --> 00:00:02,000\nHello\n']);
    const { pageToken } = at;
    await page.addCaptions({ videoId: sent.video_id, pageToken, captions, locale: 'en_US', isDefault: true });
    expect(sandbox.effects('captions')).toMatchObject([
      { parentId: at.pageId, content: { locale: 'en_US', default_locale: 'en_US' } },
    ]);
    const hosted = await page.publishVideo({
      ...at,
      videoUrl: 'https://cdn.example/a.mp4',
      thumbnail,
      placeId: at.pageId,
    });
    expect(hosted.permalink_url).toContain(hosted.video_id);
    expect(sandbox.effects('video')).toMatchObject([
      { id: sent.video_id, content: { title: 'Tour', description: 'A tour', thumb: 500 } },
      { id: hosted.video_id, content: { thumb: 500, placeId: at.pageId } },
    ]);
    expect((await page.posts({ ...at, limit: 2 })).map(({ id }) => id)).toEqual([
      hosted.post_id,
      sent.post_id,
    ]);

    const scheduledAt = new Date(sandbox.now() + 7_200_000);
    const later = await page.publishVideo({ ...at, video, description: 'Later', scheduledAt });
    expect(await page.scheduledPosts(at)).toMatchObject([{ id: later.post_id, message: 'Later' }]);
    const planned = { postId: later.post_id ?? '', pageToken };
    const status = async (): Promise<unknown> =>
      (await page.videoStatus({ videoId: later.video_id, pageToken })).publishing_phase;
    const moved = Math.floor(sandbox.now() / 1000) + 10_800;
    await page.updatePost({ ...planned, scheduledAt: moved });
    expect(await status()).toMatchObject({
      publish_status: 'scheduled',
      publish_time: moved,
    });
    await page.publishScheduledPost(planned);
    expect(await status()).toMatchObject({ publish_status: 'published' });
    const { video_id: dropped, post_id: postId = '' } = await page.publishVideo({
      ...at,
      video,
      description: 'Never',
      scheduledAt,
    });
    await page.deletePost({ postId, pageToken });
    await expect(page.videoStatus({ videoId: dropped, pageToken })).rejects.toThrow(
      'Unsupported get request',
    );
  });

  test('comments are listed without replies, answered, hidden and shown', async () => {
    await using it = await setting();
    const { page, at, first } = it;
    const { pageToken } = at;
    const [postId = ''] = first.postIds;
    const [commentId = ''] = first.commentIds;
    const listed = await page.comments({ postId, pageToken });
    expect(listed.map(({ id }) => id)).toEqual(first.commentIds);
    expect(await page.comments({ postId, pageToken, limit: 2 })).toHaveLength(2);

    const reply = await page.replyComment({ commentId, pageToken, message: 'Until nine!' });
    expect(await page.comments({ postId: commentId, pageToken })).toContainEqual(
      expect.objectContaining({ id: reply.id, message: 'Until nine!' }),
    );
    const all = await page.comments({ postId, pageToken, replies: true });
    expect(all[0]).toMatchObject({ id: reply.id, parent: { id: commentId } });
    expect(all.filter(({ parent }) => parent === undefined).map(({ id }) => id)).toEqual(first.commentIds);
    expect(await Array.fromAsync(page.iterateComments({ postId, pageToken, replies: true }))).toEqual([
      ...all,
    ]);
    expect(await page.commentDetails({ commentId: reply.id, pageToken })).toMatchObject({
      message: 'Until nine!',
      parent: { id: commentId },
    });
    expect(await Array.fromAsync(page.iterateComments({ postId, pageToken }))).toEqual([
      ...(await page.comments({ postId, pageToken })),
    ]);

    const isHidden = async (): Promise<unknown> => (await page.comments({ postId, pageToken }))[0]?.is_hidden;
    expect(await page.hideComment({ commentId, pageToken })).toEqual({ success: true });
    expect(await isHidden()).toBe(true);
    expect(await page.hideComment({ commentId, pageToken, hidden: false })).toEqual({ success: true });
    expect(await isHidden()).toBe(false);
  });

  test('the Page comments, with an image and with a photo, likes, changes and deletes', async () => {
    await using it = await setting();
    const { page, sandbox, at, first } = it;
    const { pageToken } = at;
    const [postId = ''] = first.postIds;
    const { id: commentId } = await page.publishComment({ objectId: postId, pageToken, message: 'Ask away' });
    const image = 'https://cdn.example/a.jpg';
    const { id: withImage } = await page.publishComment({
      objectId: postId,
      pageToken,
      attachmentUrl: image,
    });
    const photo = randomBytes(2000);
    const { id: withPhoto } = await page.publishComment({ ...at, objectId: commentId, photo });

    const fields = ['id', 'message', 'attachment', 'from', 'user_likes'];
    const comments = await page.comments({ postId, pageToken, fields, limit: 2 });
    expect(comments).toMatchObject([
      { id: withImage, attachment: { type: 'share', url: image } },
      { id: commentId, message: 'Ask away', from: { id: first.id } },
    ]);
    const [reply] = await page.comments({ postId: commentId, pageToken, fields });
    const sha256 = createHash('sha256').update(photo).digest('hex');
    expect(reply).toMatchObject({ id: withPhoto, attachment: { type: 'photo', url: `bytes:${sha256}` } });

    expect(await page.like({ objectId: commentId, pageToken })).toEqual({ success: true });
    expect(await page.updateComment({ commentId, pageToken, message: 'Ask' })).toEqual({ success: true });
    expect((await page.comments({ postId, pageToken, fields, limit: 2 }))[1]).toMatchObject({
      message: 'Ask',
      raw: { user_likes: true },
    });
    expect(await page.like({ objectId: commentId, pageToken, liked: false })).toEqual({ success: true });
    expect(sandbox.effects('like').map(({ content }) => content)).toEqual([
      { liked: true },
      { liked: false },
    ]);
    expect(await page.deleteComment({ commentId: withImage, pageToken })).toEqual({ success: true });
    expect((await page.comments({ postId, pageToken, fields, limit: 1 }))[0]?.id).toBe(commentId);
  });

  test('leads are read by form, by time and by id, with the ad that they came from', async () => {
    await using it = await setting();
    const { page, sandbox, at, first } = it;
    const { pageToken } = at;
    const forms = await page.leadForms(at);
    expect(forms.map(({ id }) => id).toSorted()).toEqual(first.formIds.toSorted());
    const formId = first.formIds[0] ?? '';
    expect(forms.find(({ id }) => id === formId)).toMatchObject({
      status: 'ACTIVE',
      language: expect.stringMatching(/^[a-z]{2}_[A-Z]{2}$/),
      leads_count: first.leadIds.length,
    });

    const all = await page.leads({ formId, pageToken });
    expect(all.map(({ id }) => id)).toEqual(first.leadIds);
    const since = new Date(sandbox.now() - 2.5 * 3_600_000);
    expect((await page.leads({ formId, pageToken, since })).map(({ id }) => id)).toEqual(
      first.leadIds.slice(0, 2),
    );
    const walked = await Array.fromAsync(page.iterateLeads({ formId, pageToken, since }));
    expect(walked.map(({ id }) => id)).toEqual(first.leadIds.slice(0, 2));
    const ofAd = all.filter(({ ad_id }) => ad_id === first.adId);
    expect(await page.leads({ adId: first.adId ?? '', pageToken })).toEqual(ofAd);
    expect(await page.leadForm({ formId, pageToken })).toEqual(forms.find(({ id }) => id === formId));

    const one = await page.lead({ leadgenId: first.leadIds[0] ?? '', pageToken });
    expect(one.fields).toEqual({
      full_name: 'Mara Lind',
      email: 'mara@sandbox.test',
      favourite_drinks: ['tea', 'coffee'],
    });
    const ad = await page.adContext({ adId: one.ad_id, token: sandbox.user.token });
    expect(ad).toMatchObject({
      ad_id: first.adId,
      ad_name: one.ad_name,
      adset_id: one.adset_id,
      adset_name: one.adset_name,
      campaign_id: one.campaign_id,
      campaign_name: one.campaign_name,
      objective: 'OUTCOME_LEADS',
      optimization_goal: 'LEAD_GENERATION',
      targeting: { age_min: 25 },
    });
  });

  test('a form has one test lead, until it is deleted', async () => {
    await using it = await setting();
    const { page, at, first } = it;
    const { pageToken } = at;
    const form = { formId: first.formIds[0] ?? '', pageToken };
    const fieldData = [{ name: 'email', values: ['a@b.test'] }];

    const made = await page.createTestLead({ ...form, fieldData });
    expect(await page.lead({ leadgenId: made.id, pageToken })).toMatchObject({
      fields: { email: 'a@b.test' },
      is_organic: true,
      form_id: form.formId,
    });
    await expect(page.createTestLead(form)).rejects.toMatchObject({ code: 100, outcome: 'rejected' });
    expect(await page.deleteTestLead({ leadId: made.id, pageToken })).toEqual({ success: true });
    const { id } = await page.createTestLead(form);
    expect((await page.lead({ leadgenId: id, pageToken })).fields['full_name']).toContain('dummy data');
  });

  test('places are found by name, and a Page tells whether it keeps the rules', async () => {
    await using it = await setting();
    const { page, sandbox, at, first } = it;
    const { token } = sandbox.user;
    expect(await page.searchPlaces({ token, query: first.name.toUpperCase() })).toMatchObject([
      { id: first.id, name: first.name, location: { city: 'Berlin', latitude: 52.49 } },
    ]);
    expect(await page.searchPlaces({ token, query: 'nowhere' })).toEqual([]);

    expect(await page.pageStatus(at)).toMatchObject({ status: 'ok', violations: [], restrictions: [] });
    sandbox.tune({ pages: { status: 'restricted' } });
    const { restrictions, timestamp } = await page.pageStatus(at);
    expect(restrictions).toMatchObject([{ feature: 'page_messaging_api', violation_type: ['SPAM'] }]);
    expect(Number(restrictions[0]?.expiration_time)).toBe(Number(timestamp) + 7 * 86_400_000);
  });

  test('videos and Reels have metrics of their own', async () => {
    await using it = await setting();
    const { page, at } = it;
    const { pageToken } = at;
    const { video_id: videoId } = await page.publishVideo({ ...at, videoUrl: 'https://cdn.example/a.mp4' });
    const { video_id: reelId } = await page.publishReel({ ...at, videoUrl: 'https://cdn.example/a.mp4' });
    expect(await page.videoInsights({ videoId, pageToken })).toMatchObject({
      total_video_views: 120,
      total_video_reactions_by_type_total: { like: 3, love: 1 },
    });
    const metrics = ['blue_reels_play_count', 'total_video_views', 'post_video_social_actions'];
    expect(await page.videoInsights({ videoId: reelId, pageToken, metrics })).toEqual({
      blue_reels_play_count: 210,
      post_video_social_actions: { COMMENT: 5, SHARE: 2 },
    });
    await expect(
      page.videoInsights({ videoId, pageToken, metrics: ['fb_reels_total_plays'] }),
    ).rejects.toMatchObject({ code: 100 });
  });

  test('conversations tell the customer, who is answered within a day', async () => {
    await using it = await setting();
    const { page, sandbox, at, first } = it;
    const { pageToken } = at;
    const [nora, liam, yuki] = first.contacts;
    const { data } = await page.conversations(at);
    expect(data.map(({ id }) => id)).toEqual(first.conversationIds);
    expect(data.map(({ contact }) => [contact?.id, contact?.name, contact?.available])).toEqual([
      [nora?.id, 'Nora Vik', true],
      [liam?.id, 'Liam Roth', false],
      [yuki?.id, 'Yuki Sato', true],
    ]);
    const { unread_count: unread = 0 } = data.find(({ contact }) => contact?.id === nora?.id) ?? {};
    sandbox.receiveMessage({ contactId: nora?.id ?? '', text: 'Are you open?' });
    const of = { ...at, userId: nora?.id, enrich: false };
    expect((await page.conversations(of)).data[0]?.unread_count).toBe(unread + 1);
    const one = await page.conversations({ ...at, userId: liam?.id, enrich: false });
    expect(one.data.map(({ id }) => id)).toEqual([liam?.conversationId]);
    const walked: string[] = [];
    for await (const { id } of page.iterateConversations({ ...at, pageSize: 2, enrich: false }))
      walked.push(id);
    expect(walked).toEqual(first.conversationIds);
    const times = data.map(({ updated_time }) => Date.parse(updated_time ?? ''));
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    expect(await page.contact({ psid: nora?.id ?? '', pageToken })).toMatchObject({
      available: true,
      first_name: 'Nora',
      last_name: 'Vik',
    });

    const sent = await page.sendMessage({ ...at, recipientId: nora?.id ?? '', text: 'Grüße ☕' });
    expect(sent.recipient_id).toBe(nora?.id);
    const conversationId = nora?.conversationId ?? '';
    const thread = await page.messages({ conversationId, pageToken, limit: 1 });
    expect(thread.data).toMatchObject([
      { id: sent.message_id, message: 'Grüße ☕', from: { id: first.id, name: first.name } },
    ]);
    const texts: unknown[] = [];
    for await (const { message } of page.iterateMessages({ conversationId, pageToken, pageSize: 2 }))
      texts.push(message);
    expect(texts).toEqual(['Grüße ☕', 'Are you open?', ...[3, 2, 1].map((at) => `Nora Vik: message ${at}`)]);

    const to = { ...at, recipientId: nora?.id ?? '' };
    await page.sendAction({ ...to, action: 'typing_on' });
    const file = new Blob(['%PDF'], { type: 'application/pdf' });
    const { attachment_id: attachmentId } = await page.uploadAttachment({ ...at, type: 'file', file });
    const menu = await page.sendMessage({ ...to, attachment: { type: 'file', attachmentId } });
    expect((await page.messages({ conversationId, pageToken, limit: 1 })).data).toMatchObject([
      { id: menu.message_id, attachments: { data: [{ mime_type: 'application/pdf' }] } },
    ]);
    const messageId = sandbox.receiveMessage({ contactId: nora?.id ?? '', text: 'Thanks!' });
    await page.sendReaction({ ...to, messageId });
    expect(sandbox.effects('reaction').map(({ id, content }) => [id, content['reaction']])).toEqual([
      [messageId, 'love'],
    ]);

    const [commentId = ''] = first.commentIds;
    const reply = await page.privateReply({ ...at, commentId, text: 'It costs ten.' });
    expect((await page.conversations({ ...at, userId: reply.recipient_id })).data).toMatchObject([
      { last_message: { id: reply.message_id, message: 'It costs ten.' } },
    ]);
    await expect(page.privateReply({ ...at, commentId, text: 'Or nine.' })).rejects.toMatchObject({
      category: 'recipient',
      outcome: 'rejected',
    });

    await expect(
      page.sendMessage({ ...at, recipientId: yuki?.id ?? '', text: 'Too late' }),
    ).rejects.toMatchObject({ name: 'PermissionError', category: 'window', outcome: 'rejected' });
    await page.sendMessage({ ...at, recipientId: yuki?.id ?? '', text: 'By hand', humanAgent: true });
    expect(sandbox.effects('message')).toHaveLength(4);
  });

  test('an inbox greets, asks and has a menu', async () => {
    await using it = await setting();
    const { page, at } = it;
    const greeting = [{ locale: 'default', text: 'Hello {{user_first_name}}!' }];
    const getStarted = { payload: 'START' };
    const iceBreakers = [
      { locale: 'default', call_to_actions: [{ question: 'When are you open?', payload: 'HOURS' }] },
    ];
    const persistentMenu = [
      { locale: 'default', call_to_actions: [{ type: 'postback', title: 'Help', payload: 'HELP' }] },
    ];
    expect(await page.messengerProfile(at)).toEqual({});
    await expect(page.updateMessengerProfile({ ...at, persistentMenu })).rejects.toMatchObject({
      code: 100,
      subcode: 2_018_145,
      outcome: 'rejected',
    });
    await page.updateMessengerProfile({ ...at, greeting, getStarted, persistentMenu });
    await page.updateMessengerProfile({ ...at, iceBreakers, whitelistedDomains: ['https://example.com'] });
    expect(await page.messengerProfile({ ...at, fields: ['ice_breakers'] })).toEqual({
      ice_breakers: iceBreakers,
    });
    await page.deleteMessengerProfile({ ...at, fields: ['ice_breakers'] });
    expect(await page.messengerProfile(at)).toEqual({
      greeting,
      get_started: getStarted,
      persistent_menu: persistentMenu,
      whitelisted_domains: ['https://example.com'],
    });
  });

  test('visitors post and tag the Page, and one of them is blocked', async () => {
    await using it = await setting();
    const { page, sandbox, at, first } = it;
    const since = new Date(sandbox.now());
    const id = sandbox.happen({ kind: 'post', pageId: first.id, message: 'Buy my watches', by: 'Mara Lind' });
    const tag = sandbox.happen({ kind: 'post', pageId: first.id, message: 'Best coffee', tagged: true });
    expect((await page.taggedPosts(at)).map((post) => post.id)).toEqual([tag]);
    expect((await page.feed(at)).map((post) => post.id)).toEqual(
      expect.arrayContaining([id, tag, ...first.postIds]),
    );
    expect(await Array.fromAsync(page.iterateFeed({ ...at, since }))).toMatchObject([{}, {}]);
    const [newest] = await page.visitorPosts({ ...at, limit: 1 });
    expect(newest).toMatchObject({ id, message: 'Buy my watches', from: { name: 'Mara Lind' } });

    const userId = newest?.from?.id ?? '';
    const [contact] = first.contacts;
    expect(await page.blockUser({ ...at, userId })).toEqual({ [userId]: true });
    expect(await page.blockUser({ ...at, userIds: [contact?.id ?? '', '404'] })).toEqual({
      [contact?.id ?? '']: true,
      404: false,
    });
    expect(await page.blockedUsers(at)).toEqual([
      { id: contact?.id, name: contact?.name },
      { id: userId, name: 'Mara Lind' },
    ]);
    expect(await page.unblockUser({ ...at, userIds: [userId, contact?.id ?? ''] })).toEqual({
      success: true,
    });
    expect(await page.blockedUsers(at)).toEqual([]);
  });

  test('a post, photos and a Reel name a place', async () => {
    await using it = await setting();
    const { page, sandbox, at } = it;
    const where = { placeId: sandbox.pages[1]?.id ?? '' };
    await page.publishPost({ ...at, message: 'With friends', ...where, tags: ['11', '12'] });
    await page.publishPhotos({
      ...at,
      photos: [{ photoUrl: 'https://cdn.example/a.jpg' }, { photoUrl: 'https://cdn.example/b.jpg' }],
      ...where,
    });
    await page.publishReel({ ...at, videoUrl: 'https://cdn.example/a.mp4', ...where });
    expect(sandbox.effects('post').map(({ content }) => content)).toMatchObject([
      { ...where, tagIds: ['11', '12'] },
      where,
    ]);
    expect(sandbox.effects('reel')).toMatchObject([{ content: where }]);
    await expect(page.publishPost({ ...at, message: 'Nowhere', placeId: '404' })).rejects.toMatchObject({
      code: 100,
      outcome: 'rejected',
    });
  });

  test('the functions that none of these calls work', async () => {
    const others = Object.keys(endpoints).filter((name) => !called.has(name));
    expect(await failing(others, pageCalls)).toEqual([]);
  });
}

// Methods call the functions: the everyday loop goes one way.
describe('over real HTTP, as a facade method,', () => scenarios('facade method'));
describe('over real HTTP, as a function,', { tags: 'long' }, () => scenarios('function'));

test('once the connection is cut, no more of a file is read', { tags: 'long' }, async () => {
  const { sandbox, platform, close } = await serve();
  const [page] = sandbox.pages;
  sandbox.fault({ host: 'upload', cutUpload: 100_000 });
  const { id: appId, secret: appSecret } = sandbox.app;
  const context = createPageContext({ appId, appSecret, platform, retry: { baseDelayMs: 200 } });
  const video = new Uint8Array(40_000_000);
  const sent: number[] = [];

  const story = await endpoints.publishVideoStory(context._unsafeUnwrap(), {
    pageId: page?.id ?? '',
    pageToken: page?.token ?? '',
    video,
    uploadAttempts: 1,
    onProgress: ({ sentBytes }) => void sent.push(sentBytes),
  });
  await close();

  expect(story._unsafeUnwrapErr()).toMatchObject({ name: 'TransportError', reason: 'network' });
  expect(Math.max(...sent)).toBeLessThan(video.length);
});
