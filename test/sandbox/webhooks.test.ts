import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';

import { describe, expect, test } from 'vitest';

import { del } from '../../src/core/index.ts';
import { createPageClient, createPicsClient, createPicsClientViaPages } from '../../src/index.ts';
import {
  createPageContext,
  deletePhoto,
  deletePost,
  hideComment,
  lead,
  publishPhoto,
  publishPhotos,
  publishPhotoStory,
  publishPost,
  publishReel,
  publishVideo,
  replyComment,
  subscribePage,
  unsubscribePage,
  updatePost,
} from '../../src/page/index.ts';
import {
  contact,
  createPicsContext,
  sendMessage,
  subscribeAccount,
  replyComment as replyPics,
} from '../../src/pics/index.ts';
import { createSandbox, type Sandbox } from '../../src/sandbox/index.ts';
import { createWebhookHandler, type WebhookEvent } from '../../src/webhooks/index.ts';
import { listen } from '../support/server.ts';

/** A sandbox whose first Page and account are subscribed, and an app with the events that it received. */
async function play(options: { readonly fail?: number } = {}) {
  const sandbox = createSandbox({ strict: true });
  const { app, picsApp, account, fetch, platform } = sandbox;
  const [page] = sandbox.pages;
  if (page === undefined) throw new Error('there are Pages');
  const pageContext = createPageContext({
    appId: app.id,
    appSecret: app.secret,
    fetch,
    platform,
  })._unsafeUnwrap();
  const picsContext = createPicsContext({
    appId: picsApp.id,
    appSecret: picsApp.secret,
    fetch,
    platform,
  })._unsafeUnwrap();
  const fields = ['feed', 'leadgen', 'leadgen_update'];
  (await subscribePage(pageContext, { pageId: page.id, pageToken: page.token, fields }))._unsafeUnwrap();
  (await subscribeAccount(picsContext, { token: account.token }))._unsafeUnwrap();
  const events: WebhookEvent[] = [];
  let failures = options.fail ?? 0;
  const handler = createWebhookHandler({
    verifyToken: 'verify-token',
    secrets: [app.secret, picsApp.secret],
    onEvent: (event) => {
      if (failures-- > 0) throw new Error('not now');
      events.push(event);
    },
  });
  return { sandbox, page, account, pageContext, picsContext, events, handler };
}

function first(ids: readonly string[]): string {
  return ids[0] ?? '';
}

