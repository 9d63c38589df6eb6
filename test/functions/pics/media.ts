import type { PicsContext } from '../../../src/pics/context.ts';
import type * as subject from '../../../src/pics/media.ts';
import { onMedium } from '../at.ts';
import { hasId, haveIds, isAcknowledged, isText } from '../holds.ts';
import type { Table } from '../table.ts';
import { paging, time, token } from '../values.ts';
import { account, medium } from './shared.ts';

export const media: Table<PicsContext, typeof subject> = {
  media: {
    kinds: {
      token: 'token',
      picsUserId: 'account',
      limit: 'count',
      fields: 'names',
      metrics: 'metrics',
      comments: 'inner comments',
    },
    variants: [
      { token, ...account },
      { token, ...account, limit: 3, fields: ['id'] },
      { token, ...account, metrics: true, comments: { limit: 2, replies: true } },
    ],
    routes: { 'GET 17/media': { data: [medium, { id: 902, caption: null }], paging } },
    holds: haveIds,
    options: ({ own }) => own,
  },
  iterateMedia: {
    kinds: {
      token: 'token',
      picsUserId: 'account',
      limit: 'count',
      fields: 'names',
      onUnreadable: 'hook',
      metrics: 'metrics',
      comments: 'inner comments',
      onWithheld: 'hook',
    },
    variants: [
      { token, ...account, limit: 3 },
      { token, ...account, limit: 3, fields: ['id'], onUnreadable: () => undefined },
      {
        token,
        ...account,
        metrics: true,
        comments: { limit: 2, replies: true },
        onWithheld: () => undefined,
      },
    ],
    routes: { 'GET 17/media': { data: [medium, { id: 902, caption: null }], paging } },
    holds: (last: unknown) => last === undefined || hasId(last as never),
    options: ({ own }) => own,
  },
  mediaDetails: {
    kinds: { mediaId: 'id', token: 'token', fields: 'names', metrics: 'metrics', comments: 'inner comments' },
    variants: [
      { mediaId: '901', token },
      { mediaId: '901', token, fields: ['id'] },
      { mediaId: '901', token, metrics: ['reach'], comments: 3 },
    ],
    routes: { 'GET 901': medium },
    holds: hasId,
    options: onMedium,
  },
  mediaPoll: {
    modes: ['viaPages'],
    kinds: { token: 'token', mediaId: 'id' },
    variants: [{ token, mediaId: '901' }],
    routes: {
      'GET 901/poll_attachment': {
        option_a: 'Red',
        option_b: 'Blue',
        option_a_votes_percentage: 0.75,
        option_b_votes_percentage: 0.25,
        expiration_timestamp: time,
      },
    },
    holds: (value: { options: readonly { text: string }[] } | null) =>
      value === null || value.options.every(({ text }) => isText(text)),
    options: onMedium,
  },
  promptResponses: {
    modes: ['viaPages'],
    kinds: { token: 'token', mediaId: 'id' },
    variants: [{ token, mediaId: '901' }],
    routes: { 'GET 901/prompt_response': { data: [{ id: '901' }] } },
    holds: () => true,
    options: onMedium,
  },
  deleteMedia: {
    modes: ['viaPages'],
    kinds: { mediaId: 'id', token: 'token' },
    variants: [{ mediaId: '901', token }],
    routes: { 'DELETE 901': { success: true } },
    holds: isAcknowledged,
    options: onMedium,
    writes: [
      {
        kind: 'delete',
        lost: { method: 'DELETE', path: /\/\d+(?:_\d+)?$/, one: 'delete', again: 'unknown' },
      },
    ],
  },
  stories: {
    modes: ['viaPages'],
    kinds: {
      token: 'token',
      picsUserId: 'account',
      limit: 'count',
      fields: 'names',
      metrics: 'metrics',
      comments: 'inner comments',
    },
    variants: [
      { token, ...account },
      { token, ...account, limit: 3, fields: ['id'] },
      { token, ...account, metrics: true, comments: { limit: 2, replies: true } },
    ],
    routes: { 'GET 17/stories': { data: [medium], paging } },
    holds: haveIds,
    options: ({ own }) => own,
  },
};
