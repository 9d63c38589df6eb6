import { describe, expect, test } from 'vitest';

import { parseDelivery, type WebhookEvent } from '../../src/webhooks/index.ts';
import { fc } from '../support/property.ts';
import { messaging, pageChanges, toWire } from './support.ts';

function eventsOf(delivery: unknown): readonly WebhookEvent[] {
  return parseDelivery(typeof delivery === 'string' ? delivery : toWire(delivery))._unsafeUnwrap().events;
}

function only(delivery: unknown): WebhookEvent {
  const events = eventsOf(delivery);
  expect(events).toHaveLength(1);
  return events[0] as WebhookEvent;
}

describe('a lead', () => {
  const wire =
    '{"object":"page","entry":[{"id":12200000000000001,"time":1485964826,"changes":[{"field":"leadgen","value":{"leadgen_id":12200000000000003,"page_id":12345,"form_id":12345,"adgroup_id":0,"ad_id":0,"created_time":1485964825}}]}]}';

  test('has exact ids, small ones too, and the times of its event', () => {
    expect(only(wire)).toMatchObject({
      type: 'leadgen',
      client: 'page',
      accountId: '12200000000000001',
      sentAt: new Date('2017-02-01T16:00:26Z'),
      at: new Date('2017-02-01T16:00:25Z'),
      standby: false,
      data: {
        leadgen_id: '12200000000000003',
        page_id: '12345',
        form_id: '12345',
        adgroup_id: '0',
        ad_id: '0',
        created_time: 1_485_964_825,
      },
    });
  });

  test('is unknown without its id', () => {
    expect(only(pageChanges({ field: 'leadgen', value: { form_id: '1' } }))).toMatchObject({
      type: 'unknown',
      field: 'leadgen',
      data: { form_id: '1' },
    });
  });
});

describe('ids', () => {
  test('are exact text, within lists and members too, and nothing else is touched', () => {
    const text = String.raw`say \"id\": 12345678901234567, \"photo_ids\":[1,2], and \u00e4`;
    const event = only(
      `{"object":"page","entry":[{"id":7,"time":1,"changes":[{"field":"feed","value":{"item":"album","message":"${text}","photo_ids":[12345678901234567, 8],"from":{"id" : 9007199254740993,"name":"N"},"recipient_id":-5,"weird":12345678901234569,"published":1,"created_time":1768000000}}]}]}`,
    );

    expect(event.accountId).toBe('7');
    expect(event.data).toEqual({
      item: 'album',
      message: 'say "id": 12345678901234567, "photo_ids":[1,2], and ä',
      photo_ids: ['12345678901234567', '8'],
      from: { id: '9007199254740993', name: 'N' },
      recipient_id: '-5',
      weird: '12345678901234569',
      published: 1,
      created_time: 1_768_000_000,
    });
  });

  test('of senders and recipients are text where old forms have numbers', () => {
    const item = {
      sender: { id: 77 },
      recipient: { id: 42 },
      timestamp: 1_457_764_197_627,
      message: { mid: 'm_1' },
    };

    expect(only(messaging('page', item))).toMatchObject({ senderId: '77', recipientId: '42' });
  });

  test('stand for themselves in any text that looks like JSON', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'"\\:[],}{ 1234567890iduab_\n'.split('')) }),
        (message) => {
          const value = { message, [`k${message}`]: 1, post_id: 'p' };
          expect(only(pageChanges({ field: 'feed', value })).data).toEqual(value);
        },
      ),
    );
  });
});

