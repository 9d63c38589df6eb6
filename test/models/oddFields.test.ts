import * as v from 'valibot';
import { describe, expect, test } from 'vitest';

import {
  adContextSchema,
  breakdownSchema,
  contactProfileSchema,
  containerStatusSchema,
  leadFormSchema,
  leadSchema,
  mediaSchema,
  messageSchema,
  metricsSchema,
  pageCommentSchema,
  pageMetricsSchema,
  pagePostSchema,
  pageProfileSchema,
  pageSchema,
  picsCommentSchema,
  picsProfileSchema,
  profileSchema,
  publishingLimitSchema,
  scheduledPostSchema,
  storySchema,
  threadSchema,
  tokenInfoSchema,
  tokenResponseSchema,
  videoStoryStatusSchema,
} from '../../src/models/index.ts';

interface Model {
  readonly schema: v.GenericSchema;
  /** Every documented field, lists with one entry. */
  readonly sample: object;
  /** What a response must have: ids, and the frame of a list. */
  readonly required: readonly string[];
  /** The fields of the model that a field of the platform is read into, where they are named otherwise. */
  readonly names?: Readonly<Record<string, readonly string[]>>;
}

const time = '2026-01-02T03:04:05+0000';
const person = { id: '7', username: 'ada', name: 'Ada', user_id: '8' };
const message = {
  id: 'm1',
  created_time: time,
  from: person,
  to: { data: [person] },
  message: 'Hi',
  sticker: 'https://cdn.test/s',
  attachments: {
    data: [
      {
        id: '5',
        name: 'a.jpg',
        mime_type: 'image/jpeg',
        file_url: 'https://cdn.test/f',
        image_data: { url: 'https://cdn.test/i' },
        video_data: { url: 'https://cdn.test/v' },
      },
    ],
  },
  story: {
    reply_to: { id: '3', link: 'https://cdn.test/r' },
    mention: { id: '4', link: 'https://cdn.test/m' },
  },
  reactions: { data: [{ reaction: 'love', users: [person] }] },
  is_unsupported: true,
};
const child = {
  id: '11',
  media_type: 'IMAGE',
  media_url: 'https://cdn.test/c',
  thumbnail_url: 'https://cdn.test/t',
  permalink: 'https://pics.test/p/1',
  timestamp: time,
};
const comment = {
  id: '21',
  text: 'Nice',
  timestamp: time,
  username: 'ada',
  like_count: 2,
  hidden: false,
  from: { id: '7', username: 'ada' },
  parent_id: '20',
};
const post = {
  id: '42_1',
  message: 'Hi',
  story: 'A story',
  created_time: time,
  updated_time: time,
  permalink_url: 'https://page.test/1',
  full_picture: 'https://cdn.test/p',
  status_type: 'added_photos',
  is_published: true,
  is_hidden: false,
  from: { id: '42', name: 'Shop' },
  shares: { count: 3 },
};
const page = {
  id: '42',
  name: 'Shop',
  linked: { id: '17', username: 'shop' },
};

