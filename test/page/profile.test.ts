import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { pageProfile, pageStatus } from '../../src/page/profile.ts';
import { authenticated, graphBase, pageContext, token } from '../support/context.ts';
import { refusal } from './support.ts';

const options = { pageId: '42', pageToken: token };

function ask(fields: string): nock.Interceptor {
  return nock(graphBase)
    .get('/42')
    .query({ ...authenticated, fields });
}

const all =
  'id,name,username,link,category,about,description,emails,phone,website,single_line_address,location,hours,' +
  'fan_count,followers_count,rating_count,overall_star_rating,verification_status,is_published,' +
  'is_permanently_closed,picture{url},cover{source},instagram_business_account{id,username}';

describe('pageProfile', () => {
  test('reads what a Page says of itself', async () => {
    const body = {
      id: '42',
      name: 'Bakery',
      username: 'bakery',
      emails: ['hello@bakery.example'],
      location: { city: 'Berlin', latitude: 52.5 },
      hours: { mon_1_open: '09:00' },
      followers_count: 1200,
      overall_star_rating: 4.5,
      is_published: true,
      about: null,
      picture: { data: { url: 'https://cdn.example/p.jpg' } },
      cover: { id: '9', source: 'https://cdn.example/c.jpg' },
      instagram_business_account: { id: '17841400000000001', username: 'bakery.pics' },
    };
    ask(all).reply(200, body);

    const profile = (await pageProfile(pageContext(), options))._unsafeUnwrap();

    expect(profile).toEqual({
      id: '42',
      name: 'Bakery',
      username: 'bakery',
      emails: ['hello@bakery.example'],
      location: { city: 'Berlin', latitude: 52.5 },
      hours: { mon_1_open: '09:00' },
      followers_count: 1200,
      overall_star_rating: 4.5,
      is_published: true,
      picture: 'https://cdn.example/p.jpg',
      cover: 'https://cdn.example/c.jpg',
      pics_id: '17841400000000001',
      pics_username: 'bakery.pics',
      raw: body,
    });
  });

  test('reads hours that come as a list, and the rest despite what it cannot read', async () => {
    const hours = [{ key: 'mon_1_open', value: '09:00' }];
    const body = { id: 42, name: 'Bakery', hours, fan_count: '12', is_published: 'true', location: 'Berlin' };
    ask(all).reply(200, body);

    const profile = (await pageProfile(pageContext(), options))._unsafeUnwrap();

    expect(profile).toEqual({
      id: '42',
      name: 'Bakery',
      hours: { mon_1_open: '09:00' },
      fan_count: 12,
      is_published: true,
      raw: body,
    });
  });

  test('asks for other fields, and has them in raw', async () => {
    ask('id,checkins').reply(200, '{"id":12345678901234567891,"checkins":7}');

    const profile = (
      await pageProfile(pageContext(), { ...options, fields: ['id', 'checkins'] })
    )._unsafeUnwrap();

    expect([profile.id, profile.name, profile.raw['checkins']]).toEqual([
      '12345678901234567891',
      undefined,
      7,
    ]);
  });

  test.each([
    ['a field is unknown', 400, refusal(100), { category: 'validation' }],
    ['the response has no id', 200, { name: 'x' }, { name: 'ApiError', status: 200 }],
  ])('fails when %s', async (_, status, body, expected) => {
    ask(all).reply(status, body);

    expect((await pageProfile(pageContext(), options))._unsafeUnwrapErr()).toMatchObject(expected);
  });
});

describe('pageStatus', () => {
  const asked = (): nock.Interceptor => nock(graphBase).get('/42/page_status').query(authenticated);
  const at = (seconds: number): Date => new Date(seconds * 1000);

  test('reads the status as documented, times as Dates', async () => {
    const body = {
      id: '42',
      timestamp: 1_763_665_904,
      status: 'restricted',
      violations: [{ type: 'SPAM', description: 'Spam', url: 'https://example.com', severity: 'LOW' }],
      restrictions: [
        {
          feature: 'page_messaging_api',
          description: 'No messages',
          applied_time: 1_763_665_904,
          expiration_time: 1_763_675_775,
          violation_type: ['SPAM'],
        },
        { feature: 'page_publish', applied_time: '1763665904', expiration_time: null },
      ],
      recommended_actions: [
        { action_type: 'FILE_APPEAL', url: 'https://example.com', violation_type: ['SPAM'] },
      ],
      actions_events: [
        { type: 'FILE_APPEAL', status: 'OPEN', created_time: 1_763_666_000, updated_time: 1_763_667_000 },
      ],
    };
    asked().reply(200, body);

    const found = (await pageStatus(pageContext(), options))._unsafeUnwrap();

    const [first, second] = body.restrictions;
    expect(found).toEqual({
      status: 'restricted',
      timestamp: at(1_763_665_904),
      violations: body.violations,
      restrictions: [
        { ...first, applied_time: at(1_763_665_904), expiration_time: at(1_763_675_775) },
        { feature: second?.feature, applied_time: at(1_763_665_904) },
      ],
      recommended_actions: body.recommended_actions,
      actions_events: [
        { ...body.actions_events[0], created_time: at(1_763_666_000), updated_time: at(1_763_667_000) },
      ],
      raw: body,
    });
    expect(found.restrictions[0]).toHaveProperty('raw', first);
  });

  test('of a Page without fault has empty lists, sent or not', async () => {
    asked().reply(200, { id: '42', status: 'ok', timestamp: 'soon', violations: [] });

    expect((await pageStatus(pageContext(), options))._unsafeUnwrap()).toMatchObject({
      status: 'ok',
      timestamp: undefined,
      violations: [],
      restrictions: [],
      recommended_actions: [],
      actions_events: [],
    });
  });

  test('fails with PermissionError when the permission is missing', async () => {
    asked().reply(403, refusal(10));

    const error = (await pageStatus(pageContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'PermissionError', code: 10 });
  });
});