describe('a change', () => {
  test.each([
    [
      'feed',
      { item: 'comment', verb: 'add', post_id: '1_2', comment_id: '2_3', from: { id: '7', name: 'N' } },
    ],
    ['feed', { item: 'a new one', verb: 'a new one' }],
    ['leadgen', { leadgen_id: '1' }],
    ['mention', { item: 'post', verb: 'add', post_id: '1_2', sender_id: '3' }],
    ['ratings', { item: 'rating', verb: 'add', review_text: null, comment_id: null }],
  ])('of a Page: %s', (type, value) => {
    expect(only(pageChanges({ field: type, value }))).toMatchObject({
      type,
      client: 'page',
      field: type,
      data: value,
    });
  });

  test.each([
    ['comments', { id: '1', text: 't', from: { id: '2', username: 'u' }, media: { id: '3' } }],
    ['live_comments', { id: '1', media: { id: '3', media_product_type: 'LIVE' } }],
    ['mentions', { media_id: '1', comment_id: '2' }],
    ['story_insights', { media_id: '1', exits: -1, reach: 12 }],
  ])('of a photo-sharing account: %s', (type, value) => {
    const delivery = {
      object: 'instagram',
      entry: [{ id: '42', time: 1_519_399_307, changes: [{ field: type, value }] }],
    };

    expect(only(delivery)).toMatchObject({ type, client: 'pics', data: value, at: undefined });
  });

  test('of login mode stands in its entry without a list, and a comment is known by either name', () => {
    const value = { comment_id: '1', text: 't' };
    const delivery = {
      object: 'instagram',
      entry: [{ id: '42', time: 1_519_399_307, field: 'comments', value }],
    };

    expect(only(delivery)).toMatchObject({ type: 'comments', data: { id: '1', comment_id: '1', text: 't' } });
  });

  test.each([
    [{ field: 'videos', value: { id: '1' } }, 'videos'],
    [{ field: 'name', value: 'New name' }, 'name'],
    [{ field: 'feed' }, 'feed'],
    [{ field: 'feed', value: null }, 'feed'],
    [{ field: 'feed', value: 'text' }, 'feed'],
    [{ field: 'feed', value: [1] }, 'feed'],
    [{ field: '__proto__', value: { id: '1' } }, '__proto__'],
    [{ field: 'constructor', value: { id: '1' } }, 'constructor'],
    [{ field: 5, value: { id: '1' } }, ''],
    [{ value: { id: '1' } }, ''],
    ['text', ''],
    [null, ''],
    [7, ''],
  ])('that is not documented is unknown, and keeps what it brought: %j', (change, field) => {
    expect(only(pageChanges(change))).toMatchObject({
      type: 'unknown',
      field,
      data: (change as { value?: unknown } | null)?.value,
      raw: change,
    });
  });

  test('of an object that is neither a Page nor an account is unknown', () => {
    const changes = [{ field: 'connected', value: { verb: 'granted', target_ids: [5] } }];
    const delivery = { object: 'permissions', entry: [{ id: '42', uid: '42', time: 1, changes }] };

    expect(only(delivery)).toMatchObject({
      type: 'unknown',
      client: undefined,
      data: { verb: 'granted', target_ids: ['5'] },
    });
  });

  test('without values, as subscriptions of an app can ask for, is one unknown event a field', () => {
    const delivery = { object: 'page', entry: [{ id: '42', time: 1, changed_fields: ['feed', 'name'] }] };

    expect(eventsOf(delivery)).toMatchObject([
      { type: 'unknown', field: 'feed', data: undefined },
      { type: 'unknown', field: 'name', data: undefined },
    ]);
  });
});

