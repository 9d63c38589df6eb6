import { livePlatform } from '../../../src/core/platform.ts';
import type { PageStatus } from '../../../src/models/profile.ts';
import * as page from '../../../src/page/index.ts';
import { platform } from '../../support/context.ts';
import { at } from '../kinds.ts';
import {
  areNumbers,
  isRecord,
  isString,
  isText,
  isTrue,
  isAcknowledged,
  hasId,
  haveIds,
  isLead,
  isBundle,
  isSent,
} from './holds.ts';
import { inspected, network, walked, type Kit } from './kit.ts';

/** Unix seconds that are ahead of the tests' clock, however far it is set. */
const ahead = 4_102_444_800;

/** The functions of `pagepics/page`. */
export function addPage(kit: Kit): void {
  const {
    messaging,
    token,
    code,
    shortToken,
    longToken,
    entryToken,
    pageToken,
    ofPage,
    created,
    time,
    paging,
    inner,
  } = kit;

  const videoKinds = {
    pageId: 'id',
    pageToken: 'token',
    videoUrl: 'url',
    video: 'video',
    waitTimeoutMs: 'duration',
    waitFor: 'processed',
    uploadTimeoutMs: 'time limit',
    uploadAttempts: 'count',
    onProgress: 'hook',
    onCreated: 'hook',
  } as const;
  const videoOptions = {
    pageId: '42',
    pageToken,
    video: new Uint8Array(40),
    waitTimeoutMs: 2000,
    waitFor: 'processed' as const,
    uploadTimeoutMs: 1000,
    uploadAttempts: 2,
    onProgress: () => undefined,
    onCreated: () => undefined,
  };
  const videoState = {
    id: '77',
    status: {
      video_status: 'ready',
      uploading_phase: { status: 'complete', bytes_transfered: 40 },
      processing_phase: { status: 'complete' },
      publishing_phase: { status: 'complete', publish_status: 'published' },
    },
    published: true,
    post_id: '42_7',
    permalink_url: '/42/videos/77/',
  };
  const shown = {
    id: '42_1',
    message: 'Hi',
    created_time: time,
    attachments: { data: [{ target: { id: '81' } }] },
  };

  ofPage(page.adContext, {
    kinds: { adId: 'id or nothing', token: 'token', onFailure: 'hook' },
    variants: [{ adId: '61', token, onFailure: () => undefined }],
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
  const person = { id: '8', name: 'Ada L', first_name: 'Ada', last_name: 'L', profile_pic: null };
  const threads = {
    data: [
      {
        id: 't_1',
        updated_time: time,
        participants: {
          data: [
            { id: '42', name: 'Shop' },
            { id: '8', name: 'Ada', email: 'a@b.test' },
          ],
          paging: inner,
        },
        messages: {
          data: [{ id: 'm_1', created_time: time, from: { id: '8' }, message: 'Hi' }],
          paging: inner,
        },
      },
    ],
    paging: { ...paging, next: paging.previous },
  };
  ofPage(page.contact, {
    kinds: { psid: 'id', pageToken: 'token' },
    variants: [{ psid: '8', pageToken }],
    routes: { 'GET 8': person },
    failures: [],
    holds: (value: { id: string; available: boolean }) =>
      isText(value.id) && typeof value.available === 'boolean',
  });
  ofPage(page.conversations, {
    kinds: {
      pageId: 'id',
      pageToken: 'token',
      limit: 'count',
      after: 'text',
      userId: 'id',
      enrich: 'flag',
    },
    variants: [{ pageId: '42', pageToken, limit: 5, after: 'QVF1', userId: '8', enrich: true }],
    routes: { 'GET 42/conversations': threads, 'GET 8': person },
    holds: (value: { data: unknown[] }) =>
      haveIds(value.data) && value.data.every((thread) => haveIds(at(thread, 'contacts'))),
  });
  ofPage(walked('iterateConversations', page.iterateConversations), {
    kinds: {
      pageId: 'id',
      pageToken: 'token',
      limit: 'count',
      pageSize: 'count',
      enrich: 'flag',
      onUnreadable: 'hook',
    },
    variants: [
      { pageId: '42', pageToken, limit: 5, pageSize: 2, enrich: true, onUnreadable: () => undefined },
    ],
    routes: { 'GET 42/conversations': { ...threads, paging }, 'GET 8': person },
    holds: (last: unknown) => last === undefined || hasId(last as never),
  });
  const thread = {
    data: [
      {
        id: 'm_1',
        created_time: time,
        from: { id: '8', name: 'Ada' },
        to: { data: [{ id: '42' }] },
        message: 'Hi',
        sticker: 'https://example.com',
        attachments: { data: [{ id: 'a_1', image_data: { url: 'https://example.com' } }], paging: inner },
      },
    ],
  };
  ofPage(page.messages, {
    kinds: { conversationId: 'id', pageToken: 'token', limit: 'count', after: 'text' },
    variants: [{ conversationId: 't_1', pageToken, limit: 3, after: 'QVF1' }],
    routes: { 'GET t_1/messages': { ...thread, paging: { ...paging, next: paging.previous } } },
    holds: (value: { data: unknown }) => haveIds(value.data),
  });
  ofPage(page.messageDetails, {
    kinds: { messageId: 'id', pageToken: 'token', fields: 'names' },
    variants: [
      { messageId: 'm_1', pageToken },
      { messageId: 'm_1', pageToken, fields: ['id', 'from'] },
    ],
    routes: { 'GET m_1': { ...thread.data[0], reply_to: { mid: 'm_0', is_self_reply: false } } },
    holds: hasId,
  });
  ofPage(walked('iterateMessages', page.iterateMessages), {
    kinds: {
      conversationId: 'id',
      pageToken: 'token',
      limit: 'count',
      pageSize: 'count',
      onUnreadable: 'hook',
    },
    variants: [{ conversationId: 't_1', pageToken, limit: 3, pageSize: 2, onUnreadable: () => undefined }],
    routes: { 'GET t_1/messages': { ...thread, paging } },
    holds: (last: unknown) => last === undefined || hasId(last as never),
  });
  const utility = {
    name: 'order_sent',
    language: 'en_US',
    components: [{ type: 'body', parameters: [{ type: 'text', text: '1001' }] }],
  };
  ofPage(page.sendMessage, {
    kinds: {
      idempotencyKey: 'key',
      pageId: 'id',
      pageToken: 'token',
      recipientId: 'id',
      ...messaging.contentKinds,
      mediaId: 'nothing',
      sticker: 'nothing',
      replyTo: 'id',
      humanAgent: 'flag',
      utility: 'object',
      metadata: 'text',
      personaId: 'id',
    },
    variants: [...messaging.contents, { utility }].map((content) => ({
      pageId: '42',
      pageToken,
      recipientId: '8',
      mediaId: undefined,
      sticker: undefined,
      metadata: 'order 7',
      personaId: '55',
      ...content,
    })),
    routes: messaging.routes,
    holds: isSent,
  });
  const receipt = { 'POST 42/messages': { recipient_id: '8' } };
  const isReceipt = (value: { recipient_id: string }): boolean => isText(value.recipient_id);
  ofPage(page.privateReply, {
    kinds: {
      idempotencyKey: 'key',
      pageId: 'id',
      pageToken: 'token',
      commentId: 'id',
      postId: 'id',
      ...messaging.contentKinds,
      mediaId: 'nothing',
      sticker: 'nothing',
      utility: 'nothing',
    },
    variants: messaging.replies.map((content, at) => ({
      pageId: '42',
      pageToken,
      mediaId: undefined,
      utility: undefined,
      sticker: undefined,
      ...(at === 0 ? { postId: '42_1' } : { commentId: '42_7' }),
      ...content,
    })),
    routes: { 'POST 42/messages': messaging.routes['POST messages'] },
    holds: isSent,
  });
  const template = {
    id: '56',
    name: 'order_sent',
    language: 'en_US',
    status: 'APPROVED',
    category: 'UTILITY',
    components: [{ type: 'BODY', text: 'Hi' }],
    creation_time: time,
  };
  const templates = { 'GET 42/message_templates': { data: [template], paging } };
  ofPage(page.messageTemplates, {
    kinds: {
      pageId: 'id',
      pageToken: 'token',
      name: 'non-empty',
      language: 'non-empty',
      status: 'non-empty',
      limit: 'count',
      fields: 'names',
    },
    variants: [
      {
        pageId: '42',
        pageToken,
        name: 'order_sent',
        language: 'en_US',
        status: 'APPROVED',
        limit: 10,
        fields: ['id', 'name'],
      },
    ],
    routes: templates,
    holds: haveIds,
  });
  const newTemplate = { pageId: '42', pageToken, name: 'order_sent', language: 'en_US' };
  ofPage(page.createMessageTemplate, {
    kinds: {
      pageId: 'id',
      pageToken: 'token',
      name: 'non-empty',
      language: 'non-empty',
      components: 'list',
      parameterFormat: 'choice',
      libraryTemplateName: 'non-empty',
      libraryTemplateButtonInputs: 'list',
    },
    variants: [
      { ...newTemplate, components: [{ type: 'BODY', text: 'Hi' }], parameterFormat: 'NAMED' },
      {
        ...newTemplate,
        libraryTemplateName: 'shipment_update',
        libraryTemplateButtonInputs: [{ type: 'URL' }],
      },
    ],
    routes: { ...templates, 'POST 42/message_templates': { id: '56', status: 'APPROVED' } },
    holds: hasId,
  });
  ofPage(page.deleteMessageTemplate, {
    kinds: { pageId: 'id', pageToken: 'token', name: 'non-empty', templateId: 'id' },
    variants: [{ pageId: '42', pageToken, name: 'order_sent', templateId: '56' }],
    routes: { 'DELETE 42/message_templates': { success: true } },
    holds: isAcknowledged,
  });
  const controlKinds = { pageId: 'id', pageToken: 'token', recipientId: 'id', metadata: 'text' } as const;
  const control = { pageId: '42', pageToken, recipientId: '8', metadata: 'wants a person' };
  ofPage(page.threadOwner, {
    kinds: { pageId: 'id', pageToken: 'token', recipientId: 'id' },
    variants: [{ pageId: '42', pageToken, recipientId: '8' }],
    routes: { 'GET 42/thread_owner': { data: [{ thread_owner: { app_id: '9', expiration: 1767323045 } }] } },
    holds: (value: object) => at(value, 'app_id') === undefined || isText(at(value, 'app_id')),
  });
  ofPage(page.takeThreadControl, {
    kinds: controlKinds,
    variants: [control],
    routes: { 'POST 42/take_thread_control': { success: true } },
    holds: isAcknowledged,
  });
  ofPage(page.passThreadControl, {
    kinds: { ...controlKinds, targetAppId: 'id' },
    variants: [control, { ...control, targetAppId: '9' }],
    routes: { 'POST 42/pass_thread_control': { success: true } },
    holds: isAcknowledged,
  });
  ofPage(page.requestThreadControl, {
    kinds: controlKinds,
    variants: [control],
    routes: { 'POST 42/request_thread_control': { success: true } },
    holds: isAcknowledged,
  });
  ofPage(page.releaseThreadControl, {
    kinds: controlKinds,
    variants: [control],
    routes: { 'POST 42/release_thread_control': { success: true } },
    holds: isAcknowledged,
  });
  ofPage(page.sendAction, {
    kinds: { pageId: 'id', pageToken: 'token', recipientId: 'id', action: 'choice' },
    variants: [{ pageId: '42', pageToken, recipientId: '8', action: 'typing_on' }],
    routes: receipt,
    holds: isReceipt,
  });
  ofPage(page.sendReaction, {
    kinds: { pageId: 'id', pageToken: 'token', recipientId: 'id', messageId: 'id', reaction: 'text or null' },
    variants: [
      { pageId: '42', pageToken, recipientId: '8', messageId: 'm_1', reaction: 'love' },
      { pageId: '42', pageToken, recipientId: '8', messageId: 'm_1', reaction: null },
    ],
    routes: receipt,
    holds: isReceipt,
  });
  ofPage(page.uploadAttachment, {
    kinds: {
      pageId: 'id',
      pageToken: 'token',
      type: 'choice',
      url: 'url',
      file: 'video',
      uploadTimeoutMs: 'time limit',
    },
    variants: [
      { pageId: '42', pageToken, type: 'image', url: 'https://example.com/a', uploadTimeoutMs: 1000 },
      { pageId: '42', pageToken, type: 'video', file: new Uint8Array(3) },
    ],
    routes: { 'POST 42/message_attachments': { attachment_id: '7' } },
    holds: (value: { attachment_id: string }) => isText(value.attachment_id),
  });
  const pageOfComments = {
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
  };
  ofPage(page.comments, {
    kinds: { postId: 'id', pageToken: 'token', limit: 'count', replies: 'flag', fields: 'names' },
    variants: [
      { postId: '42_1', pageToken },
      { postId: '42_1', pageToken, limit: 3, replies: true, fields: ['id', 'message'] },
    ],
    routes: pageOfComments,
    holds: haveIds,
  });
  ofPage(walked('iterateComments', page.iterateComments), {
    kinds: {
      postId: 'id',
      pageToken: 'token',
      limit: 'count',
      replies: 'flag',
      fields: 'names',
      onUnreadable: 'hook',
    },
    variants: [
      {
        postId: '42_1',
        pageToken,
        limit: 3,
        replies: true,
        fields: ['id', 'message'],
        onUnreadable: () => undefined,
      },
    ],
    routes: pageOfComments,
    holds: (last: unknown) => last === undefined || hasId(last as never),
  });
  const [oneComment] = pageOfComments['GET 42_1/comments'].data;
  ofPage(page.commentDetails, {
    kinds: { commentId: 'id', pageToken: 'token', fields: 'names' },
    variants: [
      { commentId: '7', pageToken },
      { commentId: '7', pageToken, fields: ['id', 'parent'] },
    ],
    routes: { 'GET 7': { ...oneComment, parent: { id: '6' } } },
    holds: hasId,
  });
  ofPage(page.postDetails, {
    kinds: { postId: 'id', pageToken: 'token', fields: 'names', totals: 'flag' },
    variants: [
      { postId: '42_1', pageToken, totals: true },
      { postId: '42_1', pageToken, fields: ['id', 'message'], totals: false },
    ],
    routes: {
      'GET 42_1': [
        { ...shown, from: { id: '42', name: 'Shop' }, shares: { count: 2 } },
        {
          id: '42_1',
          reactions: { data: [], summary: { total_count: 3, viewer_reaction: 'NONE' } },
          comments: { data: [], summary: { order: 'ranked', total_count: 4, can_comment: true } },
          shares: { count: 2 },
        },
      ],
    },
    holds: (value: { totals?: unknown }) =>
      hasId(value) && (value.totals === undefined || areNumbers(JSON.parse(JSON.stringify(value.totals)))),
  });
  ofPage(page.deleteComment, {
    kinds: { commentId: 'id', pageToken: 'token' },
    variants: [{ commentId: '7', pageToken }],
    routes: { 'DELETE 7': { success: true } },
    holds: isAcknowledged,
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
      'POST oauth/access_token': [
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
  ofPage(page.inspectToken, {
    kinds: { token: 'token' },
    variants: [{ token }],
    routes: { 'GET debug_token': inspected },
    holds: (value: object) =>
      typeof at(value, 'is_valid') === 'boolean' && Array.isArray(at(value, 'scopes')),
  });
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
  const form = {
    id: '72',
    name: 'Form',
    status: 'ACTIVE',
    locale: 'en_US',
    questions: [{ key: 'q', label: 'Q', type: 'CUSTOM', options: [{ key: 'a', value: 'A' }] }],
    leads_count: 2,
  };
  ofPage(page.leadForm, {
    kinds: { formId: 'id', pageToken: 'token', fields: 'names' },
    variants: [
      { formId: '72', pageToken },
      { formId: '72', pageToken, fields: ['id', 'privacy_policy_url'] },
    ],
    routes: { 'GET 72': form },
    holds: (value: unknown) => hasId(value) && Array.isArray(at(value, 'questions')),
  });
  ofPage(page.createTestLead, {
    kinds: { formId: 'id', pageToken: 'token', fieldData: 'list' },
    variants: [
      { formId: '72', pageToken },
      { formId: '72', pageToken, fieldData: [{ name: 'q', values: ['A'] }] },
    ],
    routes: { 'POST 72/test_leads': created },
    holds: hasId,
  });
  ofPage(page.deleteTestLead, {
    kinds: { leadId: 'id', pageToken: 'token' },
    variants: [{ leadId: '71', pageToken }],
    routes: { 'DELETE 71': { success: true } },
    holds: isAcknowledged,
  });
  ofPage(page.leads, {
    kinds: { formId: 'id', adId: 'id', pageToken: 'token', since: 'instant', limit: 'count' },
    variants: [
      { formId: '72', pageToken, since: 1_700_000_000, limit: 3 },
      { adId: '61', pageToken },
    ],
    routes: { 'GET 72/leads': { data: [lead], paging }, 'GET 61/leads': { data: [lead], paging } },
    holds: (value: unknown[]) => value.every(isLead),
  });
  ofPage(walked('iterateLeads', page.iterateLeads), {
    kinds: {
      formId: 'id',
      adId: 'id',
      pageToken: 'token',
      since: 'instant',
      limit: 'count',
      onUnreadable: 'hook',
    },
    variants: [
      { formId: '72', pageToken, since: 1_700_000_000, limit: 3 },
      { adId: '61', pageToken, onUnreadable: () => undefined },
    ],
    routes: { 'GET 72/leads': { data: [lead], paging }, 'GET 61/leads': { data: [lead], paging } },
    holds: (last: unknown) => last === undefined || isLead(last),
  });
  ofPage(page.like, {
    kinds: { objectId: 'id', pageToken: 'token', liked: 'flag' },
    variants: [
      { objectId: '42_1', pageToken },
      { objectId: '42_1', pageToken, liked: false },
    ],
    routes: { 'POST 42_1/likes': { success: true }, 'DELETE 42_1/likes': { success: true } },
    holds: isAcknowledged,
  });
  ofPage(page.loginUrl, {
    kinds: {
      redirectUri: 'url',
      state: 'text',
      configId: 'text',
      scopes: 'names',
      authType: 'authType',
    },
    variants: [
      {
        redirectUri: 'https://example.com/back',
        state: 'state',
        configId: '9',
        scopes: ['email'],
        authType: 'rerequest',
      },
    ],
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
  ofPage(page.pageInsights, {
    kinds: {
      pageId: 'id',
      pageToken: 'token',
      metrics: 'names',
      period: 'choice',
      since: 'day',
      until: 'day',
    },
    variants: [
      {
        pageId: '42',
        pageToken,
        metrics: ['a', 'b'],
        period: 'day',
        since: '2026-01-01',
        until: '2026-01-31',
      },
    ],
    routes: {
      'GET 42/insights': {
        data: [{ name: 'a', period: 'day', values: [{ value: 3, end_time: '2026-01-05T08:00:00+0000' }] }],
        paging,
      },
    },
    holds: (value: object) => isRecord(at(value, 'metrics')) && isRecord(at(value, 'refused')),
  });
  ofPage(page.pageProfile, {
    kinds: { pageId: 'id', pageToken: 'token', fields: 'names' },
    variants: [
      { pageId: '42', pageToken },
      { pageId: '42', pageToken, fields: ['id', 'checkins'] },
    ],
    routes: {
      'GET 42': {
        id: '42',
        name: 'Bakery',
        emails: ['a@b.example'],
        location: { city: 'Berlin' },
        hours: { mon_1_open: '09:00' },
        fan_count: 3,
        is_published: true,
        picture: { data: { url: 'https://example.com' } },
        cover: { source: 'https://example.com' },
        [livePlatform.words.linkedAccount]: { id: '17', username: 'bakery' },
      },
    },
    holds: hasId,
  });
  ofPage(page.portfolioPages, {
    kinds: { token: 'token' },
    variants: [{ token }],
    routes: {
      'GET me/accounts': { data: [{ id: '42', name: 'Bakery', access_token: entryToken }], paging },
      'GET me/businesses': { data: [{ id: 'b1', name: 'Holding' }], paging },
      'GET b1/owned_pages': { data: [{ id: '43', name: 'Branch', access_token: entryToken }], paging },
      'GET b1/client_pages': { data: [{ id: '44', name: 'Client' }], paging },
    },
    holds: (value: object) => haveIds(at(value, 'pages')) && Array.isArray(at(value, 'skipped')),
  });
  ofPage(page.pageDetails, {
    kinds: { token: 'token', pageId: 'id', fields: 'names' },
    variants: [
      { token, pageId: '42' },
      { token, pageId: '42', fields: ['fan_count'] },
    ],
    routes: {
      'GET 42': {
        id: '42',
        name: 'Shop',
        access_token: entryToken,
        [livePlatform.words.linkedAccount]: { id: '17', username: 'shop' },
      },
    },
    holds: (value: { access_token: string }) => hasId(value) && isString(value.access_token),
  });
  ofPage(page.permissions, {
    kinds: { token: 'token' },
    variants: [{ token }],
    routes: {
      'GET me/permissions': {
        data: [
          { permission: 'email', status: 'granted' },
          { permission: 'pages_show_list', status: 'declined' },
        ],
      },
    },
    holds: (value: readonly { permission: unknown; status: unknown }[]) =>
      value.every((one) => isString(one.permission) && isText(one.status)),
  });
  ofPage(page.pages, {
    kinds: { token: 'token', fields: 'names' },
    variants: [{ token }, { token, fields: ['fan_count'] }],
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
  const listed = {
    pageId: '42',
    pageToken,
    limit: 3,
    fields: ['id', 'post_id'],
  };
  const listKinds = { pageId: 'id', pageToken: 'token', limit: 'count', fields: 'names' } as const;
  const reel = { id: '77', description: 'Hi', length: 9.5, post_id: '7', published: true };
  ofPage(page.videos, {
    kinds: { ...listKinds, type: 'choice' },
    variants: [{ ...listed, type: 'tagged' }],
    routes: { 'GET 42/videos': { data: [reel], paging } },
    holds: haveIds,
  });
  ofPage(page.reels, {
    kinds: { ...listKinds, since: 'instant', until: 'instant' },
    variants: [{ ...listed, since: 1, until: new Date(9e11) }],
    routes: { 'GET 42/video_reels': { data: [reel], paging } },
    holds: haveIds,
  });
  ofPage(page.photos, {
    kinds: { ...listKinds, type: 'choice' },
    variants: [{ ...listed, type: 'uploaded' }],
    routes: {
      'GET 42/photos': {
        data: [{ id: '81', name: 'Hi', images: [{ source: 'https://example.com/a', width: 9, height: 9 }] }],
        paging,
      },
    },
    holds: haveIds,
  });
  ofPage(page.reactions, {
    kinds: { objectId: 'id', pageToken: 'token', type: 'choice', limit: 'count' },
    variants: [{ objectId: '42_1', pageToken, type: 'love', limit: 3 }],
    routes: {
      'GET 42_1/reactions': {
        data: [{ id: '8', name: 'Ada', type: 'LOVE' }],
        paging,
        summary: { total_count: 1214, viewer_reaction: 'NONE' },
      },
    },
    holds: haveIds,
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
  ofPage(page.videoInsights, {
    kinds: { videoId: 'id', pageToken: 'token', metrics: 'names' },
    variants: [
      { videoId: '77', pageToken },
      { videoId: '77', pageToken, metrics: ['a', 'b'] },
    ],
    routes: {
      'GET 77/video_insights': {
        data: [
          { name: 'a', period: 'lifetime', values: [{ value: 3 }] },
          { name: 'b', period: 'lifetime', values: [{ value: { 0: 1, 3: 0.7 } }] },
        ],
        paging,
      },
    },
    holds: (value: object) =>
      isRecord(value) && Object.values(value).every((one) => typeof one === 'number' || areNumbers(one)),
  });
  ofPage(page.searchPlaces, {
    kinds: { token: 'token', query: 'text', limit: 'count', fields: 'names' },
    variants: [{ token, query: 'Coffee', limit: 3, fields: ['id', 'name'] }],
    routes: {
      'GET pages/search': {
        data: [
          {
            id: '43',
            name: 'Coffee',
            link: 'https://example.com/43',
            location: { city: 'Berlin', latitude: 52.5, longitude: 13.4 },
            is_eligible_for_branded_content: true,
            is_unclaimed: false,
            verification_status: 'not_verified',
          },
        ],
        paging,
      },
    },
    holds: haveIds,
  });
  const rules = 'https://example.com/rules';
  const isDate = (value: unknown): boolean =>
    value === undefined || (value instanceof Date && !Number.isNaN(value.getTime()));
  ofPage(page.pageStatus, {
    kinds: { pageId: 'id', pageToken: 'token' },
    variants: [{ pageId: '42', pageToken }],
    routes: {
      'GET 42/page_status': {
        id: '42',
        timestamp: 1_763_665_904,
        status: 'restricted',
        violations: [{ type: 'SPAM', description: 'Spam', url: rules, severity: 'LOW' }],
        restrictions: [
          {
            feature: 'page_messaging_api',
            description: 'No messages',
            applied_time: 1_763_665_904,
            expiration_time: 1_763_675_775,
            violation_type: ['SPAM'],
          },
        ],
        recommended_actions: [{ action_type: 'FILE_APPEAL', url: rules, violation_type: ['SPAM'] }],
        actions_events: [
          {
            type: 'FILE_APPEAL',
            status: 'OPEN',
            created_time: 1_763_666_000,
            updated_time: 1_763_667_000,
            violation_type: ['SPAM'],
          },
        ],
      },
    },
    holds: ({ timestamp, restrictions, actions_events }: PageStatus) =>
      isDate(timestamp) &&
      restrictions.every((one) => isDate(one.applied_time) && isDate(one.expiration_time)) &&
      actions_events.every((one) => isDate(one.created_time) && isDate(one.updated_time)),
  });
  const pageOfPosts = {
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
  };
  ofPage(page.posts, {
    kinds: { pageId: 'id', pageToken: 'token', limit: 'count', fields: 'names' },
    variants: [{ pageId: '42', pageToken, limit: 3, fields: ['id'] }],
    routes: pageOfPosts,
    holds: haveIds,
  });
  const pageOfFeed = { 'GET 42/feed': pageOfPosts['GET 42/published_posts'] };
  const feedKinds = {
    pageId: 'id',
    pageToken: 'token',
    limit: 'count',
    fields: 'names',
    since: 'instant',
    until: 'instant',
  } as const;
  const feedOptions = { pageId: '42', pageToken, limit: 3, fields: ['id'], since: 1, until: new Date(9e11) };
  ofPage(page.feed, {
    kinds: feedKinds,
    variants: [feedOptions],
    routes: pageOfFeed,
    holds: haveIds,
  });
  ofPage(walked('iterateFeed', page.iterateFeed), {
    kinds: { ...feedKinds, onUnreadable: 'hook' },
    variants: [{ ...feedOptions, onUnreadable: () => undefined }],
    routes: pageOfFeed,
    holds: (last: unknown) => last === undefined || hasId(last as never),
  });
  ofPage(walked('iteratePosts', page.iteratePosts), {
    kinds: { pageId: 'id', pageToken: 'token', limit: 'count', fields: 'names', onUnreadable: 'hook' },
    variants: [{ pageId: '42', pageToken, limit: 3, fields: ['id'], onUnreadable: () => undefined }],
    routes: pageOfPosts,
    holds: (last: unknown) => last === undefined || hasId(last as never),
  });
  ofPage(page.publishComment, {
    kinds: {
      idempotencyKey: 'key',
      objectId: 'id',
      pageToken: 'token',
      message: 'text',
      attachmentUrl: 'url',
      photo: 'video',
      pageId: 'id',
      onCreated: 'hook',
    },
    variants: [
      { objectId: '42_1', pageToken, message: 'Hi', attachmentUrl: 'https://example.com/a.jpg' },
      { objectId: '42_1', pageToken, photo: new Uint8Array(9), pageId: '42', onCreated: () => undefined },
    ],
    routes: {
      'POST 42/photos': { id: '81' },
      'POST 42_1/comments': created,
      'GET 42_1/comments': {
        data: [{ id: '901', message: 'Hi', created_time: time, attachment: { target: { id: '81' } } }],
      },
    },
    holds: hasId,
  });
  ofPage(page.publishPhoto, {
    kinds: {
      idempotencyKey: 'key',
      pageId: 'id',
      pageToken: 'token',
      photoUrl: 'url',
      photo: 'video',
      message: 'text',
      altText: 'text',
      published: 'flag',
      scheduledAt: 'schedule',
    },
    variants: [
      { pageId: '42', pageToken, photoUrl: 'https://example.com/a.jpg', message: 'Hi', altText: 'A' },
      { pageId: '42', pageToken, photo: new Uint8Array(9), scheduledAt: ahead, message: 'Hi' },
      { pageId: '42', pageToken, photo: new Uint8Array(9), published: false },
    ],
    routes: {
      'POST 42/photos': { id: '81', post_id: '42_1' },
      'GET 42/published_posts': { data: [shown] },
      'GET 42/scheduled_posts': { data: [{ ...shown, scheduled_publish_time: ahead }] },
    },
    holds: hasId,
  });
  ofPage(page.publishPhotos, {
    kinds: {
      idempotencyKey: 'key',
      pageId: 'id',
      pageToken: 'token',
      photos: 'photos',
      message: 'text',
      scheduledAt: 'schedule',
      onCreated: 'hook',
      placeId: 'id',
      tags: 'names',
    },
    variants: [
      {
        pageId: '42',
        pageToken,
        placeId: '77',
        tags: ['8'],
        photos: [{ photoUrl: 'https://example.com/a.jpg' }, { photo: new Uint8Array(9), altText: 'A' }],
        message: 'Hi',
        onCreated: () => undefined,
      },
      { pageId: '42', pageToken, photos: [{ photoId: '81' }, { photoId: '83' }], scheduledAt: ahead },
    ],
    routes: {
      'POST 42/photos': [{ id: '81' }, { id: '83' }],
      'POST 42/feed': { id: '42_1' },
      'GET 42/published_posts': { data: [shown] },
      'GET 42/scheduled_posts': { data: [shown] },
    },
    holds: (value: { photo_ids: readonly string[] }) => hasId(value) && value.photo_ids.every(isText),
  });
  ofPage(page.publishPhotoStory, {
    kinds: {
      idempotencyKey: 'key',
      pageId: 'id',
      pageToken: 'token',
      photoUrl: 'url',
      photo: 'video',
      photoId: 'id',
      onCreated: 'hook',
    },
    variants: [
      { pageId: '42', pageToken, photoUrl: 'https://example.com/a.jpg', onCreated: () => undefined },
      { pageId: '42', pageToken, photo: new Uint8Array(9) },
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
    kinds: {
      pageId: 'id',
      pageToken: 'token',
      message: 'text',
      link: 'url',
      published: 'flag',
      scheduledAt: 'schedule',
      draft: 'flag',
      callToAction: 'record',
      targeting: 'record',
      feedTargeting: 'record',
      placeId: 'id',
      tags: 'names',
      idempotencyKey: 'key',
    },
    variants: [
      { pageId: '42', pageToken, message: 'Hi' },
      { pageId: '42', pageToken, message: 'Hi', link: 'https://example.com', published: false },
      { pageId: '42', pageToken, message: 'Hi', scheduledAt: ahead, placeId: '77', tags: ['8'] },
      {
        pageId: '42',
        pageToken,
        message: 'Hi',
        draft: true,
        callToAction: { type: 'SHOP_NOW', link: 'https://example.com' },
        targeting: { age_min: 18 },
        feedTargeting: { genders: [1] },
      },
    ],
    routes: {
      'POST 42/feed': { id: '42_1' },
      'GET 42/published_posts': { data: [{ id: '42_1', message: 'Hi', created_time: time }] },
      'GET 42/scheduled_posts': {
        data: [{ id: '42_1', message: 'Hi', created_time: time, scheduled_publish_time: ahead }],
      },
    },
    holds: hasId,
  });
  ofPage(page.publishScheduledPost, {
    kinds: { postId: 'id', pageToken: 'token' },
    variants: [{ postId: '42_1', pageToken }],
    routes: { 'POST 42_1': { success: true } },
    holds: isAcknowledged,
  });
  ofPage(page.publishReel, {
    kinds: {
      idempotencyKey: 'key',
      ...videoKinds,
      title: 'text',
      description: 'text',
      thumbnail: 'video',
      placeId: 'id',
      isAiGenerated: 'flag',
      collaborators: 'list',
      scheduledAt: 'schedule',
    },
    variants: [
      { ...videoOptions, title: 'T', description: 'D', placeId: '77', isAiGenerated: true },
      { ...videoOptions, thumbnail: new Uint8Array(9), collaborators: ['8'] },
      {
        pageId: '42',
        pageToken,
        videoUrl: 'https://example.com/a.mp4',
        waitTimeoutMs: 2000,
        scheduledAt: ahead,
      },
    ],
    routes: {
      'POST 42/video_reels': [
        { video_id: '77', upload_url: `${platform.uploadUrl}/video/77` },
        { success: true },
      ],
      'POST video/77': { success: true },
      'GET 77': videoState,
      'POST 77/thumbnails': { success: true },
      'POST 77/collaborators': { success: true, collaborator_id: '8' },
      'GET 77/collaborators': { data: [{ id: '8', invite_status: 'Pending' }] },
    },
    holds: (value: { video_id: string }) => isText(value.video_id) && isAcknowledged(value),
  });
  ofPage(page.publishVideo, {
    kinds: {
      idempotencyKey: 'key',
      ...videoKinds,
      title: 'text',
      description: 'text',
      thumbnail: 'video',
      placeId: 'id',
      isAiGenerated: 'flag',
      scheduledAt: 'schedule',
    },
    variants: [
      {
        ...videoOptions,
        title: 'T',
        description: 'D',
        isAiGenerated: true,
        thumbnail: new Uint8Array(9),
        placeId: '77',
      },
      {
        pageId: '42',
        pageToken,
        videoUrl: 'https://example.com/a.mp4',
        waitTimeoutMs: 2000,
        description: 'D',
        scheduledAt: ahead,
      },
    ],
    routes: {
      'POST 42/videos': [
        { id: '77', video_id: '77', upload_session_id: '5', start_offset: '0', end_offset: '30' },
        { start_offset: '30', end_offset: '40' },
        { start_offset: '40', end_offset: '40' },
        { success: true },
      ],
      'GET 42/videos': { data: [{ id: '77', description: 'D', created_time: time }] },
      'GET 42/scheduled_posts': { data: [{ id: '42_1', attachments: { data: [{ target: { id: '77' } }] } }] },
      'GET 77': videoState,
    },
    holds: (value: { video_id: string }) => isText(value.video_id),
  });
  ofPage(page.publishVideoStory, {
    kinds: {
      idempotencyKey: 'key',
      pageId: 'id',
      pageToken: 'token',
      videoUrl: 'url',
      video: 'video',
      waitTimeoutMs: 'duration',
      waitFor: 'processed',
      isAiGenerated: 'flag',
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
        waitFor: 'processed',
        isAiGenerated: true,
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
    kinds: { idempotencyKey: 'key', commentId: 'id', pageToken: 'token', message: 'text' },
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
  ofPage(page.scheduledPosts, {
    kinds: { pageId: 'id', pageToken: 'token', limit: 'count', fields: 'names' },
    variants: [{ pageId: '42', pageToken, limit: 3, fields: ['id'] }],
    routes: {
      'GET 42/scheduled_posts': {
        data: [{ id: '42_1', message: 'Hi', created_time: time, scheduled_publish_time: ahead }],
        paging,
      },
    },
    holds: haveIds,
  });
  ofPage(page.addCaptions, {
    kinds: { videoId: 'id', pageToken: 'token', captions: 'video', locale: 'text', isDefault: 'flag' },
    variants: [{ videoId: '77', pageToken, captions: new Uint8Array(9), locale: 'en_US', isDefault: true }],
    routes: { 'POST 77/captions': { success: true } },
    holds: isAcknowledged,
  });
  const profileRoute = '42/messenger_profile';
  const inbox = { pageId: '42', pageToken };
  const questions = [{ locale: 'default', call_to_actions: [{ question: 'Open?', payload: 'HOURS' }] }];
  ofPage(page.messengerProfile, {
    kinds: { pageId: 'id', pageToken: 'token', fields: 'names' },
    variants: [{ ...inbox, fields: ['greeting'] }, inbox],
    routes: { [`GET ${profileRoute}`]: { data: [{ greeting: [{ locale: 'default', text: 'Hello' }] }] } },
    holds: (value: object) => isRecord(at(value, 'raw')),
  });
  ofPage(page.updateMessengerProfile, {
    kinds: {
      pageId: 'id',
      pageToken: 'token',
      greeting: 'list',
      getStarted: 'object',
      iceBreakers: 'list',
      persistentMenu: 'list',
      whitelistedDomains: 'list',
    },
    variants: [
      {
        ...inbox,
        greeting: [{ locale: 'default', text: 'Hello' }],
        getStarted: { payload: 'START' },
        iceBreakers: questions,
        persistentMenu: [{ locale: 'default' }],
        whitelistedDomains: ['https://example.com'],
      },
    ],
    routes: { [`POST ${profileRoute}`]: { result: 'success' } },
    holds: isAcknowledged,
  });
  ofPage(page.deleteMessengerProfile, {
    kinds: { pageId: 'id', pageToken: 'token', fields: 'names' },
    variants: [{ ...inbox, fields: ['ice_breakers'] }],
    routes: { [`DELETE ${profileRoute}`]: { success: 'true' } },
    holds: isAcknowledged,
  });
  ofPage(page.visitorPosts, {
    kinds: { pageId: 'id', pageToken: 'token', limit: 'count', fields: 'names' },
    variants: [{ ...inbox, limit: 3, fields: ['id'] }],
    routes: { 'GET 42/visitor_posts': { data: [{ id: '8_1', message: 'Hi', from: { id: '8' } }], paging } },
    holds: haveIds,
  });
  ofPage(page.taggedPosts, {
    kinds: { pageId: 'id', pageToken: 'token', limit: 'count', fields: 'names' },
    variants: [{ ...inbox, limit: 3, fields: ['id'] }],
    routes: { 'GET 42/tagged': { data: [{ id: '8_1', message: 'Hi', from: { id: '8' } }], paging } },
    holds: haveIds,
  });
  ofPage(page.blockedUsers, {
    kinds: { pageId: 'id', pageToken: 'token', limit: 'count', fields: 'names' },
    variants: [{ ...inbox, limit: 3, fields: ['id'] }],
    routes: { 'GET 42/blocked': { data: [{ id: '8', name: 'Ada' }], paging } },
    holds: haveIds,
  });
  const peopleKinds = { pageId: 'id', pageToken: 'token', userId: 'id', userIds: 'names' } as const;
  const people: page.BlockUserOptions[] = [
    { ...inbox, userId: '8' },
    { ...inbox, userIds: ['8'] },
  ];
  ofPage(page.blockUser, {
    kinds: peopleKinds,
    variants: people,
    routes: { 'POST 42/blocked': { 8: true } },
    holds: (value: object) => typeof at(value, '8') === 'boolean',
  });
  ofPage(page.unblockUser, {
    kinds: peopleKinds,
    variants: people,
    routes: { 'DELETE 42/blocked': { success: true } },
    holds: isAcknowledged,
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
    kinds: { pageId: 'id', pageToken: 'token', fields: 'names', add: 'flag' },
    variants: [
      { pageId: '42', pageToken, fields: ['feed'] },
      { pageId: '42', pageToken, fields: ['feed'], add: true },
    ],
    routes: {
      'GET 42/subscribed_apps': [
        { data: [{ id: 'app-id', subscribed_fields: ['mention'] }], paging },
        { data: [{ id: 'app-id', subscribed_fields: ['mention', 'feed'] }], paging },
      ],
      'POST 42/subscribed_apps': { success: true },
    },
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
  ofPage(page.appSubscriptions, {
    kinds: {},
    variants: [{}],
    routes: {
      'GET app-id/subscriptions': {
        data: [
          {
            object: 'page',
            callback_url: 'https://a.test',
            active: true,
            fields: [{ name: 'feed', version: 'v26.0' }],
          },
        ],
      },
    },
    holds: (value: unknown) =>
      Array.isArray(value) &&
      value.every((one) => isText(at(one, 'object')) && Array.isArray(at(one, 'fields'))),
  });
  ofPage(page.subscribeApp, {
    kinds: { object: 'app object', callbackUrl: 'url', verifyToken: 'verify token', fields: 'names' },
    variants: [
      {
        object: 'pics',
        callbackUrl: 'https://a.test/webhooks',
        verifyToken: entryToken,
        fields: ['comments'],
      },
    ],
    routes: { 'POST app-id/subscriptions': { success: true } },
    holds: isTrue,
  });
  ofPage(page.unsubscribeApp, {
    kinds: { object: 'app object', fields: 'names' },
    variants: [{ object: 'pics', fields: ['comments'] }],
    routes: { 'DELETE app-id/subscriptions': { success: true } },
    holds: isTrue,
  });
  ofPage(page.updateComment, {
    kinds: { commentId: 'id', pageToken: 'token', message: 'text' },
    variants: [{ commentId: '7', pageToken, message: 'Thanks' }],
    routes: { 'POST 7': { success: true } },
    holds: isAcknowledged,
  });
  ofPage(page.updatePost, {
    kinds: {
      postId: 'id',
      pageToken: 'token',
      message: 'text',
      scheduledAt: 'schedule',
      hidden: 'flag',
      pinned: 'flag',
    },
    variants: [
      { postId: '42_1', pageToken, message: 'Hi' },
      { postId: '42_1', pageToken, scheduledAt: ahead, hidden: false, pinned: false },
    ],
    routes: { 'POST 42_1': { success: true } },
    holds: isAcknowledged,
  });
  ofPage(page.videoStatus, {
    kinds: { videoId: 'id', pageToken: 'token' },
    variants: [{ videoId: '77', pageToken }],
    routes: { 'GET 77': videoState },
    holds: (value: object) => isRecord(at(value, 'uploading_phase')),
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
}