const models: Readonly<Record<string, Model>> = {
  adContext: {
    schema: adContextSchema,
    sample: {
      id: '61',
      name: 'Ad',
      adset: { id: '62', name: 'Set', optimization_goal: 'LEADS', targeting: { geo: ['DE'] } },
      campaign: { id: '63', name: 'Campaign', objective: 'OUTCOME_LEADS' },
    },
    required: ['id'],
    names: {
      id: ['ad_id'],
      name: ['ad_name'],
      adset: ['adset_id', 'adset_name', 'optimization_goal', 'targeting'],
      'adset.id': ['adset_id'],
      'adset.name': ['adset_name'],
      'adset.optimization_goal': ['optimization_goal'],
      'adset.targeting': ['targeting'],
      'adset.targeting.geo': ['targeting'],
      'adset.targeting.geo.0': ['targeting'],
      campaign: ['campaign_id', 'campaign_name', 'objective'],
      'campaign.id': ['campaign_id'],
      'campaign.name': ['campaign_name'],
      'campaign.objective': ['objective'],
    },
  },
  contactProfile: {
    schema: contactProfileSchema,
    sample: {
      id: '7',
      name: 'Ada L',
      first_name: 'Ada',
      last_name: 'L',
      username: 'ada',
      profile_pic: 'https://cdn.test/a',
      follower_count: 5,
      is_user_follow_business: true,
      is_business_follow_user: false,
      is_verified_user: true,
    },
    required: [],
  },
  containerStatus: {
    schema: containerStatusSchema,
    sample: { status_code: 'ERROR', status: 'Error: 2207026' },
    required: [],
  },
  thread: {
    schema: threadSchema,
    sample: {
      id: 't_1',
      updated_time: time,
      participants: { data: [person] },
      messages: { data: [message] },
    },
    required: ['id'],
  },
  message: { schema: messageSchema, sample: message, required: ['id'] },
  lead: {
    schema: leadSchema,
    sample: {
      id: '71',
      created_time: time,
      field_data: [{ name: 'email', values: ['a@b.test'] }],
      form_id: '72',
      ad_id: '61',
      ad_name: 'Ad',
      adset_id: '62',
      adset_name: 'Set',
      campaign_id: '63',
      campaign_name: 'Campaign',
      is_organic: false,
      platform: 'fb',
    },
    required: ['id'],
    names: Object.fromEntries(
      ['', '.0', '.0.name', '.0.values', '.0.values.0'].map((at) => [
        `field_data${at}`,
        ['fields', 'field_data'],
      ]),
    ),
  },
  leadForm: {
    schema: leadFormSchema,
    sample: {
      id: '72',
      name: 'Form',
      status: 'ACTIVE',
      locale: 'en_US',
      questions: [{ key: 'email', label: 'Email', type: 'EMAIL' }],
      leads_count: 3,
    },
    required: ['id'],
    names: { locale: ['language'] },
  },
  media: {
    schema: mediaSchema,
    sample: {
      ...child,
      caption: 'Hi',
      media_product_type: 'FEED',
      shortcode: 'abc',
      username: 'ada',
      alt_text: 'A door',
      is_comment_enabled: true,
      is_shared_to_feed: false,
      owner: { id: '17' },
      children: { data: [child] },
      like_count: 4,
      comments_count: 5,
    },
    required: ['id'],
  },
  metrics: {
    schema: metricsSchema,
    sample: {
      data: [
        { name: 'reach', total_value: { value: 3 }, values: [{ value: 3 }] },
        { name: 'views', values: [{ value: 4 }] },
      ],
    },
    required: ['data', 'data.0', 'data.0.name', 'data.1', 'data.1.name'],
    names: Object.fromEntries(
      ['data.0.total_value', 'data.0.total_value.value', 'data.0.values', 'data.0.values.0']
        .concat('data.0.values.0.value')
        .map((path) => [path, ['reach']])
        .concat(
          ['data.1.values', 'data.1.values.0', 'data.1.values.0.value'].map((path) => [path, ['views']]),
        ),
    ),
  },
  pageMetrics: {
    schema: pageMetricsSchema,
    sample: { data: [{ name: 'page_follows', values: [{ end_time: time, value: 3 }] }] },
    required: ['data', 'data.0', 'data.0.name'],
    names: {
      'data.0.values': ['page_follows'],
      'data.0.values.0': ['page_follows'],
      'data.0.values.0.end_time': ['page_follows.0.end_time', 'page_follows.0.day'],
      'data.0.values.0.value': ['page_follows.0'],
    },
  },
  demographics: {
    schema: breakdownSchema,
    sample: {
      data: [
        {
          total_value: {
            breakdowns: [
              {
                results: [
                  { dimension_values: ['DE'], value: 5 },
                  { dimension_values: ['FR'], value: 6 },
                ],
              },
            ],
          },
        },
      ],
    },
    required: ['data', 'data.0'],
    names: Object.fromEntries(
      ['', '.breakdowns', '.breakdowns.0', '.breakdowns.0.results']
        .map((at): [string, readonly string[]] => [`data.0.total_value${at}`, ['DE', 'FR']])
        .concat(
          ['', '.dimension_values', '.dimension_values.0', '.value'].flatMap(
            (at): [string, readonly string[]][] => [
              [`data.0.total_value.breakdowns.0.results.0${at}`, ['DE']],
              [`data.0.total_value.breakdowns.0.results.1${at}`, ['FR']],
            ],
          ),
        ),
    ),
  },
  page: {
    schema: pageSchema('linked'),
    sample: { ...page, access_token: 'token', tasks: ['MANAGE'] },
    required: ['id'],
    names: {
      linked: ['pics_id', 'pics_username'],
      'linked.id': ['pics_id', 'pics_username'],
      'linked.username': ['pics_username'],
    },
  },
  pageComment: {
    schema: pageCommentSchema,
    sample: {
      id: '1_2',
      message: 'Hi',
      created_time: time,
      from: { id: '7', name: 'Ada' },
      like_count: 1,
      comment_count: 2,
      is_hidden: false,
      can_hide: true,
      can_remove: true,
      permalink_url: 'https://page.test/2',
      parent: { id: '1_1' },
      attachment: { type: 'photo', title: 'T', description: 'D', url: 'https://cdn.test/p' },
    },
    required: ['id'],
  },
  pagePost: { schema: pagePostSchema, sample: post, required: ['id'] },
  scheduledPost: {
    schema: scheduledPostSchema,
    sample: { ...post, scheduled_publish_time: 1_800_000_000 },
    required: ['id'],
  },
  pageProfile: {
    schema: pageProfileSchema('linked'),
    sample: {
      ...page,
      username: 'shop',
      link: 'https://page.test',
      category: 'Shop',
      about: 'About',
      description: 'Description',
      emails: ['a@b.test'],
      phone: '+49 30 1',
      website: 'https://shop.test',
      single_line_address: 'Street 1',
      location: { city: 'Berlin' },
      hours: { mon_1_open: '09:00' },
      fan_count: 1,
      followers_count: 2,
      rating_count: 3,
      overall_star_rating: 4.5,
      verification_status: 'not_verified',
      is_published: true,
      is_permanently_closed: false,
      picture: { data: { url: 'https://cdn.test/p' } },
      cover: { source: 'https://cdn.test/c' },
    },
    required: ['id'],
    names: {
      linked: ['pics_id', 'pics_username'],
      'linked.id': ['pics_id', 'pics_username'],
      'linked.username': ['pics_username'],
      'picture.data': ['picture'],
      'picture.data.url': ['picture'],
      'cover.source': ['cover'],
    },
  },
  picsComment: {
    schema: picsCommentSchema,
    sample: { ...comment, replies: { data: [comment] } },
    required: ['id'],
  },
  picsProfile: {
    schema: picsProfileSchema,
    sample: {
      id: '17',
      user_id: '18',
      username: 'shop',
      name: 'Shop',
      profile_picture_url: 'https://cdn.test/p',
      biography: 'Bio',
      website: 'https://shop.test',
      followers_count: 1,
      follows_count: 2,
      media_count: 3,
      account_type: 'BUSINESS',
    },
    required: ['id'],
    names: { profile_picture_url: ['picture'], biography: ['bio'] },
  },
  profile: {
    schema: profileSchema,
    sample: {
      id: '7',
      name: 'Ada',
      email: 'a@b.test',
      picture: { data: { url: 'https://cdn.test/p' } },
    },
    required: ['id'],
    names: { 'picture.data': ['picture'], 'picture.data.url': ['picture'] },
  },
  publishingLimit: {
    schema: publishingLimitSchema,
    sample: { data: [{ quota_usage: 3, config: { quota_total: 100, quota_duration: 86_400 } }] },
    required: ['data', 'data.0'],
    names: {
      'data.0.quota_usage': ['quota_usage'],
      'data.0.config': ['quota_total', 'quota_duration'],
      'data.0.config.quota_total': ['quota_total'],
      'data.0.config.quota_duration': ['quota_duration'],
    },
  },
  story: {
    schema: storySchema,
    sample: {
      post_id: '42_9',
      status: 'PUBLISHED',
      creation_time: '1767323045',
      media_type: 'photo',
      media_id: '81',
      url: 'https://page.test/s',
    },
    required: ['post_id'],
  },
  tokenInfo: {
    schema: tokenInfoSchema,
    sample: {
      data: {
        is_valid: true,
        type: 'PAGE',
        app_id: '1',
        user_id: '7',
        profile_id: '42',
        issued_at: 1_767_323_045,
        expires_at: 1_867_323_045,
        data_access_expires_at: 1_777_323_045,
        scopes: ['pages_show_list'],
        granular_scopes: [{ scope: 'pages_show_list', target_ids: ['42'] }],
      },
    },
    required: ['data'],
    names: {
      'data.expires_at': ['expires_at', 'never_expires'],
      ...Object.fromEntries(
        ['is_valid', 'type', 'app_id', 'user_id', 'profile_id', 'issued_at', 'data_access_expires_at']
          .concat('scopes', 'scopes.0', 'granular_scopes', 'granular_scopes.0')
          .concat('granular_scopes.0.target_ids', 'granular_scopes.0.target_ids.0')
          .map((path) => [`data.${path}`, [path]]),
      ),
      'data.granular_scopes.0.scope': ['granular_scopes.0'],
    },
  },
  tokenResponse: {
    schema: tokenResponseSchema,
    sample: {
      access_token: 'token',
      token_type: 'bearer',
      expires_in: 5000,
      user_id: '7',
      permissions: ['pics_basic'],
    },
    required: ['access_token'],
  },
  videoStoryStatus: {
    schema: videoStoryStatusSchema,
    sample: {
      status: {
        video_status: 'ready',
        uploading_phase: { status: 'complete', bytes_transfered: 40 },
        processing_phase: { status: 'complete' },
        publishing_phase: { status: 'complete' },
      },
    },
    required: ['status'],
    names: Object.fromEntries(
      ['video_status', 'uploading_phase', 'uploading_phase.status', 'uploading_phase.bytes_transfered']
        .concat('processing_phase', 'processing_phase.status', 'publishing_phase', 'publishing_phase.status')
        .map((path) => [`status.${path}`, [path]]),
    ),
  },
};

