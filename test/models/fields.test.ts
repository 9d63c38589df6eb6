import * as v from 'valibot';
import { describe, expect, test } from 'vitest';

import {
  arrayOf,
  dataOf,
  field,
  flag,
  idSchema,
  listOf,
  node,
  number,
  object,
  objectOf,
  optionalId,
  part,
  type Schema,
  text,
  texts,
} from '../../src/models/fields.ts';
import {
  contactProfileSchema,
  leadFormSchema,
  leadSchema,
  mediaSchema,
  messageSchema,
  pageCommentSchema,
  pagePostSchema,
  pageSchema,
  picsCommentSchema,
  picsProfileSchema,
  profileSchema,
  publishingLimitSchema,
  storySchema,
  threadSchema,
} from '../../src/models/index.ts';
import { metricsSchema, pageMetricsSchema } from '../../src/models/insights.ts';
import { pageProfileSchema } from '../../src/models/profile.ts';
import { subscribedAppSchema, subscribedAppsSchema } from '../../src/models/subscriptions.ts';
import { tokenInfoSchema } from '../../src/models/tokens.ts';

const schema = node({ id: idSchema, name: text, of: part(arrayOf(node({ id: idSchema }))) });

const entries: Readonly<Record<string, Schema<unknown>>> = {
  id: idSchema,
  text,
  number,
  flag,
  optionalId,
  object,
  texts,
  node: schema,
  list: arrayOf(schema),
  part: part(schema),
  partial: listOf(schema),
  data: dataOf(schema),
  field: field((value) => (value === 7 ? undefined : value)),
};
const oddValues = [
  '',
  'a',
  '7',
  'true',
  7,
  0,
  -0.5,
  Number.NaN,
  2 ** 60,
  true,
  false,
  {},
  [],
  [null],
  [{}],
  [[]],
  { id: '' },
  { id: 7, of: 7 },
  { id: '7', name: {}, of: [{ id: '8', x: null }, {}] },
  { data: [{ id: '7' }, null, { id: [] }, 7], paging: { next: '' } },
  [{ id: '7' }, { id: '8', name: 8 }],
];

describe('node', () => {
  test('takes a field that is null for absent, on each level', () => {
    const sent = { id: '1', name: null, other: null, kept: 7, of: [null, { id: '2', x: null }] };

    expect(v.parse(schema, sent)).toStrictEqual({ id: '1', kept: 7, of: [{ id: '2' }] });
  });

  test('leaves raw as it was sent where a part within it is converted, or has gaps', () => {
    const sent = { id: 5, from: { id: 6, name: null }, comments: { data: [{ id: 7 }, null, { name: 'x' }] } };
    const copy = structuredClone(sent);
    const person = objectOf({ id: idSchema, name: text });
    const read = v.parse(
      node({ id: idSchema, from: part(person), comments: dataOf(node({ id: idSchema })) }),
      sent,
    );
    expect(read).toStrictEqual({ id: '5', from: { id: '6' }, comments: { data: [{ id: '7' }] } });
    expect(read.raw).toBe(sent);
    expect(sent).toStrictEqual(copy);
  });

  test('holds what the platform sent as raw, which is not shown twice', () => {
    const sent = { id: 7, name: null, of: [null], other: { deep: null } };
    const read = v.parse(schema, sent);

    expect(read.raw).toBe(sent);
    expect(sent).toEqual({ id: 7, name: null, of: [null], other: { deep: null } });
    expect(JSON.stringify(read)).toBe('{"id":"7","of":[],"other":{"deep":null}}');
    expect({ ...read }).not.toHaveProperty('raw');
  });

  test('reads an optional field to the end of its pipe', () => {
    const length = v.pipe(
      v.optional(v.string()),
      v.transform((sent) => sent?.length),
    );

    expect(v.parse(node({ length }), { length: 'abc' })).toStrictEqual({ length: 3 });
  });

  test('has a default where nothing is sent, and not where what is sent does not fit', () => {
    const length = v.optional(
      v.pipe(
        v.unknown(),
        v.transform((sent) => (typeof sent === 'string' ? sent.length : undefined)),
      ),
      'abc',
    );

    expect(v.parse(node({ length }), { x: null })).toStrictEqual({ length: 3 });
    expect(v.parse(node({ length }), { length: 7 })).toStrictEqual({});
  });

  test('takes a field for sent if it is read as undefined', () => {
    const nothing = v.pipe(
      v.unknown(),
      v.transform(() => undefined),
    );

    expect(v.parse(node({ nothing }), { nothing: 7, x: 1 })).toStrictEqual({ x: 1 });
    expect(v.safeParse(node({ nothing }), { x: 1 })).toMatchObject({
      issues: [{ expected: '"nothing"', path: [{ key: 'nothing' }] }],
    });
  });

  test.each(Object.entries(entries))('reads %s as valibot does by itself', (_, entry) => {
    for (const value of oddValues) {
      const alone = v.safeParse(entry, value);
      const within = v.safeParse(node({ entry }), { entry: value });
      const read = alone.output === undefined ? {} : { entry: alone.output };
      const [issue] = alone.issues ?? [];
      expect(within.success ? { ...within.output } : within.issues).toEqual(
        issue === undefined
          ? read
          : [
              expect.objectContaining({
                message: issue.message,
                expected: issue.expected,
                path: [expect.objectContaining({ key: 'entry' }), ...(issue.path ?? [])],
              }),
            ],
      );
    }
  });

  test('says where something does not fit', () => {
    const list = objectOf({ data: arrayOf(schema) });

    const issueOf = (by: Schema<unknown>, sent: unknown) => {
      const [issue] = v.safeParse(by, sent).issues ?? [];
      return [issue?.expected, issue && v.getDotPath(issue)];
    };
    expect(issueOf(list, { data: [null, { id: [] }] })).toEqual(['string', 'data.1.id']);
    expect(issueOf(schema, { id: null })).toEqual(['"id"', 'id']);
    expect(issueOf(schema, null)).toEqual(['Object', null]);
    expect(issueOf(schema, 'text')).toEqual(['Object', null]);
  });

  test('of a model is a Standard Schema, and quotes nothing of a value that does not fit', () => {
    const { validate } = profileSchema['~standard'];

    expect(validate({ id: 7 })).toMatchObject({ value: { id: '7' } });
    expect(validate({ id: ['EAAB'] })).toMatchObject({
      issues: [{ message: 'Invalid type: Expected string', path: [{ key: 'id' }] }],
    });
    expect(v.safeParse(v.object({ it: profileSchema }), { it: 'text' }).issues?.[0]).toMatchObject({
      expected: 'Object',
      received: 'string',
      path: [{ key: 'it' }],
    });
    const { issues } = v.safeParse(v.array(publishingLimitSchema), [{ data: ['text'] }]);
    expect(issues?.map((issue) => [v.getDotPath(issue), issue.message])).toEqual([
      ['0.data.0', 'Invalid type: Expected Object'],
    ]);
  });

  test('takes no key for a prototype', () => {
    const read = v.parse(schema, JSON.parse('{"id":"1","name":null,"__proto__":{"polluted":true}}'));

    expect((read as { polluted?: unknown }).polluted).toBeUndefined();
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
  });
});

