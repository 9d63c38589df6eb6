import assert from 'node:assert';

import type { ResultAsync } from 'neverthrow';
import { describe, expect, test } from 'vitest';

import { memoryJournal } from '../../../src/core/index.ts';
import { batch } from '../../../src/core/lowLevel/batch.ts';
import { get, post } from '../../../src/core/lowLevel/request.ts';
import * as page from '../../../src/page/index.ts';
import * as pics from '../../../src/pics/index.ts';
import {
  appSecret,
  authenticated,
  pageContext,
  picsContext,
  picsPageContext,
  token,
} from '../../support/context.ts';
import { refusal, requestsTo, stubFetch } from '../stub.ts';

const own = { pageId: '42', pageToken: token };
/** The first half of a character. */
const half = '\uD83D';
/** What a parser of addresses would rewrite. */
const odd = 'https://A.test:443/a/../b.jpg?sig=a~b|c%2f';

/** The fields that a call sends in its first request, whether in its address, its form or its JSON. */
async function sentBy(
  call: (fetch: typeof globalThis.fetch) => ResultAsync<unknown, unknown>,
): Promise<Readonly<Record<string, unknown>>> {
  // So that no call waits for anything.
  const fetch = stubFetch(refusal(100));
  await call(fetch);
  const [request] = requestsTo(fetch);
  if (request === undefined) return assert.fail('nothing was sent');
  const body = await request.text();
  const query = Object.fromEntries(new URL(request.url).searchParams);
  return {
    ...query,
    ...(body.startsWith('{') ? JSON.parse(body) : Object.fromEntries(new URLSearchParams(body))),
  };
}

describe('an address goes out letter by letter', () => {
  test.each<[string, (fetch: typeof globalThis.fetch) => ResultAsync<unknown, unknown>]>([
    ['link', (fetch) => page.publishPost(pageContext({ fetch }), { ...own, message: 'Hi', link: odd })],
    ['url', (fetch) => page.publishPhoto(pageContext({ fetch }), { ...own, photoUrl: odd })],
    ['file_url', (fetch) => page.publishVideo(pageContext({ fetch }), { ...own, videoUrl: odd })],
    ['url', (fetch) => page.publishPhotoStory(pageContext({ fetch }), { ...own, photoUrl: odd })],
    ['image_url', (fetch) => pics.publish(picsContext({ fetch }), { token, imageUrl: odd })],
    ['video_url', (fetch) => pics.publish(picsContext({ fetch }), { token, videoUrl: odd })],
    ['cover_url', (fetch) => pics.publish(picsContext({ fetch }), { token, videoUrl: odd, coverUrl: odd })],
    ['image_url', (fetch) => pics.publishStory(picsContext({ fetch }), { token, imageUrl: odd })],
    ['redirect_uri', (fetch) => page.exchangeCode(pageContext({ fetch }), { code: 'c', redirectUri: odd })],
    ['redirect_uri', (fetch) => pics.exchangeCode(picsContext({ fetch }), { code: 'c', redirectUri: odd })],
    [
      'callback_url',
      (fetch) =>
        page.subscribeApp(pageContext({ fetch }), {
          object: 'page',
          callbackUrl: odd,
          verifyToken: 'v',
          fields: ['feed'],
        }),
    ],
  ])('as %s', async (name, call) => {
    expect((await sentBy(call))[name]).toBe(odd);
  });

  test('of a login', () => {
    for (const address of [
      page.loginUrl(pageContext(), { redirectUri: odd, state: 's' }),
      pics.loginUrl(picsContext(), { redirectUri: odd, state: 's' }),
    ]) {
      expect(new URL(address._unsafeUnwrap()).searchParams.get('redirect_uri')).toBe(odd);
    }
  });

  test('within what is sent as JSON, where only what is not ASCII is encoded', async () => {
    const send = (template: object) =>
      sentBy((fetch) =>
        page.sendMessage(pageContext({ fetch }), { ...own, recipientId: '7', template: template as never }),
      );
    const element = {
      title: 'Tea',
      image_url: odd,
      default_action: { type: 'web_url', url: 'https://a.test/é', messenger_extensions: true },
      buttons: [{ type: 'web_url', url: odd, title: 'Open', fallback_url: 'https://b.test' }],
    };
    expect(await send({ type: 'generic', image_aspect_ratio: 'square', elements: [element] })).toMatchObject({
      message: {
        attachment: {
          payload: {
            template_type: 'generic',
            image_aspect_ratio: 'square',
            elements: [
              { ...element, default_action: { ...element.default_action, url: 'https://a.test/%C3%A9' } },
            ],
          },
        },
      },
    });
  });
});