describe('what people do', () => {
  test('reaches the app: posts, comments, leads, messages, reactions, reads', async () => {
    const { sandbox, page, account, events, handler } = await play();
    const postId = sandbox.happen({ kind: 'post', pageId: page.id, message: 'Hello' });
    const commentId = sandbox.happen({
      kind: 'comment',
      on: postId,
      message: 'Gr\u00fc\u00dfe \u{1f600} a/b',
      by: 'Kim',
    });
    const replyId = sandbox.happen({ kind: 'comment', on: commentId, message: 'Me too' });
    const leadId = sandbox.happen({ kind: 'lead', formId: first(page.formIds) });
    const picsCommentId = sandbox.happen({ kind: 'comment', on: first(account.mediaIds), message: 'Nice' });
    const contactId = account.contacts[3]?.id ?? '';
    const mid = sandbox.happen({ kind: 'message', contactId, text: 'Open?' });
    sandbox.happen({ kind: 'reaction', messageId: mid });
    sandbox.happen({ kind: 'read', messageId: mid });
    const sent = await sandbox.deliver(handler);

    expect(sent.map(({ statuses }) => statuses)).toEqual([[200], [200]]);
    expect(sent[0]?.body).toContain(String.raw`Gr\u00fc\u00dfe \ud83d\ude00 a\/b`);
    expect(sent[0]?.body).toContain(`"leadgen_id":${leadId},`);
    expect(events).toMatchObject([
      { type: 'feed', accountId: page.id, data: { item: 'post', verb: 'add', post_id: postId } },
      {
        type: 'feed',
        data: {
          item: 'comment',
          comment_id: commentId,
          parent_id: postId,
          message: 'Gr\u00fc\u00dfe \u{1f600} a/b',
          from: { name: 'Kim' },
        },
      },
      { type: 'feed', data: { item: 'comment', comment_id: replyId, parent_id: commentId } },
      { type: 'leadgen', data: { leadgen_id: leadId, page_id: page.id, form_id: first(page.formIds) } },
      {
        type: 'comments',
        accountId: account.userId,
        data: { id: picsCommentId, media: { id: first(account.mediaIds) } },
      },
      { type: 'message', senderId: contactId, recipientId: account.userId, data: { mid, text: 'Open?' } },
      { type: 'reaction', senderId: contactId, data: { mid, action: 'react' } },
      { type: 'read', senderId: contactId, data: { mid } },
    ]);
    expect(new Set(events.map(({ key }) => key)).size).toBe(events.length);
  });

  test('is delivered once, and only to who subscribed', async () => {
    const { sandbox, page, handler } = await play();
    const other = sandbox.pages[1]?.id ?? '';
    sandbox.happen({ kind: 'post', pageId: other, message: 'Unheard' });
    expect(await sandbox.deliver(handler)).toEqual([]);
    sandbox.happen({ kind: 'post', pageId: page.id, message: 'Heard' });
    expect(await sandbox.deliver(handler)).toHaveLength(1);
    expect(await sandbox.deliver(handler)).toEqual([]);
  });

  test('is delivered again until it is taken, as it was sent at first', async () => {
    const { sandbox, page, handler, events } = await play();
    const post = (message: string) => sandbox.happen({ kind: 'post', pageId: page.id, message });
    const down = async (): Promise<Response> => new Response(null, { status: 503 });
    const [one, other] = [post('One'), post('Other')];
    const [failed] = await sandbox.deliver(down);
    expect(failed?.statuses).toEqual([503, 503, 503]);
    sandbox.advance(60_000);
    const late = post('Late');
    let requests = 0;
    const flaky = async (request: Request): Promise<Response> =>
      ++requests === 2 ? await down() : await handler(request);
    await sandbox.deliver(flaky, { batch: 1, attempts: 1 });
    const [again, ...more] = await sandbox.deliver(handler);

    expect(more).toEqual([]);
    const entriesOf = (body = '{}'): readonly unknown[] => JSON.parse(body).entry;
    expect(entriesOf(again?.body)).toEqual(entriesOf(failed?.body).slice(1));
    expect(events.map(({ data }) => (data as { readonly post_id: string }).post_id)).toEqual([
      one,
      late,
      other,
    ]);
    expect(await sandbox.deliver(handler)).toEqual([]);
  });

  test('is dropped after 36 hours', async () => {
    const { sandbox, page, handler } = await play();
    sandbox.happen({ kind: 'post', pageId: page.id, message: 'One' });
    const down = async (): Promise<Response> => await Promise.reject(new Error('down'));
    await sandbox.deliver(down);
    sandbox.advance(36 * 3_600_000);
    expect(await sandbox.deliver(down)).toHaveLength(1);
    expect(await sandbox.deliver(handler)).toEqual([]);
  });

  test('by the platform: an update of a lead, each time it comes', async () => {
    const { sandbox, page, events, handler } = await play();
    const leadId = sandbox.happen({ kind: 'lead', formId: first(page.formIds) });
    for (let update = 0; update < 2; update++) {
      expect(sandbox.happen({ kind: 'leadUpdate', leadId })).toBe(leadId);
      sandbox.advance(1000);
    }
    sandbox.happen({ kind: 'leadUpdate', leadId, event: 'other', updatedFields: ['a'] });
    await sandbox.deliver(handler);

    expect(events).toMatchObject([
      { type: 'leadgen' },
      {
        type: 'leadgen_update',
        data: {
          leadgen_id: leadId,
          page_id: page.id,
          form_id: first(page.formIds),
          area: 'ai_agent_updates',
        },
      },
      { type: 'leadgen_update', data: { event: 'qualification_status_change' } },
      { type: 'leadgen_update', data: { event: 'other', updated_fields: ['a'] } },
    ]);
    expect(new Set(events.map(({ key }) => key)).size).toBe(4);
    expect(() => sandbox.happen({ kind: 'leadUpdate', leadId: '7' })).toThrow(/has no lead 7/);
  });

  test('ends with the own token of the app, also where that of the Page is dead', async () => {
    const { sandbox, page, pageContext, handler, events } = await play();
    sandbox.killToken(page.token);
    const dead = await unsubscribePage(pageContext, { pageId: page.id, pageToken: page.token });
    expect(dead._unsafeUnwrapErr()).toMatchObject({ code: 190 });

    const pageToken = `${sandbox.app.id}|${sandbox.app.secret}`;
    expect((await unsubscribePage(pageContext, { pageId: page.id, pageToken }))._unsafeUnwrap()).toBe(true);
    sandbox.happen({ kind: 'comment', on: first(page.postIds), message: 'a' });
    expect(await sandbox.deliver(handler)).toEqual([]);
    expect(events).toEqual([]);
  });

  test('needs something to be done to', () => {
    expect(() =>
      createSandbox({ strict: true }).happen({ kind: 'comment', on: 'nowhere', message: 'x' }),
    ).toThrow(/has no post nowhere/);
  });
});

