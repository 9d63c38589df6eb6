import { describe, expect, test } from 'vitest';

import type { Sandbox } from '../../src/sandbox/index.ts';
import { as, modes } from './pics/support.ts';
import { caller, type Loose, pageOf, refusal, start, still } from './support/caller.ts';

const hour = 3_600_000;

/** Reads a list of the first Page. */
function posts(sandbox: Sandbox, fields: string, params = {}) {
  const { id, token } = pageOf(sandbox);
  return caller(sandbox).get(`/${id}/published_posts`, token, { fields, ...params });
}

function media(sandbox: Sandbox, mode: 'login' | 'page', fields: string, params = {}) {
  const { get, account } = as(mode, sandbox);
  return get(`${account}/media`, { fields, ...params });
}

describe('what belongs to entries, within their list,', () => {
  test('is read for each entry: an empty list takes what another refuses', async () => {
    const dead = 'insights.metric(post_impressions)';
    expect(refusal(await posts(still(), dead))).toEqual([400, 100, undefined]);
    expect((await posts(still({ posts: 0 }), dead)).body.data).toEqual([]);

    const sandbox = still();
    const strange = 'insights.metric(plays)';
    expect(refusal(await media(sandbox, 'page', strange))).toEqual([400, 100, undefined]);
    const before = { until: String(start / 1000 - 100 * 86_400) };
    expect((await media(sandbox, 'page', strange, before)).body).toEqual({ data: [] });
  });

  test('is absent where there is nothing, and there with a summary', async () => {
    const sandbox = still({ comments: 1 });
    const fields = 'comments{message},likes{name},reactions{type}';
    const { data } = (await posts(sandbox, fields)).body;
    expect(Object.keys(data[0])).toEqual(['comments', 'id']);
    expect(Object.keys(data[1])).toEqual(['id']);
    const counted = await posts(sandbox, 'comments.limit(0).summary(true),likes.summary(total_count)');
    expect(counted.body.data[1]).toEqual({
      comments: { data: [], summary: { order: 'chronological', total_count: 0, can_comment: true } },
      likes: { data: [], summary: { total_count: 0 } },
      id: expect.any(String),
    });
    const listed = (await media(sandbox, 'page', 'comments{text}')).body.data;
    expect(listed.map((one: Loose) => 'comments' in one)).toEqual([true, false, false, false, false]);
  });

  test.each(modes)('has endless addresses with the token in each entry: %s', async (mode) => {
    const sandbox = still();
    const { token } = as(mode, sandbox);
    const { data } = (await media(sandbox, mode, 'insights.metric(reach){values}')).body;
    for (const { id, insights } of data) {
      for (const address of [insights.paging.previous, insights.paging.next]) {
        const { pathname, searchParams } = new URL(address);
        expect(pathname).toBe(`/v26.0/${id}/insights`);
        expect([...searchParams.keys()].toSorted()).toEqual([
          'access_token',
          'fields',
          'metric',
          'since',
          'until',
        ]);
        expect(searchParams.get('access_token')).toBe(token);
      }
    }
    const [{ insights }] = (await posts(sandbox, 'insights.metric(post_clicks)')).body.data;
    expect(insights.paging.next).toContain(`access_token=${pageOf(sandbox).token}`);
  });

  test('has of metrics what is selected, and their period and id', async () => {
    const sandbox = still();
    const [post] = (await posts(sandbox, 'insights.metric(post_clicks).period(lifetime){name,values}')).body
      .data;
    expect(post.insights.data).toEqual([
      {
        name: 'post_clicks',
        period: 'lifetime',
        values: [{ value: 7 }],
        id: `${post.id}/insights/post_clicks/lifetime`,
      },
    ]);
    const [whole] = (await posts(sandbox, 'insights . metric( post_clicks )\n')).body.data;
    expect(whole.insights.data[0]).toMatchObject({ title: 'post clicks', description: expect.any(String) });
  });

  test('pages by cursors, but comments of an account where there are more', async () => {
    const sandbox = still({ comments: 3 });
    const [all] = (await posts(sandbox, 'comments{message}')).body.data;
    expect(Object.keys(all.comments.paging)).toEqual(['cursors']);
    const [some] = (await posts(sandbox, 'comments.limit(2).order(reverse_chronological){message}')).body
      .data;
    const next = new URL(some.comments.paging.next);
    expect(next.pathname).toBe(`/v26.0/${some.id}/comments`);
    expect(Object.fromEntries(next.searchParams)).toMatchObject({
      access_token: pageOf(sandbox).token,
      fields: 'message',
      limit: '2',
      order: 'reverse_chronological',
    });

    const [mediaId = ''] = sandbox.account.mediaIds;
    const [few] = (await media(sandbox, 'page', 'comments{text,replies{text}}')).body.data;
    expect(few.comments).toEqual({ data: expect.any(Array) });
    expect(few.comments.data.map((one: Loose) => one.replies && Object.keys(one.replies))).toContainEqual([
      'data',
    ]);
    for (let index = 0; index < 60; index += 1) sandbox.addComment({ on: mediaId, message: 'a' });
    const [many] = (await media(sandbox, 'page', 'comments.limit(100){text}')).body.data;
    expect(many.comments.data).toHaveLength(50);
    expect(many.comments.paging.next).toContain(`/${mediaId}/comments?access_token=`);
  });

  test('takes the order and the filter of comments', async () => {
    const sandbox = still({ comments: 2 });
    const [post] = (await posts(sandbox, 'comments.filter(stream).order(chronological){message,parent}')).body
      .data;
    const found = post.comments.data.map((one: Loose) => [one.message, one.parent?.message]);
    expect(found).toEqual([
      ['Comment 2', undefined],
      ['Comment 1', undefined],
      ['Reply to 1', 'Comment 1'],
    ]);
  });

  test('counts more comments of an account than it lists', async () => {
    const sandbox = still();
    const { commentIds } = sandbox.account;
    sandbox.tune({ pics: { heldComments: commentIds.slice(0, 1) } });
    const [first] = (await media(sandbox, 'page', 'comments_count,comments{id}')).body.data;
    expect(first.comments.data).toHaveLength(commentIds.length - 1);
    expect(first.comments_count).toBe(commentIds.length + 1);
    sandbox.tune({ pics: { heldComments: commentIds } });
    const [none] = (await media(sandbox, 'page', 'comments_count,comments{id}')).body.data;
    expect(none).toEqual({ id: first.id, comments_count: commentIds.length + 1 });
  });

  test('does not say which metric of a Page is dead, with its code or without', async () => {
    const sandbox = still();
    sandbox.tune({ metrics: { retired: ['post_clicks'] } });
    const ask = async (): Promise<string> =>
      (await posts(sandbox, 'insights.metric(post_clicks,post_media_view)')).body.error.message;
    const text = 'The value must be a valid insights metric';
    expect([await ask(), await ask()].toSorted()).toEqual([`(#100) ${text}`, text]);
  });

  test('says which metric of an account is dead, and which are not', async () => {
    const sandbox = still();
    sandbox.tune({ pics: { retiredMetrics: ['views'] } });
    const { error } = (await media(sandbox, 'login', 'insights.metric(reach,plays,views)')).body;
    expect(error.message).toMatch(/^\(#100\) metric\[1\] must be one of the following values: /);
    expect(error.message.split(': ')[1].split(', ')).toEqual(expect.arrayContaining(['reach', 'replies']));
    expect(error.message.split(': ')[1].split(', ')).not.toContain('views');
  });

  test('names metrics as living that no media has', async () => {
    const sandbox = still();
    const { message } = (await media(sandbox, 'page', 'insights.metric(plays)')).body.error;
    expect(message).toContain('impressions');
    const refused = await media(sandbox, 'page', 'insights.metric(impressions)');
    expect(refused.body.error.message).toContain('not supported for the media product type FEED');
  });

  test('names the field that lacks its metric, or has a bad one', async () => {
    const sandbox = still();
    const say = async (fields: string): Promise<string> => (await posts(sandbox, fields)).body.error.message;
    expect(await say('insights{name}')).toBe("(#100) For field 'insights': The parameter metric is required");
    expect(await say('insights.metric(post_clicks).period(aeon)')).toMatch(
      /^\(#100\) For field 'insights': /,
    );
    expect((await media(sandbox, 'page', 'insights{name}')).body.error.message).toContain(
      "For field 'insights'",
    );
  });

  test('fails for a medium from before the conversion, and in login mode lacks it', async () => {
    const sandbox = still();
    const fields = 'timestamp,insights.metric(reach)';
    const all = (await media(sandbox, 'page', fields)).body.data;
    sandbox.tune({ pics: { convertedAt: Date.parse(all[2].timestamp) } });
    const failed = await media(sandbox, 'page', fields);
    expect(refusal(failed)).toEqual([400, 100, 2_108_006]);
    expect(failed.body.error).toMatchObject({
      message: 'Invalid parameter',
      error_data: { blame_field_specs: [['']] },
      error_user_title: 'Media posted before business account conversion',
    });
    expect(refusal(await as('login', sandbox).get(`/${all[3].id}/insights`, { metric: 'reach' }))[2]).toBe(
      2_108_006,
    );
    const { data } = (await media(sandbox, 'login', fields)).body;
    expect(data.map((one: Loose) => 'insights' in one)).toEqual([true, true, true, false, false]);
    sandbox.tune({ pics: { omitsInsights: false } });
    expect(refusal(await media(sandbox, 'login', fields))[2]).toBe(2_108_006);
  });

  test('fails for metrics that a type lacks, and in login mode lacks them', async () => {
    const sandbox = still();
    const fields = 'media_product_type,insights.metric(reach,profile_visits,ig_reels_avg_watch_time)';
    expect(refusal(await media(sandbox, 'page', fields))).toEqual([400, 100, undefined]);
    const { data } = (await media(sandbox, 'login', fields)).body;
    const names = (one: Loose) => one.insights.data.map(({ name }: Loose) => name).join();
    expect(new Set(data.map((one: Loose) => `${one.media_product_type}: ${names(one)}`))).toEqual(
      new Set(['FEED: reach,profile_visits', 'REELS: reach,ig_reels_avg_watch_time']),
    );
  });

  test('fails for a story with few viewers', async () => {
    const sandbox = still();
    const { get, account } = as('page', sandbox);
    const read = () => get(`${account}/stories`, { fields: 'insights.metric(reach)' });
    expect(refusal(await read())).toEqual([403, 10, undefined]);
    sandbox.tune({ pics: { omitsInsights: true } });
    expect((await read()).body.data.map((one: Loose) => 'insights' in one)).toEqual([true, false]);
  });

  test('is absent in a post without numbers', async () => {
    const sandbox = still();
    const { postIds, token } = pageOf(sandbox);
    sandbox.tune({ metrics: { postsWithout: [postIds[1] ?? ''] } });
    const { data } = (await posts(sandbox, 'insights.metric(post_clicks)', { limit: '2' })).body;
    expect(data.map((one: Loose) => 'insights' in one)).toEqual([true, false]);
    const alone = await caller(sandbox).get(`/${postIds[1]}/insights`, token, { metric: 'post_clicks' });
    expect(alone.body.data).toEqual([]);
  });

  test('is empty without read_insights, or refused', async () => {
    const sandbox = still();
    const { id } = pageOf(sandbox);
    const scopes = ['pages_read_engagement', 'pages_show_list'];
    const few = sandbox.issueToken({ kind: 'page', pageId: id, scopes });
    sandbox.tune({ pages: { openPosts: true } });
    const read = () =>
      caller(sandbox).get(`/${id}/published_posts`, few, { fields: 'insights.metric(post_clicks)' });
    expect((await read()).body.data[0].insights.data).toEqual([]);
    sandbox.tune({ metrics: { refuseUnread: true } });
    expect(refusal(await read())).toEqual([403, 10, undefined]);
  });

  test.each(['comments{id}', 'reactions.limit(0).summary(total_count)'])(
    'is refused without the permission for what people write: %s',
    async (field) => {
      const sandbox = still();
      const { id } = pageOf(sandbox);
      const scopes = ['pages_read_engagement', 'pages_show_list'];
      const few = sandbox.issueToken({ kind: 'page', pageId: id, scopes });
      const read = (fields: string) => caller(sandbox).get(`/${id}/published_posts`, few, { fields });
      expect(refusal(await read('message'))).toEqual([403, 10, undefined]);
      sandbox.tune({ pages: { openPosts: true } });
      expect((await read('message')).status).toBe(200);
      expect(refusal(await read(field))).toEqual([403, 10, undefined]);
    },
  );

  test.each(modes)('has no comments without their permission, or none with a name: %s', async (mode) => {
    const sandbox = still();
    const scopes =
      mode === 'login'
        ? ['instagram_business_basic']
        : ['instagram_basic', 'pages_read_engagement', 'pages_show_list'];
    const few =
      mode === 'login'
        ? sandbox.issueToken({ kind: 'pics', scopes })
        : sandbox.issueToken({ kind: 'page', pageId: pageOf(sandbox).id, scopes });
    const { get, account } = as(mode, sandbox, few);
    const { data } = (await get(`${account}/media`, { fields: 'comments_count,comments{id,username,text}' }))
      .body;
    expect(data[0].comments_count).toBeGreaterThan(0);
    if (mode === 'login') expect(data[0]).not.toHaveProperty('comments');
    else expect(Object.keys(data[0].comments.data[0]).toSorted()).toEqual(['id', 'text', 'timestamp']);
  });

  test('is refused where it is too much data, by its size', async () => {
    const sandbox = still();
    sandbox.tune({ lists: { mostCharacters: 4000 } });
    const fields = 'message,insights.metric(post_clicks,post_media_view)';
    expect(refusal(await posts(sandbox, fields))).toEqual([500, 1, undefined]);
    expect((await posts(sandbox, 'message')).status).toBe(200);
    expect((await posts(sandbox, fields, { limit: '2' })).body.data).toHaveLength(2);
  });

  test('has 0 of a video in other posts, and refuses a time', async () => {
    const sandbox = still();
    const { data } = (await posts(sandbox, 'insights.metric(post_video_views).period(lifetime)')).body;
    expect(data[0].insights.data[0].values).toEqual([{ value: 0 }]);
    expect(refusal(await posts(sandbox, 'insights.metric(post_video_view_time)'))[1]).toBe(100);
  });

  test('belongs to videos and Reels, leads of forms, and messages of conversations', async () => {
    const sandbox = still();
    const { id, token, conversationIds, contacts } = pageOf(sandbox);
    const { get, post } = caller(sandbox);
    await post(`/${id}/videos`, token, { file_url: 'https://img.example/a.mp4' });
    const [video] = (
      await get(`/${id}/videos`, token, {
        type: 'UPLOADED',
        fields: 'video_insights.metric(total_video_views){name,values},likes.summary(true),comments{id}',
      })
    ).body.data;
    expect(video.video_insights.data[0].values).toEqual([{ value: 120 }]);
    expect([video.likes.summary.total_count, 'comments' in video]).toEqual([0, false]);
    const forms = (await get(`/${id}/leadgen_forms`, token, { fields: 'leads.limit(1){created_time}' })).body
      .data;
    expect(forms.map((one: Loose) => one.leads?.data.length)).toEqual([undefined, 1]);
    const inbox = (await get(`/${id}/conversations`, token, { fields: 'messages.limit(2){message}' })).body
      .data;
    expect(inbox.map((one: Loose) => one.messages.data.length)).toEqual([2, 1, 2]);
    expect(inbox[0].messages.paging.next).toContain(`/${conversationIds[0]}/messages?`);
    expect(contacts).toHaveLength(3);
  });
});

test('photos, posts and their attachments have their pictures', async () => {
  const sandbox = still();
  const { id, token } = pageOf(sandbox);
  const { get, post } = caller(sandbox);
  const url = 'https://img.example/a.jpg';
  const { body: photo } = await post(`/${id}/photos`, token, { url });
  await post(`/${id}/feed`, token, { message: 'Read', link: 'https://example.com/news' });
  const shown = (await get(`/${photo.id}`, token, { fields: 'images,picture,width' })).body;
  expect(shown.images[0]).toEqual({ height: 1080, source: expect.any(String), width: 1080 });
  expect(shown.images.map((one: Loose) => one.width)).toEqual([1080, 720, 480, 130]);
  expect(shown.picture).toBe(shown.images.at(-1).source);

  sandbox.advance(hour);
  const fields = 'full_picture,story,attachments{media_type,url,media{image{src}}}';
  const [link, ofPhoto, plain] = (await posts(sandbox, fields)).body.data;
  expect(ofPhoto).toMatchObject({
    full_picture: expect.stringContaining(photo.id),
    story: 'Harbour Coffee added a new photo.',
    attachments: {
      data: [{ media_type: 'photo', media: { image: { src: expect.stringContaining(photo.id) } } }],
    },
  });
  expect(link.attachments.data[0]).toMatchObject({ media_type: 'link', url: 'https://example.com/news' });
  expect(Object.keys(plain)).toEqual(['id']);
  expect(refusal(await get(`/${photo.id}`, token, { fields: 'album' }))[1]).toBe(100);
});
