import { createHash } from 'node:crypto';

import { describe, expect, test } from 'vitest';

import type { ContainerNotReadyError } from '../../src/core/errors.ts';
import { createPicsClient, createPicsClientViaPages, type PicsClient } from '../../src/pics/client.ts';
import { createPicsContext, createPicsContextViaPages } from '../../src/pics/context.ts';
import * as endpoints from '../../src/pics/endpoints.ts';
import type { Sandbox } from '../../src/sandbox/index.ts';
import { picsCalls } from '../functions/sandboxCalls.ts';
import { asMethods, failing, noting, onRealSockets, serve } from './support.ts';

onRealSockets();

type Methods = Pick<PicsClient, keyof typeof endpoints>;

interface Setting extends AsyncDisposable {
  readonly pics: Methods;
  readonly sandbox: Sandbox;
  readonly token: string;
  /** The token, and the account in page mode, as options for most calls. */
  readonly at: { readonly token: string; readonly picsUserId?: string };
  /** Further options for the inbox: the Page in page mode. */
  readonly inbox: { readonly token: string; readonly picsUserId: string; readonly pageId?: string };
}

const redirectUri = 'https://app.example/callback';
const imageUrl = 'https://cdn.example/a.jpg';
const videoUrl = 'https://cdn.example/a.mp4';
const day = 86_400_000;

const loginOnly = ['exchangeCode', 'loginUrl', 'refreshToken', 'subscribeAccount'];
const pageOnly = [
  'answerInvite',
  'businessDiscovery',
  'collaborationInvites',
  'collaborators',
  'deleteMedia',
  'hashtagId',
  'hashtagMedia',
  'inspectToken',
  'likeMedia',
  'mentionedComment',
  'mentionedMedia',
  'mediaPoll',
  'promptResponses',
  'productCatalogs',
  'productTags',
  'recentHashtags',
  'searchAudio',
  'searchProducts',
  'stories',
  'updateProductTags',
];

