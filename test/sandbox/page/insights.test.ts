import { describe, expect, test } from 'vitest';

import { caller, pageOf, refusal, start, still, type Loose, type Reply } from '../support/caller.ts';

describe('Page insights', () => {
  test('lack days that are missing, and those whose numbers are late', async () => {
    const sandbox = still();
    const { id, token } = pageOf(sandbox);
    const read = async (): Promise<unknown> => {
      const range = { since: String(start / 1000 - 4 * 86_400), until: String(start / 1000) };
      const metric = { metric: 'page_follows', period: 'day' };
      const { body } = await caller(sandbox).get(`/${id}/insights`, token, { ...metric, ...range });
      return body.data[0].values.map((one: Loose) => one.end_time.slice(0, 10));
    };
    const all = await read();
    expect(all).toEqual(['2026-10-02', '2026-10-03', '2026-10-04', '2026-10-05']);
    sandbox.tune({ metrics: { missingDays: ['2026-10-02'] } });
    expect(await read()).toEqual(['2026-10-02', '2026-10-04', '2026-10-05']);
    sandbox.tune({ metrics: { missingDays: [], lagMs: 48 * 3_600_000 } });
    expect(await read()).toEqual(['2026-10-02', '2026-10-03']);
    sandbox.advance(24 * 3_600_000);
    expect(await read()).toEqual(['2026-10-02', '2026-10-03', '2026-10-04']);
  });
});

describe('post insights', () => {
  test('give living metrics, with links that page by time', async () => {
    const sandbox = still();
    const { token, postIds } = pageOf(sandbox);
    const metric = 'post_clicks,post_reactions_by_type_total';
    const { body } = await caller(sandbox).get(`/${postIds[0]}/insights`, token, { metric });
    expect(body.data.map((one: Loose) => [one.name, one.period, one.values])).toEqual([
      ['post_clicks', 'lifetime', [{ value: 7 }]],
      ['post_reactions_by_type_total', 'lifetime', [{ value: { like: 3, love: 1 } }]],
    ]);
    expect(body.data[0].id).toBe(`${postIds[0]}/insights/post_clicks/lifetime`);
    expect(Object.keys(body.paging)).toEqual(['previous', 'next']);
  });

  test.each(['post_impressions', 'post_impressions_unique', 'post_engaged_users', 'toString'])(
    'fail as a whole with the dead %s',
    async (dead) => {
      const sandbox = still();
      const { token, postIds } = pageOf(sandbox);
      const path = `/${postIds[0]}/insights`;
      const reply = await caller(sandbox).get(path, token, { metric: `post_clicks,${dead}` });
      expect(refusal(reply)).toEqual([400, 100, undefined]);
      expect(reply.body.error.message).toContain('must be a valid insights metric');
    },
  );

  test('fail with a metric that was retired since', async () => {
    const sandbox = still();
    const { token, postIds } = pageOf(sandbox);
    const ask = (): Promise<Reply> =>
      caller(sandbox).get(`/${postIds[0]}/insights`, token, { metric: 'post_clicks' });
    expect((await ask()).status).toBe(200);
    sandbox.tune({ metrics: { retired: ['post_clicks'] } });
    expect(refusal(await ask())).toEqual([400, 100, undefined]);
  });

  test('are empty, not refused, for a token without read_insights', async () => {
    const sandbox = still();
    const { postIds } = pageOf(sandbox);
    const token = sandbox.issueToken({ kind: 'page', scopes: ['pages_read_engagement', 'pages_show_list'] });
    const reply = await caller(sandbox).get(`/${postIds[0]}/insights`, token, { metric: 'post_clicks' });
    expect([reply.status, reply.body.data]).toEqual([200, []]);
  });

  test('come twice without a period, as lifetime and as days that read 0', async () => {
    const sandbox = still();
    const { token, postIds } = pageOf(sandbox);
    const path = `/${postIds[0]}/insights`;
    const ask = async (params: Record<string, string>): Promise<unknown> => {
      const { body } = await caller(sandbox).get(path, token, { metric: 'post_media_view', ...params });
      return body.data.map((one: Loose) => [one.period, one.values[0].value]);
    };
    expect(await ask({})).toEqual([
      ['lifetime', 84],
      ['day', 0],
    ]);
    expect(await ask({ period: 'lifetime' })).toEqual([['lifetime', 84]]);
  });

  test('without a metric: 3001/1504028', async () => {
    const sandbox = still();
    const { token, postIds } = pageOf(sandbox);
    const reply = await caller(sandbox).get(`/${postIds[0]}/insights`, token);
    expect(refusal(reply)).toEqual([400, 3001, 1_504_028]);
  });
});

describe('video insights', () => {
  async function published(edge: 'videos' | 'video_reels') {
    const sandbox = still();
    const { id, token } = pageOf(sandbox);
    const { get, post } = caller(sandbox);
    const fileUrl = 'https://cdn.example/a.mp4';
    const { body } =
      edge === 'videos'
        ? await post(`/${id}/videos`, token, { file_url: fileUrl })
        : await post(`/${id}/video_reels`, token, { upload_phase: 'start' });
    const path = `/${body.id ?? body.video_id}/video_insights`;
    return async (params: Record<string, string> = {}): Promise<Reply> => get(path, token, params);
  }

  test('are of the kind of the video, all of them without a choice', async () => {
    const ofVideo = await published('videos');
    const ofReel = await published('video_reels');
    const namesOf = ({ body }: Reply): string[] => body.data.map((one: Loose) => one.name);
    expect(namesOf(await ofVideo())).toContain('total_video_views');
    // Retired, and yet still given.
    expect(namesOf(await ofReel())).toContain('post_impressions_unique');
    expect(namesOf(await ofReel({ metric: 'blue_reels_play_count', period: 'lifetime' }))).toEqual([
      'blue_reels_play_count',
    ]);
  });

  test.each([
    ['videos', 'total_video_views,total_video_impressions'],
    ['videos', 'blue_reels_play_count'],
    ['video_reels', 'total_video_views'],
    ['video_reels', 'post_impressions_unique'],
  ] as const)(
    'fail as a whole with a metric that is dead or of the other kind: %s %s',
    async (edge, metric) => {
      const ask = await published(edge);
      expect(refusal(await ask({ metric }))).toEqual([400, 100, undefined]);
    },
  );
});
