// The sandbox as clients see it that others wrote. None of them knows of it: they talk to the live hosts.
import { promisify } from 'node:util';

import { Auth } from '@auth/core';
import FacebookProvider from '@auth/core/providers/facebook';
import InstagramProvider from '@auth/core/providers/instagram';
import { Facebook } from 'arctic';
import sdk from 'facebook-nodejs-business-sdk';
import facebook from 'fb';
import fbgraph from 'fbgraph';
import { Client, PageField } from 'instagram-graph-api';
import { MessengerClient } from 'messaging-api-messenger';
import * as openid from 'openid-client';
import { Strategy } from 'passport-facebook';
import { AuthorizationCode, ClientCredentials } from 'simple-oauth2';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { serveLive } from './live.mjs';

const callback = 'https://app.example/callback';
let live;

beforeEach(async () => {
  live = await serveLive();
});
afterEach(() => live.close());

const scopes = [
  'public_profile',
  'email',
  'pages_show_list',
  'pages_manage_posts',
  'pages_read_engagement',
  'pages_read_user_content',
];

test('arctic logs a person in', async () => {
  const { app, user } = live.sandbox;
  const facebook = new Facebook(app.id, app.secret, callback);

  const back = await live.authorize(facebook.createAuthorizationURL('state', scopes));
  const tokens = await facebook.validateAuthorizationCode(back.searchParams.get('code'));

  expect(back.searchParams.get('state')).toBe('state');
  expect(tokens.accessTokenExpiresInSeconds()).toBeGreaterThan(0);
  const me = await fetch('https://graph.facebook.com/me?fields=id,name', {
    headers: { authorization: `Bearer ${tokens.accessToken()}` },
  });
  expect(await me.json()).toEqual({ id: user.id, name: user.name });
  await expect(facebook.validateAuthorizationCode('wrong')).rejects.toThrow();
});

test('passport-facebook logs a person in, and reads the profile', async () => {
  const { app, user } = live.sandbox;
  const strategy = new Strategy(
    {
      clientID: app.id,
      clientSecret: app.secret,
      callbackURL: callback,
      profileFields: ['id', 'displayName', 'emails', 'photos'],
      enableProof: true,
      graphAPIVersion: 'v26.0',
    },
    (_accessToken, _refreshToken, profile, done) => done(null, profile),
  );
  const authenticate = (query) =>
    new Promise((resolve, reject) => {
      const run = Object.assign(Object.create(strategy), {
        redirect: resolve,
        success: resolve,
        error: reject,
        fail: reject,
      });
      run.authenticate({ query, headers: {}, connection: {} }, { scope: ['email'] });
    });

  const back = await live.authorize(await authenticate({}));
  const profile = await authenticate(Object.fromEntries(back.searchParams));

  expect(profile).toMatchObject({ id: user.id, displayName: user.name, provider: 'facebook' });
  expect(profile.photos[0].value).toMatch(/^https:/);
  await expect(authenticate({ code: 'wrong' })).rejects.toThrow('verification code');
});

describe('@auth/core', () => {
  async function signIn(provider, id) {
    const cookies = new Map();
    const call = async (path, form) => {
      const headers = { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') };
      const url = path.startsWith('https:') ? path : `https://app.example/auth/${path}`;
      const request = form
        ? new Request(url, { method: 'POST', headers, body: new URLSearchParams(form) })
        : new Request(url, { headers });
      const response = await Auth(request, {
        providers: [provider],
        secret: 'secret',
        trustHost: true,
        basePath: '/auth',
      });
      for (const cookie of response.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie);
        cookies.set(name, value);
      }
      return response;
    };
    const { csrfToken } = await (await call('csrf')).json();
    const dialog = await call(`signin/${id}`, { csrfToken });
    const back = await live.authorize(dialog.headers.get('location'));
    await call(back.href);
    return (await call('session')).json();
  }

  test('logs a person in', async () => {
    const { app, user } = live.sandbox;

    const session = await signIn(
      FacebookProvider({ clientId: app.id, clientSecret: app.secret }),
      'facebook',
    );

    expect(session.user.name).toBe(user.name);
    expect(session.user.image).toMatch(/^https:/);
  });

  test('logs an account in', async () => {
    const { picsApp, account } = live.sandbox;
    const options = {
      clientId: picsApp.id,
      clientSecret: picsApp.secret,
      // The live token host names no token_type either, which the library insists on.
      token: {
        url: 'https://api.instagram.com/oauth/access_token',
        conform: async (response) =>
          Response.json({ ...(await response.json()), token_type: 'bearer' }, { status: response.status }),
      },
      authorization: 'https://www.instagram.com/oauth/authorize?scope=instagram_business_basic',
    };

    const session = await signIn(InstagramProvider(options), 'instagram');

    expect(session.user.name).toBe(account.username);
  });
});

