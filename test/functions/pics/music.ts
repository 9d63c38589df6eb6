import type { PicsContext } from '../../../src/pics/context.ts';
import type * as subject from '../../../src/pics/music.ts';
import { inPageMode } from '../at.ts';
import { haveNamed } from '../holds.ts';
import type { Table } from '../table.ts';
import { ofAccount } from './shared.ts';

export const music: Table<PicsContext, typeof subject> = {
  searchAudio: {
    modes: ['viaPages'],
    kinds: { token: 'token', picsUserId: 'account', kind: 'choice', query: 'text', limit: 'count' },
    variants: [{ ...ofAccount, kind: 'music', query: 'tide', limit: 3 }],
    routes: { 'GET ig_audio': { audio: [{ audio_id: '5', title: 'Tide', duration_in_ms: 3 }] } },
    holds: haveNamed('audio_id'),
    options: (at) => ({ ...inPageMode(at), kind: 'music' }),
  },
};