test.each([
  ['redirectUri', (address: string) => page.loginUrl(pageContext(), { redirectUri: address, state: 's' })],
  ['redirectUri', (address: string) => pics.loginUrl(picsContext(), { redirectUri: address, state: 's' })],
])('%s beyond ASCII is refused, with the form that it has', (option, call) => {
  expect(call('https://a.test/zurück')._unsafeUnwrapErr()).toMatchObject({
    name: 'ConfigurationError',
    option,
    message: `${option} must be ASCII, as it is registered: https://a.test/zur%C3%BCck`,
  });
});

test.each<[string, (text: string) => ResultAsync<unknown, unknown>]>([
  ['message', (text) => page.publishPost(pageContext(), { ...own, message: text })],
  ['altText', (text) => page.publishPhoto(pageContext(), { ...own, photoUrl: odd, altText: text })],
  [
    'photos[1].altText',
    (text) =>
      page.publishPhotos(pageContext(), {
        ...own,
        photos: [{ photoUrl: odd }, { photoUrl: odd, altText: text }],
      }),
  ],
  [
    'targeting.deep[0]',
    (text) => page.publishPost(pageContext(), { ...own, message: 'Hi', targeting: { deep: [text] } }),
  ],
  [
    'targeting',
    (text) => page.publishPost(pageContext(), { ...own, message: 'Hi', targeting: { [text]: 1 } }),
  ],
  ['text', (text) => page.sendMessage(pageContext(), { ...own, recipientId: '7', text })],
  [
    'quickReplies[0].title',
    (text) =>
      page.sendMessage(pageContext(), {
        ...own,
        recipientId: '7',
        text: 'Hi',
        quickReplies: [{ title: text, payload: 'x' }],
      }),
  ],
  [
    'template.buttons[0].title',
    (text) =>
      page.sendMessage(pageContext(), {
        ...own,
        recipientId: '7',
        template: { type: 'button', text: 'Hi', buttons: [{ type: 'postback', title: text, payload: 'x' }] },
      }),
  ],
  ['caption', (text) => pics.publish(picsContext(), { token, imageUrl: odd, caption: text })],
  [
    'items[0].altText',
    (text) =>
      pics.publishCarousel(picsContext(), {
        token,
        items: [{ imageUrl: odd, altText: text }, { imageUrl: odd }],
      }),
  ],
  ['message', (text) => pics.replyComment(picsContext(), { token, commentId: '1', message: text })],
  ['params.q', (text) => get(pageContext(), 'me', { params: { q: text } })],
  ['params.q[0]', (text) => get(pageContext(), 'me', { params: { q: [text] } })],
  ['data.message', (text) => post(pageContext(), 'me/feed', { data: { message: text } })],
  ['data', (text) => post(pageContext(), 'me/feed', { data: `message=${text}` })],
  ['json.message.deep', (text) => post(pageContext(), 'me/feed', { json: { message: { deep: text } } })],
  ['json', (text) => post(pageContext(), 'me/feed', { json: `\\${text}` })],
  [
    'parts[0].data.message',
    (text) => batch(pageContext(), [{ method: 'POST', path: 'me/feed', data: { message: text } }], { token }),
  ],
  ['params.a.b[0]', (text) => get(pageContext(), 'me', { params: { a: { b: [text] } } })],
  ['data.a[0]', (text) => post(pageContext(), 'me/feed', { data: { a: [{ [text]: 1 }] } })],
  ['imageUrl', (text) => pics.publish(picsContext(), { token, imageUrl: `https://a.test/${text}` })],
  [
    'idempotencyKey',
    (text) =>
      page.publishPost(pageContext({ journal: memoryJournal() }), {
        ...own,
        message: 'Hi',
        idempotencyKey: text,
      }),
  ],
])('half a character in %s is refused, and nothing is sent', async (option, call) => {
  for (const text of [half, `a${half}`, `${half}a`, '\uDE00']) {
    expect(await call(text)).toMatchObject({
      error: {
        name: 'ConfigurationError',
        option,
        message: `${option} must be well-formed: it has half of a surrogate pair`,
      },
    });
  }
});

test('whole characters are sent, and so is text that only looks like an escape', async () => {
  const texts = ['😀', '\\ud83d', '\\\\ud83d', '"\\ud83d"'];
  expect(await sentBy((fetch) => post(pageContext({ fetch }), 'x', { json: { texts } }))).toEqual({ texts });
  const message = texts.join();
  expect(
    await sentBy((fetch) => page.publishPost(pageContext({ fetch }), { ...own, message })),
  ).toMatchObject({
    message,
    ...authenticated,
  });
});

