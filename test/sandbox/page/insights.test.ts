import { describe, expect, test } from 'vitest';

import { caller, pageOf, refusal, still, type Loose, type Reply } from '../support/caller.ts';

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
