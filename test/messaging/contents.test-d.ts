import { test } from 'vitest';

import type { SendMessageOptions as PageOptions } from '../../src/page/endpoints.ts';
import type { SendMessageOptions as PicsOptions } from '../../src/pics/endpoints.ts';

const url = 'https://example.com/a.jpg';
const attachment = { type: 'image', url } as const;
const tap = { type: 'postback', title: 'Menu', payload: 'MENU' } as const;
const call = { type: 'phone_number', title: 'Call', payload: '+491' } as const;

function asPage(_options: PageOptions): void {}
function asPics(_options: PicsOptions): void {}

test('a message has one content, which a Page can send', () => {
  const to = { pageId: '42', pageToken: 'token', recipientId: '8' };
  asPage({ ...to, text: 'Hi', quickReplies: [{ title: 'Yes', payload: 'YES' }] });
  asPage({ ...to, attachment, replyTo: 'm_1', humanAgent: true });
  asPage({ ...to, template: { type: 'button', text: 'Hi', buttons: [tap, call] } });
  // @ts-expect-error none
  asPage(to);
  // @ts-expect-error two
  asPage({ ...to, text: 'Hi', attachment });
  // @ts-expect-error quick replies stand below a text
  asPage({ ...to, attachment, quickReplies: [] });
  // @ts-expect-error an address or an id
  asPage({ ...to, attachment: { ...attachment, attachmentId: '7' } });
  // @ts-expect-error a heart is of photo-sharing
  asPage({ ...to, sticker: 'like_heart' });
});

test('a message has one content, which an account can send', () => {
  const to = { token: 'token', recipientId: '8' };
  asPics({ ...to, text: 'Hi' });
  asPics({ ...to, mediaId: '901' });
  asPics({ ...to, sticker: 'like_heart', text: undefined });
  asPics({ ...to, images: [url, url] });
  asPics({
    ...to,
    template: { type: 'generic', elements: [{ title: 'Tea', buttons: [tap], image_url: url }] },
  });
  // @ts-expect-error none
  asPics(to);
  // @ts-expect-error two
  asPics({ ...to, text: 'Hi', sticker: 'like_heart' });
  // @ts-expect-error a heart is the only sticker
  asPics({ ...to, sticker: 'thumb' });
  // @ts-expect-error a button that only Pages have
  asPics({ ...to, template: { type: 'button', text: 'Hi', buttons: [call] } });
});
