import * as core from '../../src/core/index.ts';
import { livePlatform } from '../../src/core/platform.ts';
import type { PageContext } from '../../src/page/context.ts';
import * as page from '../../src/page/index.ts';
import type { PicsContext } from '../../src/pics/context.ts';
import * as pics from '../../src/pics/index.ts';
import { graphBase, picsGraphBase, platform } from '../support/context.ts';
import { at, type Kind, type Kinds } from './kinds.ts';

/** Which context a function is called with. */
type Realm = 'page' | 'login' | 'viaPages';

export interface Contexts {
  readonly page: PageContext;
  readonly login: PicsContext;
  readonly viaPages: PicsContext;
}

/** An exported function, and all that a test has to know to call it and to judge what comes back. */
export interface Subject {
  /** Such as `pics/publish (viaPages)`. */
  readonly name: string;
  readonly realm: Realm;
  readonly exported: string;
  readonly call: (contexts: Contexts, options: unknown) => unknown;
  /** What each option is: all of them, the `signal` included. */
  readonly kinds: Readonly<Record<string, Kind>>;
  /** Valid options; together, all of the options are given. */
  readonly variants: readonly Options[];
  /** Valid answers by `METHOD path`, the path without address and version. */
  readonly routes: Readonly<Record<string, unknown>>;
  /** Names of the errors that the function can fail with, when its options are valid. */
  readonly failures: readonly string[];
  /** What a success promises. */
  readonly holds: (value: unknown) => boolean;
  readonly isLowLevel: boolean;
}

export type Options = Readonly<Record<string, unknown>>;

/** What the tests write where a token, or a code, belongs. Replaced by the secrets of a test. */
export interface Secrets {
  readonly token: string;
  readonly code: string;
  readonly shortToken: string;
  readonly longToken: string;
  readonly entryToken: string;
}

const plainSecrets: Secrets = {
  token: 'page-token',
  code: 'login-code',
  shortToken: 'short-lived-token',
  longToken: 'long-lived-token',
  entryToken: 'token-of-an-entry',
};

const request = ['ApiError', 'RateLimitError', 'PermissionError', 'TransportError'];
const publishing = [...request, 'ContainerNotReadyError'];
const network = ['TransportError'];

type Call<TContext, TOptions> = (context: TContext, options: TOptions) => unknown;

/** What a test knows of a function beside its name. */
interface Facts<TOptions> {
  /** Every option of the function: one that is missing here does not compile. */
  readonly kinds: { readonly [TName in keyof Required<Omit<TOptions, 'signal'>>]: Kind };
  readonly variants: readonly NoInfer<TOptions>[];
  readonly routes?: Readonly<Record<string, unknown>>;
  readonly failures?: readonly string[];
  readonly holds: (value: never) => boolean;
}