/** Something of every type. */
const odd: readonly unknown[] = [
  null,
  '',
  'text',
  '17',
  'true',
  ' ',
  5,
  0,
  -1.5,
  1e300,
  true,
  false,
  [],
  {},
  [5],
  [{}],
  [null],
  ['text'],
  { a: 1 },
  { data: 5 },
  { data: [5] },
  { id: '1' },
];

describe.each(Object.entries(models))('%s', (_, { schema, sample, required, names = {} }) => {
  const whole = leavesOf(v.parse(schema, sample));

  test('reads its sample', () => {
    expect(whole.size).toBeGreaterThan(1);
    expect([...whole].filter(([at, value]) => value === undefined && at !== 'error')).toEqual([]);
  });

  test.each(pathsOf(sample).filter((path) => !required.includes(path)))(
    'loses nothing by an odd %s',
    (path) => {
      for (const value of odd) {
        const sent = replaced(sample, path, value);
        const read = v.safeParse(schema, sent);

        expect(read.success, `${path}: ${JSON.stringify(value)}`).toBe(true);
        const leaves = leavesOf(read.output);
        const touched = names[path] ?? [ofItsObject(path, required)];
        for (const [at, kept] of whole) {
          if (touched.some((name) => at === name || at.startsWith(`${name}.`))) continue;
          expect(leaves.get(at), `${at}, with ${path}: ${JSON.stringify(value)}`).toEqual(kept);
        }
        const { raw = sent } = Object(read.output) as { readonly raw?: unknown };
        expect(withoutToken(raw)).toEqual(withoutToken(sent));
      }
    },
  );

  test.each(required)('has to have %s', (path) => {
    for (const value of [null, true, 'text', 5].filter((value) => !isFine(path, value))) {
      const read = v.safeParse(schema, replaced(sample, path, value));

      expect(read.success, `${path}: ${JSON.stringify(value)}`).toBe(false);
    }
  });
});