function scenarios(mode: 'login' | 'page', style: 'function' | 'facade method'): void {
  const called = new Set<string>();

  async function setting(): Promise<Setting> {
    const { sandbox, platform, close } = await serve();
    const [page] = sandbox.pages;
    if (page?.picsId === undefined) throw new Error('the first Page has an account');
    const { app, picsApp, account, clock } = sandbox;
    // Waits for media move the sandbox's clock, and take no time.
    const login = { appId: picsApp.id, appSecret: picsApp.secret, platform, clock };
    const viaPages = { appId: app.id, appSecret: app.secret, platform, clock };
    const context = mode === 'login' ? createPicsContext(login) : createPicsContextViaPages(viaPages);
    const client = mode === 'login' ? createPicsClient(login) : createPicsClientViaPages(viaPages);
    const methods: Methods = style === 'function' ? asMethods(context._unsafeUnwrap(), endpoints) : client;
    const token = mode === 'login' ? account.token : page.token;
    return {
      pics: noting(methods, Object.keys(endpoints), called),
      sandbox,
      token,
      at: { token, ...(mode === 'page' && { picsUserId: page.picsId }) },
      inbox: { token, picsUserId: page.picsId, ...(mode === 'page' && { pageId: page.id }) },
      [Symbol.asyncDispose]: close,
    };
  }

  if (mode === 'login') {
    test('a login gives a token, which is refreshed a day later', async () => {
      await using it = await setting();
      const { pics, sandbox } = it;
      const dialog = pics.loginUrl({ redirectUri, state: 'random' });
      const callback = await sandbox.authorize(dialog);
      expect(callback.searchParams.get('state')).toBe('random');

      const code = callback.searchParams.get('code') ?? '';
      const bundle = await pics.exchangeCode({ code, redirectUri });
      expect(bundle).toMatchObject({ user_id: sandbox.account.userId, permissions: expect.any(Array) });
      expect(bundle.expires_at?.getTime()).toBeGreaterThan(Date.now() + 59 * day);
      const { username } = sandbox.account;
      expect(await pics.profile({ token: bundle.access_token })).toMatchObject({ username });

      await expect(pics.refreshToken({ token: bundle.access_token })).rejects.toMatchObject({
        name: 'ApiError',
      });
      sandbox.advance(day + 1000);
      const renewed = await pics.refreshToken({ token: bundle.access_token });
      expect(renewed.expires_at?.getTime()).toBeGreaterThan(Date.now() + 59 * day);
      expect(await pics.profile({ token: renewed.access_token })).toMatchObject({ username });
    });

    test('the account is subscribed to the webhook', async () => {
      await using it = await setting();
      const { pics, sandbox, token } = it;
      expect(await pics.subscribeAccount({ token })).toBe(true);
      expect(sandbox.effects('subscribe').map(({ content }) => content['fields'])).toEqual([
        ['comments', 'messages', 'messaging_postbacks', 'message_reactions'],
      ]);

      expect(await pics.subscribeAccount({ token, fields: ['mentions'], add: true })).toBe(true);
      expect(sandbox.effects('subscribe').at(-1)?.content['fields']).toEqual([
        'comments',
        'messages',
        'messaging_postbacks',
        'message_reactions',
        'mentions',
      ]);
    });
  } else {
    test('a page token is inspected, until it is dead', async () => {
      await using it = await setting();
      const { pics, sandbox, token } = it;
      expect(await pics.inspectToken({ token })).toMatchObject({
        is_valid: true,
        type: 'PAGE',
        never_expires: true,
        profile_id: sandbox.pages[0]?.id,
      });

      sandbox.killToken(token, 'password');
      expect(await pics.inspectToken({ token })).toMatchObject({ is_valid: false, error: { subcode: 460 } });
    });
  }

  test('what exists in the other mode only is refused, and nothing is sent', async () => {
    await using it = await setting();
    const { pics, sandbox, token, at } = it;
    const calls =
      mode === 'login'
        ? [() => pics.stories(at), () => pics.deleteMedia({ token, mediaId: '901' })]
        : [
            async () => pics.loginUrl({ redirectUri }),
            () => pics.exchangeCode({ code: 'code', redirectUri }),
            () => pics.refreshToken({ token }),
            () => pics.subscribeAccount({ token }),
            () => pics.profile({ token }),
            () => pics.media({ token }),
            () => pics.conversations({ token }),
          ];
    for (const call of calls) await expect(call()).rejects.toMatchObject({ name: 'ConfigurationError' });
    expect(sandbox.requests).toEqual([]);
  });

  test('the profile and the media are read', async () => {
    await using it = await setting();
    const { pics, sandbox, token, at } = it;
    const { account } = sandbox;
    expect(await pics.profile(at)).toMatchObject({
      id: mode === 'login' ? account.id : account.userId,
      user_id: mode === 'login' ? account.userId : undefined,
      username: account.username,
      followers_count: 1280,
      media_count: account.mediaIds.length,
      account_type: mode === 'login' ? 'BUSINESS' : undefined,
    });

    const listed = await pics.media(at);
    expect(listed.map(({ id }) => id)).toEqual(account.mediaIds);
    expect(listed[2]).toMatchObject({
      media_type: 'VIDEO',
      media_product_type: 'REELS',
      caption: 'Latte art',
    });
    expect(await pics.media({ ...at, limit: 2 })).toHaveLength(2);
    expect(await Array.fromAsync(pics.iterateMedia(at))).toEqual([...listed]);
    expect(await pics.mediaDetails({ token, mediaId: account.mediaIds[2] ?? '' })).toEqual(listed[2]);
  });

  test('an image and a Reel are published, and count against the quota', async () => {
    await using it = await setting();
    const { pics, token, at } = it;
    const before = await pics.publishingLimit(at);
    expect(before).toEqual({ quota_usage: 0, quota_total: 100, quota_duration: 86_400 });

    const image = await pics.publish({ ...at, imageUrl, caption: 'Über & unter ☕' });
    const reel = await pics.publish({ ...at, videoUrl, isReel: true });
    expect(await pics.containerStatus({ token, containerId: reel.container_id })).toMatchObject({
      id: reel.container_id,
      status_code: 'PUBLISHED',
    });
    expect(await pics.mediaDetails({ token, mediaId: image.media_id })).toMatchObject({
      media_type: 'IMAGE',
      caption: 'Über & unter ☕',
    });
    const [newest, second] = await pics.media({ ...at, limit: 2 });
    expect(newest).toMatchObject({ id: reel.media_id, media_product_type: 'REELS' });
    expect(second?.id).toBe(image.media_id);
    expect(await pics.publishingLimit(at)).toMatchObject({ quota_usage: 2 });
  });

  test('a post takes what its kind has, and refuses the rest before anything is sent', async () => {
    await using it = await setting();
    const { pics, sandbox, token, at } = it;
    const image = await pics.publish({
      ...at,
      imageUrl,
      altText: 'A door',
      locationId: '123',
      userTags: [{ username: 'ada', x: 0, y: 0.5 }],
      collaborators: ['bob'],
      isAiGenerated: true,
      ...(mode === 'page' && { productTags: [{ productId: '17999999999999991', x: 1, y: 0 }] }),
    });
    const fields = ['alt_text', 'is_ai_generated'];
    expect(await pics.mediaDetails({ token, mediaId: image.media_id, fields })).toMatchObject({
      alt_text: 'A door',
      is_ai_generated: true,
    });
    const reel = await pics.publish({
      ...at,
      videoUrl,
      coverUrl: imageUrl,
      thumbOffsetMs: 0,
      audioName: 'Waves',
      trial: 'MANUAL',
      shareToFeed: false,
      userTags: [{ username: 'ada' }],
    });
    const story = await pics.publishStory({
      ...at,
      imageUrl,
      userTags: [{ username: 'ada' }],
      isAiGenerated: false,
    });
    const content = sandbox.effects('container').map((made) => made.content);
    expect(content).toMatchObject([
      { locationId: '123', collaborators: ['bob'], productTags: mode === 'page' ? [expect.anything()] : [] },
      { coverUrl: imageUrl, thumbOffset: 0, audioName: 'Waves', trial: 'MANUAL', sharedToFeed: false },
      { userTags: [{ username: 'ada' }], aiGenerated: false },
    ]);
    expect(sandbox.effects('media').map(({ id }) => id)).toEqual(
      [image, reel, story].map(({ media_id }) => media_id),
    );

    const before = sandbox.requests.length;
    const altText = { altText: 'A door' } as object;
    await expect(pics.publish({ ...at, videoUrl, ...altText })).rejects.toMatchObject({ option: 'altText' });
    expect(sandbox.requests).toHaveLength(before);
  });

  test('a post asks by a poll or for comments, in page mode', async () => {
    await using it = await setting();
    const { pics, sandbox, token, at } = it;
    const asking = { ...at, imageUrl, caption: 'Tea or coffee?' };
    if (mode === 'login') {
      await expect(pics.publish({ ...asking, commentPrompt: true })).rejects.toMatchObject({
        option: 'commentPrompt',
      });
      return;
    }
    const poll = { options: ['Tea', 'Coffee'] };
    const polled = await pics.publish({ ...asking, poll });
    const prompted = await pics.publish({ ...asking, commentPrompt: true });
    sandbox.tune({ pics: { addOns: false } });
    const without = await pics.publish({ ...asking, poll });

    expect([polled, prompted, without].map(({ addOn }) => addOn)).toEqual([
      'attached',
      'attached',
      'missing',
    ]);
    const read = (mediaId: string) => pics.mediaPoll({ token, mediaId });
    expect(await read(polled.media_id)).toMatchObject({
      options: [
        { text: 'Tea', share: 0 },
        { text: 'Coffee', share: 0 },
      ],
      expires_at: expect.any(Date),
    });
    expect(await read(without.media_id)).toBeNull();
    expect(await pics.promptResponses({ token, mediaId: prompted.media_id })).toEqual({ data: [] });
  });

  test('a carousel is published with its images in their order', async () => {
    await using it = await setting();
    const { pics, sandbox, token, at } = it;
    const imageUrls = [1, 2, 3].map((number) => `https://cdn.example/${number}.jpg`);
    const carousel = await pics.publishCarousel({ ...at, imageUrls, caption: 'All of it' });

    expect(carousel.children).toHaveLength(3);
    const fields = ['media_type', 'caption', 'children{id,media_url}'];
    expect(await pics.mediaDetails({ token, mediaId: carousel.media_id, fields })).toMatchObject({
      media_type: 'CAROUSEL_ALBUM',
      caption: 'All of it',
      children: { data: imageUrls.map((media_url) => ({ media_url })) },
    });
    expect(sandbox.effects('media')).toHaveLength(1);
  });

  test('a carousel of images and videos is published in their order, once the videos are ready', async () => {
    await using it = await setting();
    const { pics, sandbox, token, at } = it;
    sandbox.tune({ containers: { processingMs: 300 } });
    const items = [{ videoUrl, thumbOffsetMs: 0 }, { imageUrl, altText: 'A door' }, { videoUrl }];
    const carousel = await pics.publishCarousel({ ...at, items, isAiGenerated: true });

    const fields = ['is_ai_generated', 'children{media_type,alt_text}'];
    expect(await pics.mediaDetails({ token, mediaId: carousel.media_id, fields })).toMatchObject({
      is_ai_generated: true,
      children: {
        data: [{ media_type: 'VIDEO' }, { media_type: 'IMAGE', alt_text: 'A door' }, { media_type: 'VIDEO' }],
      },
    });
    expect(sandbox.effects('media').map(({ content }) => content['childIds'])).toEqual([carousel.children]);
  });

  test('videos are uploaded for a Reel, a story and a carousel, through interruptions', async () => {
    await using it = await setting();
    const { pics, sandbox, at } = it;
    const video = new Uint8Array(500_000).map((_, index) => (index * 31) % 251);
    const sha256 = createHash('sha256').update(video).digest('hex');
    for (const cutUpload of [100_000, 250_000]) sandbox.fault({ host: 'upload', cutUpload });

    const reel = await pics.publish({ ...at, video, caption: 'Waves' });
    const { transfers, ...upload } = sandbox.upload(reel.container_id) ?? { transfers: [] };
    expect(upload).toMatchObject({ bytes: video.length, fileSize: video.length, sha256 });
    expect(transfers).toEqual([
      { offset: 0, bytes: 100_000 },
      { offset: 100_000, bytes: 250_000 },
      { offset: 350_000, bytes: 150_000 },
    ]);

    sandbox.tune({ containers: { processingMs: 300 } });
    const story = await pics.publishStory({ ...at, video: new Blob([video]) });
    expect(sandbox.upload(story.container_id)).toMatchObject({ sha256 });
    const items = [{ video, thumbOffsetMs: 0 }, { imageUrl }, { video }];
    const carousel = await pics.publishCarousel({ ...at, items });
    const uploads = carousel.children.map((id) => sandbox.upload(id)?.sha256);
    expect(uploads).toEqual([sha256, undefined, sha256]);
    expect(sandbox.effects('media').map(({ id }) => id)).toEqual([
      reel.media_id,
      story.media_id,
      carousel.media_id,
    ]);
  });

  test('a container that takes a while is finished by another call, once', async () => {
    await using it = await setting();
    const { pics, sandbox, token, at } = it;
    sandbox.tune({ containers: { processingMs: 60_000 } });
    const begun = (await pics
      .publish({ ...at, videoUrl, waitTimeoutMs: 0 })
      .catch((error: unknown) => error)) as ContainerNotReadyError;
    expect(begun).toMatchObject({ name: 'ContainerNotReadyError', statusCode: 'IN_PROGRESS' });

    const { containerId } = begun;
    expect(await pics.containerStatus({ token, containerId })).toMatchObject({ status_code: 'IN_PROGRESS' });
    sandbox.advance(60_000);
    const published = await pics.publishContainer({ ...at, containerId });
    expect(published).toMatchObject({ container_id: containerId });
    expect((await pics.media({ ...at, limit: 1 }))[0]?.id).toBe(published.media_id);
    expect(await pics.publishContainer({ ...at, containerId })).toEqual(published);
    expect(sandbox.effects('media')).toHaveLength(1);
  });

  test('a story is published, and lives for a day', async () => {
    await using it = await setting();
    const { pics, sandbox, token, at } = it;
    const image = await pics.publishStory({ ...at, imageUrl });
    const video = await pics.publishStory({ ...at, videoUrl });
    for (const { media_id: mediaId } of [image, video]) {
      expect(await pics.mediaDetails({ token, mediaId })).toMatchObject({ media_product_type: 'STORY' });
    }

    if (mode === 'login') return;
    const active = await pics.stories(at);
    expect(active.map(({ id }) => id)).toEqual([video.media_id, image.media_id, ...sandbox.account.storyIds]);
    expect(active.every(({ media_product_type }) => media_product_type === 'STORY')).toBe(true);
    sandbox.advance(day);
    expect(await pics.stories(at)).toEqual([]);
  });

  test('comments are listed, answered, hidden, shown and deleted', async () => {
    await using it = await setting();
    const { pics, sandbox, token } = it;
    const { commentIds, mediaIds } = sandbox.account;
    const [commentId = ''] = commentIds;
    const on = { token, mediaId: mediaIds[0] ?? '' };
    expect((await pics.comments(on)).map(({ id }) => id)).toEqual(commentIds);
    expect(await pics.comments({ ...on, limit: 3 })).toHaveLength(3);
    const walked = await Array.fromAsync(pics.iterateComments(on));
    expect(walked.map(({ id }) => id)).toEqual(commentIds);

    const reply = await pics.replyComment({ token, commentId, message: 'Until nine!' });
    const all = await pics.comments({ ...on, replies: true });
    expect(all.find(({ id }) => id === reply.id)).toMatchObject({
      text: 'Until nine!',
      parent_id: commentId,
    });
    const top = all.filter(({ parent_id }) => parent_id === undefined);
    // Within them, their replies have more fields.
    expect(top).toMatchObject([...(await pics.comments(on))]);
    const [first] = await pics.comments({ ...on, fields: ['id', 'replies{id,text}'] });
    expect(first).toMatchObject({ replies: { data: [{ id: reply.id, text: 'Until nine!' }] } });

    const isHidden = async (): Promise<unknown> => (await pics.comments(on))[0]?.hidden;
    expect(await pics.hideComment({ token, commentId })).toMatchObject({ success: true });
    expect(await isHidden()).toBe(true);
    expect(await pics.hideComment({ token, commentId, hidden: false })).toMatchObject({ success: true });
    expect(await isHidden()).toBe(false);

    expect(await pics.deleteComment({ token, commentId })).toMatchObject({ success: true });
    expect((await pics.comments(on)).map(({ id }) => id)).toEqual(commentIds.slice(1));
  });

  test('a media is commented on, closed for comments, opened again and deleted', async () => {
    await using it = await setting();
    const { pics, sandbox, token, at } = it;
    const [mediaId = '', ...others] = sandbox.account.mediaIds;
    const comment = await pics.publishComment({ token, mediaId, message: 'Come in \u2615' });
    expect((await pics.comments({ token, mediaId }))[0]).toMatchObject({
      id: comment.id,
      text: 'Come in \u2615',
      username: sandbox.account.username,
    });

    const isOpen = async (): Promise<unknown> =>
      (await pics.mediaDetails({ token, mediaId, fields: ['is_comment_enabled'] }))['is_comment_enabled'];
    expect(await pics.setCommentsEnabled({ token, mediaId, enabled: false })).toMatchObject({
      success: true,
    });
    expect(await isOpen()).toBe(false);
    await expect(pics.publishComment({ token, mediaId, message: 'Hello?' })).rejects.toMatchObject({
      outcome: 'rejected',
    });
    expect(await pics.setCommentsEnabled({ token, mediaId, enabled: true })).toMatchObject({ success: true });
    expect(await isOpen()).toBe(true);

    if (mode === 'login') return;
    expect(await pics.deleteMedia({ token, mediaId })).toMatchObject({ success: true });
    expect((await pics.media(at)).map(({ id }) => id)).toEqual(others);
    await expect(pics.deleteMedia({ token, mediaId })).rejects.toMatchObject({ category: 'not_found' });
  });

  test('conversations tell the customer, who is answered within a day', async () => {
    await using it = await setting();
    const { pics, sandbox, token, inbox } = it;
    const { account } = sandbox;
    const [anna, bela, carl] = account.contacts;
    const { data } = await pics.conversations(inbox);
    expect(data.map(({ id }) => id)).toEqual(account.conversationIds);
    expect(data.map(({ contact }) => [contact?.id, contact?.available])).toEqual([
      [anna?.id, true],
      [bela?.id, false],
      [carl?.id, true],
    ]);
    expect(data[0]?.last_message?.from?.id).toBe(anna?.id);
    expect(await pics.contact({ token, igsid: anna?.id ?? '' })).toMatchObject({
      id: anna?.id,
      available: true,
      username: 'anna',
    });

    const first = await pics.conversations({ ...inbox, limit: 2, enrich: false });
    expect(first.data).toHaveLength(2);
    const after = first.paging?.cursors?.after ?? '';
    const rest = await pics.conversations({ ...inbox, limit: 2, after });
    expect(rest.data.map(({ id }) => id)).toEqual(account.conversationIds.slice(2));

    const walked: string[] = [];
    for await (const { id } of pics.iterateConversations({ ...inbox, pageSize: 2, enrich: false }))
      walked.push(id);
    expect(walked).toEqual(account.conversationIds);

    const sent = await pics.sendMessage({ ...inbox, recipientId: anna?.id ?? '', text: 'Grüße ☕' });
    expect(sent.recipient_id).toBe(anna?.id);
    const [conversationId = ''] = account.conversationIds;
    const newest = await pics.messages({ token, conversationId, limit: 1 });
    expect(newest.data).toMatchObject([
      { id: sent.message_id, message: 'Grüße ☕', from: { username: account.username } },
    ]);
    const texts: unknown[] = [];
    for await (const { message } of pics.iterateMessages({ token, conversationId, limit: 3, pageSize: 2 })) {
      texts.push(message);
    }
    expect(texts).toHaveLength(3);
    expect(texts[0]).toBe('Grüße ☕');

    const to = { ...inbox, recipientId: anna?.id ?? '' };
    await pics.sendAction({ ...to, action: 'mark_seen' });
    const address = 'https://media.example/a.jpg';
    const { attachment_id: attachmentId } = await pics.uploadAttachment({
      ...inbox,
      type: 'image',
      url: address,
    });
    const photo = await pics.sendMessage({ ...to, attachment: { type: 'image', attachmentId } });
    expect((await pics.messages({ token, conversationId, limit: 1 })).data).toMatchObject([
      { id: photo.message_id, attachments: { data: [{ image_data: { url: address } }] } },
    ]);
    await pics.sendMessage({ ...to, mediaId: account.mediaIds[0] ?? '' });
    const heart = await pics.sendMessage({ ...to, sticker: 'like_heart', replyTo: photo.message_id });
    expect(await pics.messageDetails({ token, messageId: heart.message_id })).toMatchObject({
      reply_to: { mid: photo.message_id, is_self_reply: true },
    });
    const messageId = sandbox.receiveMessage({ contactId: anna?.id ?? '', text: 'Thanks!' });
    await pics.sendReaction({ ...to, messageId });
    await pics.sendReaction({ ...to, messageId, reaction: null });
    expect(sandbox.effects('reaction').map(({ content }) => content['reaction'])).toEqual(['love', null]);

    const [commentId = ''] = account.commentIds;
    const reply = await pics.privateReply({ ...inbox, commentId, text: 'It costs ten.' });
    expect(reply.recipient_id).toBe(anna?.id);
    await expect(pics.privateReply({ ...inbox, commentId, text: 'Or nine.' })).rejects.toMatchObject({
      category: 'recipient',
      outcome: 'rejected',
    });

    await expect(
      pics.sendMessage({ ...inbox, recipientId: carl?.id ?? '', text: 'Too late' }),
    ).rejects.toMatchObject({ name: 'PermissionError', category: 'window', outcome: 'rejected' });
    expect(sandbox.effects('message')).toHaveLength(5);
  });

  test('the inbox greets with questions and a menu, until they are taken out', async () => {
    await using it = await setting();
    const { pics, inbox } = it;
    const iceBreakers = [
      { locale: 'default', call_to_actions: [{ question: 'When are you open?', payload: 'HOURS' }] },
    ];
    const persistentMenu = [
      { locale: 'default', call_to_actions: [{ type: 'postback', title: 'Help', payload: 'HELP' }] },
    ];
    expect(await pics.messengerProfile(inbox)).toEqual({});
    expect(await pics.updateMessengerProfile({ ...inbox, iceBreakers })).toEqual({ success: true });
    expect(await pics.messengerProfile({ ...inbox, fields: ['ice_breakers'] })).toEqual({
      ice_breakers: iceBreakers,
    });
    await pics.updateMessengerProfile({ ...inbox, persistentMenu });
    expect(await pics.messengerProfile(inbox)).toEqual({
      ice_breakers: iceBreakers,
      persistent_menu: persistentMenu,
    });
    expect(await pics.deleteMessengerProfile({ ...inbox, fields: ['ice_breakers'] })).toEqual({
      success: true,
    });
    expect(await pics.messengerProfile(inbox)).toEqual({ persistent_menu: persistentMenu });
  });

  test('mentions are answered, and media with tags of the account are listed', async () => {
    await using it = await setting();
    const { pics, sandbox, token, at } = it;
    const { username } = sandbox.account;
    const caption = `Great coffee, @${username}!`;
    const mediaId = sandbox.addMedia({ by: 'ada', caption });
    const elsewhere = sandbox.addMedia({ by: 'bob' });
    const commentId = sandbox.addComment({ on: elsewhere, message: `Ask @${username}`, by: 'eve' });
    const tagged = [1, 2, 3].map((number) =>
      sandbox.addMedia({ caption: `Tag ${number}`, tags: [username], at: sandbox.now() - number * 1000 }),
    );
    expect((await pics.taggedMedia(at)).map(({ id }) => id)).toEqual(tagged);
    expect(await pics.taggedMedia({ ...at, limit: 2 })).toHaveLength(2);

    const first = await pics.replyMention({ ...at, mediaId, message: 'Thank you!' });
    const second = await pics.replyMention({ ...at, mediaId: elsewhere, commentId, message: 'Until nine.' });
    expect(sandbox.effects('comment').map(({ id }) => id)).toEqual([first.id]);
    expect(sandbox.effects('reply').map(({ id }) => id)).toEqual([second.id]);
    if (mode === 'login') return;

    expect(await pics.mentionedMedia({ ...at, mediaId })).toMatchObject({
      id: mediaId,
      caption,
      username: 'ada',
      comments_count: 1,
    });
    expect(await pics.mentionedComment({ ...at, commentId })).toMatchObject({
      id: commentId,
      text: `Ask @${username}`,
      media: { id: elsewhere },
    });
    await pics.likeMedia({ ...at, mediaId });
    await pics.likeMedia({ ...at, commentId });
    await pics.likeMedia({ ...at, commentId, liked: false });
    expect(sandbox.effects('like').map(({ id, content }) => [id, content['liked']])).toEqual([
      [mediaId, true],
      [commentId, true],
      [commentId, false],
    ]);
    expect((await pics.mentionedMedia({ ...at, mediaId })).like_count).toBe(1);
    await expect(pics.mentionedMedia({ ...at, mediaId: elsewhere })).rejects.toMatchObject({
      category: 'not_found',
    });
    expect(await pics.comments({ token, mediaId: sandbox.account.mediaIds[0] ?? '' })).not.toEqual([]);
  });

  if (mode === 'page') {
    test('a hashtag is watched, page by page, and another account is looked at', async () => {
      await using it = await setting();
      const { pics, sandbox, at } = it;
      const posted = [1, 2, 3, 4, 5].map((number) =>
        sandbox.addMedia({
          by: 'wim',
          caption: `#coffee ${number}`,
          likes: number,
          at: sandbox.now() - number * 1000,
        }),
      );
      const { id: hashtagId } = await pics.hashtagId({ ...at, name: '#coffee' });
      const recent = await pics.hashtagMedia({ ...at, hashtagId, order: 'recent', limit: 100 });
      expect(recent.map(({ id }) => id)).toEqual(posted);
      const top = await pics.hashtagMedia({ ...at, hashtagId, order: 'top', limit: 2 });
      expect(top.map(({ like_count: likes }) => likes)).toEqual([5, 4]);
      expect(await pics.recentHashtags(at)).toEqual([{ id: hashtagId, name: 'coffee' }]);

      const { username, mediaIds } = sandbox.account;
      const found = await pics.businessDiscovery({ ...at, username, mediaLimit: 2 });
      expect(found).toMatchObject({ username, followers_count: 1280 });
      const { after = '' } = found.media.paging?.cursors ?? {};
      const rest = await pics.businessDiscovery({ ...at, username, after });
      expect([...found.media.data, ...rest.media.data].map(({ id }) => id)).toEqual(mediaIds);
      await expect(pics.businessDiscovery({ ...at, username: 'nobody' })).rejects.toMatchObject({
        category: 'not_found',
      });
    });

    test('an invitation is accepted, and the account invites others', async () => {
      await using it = await setting();
      const { pics, sandbox, token, at } = it;
      const { username } = sandbox.account;
      const mediaId = sandbox.addMedia({ by: 'ada', caption: 'Together', invites: [username] });
      expect(await pics.collaborationInvites(at)).toMatchObject([
        { media_id: mediaId, media_owner_username: 'ada', caption: 'Together' },
      ]);
      expect(await pics.answerInvite({ ...at, mediaId, accept: true })).toEqual({ success: true });
      expect(await pics.collaborationInvites(at)).toEqual([]);
      const own = await pics.publish({ ...at, imageUrl, collaborators: ['bob'] });
      expect(await pics.collaborators({ token, mediaId: own.media_id })).toMatchObject([
        { id: expect.any(String), username: 'bob', invite_status: 'Pending' },
      ]);
    });

    test('products are found and tagged', async () => {
      await using it = await setting();
      const { pics, sandbox, token, at } = it;
      const [catalog] = await pics.productCatalogs(at);
      const catalogId = catalog?.catalog_id ?? '';
      expect(await pics.searchProducts({ ...at, catalogId })).toHaveLength(catalog?.product_count ?? -1);
      const [cup] = await pics.searchProducts({ ...at, catalogId, query: 'blue' });
      const productId = cup?.product_id ?? '';
      const [image = '', carousel = ''] = sandbox.account.mediaIds;
      const tag = { productId, x: 0.5, y: 0 };
      expect(await pics.updateProductTags({ token, mediaId: image, productTags: [tag] })).toEqual({
        success: true,
      });
      expect(await pics.productTags({ token, mediaId: image })).toMatchObject([
        { product_id: productId, name: 'Blue cup', x: 0.5, y: 0 },
      ]);
      for (const childIndex of [0, 1]) {
        await pics.updateProductTags({ token, mediaId: carousel, productTags: [tag], childIndex });
      }
      expect(await pics.productTags({ token, mediaId: carousel })).toHaveLength(2);
    });

    test('music is searched for, and added to a Reel', async () => {
      await using it = await setting();
      const { pics, sandbox, at } = it;
      const found = await pics.searchAudio({ ...at, kind: 'music', query: 'tide', limit: 1 });
      expect(found).toMatchObject([{ title: 'Slow Tide', audio_type: 'music', duration_in_ms: 182_000 }]);
      expect(found.hasMore).toBe(true);
      expect(await pics.searchAudio({ ...at, kind: 'original_sound' })).toHaveLength(2);

      const audio = { audioId: found[0]?.audio_id ?? '', audioVolume: 80 };
      await pics.publish({ ...at, videoUrl, audio });
      sandbox.tune({ containers: { silent: true } });
      await expect(pics.publish({ ...at, videoUrl, audio })).rejects.toMatchObject({
        name: 'ContainerNotReadyError',
        message: expect.stringContaining('audio.videoVolume: 0'),
      });
      await pics.publish({ ...at, videoUrl, audio: { ...audio, videoVolume: 0 } });
      await pics.publish({ ...at, videoUrl });
      expect(sandbox.effects('media')).toHaveLength(3);
    });
  }

  test('insights of the account, its followers and its media are read', async () => {
    await using it = await setting();
    const { pics, sandbox, token, at } = it;
    const today = new Date(sandbox.now()).toISOString().slice(0, 10);
    const totals = await pics.insights({ ...at, until: new Date(sandbox.now() + 5 * day) });
    expect(totals.until).toBe(today);
    expect(Object.keys(totals.metrics).toSorted()).toEqual([
      'accounts_engaged',
      'profile_views',
      'reach',
      'total_interactions',
      'website_clicks',
    ]);

    const series = await pics.insightSeries({
      ...at,
      metrics: ['reach', 'views', 'online_followers', 'impressions'],
      since: new Date(sandbox.now() - 39 * day),
    });
    expect(series['views']?.at(-1)).toEqual({ day: today, value: 960 });
    expect(series['views']).toHaveLength(40);
    // The present day is not over.
    expect(series['reach']?.length).toBeGreaterThanOrEqual(38);
    expect(new Set(series['reach']?.map(({ value }) => value))).toEqual(new Set([420]));
    expect(series['impressions']).toMatchObject({
      available: false,
      reason: expect.stringContaining('metric'),
    });

    expect(Object.keys(series.refused)).toEqual(['impressions']);
    expect(Object.keys(series['online_followers']?.at(-1)?.breakdown ?? {})).toHaveLength(24);

    const followers = await pics.demographics(at);
    expect(Object.keys(followers).toSorted()).toEqual(['age', 'city', 'country', 'gender']);
    expect(Object.values(followers).map(({ available }) => available)).toEqual([true, true, true, true]);
    sandbox.tune({ pics: { followers: 99 } });
    expect((await pics.demographics(at)).age).toMatchObject({ available: false, values: {} });

    const [image = '', carousel = '', reel = ''] = sandbox.account.mediaIds;
    expect(await pics.mediaInsights({ token, mediaId: image })).toHaveProperty('profile_visits');
    expect(await pics.mediaInsights({ token, mediaId: carousel })).toHaveProperty('reach');
    expect(await pics.mediaInsights({ token, mediaId: reel })).toHaveProperty('views');
    expect(await pics.mediaInsights({ token, mediaId: sandbox.account.storyIds[0] ?? '' })).toHaveProperty(
      'replies',
    );
    const [item = ''] = sandbox.account.carouselItemIds;
    expect(await pics.mediaInsights({ token, mediaId: item })).toEqual({});
  });

  test('the functions that none of these calls work', async () => {
    const elsewhere = mode === 'login' ? pageOnly : loginOnly;
    const others = Object.keys(endpoints).filter((name) => !called.has(name) && !elsewhere.includes(name));
    expect(await failing(others, picsCalls(mode === 'login' ? 'login' : 'viaPages'))).toEqual([]);
  });
}

const modes = ['login', 'page'] as const;
// Methods call the functions, and most functions do the same in both modes: the everyday loop goes one way.
describe('over real HTTP, in login mode, as a facade method,', () => scenarios('login', 'facade method'));
describe('over real HTTP, in page mode, as a facade method,', { tags: 'long' }, () =>
  scenarios('page', 'facade method'),
);
describe.each(modes)('over real HTTP, in %s mode, as a function,', { tags: 'long' }, (mode) =>
  scenarios(mode, 'function'),
);