/** The catalogue: every function that can be imported from the three entries. */
export function catalogue(secrets: Secrets = plainSecrets): readonly Subject[] {
  const subjects: Subject[] = [];
  const { token, code, shortToken, longToken, entryToken } = secrets;
  const pageToken = token;

  function add(
    entry: string,
    realm: Realm,
    exported: string,
    call: Subject['call'],
    { kinds, variants, routes = {}, failures = request, holds }: Facts<never>,
    isLowLevel = false,
  ): void {
    const own = 'signal' in kinds || exported === 'loginUrl' || exported === 'appSecretProof';
    subjects.push({
      name: `${entry}/${exported} (${realm})`,
      realm,
      exported,
      call,
      kinds: own ? kinds : { ...(kinds as Kinds), signal: 'signal' },
      variants: own ? variants : (variants as readonly Options[]).map(withSignal),
      routes,
      failures,
      holds: holds as (value: unknown) => boolean,
      isLowLevel,
    });
  }

  function ofPage<TOptions>(fn: Call<PageContext, TOptions>, facts: Facts<TOptions>): void {
    const call: Subject['call'] = (contexts, options) => fn(contexts.page, options as TOptions);
    add('page', 'page', fn.name, call, facts as unknown as Facts<never>);
  }

  function ofPics<TOptions>(
    fn: Call<PicsContext, TOptions>,
    realms: readonly ('login' | 'viaPages')[],
    facts: Facts<TOptions>,
  ): void {
    for (const realm of realms) {
      const call: Subject['call'] = (contexts, options) => fn(contexts[realm], options as TOptions);
      add('pics', realm, fn.name, call, facts as unknown as Facts<never>);
    }
  }

  const both = ['login', 'viaPages'] as const;
  const created = { id: '901' };
  const time = '2026-01-02T00:00:01+0000';
  const paging = {
    cursors: { before: 'QVF1', after: 'QVF2' },
    previous: `${graphBase}/42/list?access_token=${encodeURIComponent(token)}&before=QVF1`,
  };

  // Lists within lists have links of their own.
  const inner = {
    cursors: paging.cursors,
    next: `${paging.previous}&appsecret_proof=0a0a`,
    previous: paging.previous,
  };

  // Page

  ofPage(page.adContext, {
    kinds: { adId: 'id or nothing', token: 'token' },
    variants: [{ adId: '61', token }],
    routes: {
      'GET 61': {
        id: '61',
        name: 'Ad',
        adset: { id: '62', name: 'Set', optimization_goal: 'LEAD_GENERATION', targeting: { geo: ['DE'] } },
        campaign: { id: '63', name: 'Campaign', objective: 'OUTCOME_LEADS' },
      },
    },
    failures: network,
    holds: (value: page.AdContextOptions) => isRecord(value),
  });
  ofPage(page.comments, {
    kinds: { postId: 'id', pageToken: 'token', limit: 'count', fields: 'names' },
    variants: [
      { postId: '42_1', pageToken },
      { postId: '42_1', pageToken, limit: 3, fields: ['id', 'message'] },
    ],
    routes: {
      'GET 42_1/comments': {
        data: [
          {
            id: '7',
            message: 'Nice',
            created_time: time,
            from: { id: '8', name: 'A' },
            like_count: 1,
            comment_count: 0,
            is_hidden: false,
            permalink_url: 'https://example.com',
            attachment: { media: { image: { src: 'https://example.com' } } },
          },
          { id: 8 },
        ],
        paging,
      },
    },
    holds: haveIds,
  });
  ofPage(page.deletePost, {
    kinds: { postId: 'id', pageToken: 'token' },
    variants: [{ postId: '42_1', pageToken }],
    routes: { 'DELETE 42_1': { success: true } },
    holds: isTrue,
  });
  ofPage(page.exchangeCode, {
    kinds: { code: 'token', redirectUri: 'url' },
    variants: [{ code, redirectUri: 'https://example.com/back' }],
    routes: {
      'GET oauth/access_token': [
        { access_token: shortToken, token_type: 'bearer', expires_in: 3600 },
        { access_token: longToken, token_type: 'bearer', expires_in: 5_184_000 },
      ],
    },
    holds: isBundle,
  });
  ofPage(page.grantedScopes, {
    kinds: { token: 'token' },
    variants: [{ token }],
    routes: { 'GET debug_token': { data: { app_id: '1', is_valid: true, scopes: ['email'], user_id: '5' } } },
    failures: network,
    holds: (value: string[]) => Array.isArray(value) && value.every(isString),
  });
  ofPage(page.hideComment, {
    kinds: { commentId: 'id', pageToken: 'token', hidden: 'flag' },
    variants: [{ commentId: '7', pageToken, hidden: false }],
    routes: { 'POST 7': { success: true } },
    holds: isAcknowledged,
  });
  const lead = {
    id: '71',
    created_time: time,
    field_data: [
      { name: 'Full Name', values: ['Ada'] },
      { name: '__proto__', values: [1, true] },
    ],
    form_id: '72',
    ad_id: '61',
    ad_name: 'Ad',
    adset_id: '62',
    campaign_id: '63',
    is_organic: false,
    platform: 'x',
  };
  ofPage(page.lead, {
    kinds: { leadgenId: 'id', pageToken: 'token' },
    variants: [{ leadgenId: '71', pageToken }],
    routes: { 'GET 71': lead },
    holds: isLead,
  });
  ofPage(page.leadForms, {
    kinds: { pageId: 'id', pageToken: 'token', limit: 'count' },
    variants: [{ pageId: '42', pageToken, limit: 3 }],
    routes: {
      'GET 42/leadgen_forms': {
        data: [
          {
            id: '72',
            name: 'Form',
            status: 'ACTIVE',
            locale: 'en_US',
            questions: [{ key: 'q', label: 'Q', type: 'EMAIL' }],
            leads_count: 2,
          },
        ],
        paging,
      },
    },
    holds: haveIds,
  });
  ofPage(page.leads, {
    kinds: { formId: 'id', pageToken: 'token', since: 'instant', limit: 'count' },
    variants: [{ formId: '72', pageToken, since: 1_700_000_000, limit: 3 }],
    routes: { 'GET 72/leads': { data: [lead], paging } },
    holds: (value: unknown[]) => value.every(isLead),
  });
  ofPage(page.loginUrl, {
    kinds: { redirectUri: 'url', state: 'text', configId: 'text', scopes: 'names' },
    variants: [{ redirectUri: 'https://example.com/back', state: 'state', configId: '9', scopes: ['email'] }],
    failures: [],
    holds: isText,
  });
  ofPage(page.me, {
    kinds: { token: 'token' },
    variants: [{ token }],
    routes: {
      'GET me': {
        id: '5',
        name: 'Ada',
        email: 'a@example.com',
        picture: { data: { url: 'https://example.com' } },
      },
    },
    holds: (value: page.MeOptions) => hasId(value),
  });
  ofPage(page.pages, {
    kinds: { token: 'token' },
    variants: [{ token }],
    routes: {
      'GET me/accounts': {
        data: [
          {
            id: '42',
            name: 'Shop',
            access_token: entryToken,
            tasks: ['MODERATE'],
            [livePlatform.words.linkedAccount]: { id: '17', username: 'shop' },
          },
          { id: 43, name: 'Other' },
        ],
        paging,
      },
    },
    holds: (value: { access_token: string }[]) =>
      haveIds(value) && value.every((one) => isString(one.access_token)),
  });
  ofPage(page.postInsights, {
    kinds: { postId: 'id', pageToken: 'token', metrics: 'names' },
    variants: [
      { postId: '42_1', pageToken },
      { postId: '42_1', pageToken, metrics: ['a', 'b'] },
    ],
    routes: {
      'GET 42_1/insights': { data: [{ name: 'a', period: 'lifetime', values: [{ value: 3 }] }], paging },
    },
    failures: network,
    holds: (value: object) => isRecord(value),
  });
  ofPage(page.posts, {
    kinds: { pageId: 'id', pageToken: 'token', limit: 'count', fields: 'names' },
    variants: [{ pageId: '42', pageToken, limit: 3, fields: ['id'] }],
    routes: {
      'GET 42/published_posts': {
        data: [
          {
            id: '42_1',
            message: 'Hi',
            created_time: time,
            is_published: true,
            comments: { data: [], paging: inner },
          },
        ],
        paging,
      },
    },
    holds: haveIds,
  });
  ofPage(page.publishPhotoStory, {
    kinds: { pageId: 'id', pageToken: 'token', photoUrl: 'url', photoId: 'id', onCreated: 'hook' },
    variants: [
      { pageId: '42', pageToken, photoUrl: 'https://example.com/a.jpg', onCreated: () => undefined },
      { pageId: '42', pageToken, photoId: '81' },
    ],
    routes: {
      'POST 42/photos': { id: '81' },
      'POST 42/photo_stories': { success: true, post_id: '82' },
      'GET 42/stories': { data: [{ post_id: '82', media_id: '81', status: 'PUBLISHED' }] },
    },
    holds: (value: { photo_id: string; post_id: string }) => isText(value.photo_id) && isText(value.post_id),
  });
  ofPage(page.publishPost, {
    kinds: { pageId: 'id', pageToken: 'token', message: 'text', link: 'url', published: 'flag' },
    variants: [
      { pageId: '42', pageToken, message: 'Hi' },
      { pageId: '42', pageToken, message: 'Hi', link: 'https://example.com', published: false },
    ],
    routes: {
      'POST 42/feed': { id: '42_1' },
      'GET 42/published_posts': { data: [{ id: '42_1', message: 'Hi', created_time: time }] },
    },
    holds: hasId,
  });
  ofPage(page.publishVideoStory, {
    kinds: {
      pageId: 'id',
      pageToken: 'token',
      videoUrl: 'url',
      video: 'video',
      waitTimeoutMs: 'duration',
      uploadTimeoutMs: 'time limit',
      uploadAttempts: 'count',
      onProgress: 'hook',
      onCreated: 'hook',
    },
    variants: [
      {
        pageId: '42',
        pageToken,
        video: new Uint8Array(40),
        waitTimeoutMs: 2000,
        uploadTimeoutMs: 1000,
        uploadAttempts: 2,
        onProgress: () => undefined,
        onCreated: () => undefined,
      },
      { pageId: '42', pageToken, videoUrl: 'https://example.com/a.mp4', waitTimeoutMs: 2000 },
    ],
    routes: {
      'POST 42/video_stories': [
        { video_id: '77', upload_url: `${platform.uploadUrl}/video/77` },
        { success: true, post_id: '82' },
      ],
      'POST video/77': { success: true },
      'GET 77': {
        status: {
          video_status: 'ready',
          uploading_phase: { status: 'complete', bytes_transfered: 40 },
          processing_phase: { status: 'not_started' },
          publishing_phase: { status: 'not_started' },
          // The models know nothing of this one.
          copyright_check_phase: { status: 'not_started', matches: null },
        },
        id: '77',
      },
      'GET 42/stories': { data: [{ post_id: '82', media_id: '77', status: 'PUBLISHED' }] },
    },
    holds: (value: { video_id: string; post_id: string }) => isText(value.video_id) && isText(value.post_id),
  });
  ofPage(page.replyComment, {
    kinds: { commentId: 'id', pageToken: 'token', message: 'text' },
    variants: [{ commentId: '7', pageToken, message: 'Thanks' }],
    routes: {
      'POST 7/comments': created,
      'GET 7/comments': { data: [{ id: '901', message: 'Thanks', created_time: time }] },
    },
    holds: hasId,
  });
  ofPage(page.revoke, {
    kinds: { token: 'token', userId: 'id' },
    variants: [{ token, userId: '5' }],
    routes: { 'DELETE 5/permissions': { success: true } },
    holds: isTrue,
  });
  ofPage(page.stories, {
    kinds: { pageId: 'id', pageToken: 'token', limit: 'count' },
    variants: [{ pageId: '42', pageToken, limit: 3 }],
    routes: {
      'GET 42/stories': {
        data: [
          {
            post_id: '82',
            status: 'PUBLISHED',
            creation_time: '1700000000',
            media_type: 'photo',
            media_id: 81,
            url: 'https://example.com',
          },
        ],
        paging,
      },
    },
    holds: (value: readonly object[]) => value.every((story) => isText(at(story, 'post_id'))),
  });
  ofPage(page.subscribePage, {
    kinds: { pageId: 'id', pageToken: 'token', fields: 'names' },
    variants: [{ pageId: '42', pageToken, fields: ['feed'] }],
    routes: { 'POST 42/subscribed_apps': { success: true } },
    holds: isTrue,
  });
  ofPage(page.subscriptions, {
    kinds: { pageId: 'id', pageToken: 'token' },
    variants: [{ pageId: '42', pageToken }],
    routes: { 'GET 42/subscribed_apps': { data: [{ id: '1', subscribed_fields: ['feed'] }] } },
    holds: (value: unknown[]) => value.every(isRecord),
  });
  ofPage(page.unsubscribePage, {
    kinds: { pageId: 'id', pageToken: 'token' },
    variants: [{ pageId: '42', pageToken }],
    routes: { 'DELETE 42/subscribed_apps': { success: true } },
    holds: isTrue,
  });
  ofPage(page.videoStoryStatus, {
    kinds: { videoId: 'id', pageToken: 'token' },
    variants: [{ videoId: '77', pageToken }],
    routes: {
      'GET 77': {
        status: {
          uploading_phase: { status: 'completed', bytes_transferred: 3 },
          processing_phase: { status: 'error', errors: [{ code: 1, message: 'Low quality' }] },
        },
      },
    },
    holds: (value: object) =>
      ['uploading_phase', 'processing_phase', 'publishing_phase'].every((phase) =>
        isString(at(value, phase, 'status')),
      ),
  });

  // Photo sharing

  const account = { picsUserId: '17' };
  const wait = { waitTimeoutMs: 3000, onStatus: () => undefined };
  const making = { ...wait, onCreated: () => undefined };
  const waitKinds = { waitTimeoutMs: 'duration', onStatus: 'hook' } as const;
  const makingKinds = { ...waitKinds, onCreated: 'hook' } as const;
  const container = { id: '501', status_code: 'FINISHED', status: 'Finished: Media has been uploaded.' };
  const medium = {
    id: '901',
    caption: 'Hi',
    media_type: 'IMAGE',
    media_product_type: 'FEED',
    media_url: 'https://example.com',
    permalink: 'https://example.com',
    timestamp: time,
    username: 'shop',
    like_count: 1,
    comments_count: 2,
  };
  const publishRoutes = {
    'POST 17/media': { id: '501' },
    // The second look is one after a lost answer.
    'GET 501': [container, { id: '501', status_code: 'PUBLISHED' }],
    'POST 17/media_publish': created,
    'GET 17/media': { data: [medium], paging },
    'GET 17/stories': { data: [medium], paging },
  };
  const isPublished = (value: { container_id: string; media_id: string }): boolean =>
    isText(value.container_id) && isText(value.media_id);

  ofPics(pics.comments, both, {
    kinds: { mediaId: 'id', token: 'token', limit: 'count', fields: 'names' },
    variants: [
      { mediaId: '901', token },
      { mediaId: '901', token, limit: 3, fields: ['id'] },
    ],
    routes: {
      'GET 901/comments': {
        data: [
          {
            id: '7',
            text: 'Nice',
            timestamp: time,
            username: 'a',
            like_count: 1,
            hidden: false,
            from: { id: '8', username: 'a' },
            replies: { data: [{ id: '9', text: 'Yes', parent_id: 7 }], paging: inner },
          },
        ],
        paging,
      },
    },
    holds: haveIds,
  });
  ofPics(pics.contact, both, {
    kinds: { igsid: 'id', token: 'token' },
    variants: [{ igsid: '8', token }],
    routes: {
      'GET 8': {
        id: '8',
        name: 'Ada',
        username: 'ada',
        profile_pic: 'https://example.com',
        follower_count: 3,
        is_verified_user: false,
      },
    },
    failures: [],
    holds: (value: { id: string; available: boolean }) =>
      isText(value.id) && typeof value.available === 'boolean',
  });
  ofPics(pics.containerStatus, both, {
    kinds: { containerId: 'id', token: 'token' },
    variants: [{ containerId: '501', token }],
    routes: { 'GET 501': container },
    holds: hasId,
  });
  ofPics(pics.conversations, both, {
    kinds: {
      token: 'token',
      picsUserId: 'id',
      pageId: 'account',
      limit: 'count',
      after: 'text',
      enrich: 'flag',
    },
    variants: [{ token, ...account, pageId: '42', limit: 5, after: 'QVF1', enrich: true }],
    routes: {
      [`GET conversations`]: {
        data: [
          {
            id: 't_1',
            updated_time: time,
            participants: {
              data: [
                { id: '17', username: 'shop' },
                { id: '8', username: 'ada', user_id: '88' },
              ],
              paging: inner,
            },
            messages: {
              data: [{ id: 'm_1', created_time: time, from: { id: '8' }, message: 'Hi' }],
              paging: inner,
            },
          },
          { id: 't_2', participants: { data: [{ id: '17' }, { id: '9' }] } },
        ],
        paging: { ...paging, next: paging.previous },
      },
      'GET 8': { id: '8', name: 'Ada' },
      'GET 9': { id: '9', name: 'Bob' },
    },
    holds: (value: { data: unknown[] }) =>
      haveIds(value.data) && value.data.every((thread) => haveIds(at(thread, 'contacts'))),
  });
  ofPics(pics.deleteComment, both, {
    kinds: { commentId: 'id', token: 'token' },
    variants: [{ commentId: '7', token }],
    routes: { 'DELETE 7': { success: true } },
    holds: isAcknowledged,
  });
  ofPics(pics.demographics, both, {
    kinds: { token: 'token', picsUserId: 'account' },
    variants: [{ token, ...account }],
    routes: {
      'GET 17/insights': {
        data: [
          {
            name: 'follower_demographics',
            total_value: {
              breakdowns: [{ dimension_keys: ['age'], results: [{ dimension_values: ['25-34'], value: 3 }] }],
            },
          },
        ],
      },
    },
    failures: [],
    holds: (value: object) => ['age', 'gender', 'city', 'country'].every((cut) => isCut(at(value, cut))),
  });
  ofPics(pics.exchangeCode, ['login'], {
    kinds: { code: 'token', redirectUri: 'url' },
    variants: [{ code, redirectUri: 'https://example.com/back' }],
    routes: {
      'POST oauth/access_token': { access_token: shortToken, user_id: 17, permissions: 'a,b' },
      'GET access_token': { access_token: longToken, token_type: 'bearer', expires_in: 5_184_000 },
    },
    holds: isBundle,
  });
  ofPics(pics.hideComment, both, {
    kinds: { commentId: 'id', token: 'token', hidden: 'flag' },
    variants: [{ commentId: '7', token, hidden: false }],
    routes: { 'POST 7': { success: true } },
    holds: isAcknowledged,
  });
  const totals = {
    data: [
      { name: 'reach', period: 'day', total_value: { value: 3 } },
      { name: 'views', period: 'lifetime', values: [{ value: 4 }, null] },
    ],
  };
  ofPics(pics.insights, both, {
    kinds: { token: 'token', picsUserId: 'account', since: 'day', until: 'day', metrics: 'names' },
    variants: [{ token, ...account, since: '2025-12-01', until: new Date('2025-12-24'), metrics: ['reach'] }],
    routes: { 'GET 17/insights': totals },
    holds: (value: { metrics: object }) => areNumbers(value.metrics),
  });
  ofPics(pics.loginUrl, ['login'], {
    kinds: { redirectUri: 'url', state: 'text', scopes: 'names' },
    variants: [{ redirectUri: 'https://example.com/back', state: 'state', scopes: ['pics_basic'] }],
    failures: [],
    holds: isText,
  });
  ofPics(pics.media, both, {
    kinds: { token: 'token', picsUserId: 'account', limit: 'count', fields: 'names' },
    variants: [
      { token, ...account },
      { token, ...account, limit: 3, fields: ['id'] },
    ],
    routes: { 'GET 17/media': { data: [medium, { id: 902, caption: null }], paging } },
    holds: haveIds,
  });
  ofPics(pics.mediaDetails, both, {
    kinds: { mediaId: 'id', token: 'token', fields: 'names' },
    variants: [
      { mediaId: '901', token },
      { mediaId: '901', token, fields: ['id'] },
    ],
    routes: { 'GET 901': medium },
    holds: hasId,
  });
  ofPics(pics.mediaInsights, both, {
    kinds: { mediaId: 'id', token: 'token', metrics: 'names' },
    variants: [
      { mediaId: '901', token },
      { mediaId: '901', token, metrics: ['reach', 'views'] },
    ],
    routes: { 'GET 901': medium, 'GET 901/insights': totals },
    failures: network,
    holds: areNumbers,
  });
  ofPics(pics.messages, both, {
    kinds: { conversationId: 'id', token: 'token', limit: 'count', after: 'text' },
    variants: [{ conversationId: 't_1', token, limit: 3, after: 'QVF1' }],
    routes: {
      'GET t_1/messages': {
        data: [
          {
            id: 'm_1',
            created_time: time,
            from: { id: '8', username: 'ada' },
            to: { data: [{ id: '17' }] },
            message: 'Hi',
            attachments: { data: [], paging: inner },
          },
        ],
        paging: { ...paging, next: paging.previous },
      },
    },
    holds: (value: { data: unknown }) => haveIds(value.data),
  });
  const iterated = <TOptions>(
    name: string,
    walk: (context: PicsContext, options: TOptions) => AsyncIterable<unknown>,
  ): Call<PicsContext, TOptions> =>
    Object.defineProperty(
      (context: PicsContext, options: TOptions) => lastOf(walk(context, options)),
      'name',
      {
        value: name,
      },
    );
  ofPics(iterated('iterateConversations', pics.iterateConversations), both, {
    kinds: {
      token: 'token',
      picsUserId: 'id',
      pageId: 'account',
      limit: 'count',
      pageSize: 'count',
      enrich: 'flag',
    },
    variants: [{ token, ...account, pageId: '42', limit: 5, pageSize: 2, enrich: true }],
    routes: {
      'GET conversations': {
        data: [{ id: 't_1', participants: { data: [{ id: '17' }, { id: '8' }], paging: inner } }],
        paging,
      },
      'GET 8': { id: '8', name: 'Ada' },
    },
    holds: (last: unknown) => last === undefined || hasId(last as never),
  });
  ofPics(iterated('iterateMessages', pics.iterateMessages), both, {
    kinds: { conversationId: 'id', token: 'token', limit: 'count', pageSize: 'count' },
    variants: [{ conversationId: 't_1', token, limit: 3, pageSize: 2 }],
    routes: { 'GET t_1/messages': { data: [{ id: 'm_1', message: 'Hi' }], paging } },
    holds: (last: unknown) => last === undefined || hasId(last as never),
  });
  ofPics(pics.profile, both, {
    kinds: { token: 'token', picsUserId: 'account' },
    variants: [{ token, ...account }],
    routes: {
      'GET 17': {
        id: '17',
        user_id: '170',
        username: 'shop',
        name: null,
        profile_picture_url: 'https://example.com',
        biography: 'We sell',
        website: 'https://example.com',
        followers_count: 3,
        follows_count: 2,
        media_count: 1,
        account_type: 'BUSINESS',
      },
    },
    holds: hasId,
  });
  ofPics(pics.publish, both, {
    kinds: {
      token: 'token',
      picsUserId: 'account',
      caption: 'string',
      imageUrl: 'https url',
      videoUrl: 'https url',
      isReel: 'flag',
      shareToFeed: 'flag',
      ...makingKinds,
    },
    variants: [
      { token, ...account, imageUrl: 'https://example.com/a.jpg', caption: 'Hi', ...making },
      {
        token,
        ...account,
        videoUrl: 'https://example.com/ä.mp4',
        isReel: true,
        shareToFeed: false,
        caption: 'Hi',
        ...making,
      },
    ],
    routes: publishRoutes,
    failures: publishing,
    holds: isPublished,
  });
  ofPics(pics.publishCarousel, both, {
    kinds: { token: 'token', picsUserId: 'account', imageUrls: 'images', caption: 'string', ...makingKinds },
    variants: [
      {
        token,
        ...account,
        imageUrls: ['https://example.com/a.jpg', 'https://example.com/b.jpg'],
        caption: 'Hi',
        ...making,
      },
    ],
    routes: publishRoutes,
    failures: publishing,
    holds: (value: { container_id: string; media_id: string; children: unknown[] }) =>
      isPublished(value) && value.children.every(isText),
  });
  ofPics(pics.publishContainer, both, {
    kinds: { token: 'token', containerId: 'id', picsUserId: 'account', ...waitKinds },
    variants: [{ token, containerId: '501', ...account, ...wait }],
    routes: publishRoutes,
    failures: publishing,
    holds: isPublished,
  });
  ofPics(pics.publishStory, both, {
    kinds: {
      token: 'token',
      picsUserId: 'account',
      imageUrl: 'https url',
      videoUrl: 'https url',
      ...makingKinds,
    },
    variants: [
      { token, ...account, imageUrl: 'https://example.com/a.jpg', ...making },
      { token, ...account, videoUrl: 'https://example.com/a.mp4', ...making },
    ],
    routes: publishRoutes,
    failures: publishing,
    holds: isPublished,
  });
  ofPics(pics.publishingLimit, both, {
    kinds: { token: 'token', picsUserId: 'account' },
    variants: [{ token, ...account }],
    routes: {
      'GET 17/content_publishing_limit': {
        data: [{ quota_usage: 2, config: { quota_total: 100, quota_duration: 86_400 } }],
      },
    },
    holds: (value: { quota_usage: number }) => typeof value.quota_usage === 'number',
  });
  ofPics(pics.refreshToken, ['login'], {
    kinds: { token: 'token' },
    variants: [{ token }],
    routes: {
      'GET refresh_access_token': { access_token: longToken, token_type: 'bearer', expires_in: 5_184_000 },
    },
    holds: isBundle,
  });
  ofPics(pics.replyComment, both, {
    kinds: { commentId: 'id', token: 'token', message: 'text' },
    variants: [{ commentId: '7', token, message: 'Thanks' }],
    routes: {
      'POST 7/replies': created,
      'GET 7/replies': { data: [{ id: '901', text: 'Thanks', timestamp: time, username: 'shop' }] },
    },
    holds: hasId,
  });
  ofPics(pics.sendMessage, both, {
    kinds: { recipientId: 'id', token: 'token', text: 'text', picsUserId: 'id', pageId: 'account' },
    variants: [{ recipientId: '8', token, text: 'Hi', ...account, pageId: '42' }],
    routes: {
      'POST messages': { recipient_id: '8', message_id: 'm_1' },
      'GET conversations': {
        data: [
          {
            id: 't_1',
            messages: {
              data: [
                {
                  id: 'm_1',
                  created_time: time,
                  from: { id: '17' },
                  to: { data: [{ id: '8' }] },
                  message: 'Hi',
                },
              ],
            },
          },
        ],
      },
    },
    holds: (value: { recipient_id: string; message_id: string }) =>
      isText(value.recipient_id) && isText(value.message_id),
  });
  ofPics(pics.stories, ['viaPages'], {
    kinds: { token: 'token', picsUserId: 'account', limit: 'count', fields: 'names' },
    variants: [
      { token, ...account },
      { token, ...account, limit: 3, fields: ['id'] },
    ],
    routes: { 'GET 17/stories': { data: [medium], paging } },
    holds: haveIds,
  });
  ofPics(pics.subscribeAccount, ['login'], {
    kinds: { token: 'token', picsUserId: 'account', fields: 'names' },
    variants: [{ token, ...account, fields: ['comments'] }],
    routes: { 'POST 17/subscribed_apps': { success: true } },
    holds: isTrue,
  });

  // Core

  const sent = { params: { access_token: token, fields: ['id', 'name'], deep: { a: 1 }, none: null } };
  const headers = { 'x-trace': 'a' };
  const lowLevel = { params: 'record', data: 'anything', json: 'anything', headers: 'headers' } as const;
  const list = { data: [{ id: '1' }, { id: '2' }], paging };
  const anything = (): boolean => true;
  const ofCore = (exported: string, call: Subject['call'], facts: Facts<Options>): void =>
    add('core', 'page', exported, call, facts as unknown as Facts<never>, true);

  ofCore(
    'request',
    ({ page: context }, options) =>
      spread(options, (all) => {
        const [method, url] = [all['method'] as core.Method, all['url'] as string];
        return core.request(context, method, url, without(all, ['method', 'url']));
      }) ?? core.request(context, 'GET', '42', options as core.RequestOptions),
    {
      kinds: { method: 'method', url: 'target', ...lowLevel },
      variants: [
        { method: 'POST', url: '42', ...sent, data: { message: 'Hi', access_token: token }, headers },
        { method: 'PUT', url: `${graphBase}/42`, ...sent, json: { access_token: token, deep: [1] }, headers },
      ],
      routes: { 'POST 42': created, 'PUT 42': created },
      holds: anything,
    },
  );
  for (const [exported, method, fn] of [
    ['get', 'GET', core.get],
    ['post', 'POST', core.post],
    ['del', 'DELETE', core.del],
  ] as const) {
    ofCore(
      exported,
      ({ page: context }, options) =>
        spread(options, (all) => fn(context, all['url'] as string, without(all, ['url']))) ??
        fn(context, '42', options as core.RequestOptions),
      {
        kinds: { url: 'target', ...lowLevel },
        variants:
          exported === 'post'
            ? [
                { url: '42', ...sent, data: new URLSearchParams({ access_token: token }), headers },
                { url: '42', ...sent, json: { access_token: token }, headers },
              ]
            : [{ url: '42', ...sent, headers }],
        routes: { [`${method} 42`]: exported === 'del' ? { success: true } : list },
        holds: anything,
      },
    );
  }
  const pagingKinds = { url: 'target', params: 'record', maxItems: 'count', pageSize: 'count' } as const;
  const pagingVariants = [
    { url: '42/list', ...sent },
    { url: '42/list', ...sent, maxItems: 5, pageSize: 2 },
  ];
  ofCore(
    'paginate',
    ({ page: context }, options) =>
      spread(options, (all) => core.paginate(context, all['url'] as string, without(all, ['url']))) ??
      core.paginate(context, '42/list', options as core.PaginateOptions),
    {
      kinds: pagingKinds,
      variants: pagingVariants,
      routes: { 'GET 42/list': list },
      holds: (value: unknown[]) => value.every(isRecord),
    },
  );
  ofCore(
    'iterate',
    ({ page: context }, options) =>
      lastOf(
        spread(options, (all) => core.iterate(context, all['url'] as string, without(all, ['url']))) ??
          core.iterate(context, '42/list', options as core.PaginateOptions),
      ),
    {
      kinds: pagingKinds,
      variants: pagingVariants,
      routes: { 'GET 42/list': list },
      holds: anything,
    },
  );
  ofCore(
    'appSecretProof',
    (_, options) =>
      spread(options, ({ token: text, secret }) => core.appSecretProof(text as string, secret as string)) ??
      core.appSecretProof(options as string, options as string),
    {
      kinds: { token: 'non-empty', secret: 'non-empty' },
      variants: [{ token, secret: 'app-secret' }],
      failures: [],
      holds: (value: string) => /^[\da-f]{64}$/.test(value),
    },
  );
  return subjects;
}

