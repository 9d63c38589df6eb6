import type { InsightDays } from '../../../src/models/insights.ts';
import * as pics from '../../../src/pics/index.ts';
import { platform } from '../../support/context.ts';
import { at } from '../kinds.ts';
import {
  isRecord,
  isText,
  isTrue,
  isAcknowledged,
  hasId,
  haveIds,
  haveNamed,
  isBundle,
  isCut,
  isSent,
  areNumbers,
} from './holds.ts';
import { inspected, publishing, network, walked, type Kit } from './kit.ts';

/** The functions of `pagepics/pics`. */
export function addPics(kit: Kit): void {
  const { messaging, token, code, shortToken, longToken, ofPics, both, created, time, paging, inner } = kit;

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
  const uploading = {
    video: new Uint8Array(40),
    uploadTimeoutMs: 1000,
    uploadAttempts: 2,
    onProgress: () => undefined,
  };
  const uploadKinds = { uploadTimeoutMs: 'time limit', uploadAttempts: 'count', onProgress: 'hook' } as const;
  const publishRoutes = {
    'POST 17/media': { id: '501', uri: `${platform.uploadUrl}/video/501` },
    'POST video/501': { success: true },
    // The second look is one after a lost response.
    'GET 501': [container, { id: '501', status_code: 'PUBLISHED' }],
    'POST 17/media_publish': created,
    'GET 17/media': { data: [medium], paging },
    'GET 17/stories': { data: [medium], paging },
  };
  const isPublished = (value: { container_id: string; media_id: string }): boolean =>
    isText(value.container_id) && isText(value.media_id);

  const pageOfComments = {
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
  };
  const pageOfReplies = { 'GET 7/replies': pageOfComments['GET 901/comments'] };
  ofPics(pics.comments, both, {
    kinds: { mediaId: 'id', token: 'token', limit: 'count', replies: 'flag', fields: 'names' },
    variants: [
      { mediaId: '901', token },
      { mediaId: '901', token, limit: 3, replies: true, fields: ['id'] },
    ],
    routes: { ...pageOfComments, ...pageOfReplies },
    holds: haveIds,
  });
  ofPics(walked('iterateComments', pics.iterateComments), both, {
    kinds: {
      mediaId: 'id',
      token: 'token',
      limit: 'count',
      replies: 'flag',
      fields: 'names',
      onUnreadable: 'hook',
    },
    variants: [
      { mediaId: '901', token, limit: 3, replies: true, fields: ['id'], onUnreadable: () => undefined },
    ],
    routes: { ...pageOfComments, ...pageOfReplies },
    holds: (last: unknown) => last === undefined || hasId(last as never),
  });
  ofPics(pics.commentDetails, both, {
    kinds: { commentId: 'id', token: 'token', fields: 'names' },
    variants: [
      { commentId: '7', token },
      { commentId: '7', token, fields: ['id', 'parent_id'] },
    ],
    routes: { 'GET 7': { ...pageOfComments['GET 901/comments'].data[0], parent_id: '6' } },
    holds: hasId,
  });
  ofPics(pics.replies, both, {
    kinds: { commentId: 'id', token: 'token', limit: 'count', fields: 'names' },
    variants: [
      { commentId: '7', token },
      { commentId: '7', token, limit: 3, fields: ['id'] },
    ],
    routes: pageOfReplies,
    holds: haveIds,
  });
  ofPics(walked('iterateReplies', pics.iterateReplies), both, {
    kinds: { commentId: 'id', token: 'token', limit: 'count', fields: 'names', onUnreadable: 'hook' },
    variants: [{ commentId: '7', token, limit: 3, fields: ['id'], onUnreadable: () => undefined }],
    routes: pageOfReplies,
    holds: (last: unknown) => last === undefined || hasId(last as never),
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
      userId: 'id',
      enrich: 'flag',
    },
    variants: [{ token, ...account, pageId: '42', limit: 5, after: 'QVF1', userId: '8', enrich: true }],
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
  ofPics(pics.deleteMedia, ['viaPages'], {
    kinds: { mediaId: 'id', token: 'token' },
    variants: [{ mediaId: '901', token }],
    routes: { 'DELETE 901': { success: true } },
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
  ofPics(pics.inspectToken, ['viaPages'], {
    kinds: { token: 'token' },
    variants: [{ token }],
    routes: { 'GET debug_token': inspected },
    holds: (value: object) =>
      typeof at(value, 'is_valid') === 'boolean' && Array.isArray(at(value, 'scopes')),
  });
  ofPics(pics.insights, both, {
    kinds: { token: 'token', picsUserId: 'account', since: 'day', until: 'day', metrics: 'names' },
    variants: [{ token, ...account, since: '2025-12-01', until: new Date('2025-12-24'), metrics: ['reach'] }],
    routes: { 'GET 17/insights': totals },
    holds: (value: { metrics: object }) => areNumbers(value.metrics),
  });
  ofPics(pics.insightSeries, both, {
    kinds: {
      token: 'token',
      picsUserId: 'account',
      metrics: 'names',
      since: 'day',
      until: 'day',
      breakdown: 'choice',
    },
    variants: [
      { token, ...account, metrics: ['reach'], since: '2025-12-20', until: new Date('2025-12-24') },
      { token, ...account, metrics: ['reach', 'views'], since: '2025-12-23', until: '2025-12-24' },
      {
        token,
        ...account,
        metrics: ['views'],
        since: '2025-12-24',
        until: '2025-12-24',
        breakdown: 'follow_type',
      },
    ],
    routes: {
      'GET 17/insights': {
        data: [
          {
            name: 'reach',
            period: 'day',
            values: [{ value: 3, end_time: '2025-12-24T08:00:00+0000' }, null],
          },
          {
            name: 'views',
            period: 'day',
            total_value: {
              value: 4,
              breakdowns: [
                { dimension_keys: ['follow_type'], results: [{ dimension_values: ['FOLLOWER'], value: 4 }] },
              ],
            },
          },
        ],
      },
    },
    holds: (value: object) =>
      Object.values(value).every(
        (days: InsightDays) =>
          typeof days.available === 'boolean' &&
          days.every(
            ({ day, value: number }) =>
              /^\d{4}-\d\d-\d\d$/.test(day) && (number === undefined || typeof number === 'number'),
          ),
      ),
  });
  ofPics(pics.loginUrl, ['login'], {
    kinds: { redirectUri: 'url', state: 'text', scopes: 'names', forceReauth: 'flag' },
    variants: [
      {
        redirectUri: 'https://example.com/back',
        state: 'state',
        scopes: ['pics_basic'],
        forceReauth: true,
      },
    ],
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
  ofPics(walked('iterateMedia', pics.iterateMedia), both, {
    kinds: { token: 'token', picsUserId: 'account', limit: 'count', fields: 'names', onUnreadable: 'hook' },
    variants: [
      { token, ...account, limit: 3 },
      { token, ...account, limit: 3, fields: ['id'], onUnreadable: () => undefined },
    ],
    routes: { 'GET 17/media': { data: [medium, { id: 902, caption: null }], paging } },
    holds: (last: unknown) => last === undefined || hasId(last as never),
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
  ofPics(pics.messageDetails, both, {
    kinds: { messageId: 'id', token: 'token', fields: 'names' },
    variants: [
      { messageId: 'm_1', token },
      { messageId: 'm_1', token, fields: ['id', 'from'] },
    ],
    routes: {
      'GET m_1': {
        id: 'm_1',
        created_time: time,
        from: { id: '8', username: 'ada' },
        to: { data: [{ id: '17' }] },
        message: 'Hi',
        story: { reply_to: { id: '9', link: 'https://example.com/a' } },
        reply_to: { mid: 'm_0', is_self_reply: true },
        is_unsupported: 'false',
      },
    },
    holds: hasId,
  });
  ofPics(walked('iterateConversations', pics.iterateConversations), both, {
    kinds: {
      token: 'token',
      picsUserId: 'id',
      pageId: 'account',
      limit: 'count',
      pageSize: 'count',
      enrich: 'flag',
      onUnreadable: 'hook',
    },
    variants: [
      { token, ...account, pageId: '42', limit: 5, pageSize: 2, enrich: true, onUnreadable: () => undefined },
    ],
    routes: {
      'GET conversations': {
        data: [{ id: 't_1', participants: { data: [{ id: '17' }, { id: '8' }], paging: inner } }],
        paging,
      },
      'GET 8': { id: '8', name: 'Ada' },
    },
    holds: (last: unknown) => last === undefined || hasId(last as never),
  });
  ofPics(walked('iterateMessages', pics.iterateMessages), both, {
    kinds: { conversationId: 'id', token: 'token', limit: 'count', pageSize: 'count', onUnreadable: 'hook' },
    variants: [{ conversationId: 't_1', token, limit: 3, pageSize: 2, onUnreadable: () => undefined }],
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
      idempotencyKey: 'key',
      token: 'token',
      picsUserId: 'account',
      caption: 'string',
      imageUrl: 'https url',
      videoUrl: 'https url',
      video: 'video',
      isReel: 'flag',
      shareToFeed: 'flag',
      altText: 'string',
      locationId: 'id',
      collaborators: 'list',
      isAiGenerated: 'flag',
      sponsorIds: 'list',
      paidPartnership: 'flag',
      poll: 'object',
      commentPrompt: 'flag',
      userTags: 'list',
      productTags: 'list',
      coverUrl: 'https url',
      thumbOffsetMs: 'offset',
      audioName: 'string',
      audio: 'object',
      trial: 'trial',
      ...makingKinds,
      ...uploadKinds,
    },
    variants: [
      { token, ...account, ...uploading, userTags: [{ username: 'ada' }], ...making },
      {
        token,
        ...account,
        imageUrl: 'https://example.com/a.jpg',
        caption: 'Hi',
        altText: 'A door',
        userTags: [{ username: 'ada', x: 0, y: 1 }],
        // Not in login mode.
        productTags: undefined,
        ...making,
      },
      {
        token,
        ...account,
        videoUrl: 'https://example.com/ä.mp4',
        isReel: true,
        shareToFeed: false,
        caption: 'Hi',
        locationId: '123',
        collaborators: ['ada'],
        isAiGenerated: true,
        // Not in login mode.
        sponsorIds: undefined,
        paidPartnership: false,
        poll: undefined,
        commentPrompt: false,
        coverUrl: 'https://example.com/a.jpg',
        thumbOffsetMs: 0,
        audioName: 'Waves',
        // Not in login mode.
        audio: undefined,
        trial: 'MANUAL',
        ...making,
      },
    ],
    routes: publishRoutes,
    failures: publishing,
    holds: isPublished,
  });
  ofPics(pics.publishCarousel, both, {
    kinds: {
      idempotencyKey: 'key',
      token: 'token',
      picsUserId: 'account',
      imageUrls: 'images',
      items: 'items',
      ...uploadKinds,
      caption: 'string',
      locationId: 'id',
      collaborators: 'list',
      isAiGenerated: 'flag',
      sponsorIds: 'list',
      paidPartnership: 'flag',
      poll: 'object',
      commentPrompt: 'flag',
      ...makingKinds,
    },
    variants: [
      {
        token,
        ...account,
        imageUrls: ['https://example.com/a.jpg', 'https://example.com/b.jpg'],
        caption: 'Hi',
        ...making,
      },
      {
        token,
        ...account,
        items: [
          { imageUrl: 'https://example.com/a.jpg', altText: 'A door' },
          { video: uploading.video, thumbOffsetMs: 0 },
        ],
        uploadTimeoutMs: 1000,
        uploadAttempts: 2,
        onProgress: () => undefined,
        locationId: '5',
        collaborators: ['ada'],
        isAiGenerated: true,
        // Not in login mode.
        sponsorIds: undefined,
        paidPartnership: false,
        poll: undefined,
        commentPrompt: false,
        ...making,
      },
    ],
    routes: {
      ...publishRoutes,
      // The first looks may be those at the items, which have the same id here.
      'GET 501': [container, container, container, { id: '501', status_code: 'PUBLISHED' }],
    },
    failures: publishing,
    holds: (value: { container_id: string; media_id: string; children: unknown[] }) =>
      isPublished(value) && value.children.every(isText),
  });
  ofPics(pics.publishComment, both, {
    kinds: { idempotencyKey: 'key', mediaId: 'id', token: 'token', message: 'text' },
    variants: [{ mediaId: '901', token, message: 'Thanks' }],
    routes: {
      'POST 901/comments': created,
      'GET 901/comments': { data: [{ id: '901', text: 'Thanks', timestamp: time, user: { id: '17' } }] },
    },
    holds: hasId,
  });
  ofPics(pics.publishContainer, both, {
    kinds: { idempotencyKey: 'key', token: 'token', containerId: 'id', picsUserId: 'account', ...waitKinds },
    variants: [{ token, containerId: '501', ...account, ...wait }],
    routes: publishRoutes,
    failures: publishing,
    holds: isPublished,
  });
  ofPics(pics.publishStory, both, {
    kinds: {
      idempotencyKey: 'key',
      token: 'token',
      picsUserId: 'account',
      imageUrl: 'https url',
      videoUrl: 'https url',
      video: 'video',
      userTags: 'list',
      isAiGenerated: 'flag',
      ...makingKinds,
      ...uploadKinds,
    },
    variants: [
      { token, ...account, ...uploading, ...making },
      {
        token,
        ...account,
        imageUrl: 'https://example.com/a.jpg',
        userTags: [{ username: 'ada' }],
        isAiGenerated: true,
        ...making,
      },
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
    holds: (value: { quota_usage: number | undefined }) =>
      value.quota_usage === undefined || typeof value.quota_usage === 'number',
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
    kinds: { idempotencyKey: 'key', commentId: 'id', token: 'token', message: 'text' },
    variants: [{ commentId: '7', token, message: 'Thanks' }],
    routes: {
      'POST 7/replies': created,
      'GET 7/replies': { data: [{ id: '901', text: 'Thanks', timestamp: time, user: { id: '17' } }] },
    },
    holds: hasId,
  });
  const receipt = { 'POST messages': { recipient_id: '8' } };
  const isReceipt = (value: { recipient_id: string }): boolean => isText(value.recipient_id);
  const sender = { token, ...account, pageId: '42' };
  const senderKinds = { token: 'token', picsUserId: 'id', pageId: 'account' } as const;
  ofPics(pics.privateReply, both, {
    kinds: {
      idempotencyKey: 'key',
      ...senderKinds,
      commentId: 'id',
      ...messaging.contentKinds,
      mediaId: 'id',
      sticker: 'sticker',
      utility: 'nothing',
    },
    variants: [...messaging.replies, { mediaId: '901' }, { sticker: 'like_heart' } as const].map(
      (content) => ({ ...sender, commentId: '7', utility: undefined, ...content }),
    ),
    routes: { 'POST messages': messaging.routes['POST messages'] },
    holds: isSent,
  });
  ofPics(pics.passThreadControl, both, {
    kinds: { ...senderKinds, recipientId: 'id', metadata: 'text', targetAppId: 'id' },
    variants: [{ ...sender, recipientId: '8', metadata: 'wants a person', targetAppId: '9' }],
    routes: {
      'POST 17/pass_thread_control': { success: true },
      'POST 42/pass_thread_control': { success: true },
    },
    holds: isAcknowledged,
  });
  ofPics(pics.releaseThreadControl, both, {
    kinds: { ...senderKinds, recipientId: 'id', metadata: 'text' },
    variants: [{ ...sender, recipientId: '8', metadata: 'done' }],
    routes: {
      'POST 17/release_thread_control': { success: true },
      'POST 42/release_thread_control': { success: true },
    },
    holds: isAcknowledged,
  });
  ofPics(pics.sendAction, both, {
    kinds: { ...senderKinds, recipientId: 'id', action: 'choice' },
    variants: [{ ...sender, recipientId: '8', action: 'typing_on' }],
    routes: receipt,
    holds: isReceipt,
  });
  ofPics(pics.sendReaction, both, {
    kinds: { ...senderKinds, recipientId: 'id', messageId: 'id', reaction: 'text or null' },
    variants: [
      { ...sender, recipientId: '8', messageId: 'm_1', reaction: 'love' },
      { ...sender, recipientId: '8', messageId: 'm_1', reaction: null },
    ],
    routes: receipt,
    holds: isReceipt,
  });
  const attaching = {
    kinds: {
      ...senderKinds,
      type: 'choice',
      url: 'url',
      file: 'video',
      uploadTimeoutMs: 'time limit',
    },
    routes: { 'POST message_attachments': { attachment_id: '7' } },
    holds: (value: { attachment_id: string }) => isText(value.attachment_id),
  } as const;
  const hosted = { type: 'image', url: 'https://example.com/a', uploadTimeoutMs: 1000 } as const;
  ofPics(pics.uploadAttachment, ['login'], {
    ...attaching,
    kinds: { ...attaching.kinds, file: 'nothing' },
    variants: [{ ...sender, ...hosted, file: undefined }],
  });
  ofPics(pics.uploadAttachment, ['viaPages'], {
    ...attaching,
    variants: [
      { ...sender, ...hosted },
      { ...sender, type: 'video', file: new Uint8Array(3) },
    ],
  });
  ofPics(pics.sendMessage, both, {
    kinds: {
      idempotencyKey: 'key',
      recipientId: 'id',
      token: 'token',
      picsUserId: 'id',
      pageId: 'account',
      ...messaging.contentKinds,
      mediaId: 'id',
      sticker: 'sticker',
      utility: 'nothing',
      replyTo: 'id',
      humanAgent: 'flag',
    },
    variants: [...messaging.contents, { mediaId: '901' }, { sticker: 'like_heart' } as const].map(
      (content) => ({
        recipientId: '8',
        token,
        ...account,
        pageId: '42',
        utility: undefined,
        ...content,
      }),
    ),
    routes: messaging.routes,
    holds: isSent,
  });
  const local = [{ locale: 'default', call_to_actions: [{ question: 'Open?', payload: 'HOURS' }] }];
  const profileRoute = 'messenger_profile';
  ofPics(pics.messengerProfile, both, {
    kinds: { ...senderKinds, fields: 'names' },
    variants: [{ ...sender, fields: ['ice_breakers'] }, sender],
    routes: { [`GET ${profileRoute}`]: { data: local } },
    holds: (value: object) => isRecord(at(value, 'raw')),
  });
  ofPics(pics.updateMessengerProfile, both, {
    kinds: {
      ...senderKinds,
      iceBreakers: 'list',
      persistentMenu: 'list',
      greeting: 'nothing',
      getStarted: 'nothing',
      whitelistedDomains: 'nothing',
    },
    variants: [
      {
        ...sender,
        iceBreakers: local,
        persistentMenu: [{ locale: 'default' }],
        greeting: undefined,
        getStarted: undefined,
        whitelistedDomains: undefined,
      },
    ],
    routes: { [`POST ${profileRoute}`]: { result: 'success' } },
    holds: isAcknowledged,
  });
  ofPics(pics.deleteMessengerProfile, both, {
    kinds: { ...senderKinds, fields: 'names' },
    variants: [{ ...sender, fields: ['ice_breakers'] }],
    routes: { [`DELETE ${profileRoute}`]: { success: 'true' } },
    holds: isAcknowledged,
  });
  const ofAccount = { token, ...account };
  const listing = { token: 'token', picsUserId: 'account', limit: 'count', fields: 'names' } as const;
  const several = { limit: 3, fields: ['id'] };
  ofPics(pics.hashtagId, ['viaPages'], {
    kinds: { token: 'token', picsUserId: 'account', name: 'text' },
    variants: [{ ...ofAccount, name: 'coffee' }],
    routes: { 'GET ig_hashtag_search': { data: [{ id: '178' }] } },
    holds: hasId,
  });
  ofPics(pics.hashtagMedia, ['viaPages'], {
    kinds: { ...listing, hashtagId: 'id', order: 'choice' },
    variants: [
      { ...ofAccount, hashtagId: '178', order: 'recent' },
      { ...ofAccount, hashtagId: '178', order: 'recent', ...several },
    ],
    routes: { 'GET 178/recent_media': [{ data: [medium], paging }, { data: [] }] },
    holds: haveIds,
  });
  ofPics(pics.recentHashtags, ['viaPages'], {
    kinds: listing,
    variants: [ofAccount, { ...ofAccount, ...several }],
    routes: { 'GET recently_searched_hashtags': { data: [{ id: '178', name: 'coffee' }], paging } },
    holds: haveIds,
  });
  ofPics(pics.businessDiscovery, ['viaPages'], {
    kinds: {
      token: 'token',
      picsUserId: 'account',
      username: 'text',
      mediaLimit: 'count',
      mediaFields: 'names',
      after: 'text',
    },
    variants: [{ ...ofAccount, username: 'ada', mediaLimit: 3, mediaFields: ['id'], after: 'QVF1' }],
    routes: {
      'GET 17': {
        business_discovery: {
          id: '8',
          username: 'ada',
          followers_count: 3,
          media: { data: [medium], paging: inner },
        },
        id: '17',
      },
    },
    holds: (value: { id: string; media: { data: unknown } }) => hasId(value) && haveIds(value.media.data),
  });
  ofPics(pics.taggedMedia, both, {
    kinds: { ...listing, mediaType: 'text', postedAfter: 'instant', postedBefore: 'instant' },
    variants: [
      ofAccount,
      { ...ofAccount, ...several, mediaType: 'IMAGE', postedAfter: 0, postedBefore: 1_790_000_000 },
    ],
    routes: { 'GET 17/tags': [{ data: [medium], paging }, { data: [] }] },
    holds: haveIds,
  });
  const mention = { id: '901', caption: 'Hi @shop', owner: { id: '8' } };
  ofPics(pics.mentionedMedia, ['viaPages'], {
    kinds: { token: 'token', picsUserId: 'account', mediaId: 'id', fields: 'names' },
    variants: [{ ...ofAccount, mediaId: '901', fields: ['id'] }],
    routes: { 'GET 17': { mentioned_media: mention, id: '17' } },
    holds: hasId,
  });
  ofPics(pics.mentionedComment, ['viaPages'], {
    kinds: { token: 'token', picsUserId: 'account', commentId: 'id', fields: 'names' },
    variants: [{ ...ofAccount, commentId: '7', fields: ['id'] }],
    routes: { 'GET 17': { mentioned_comment: { id: '7', text: 'Hi', media: mention }, id: '17' } },
    holds: hasId,
  });
  ofPics(pics.replyMention, both, {
    kinds: {
      idempotencyKey: 'key',
      token: 'token',
      picsUserId: 'account',
      mediaId: 'id',
      commentId: 'id',
      message: 'text',
    },
    variants: [
      { ...ofAccount, mediaId: '901', message: 'Thanks' },
      { ...ofAccount, mediaId: '901', commentId: '7', message: 'Thanks' },
    ],
    routes: {
      'POST 17/mentions': created,
      'GET 17': {
        username: 'shop',
        mentioned_media: {
          comments: { data: [{ id: '901', text: 'Thanks', timestamp: time, username: 'shop' }] },
        },
      },
    },
    holds: hasId,
  });
  ofPics(pics.likeMedia, ['viaPages'], {
    kinds: { token: 'token', picsUserId: 'account', mediaId: 'id', commentId: 'id', liked: 'flag' },
    variants: [
      { ...ofAccount, mediaId: '901', liked: true },
      { ...ofAccount, commentId: '7', liked: false },
    ],
    routes: { 'POST 17/likes': { success: true }, 'DELETE 17/likes': { success: true } },
    holds: isAcknowledged,
  });
  ofPics(pics.collaborationInvites, ['viaPages'], {
    kinds: listing,
    variants: [ofAccount, { ...ofAccount, ...several }],
    routes: {
      'GET collaboration_invites': { data: [{ media_id: '901', media_owner_username: 'ada' }], paging },
    },
    holds: haveNamed('media_id'),
  });
  ofPics(pics.answerInvite, ['viaPages'], {
    kinds: { token: 'token', picsUserId: 'account', mediaId: 'id', accept: 'flag' },
    variants: [{ ...ofAccount, mediaId: '901', accept: false }],
    routes: { 'POST collaboration_invites': { success: true } },
    holds: isAcknowledged,
  });
  const onMedia = { token: 'token', mediaId: 'id', limit: 'count', fields: 'names' } as const;
  ofPics(pics.collaborators, ['viaPages'], {
    kinds: onMedia,
    variants: [{ token, mediaId: '901', ...several }],
    routes: {
      'GET collaborators': { data: [{ id: '8', username: 'ada', invite_status: 'Pending' }], paging },
    },
    holds: haveIds,
  });
  ofPics(pics.searchAudio, ['viaPages'], {
    kinds: { token: 'token', picsUserId: 'account', kind: 'choice', query: 'text', limit: 'count' },
    variants: [{ ...ofAccount, kind: 'music', query: 'tide', limit: 3 }],
    routes: { 'GET ig_audio': { audio: [{ audio_id: '5', title: 'Tide', duration_in_ms: 3 }] } },
    holds: haveNamed('audio_id'),
  });
  ofPics(pics.productCatalogs, ['viaPages'], {
    kinds: listing,
    variants: [{ ...ofAccount, ...several }],
    routes: { 'GET available_catalogs': { data: [{ catalog_id: '190', product_count: 3 }], paging } },
    holds: haveNamed('catalog_id'),
  });
  ofPics(pics.searchProducts, ['viaPages'], {
    kinds: { ...listing, catalogId: 'id', query: 'text' },
    variants: [{ ...ofAccount, catalogId: '190', query: 'cup', ...several }],
    routes: { 'GET catalog_product_search': { data: [{ product_id: '5', merchant_id: '7' }], paging } },
    holds: haveNamed('product_id'),
  });
  ofPics(pics.productTags, ['viaPages'], {
    kinds: onMedia,
    variants: [{ token, mediaId: '901', ...several }],
    routes: { 'GET product_tags': { data: [{ product_id: '5', x: 0, y: 1 }], paging } },
    holds: haveNamed('product_id'),
  });
  ofPics(pics.mediaPoll, ['viaPages'], {
    kinds: { token: 'token', mediaId: 'id' },
    variants: [{ token, mediaId: '901' }],
    routes: {
      'GET 901/poll_attachment': {
        option_a: 'Red',
        option_b: 'Blue',
        option_a_votes_percentage: 0.75,
        option_b_votes_percentage: 0.25,
        expiration_timestamp: time,
      },
    },
    holds: (value: { options: readonly { text: string }[] } | null) =>
      value === null || value.options.every(({ text }) => isText(text)),
  });
  ofPics(pics.promptResponses, ['viaPages'], {
    kinds: { token: 'token', mediaId: 'id' },
    variants: [{ token, mediaId: '901' }],
    routes: { 'GET 901/prompt_response': { data: [{ id: '901' }] } },
    holds: () => true,
  });
  ofPics(pics.updateProductTags, ['viaPages'], {
    kinds: { token: 'token', mediaId: 'id', productTags: 'list', childIndex: 'offset' },
    variants: [{ token, mediaId: '901', productTags: [{ productId: '5', x: 0, y: 1 }], childIndex: 0 }],
    routes: { 'POST product_tags': { success: true } },
    holds: isAcknowledged,
  });
  ofPics(pics.setCommentsEnabled, both, {
    kinds: { mediaId: 'id', token: 'token', enabled: 'flag' },
    variants: [{ mediaId: '901', token, enabled: false }],
    routes: { 'POST 901': { success: true } },
    holds: isAcknowledged,
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
    kinds: { token: 'token', picsUserId: 'account', fields: 'names', add: 'flag' },
    variants: [
      { token, ...account, fields: ['comments'] },
      { token, ...account, fields: ['comments'], add: true },
    ],
    routes: {
      'GET 17/subscribed_apps': [
        { data: [{ app_id: 'pics-app-id', subscribed_fields: ['mentions'] }] },
        { data: [{ app_id: 'pics-app-id', subscribed_fields: ['mentions', 'comments'] }] },
      ],
      'POST 17/subscribed_apps': { success: true },
    },
    holds: isTrue,
  });
}
