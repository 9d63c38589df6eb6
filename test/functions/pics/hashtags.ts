import type { PicsContext } from '../../../src/pics/context.ts';
import type * as subject from '../../../src/pics/hashtags.ts';
import * as pics from '../../../src/pics/index.ts';
import { idOf, inPageMode } from '../at.ts';
import { hasId, haveIds } from '../holds.ts';
import type { Table } from '../table.ts';
import { paging } from '../values.ts';
import { listing, medium, ofAccount, several } from './shared.ts';

export const hashtags: Table<PicsContext, typeof subject> = {
  hashtagId: {
    modes: ['viaPages'],
    kinds: { token: 'token', picsUserId: 'account', name: 'text' },
    variants: [{ ...ofAccount, name: 'coffee' }],
    routes: { 'GET ig_hashtag_search': { data: [{ id: '178' }] } },
    holds: hasId,
    options: (at) => ({ ...inPageMode(at), name: 'coffee' }),
  },
  hashtagMedia: {
    modes: ['viaPages'],
    kinds: { ...listing, hashtagId: 'id', order: 'choice' },
    variants: [
      { ...ofAccount, hashtagId: '178', order: 'recent' },
      { ...ofAccount, hashtagId: '178', order: 'recent', ...several },
    ],
    routes: { 'GET 178/recent_media': [{ data: [medium], paging }, { data: [] }] },
    holds: haveIds,
    prepare: ({ context, at }) => idOf(pics.hashtagId(context, { ...inPageMode(at), name: 'coffee' })),
    options: (at) => ({ ...inPageMode(at), hashtagId: at.prepared, order: 'top' }),
  },
  recentHashtags: {
    modes: ['viaPages'],
    kinds: listing,
    variants: [ofAccount, { ...ofAccount, ...several }],
    routes: { 'GET recently_searched_hashtags': { data: [{ id: '178', name: 'coffee' }], paging } },
    holds: haveIds,
    options: inPageMode,
  },
};