test('facebook-nodejs-business-sdk reads, publishes, comments and deletes', async () => {
  const { user, pages, effects } = live.sandbox;
  const [page] = pages;
  const { FacebookAdsApi, User, Page, PagePost } = sdk;
  FacebookAdsApi.init(user.token, 'en_US', false);
  const accounts = await new User(user.id).getAccounts(['id', 'name', 'access_token']);
  expect(accounts.map(({ id }) => id)).toEqual(pages.map(({ id }) => id));

  FacebookAdsApi.init(accounts[0].access_token, 'en_US', false);
  const made = await new Page(page.id).createFeed([], { message: 'From the SDK of the platform' });
  const post = await new PagePost(made.id).get(['message']);
  const comment = await new PagePost(made.id).createComment([], { message: 'First' });
  const feed = await new Page(page.id).getFeed(['message'], { limit: 2 });
  const older = await feed.next();

  expect(post.message).toBe('From the SDK of the platform');
  expect(comment.id).toMatch(/^\d+_\d+$/);
  expect(older.length).toBeGreaterThan(0);
  await new PagePost(made.id).delete([]);
  expect(effects().map(({ kind }) => kind)).toEqual(['post', 'comment', 'delete']);
  await expect(new PagePost(made.id).get(['message'])).rejects.toThrow(/does not exist/);
});

test('fb logs in, reads, publishes and deletes', async () => {
  const { app, pages, effects } = live.sandbox;
  const [page] = pages;
  const fb = new facebook.Facebook({ version: 'v26.0', appId: app.id, appSecret: app.secret });
  const call = (...args) =>
    promisify((done) => fb.api(...args, (result) => done(result?.error ?? null, result)))();

  const dialog = fb.getLoginUrl({ scope: scopes.join(), redirectUri: callback, state: 's' });
  const back = await live.authorize(dialog);
  const short = await call('oauth/access_token', {
    client_id: app.id,
    client_secret: app.secret,
    redirect_uri: callback,
    code: back.searchParams.get('code'),
  });
  const long = await call('oauth/access_token', {
    grant_type: 'fb_exchange_token',
    client_id: app.id,
    client_secret: app.secret,
    fb_exchange_token: short.access_token,
  });
  const appToken = await call('oauth/access_token', {
    grant_type: 'client_credentials',
    client_id: app.id,
    client_secret: app.secret,
  });
  const own = await call('debug_token', { input_token: long.access_token, access_token: long.access_token });
  const { data } = await call('me/accounts', { access_token: long.access_token });
  fb.setAccessToken(data[0].access_token);
  const post = await call(`${page.id}/feed`, 'post', { message: 'From fb' });
  const read = await call(post.id, { fields: ['message', 'created_time'] });
  const posts = await call(`${page.id}/posts`, { limit: 3 });
  await call(post.id, 'delete');

  expect(appToken.access_token).toBe(`${app.id}|${app.secret}`);
  expect(own.data.is_valid).toBe(true);
  expect(read.message).toBe('From fb');
  expect(posts.data[0].id).toBe(post.id);
  expect(effects().map(({ kind }) => kind)).toEqual(['post', 'delete']);
});

test('instagram-graph-api reads, publishes, comments and deletes', async () => {
  const { pages, account, effects } = live.sandbox;
  const client = new Client(pages[0].token, account.userId);

  const info = await client.newGetPageInfoRequest(PageField.NAME, PageField.USERNAME).execute();
  const media = await client.newGetPageMediaRequest().execute();
  const limit = await client.newGetContentPublishingLimitRequest().execute();
  const container = await client.newPostPagePhotoMediaRequest('https://example.com/a.jpg', 'Hello').execute();
  const published = await client.newPostPublishMediaRequest(container.getId()).execute();
  const comment = await client.newPostMediaCommentRequest(published.getId(), 'First').execute();
  const reply = await client.newPostReplyRequest(comment.getId(), 'Second').execute();
  const comments = await client.newGetMediaCommentsRequest(published.getId()).execute();
  await client.newPostHideCommentRequest(reply.getId(), true).execute();
  await client.newDeleteCommentRequest(comment.getId()).execute();

  expect(info.getUsername()).toBe(account.username);
  expect(media.getData().map(({ id }) => id)).toEqual(account.mediaIds);
  expect(limit.getData()).toBeDefined();
  expect(comments.getTexts()).toEqual(['First']);
  expect(effects('media')).toHaveLength(1);
});