describe('what happens in a conversation', () => {
  const people = { sender: { id: '7' }, recipient: { id: '42' } };

  test.each([
    [
      'message',
      { mid: 'm', text: 'hi', attachments: [{ type: 'image', payload: { url: 'https://cdn.test/1' } }] },
    ],
    ['message', { mid: 'm', is_deleted: true }],
    ['reaction', { mid: 'm', action: 'unreact' }],
    ['postback', { title: 'Start', payload: 'START' }],
    ['referral', { ref: 'r', source: 'SHORTLINK', type: 'OPEN_THREAD' }],
    ['read', { mid: 'm' }],
    ['read', { watermark: 1_768_000_000_000 }],
    ['message_edit', { mid: 'm', text: 'new', num_edit: '37' }],
    ['optin', { type: 'notification_messages' }],
    ['account_linking', { status: 'linked', authorization_code: 'c' }],
    ['pass_thread_control', { new_owner_app_id: '1', metadata: '' }],
    ['take_thread_control', { previous_owner_app_id: '1' }],
    ['request_thread_control', { requested_owner_app_id: '1' }],
  ])('%s', (type, data) => {
    const timestamp = 1_768_000_000_001;
    for (const [object, client] of [
      ['page', 'page'],
      ['instagram', 'pics'],
    ] as const) {
      expect(only(messaging(object, { ...people, timestamp, [type]: data }))).toMatchObject({
        type,
        client,
        data,
        senderId: '7',
        recipientId: '42',
        at: new Date(timestamp),
        sentAt: new Date(1_768_000_000_123),
      });
    }
  });

  test('delivery has no time of its own', () => {
    const data = { mids: ['m'], watermark: 1_768_000_000_000 };

    expect(only(messaging('page', { ...people, delivery: data }))).toMatchObject({
      type: 'delivery',
      data,
      at: undefined,
    });
  });

  test('policy-enforcement has no sender', () => {
    const item = {
      recipient: { id: '42' },
      timestamp: 1,
      'policy-enforcement': { action: 'block', reason: 'r' },
    };

    expect(only(messaging('page', item))).toMatchObject({ type: 'policy-enforcement', senderId: undefined });
  });

  test('is read beside members that the message brings along', () => {
    const item = {
      ...people,
      timestamp: 1,
      prior_message: { source: 'x' },
      message: { mid: 'm', app_id: 5 },
    };

    expect(only(messaging('page', item))).toMatchObject({
      type: 'message',
      data: { mid: 'm', app_id: '5' },
      raw: { prior_message: { source: 'x' } },
    });
  });

  test('while another app has the conversation is on standby', () => {
    const item = { ...people, timestamp: 1, message: { mid: 'm' } };
    const delivery = { object: 'page', entry: [{ id: '42', time: 1, standby: [item] }] };

    expect(only(delivery)).toMatchObject({ type: 'message', standby: true });
  });

  test.each([
    [{ ...people, timestamp: 1, app_roles: { 5: ['primary_receiver'] } }, 'app_roles'],
    [{ ...people, timestamp: 1, message: { text: 'no mid' } }, 'message'],
    [{ ...people, timestamp: 1, message: null }, 'message'],
    [{ ...people, timestamp: 1, reaction: 'love' }, 'reaction'],
    [{ ...people }, ''],
    [{ sender: 5, recipient: null, hasOwnProperty: 1 }, 'hasOwnProperty'],
  ])('that is not documented is unknown: %j', (item, field) => {
    expect(only(messaging('instagram', item))).toMatchObject({ type: 'unknown', field, raw: item });
  });
});

describe('times', () => {
  test.each([
    [1_768_000_000, '2026-01-09T23:06:40.000Z'],
    [1_768_000_000_123, '2026-01-09T23:06:40.123Z'],
    ['1768000000', '2026-01-09T23:06:40.000Z'],
    [99_999_999_999, '5138-11-16T09:46:39.000Z'],
    [100_000_000_000, '1973-03-03T09:46:40.000Z'],
    [1e300, undefined],
    ['soon', undefined],
    ['', undefined],
    [null, undefined],
    [{}, undefined],
    [true, undefined],
  ])('%j is %s', (time, iso) => {
    const delivery = {
      object: 'page',
      entry: [{ id: '42', time, changes: [{ field: 'feed', value: { created_time: time } }] }],
    };

    expect(only(delivery).sentAt?.toISOString()).toBe(iso);
    expect(only(delivery).at?.toISOString()).toBe(iso);
  });
});

