// What several subjects share.
import { platform } from '../../support/context.ts';
import { isText } from '../holds.ts';
import { created, paging, time, token } from '../values.ts';

export const account = { picsUserId: '17' };

export const wait = { waitTimeoutMs: 3000, onStatus: () => undefined };

export const making = { ...wait, onCreated: () => undefined };

export const waitKinds = { waitTimeoutMs: 'duration', onStatus: 'hook' } as const;

export const makingKinds = { ...waitKinds, onCreated: 'hook' } as const;

export const container = { id: '501', status_code: 'FINISHED', status: 'Finished: Media has been uploaded.' };

export const medium = {
  id: '901',
  caption: 'Hi',
  media_type: 'IMAGE',
  media_product_type: 'FEED',
  media_url: 'https://example.com',
  permalink: 'https://example.com',
  timestamp: time,
  username: 'shop',
  like_count: 1,
  comments_count: 2,
};

export const uploading = {
  video: new Uint8Array(40),
  uploadTimeoutMs: 1000,
  uploadAttempts: 2,
  onProgress: () => undefined,
};

export const uploadKinds = {
  uploadTimeoutMs: 'time limit',
  uploadAttempts: 'count',
  onProgress: 'hook',
} as const;

export const publishRoutes = {
  'POST 17/media': { id: '501', uri: `${platform.uploadUrl}/video/501` },
  'POST video/501': { success: true },
  // The second look is one after a lost response.
  'GET 501': [container, { id: '501', status_code: 'PUBLISHED' }],
  'POST 17/media_publish': created,
  'GET 17/media': { data: [medium], paging },
  'GET 17/stories': { data: [medium], paging },
};

export const isPublished = (value: { container_id: string; media_id: string }): boolean =>
  isText(value.container_id) && isText(value.media_id);

export const sender = { token, ...account, pageId: '42' };

export const senderKinds = { token: 'token', picsUserId: 'id', pageId: 'account' } as const;

export const ofAccount = { token, ...account };

export const listing = { token: 'token', picsUserId: 'account', limit: 'count', fields: 'names' } as const;

export const several = { limit: 3, fields: ['id'] };

export const onMedia = { token: 'token', mediaId: 'id', limit: 'count', fields: 'names' } as const;
