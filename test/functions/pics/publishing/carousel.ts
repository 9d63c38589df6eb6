import type { PicsContext } from '../../../../src/pics/context.ts';
import * as pics from '../../../../src/pics/index.ts';
import type * as subject from '../../../../src/pics/publishing/carousel.ts';
import { fileOf, idOf, image, inPageMode, videoUrl } from '../../at.ts';
import { isText } from '../../holds.ts';
import type { Table } from '../../table.ts';
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
} from '../shared.ts';

const ofCarousel = {
  kind: 'media',
  id: 'media_id',
  lost: { path: /\/media_publish$/, names: ['container_id', 'children'] },
} as const;

export const carousel: Table<PicsContext, typeof subject> = {
  publishCarousel: {
    lane: 'publish',
    kinds: {
      idempotencyKey: 'key',
      token: 'token',
      picsUserId: 'account',
      imageUrls: 'images',
      items: 'items',
      ...uploadKinds,
      caption: 'string',
      locationId: 'id',
      collaborators: 'list',
      isAiGenerated: 'flag',
      sponsorIds: 'list',
      paidPartnership: 'flag',
      poll: 'object',
      commentPrompt: 'flag',
      ...makingKinds,
    },
    variants: [
      {
        token,
        ...account,
        imageUrls: ['https://example.com/a.jpg', 'https://example.com/b.jpg'],
        caption: 'Hi',
        ...making,
      },
      {
        token,
        ...account,
        items: [
          { imageUrl: 'https://example.com/a.jpg', altText: 'A door' },
          { video: uploading.video, thumbOffsetMs: 0 },
        ],
        uploadTimeoutMs: 1000,
        uploadAttempts: 2,
        onProgress: () => undefined,
        locationId: '5',
        collaborators: ['ada'],
        isAiGenerated: true,
        // Not in login mode.
        sponsorIds: undefined,
        paidPartnership: false,
        poll: undefined,
        commentPrompt: false,
        ...making,
      },
    ],
    routes: {
      ...publishRoutes,
      // The first looks may be those at the items, which have the same id here.
      'GET 501': [container, container, container, { id: '501', status_code: 'PUBLISHED' }],
    },
    failures: publishing,
    holds: (value: { container_id: string; media_id: string; children: unknown[] }) =>
      isPublished(value) && value.children.every(isText),
    options: ({ own, message }) => ({
      ...own,
      imageUrls: [image(message), image(message)],
      caption: message,
    }),
    writes: [
      {
        ...ofCarousel,
        keyed: {
          stranger: ({ viaPages, at }) =>
            idOf(
              pics.publish(viaPages, { ...inPageMode(at), imageUrl: image(at.message), caption: at.message }),
              'media_id',
            ),
          makes: ['container'],
          count: 3,
        },
      },
      {
        ...ofCarousel,
        as: 'of an image and videos',
        mode: 'viaPages',
        give: ({ message }) => ({
          imageUrls: undefined,
          items: [{ imageUrl: image(message) }, { videoUrl, thumbOffsetMs: 0 }, { video: fileOf(message) }],
        }),
      },
      {
        as: 'its child',
        mode: 'viaPages',
        give: () => ({ caption: undefined }),
        kind: 'container',
        lost: { path: /\/media$/, skip: 1, one: 'media' },
      },
    ],
  },
};
