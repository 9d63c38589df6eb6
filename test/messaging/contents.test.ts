import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { createWriteMemory } from '../../src/core/writes/memory.ts';
import {
  type PageContent,
  privateReply as replyAsPage,
  sendMessage as sendAsPage,
} from '../../src/page/inbox.ts';
import {
  type PicsContent,
  privateReply as replyAsPics,
  sendMessage as sendAsPics,
} from '../../src/pics/inbox.ts';
import {
  authenticated,
  graphBase,
  pageContext,
  picsContext,
  picsGraphBase,
  picsPageContext,
  token,
} from '../support/context.ts';
import { partOf } from '../support/rules.ts';

const url = 'https://example.com/a';
const sent = { recipient_id: '91', message_id: 'm_1' };
const recipient = { id: '91' };
const link = { type: 'web_url', url, title: 'Open' } as const;
const tap = { type: 'postback', title: 'Menu', payload: 'MENU' } as const;
const reply = { title: 'Yes', payload: 'YES' };

type Sender = (content: object) => ReturnType<typeof sendAsPage>;

/** The three ways to send, each from a process of its own. */
const senders: readonly (readonly [name: string, base: string, inbox: string, send: Sender])[] = [
  [
    'a Page',
    graphBase,
    '/42',
    (content) =>
      sendAsPage(pageContext({ memory: createWriteMemory() }), {
        pageId: '42',
        pageToken: token,
        recipientId: '91',
        ...(content as PageContent),
      }),
  ],
  [
    'an account in login mode',
    picsGraphBase,
    '/me',
    (content) =>
      sendAsPics(picsContext({ memory: createWriteMemory() }), {
        token,
        recipientId: '91',
        ...(content as PicsContent),
      }),
  ],
  [
    'an account in page mode',
    graphBase,
    '/42',
    (content) =>
      sendAsPics(picsPageContext({ memory: createWriteMemory() }), {
        token,
        pageId: '42',
        recipientId: '91',
        ...(content as PicsContent),
      }),
  ],
];

const file = (type: string, payload: object = { url }) => ({ attachment: { type, payload } });
const contents: Readonly<Record<string, readonly [content: object, message: object]>> = {
  'quick replies': [
    { text: 'Open?', quickReplies: [reply, { ...reply, imageUrl: url }] },
    {
      text: 'Open?',
      quick_replies: [
        { content_type: 'text', ...reply },
        { content_type: 'text', ...reply, image_url: url },
      ],
    },
  ],
  'an image': [{ attachment: { type: 'image', url } }, file('image')],
  'a video': [{ attachment: { type: 'video', url } }, file('video')],
  audio: [{ attachment: { type: 'audio', url } }, file('audio')],
  'a file that was uploaded': [
    { attachment: { type: 'file', attachmentId: '7' } },
    file('file', { attachment_id: '7' }),
  ],
  'several images': [
    { images: [url, `${url}b`] },
    {
      attachments: [
        { type: 'image', payload: { url } },
        { type: 'image', payload: { url: `${url}b` } },
      ],
    },
  ],
  'a generic template': [
    {
      template: {
        type: 'generic',
        elements: [{ title: 'Tea', subtitle: 'Green', image_url: url, buttons: [link, tap] }],
      },
    },
    file('template', {
      template_type: 'generic',
      elements: [{ title: 'Tea', subtitle: 'Green', image_url: url, buttons: [link, tap] }],
    }),
  ],
  'a button template': [
    { template: { type: 'button', text: 'What next?', buttons: [tap] } },
    file('template', { template_type: 'button', text: 'What next?', buttons: [tap] }),
  ],
};
const picsContents: typeof contents = {
  'a post of the account': [{ mediaId: '901' }, file('MEDIA_SHARE', { id: '901' })],
  'a heart': [{ sticker: 'like_heart' }, { attachment: { type: 'like_heart' } }],
};

describe.each(senders)('%s sends', (name, base, inbox, send) => {
  const all = Object.entries({ ...contents, ...(name === 'a Page' ? {} : picsContents) });

  const usual = name === 'a Page' ? { messaging_type: 'RESPONSE' } : {};

  test.each(all)('%s', async (_what, [content, message]) => {
    nock(base)
      .post(`${inbox}/messages`, { recipient, message: message as nock.DataMatcherMap, ...usual })
      .query(authenticated)
      .reply(200, sent);

    expect((await send(content))._unsafeUnwrap()).toEqual(sent);
  });

  test('a reply to a message, as a human agent', async () => {
    const more = { reply_to: { mid: 'm_0' }, messaging_type: 'MESSAGE_TAG', tag: 'HUMAN_AGENT' };
    nock(base)
      .post(`${inbox}/messages`, { recipient, message: { text: 'Hi' }, ...more })
      .query(true)
      .reply(200, sent);

    expect((await send({ text: 'Hi', replyTo: 'm_0', humanAgent: true })).isOk()).toBe(true);
  });

  test('nothing more for humanAgent: false', async () => {
    nock(base)
      .post(`${inbox}/messages`, { recipient, message: { text: 'Hi' }, ...usual })
      .query(true)
      .reply(200, sent);

    expect((await send({ text: 'Hi', humanAgent: false })).isOk()).toBe(true);
  });
});

