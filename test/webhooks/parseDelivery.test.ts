import { createHash } from 'node:crypto';

import { describe, expect, test } from 'vitest';

import { eventKey, parseDelivery, type WebhookEvent } from '../../src/webhooks/index.ts';
import { fc } from '../support/property.ts';
import { messaging, pageChanges, toWire } from './support.ts';

async function eventsOf(delivery: unknown): Promise<readonly WebhookEvent[]> {
  return (await parseDelivery(typeof delivery === 'string' ? delivery : toWire(delivery)))._unsafeUnwrap()
    .events;
}

async function only(delivery: unknown): Promise<WebhookEvent> {
  const events = await eventsOf(delivery);
  expect(events).toHaveLength(1);
  return events[0] as WebhookEvent;
}

describe('a lead', () => {
  const wire =
    '{"object":"page","entry":[{"id":12200000000000001,"time":1485964826,"changes":[{"field":"leadgen","value":{"leadgen_id":12200000000000003,"page_id":12345,"form_id":12345,"adgroup_id":0,"ad_id":0,"created_time":1485964825}}]}]}';

  test('has exact ids, small ones too, and the times of its event', async () => {
    expect(await only(wire)).toMatchObject({
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
        created_time: 1_485_964_825,
      },
    });
  });

  test('has no ad where the platform sends 0', async () => {
    expect((await only(wire)).data).toEqual({
      leadgen_id: '12200000000000003',
      page_id: '12345',
      form_id: '12345',
      created_time: 1_485_964_825,
    });
  });

  test('is unknown without its id', async () => {
    expect(await only(pageChanges({ field: 'leadgen', value: { form_id: '1' } }))).toMatchObject({
      type: 'unknown',
      field: 'leadgen',
      data: { form_id: '1' },
    });
  });
});

describe('the platform’s own agent', () => {
  const value = {
    sender: { id: '7' },
    recipient: { id: '42' },
    timestamp: 1_768_000_000,
    message: { mid: 'm', text: 'Hi' },
  };

  test.each([
    ['page', 'page', 'agent_messages'],
    ['page', 'page', 'agent_questions'],
    ['instagram', 'pics', 'agent_messages'],
  ])(
    'has events of %s that hold what was sent, and are never messages of a person',
    async (object, client, field) => {
      const entry = [{ id: '42', time: 1, changes: [{ field, value }] }];

      const event = await only({ object, entry });

      expect(event).toMatchObject({ type: field, field, client, accountId: '42', standby: false });
      expect(event.data).toEqual(value);
    },
  );
});