/** Functions that make or end something, and send nothing. Their inputs are tested beside the catalogue. */
export const makers = {
  page: ['createPageContext', 'createPageContextFromEnv'],
  pics: ['createPicsContext', 'createPicsContextViaPages', 'createPicsContextFromEnv'],
  core: ['bind', 'close'],
};

/** Names of the functions that can be imported, by entry; error classes are not among them. */
export const exportedFunctions: Readonly<Record<'page' | 'pics' | 'core', readonly string[]>> = {
  page: functionsOf(page),
  pics: functionsOf(pics),
  core: functionsOf(core),
};

/** Every origin that a token may go to. */
export const trustedOrigins = new Set(
  [graphBase, picsGraphBase, ...Object.values(platform)].map((address) => new URL(address).origin),
);

function functionsOf(module: object): readonly string[] {
  return Object.entries(module)
    .filter(([name, value]) => typeof value === 'function' && !/^[A-Z]/.test(name))
    .map(([name]) => name);
}

function withSignal(options: Options): Options {
  return { ...options, signal: new AbortController().signal };
}

/** What is left of options without some of them; nothing is read. */
function without(options: Options, names: readonly string[]): Options {
  const descriptors = Object.entries(Object.getOwnPropertyDescriptors(options));
  const rest = descriptors.filter(([name]) => !names.includes(name));
  return Object.defineProperties({}, Object.fromEntries(rest)) as Options;
}