describe.each(senders)('%s finds a lost message again,', (name, base, inbox, send) => {
  const kinds: readonly (readonly [string, object])[] = [
    ['an image', { attachment: { type: 'image', url } }],
    ['a video', { attachment: { type: 'video', url } }],
    ['audio', { attachment: { type: 'audio', url } }],
    ['a file', { attachment: { type: 'file', attachmentId: '7' } }],
    ['two images', { images: [url, url] }],
    ['a template', { template: { type: 'button', text: 'Hi', buttons: [tap] } }],
    ...(name === 'a Page'
      ? []
      : ([
          ['a post', { mediaId: '901' }],
          ['a heart', { sticker: 'like_heart' }],
        ] as const)),
  ];

  test.each(kinds)(
    '%s is not recognized: what shows its kind alone may be a person’s',
    async (_, content) => {
      nock(base).post(`${inbox}/messages`).query(true).replyWithError(new Error('reset'));

      const error = (await send(content))._unsafeUnwrapErr();

      expect(error).toMatchObject({ name: 'TransportError', outcome: 'unknown' });
      expect(error.message).toContain('no list shows it');
    },
  );
});

const long = 'x'.repeat(641);
const element = { title: 'Tea', subtitle: 'Green' };
const bad: readonly (readonly [option: string, content: object, message: RegExp])[] = [
  ['text', {}, /^give exactly one of text, /],
  ['text', { text: 'Hi', attachment: { type: 'image', url } }, /^give exactly one/],
  ['attachment', { attachment: { type: 'image', url }, images: [url, url] }, /^give exactly one/],
  ['quickReplies', { attachment: { type: 'image', url }, quickReplies: [reply] }, /need a text/],
  ['quickReplies', { text: 'Hi', quickReplies: Array.from({ length: 14 }, () => reply) }, /1 to 13/],
  ['quickReplies', { text: 'Hi', quickReplies: [] }, /1 to 13/],
  ['quickReplies', { text: 'Hi', quickReplies: [{ title: 'Yes' }] }, /^quickReplies\[0\]\.payload must be/],
  ['quickReplies', { text: 'Hi', quickReplies: [{ ...reply, imageUrl: 'a.png' }] }, /./],
  ['attachment', { attachment: { type: 'picture', url } }, /type must be one of image, video, audio, file$/],
  ['attachment', { attachment: { type: 'image' } }, /either url or attachmentId/],
  ['attachment', { attachment: { type: 'image', url, attachmentId: '7' } }, /either url or attachmentId/],
  ['attachment', { attachment: { type: 'image', url: 'a.png' } }, /url must be a web address/],
  ['attachment', { attachment: { type: 'image', attachmentId: ' ' } }, /attachmentId must be/],
  ['attachment', { attachment: url }, /./],
  ['images', { images: [url] }, /2 to 10/],
  ['images', { images: Array.from({ length: 11 }, () => url) }, /2 to 10/],
  ['images', { images: [url, ''] }, /^images\[1\] must be/],
  ['template', { template: { type: 'list', elements: [element] } }, /generic or button/],
  ['template', { template: { type: 'generic', elements: [] } }, /elements must be a list of 1 to 10$/],
  [
    'template',
    { template: { type: 'generic', elements: Array.from({ length: 11 }, () => element) } },
    /1 to 10/,
  ],
  ['template', { template: { type: 'generic', elements: [{ title: 'Tea' }] } }, /elements\[0\] needs more/],
  [
    'template',
    { template: { type: 'generic', elements: [element, { subtitle: 'Green' }] } },
    /elements\[1\]\.title must be/,
  ],
  [
    'template',
    { template: { type: 'generic', elements: [{ title: 'Tea', buttons: [{ ...tap, title: '' }] }] } },
    /elements\[0\]\.buttons\[0\]\.title must be/,
  ],
  ['template', { template: { type: 'button', buttons: [tap] } }, /text must be/],
  [
    'template',
    { template: { type: 'button', text: long, buttons: [tap] } },
    /at most 640 characters, not \d+/,
  ],
  [
    'template',
    { template: { type: 'button', text: 'Hi', buttons: [] } },
    /buttons must be a list of 1 to 3$/,
  ],
  ['template', { template: { type: 'button', text: 'Hi', buttons: [tap, tap, tap, tap] } }, /1 to 3/],
  [
    'template',
    { template: { type: 'button', text: 'Hi', buttons: [{ ...link, url: 'x' }] } },
    /buttons\[0\]\.url must be/,
  ],
  [
    'template',
    { template: { type: 'button', text: 'Hi', buttons: [{ ...tap, payload: undefined }] } },
    /buttons\[0\]\.payload must be/,
  ],
  [
    'template',
    { template: { type: 'button', text: 'Hi', buttons: [{ type: 'dance', title: 'x' }] } },
    /type/,
  ],
  ['template', { template: { type: 'generic', elements: [{ title: 'Tea', subtitle: 5n }] } }, /./],
  ['replyTo', { text: 'Hi', replyTo: '' }, /./],
  ['humanAgent', { text: 'Hi', humanAgent: 1 }, /./],
];