describe('ids', () => {
  test('are exact text, within lists and members too, and nothing else is touched', async () => {
    const text = String.raw`say \"id\": 12345678901234567, \"photo_ids\":[1,2], and \u00e4`;
    const event = await only(
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

  test('of __proto__ are in raw only: no data get another prototype', async () => {
    const event = await only(
      '{"object":"page","entry":[{"id":"42","time":1,"changes":[{"field":"feed","value":{"item":"x","from":{"id":1,"__proto__":{"id":2}},"__proto__":{"item":"y"}}}]}]}',
    );
    const { from } = event.data as { readonly from: object };

    expect(event.data).toStrictEqual({ item: 'x', from: { id: '1' } });
    expect([event.data, from].map((one) => Object.getPrototypeOf(one))).toEqual([
      Object.prototype,
      Object.prototype,
    ]);
    expect(JSON.stringify(event.raw)).toContain('"__proto__":{"item":"y"}');
  });

  test.each([
    ['["a",12345678901234567]', ['a', '12345678901234567']],
    ['[null, -12345678901234567]', [null, '-12345678901234567']],
    ['[[12345678901234567]]', [['12345678901234567']]],
    ['[{"value":1},12345678901234567]', [{ value: 1 }, '12345678901234567']],
    ['{"a-":12345678901234567,"":1}', { 'a-': '12345678901234567', '': 1 }],
    ['{"\u00e9":12345678901234567}', { é: '12345678901234567' }],
    ['{"\\"":12345678901234567}', { '"': '12345678901234567' }],
  ])('beyond 2^53 keep their digits wherever they stand: %s', async (json, value) => {
    const event = await only(
      `{"object":"page","entry":[{"id":"42","time":1,"changes":[{"field":"feed","value":{"list":${json}}}]}]}`,
    );

    expect(event.data).toEqual({ list: value });
    expect(event.raw).toEqual({ field: 'feed', value: { list: value } });
  });

  test('of senders and recipients are text where old forms have numbers', async () => {
    const item = {
      sender: { id: 77 },
      recipient: { id: 42 },
      timestamp: 1_457_764_197_627,
      message: { mid: 'm_1' },
    };

    expect(await only(messaging('page', item))).toMatchObject({ senderId: '77', recipientId: '42' });
  });

  test('stand for themselves in any text that looks like JSON', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: fc.constantFrom(...'"\\:[],}{ 1234567890iduab_\n'.split('')) }),
        async (message) => {
          const value = { message, [`k${message}`]: 1, post_id: 'p' };
          expect((await only(pageChanges({ field: 'feed', value }))).data).toEqual(value);
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
    ['ratings', { item: 'rating', verb: 'add', review_text: 't' }],
  ])('of a Page: %s', async (type, value) => {
    expect(await only(pageChanges({ field: type, value }))).toMatchObject({
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
  ])('of a photo-sharing account: %s', async (type, value) => {
    const delivery = {
      object: 'instagram',
      entry: [{ id: '42', time: 1_519_399_307, changes: [{ field: type, value }] }],
    };

    expect(await only(delivery)).toMatchObject({ type, client: 'pics', data: value, at: undefined });
  });

  test('of login mode stands in its entry without a list, and a comment is known by either name', async () => {
    const value = { comment_id: '1', text: 't' };
    const delivery = {
      object: 'instagram',
      entry: [{ id: '42', time: 1_519_399_307, field: 'comments', value }],
    };

    expect(await only(delivery)).toMatchObject({
      type: 'comments',
      data: { id: '1', comment_id: '1', text: 't' },
    });
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
  ])('that is not documented is unknown, and keeps what it brought: %j', async (change, field) => {
    expect(await only(pageChanges(change))).toMatchObject({
      type: 'unknown',
      field,
      data: (change as { value?: unknown } | null)?.value,
      raw: change,
    });
  });

  test('of an object that is neither a Page nor an account is unknown', async () => {
    const changes = [{ field: 'connected', value: { verb: 'granted', target_ids: [5] } }];
    const delivery = { object: 'permissions', entry: [{ id: '42', uid: '42', time: 1, changes }] };

    expect(await only(delivery)).toMatchObject({
      type: 'unknown',
      client: undefined,
      data: { verb: 'granted', target_ids: ['5'] },
    });
  });

  test('without values, as subscriptions of an app can ask for, is one unknown event a field', async () => {
    const delivery = { object: 'page', entry: [{ id: '42', time: 1, changed_fields: ['feed', 'name'] }] };

    expect(await eventsOf(delivery)).toMatchObject([
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
  ])('%s', async (type, data) => {
    const timestamp = 1_768_000_000_001;
    for (const [object, client] of [
      ['page', 'page'],
      ['instagram', 'pics'],
    ] as const) {
      expect(await only(messaging(object, { ...people, timestamp, [type]: data }))).toMatchObject({
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

  test('delivery has no time', async () => {
    const data = { mids: ['m'], watermark: 1_768_000_000_000 };

    expect(await only(messaging('page', { ...people, delivery: data }))).toMatchObject({
      type: 'delivery',
      data,
      at: undefined,
    });
  });

  test('policy-enforcement has no sender', async () => {
    const item = {
      recipient: { id: '42' },
      timestamp: 1,
      'policy-enforcement': { action: 'block', reason: 'r' },
    };

    expect(await only(messaging('page', item))).toMatchObject({
      type: 'policy-enforcement',
      senderId: undefined,
    });
  });

  test('business_integrity has neither a sender nor a key: its members stand in the item', async () => {
    const state = {
      status: 'restricted',
      violations: [{ type: 'SPAM', url: 'https://a.test' }],
      restrictions: [{ feature: 'page_publish', status: 'RESTRICTED', applied_time: 1_763_665_904 }],
    };
    const item = { timestamp: 1_763_665_904, ...state };

    expect(await only(messaging('page', item))).toMatchObject({
      type: 'business_integrity',
      field: 'business_integrity',
      client: 'page',
      accountId: '42',
      at: new Date(1_763_665_904_000),
      senderId: undefined,
      data: state,
      raw: item,
    });
    const { data } = await only(messaging('page', item));
    expect(data).toEqual(state);
    // What has changed is all that an event has.
    const { restrictions } = state;
    expect(await only(messaging('page', { timestamp: 1, restrictions }))).toMatchObject({
      type: 'business_integrity',
      data: { restrictions },
    });
  });

  test('business_integrity is read with the lists that some samples have beside it', async () => {
    const restrictions = [{ feature: 'page_publish', status: 'RESTRICTED' }];
    const delivery = (list: unknown) => ({
      object: 'page',
      entry: [{ id: '42', time: 1, messaging: [{ timestamp: 1, status: 'ok' }], restrictions: list }],
    });
    const event = await only(delivery(restrictions));
    expect(event).toMatchObject({ type: 'business_integrity', data: { status: 'ok', restrictions } });
    // What stands beside it tells two events apart.
    expect((await only(delivery([]))).key).not.toBe(event.key);
  });

  test('a member `status` of a conversation does not make it an event of the Page', async () => {
    expect(await only(messaging('page', { ...people, timestamp: 1, status: 'ok' }))).toMatchObject({
      type: 'unknown',
      field: 'status',
      senderId: '7',
      data: 'ok',
    });
  });

  test('is read next to members that the message adds', async () => {
    const item = {
      ...people,
      timestamp: 1,
      prior_message: { source: 'x' },
      message: { mid: 'm', app_id: 5 },
    };

    expect(await only(messaging('page', item))).toMatchObject({
      type: 'message',
      data: { mid: 'm', app_id: '5' },
      raw: { prior_message: { source: 'x' } },
    });
  });

  test('while another app has the conversation is on standby', async () => {
    const item = { ...people, timestamp: 1, message: { mid: 'm' } };
    const delivery = { object: 'page', entry: [{ id: '42', time: 1, standby: [item] }] };

    expect(await only(delivery)).toMatchObject({ type: 'message', standby: true });
  });

  test.each([
    [{ ...people, timestamp: 1, app_roles: { 5: ['primary_receiver'] } }, 'app_roles'],
    [{ ...people, timestamp: 1, message: { text: 'no mid' } }, 'message'],
    [{ ...people, timestamp: 1, message: null }, 'message'],
    [{ ...people, timestamp: 1, reaction: 'love' }, 'reaction'],
    [{ ...people }, ''],
    [{ sender: 5, recipient: null, hasOwnProperty: 1 }, 'hasOwnProperty'],
  ])('that is not documented is unknown: %j', async (item, field) => {
    expect(await only(messaging('instagram', item))).toMatchObject({ type: 'unknown', field, raw: item });
  });
});

test('an update of a lead is what the dashboard sends, whose key has its ids, its time and its event', async () => {
  // As the dashboard of the platform sent it.
  const sample =
    '{"object":"page","entry":[{"id":0,"time":1785879142,"changes":[{"field":"leadgen_update","value":{"adgroup_id":123456789,"ad_id":123456789,"leadgen_id":987654321,"page_id":111111111,"form_id":222222222,"updated_time":"1704067200","area":"ai_agent_updates","event":"qualification_status_change","updated_fields":["qualification_details","qualification_status"]}}]}]}';
  const eventOf = async (text: string) => (await parseDelivery(text))._unsafeUnwrap().events[0];
  const event = await eventOf(sample);

  expect(event).toMatchObject({
    type: 'leadgen_update',
    client: 'page',
    accountId: '0',
    at: new Date('2024-01-01T00:00:00Z'),
    data: {
      leadgen_id: '987654321',
      page_id: '111111111',
      form_id: '222222222',
      ad_id: '123456789',
      adgroup_id: '123456789',
      updated_time: '1704067200',
      area: 'ai_agent_updates',
      event: 'qualification_status_change',
      updated_fields: ['qualification_details', 'qualification_status'],
    },
  });
  expect((await eventOf(sample.replace('1785879142', '1785879999')))?.key).toBe(event?.key);
  for (const [from, to] of [
    ['1704067200', '1704067201'],
    ['status_change', 'other_change'],
    ['987654321', '987654322'],
  ] as const)
    expect((await eventOf(sample.replace(from, to)))?.key).not.toBe(event?.key);
});

describe('what happens in a conversation, sent as a change', () => {
  const people = { sender: { id: '7' }, recipient: { id: '42' } };
  const kinds: readonly [field: string, type: string, data: object][] = [
    ['messages', 'message', { mid: 'm', text: 'hi' }],
    ['messages', 'message', { mid: 'm', is_deleted: true }],
    ['message_echoes', 'message', { mid: 'm', is_echo: true, app_id: '5' }],
    ['message_reactions', 'reaction', { mid: 'm', action: 'react', reaction: 'love' }],
    ['messaging_postbacks', 'postback', { mid: 'm', title: 'Start', payload: 'START' }],
    ['messaging_referral', 'referral', { ref: 'r', source: 'SHORTLINK', type: 'OPEN_THREAD' }],
    ['messaging_seen', 'read', { mid: 'm' }],
    ['message_reads', 'read', { watermark: 1_768_000_000_000 }],
    ['message_deliveries', 'delivery', { mids: ['m'], watermark: 5 }],
    ['message_edits', 'message_edit', { mid: 'm', text: 'new', num_edit: 1 }],
    ['messaging_optins', 'optin', { type: 'notification_messages' }],
    ['messaging_account_linking', 'account_linking', { status: 'linked' }],
    ['messaging_handover', 'pass_thread_control', { new_owner_app_id: '1' }],
    ['messaging_handover', 'take_thread_control', { previous_owner_app_id: '1' }],
    ['messaging_handovers', 'request_thread_control', { requested_owner_app_id: '1' }],
    ['messaging_policy_enforcement', 'policy-enforcement', { action: 'block', reason: 'r' }],
  ];
  const id = '42';
  const time = 1_768_000_000;
  const forms = ['changes', 'entry'].flatMap((form) =>
    (['page', 'instagram'] as const).map((object) => [form, object] as const),
  );
  const inForm = (form: string, object: string, change: object) => ({
    object,
    entry: [{ id, time, ...(form === 'entry' ? change : { changes: [change] }) }],
  });

  describe.each(forms)('in its %s, of %s', (form, object) => {
    test.each(kinds)('%s: %s', async (field, type, data) => {
      const item = { ...people, timestamp: 1_527_459_824_123, [type]: data };
      const usual = await only({ object, entry: [{ id, time, messaging: [item] }] });
      const change = { field, value: item };

      expect(usual.type).toBe(type);
      expect(await only(inForm(form, object, change))).toEqual({ ...usual, field, raw: change });
    });

    test.each(kinds)('%s: %s, with its time as a text in seconds', async (field, type, data) => {
      const usual = { ...people, timestamp: 1_527_459_824_000, [type]: data };
      const { key } = await only({ object, entry: [{ id, time, messaging: [usual] }] });
      const value = { ...usual, timestamp: '1527459824' };

      expect((await only(inForm(form, object, { field, value }))).key).toBe(key);
    });

    test('with its time as a text in seconds', async () => {
      const value = { ...people, timestamp: '1527459824', message: { mid: 'm1', text: 'hi' } };
      const key = await eventKey('message', { accountId: id, id: 'm1' });

      expect(await only(inForm(form, object, { field: 'messages', value }))).toMatchObject({
        type: 'message',
        at: new Date('2018-05-27T22:23:44Z'),
        senderId: '7',
        key: key._unsafeUnwrap(),
      });
    });

    test('of those who have no sender, and of a standby', async () => {
      const { recipient } = people;
      const optin = { recipient, timestamp: 5, optin: { ref: 'r', user_ref: 'u' } };
      expect(await only(inForm(form, object, { field: 'messaging_optins', value: optin }))).toMatchObject({
        type: 'optin',
        senderId: undefined,
        recipientId: '42',
      });
      const value = { ...people, timestamp: 5, message: { mid: 'm' } };
      expect(await only(inForm(form, object, { field: 'standby', value }))).toMatchObject({
        type: 'message',
        standby: true,
      });
    });

    test.each([
      ['messages', { message: { text: 'no mid' } }, 'messages'],
      ['messages', { message: 'text' }, 'messages'],
      ['messaging_feedback', { messaging_feedback: { score: 5 } }, 'messaging_feedback'],
    ])('that is not documented is unknown, with people and time: %s %j', async (field, more, name) => {
      const value = { ...people, timestamp: 1_527_459_824, ...more };
      const change = { field, value };

      expect(await only(inForm(form, object, change))).toMatchObject({
        type: 'unknown',
        field: name,
        raw: change,
        senderId: '7',
        recipientId: '42',
        at: new Date('2018-05-27T22:23:44Z'),
      });
    });
  });

  test('of neither a Page nor an account is unknown', async () => {
    const value = { ...people, timestamp: 5, message: { mid: 'm' } };

    expect(await only(inForm('changes', 'user', { field: 'messages', value }))).toMatchObject({
      type: 'unknown',
      field: 'messages',
    });
  });

  test('does not make one of a change on a Page', async () => {
    const value = { item: 'status', message: 'text', sender: { id: '7' }, sender_id: '7' };

    expect(await only(pageChanges({ field: 'feed', value }))).toMatchObject({ type: 'feed', data: value });
  });

  test('hides nothing else in its entry', async () => {
    const value = { ...people, timestamp: 5, message: { mid: 'a' } };
    const messages = [{ ...people, timestamp: 5, message: { mid: 'b' } }];
    const entry = [{ id, time, field: 'messages', value, messaging: messages }];

    expect(await eventsOf({ object: 'page', entry })).toMatchObject([
      { data: { mid: 'a' } },
      { data: { mid: 'b' } },
    ]);
  });
});

describe('flags of a message', () => {
  const names = ['is_echo', 'is_self', 'is_deleted', 'is_unsupported', 'ai_generated'];
  const eventOf = async (message: object) =>
    await only(messaging('instagram', { sender: { id: '7' }, message: { mid: 'm', ...message } }));

  test.each(names)('are booleans, also where they are texts: %s', async (name) => {
    for (const [sent, flag] of [
      [true, true],
      ['true', true],
      ['True', true],
      ['1', true],
      [1, true],
      [false, false],
      ['false', false],
      ['0', false],
      [0, false],
    ]) {
      const { data, raw } = await eventOf({ [String(name)]: sent });
      expect(data).toEqual({ mid: 'm', [name]: flag });
      expect(raw).toMatchObject({ message: { [name]: sent } });
    }
  });

  test.each(names)('that are none are left out, unless in doubt it was deleted: %s', async (name) => {
    for (const sent of ['maybe', {}, { toString: 1 }, [], 5]) {
      expect((await eventOf({ [name]: sent })).data).toEqual({
        mid: 'm',
        ...(name === 'is_deleted' && { is_deleted: true }),
      });
    }
  });

  test('tell a deletion from the message, in any form', async () => {
    const key = (await eventKey('message', { accountId: '42', id: 'm' }))._unsafeUnwrap();

    for (const is_deleted of [true, 'true', 'TRUE', 1, '1', 'yes', {}, ['x']])
      expect((await eventOf({ is_deleted })).key).not.toBe(key);
    for (const is_deleted of [false, 'false', 0, '0', null, ''])
      expect((await eventOf({ is_deleted })).key).toBe(key);
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
  ])('%j is %s', async (time, iso) => {
    const delivery = {
      object: 'page',
      entry: [{ id: '42', time, changes: [{ field: 'feed', value: { created_time: time } }] }],
    };

    expect((await only(delivery)).sentAt?.toISOString()).toBe(iso);
    expect((await only(delivery)).at?.toISOString()).toBe(iso);
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
  ])('that is no delivery is a DeliveryError, and not quoted: %j, %s', async (body) => {
    const failed = (await parseDelivery(body))._unsafeUnwrapErr();

    expect(failed.name).toBe('DeliveryError');
    if (body.length > 5) expect(`${failed.message} ${failed.stack}`).not.toContain(body);
  });

  test('that is not UTF-8 is a DeliveryError', async () => {
    const bytes = new TextEncoder().encode('{"object":"page","entry":["?"]}');
    bytes[bytes.indexOf(0x3f)] = 0xff;

    expect((await parseDelivery(bytes))._unsafeUnwrapErr().name).toBe('DeliveryError');
  });

  test('that cannot be looked into is a ConfigurationError, and does not throw', async () => {
    const throwing = Object.defineProperty({}, 'byteLength', {
      get: () => {
        throw new Error('not to be read');
      },
    });

    expect((await parseDelivery(throwing as Uint8Array))._unsafeUnwrapErr()).toMatchObject({
      name: 'ConfigurationError',
      option: 'rawBody',
    });
  });

  test.each([undefined, null, 42, {}, []])('of a wrong type is a ConfigurationError: %j', async (rawBody) => {
    expect((await parseDelivery(rawBody as string))._unsafeUnwrapErr()).toMatchObject({
      name: 'ConfigurationError',
      option: 'rawBody',
    });
  });

  test(
    'of blanks alone takes time that grows with its size, not with its square',
    { tags: 'long' },
    async () => {
      const took = async (blanks: number): Promise<number> => {
        const body = `{"id":${' '.repeat(blanks)}`;
        const start = process.cpuUsage();
        expect((await parseDelivery(body)).isErr()).toBe(true);
        return process.cpuUsage(start).user / 1000;
      };
      await took(1000);

      // Quadratic time is 3 s here.
      expect(await took(80_000)).toBeLessThan(500);
    },
  );

  test('without entries, or with empty ones, has no events', async () => {
    expect(await eventsOf({ object: 'page', entry: [] })).toEqual([]);
    expect(
      await eventsOf({ object: 'page', entry: [{ id: '1', time: 1 }, { id: '1', changes: [] }, null, 5] }),
    ).toEqual([]);
  });

  test('reads the events of all entries in their order, whatever stands between them', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.jsonValue(), async (odd, value) => {
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
        const ids = (await eventsOf({ object: 'page', entry })).map((event) =>
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
  const keyOf = async (change: unknown, id = '42', time: unknown = 1): Promise<string> =>
    (await only({ object: 'page', entry: [{ id, time, changes: [change] }] })).key;
  const like = {
    field: 'feed',
    value: { item: 'reaction', reaction_type: 'like', from: { id: '7' }, created_time: 5 },
  };

  test('is the same for an event that is delivered again, in another batch at another time', async () => {
    const alone = (await only(messaging('page', item))).key;
    const later = await eventsOf({
      object: 'page',
      entry: [
        { id: '1', changed_fields: ['x'] },
        { id: '42', time: 99, messaging: [item] },
      ],
    });

    expect(later[1]?.key).toBe(alone);
    expect(alone).toMatch(/^[\da-f]{64}$/);
  });

  test.each(['', 'ä\u{1f600}', 'x'.repeat(1000)])(
    'is the SHA-256 of account, field and item, the same in every process and release: %j',
    async (message) => {
      const change = { field: 'feed', value: { item: 'status', message, created_time: 5 } };
      const text = JSON.stringify(['42', 'feed', change]);

      expect(await keyOf(change)).toBe(createHash('sha256').update(text).digest('hex'));
    },
  );

  test('is what earlier versions made of the same event, which stores of `eventsOnce` remember', async () => {
    const comment = { item: 'comment', comment_id: '3_4', message: 'é€😀\ud800' };
    const events = await eventsOf({
      object: 'page',
      entry: [
        {
          id: '1',
          time: 2,
          changes: [
            { field: 'feed', value: { ...comment, verb: 'add' } },
            { field: 'feed', value: { item: 'reaction', reaction_type: 'like', created_time: 7 } },
            { field: 'leadgen', value: { leadgen_id: '12345678901234567890' } },
            { field: 'ratings', value: { text: 'ü'.repeat(2000), created_time: 7 } },
          ],
        },
        {
          id: '1',
          time: 2,
          messaging: [
            { sender: { id: '5' }, recipient: { id: '1' }, timestamp: 7, message: { mid: 'm_8', text: 'x' } },
            { sender: { id: '5' }, recipient: { id: '1' }, timestamp: 7, read: { watermark: 6 } },
          ],
        },
      ],
    });

    expect(events.map(({ key }) => key)).toEqual([
      'cc3c6cbc9367f44ea7e837222c20e2a2d23323a5d247bf3667c67e9755a8ae25',
      '4370a61c91ec709edd978b1d183908a464dc3de6e4ea51f4a2515f538d9e0109',
      'd245df363d6299a6087c7a9f82909cd14111ec1006426bf85bb3f1da69dbb005',
      '4db2d7b350b86f57c1058171815427b15251a4bf0e000038478c161fee8f05f8',
      'c527bb434ff264c651b8a73a350e5f066d96abe9c3b80a0234e09364e3fa260c',
      '4278bfa6cf54e2d9a1b6614c979ed679df1b01724a0d1ad20c72c49c4f9057ba',
    ]);
  });

  describe('of what can come back to an earlier state', () => {
    const comment = { item: 'comment', comment_id: '3_4', post_id: '42_3' };
    const template = (event: string) => ({ event, message_template_id: '7', reason: 'NONE' });
    /** The keys of deliveries, each of which has one event, an hour apart. */
    const keysOf = async (field: string, ...values: readonly unknown[]): Promise<readonly string[]> =>
      await Promise.all(
        values.map((value, hour) => keyOf({ field, value }, '42', 1_764_000_000 + hour * 3600)),
      );

    test.each<[string, string, readonly unknown[]]>([
      ['a template', 'message_template_status_update', ['PAUSED', 'APPROVED', 'PAUSED'].map(template)],
      ['integrity', 'business_integrity', ['restricted', 'ok', 'restricted'].map((status) => ({ status }))],
      ['what is hidden', 'feed', ['hide', 'unhide', 'hide'].map((verb) => ({ ...comment, verb }))],
      [
        'what is hidden, with the time of the comment',
        'feed',
        ['hide', 'unhide', 'hide'].map((verb) => ({ ...comment, verb, created_time: 5 })),
      ],
      [
        'an edit',
        'feed',
        ['a', 'b', 'a'].map((message) => ({ ...comment, verb: 'edited', message, created_time: 5 })),
      ],
      [
        'a mention, with the time of the post',
        'mention',
        ['add', 'remove', 'add'].map((verb) => ({ item: 'post', post_id: '1_2', verb, created_time: 5 })),
      ],
      ['words of the agent', 'agent_messages', [{ text: 'Hello' }, { text: 'Hello' }]],
      [
        'an unknown event, with the time of its object',
        'live_videos',
        ['live', 'paused', 'live'].map((status) => ({ id: '5', status, created_time: 5 })),
      ],
    ])('has its delivery: %s', async (_, field, values) => {
      const keys = await keysOf(field, ...values);

      expect(new Set(keys).size).toBe(values.length);
      // What the platform delivers again has the same time.
      expect(await keysOf(field, ...values)).toEqual(keys);
    });

    test('has its place, where all come in one delivery', async () => {
      const changes = ['hide', 'unhide', 'hide'].map((verb) => ({
        field: 'feed',
        value: { ...comment, verb },
      }));
      const deliveries = [
        { object: 'page', entry: [{ id: '42', time: 5, changes }] },
        { object: 'page', entry: changes.map((change) => ({ id: '42', time: 5, changes: [change] })) },
      ];
      for (const delivery of deliveries) {
        const keys = (await eventsOf(delivery)).map(({ key }) => key);
        expect(new Set(keys).size).toBe(3);
        expect((await eventsOf(delivery)).map(({ key }) => key)).toEqual(keys);
      }
    });

    test.each([
      ['a reaction', 'feed', { item: 'reaction', verb: 'add', reaction_type: 'like', created_time: 5 }],
      ['a rating', 'ratings', { item: 'rating', verb: 'add', created_time: 5 }],
      ['an unknown event', 'something_new', { a: 1, timestamp: 5 }],
    ])('does not have it, where the item says when: %s', async (_, field, value) => {
      const [one, other] = await keysOf(field, value, value);

      expect(one).toBe(other);
    });
  });

  test('is that of the item as it was delivered, whatever is done to it later', async () => {
    const { events } = (await parseDelivery(toWire(pageChanges(like))))._unsafeUnwrap();
    const [event] = events;
    const { value } = Object(event?.raw) as typeof like;
    Object.assign(value, { created_time: 6 });

    expect(event?.key).toBe(await keyOf(like));
  });

  describe.each([
    ['leadgen', 'leadgen', { leadgen_id: '1' }, { created_time: 5, ad_id: '7' }],
    [
      'feed',
      'feed',
      { item: 'comment', verb: 'add', comment_id: '1' },
      { message: 'later edited', created_time: 5 },
    ],
    ['comments', 'comments', { id: '1' }, { text: 'later edited' }],
    ['live_comments', 'comments', { id: '1' }, { text: 'later edited' }],
  ] as const)('of what happens once, a %s', (field, type, value, more) => {
    const eventOf = async (data: object) => {
      const object = type === 'comments' ? 'instagram' : 'page';
      return await only({ object, entry: [{ id: '42', changes: [{ field, value: data }] }] });
    };

    test('is made of ids alone, and is that of what a poll reads', async () => {
      expect((await eventOf(value)).key).toBe(
        (await eventKey(type, { accountId: '42', id: '1' }))._unsafeUnwrap(),
      );
      expect((await eventOf({ ...value, ...more })).key).toBe((await eventOf(value)).key);
    });
  });

  test('of a new message is made of its id, and that of its deletion is another', async () => {
    const keyOfMessage = async (message: object): Promise<string> =>
      (await only(messaging('page', { ...item, message }))).key;
    const key = (await eventKey('message', { accountId: '42', id: 'm' }))._unsafeUnwrap();

    expect(await keyOfMessage({ mid: 'm', text: 'hi' })).toBe(key);
    expect(await keyOfMessage({ mid: 'm' })).toBe(key);
    expect(await keyOfMessage({ mid: 'm', is_deleted: true })).not.toBe(key);
  });

  test.each(['edited', 'remove', 'hide', undefined])(
    'of a comment is made of the whole item where it is %s',
    async (verb) => {
      const value = { item: 'comment', verb, comment_id: '1', created_time: 5 };

      expect(await keyOf({ field: 'feed', value })).not.toBe(
        (await eventKey('feed', { accountId: '42', id: '1' }))._unsafeUnwrap(),
      );
      expect(await keyOf({ field: 'feed', value })).not.toBe(
        await keyOf({ field: 'feed', value: { ...value, created_time: 6 } }),
      );
    },
  );

  test.each([
    ['type', ['reaction', { accountId: '42', id: '1' }]],
    ['type', ['toString', { accountId: '42', id: '1' }]],
    ['accountId', ['message', { accountId: '', id: '1' }]],
    ['id', ['message', { accountId: '42', id: 1 }]],
    ['accountId', ['message', undefined]],
  ])('cannot be asked for with a wrong %s: %j', async (option, wrong) => {
    expect((await eventKey(...(wrong as Parameters<typeof eventKey>)))._unsafeUnwrapErr()).toMatchObject({
      name: 'ConfigurationError',
      option,
    });
  });

  test('distinguishes two events', async () => {
    const edit = async (num_edit: number) =>
      (await only(messaging('page', { ...item, message: undefined, message_edit: { mid: 'm', num_edit } })))
        .key;
    const keys = [
      await keyOf(like),
      await keyOf({ ...like, value: { ...like.value, from: { id: '8' } } }),
      await keyOf({ ...like, value: { ...like.value, created_time: 6 } }),
      await keyOf(like, '43'),
      await keyOf({ ...like, field: 'ratings' }),
      await edit(1),
      await edit(2),
      (await only(messaging('page', item))).key,
      (await only(messaging('page', { ...item, message: { mid: 'm', is_deleted: true } }))).key,
    ];

    expect(new Set(keys).size).toBe(keys.length);
  });
});

/** The event of each type but the unknown ones. */
type Documented = Exclude<WebhookEvent, { readonly type: 'unknown' }>;

/** Each documented member of data, with a `!` after the name of what is always there. */
type Sample<TData> = TData extends readonly (infer TEntry)[]
  ? readonly Sample<TEntry>[]
  : TData extends object
    ? {
        readonly [
          TName in keyof TData as string extends TName
            ? never
            : undefined extends TData[TName]
              ? TName
              : `${TName & string}!`
        ]-?: Sample<NonNullable<TData[TName]>>;
      }
    : TData;

const threadControl = {
  new_owner_app_id: '1',
  previous_owner_app_id: '2',
  requested_owner_app_id: '3',
  metadata: 'x',
};

/** Every documented member of every event, with a value of its type, which the compiler asks for. */
const documented: {
  readonly [TType in Documented['type']]: Sample<Extract<Documented, { readonly type: TType }>['data']>;
} = {
  feed: {
    item: 'comment',
    verb: 'add',
    from: { 'id!': '7', name: 'N' },
    sender_id: '7',
    sender_name: 'N',
    post_id: '1_2',
    comment_id: '2_3',
    parent_id: '1_2',
    message: 'm',
    link: 'https://a.test',
    reaction_type: 'like',
    photo_id: '4',
    photo_ids: ['4', '5'],
    photos: ['https://a.test/1'],
    video_id: '6',
    share_id: '7',
    album_id: '8',
    event_id: '9',
    user_id: '10',
    recipient_id: '11',
    created_time: 5,
  },
  leadgen: { 'leadgen_id!': '1', page_id: '2', form_id: '3', ad_id: '4', adgroup_id: '5', created_time: 5 },
  leadgen_update: {
    'leadgen_id!': '1',
    page_id: '2',
    form_id: '3',
    ad_id: '4',
    adgroup_id: '5',
    updated_time: '1704067200',
    area: 'ai_agent_updates',
    event: 'qualification_status_change',
    updated_fields: ['qualification_status'],
  },
  mention: {
    item: 'post',
    verb: 'add',
    post_id: '1',
    comment_id: '2',
    sender_id: '3',
    message: 'm',
    created_time: 5,
  },
  ratings: {
    item: 'rating',
    verb: 'add',
    rating: 4,
    review_text: 't',
    recommendation_type: 'POSITIVE',
    reviewer_id: '1',
    reviewer_name: 'N',
    open_graph_story_id: '2',
    comment_id: '3',
    created_time: 5,
  },
  comments: {
    'id!': '1',
    text: 't',
    from: { 'id!': '2', username: 'u', self_ig_scoped_id: '3' },
    media: {
      'id!': '4',
      media_product_type: 'FEED',
      ad_id: '5',
      ad_title: 't',
      original_media_id: '6',
    },
    parent_id: '7',
  },
  live_comments: {
    'id!': '1',
    text: 't',
    from: { 'id!': '2', username: 'u', self_ig_scoped_id: '3' },
    media: { 'id!': '4', media_product_type: 'LIVE', ad_id: '5', ad_title: 't', original_media_id: '6' },
    parent_id: '7',
  },
  mentions: { media_id: '1', comment_id: '2' },
  story_insights: {
    media_id: '1',
    impressions: 1,
    reach: 2,
    taps_forward: 3,
    taps_back: 4,
    exits: 5,
    replies: 6,
  },
  message: {
    'mid!': 'm',
    text: 't',
    attachments: [
      {
        type: 'appointment_booking',
        payload: {
          url: 'https://a.test',
          title: 't',
          ig_post_media_id: '1',
          status: 's',
          start: 5,
          end: '6',
          timezone: 'UTC',
        },
      },
    ],
    quick_reply: { payload: 'p' },
    reply_to: { mid: 'm', story: { url: 'https://a.test', id: '1' } },
    referral: { ref: 'r', source: 'ADS', type: 'OPEN_THREAD', ad_id: '1' },
    is_echo: true,
    is_self: true,
    is_deleted: true,
    is_unsupported: true,
    app_id: '5',
    metadata: 'x',
    ai_generated: true,
  },
  reaction: { 'mid!': 'm', action: 'react', reaction: 'love', emoji: 'e' },
  postback: {
    mid: 'm',
    title: 't',
    payload: 'p',
    referral: { ref: 'r', source: 's', type: 't', ad_id: '1' },
  },
  referral: { ref: 'r', source: 'ADS', type: 'OPEN_THREAD', ad_id: '1' },
  read: { mid: 'm', watermark: 5 },
  delivery: { mids: ['m'], watermark: 5 },
  message_edit: { 'mid!': 'm', text: 't', num_edit: 1 },
  optin: { type: 't', ref: 'r', user_ref: 'u' },
  account_linking: { status: 'linked', authorization_code: 'c' },
  pass_thread_control: threadControl,
  take_thread_control: threadControl,
  request_thread_control: threadControl,
  'policy-enforcement': { action: 'block', reason: 'r' },
  business_integrity: {
    status: 'restricted',
    violations: [{ type: 'SPAM', description: 'd', url: 'https://a.test' }],
    restrictions: [
      {
        feature: 'page_publish',
        status: 'RESTRICTED',
        description: 'd',
        applied_time: 5,
        expiration_time: 6,
      },
    ],
    action_events: [{ type: 'FILE_APPEAL', status: 'OPEN' }],
  },
  message_template_status_update: {
    event: 'APPROVED',
    message_template_id: '5',
    message_template_name: 'n',
    message_template_language: 'en_US',
    reason: 'NONE',
  },
  agent_messages: {},
  agent_questions: {},
};

type Path = readonly (string | number)[];

/** The paths of all members, those of members and entries too. */
function pathsIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const below = Array.isArray(value)
    ? value.map((one, at) => [at, one] as const)
    : Object.entries(value).map(([name, one]) => [name.replace('!', ''), one] as const);
  return [
    ...(path.length > 0 ? [path] : []),
    ...below.flatMap(([name, one]) => pathsIn(one, [...path, name])),
  ];
}

/** A copy without the marks. */
function bare(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replaceAll('!":', '":'));
}

/** A copy with another value in one place. */
function withOther(value: unknown, path: Path, other: unknown): unknown {
  const copy = bare(value);
  let place = copy as Record<string | number, unknown>;
  for (const name of path.slice(0, -1)) place = place[name] as typeof place;
  place[path.at(-1) ?? ''] = other;
  return copy;
}

/** Whether each documented text is one, or absent, so that its methods can be called. What stands in a list stays as it is. */
function textsFit(value: unknown, sample: unknown): boolean {
  if (typeof sample === 'string') return value === undefined || typeof value === 'string';
  if (typeof sample !== 'object' || sample === null || Array.isArray(sample)) return true;
  const members = Object(value) as Readonly<Record<string, unknown>>;
  return Object.entries(sample).every(([name, one]) => textsFit(members[name.replace('!', '')], one));
}

describe('a documented member of another type', () => {
  const page = [
    'feed',
    'leadgen',
    'leadgen_update',
    'mention',
    'ratings',
    'message_template_status_update',
    'agent_messages',
    'agent_questions',
  ];
  const account = ['comments', 'live_comments', 'mentions', 'story_insights'];
  const eventOf = async (type: string, data: unknown): Promise<WebhookEvent> => {
    if (page.includes(type)) return await only(pageChanges({ field: type, value: data }));
    if (!account.includes(type)) return await only(messaging('page', { sender: { id: '1' }, [type]: data }));
    return await only({
      object: 'instagram',
      entry: [{ id: '42', changes: [{ field: type, value: data }] }],
    });
  };
  const values = ['text', 5, true, null, {}, { a: 1 }, [], [1], [null], [{}], ['text']];

  test('keeps lists that are not documented, such as the answers of a lead', async () => {
    const field_data = [{ name: 'email', values: ['ann@example.com'] }];
    const { type, data } = await eventOf('leadgen', { leadgen_id: '7', field_data });
    expect({ type, data }).toEqual({ type: 'leadgen', data: { leadgen_id: '7', field_data } });
  });

  test.each(Object.entries(documented))(
    'leaves every text a text, or absent, and costs nothing else: %s',
    async (type, sample) => {
      const whole = bare(sample);
      expect(await eventOf(type, whole)).toMatchObject({ type, data: whole });

      for (const path of pathsIn(sample)) {
        for (const other of values) {
          const given = withOther(sample, path, other);
          const event = await eventOf(type, given);
          // Ids are text by now.
          const raw = event.raw as Record<string, Readonly<Record<string, unknown>>>;
          const sent = raw[page.includes(type) || account.includes(type) ? 'value' : type] ?? {};
          if (event.type === 'unknown') {
            // Only what makes the event may cost it.
            expect([path[0], Object.keys(sample)]).toEqual([
              expect.any(String),
              expect.arrayContaining([`${path[0]}!`]),
            ]);
            expect(event.data).toEqual(sent);
            continue;
          }
          const data = event.data as Record<string, unknown>;
          expect({ path, other, data, fit: textsFit(data, sample) }).toMatchObject({ fit: true });
          const others = (from: Readonly<Record<string, unknown>>): object =>
            Object.fromEntries(Object.entries(from).filter(([name]) => name !== path[0]));
          expect(others(data)).toEqual(others(sent));
        }
      }
    },
  );

  test('costs no member that is not documented, whatever its name and type', async () => {
    const value = {
      item: 'video',
      video_flag_reason: 1,
      is_paid: true,
      context: { type: 1, id: null, text: [] },
      reply_context: null,
      share_title: 5,
      barcode: 17,
      overload: false,
    };
    expect((await eventOf('feed', value)).data).toEqual(value);
  });

  test('stays in `raw`, and what is not documented stays in both', async () => {
    const value = { id: '1', text: 5, odd: [{ b: 1 }], size: 7, from: { id: '2', username: null } };
    const event = await only({
      object: 'instagram',
      entry: [{ id: '42', changes: [{ field: 'comments', value }] }],
    });

    expect(event).toMatchObject({ type: 'comments', raw: { field: 'comments', value } });
    expect(event.data).toEqual({ id: '1', odd: [{ b: 1 }], size: 7, from: { id: '2' } });
  });
});

test('the key of 200,000 neighbours is never the same', { tags: 'long' }, async () => {
  const keys = new Set<string>();
  for (let batch = 0; batch < 200; batch++) {
    const changes = Array.from({ length: 1000 }, (_, at) => ({
      field: 'feed',
      value: {
        item: 'like',
        from: { id: String(batch * 1000 + at) },
        created_time: 1_768_000_000 + (at % 7),
      },
    }));
    for (const { key } of (await parseDelivery(toWire(pageChanges(...changes))))._unsafeUnwrap().events)
      keys.add(key);
  }

  expect(keys.size).toBe(200_000);
});