/** Calls a function of several arguments with the fields of one object, where there is one. */
function spread<TResult>(options: unknown, call: (options: Options) => TResult): TResult | undefined {
  return typeof options === 'object' && options !== null && ('url' in options || 'token' in options)
    ? call(options as Options)
    : undefined;
}

/** The last entry of a walk: its failure, where it has one. */
async function lastOf(entries: AsyncIterable<unknown>): Promise<unknown> {
  let last: unknown = { isOk: () => true, isErr: () => false, value: undefined };
  for await (const entry of entries) last = entry;
  return last;
}

function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function isString(value: unknown): boolean {
  return typeof value === 'string';
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function isTrue(value: unknown): boolean {
  return value === true;
}

function isAcknowledged(value: unknown): boolean {
  return at(value, 'success') === true;
}

function hasId(value: unknown): boolean {
  return isText(at(value, 'id'));
}

function haveIds(value: unknown): boolean {
  return Array.isArray(value) && value.every(hasId);
}

function isLead(value: unknown): boolean {
  return hasId(value) && isRecord(at(value, 'fields')) && Array.isArray(at(value, 'field_data'));
}

function isBundle(value: unknown): boolean {
  const expires = at(value, 'expires_at');
  const isDate = expires === undefined || (expires instanceof Date && !Number.isNaN(expires.getTime()));
  return isText(at(value, 'access_token')) && isText(at(value, 'token_type')) && isDate;
}

function isCut(value: unknown): boolean {
  return typeof at(value, 'available') === 'boolean' && areNumbers(at(value, 'values'));
}

function areNumbers(value: unknown): boolean {
  return isRecord(value) && Object.values(value as object).every((item) => typeof item === 'number');
}
