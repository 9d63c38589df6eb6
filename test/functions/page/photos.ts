import type { PageContext } from '../../../src/page/context.ts';
import type * as subject from '../../../src/page/photos.ts';
import { publishPhoto } from '../../../src/page/photos.ts';
import { fileOf, idOf, image, onPage, pagePost, soon } from '../at.ts';
import { hasId, haveIds, isText, isTrue } from '../holds.ts';
import type { Scene, Spot, Table } from '../table.ts';
import { pageToken, paging } from '../values.ts';
import { ahead, listKinds, listed, shown } from './shared.ts';

const preparePhoto = ({ context, at }: Scene<PageContext>) =>
  idOf(publishPhoto(context, { ...onPage(at), photoUrl: image(at.message), published: false }));
const onPhoto = ({ prepared, pageToken }: Spot) => ({ photoId: prepared, pageToken });
const photo = { kind: 'photo', id: 'id', lost: { path: /\/photos$/ } } as const;
const ofPhotos = { kind: 'post', id: 'id', lost: { path: /\/feed$/, names: ['photo_ids'] } } as const;

export const photos: Table<PageContext, typeof subject> = {
  publishPhoto: {
    lane: 'publish',
    kinds: {
      idempotencyKey: 'key',
      pageId: 'id',
      pageToken: 'token',
      photoUrl: 'url',
      photo: 'video',
      message: 'text',
      altText: 'text',
      published: 'flag',
      scheduledAt: 'schedule',
    },
    variants: [
      { pageId: '42', pageToken, photoUrl: 'https://example.com/a.jpg', message: 'Hi', altText: 'A' },
      { pageId: '42', pageToken, photo: new Uint8Array(9), scheduledAt: ahead, message: 'Hi' },
      { pageId: '42', pageToken, photo: new Uint8Array(9), published: false },
    ],
    routes: {
      'POST 42/photos': { id: '81', post_id: '42_1' },
      'GET 42/published_posts': { data: [shown] },
      'GET 42/scheduled_posts': { data: [{ ...shown, scheduled_publish_time: ahead }] },
    },
    holds: hasId,
    options: (at) => ({ ...onPage(at), photoUrl: image(at.message), message: at.message }),
    writes: [
      { ...photo, keyed: { stranger: pagePost } },
      {
        ...photo,
        as: 'scheduled',
        give: ({ message }) => ({ photoUrl: undefined, photo: fileOf(message), scheduledAt: soon }),
        keyed: { stranger: pagePost, isVariant: true },
      },
      {
        ...photo,
        as: 'without a text',
        give: () => ({ message: undefined }),
        hides: 'its content',
        keyed: { stranger: pagePost, isVariant: true },
      },
      {
        kind: 'photo',
        id: 'id',
        as: 'scheduled without a text',
        give: () => ({ message: undefined, scheduledAt: soon }),
        hides: 'its content',
        keyed: { stranger: pagePost, isVariant: true },
      },
    ],
  },
  publishPhotos: {
    lane: 'publish',
    kinds: {
      idempotencyKey: 'key',
      pageId: 'id',
      pageToken: 'token',
      photos: 'photos',
      message: 'text',
      scheduledAt: 'schedule',
      onCreated: 'hook',
      placeId: 'id',
      tags: 'names',
    },
    variants: [
      {
        pageId: '42',
        pageToken,
        placeId: '77',
        tags: ['8'],
        photos: [{ photoUrl: 'https://example.com/a.jpg' }, { photo: new Uint8Array(9), altText: 'A' }],
        message: 'Hi',
        onCreated: () => undefined,
      },
      { pageId: '42', pageToken, photos: [{ photoId: '81' }, { photoId: '83' }], scheduledAt: ahead },
    ],
    routes: {
      'POST 42/photos': [{ id: '81' }, { id: '83' }],
      'POST 42/feed': { id: '42_1' },
      'GET 42/published_posts': { data: [shown] },
      'GET 42/scheduled_posts': { data: [shown] },
    },
    holds: (value: { photo_ids: readonly string[] }) => hasId(value) && value.photo_ids.every(isText),
    options: (at) => ({
      ...onPage(at),
      photos: [{ photoUrl: image(at.message) }, { photo: fileOf(at.message) }],
      message: at.message,
    }),
    writes: [
      { kind: 'post', id: 'id', keyed: { makes: ['photo'], count: 2 } },
      { ...ofPhotos, as: 'without a text', give: () => ({ message: undefined }) },
      {
        ...ofPhotos,
        as: 'scheduled without a text',
        give: () => ({ message: undefined, scheduledAt: soon }),
        keyed: { stranger: pagePost, makes: ['photo'], count: 2, isVariant: true },
      },
      { as: 'a photo of it', kind: 'photo', lost: { path: /\/photos$/, one: 'post' } },
    ],
  },
  photos: {
    kinds: { ...listKinds, type: 'choice' },
    variants: [{ ...listed, type: 'uploaded' }],
    routes: {
      'GET 42/photos': {
        data: [{ id: '81', name: 'Hi', images: [{ source: 'https://example.com/a', width: 9, height: 9 }] }],
        paging,
      },
    },
    holds: haveIds,
    options: onPage,
  },
  photoDetails: {
    kinds: { photoId: 'id', pageToken: 'token', fields: 'names' },
    variants: [
      { photoId: '81', pageToken },
      { photoId: '81', pageToken, fields: ['id', 'name'] },
    ],
    routes: {
      'GET 81': { id: '81', name: 'Hi', images: [{ source: 'https://example.com/a', width: 9, height: 9 }] },
    },
    holds: hasId,
    prepare: preparePhoto,
    options: onPhoto,
  },
  deletePhoto: {
    kinds: { photoId: 'id', pageToken: 'token' },
    variants: [{ photoId: '81', pageToken }],
    routes: { 'DELETE 81': { success: true } },
    holds: isTrue,
    prepare: preparePhoto,
    options: onPhoto,
    // "No such object" is also what a missing permission is called.
    writes: [{ kind: 'delete', lost: { method: 'DELETE', path: /\/\d+$/, one: 'delete', again: 'unknown' } }],
  },
};
