import type { ResultAsync } from 'neverthrow';
import { describe, expect, test } from 'vitest';

import * as page from '../../src/page/index.ts';
import * as pics from '../../src/pics/index.ts';
import { stubFetch, text } from '../core/stub.ts';
import { pageContext, picsContext, picsPageContext, token } from '../support/context.ts';

type Fetch = typeof globalThis.fetch;

/** A fact about the live platform: what it sends, literally; who asks for it; and what is read from it. */
interface Recorded {
  readonly body: string;
  readonly call: (fetch: Fetch) => PromiseLike<unknown>;
  readonly read: object;
  /** Fields that are absent from it, or from its first entry. */
  readonly lacks?: readonly string[];
}

const own = { pageId: '42', pageToken: token };
const time = '2026-01-02T03:04:05+0000';
const value = async (result: ResultAsync<unknown, Error>): Promise<unknown> => (await result)._unsafeUnwrap();

/** Facts about responses, by subject: each is the name of the test that holds it. */
const responses: Readonly<Record<string, Readonly<Record<string, Recorded>>>> = {
  tokens: {
    'a code is exchanged flat, and the id of the account is a number beyond 2^53': {
      body: '{"access_token":"IGQ","user_id":17841400000000001,"permissions":["a_basic"],"token_type":"bearer","expires_in":5183944}',
      call: (fetch) => value(pics.refreshToken(picsContext({ fetch }), { token })),
      read: { user_id: '17841400000000001', expires_in: 5183944, permissions: ['a_basic'] },
    },
    'permissions of a renewed token are one text': {
      body: '{"access_token":"IGQ","token_type":"bearer","expires_in":5183944,"permissions":"a_basic,a_publish"}',
      call: (fetch) => value(pics.refreshToken(picsContext({ fetch }), { token })),
      read: { permissions: ['a_basic', 'a_publish'] },
    },
    'a dead token is told with HTTP 200, and may keep its scopes': {
      body: '{"data":{"app_id":"1","is_valid":false,"error":{"code":190,"message":"Invalid","subcode":467},"scopes":["pages_show_list"]}}',
      call: (fetch) => value(page.inspectToken(pageContext({ fetch }), { token })),
      read: { is_valid: false, error: { code: 190, subcode: 467 }, scopes: ['pages_show_list'] },
    },
    'a token that never ends expires at 0': {
      body: '{"data":{"app_id":"1","type":"PAGE","is_valid":true,"expires_at":0,"profile_id":"42","granular_scopes":[{"scope":"a_basic","target_ids":["17841400000000001"]}]}}',
      call: (fetch) => value(page.inspectToken(pageContext({ fetch }), { token })),
      read: { never_expires: true, expires_at: undefined, profile_id: '42' },
    },
  },
  Pages: {
    'a Page without a professional account lacks the field': {
      body: '{"data":[{"id":"42","name":"Shop","access_token":"T","category":"c","tasks":["MANAGE"]}],"paging":{"cursors":{"before":"a","after":"b"}}}',
      call: (fetch) => value(page.pages(pageContext({ fetch }), { token })),
      read: [{ id: '42', pics_id: undefined, tasks: ['MANAGE'] }],
    },
    'hours may come as a list of keys and values': {
      body: '{"id":"42","name":"Shop","hours":[{"key":"mon_1_open","value":"09:00"},{"key":"mon_1_close","value":"18:00"}]}',
      call: (fetch) => value(page.pageProfile(pageContext({ fetch }), own)),
      read: { hours: { mon_1_open: '09:00', mon_1_close: '18:00' } },
    },
    'a post may lack its text, and links of feeds go by time': {
      body: `{"data":[{"created_time":"${time}","story":"Shop updated the cover photo.","id":"42_1"}],"paging":{"cursors":{"before":"a","after":"b"}}}`,
      call: (fetch) => value(page.posts(pageContext({ fetch }), own)),
      read: [{ id: '42_1', story: 'Shop updated the cover photo.' }],
    },
    'a comment lacks its author where the app may not know': {
      body: `{"data":[{"id":"1_2","message":"Nice","created_time":"${time}","like_count":0,"comment_count":1}]}`,
      call: (fetch) => value(page.comments(pageContext({ fetch }), { postId: '42_1', pageToken: token })),
      read: [{ id: '1_2', comment_count: 1 }],
      lacks: ['from'],
    },
    'an app that is subscribed lists its fields': {
      body: '{"data":[{"category":"Business","link":"https://app.test","name":"App","id":"9","subscribed_fields":["feed","leadgen"]}]}',
      call: (fetch) => value(page.subscriptions(pageContext({ fetch }), own)),
      read: [{ id: '9', subscribed_fields: ['feed', 'leadgen'] }],
    },
    'insights have a title that may be null, and a value by kind': {
      body: '{"data":[{"name":"post_reactions_by_type_total","period":"lifetime","values":[{"value":{"like":3,"love":1}}],"title":null,"id":"42_1/insights"}],"paging":{"previous":"x","next":"y"}}',
      call: (fetch) =>
        value(
          page.postInsights(pageContext({ fetch }), {
            postId: '42_1',
            pageToken: token,
            metrics: ['post_reactions_by_type_total'],
          }),
        ),
      read: { post_reactions_by_type_total: { like: 3, love: 1 } },
    },
    'a story has its time as unix seconds in a text': {
      body: '{"data":[{"post_id":1767323045000001,"status":"PUBLISHED","creation_time":"1767323045","media_type":"video","media_id":"9","url":"https://page.test/stories"}],"paging":{}}',
      call: (fetch) => value(page.stories(pageContext({ fetch }), own)),
      read: [{ post_id: '1767323045000001', creation_time: '1767323045' }],
    },
    'bytes of a video are spelt in two ways, and phases end in two ways': {
      body: '{"status":{"video_status":"processing","uploading_phase":{"status":"completed","bytes_transferred":50002},"processing_phase":{"status":"in_progress"},"publishing_phase":{"status":"not_started"}},"id":"77"}',
      call: (fetch) => value(page.videoStatus(pageContext({ fetch }), { videoId: '77', pageToken: token })),
      read: { uploading_phase: { status: 'complete', bytes_transfered: 50002 } },
    },
  },
  leads: {
    'an organic lead has no ad': {
      body: `{"id":"1636129430026801","created_time":"${time}","form_id":"12345","field_data":[{"name":"full_name","values":["Ann Lee"]},{"name":"email","values":["a@x.test"]}]}`,
      call: (fetch) =>
        value(page.lead(pageContext({ fetch }), { leadgenId: '1636129430026801', pageToken: token })),
      read: { fields: { full_name: 'Ann Lee', email: 'a@x.test' }, ad_id: undefined },
    },
    'a form has its language as a locale': {
      body: '{"data":[{"id":"12345","name":"Form","status":"ACTIVE","locale":"en_US","leads_count":"7","questions":[{"key":"email","label":"Email","type":"EMAIL","id":"1"}]}]}',
      call: (fetch) => value(page.leadForms(pageContext({ fetch }), own)),
      read: [{ language: 'en_US', leads_count: 7 }],
    },
  },
  'photo-sharing': {
    'the own account comes wrapped in a list': {
      body: '{"data":[{"user_id":"17841400000000001","username":"shop","id":"23","account_type":"BUSINESS"}]}',
      call: (fetch) => value(pics.profile(picsContext({ fetch }), { token })),
      read: { id: '23', user_id: '17841400000000001', username: 'shop' },
    },
    'media lacks its address over copyright, and its likes where they are hidden': {
      body: `{"data":[{"id":"18","media_type":"VIDEO","media_product_type":"REELS","permalink":"https://pics.test/p/x/","timestamp":"${time}"}],"paging":{"cursors":{"before":"a","after":"b"}}}`,
      call: (fetch) => value(pics.media(picsContext({ fetch }), { token })),
      read: [{ id: '18', media_type: 'VIDEO' }],
      lacks: ['media_url', 'like_count'],
    },
    'a container tells its state in a code and in words': {
      body: '{"status_code":"IN_PROGRESS","status":"In Progress: Media is still being processed.","id":"1788"}',
      call: (fetch) => value(pics.containerStatus(picsContext({ fetch }), { containerId: '1788', token })),
      read: { status_code: 'IN_PROGRESS' },
    },
    'a download that failed may leave the code of the state empty': {
      body: '{"status_code":"","status":"Error: Media download has failed. The media URI does not meet our requirements.","id":"1788"}',
      call: (fetch) => value(pics.containerStatus(picsContext({ fetch }), { containerId: '1788', token })),
      read: { status_code: 'ERROR' },
    },
    'the quota is a list of one, with or without its limits': {
      body: '{"data":[{"quota_usage":2,"config":{"quota_total":50,"quota_duration":86400}}]}',
      call: (fetch) => value(pics.publishingLimit(picsContext({ fetch }), { token })),
      read: { quota_usage: 2, quota_total: 50, quota_duration: 86400 },
    },
    'followers are counted by one dimension, or joined ones': {
      body: '{"data":[{"name":"follower_demographics","period":"lifetime","total_value":{"breakdowns":[{"dimension_keys":["age"],"results":[{"dimension_values":["25-34"],"value":123}]}]},"id":"17/insights"}]}',
      call: (fetch) => value(pics.demographics(picsContext({ fetch }), { token })),
      read: { age: { available: true, values: { '25-34': 123 } } },
    },
    'comments in development mode are empty, with cursors': {
      body: '{"data":[],"paging":{"cursors":{"before":"..","after":".."}}}',
      call: (fetch) => value(pics.comments(picsContext({ fetch }), { mediaId: '18', token })),
      read: [],
    },
  },
  inboxes: {
    'a message that the API does not support says so in a text': {
      body: `{"data":[{"id":"m2","created_time":"${time}","from":{"username":"ada","id":"7"},"to":{"data":[{"username":"shop","id":"17"}]},"message":"","is_unsupported":"true"},{"id":"m1","created_time":"${time}","message":"Hi"}],"paging":{"cursors":{"after":"x"}}}`,
      call: (fetch) => value(pics.messages(picsContext({ fetch }), { conversationId: 't1', token })),
      read: { data: [{ id: 'm2', is_unsupported: true }, { id: 'm1' }], paging: { cursors: { after: 'x' } } },
    },
    'a conversation names both sides, the business by its account id': {
      body: `{"data":[{"id":"t1","updated_time":"${time}","participants":{"data":[{"username":"shop","id":"17841400000000001"},{"username":"ada","id":"7"}]},"messages":{"data":[{"id":"m1","created_time":"${time}","from":{"username":"ada","id":"7"},"message":"Hi"}]}}],"paging":{"cursors":{"before":"a","after":"b"}}}`,
      call: (fetch) =>
        value(
          pics.conversations(picsPageContext({ fetch }), {
            pageId: '42',
            picsUserId: '17841400000000001',
            token,
            enrich: false,
          }),
        ),
      read: { data: [{ id: 't1', contact: { id: '7', username: 'ada' }, last_message: { message: 'Hi' } }] },
    },
    'a profile may lack its name and its picture': {
      body: '{"name":null,"username":"ada","profile_pic":null,"follower_count":1234,"is_user_follow_business":false,"is_business_follow_user":true,"id":"7"}',
      call: (fetch) => value(pics.contact(picsContext({ fetch }), { igsid: '7', token })),
      read: { id: '7', available: true, follower_count: 1234 },
      lacks: ['name', 'profile_pic'],
    },
  },
};

describe.each(Object.entries(responses))('%s', (_, facts) => {
  test.each(Object.entries(facts))('%s', async (_fact, { body, call, read, lacks = [] }) => {
    const got = await call(stubFetch(text(body)));

    expect(got).toMatchObject(read);
    for (const name of lacks) expect([got].flat()[0]).not.toHaveProperty(name);
  });
});