test('fbgraph logs in, reads, publishes and deletes', async () => {
  const { app, pages, user, effects } = live.sandbox;
  const [page] = pages;
  fbgraph.setVersion('26.0');
  const call = (method, ...args) => promisify(fbgraph[method].bind(fbgraph))(...args);
  const dialog = fbgraph.getOauthUrl({ client_id: app.id, redirect_uri: callback, scope: scopes.join() });
  const back = await live.authorize(dialog.replace('v2.0', 'v26.0'));

  const session = await call('authorize', {
    client_id: app.id,
    client_secret: app.secret,
    redirect_uri: callback,
    code: back.searchParams.get('code'),
  });
  const longer = await call('extendAccessToken', {
    access_token: session.access_token,
    client_id: app.id,
    client_secret: app.secret,
  });
  fbgraph.setAccessToken(longer.access_token).setAppSecret(app.secret);
  const me = await call('get', 'me?fields=id,name');
  const picture = await call('get', 'me/picture?redirect=0');
  const permissions = await call('get', 'me/permissions');
  const { data } = await call('get', 'me/accounts');
  fbgraph.setAccessToken(data[0].access_token);
  const post = await call('post', `${page.id}/feed`, { message: 'From fbgraph' });
  const counts = await call(
    'get',
    `${post.id}?fields=message,shares,likes.summary(true).limit(0),comments.limit(0).summary(true)`,
  );
  const [first, second] = await call('batch', [
    { method: 'GET', relative_url: `${post.id}?fields=message` },
    { method: 'GET', relative_url: `${page.id}?fields=name` },
  ]);
  const gone = await call('del', post.id);

  expect(me).toEqual({ id: user.id, name: user.name });
  expect(picture.data.url).toMatch(/^https:/);
  expect(permissions.data.map(({ permission }) => permission)).toEqual(scopes);
  expect(counts).toEqual({
    id: post.id,
    message: 'From fbgraph',
    likes: { data: [], summary: { total_count: 0, can_like: true, has_liked: false } },
    comments: { data: [], summary: { order: 'chronological', total_count: 0, can_comment: true } },
  });
  expect([first, second].map(({ body }) => JSON.parse(body).id)).toEqual([post.id, page.id]);
  expect(gone).toEqual({ success: true });
  expect(effects().map(({ kind }) => kind)).toEqual(['post', 'delete']);
  await expect(call('get', post.id)).rejects.toMatchObject({ code: 100, error_subcode: 33 });
});

test('openid-client logs a person in, with a verifier of its own', async () => {
  const { app, user } = live.sandbox;
  const server = {
    issuer: 'https://www.facebook.com',
    authorization_endpoint: 'https://www.facebook.com/v26.0/dialog/oauth',
    token_endpoint: 'https://graph.facebook.com/v26.0/oauth/access_token',
    userinfo_endpoint: 'https://graph.facebook.com/v26.0/me',
  };
  for (const authentication of [openid.ClientSecretPost, openid.ClientSecretBasic]) {
    const config = new openid.Configuration(server, app.id, undefined, authentication(app.secret));
    const pkceCodeVerifier = openid.randomPKCECodeVerifier();
    const back = await live.authorize(
      openid.buildAuthorizationUrl(config, {
        redirect_uri: callback,
        scope: 'public_profile,email',
        state: 'state',
        code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
        code_challenge_method: 'S256',
      }),
    );
    // The fragment of the callback stays in the browser.
    back.hash = '';

    const tokens = await openid.authorizationCodeGrant(config, back, {
      pkceCodeVerifier,
      expectedState: 'state',
    });
    const me = await openid.fetchProtectedResource(
      config,
      tokens.access_token,
      new URL('https://graph.facebook.com/v26.0/me?fields=id,name'),
      'GET',
    );

    expect(tokens.expires_in).toBeGreaterThan(0);
    expect(await me.json()).toEqual({ id: user.id, name: user.name });
  }
  const config = new openid.Configuration(server, app.id, app.secret);
  const wrong = new URL(`${callback}?code=wrong&state=state`);
  await expect(openid.authorizationCodeGrant(config, wrong, { expectedState: 'state' })).rejects.toThrow();
});

