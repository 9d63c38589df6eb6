import type * as subject from '../../../src/pics/coAuthors.ts';
import type { PicsContext } from '../../../src/pics/context.ts';
import { inPageMode, onMedium } from '../at.ts';
import { haveIds, haveNamed, isAcknowledged } from '../holds.ts';
import type { Table } from '../table.ts';
import { paging, token } from '../values.ts';
import { listing, ofAccount, onMedia, several } from './shared.ts';

export const coAuthors: Table<PicsContext, typeof subject> = {
  collaborationInvites: {
    modes: ['viaPages'],
    kinds: listing,
    variants: [ofAccount, { ...ofAccount, ...several }],
    routes: {
      'GET collaboration_invites': { data: [{ media_id: '901', media_owner_username: 'ada' }], paging },
    },
    holds: haveNamed('media_id'),
    options: inPageMode,
  },
  answerInvite: {
    modes: ['viaPages'],
    kinds: { token: 'token', picsUserId: 'account', mediaId: 'id', accept: 'flag' },
    variants: [{ ...ofAccount, mediaId: '901', accept: false }],
    routes: { 'POST collaboration_invites': { success: true } },
    holds: isAcknowledged,
    prepare: ({ sandbox }) => sandbox.addMedia({ by: 'ada', invites: [sandbox.account.username] }),
    options: (at) => ({ ...inPageMode(at), mediaId: at.prepared, accept: true }),
    writes: [{ kind: 'invite_answer', lost: { path: /\/collaboration_invites$/ } }],
  },
  collaborators: {
    modes: ['viaPages'],
    kinds: onMedia,
    variants: [{ token, mediaId: '901', ...several }],
    routes: {
      'GET collaborators': { data: [{ id: '8', username: 'ada', invite_status: 'Pending' }], paging },
    },
    holds: haveIds,
    options: onMedium,
  },
};