const names = { picture: null, email: null, biography: null, tasks: null, linked: null, from: null };

// The fields that an entry must have; all others may be null.
describe.each([
  ['a Page', pageSchema('linked'), { id: '1', name: 'N' }],
  ['a user', profileSchema, { id: '1', name: 'N' }],
  ['an account', picsProfileSchema, { id: '1', username: 'u' }],
  ['a lead', leadSchema, { id: '1' }],
  ['a lead form', leadFormSchema, { id: '1' }],
  ['a post', pagePostSchema, { id: '1' }],
  ['a comment of a Page', pageCommentSchema, { id: '1' }],
  ['a comment', picsCommentSchema, { id: '1' }],
  ['media', mediaSchema, { id: '1' }],
  ['a message', messageSchema, { id: '1' }],
  ['a conversation', threadSchema, { id: '1' }],
  ['a story', storySchema, { post_id: '1' }],
  ['a profile of a contact', contactProfileSchema, { id: '1' }],
] as readonly (readonly [string, v.GenericSchema<unknown, object>, object])[])('%s', (_, model, needed) => {
  const fields = [
    'message story created_time updated_time permalink_url full_picture status_type is_published',
    'is_hidden shares like_count comment_count can_hide can_remove parent attachment text timestamp',
    'hidden parent_id replies caption media_type media_product_type media_url thumbnail_url permalink',
    'shortcode comments_count owner children alt_text to attachments reactions is_unsupported',
    'participants messages status creation_time media_id url profile_pic follower_count',
    'is_verified_user field_data form_id ad_id campaign_name is_organic platform locale questions',
    'leads_count user_id profile_picture_url website followers_count account_type',
  ].flatMap((line) => line.split(' '));
  const sent = { ...names, ...Object.fromEntries(fields.map((field) => [field, null])), ...needed };

  test('is the same with null as without', () => {
    expect(v.parse(model, sent)).toEqual({ ...v.parse(model, needed), ...rawOf(model, sent) });
  });

  test('has the platform’s own object as raw', () => {
    const { raw } = v.parse(model, sent) as { raw?: unknown };

    expect(raw).toEqual(sent);
  });

  test('reads the same as a standard schema', async () => {
    const read = await model['~standard'].validate(sent);

    expect(read).toStrictEqual({ typed: true, value: v.parse(model, sent) });
    expect(read).toMatchObject({ value: { raw: sent } });
  });
});

test.each([
  ['a token', tokenInfoSchema, (entries: unknown[]) => ({ data: { is_valid: true, scopes: entries } }), 'a'],
  [
    'a limited permission',
    tokenInfoSchema,
    (target_ids: unknown[]) => ({ data: { is_valid: true, granular_scopes: [{ scope: 'a', target_ids }] } }),
    '7',
  ],
  ['subscribed apps', subscribedAppsSchema, (data: unknown[]) => ({ data }), { id: '1' }],
  [
    'a subscribed app',
    subscribedAppSchema,
    (subscribed_fields: unknown[]) => ({ subscribed_fields }),
    'feed',
  ],
  ['metrics', metricsSchema, (data: unknown[]) => ({ data }), { name: 'reach', values: [{ value: 1 }] }],
  ['series', pageMetricsSchema, (data: unknown[]) => ({ data }), { name: 'a', values: [{ value: 1 }] }],
  ['a series', pageMetricsSchema, (values: unknown[]) => ({ data: [{ name: 'a', values }] }), { value: 1 }],
  ['emails', pageProfileSchema('linked'), (emails: unknown[]) => ({ id: '1', emails }), 'a@example.com'],
] as readonly (readonly [string, Schema<unknown>, (entries: unknown[]) => unknown, unknown])[])(
  'an entry of %s that is null is left out',
  (_, model, bodyOf, entry) => {
    const read = (entries: unknown[]) => ({ ...(v.parse(model, bodyOf(entries)) as object), raw: undefined });

    expect(read([null, entry])).toEqual(read([entry]));
  },
);

/** `raw`, where it is shown. */
function rawOf(model: v.GenericSchema<unknown, object>, sent: object): object {
  return Object.keys(v.parse(model, sent)).includes('raw') ? { raw: sent } : {};
}