test('a field is read where another type says the same', () => {
  const read = v.parse(pagePostSchema, {
    id: 5,
    message: 17,
    story: true,
    is_published: 'true',
    is_hidden: 'false',
    shares: { count: '12' },
    from: 'Shop',
    status_type: ['x'],
    full_picture: null,
  });

  expect(read).toStrictEqual({
    id: '5',
    message: '17',
    story: 'true',
    is_published: true,
    is_hidden: false,
    shares: { count: 12 },
  });
});

test.each(['', ' ', 'many', '9007199254740993', '1e400', 'NaN', true, [], {}])('%j is no number', (count) => {
  expect(v.parse(pageCommentSchema, { id: '1', like_count: count })).toStrictEqual({ id: '1' });
});

test.each(['yes', '1', 1, 0, '', [], {}])('%j is neither true nor false', (is_hidden) => {
  expect(v.parse(pageCommentSchema, { id: '1', is_hidden })).toStrictEqual({ id: '1' });
});

test('what does not fit into a list within an entry is left out, the rest of the list stays', () => {
  const read = v.parse(messageSchema, {
    id: 'm1',
    to: { data: [5, person, { name: 'without an id' }, null] },
    attachments: { data: [{ id: '5', image_data: 'x' }, 'y'] },
  });

  expect(read).toStrictEqual({ id: 'm1', to: { data: [person] }, attachments: { data: [{ id: '5' }] } });
});

