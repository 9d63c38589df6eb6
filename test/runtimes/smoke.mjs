// What the package must do on every runtime, from the installed tarball: plain JavaScript and Web standards only, so
// that the same file runs everywhere. `runtimes.test.mjs` serves the sandbox, and controls what it loses.
import {
  createPageClient,
  createPageContext,
  createPageContextFromEnv,
  createPicsContextViaPages,
} from 'pagepics';
import { checkConnection } from 'pagepics/connections';
import { ApiError, get, memoryJournal } from 'pagepics/core';
import { eventsOnce } from 'pagepics/journal';
import { pageSchema } from 'pagepics/models';
import {
  conversations,
  exchangeCode,
  loginUrl,
  messages,
  pages,
  posts,
  publishPost,
  publishVideo,
  sendMessage,
} from 'pagepics/page';
import { mediaDetails, publishCarousel } from 'pagepics/pics';
import { createWebhookHandler } from 'pagepics/webhooks';

/** What came of everything: equal on every runtime. A step that cannot go on throws. */
export async function smoke({ platform, redirectUri, app, user, page, delivery, closedUrl }) {
  const options = { appId: app.id, appSecret: app.secret, platform };
  const context = valueOf(createPageContext({ ...options, journal: memoryJournal() }));
  const at = { pageId: page.id, pageToken: page.token };
  const report = {};

  // A login, as far as a browser would go: the dialog redirects to the callback at once.
  const state = crypto.randomUUID();
  const dialog = valueOf(loginUrl(context, { redirectUri, state, scopes: ['pages_show_list'] }));
  const callback = new URL((await fetch(dialog)).url);
  const bundle = valueOf(
    await exchangeCode(context, { code: callback.searchParams.get('code'), redirectUri }),
  );
  report.login = {
    isOurs: callback.searchParams.get('state') === state,
    isHidden: !JSON.stringify(bundle).includes(bundle.access_token),
  };

  // A read whose first response is lost is sent again.
  const managed = valueOf(await pages(context, { token: user.token }));
  report.pages = managed.map(({ id, name }) => ({ id, name }));
  const low = valueOf(await get(context, page.id, { token: page.token, params: { fields: 'id,name' } }));
  report.lowLevel = { id: low.id, schema: pageSchema('linked_account')['~standard'].vendor };

  // A post whose response is lost is found again.
  const message = 'Open until nine. Ünïcode 🎈';
  const post = valueOf(await publishPost(context, { ...at, message }));
  const newest = valueOf(await posts(context, { ...at, limit: 5 }));
  report.post = newest.filter((one) => one.message === message).map(({ id }) => id === post.id);

  const pics = valueOf(createPicsContextViaPages({ appSecret: app.secret, platform }));
  const carousel = valueOf(
    await publishCarousel(pics, {
      token: page.token,
      picsUserId: page.picsId,
      imageUrls: ['https://cdn.example/1.jpg', 'https://cdn.example/2.jpg'],
      caption: 'Both',
    }),
  );
  const details = valueOf(await mediaDetails(pics, { token: page.token, mediaId: carousel.media_id }));
  report.carousel = { type: details.media_type, children: carousel.children.length };

  const phases = new Set();
  const video = valueOf(
    await publishVideo(context, {
      ...at,
      video: new Blob([movie(100_000)], { type: 'video/mp4' }),
      title: 'A tour',
      onProgress: ({ phase }) => phases.add(phase),
    }),
  );
  report.video = { hasId: /^\d+$/.test(video.video_id), isUploaded: phases.has('upload') };

  const inbox = valueOf(await conversations(context, at));
  const [conversation] = inbox.data;
  const read = valueOf(await messages(context, { pageToken: page.token, conversationId: conversation.id }));
  const sent = valueOf(
    await sendMessage(context, { ...at, recipientId: page.contactId, text: 'On its way.' }),
  );
  report.messages = { hasRead: read.data.length > 0, hasSent: sent.message_id !== '' };

  const seen = [];
  const handler = createWebhookHandler({
    verifyToken: 'verify',
    secrets: app.secret,
    once: eventsOnce(memoryJournal()),
    onEvent: ({ type }) => void seen.push(type),
  });
  const deliver = (signature) =>
    handler(
      new Request('https://app.example/webhooks', {
        method: 'POST',
        headers: { 'x-hub-signature-256': signature },
        body: delivery.body,
      }),
    );
  const forged = delivery.signature.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'));
  const challenge = await handler(
    new Request(
      'https://app.example/webhooks?hub.mode=subscribe&hub.verify_token=verify&hub.challenge=1158201444',
    ),
  );
  report.webhook = {
    challenge: await challenge.text(),
    statuses: [
      (await deliver(delivery.signature)).status,
      (await deliver(delivery.signature)).status,
      (await deliver(forged)).status,
    ],
    seen,
  };

  const journaled = { ...at, message: 'Under a key', idempotencyKey: 'monday' };
  const both = [await publishPost(context, journaled), await publishPost(context, journaled)].map(valueOf);
  const other = await publishPost(context, { ...journaled, message: 'Other words' });
  report.key = {
    isOne: both[0].id === both[1].id,
    other: other.isErr() && [other.error.name, other.error.option],
  };

  const missing = await publishPost(context, { ...at, message: '' });
  const noFile = await publishVideo(context, { ...at, video: './no-such-file.mp4' });
  const noVariable = createPageContextFromEnv();
  const denied = await posts(context, { ...at, pageToken: 'EAAO-no-token' });
  const unreachable = valueOf(
    createPageContext({ ...options, platform: { ...platform, graphUrl: closedUrl }, retry: { attempts: 1 } }),
  );
  const lost = await posts(unreachable, at);
  const aborted = await posts(context, { ...at, signal: AbortSignal.abort() });
  const client = createPageClient(options);
  const thrown = await client.posts({ pageId: page.id, pageToken: 'EAAO-no-token' }).catch((error) => error);
  report.errors = {
    missing: nameOf(missing),
    noFile: noFile.isErr() && [noFile.error.name, noFile.error.option],
    noVariable: noVariable.isErr() && noVariable.error.message,
    denied: nameOf(denied),
    lost: lost.isErr() && [lost.error.name, lost.error.reason],
    aborted: aborted.isErr() && [aborted.error.name, aborted.error.reason],
    thrown: [thrown.name, thrown instanceof ApiError, thrown instanceof Error],
  };
  await client.close();

  const connection = valueOf(await checkConnection(context, { token: user.token, pageId: page.id }));
  report.connection = Object.keys(connection.functions).length > 0;
  return report;
}

/** Which runtime it is, as it calls itself. */
export function runtime() {
  const { Bun, Deno, EdgeRuntime, navigator } = globalThis;
  if (Bun !== undefined) return `Bun ${Bun.version}`;
  if (Deno !== undefined) return `Deno ${Deno.version.deno}`;
  return EdgeRuntime ?? navigator.userAgent;
}

function nameOf(result) {
  return result.isErr() ? result.error.name : 'ok';
}

function valueOf(result) {
  if (result.isErr()) throw result.error;
  return result.value;
}

/** Bytes that begin like an MP4 file. */
function movie(size) {
  const bytes = new Uint8Array(size);
  bytes.set([0, 0, 0, 24]);
  bytes.set(new TextEncoder().encode('ftypisom'), 4);
  return bytes;
}