describe('from event to action', () => {
  test('a lead, a comment and a message lead to calls with the ids of their events', async () => {
    const { sandbox, page, account, pageContext, picsContext, events, handler } = await play();
    sandbox.happen({ kind: 'lead', formId: first(page.formIds), answers: { email: 'kim@sandbox.test' } });
    sandbox.happen({ kind: 'comment', on: first(page.postIds), message: 'Rude' });
    sandbox.happen({ kind: 'message', contactId: account.contacts[0]?.id ?? '', text: 'Open?' });
    await sandbox.deliver(handler);
    const [led, commented, wrote] = events;
    if (led?.type !== 'leadgen' || commented?.type !== 'feed' || wrote?.type !== 'message')
      throw new Error('no events');
    const pageToken = page.token;
    const { token } = account;

    const found = (await lead(pageContext, { leadgenId: led.data.leadgen_id, pageToken }))._unsafeUnwrap();
    expect(found.fields).toEqual({ email: 'kim@sandbox.test' });
    const commentId = commented.data.comment_id ?? '';
    expect((await hideComment(pageContext, { commentId, pageToken })).isOk()).toBe(true);
    expect((await replyComment(pageContext, { commentId, pageToken, message: 'Hm.' })).isOk()).toBe(true);
    const recipientId = wrote.senderId ?? '';
    expect((await contact(picsContext, { token, igsid: recipientId }))._unsafeUnwrap().username).toBe('anna');
    expect((await sendMessage(picsContext, { token, recipientId, text: 'Yes' })).isOk()).toBe(true);
  });

  test('what the app does comes back as events that show whose they are', async () => {
    const { sandbox, page, account, pageContext, picsContext, events, handler } = await play();
    const pageToken = page.token;
    const post = (
      await publishPost(pageContext, { pageId: page.id, pageToken, message: 'News' })
    )._unsafeUnwrap();
    const commentId = first(page.commentIds);
    await replyComment(pageContext, { commentId, pageToken, message: 'Thanks' });
    await hideComment(pageContext, { commentId, pageToken });
    await deletePost(pageContext, { postId: post.id, pageToken });
    await replyPics(picsContext, {
      commentId: first(account.commentIds),
      token: account.token,
      message: 'Thanks',
    });
    await sendMessage(picsContext, {
      token: account.token,
      recipientId: account.contacts[0]?.id ?? '',
      text: 'Hi',
    });
    await sandbox.deliver(handler);

    expect(events).toMatchObject([
      { type: 'feed', data: { item: 'status', verb: 'add', post_id: post.id, from: { id: page.id } } },
      { type: 'feed', data: { item: 'comment', verb: 'add', from: { id: page.id } } },
      { type: 'feed', data: { item: 'comment', verb: 'hide', comment_id: commentId } },
      { type: 'feed', data: { item: 'status', verb: 'remove', post_id: post.id, from: { id: page.id } } },
      { type: 'comments', data: { from: { id: account.userId } } },
      { type: 'message', senderId: account.userId, data: { is_echo: true, app_id: sandbox.picsApp.id } },
    ]);
  });

  test('photos, videos and Reels of the app come back as items of their kind, unless they are kept', async () => {
    const { sandbox, page, pageContext, events, handler } = await play();
    const of = { pageId: page.id, pageToken: page.token };
    const [photo, video] = [new Uint8Array([255, 216, 255, 224]), new Uint8Array(4000)];
    const one = (await publishPhoto(pageContext, { ...of, photo, message: 'One' }))._unsafeUnwrap();
    const photos = [{ photo }, { photo }];
    const two = (await publishPhotos(pageContext, { ...of, photos, message: 'Two' }))._unsafeUnwrap();
    const film = (await publishVideo(pageContext, { ...of, video, description: 'Film' }))._unsafeUnwrap();
    const reel = (await publishReel(pageContext, { ...of, video, description: 'Reel' }))._unsafeUnwrap();
    await publishPhoto(pageContext, { ...of, photo, published: false });
    await publishPhotoStory(pageContext, { ...of, photoUrl: 'https://example.com/a.jpg' });
    await updatePost(pageContext, { postId: two.id, pageToken: page.token, message: 'Both' });
    await deletePhoto(pageContext, { photoId: one.id, pageToken: page.token });
    await deletePost(pageContext, { postId: film.post_id ?? '', pageToken: page.token });
    const scheduledAt = new Date(sandbox.clock.now() + 86_400_000);
    const kept = (await publishReel(pageContext, { ...of, video, scheduledAt }))._unsafeUnwrap();
    for (const { video_id } of [reel, kept])
      expect((await del(pageContext, video_id, { token: page.token })).isOk()).toBe(true);
    await sandbox.deliver(handler);

    const published = { verb: 'add', published: 1, from: { id: page.id } };
    const added = { item: 'photo', photo_id: one.id, post_id: one.post_id, message: 'One' };
    const shown = { item: 'video', video_id: film.video_id, post_id: film.post_id };
    expect(events.map(({ data }) => data)).toMatchObject([
      { ...published, ...added },
      {
        ...published,
        item: 'status',
        post_id: two.id,
        message: 'Two',
        photos: two.photo_ids.map((id) => expect.stringContaining(id)),
      },
      { ...published, ...shown, message: 'Film' },
      { ...published, item: 'video', video_id: reel.video_id, message: 'Reel' },
      { verb: 'edited', item: 'status', post_id: two.id, message: 'Both' },
      { verb: 'remove', item: 'photo', photo_id: one.id, post_id: one.post_id },
      { verb: 'remove', ...shown },
      {
        verb: 'remove',
        item: 'video',
        video_id: reel.video_id,
        post_id: reel.post_id,
        from: { id: page.id },
      },
    ]);
  });
});

