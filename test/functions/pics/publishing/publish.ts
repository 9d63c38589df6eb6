import type { PicsContext } from '../../../../src/pics/context.ts';
import * as pics from '../../../../src/pics/index.ts';
import type * as subject from '../../../../src/pics/publishing/publish.ts';
import { fileOf, idOf, image, inPageMode, leftContainer, pagePost, videoUrl } from '../../at.ts';
import { hasId } from '../../holds.ts';
import type { Person, Table } from '../../table.ts';
import { publishing, token } from '../../values.ts';
import {
  account,
  container,
  isPublished,
  making,
  makingKinds,
  publishRoutes,
  uploadKinds,
  uploading,
  wait,
  waitKinds,
} from '../shared.ts';

const ofMedia = {
  kind: 'media',
  id: 'media_id',
  lost: { path: /\/media_publish$/, names: ['container_id'] },
} as const;
const someImage = ({ viaPages, at }: Person) =>
  idOf(pics.publish(viaPages, { ...inPageMode(at), imageUrl: image(at.message) }), 'media_id');

export const publish: Table<PicsContext, typeof subject> = {
  publish: {
    lane: 'publish',
    kinds: {
      idempotencyKey: 'key',
      token: 'token',
      picsUserId: 'account',
      caption: 'string',
      imageUrl: 'https url',
      videoUrl: 'https url',
      video: 'video',
      isReel: 'flag',
      shareToFeed: 'flag',
      altText: 'string',
      locationId: 'id',
      collaborators: 'list',
      isAiGenerated: 'flag',
      sponsorIds: 'list',
      paidPartnership: 'flag',
      poll: 'object',
      commentPrompt: 'flag',
      userTags: 'list',
      productTags: 'list',
      coverUrl: 'https url',
      thumbOffsetMs: 'offset',
      audioName: 'string',
      audio: 'object',
      trial: 'trial',
      ...makingKinds,
      ...uploadKinds,
    },
    variants: [
      { token, ...account, ...uploading, userTags: [{ username: 'ada' }], ...making },
      {
        token,
        ...account,
        imageUrl: 'https://example.com/a.jpg',
        caption: 'Hi',
        altText: 'A door',
        userTags: [{ username: 'ada', x: 0, y: 1 }],
        // Not in login mode.
        productTags: undefined,
        ...making,
      },
      {
        token,
        ...account,
        videoUrl: 'https://example.com/ä.mp4',
        isReel: true,
        shareToFeed: false,
        caption: 'Hi',
        locationId: '123',
        collaborators: ['ada'],
        isAiGenerated: true,
        // Not in login mode.
        sponsorIds: undefined,
        paidPartnership: false,
        poll: undefined,
        commentPrompt: false,
        coverUrl: 'https://example.com/a.jpg',
        thumbOffsetMs: 0,
        audioName: 'Waves',
        // Not in login mode.
        audio: undefined,
        trial: 'MANUAL',
        ...making,
      },
    ],
    routes: publishRoutes,
    failures: publishing,
    holds: isPublished,
    options: ({ own, message }) => ({ ...own, imageUrl: image(message), caption: message }),
    writes: [
      { ...ofMedia, as: 'an image', keyed: { stranger: someImage, makes: ['container'] } },
      { ...ofMedia, as: 'an image, in page mode', mode: 'viaPages' },
      {
        ...ofMedia,
        as: 'a Reel',
        give: () => ({ imageUrl: undefined, caption: undefined, videoUrl, isReel: true }),
        hides: 'its id',
      },
      {
        ...ofMedia,
        as: 'an uploaded Reel',
        give: ({ message }) => ({ imageUrl: undefined, video: fileOf(message) }),
      },
      {
        kind: 'media',
        id: 'media_id',
        as: 'a Reel of bytes',
        mode: 'viaPages',
        give: ({ message }) => ({ imageUrl: undefined, video: fileOf(message) }),
        keyed: {
          stranger: ({ viaPages, at }) =>
            idOf(pics.publish(viaPages, { ...inPageMode(at), video: fileOf('Another one') }), 'media_id'),
          makes: ['container'],
        },
      },
      {
        kind: 'media',
        id: 'media_id',
        as: 'without a caption',
        mode: 'viaPages',
        give: () => ({ caption: undefined }),
        hides: 'its id',
        keyed: { stranger: pagePost, makes: ['container'], isVariant: true },
      },
      {
        as: 'its container',
        give: () => ({ caption: undefined }),
        kind: 'container',
        lost: { path: /\/media$/, one: 'media' },
      },
    ],
  },
  publishStory: {
    lane: 'publish',
    kinds: {
      idempotencyKey: 'key',
      token: 'token',
      picsUserId: 'account',
      imageUrl: 'https url',
      videoUrl: 'https url',
      video: 'video',
      userTags: 'list',
      isAiGenerated: 'flag',
      ...makingKinds,
      ...uploadKinds,
    },
    variants: [
      { token, ...account, ...uploading, ...making },
      {
        token,
        ...account,
        imageUrl: 'https://example.com/a.jpg',
        userTags: [{ username: 'ada' }],
        isAiGenerated: true,
        ...making,
      },
      { token, ...account, videoUrl: 'https://example.com/a.mp4', ...making },
    ],
    routes: publishRoutes,
    failures: publishing,
    holds: isPublished,
    options: ({ own, message }) => ({ ...own, imageUrl: image(message) }),
    writes: [
      // Login mode has no list of stories: only the state of the container tells.
      { ...ofMedia, as: 'in login mode', hides: 'its id', keyed: { makes: ['container'] } },
      {
        kind: 'media',
        id: 'media_id',
        as: 'in page mode',
        mode: 'viaPages',
        hides: 'its id',
        keyed: { makes: ['container'] },
      },
      {
        ...ofMedia,
        as: 'a video in page mode',
        mode: 'viaPages',
        give: () => ({ imageUrl: undefined, videoUrl }),
        hides: 'its id',
      },
      {
        as: 'its container, uploaded',
        mode: 'viaPages',
        give: ({ message }) => ({ imageUrl: undefined, video: fileOf(message) }),
        kind: 'container',
        lost: { path: /\/media$/, one: 'media' },
      },
    ],
  },
  publishContainer: {
    lane: 'publish',
    kinds: { idempotencyKey: 'key', token: 'token', containerId: 'id', picsUserId: 'account', ...waitKinds },
    variants: [{ token, containerId: '501', ...account, ...wait }],
    routes: publishRoutes,
    failures: publishing,
    holds: isPublished,
    prepare: leftContainer,
    options: ({ own, prepared }) => ({ ...own, containerId: prepared }),
    writes: [
      // This process did not make the container: its media is not guessed at.
      { ...ofMedia, hides: 'its id', keyed: { stranger: someImage } },
      { ...ofMedia, as: 'in page mode', mode: 'viaPages', hides: 'its id' },
    ],
  },
  containerStatus: {
    lane: 'publish',
    kinds: { containerId: 'id', token: 'token' },
    variants: [{ containerId: '501', token }],
    routes: { 'GET 501': container },
    holds: hasId,
    prepare: leftContainer,
    options: ({ token, prepared }) => ({ token, containerId: prepared }),
  },
  publishingLimit: {
    kinds: { token: 'token', picsUserId: 'account' },
    variants: [{ token, ...account }],
    routes: {
      'GET 17/content_publishing_limit': {
        data: [{ quota_usage: 2, config: { quota_total: 100, quota_duration: 86_400 } }],
      },
    },
    holds: (value: { quota_usage: number | undefined }) =>
      value.quota_usage === undefined || typeof value.quota_usage === 'number',
    options: ({ own }) => own,
  },
};