describe.each(senders)('%s', (name, base, inbox, send) => {
  test.each(bad)('refuses a bad %s before anything is sent (%#)', async (option, content, message) => {
    const error = (await send(content))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ConfigurationError', option: partOf(option) });
    expect(error.message).toMatch(message);
  });

  const images = [`${url}b`, url, `${url}c`];
  test.each([
    ['by its number', '(#100) Param message[attachments][2][payload] is invalid', 2],
    ['by its address', `The media could not be fetched from this URI: ${url}c`, 2],
    ['by an address with which others begin', `Failed to fetch ${url}`, 1],
    ['not at all', 'Failed to fetch the files', undefined],
    ['by a number that none has', 'Param attachments[3] is invalid', undefined],
    ['by two addresses', `${url}b and ${url}c`, undefined],
  ])('says which of several images was refused, if the platform does: %s', async (_, said, failedItem) => {
    const error = { code: 100, error_subcode: 2_018_008, message: 'Refused', error_user_msg: said };
    nock(base).post(`${inbox}/messages`).query(true).reply(400, { error });

    const refused = (await send({ images }))._unsafeUnwrapErr();

    expect(refused).toMatchObject({ name: 'ApiError', category: 'media', media: 'url', action: 'retry' });
    expect(refused.failedItem).toBe(failedItem);
  });

  test('sends what is just within the bounds', async () => {
    const fitting = [
      { text: 'Hi', quickReplies: Array.from({ length: 13 }, () => reply) },
      { images: Array.from({ length: 10 }, () => url) },
      { template: { type: 'generic', elements: Array.from({ length: 10 }, () => element) } },
      { template: { type: 'button', text: long.slice(1), buttons: [tap, link, tap] } },
    ];
    nock(base).post(`${inbox}/messages`).query(true).times(fitting.length).reply(200, sent);

    for (const content of fitting) expect((await send(content)).isOk()).toBe(true);
  });

  test('takes the buttons and contents of its platform only', async () => {
    const isPage = name === 'a Page';
    const call = { type: 'phone_number', title: 'Call', payload: '+491' };
    const own = [
      { template: { type: 'button', text: 'Hi', buttons: [call] } },
      { template: { type: 'button', text: 'Hi', buttons: [{ type: 'account_link', url }] } },
    ];
    const others = [{ mediaId: '901' }, { sticker: 'like_heart' }];
    nock(base).post(`${inbox}/messages`).query(true).times(2).reply(200, sent);

    for (const content of isPage ? own : others) expect((await send(content)).isOk()).toBe(true);
    for (const content of isPage ? others : own) {
      expect((await send(content))._unsafeUnwrapErr()).toMatchObject({
        name: 'ConfigurationError',
        option: partOf(Object.keys(content)[0] ?? ''),
      });
    }
    expect((await send({ sticker: 'thumb' }))._unsafeUnwrapErr()).toMatchObject({ option: 'sticker' });
  });
});

const ofPage = { pageId: '42', pageToken: token };

// As plain JavaScript calls them, without content.
test.each([
  [
    'sendMessage of a Page',
    'utility',
    () => sendAsPage(pageContext(), { ...ofPage, recipientId: '91' } as never),
  ],
  ['privateReply of a Page', '', () => replyAsPage(pageContext(), { ...ofPage, commentId: '7' } as never)],
  [
    'sendMessage of an account',
    'mediaId, sticker',
    () => sendAsPics(picsContext(), { token, recipientId: '91' } as never),
  ],
  [
    'privateReply of an account',
    'mediaId, sticker',
    () => replyAsPics(picsContext(), { token, commentId: '7' } as never),
  ],
])('%s names the kinds of content that it takes', async (_, more, send) => {
  const kinds = ['text, attachment, images, template', more].filter(Boolean).join(', ');
  const error = (await send())._unsafeUnwrapErr();
  expect(error).toMatchObject({ message: `give exactly one of ${kinds}`, option: 'text' });
});
