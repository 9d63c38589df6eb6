// The main job, end to end: log in, list the user's Pages, publish, lose a response, read back.
//
//   npm start             on the embedded sandbox: no account, no network
//   npm start -- --live   the reading part, on the live platform; needs PAGE_APP_ID, PAGE_APP_SECRET and PAGE_TOKEN
import { relative } from 'node:path';

import {
  createPageClient,
  createPageContext,
  createPageContextFromEnv,
  createPicsContextViaPages,
  type ResponseEvent,
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

import { orThrow } from './support/orThrow.ts';
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
  const server = await serveSandbox(sandbox);
  log.say(`The platform, emulated at ${server.url}. Everything below goes over HTTP.`);

  const { id: appId, secret: appSecret } = sandbox.app;
  const { platform } = server;
  const hooks = {
    onResponse: (event: ResponseEvent) => log.sent(event, explain(event)),
    onFailure: log.lost,
  };
  const context = orThrow(createPageContext({ appId, appSecret, platform, ...hooks }));

  log.step('loginUrl, then exchangeCode');
  const redirectUri = 'https://app.example/callback';
  const state = crypto.randomUUID();
  const scopes = [
    'pages_show_list',
    'pages_read_engagement',
    'pages_read_user_content',
    'pages_manage_posts',
    'pics_basic',
    'pics_content_publish',
  ];
  const dialog = orThrow(loginUrl(context, { redirectUri, state, scopes }));
  log.show('dialog', dialog.split('?')[0]);
  // In an app the user's browser does this, and the callback compares `state`.
  const callback = await sandbox.authorize(dialog);
  if (callback.searchParams.get('state') !== state) throw new Error('this callback is not ours');
  const code = callback.searchParams.get('code') ?? '';
  const bundle = orThrow(await exchangeCode(context, { code, redirectUri }));
  log.show('token', { ...bundle, access_token: 'hidden: not printed, not enumerable' });

  const [page, account] = await readBack(context, bundle.access_token);

  log.step('publishPost');
  const pageToken = page.access_token;
  const call = { pageId: page.id, pageToken };
  log.show('post', orThrow(await publishPost(context, { ...call, message: 'Open until nine tonight.' })));

  log.step('publishPost, and its response is lost');
  sandbox.fault({ method: 'POST', path: '/feed', when: 'after', drop: true });
  const message = 'Live music on Friday.';
  const found = orThrow(await publishPost(context, { ...call, message }));
  log.show('found', found);
  const made = sandbox.effects('post').filter(({ content }) => content['message'] === message);
  log.show('made', `${made.length} post with this text: it was looked up, not sent again`);

  log.step('publish, a photo, through the linked account');
  const pics = orThrow(createPicsContextViaPages({ appSecret, platform, ...hooks }));
  const photo = await publish(pics, {
    token: pageToken,
    picsUserId: account,
    imageUrl: 'https://cdn.example/window.jpg',
    caption: 'The new window',
  });
  log.show('photo', orThrow(photo));

  log.step('publish, a Reel: the platform processes its video first');
  const published = await publish(pics, {
    token: pageToken,
    picsUserId: account,
    videoUrl: 'https://cdn.example/tour.mp4',
    caption: 'A tour of the shop',
    onStatus: ({ status_code, elapsedMs }) => log.show('waiting', `${status_code} after ${elapsedMs} ms`),
  });
  const reel = orThrow(published);
  log.show('reel', reel);

  log.say('\nNow all of it is read back.');
  await readBack(context, bundle.access_token);
  await readAccount(pics, pageToken, account);
  log.step('mediaDetails');
  const details = orThrow(await mediaDetails(pics, { token: pageToken, mediaId: reel.media_id }));
  const { id, media_product_type, caption } = details;
  log.show('reel', { id, media_product_type, caption });

  log.step('an error, as a Result and thrown');
  const missing = await deletePost(context, { postId: `${page.id}_1`, pageToken });
  if (missing.isErr() && missing.error.name === 'ApiError') {
    const { name, category, message } = missing.error;
    log.show('err', { name, category, message });
  }
  const client = createPageClient({ appId, appSecret, platform, ...hooks });
  try {
    await client.deletePost({ postId: `${page.id}_1`, pageToken });
  } catch (error) {
    log.show('thrown', String(error));
  }
  await client.close();
  await server.close();
  log.say(`\nDone. The code is in ${relative(process.cwd(), import.meta.filename)}.`);
}

/** What a status means that looks like a mistake, but is none. */
function explain({ method, path, status }: ResponseEvent): string | undefined {
  if (status !== 400) return undefined;
  if (path.endsWith('/media_publish'))
    return 'the photo is not ready yet, so the SDK waits and publishes it then';
  return method === 'DELETE' ? 'asked for on purpose, there is no such post' : undefined;
}

async function live(): Promise<void> {
  const hooks = { onResponse: (event: ResponseEvent) => log.sent(event), onFailure: log.lost };
  const context = orThrow(createPageContextFromEnv(hooks));
  const token = process.env['PAGE_TOKEN'];
  if (!token)
    throw new Error("PAGE_TOKEN is not set: give a user token, for example from the platform's own explorer");
  const [page, account] = await readBack(context, token);
  if (account === '') return;
  const pics = orThrow(createPicsContextViaPages({ appSecret: context.secret, ...hooks }));
  await readAccount(pics, page.access_token, account);
}

/** Reads the user, the Pages and the newest posts; returns the first Page and its linked account. */
async function readBack(
  context: PageContext,
  token: string,
): Promise<[page: { readonly id: string; readonly access_token: string }, account: string]> {
  log.step('me, pages, posts');
  const user = orThrow(await me(context, { token }));
  log.show('me', { id: user.id, name: user.name });

  const managed = orThrow(await pages(context, { token }));
  for (const { id, name, pics_username } of managed) log.show('page', { id, name, pics_username });
  const [page] = managed;
  if (page === undefined) throw new Error('this user manages no Page');

  const newest = await posts(context, { pageId: page.id, pageToken: page.access_token, limit: 3 });
  for (const post of orThrow(newest)) log.show('post', { id: post.id, message: post.message });
  return [page, page.pics_id ?? ''];
}

async function readAccount(context: PicsContext, token: string, picsUserId: string): Promise<void> {
  log.step('profile, media');
  const account = orThrow(await profile(context, { token, picsUserId }));
  const { id, username, followers_count, media_count } = account;
  log.show('account', { id, username, followers_count, media_count });

  const newest = await media(context, { token, picsUserId, limit: 3 });
  for (const item of orThrow(newest))
    log.show('media', { id: item.id, type: item.media_product_type, caption: item.caption });
}
