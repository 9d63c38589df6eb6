// The main job, end to end: log in, list the user's Pages, publish, read back.
//
//   npm start             on the embedded sandbox: no account, no network
//   npm start -- --live   the reading part, on the live platform; needs PAGE_APP_ID, PAGE_APP_SECRET and PAGE_TOKEN
import {
  createPageClient,
  createPageContext,
  createPageContextFromEnv,
  createPicsContextViaPages,
} from 'pagepics';
import {
  deletePost,
  exchangeCode,
  loginUrl,
  me,
  type PageContext,
  pages,
  posts,
  publishPost,
} from 'pagepics/page';
import { media, mediaDetails, type PicsContext, profile, publish } from 'pagepics/pics';
import { createSandbox, serveSandbox } from 'pagepics/sandbox';

import * as log from './support/print.ts';

if (process.argv.includes('--live')) {
  await live().catch((error: unknown) => {
    console.error(String(error));
    process.exitCode = 1;
  });
} else await sandboxed();

async function sandboxed(): Promise<void> {
  const sandbox = createSandbox();
  sandbox.tune({ containers: { processingMs: 2500 } });
  await using server = await serveSandbox(sandbox);
  log.say(`The platform, emulated at ${server.url}. Everything below goes over HTTP.`);

  const { id: appId, secret: appSecret } = sandbox.app;
  const { platform } = server;
  const context = createPageContext({ appId, appSecret, platform, onResponse: log.sent })._unsafeUnwrap();

  log.step('loginUrl, then exchangeCode');
  const redirectUri = 'https://app.example/callback';
  const state = crypto.randomUUID();
  const pics_ = platform.words.picsScopePrefix;
  const scopes = [
    'pages_show_list',
    'pages_read_engagement',
    'pages_manage_posts',
    `${pics_}basic`,
    `${pics_}content_publish`,
  ];
  const dialog = loginUrl(context, { redirectUri, state, scopes })._unsafeUnwrap();
  log.show('dialog', dialog.split('?')[0]);
  // In an app the user's browser does this, and the callback compares `state`.
  const callback = await sandbox.authorize(dialog);
  if (callback.searchParams.get('state') !== state) throw new Error('this callback is not ours');
  const code = callback.searchParams.get('code') ?? '';
  const bundle = (await exchangeCode(context, { code, redirectUri }))._unsafeUnwrap();
  log.show('token', { ...bundle, access_token: 'hidden: not printed, not enumerable' });

  const [page, account] = await readBack(context, bundle.access_token);

  log.step('publishPost');
  const pageToken = page.access_token;
  const post = await publishPost(context, {
    pageId: page.id,
    pageToken,
    message: 'Open until nine tonight.',
  });
  if (post.isErr()) throw post.error;
  log.show('post', post.value);

  log.step('publish, a photo, through the linked account');
  const pics = createPicsContextViaPages({ appSecret, platform, onResponse: log.sent })._unsafeUnwrap();
  // It too can take the platform a moment: a refusal as not ready is waited out.
  const photo = await publish(pics, {
    token: pageToken,
    picsUserId: account,
    imageUrl: 'https://cdn.example/window.jpg',
    caption: 'The new window',
  });
  if (photo.isErr()) throw photo.error;
  log.show('photo', photo.value);

  log.step('publish, a Reel: its video is taken in first');
  const reel = await publish(pics, {
    token: pageToken,
    picsUserId: account,
    videoUrl: 'https://cdn.example/tour.mp4',
    caption: 'A tour of the shop',
    onStatus: ({ status_code, elapsedMs }) => log.show('waiting', `${status_code} after ${elapsedMs} ms`),
  });
  if (reel.isErr()) throw reel.error;
  log.show('reel', reel.value);

  log.say('\nNow all of it is read back.');
  await readBack(context, bundle.access_token);
  await readAccount(pics, pageToken, account);
  log.step('mediaDetails');
  const details = await mediaDetails(pics, { token: pageToken, mediaId: reel.value.media_id });
  log.show(
    'reel',
    details
      .map(({ id, media_product_type, caption }) => ({ id, media_product_type, caption }))
      ._unsafeUnwrap(),
  );

  log.step('an error, as a Result and thrown');
  const missing = await deletePost(context, { postId: `${page.id}_1`, pageToken });
  if (missing.isErr() && missing.error.name === 'ApiError') {
    const { name, category, message } = missing.error;
    log.show('err', { name, category, message });
  }
  await using client = createPageClient({ appId, appSecret, platform, onResponse: log.sent });
  try {
    await client.deletePost({ postId: `${page.id}_1`, pageToken });
  } catch (error) {
    log.show('thrown', String(error));
  }
  log.say('\nDone. What was called is in examples/quickstart.ts.');
}

async function live(): Promise<void> {
  const context = createPageContextFromEnv({ onResponse: log.sent });
  const token = process.env['PAGE_TOKEN'];
  if (context.isErr()) throw context.error;
  if (!token)
    throw new Error("PAGE_TOKEN is not set: give a user token, for example from the platform's own explorer");
  const [page, account] = await readBack(context.value, token);
  if (account === '') return;
  const { secret } = context.value;
  await readAccount(
    createPicsContextViaPages({ appSecret: secret, onResponse: log.sent })._unsafeUnwrap(),
    page.access_token,
    account,
  );
}

/** Reads the user, the Pages and the newest posts; returns the first Page and its linked account. */
async function readBack(
  context: PageContext,
  token: string,
): Promise<[page: { readonly id: string; readonly access_token: string }, account: string]> {
  log.step('me, pages, posts');
  const user = await me(context, { token });
  if (user.isErr()) throw user.error;
  log.show('me', { id: user.value.id, name: user.value.name });

  const managed = await pages(context, { token });
  if (managed.isErr()) throw managed.error;
  for (const { id, name, pics_username } of managed.value) log.show('page', { id, name, pics_username });
  const page = managed.value[0];
  if (page === undefined) throw new Error('this user manages no Page');

  const newest = await posts(context, { pageId: page.id, pageToken: page.access_token, limit: 3 });
  if (newest.isErr()) throw newest.error;
  for (const post of newest.value) log.show('post', { id: post.id, message: post['message'] });
  return [page, page.pics_id ?? ''];
}

async function readAccount(context: PicsContext, token: string, picsUserId: string): Promise<void> {
  log.step('profile, media');
  const account = await profile(context, { token, picsUserId });
  if (account.isErr()) throw account.error;
  const { id, username, followers_count, media_count } = account.value;
  log.show('account', { id, username, followers_count, media_count });

  const newest = await media(context, { token, picsUserId, limit: 3 });
  if (newest.isErr()) throw newest.error;
  for (const item of newest.value)
    log.show('media', { id: item.id, type: item['media_product_type'], caption: item['caption'] });
}