describe('a body', () => {
  test.each([
    ['', 'nothing'],
    ['{', 'broken'],
    ['{"object":"page","entry":[}', 'broken'],
    ['null', 'null'],
    ['42', 'a number'],
    ['"page"', 'text'],
    ['[]', 'a list'],
    ['[{"object":"page","entry":[]}]', 'an outer list, as the manual prints it'],
    ['{}', 'empty'],
    ['{"object":"page"}', 'without entries'],
    ['{"object":"page","entry":{}}', 'of one entry'],
    ['{"entry":[]}', 'without an object'],
  ])('that is no delivery is a DeliveryError, and not quoted: %j, %s', (body) => {
    const failed = parseDelivery(body)._unsafeUnwrapErr();

    expect(failed.name).toBe('DeliveryError');
    if (body.length > 5) expect(`${failed.message} ${failed.stack}`).not.toContain(body);
  });

  test('that is not UTF-8 is a DeliveryError', () => {
    const bytes = new TextEncoder().encode('{"object":"page","entry":["?"]}');
    bytes[bytes.indexOf(0x3f)] = 0xff;

    expect(parseDelivery(bytes)._unsafeUnwrapErr().name).toBe('DeliveryError');
  });

  test.each([undefined, null, 42, {}, []])('of a wrong type is a ConfigurationError: %j', (rawBody) => {
    expect(parseDelivery(rawBody as string)._unsafeUnwrapErr()).toMatchObject({
      name: 'ConfigurationError',
      option: 'rawBody',
    });
  });

  test('without entries, or with empty ones, has no events', () => {
    expect(eventsOf({ object: 'page', entry: [] })).toEqual([]);
    expect(
      eventsOf({ object: 'page', entry: [{ id: '1', time: 1 }, { id: '1', changes: [] }, null, 5] }),
    ).toEqual([]);
  });

  test('reads the events of all entries in their order, whatever stands between them', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (odd, value) => {
        const good = (id: string) => ({
          id: '42',
          time: 1,
          changes: [{ field: 'feed', value: { post_id: id } }],
        });
        const entry = [
          good('1'),
          odd,
          good('2'),
          { id: '42', changes: [{ field: 'leadgen', value }] },
          good('3'),
        ];
        const ids = eventsOf({ object: 'page', entry }).map((event) =>
          event.type === 'feed' ? event.data.post_id : '',
        );
        expect(ids.filter((id) => id === '1' || id === '2' || id === '3')).toEqual(['1', '2', '3']);
      }),
    );
  });
});

describe('a key', () => {
  const item = {
    sender: { id: '7' },
    recipient: { id: '42' },
    timestamp: 5,
    message: { mid: 'm', text: 'geheim' },
  };
  const keyOf = (change: unknown, id = '42', time: unknown = 1): string =>
    only({ object: 'page', entry: [{ id, time, changes: [change] }] }).key;
  const like = {
    field: 'feed',
    value: { item: 'reaction', reaction_type: 'like', from: { id: '7' }, created_time: 5 },
  };

  test('is the same for an event that is delivered again, in another batch at another time', () => {
    const alone = only(messaging('page', item)).key;
    const later = eventsOf({
      object: 'page',
      entry: [
        { id: '1', changed_fields: ['x'] },
        { id: '42', time: 99, messaging: [item] },
      ],
    });

    expect(later[1]?.key).toBe(alone);
    expect(alone).toMatch(/^[\da-z-]{3,40}$/);
  });

  test('does not change from process to process, or from release to release', () => {
    expect(keyOf({ field: 'leadgen', value: { leadgen_id: '1' } })).toBe('sglr2l-1lcstgt-8v7yvd');
  });

  test('tells two events apart', () => {
    const edit = (num_edit: number) =>
      only(messaging('page', { ...item, message: undefined, message_edit: { mid: 'm', num_edit } })).key;
    const keys = [
      keyOf(like),
      keyOf({ ...like, value: { ...like.value, from: { id: '8' } } }),
      keyOf({ ...like, value: { ...like.value, created_time: 6 } }),
      keyOf(like, '43'),
      keyOf({ ...like, field: 'ratings' }),
      edit(1),
      edit(2),
      only(messaging('page', item)).key,
      only(messaging('page', { ...item, message: { mid: 'm', is_deleted: true } })).key,
    ];

    expect(new Set(keys).size).toBe(keys.length);
  });
});