test('simple-oauth2 logs a person in, and the app', async () => {
  const { app, user } = live.sandbox;
  const auth = { tokenHost: 'https://graph.facebook.com', tokenPath: '/v26.0/oauth/access_token' };
  const dialogs = { authorizeHost: 'https://www.facebook.com', authorizePath: '/v26.0/dialog/oauth' };
  for (const authorizationMethod of ['header', 'body']) {
    const settings = { client: { id: app.id, secret: app.secret }, options: { authorizationMethod } };
    const client = new AuthorizationCode({ ...settings, auth: { ...auth, ...dialogs } });
    const dialog = client.authorizeURL({ redirect_uri: callback, scope: scopes.join(), state: 's' });
    const back = await live.authorize(dialog);

    const { token } = await client.getToken({ code: back.searchParams.get('code'), redirect_uri: callback });
    const own = await new ClientCredentials({ ...settings, auth }).getToken({});

    expect(token).toMatchObject({ access_token: expect.stringMatching(/^EAA/), token_type: 'bearer' });
    expect(own.token.access_token).toBe(`${app.id}|${app.secret}`);
    const me = await fetch(`https://graph.facebook.com/me?access_token=${token.access_token}`);
    expect((await me.json()).id).toBe(user.id);
    await expect(client.getToken({ code: 'wrong', redirect_uri: callback })).rejects.toThrow();
  }
});

describe('messaging-api-messenger', () => {
  function messenger(options) {
    const { app, pages } = live.sandbox;
    const [page] = pages;
    const client = new MessengerClient({
      accessToken: page.token,
      appId: app.id,
      appSecret: app.secret,
      version: '26.0',
      ...options,
    });
    return { client, page, to: page.contacts.find(({ inWindow, consent }) => inWindow && consent).id };
  }

  test('reads a Page, its token and a person', async () => {
    const { client, page, to } = messenger();
    // With the app's token, this client sends the proof of the Page's, which the platform refuses.
    const bare = messenger({ skipAppSecretProof: true }).client;

    expect(await client.getPageInfo()).toMatchObject({ id: page.id, name: page.name });
    expect(await bare.debugToken()).toMatchObject({ isValid: true, type: 'PAGE' });
    expect(await client.getUserProfile(to)).toMatchObject({ id: to, firstName: expect.any(String) });
  });

  test('sets the profile of a Page, and takes it away', async () => {
    const { client } = messenger();
    const menu = [{ type: 'postback', title: 'Help', payload: 'HELP' }];
    const iceBreakers = [{ question: 'Open?', payload: 'OPEN' }];

    await client.setGetStarted('START');
    await client.setGreeting('Hello');
    await client.setPersistentMenu(menu);
    await client.setIceBreakers(iceBreakers);

    expect(await client.getGetStarted()).toEqual({ payload: 'START' });
    expect(await client.getGreeting()).toEqual([{ locale: 'default', text: 'Hello' }]);
    expect((await client.getPersistentMenu())[0].callToActions).toEqual(menu);
    expect(await client.getIceBreakers()).toEqual(iceBreakers);
    await client.deletePersistentMenu();
    await client.deleteIceBreakers();
    await client.deleteGreeting();
    await client.deleteGetStarted();
    expect(await client.getMessengerProfile(['get_started', 'greeting'])).toEqual([]);
  });

  test('subscribes the app', async () => {
    const { client } = messenger();
    const callbackUrl = 'https://app.example/webhooks';

    await client.createSubscription({ callbackUrl, verifyToken: 'token', fields: ['messages'] });

    expect(await client.getPageSubscription()).toMatchObject({
      object: 'page',
      callbackUrl,
      fields: [{ name: 'messages' }],
    });
  });

  test('writes to a person: texts, files, templates, quick replies, actions', async () => {
    const { client, to } = messenger();
    const url = 'https://example.com/a.jpg';
    const element = { title: 'A', buttons: [{ type: 'postback', title: 'Go', payload: 'GO' }] };

    await client.sendText(to, 'Hello', { messagingType: 'RESPONSE' });
    await client.sendText(to, 'Pick', {
      messagingType: 'RESPONSE',
      quickReplies: [{ contentType: 'text', title: 'A', payload: 'A' }],
    });
    await client.sendImage(to, url);
    await client.sendAudio(to, 'https://example.com/a.mp3');
    await client.sendVideo(to, 'https://example.com/a.mp4');
    await client.sendFile(to, 'https://example.com/a.pdf');
    await client.sendButtonTemplate(to, 'Choose', element.buttons);
    await client.sendGenericTemplate(to, [element]);
    await client.typingOn(to);
    await client.typingOff(to);
    await client.markSeen(to);
    const { attachmentId } = await client.uploadImage(url);
    const sent = await client.sendImage(to, { attachmentId });

    expect(sent).toMatchObject({ recipientId: to, messageId: expect.stringMatching(/^m_/) });
    const kinds = live.sandbox.effects().map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'message')).toHaveLength(9);
    expect(kinds.filter((kind) => kind === 'sender_action')).toHaveLength(3);
    await expect(client.sendText('1', 'Nobody')).rejects.toThrow(/100/);
  });
});