describe('usernames come with or without their sign', () => {
  test.each(['bob', '@bob', ' @bob\n'])('%j', async (username) => {
    const published = await sentBy((fetch) =>
      pics.publish(picsContext({ fetch }), {
        token,
        imageUrl: odd,
        collaborators: [username],
        userTags: [{ username, x: 0, y: 1 }],
      }),
    );
    expect(published).toMatchObject({
      collaborators: '["bob"]',
      user_tags: '[{"username":"bob","x":0,"y":1}]',
    });
    const place = { token, picsUserId: '17' };
    const found = await sentBy((fetch) =>
      pics.businessDiscovery(picsPageContext({ fetch }), { ...place, username }),
    );
    expect(found['fields']).toContain('username(bob)');
    const name = username.replace('@', '#');
    expect(
      await sentBy((fetch) => pics.hashtagId(picsPageContext({ fetch }), { ...place, name })),
    ).toMatchObject({
      q: 'bob',
    });
  });
});

describe('an option is read once, and what was read is sent', () => {
  /** An object whose fields are others at each reading. */
  const changing = (fields: Readonly<Record<string, string>>): never =>
    Object.defineProperties(
      {},
      Object.fromEntries(
        Object.entries(fields).map(([name, value]) => {
          let reads = 0;
          return [name, { enumerable: true, get: () => (reads++ === 0 ? value : 'https://evil.test/x') }];
        }),
      ),
    ) as never;

  test('in the items of a carousel', async () => {
    const fetch = stubFetch(refusal(100));
    const items = [
      changing({ videoUrl: 'https://a.test/1.mp4' }),
      changing({ imageUrl: 'https://a.test/2.jpg', altText: 'Two' }),
    ] as const;
    await pics.publishCarousel(picsContext({ fetch }), { token, items });
    const bodies = await Promise.all(requestsTo(fetch).map((request) => request.text()));
    expect(bodies.join()).toContain(encodeURIComponent('https://a.test/1.mp4'));
    expect(bodies.join()).not.toContain('evil');
  });

  test('in templates', async () => {
    const template = changing({ type: 'button', text: 'Hi' });
    Object.defineProperty(template, 'buttons', {
      enumerable: true,
      value: [changing({ type: 'web_url', title: 'Open', url: odd })],
    });
    expect(
      await sentBy((fetch) =>
        page.sendMessage(pageContext({ fetch }), { ...own, recipientId: '7', template }),
      ),
    ).toMatchObject({ message: { attachment: { payload: { buttons: [{ url: odd }] } } } });
  });
});

test.each([
  [{ elements: [{ title: 'Tea', imageUrl: odd }] }, 'elements[0].imageUrl is not an option: image_url is'],
  [{ elements: [{ title: 'Tea', subTitle: 'Green' }] }, 'elements[0].subTitle is not an option: subtitle is'],
  [
    { elements: [{ title: 'Tea', default_action: { type: 'web_url', URL: odd } }] },
    'elements[0].default_action.URL is not an option: url is',
  ],
  [
    { elements: [{ title: 'Tea', buttons: [{ type: 'web_url', Title: 'x', url: odd }] }] },
    'elements[0].buttons[0].Title is not an option: title is',
  ],
  [
    {
      elements: [
        { title: 'Tea', buttons: [{ type: 'web_url', title: 'x', url: odd, webviewHeightRatio: 'tall' }] },
      ],
    },
    'elements[0].buttons[0].webviewHeightRatio is not an option: webview_height_ratio is',
  ],
  [{ elements: [{ title: 'Tea', image_url: 'a b' }] }, 'elements[0].image_url must be a web address'],
])('a misspelt part of a template is refused: %j', async (template, fault) => {
  const content = { template: { type: 'generic', ...template } } as object;
  expect(
    await page.sendMessage(pageContext(), { ...own, recipientId: '7', text: undefined, ...content } as never),
  ).toMatchObject({
    error: { message: `template.${fault}` },
  });
});

test.each(['s\n', ' s', 's\r\n'])('the id or the secret of an app %j is refused, and not repeated', (bad) => {
  for (const [option, made] of [
    ['appSecret', page.createPageContext({ appId: '1', appSecret: bad })],
    ['appId', page.createPageContext({ appId: bad, appSecret })],
    ['appSecret', pics.createPicsContext({ appSecret: bad })],
    ['appId', pics.createPicsContext({ appId: bad })],
    ['appSecret', pics.createPicsContextViaPages({ appSecret: bad })],
    ['appId', pics.createPicsContextViaPages({ appSecret, appId: bad })],
    ['PAGE_APP_SECRET', page.createPageContextFromEnv({ env: { PAGE_APP_ID: '1', PAGE_APP_SECRET: bad } })],
    ['PICS_APP_ID', pics.createPicsContextFromEnv({ env: { PICS_APP_ID: bad } })],
  ] as const) {
    expect(made._unsafeUnwrapErr()).toMatchObject({
      name: 'ConfigurationError',
      option,
      message: `${option} must not begin or end with a blank or a line break`,
    });
  }
});