describe('a delivery', () => {
  function write(sandbox: Sandbox, texts: readonly string[]): void {
    const contactId = sandbox.account.contacts[0]?.id ?? '';
    for (const text of texts) sandbox.happen({ kind: 'message', contactId, text });
  }
  const texts = (events: readonly WebhookEvent[]) =>
    events.map((event) => (event.type === 'message' ? event.data.text : event.type));

  test('is signed by the app of its platform, over the bytes that it has', async () => {
    const { sandbox, handler } = await play();
    write(sandbox, ['\u00e4/']);
    const [sent] = await sandbox.deliver(handler);

    expect(sent?.signature).toBe(
      `sha256=${createHmac('sha256', sandbox.picsApp.secret)
        .update(sent?.body ?? '')
        .digest('hex')}`,
    );
  });

  test('of an account that is subscribed by its Page alone is signed by the app of the Page', async () => {
    const sandbox = createSandbox();
    const { app, picsApp, account, fetch, platform, pages } = sandbox;
    const [page] = pages;
    if (page === undefined) throw new Error('there are Pages');
    const ofPage = createPageClient({ appId: app.id, appSecret: app.secret, fetch, platform });
    await ofPage.subscribePage({ pageId: page.id, pageToken: page.token, fields: ['feed'] });
    const contactId = first(account.contacts.map(({ id }) => id));
    const seen: WebhookEvent[] = [];
    const handlerWith = (secrets: string) =>
      createWebhookHandler({ verifyToken: 'any', secrets, onEvent: (event) => void seen.push(event) });

    sandbox.happen({ kind: 'message', contactId, text: 'Hello' });
    const viaPages = createPicsClientViaPages({ appSecret: app.secret, fetch, platform });
    await viaPages.sendMessage({ token: page.token, pageId: page.id, recipientId: contactId, text: 'Hi' });
    expect((await sandbox.deliver(handlerWith(app.secret))).map(({ statuses }) => statuses)).toEqual([[200]]);
    expect(seen).toMatchObject([
      { client: 'pics', type: 'message', data: { text: 'Hello' } },
      { client: 'pics', type: 'message', data: { text: 'Hi', is_echo: true, app_id: app.id } },
    ]);

    // With a login of its own, it is the other app that hears of it.
    const own = createPicsClient({ appId: picsApp.id, appSecret: picsApp.secret, fetch, platform });
    await own.subscribeAccount({ token: account.token });
    sandbox.happen({ kind: 'message', contactId, text: 'Hello again' });
    expect((await sandbox.deliver(handlerWith(picsApp.secret))).map(({ statuses }) => statuses)).toEqual([
      [200],
    ]);
  });

  test('comes with the older signature, too', async () => {
    const { sandbox, page } = await play();
    sandbox.happen({ kind: 'post', pageId: page.id, message: 'Hello' });
    const seen: Headers[] = [];
    const [sent] = await sandbox.deliver(async (request) => {
      seen.push(request.headers);
      return new Response();
    });

    const sha1 = createHmac('sha1', sandbox.app.secret)
      .update(sent?.body ?? '')
      .digest('hex');
    expect(seen[0]?.get('x-hub-signature')).toBe(`sha1=${sha1}`);
    expect(seen[0]?.get('x-hub-signature-256')).toBe(sent?.signature);
  });

  test('with another secret is not taken', async () => {
    const { sandbox, handler, events } = await play();
    write(sandbox, ['a']);

    expect(await sandbox.deliver(handler, { secret: 'other' })).toMatchObject([
      { statuses: [401, 401, 401] },
    ]);
    expect(events).toEqual([]);
  });

  test('has as many events as it may', async () => {
    const { sandbox, handler, events } = await play();
    write(sandbox, ['a', 'b', 'c', 'd', 'e']);

    expect(await sandbox.deliver(handler, { batch: 2 })).toHaveLength(3);
    expect(texts(events)).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  test('comes again until it is taken', async () => {
    const { sandbox, handler, events } = await play({ fail: 1 });
    write(sandbox, ['a', 'b']);

    expect(await sandbox.deliver(handler)).toMatchObject([{ statuses: [500, 200] }]);
    expect(texts(events)).toEqual(['b', 'a', 'b']);
    expect(new Set(events.map(({ key }) => key)).size).toBe(2);
  });

  test('is given up after so many attempts, also when nobody responds', async () => {
    const { sandbox } = await play();
    write(sandbox, ['a']);

    expect(await sandbox.deliver(() => Promise.reject(new Error('down')), { attempts: 2 })).toMatchObject([
      { statuses: [undefined, undefined] },
    ]);
  });

  test('comes twice, and the newest first, if asked to', async () => {
    const { sandbox, handler, events } = await play();
    write(sandbox, ['a', 'b']);

    expect(await sandbox.deliver(handler, { duplicates: true, reorder: true })).toMatchObject([
      { statuses: [200, 200] },
    ]);
    expect(texts(events)).toEqual(['b', 'a', 'b', 'a']);
  });

  test('goes to an address, too', async () => {
    const { sandbox, handler, events } = await play();
    const server = createServer((incoming, outgoing) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => {
        const { method = '', headers } = incoming;
        const init = { method, headers: headers as Record<string, string>, body: Buffer.concat(chunks) };
        void handler(new Request('http://app.test/', init)).then(({ status }) =>
          outgoing.writeHead(status).end(),
        );
      });
    });
    await using app = await listen(server);
    write(sandbox, ['a']);

    expect(await sandbox.deliver(`${app.origin}/`)).toMatchObject([{ statuses: [200] }]);
    expect(texts(events)).toEqual(['a']);
  });
});