/** Whether a value may stand at a required place. */
function isFine(path: string, value: unknown): boolean {
  if (value === null) return /\d$/.test(path); // An entry that is null is left out.
  return /(?:id|name|access_token)$/.test(path) && (value === 'text' || (value === 5 && path.endsWith('id')));
}

/** What an odd value may cost: the field, or the object that cannot be without it. */
function ofItsObject(path: string, required: readonly string[]): string {
  const own = path.split('.');
  const isId = own.at(-1) === 'id' && !required.includes(path);
  // `data` is the frame of a list within an entry.
  const isFrame = own.at(-1) === 'data';
  return own.length > 1 && (isId || isFrame) ? own.slice(0, -1).join('.') : path;
}

function replaced(sample: unknown, path: string, value: unknown): unknown {
  const [name = '', ...rest] = path.split('.');
  const inner = rest.length === 0 ? value : replaced(Object(sample)[name], rest.join('.'), value);
  return Array.isArray(sample)
    ? sample.map((entry, at) => (String(at) === name ? inner : entry))
    : { ...(sample as object), [name]: inner };
}

function pathsOf(value: unknown): string[] {
  return typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([name, inner]) => [
        name,
        ...pathsOf(inner).map((path) => `${name}.${path}`),
      ]);
}

/** The plain values within, by their paths. */
function leavesOf(value: unknown): Map<string, unknown> {
  const read = value as object;
  return new Map(
    pathsOf(read).flatMap((path): [string, unknown][] => {
      if (path === 'raw' || path.startsWith('raw.')) return [];
      const leaf: unknown = path.split('.').reduce<unknown>((at, name) => Object(at)[name], read);
      return typeof leaf === 'object' && leaf !== null && !(leaf instanceof Date) ? [] : [[path, leaf]];
    }),
  );
}

function withoutToken(raw: unknown): object {
  const { access_token: _, ...rest } = Object(raw) as { readonly access_token?: unknown };
  return rest;
}
