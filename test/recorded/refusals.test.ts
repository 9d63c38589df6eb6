import { describe, expect, test } from 'vitest';

import type { ErrorCategory } from '../../src/core/errors.ts';
import { post } from '../../src/core/lowLevel/request.ts';
import { json, stubFetch } from '../core/stub.ts';
import { pageContext } from '../support/context.ts';

/** What the live platform says, in its form: HTTP status and body, and the headers that belong to it. */
interface Recorded {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly error: Readonly<Record<string, unknown>>;
  /** What is read from it. */
  readonly read: Readonly<Record<string, unknown>>;
}

const type = 'OAuthException';
const fbtrace_id = 'Ab1';

/** Facts of the live platform about refusals, by what they are about: each is the name of the test that holds it. */
const refusals: Readonly<Record<ErrorCategory, Readonly<Record<string, Recorded>>>> = {
  auth: {
    'a token that has expired is 190/463, and a new login helps': {
      status: 401,
      error: { message: 'Session has expired', type, code: 190, error_subcode: 463, fbtrace_id },
      read: { action: 'login', traceId: 'Ab1', outcome: 'rejected' },
    },
    'an account that is held at a check is 190/490, which no login helps': {
      error: {
        message: 'The user is enrolled in a blocking checkpoint',
        type,
        code: 190,
        error_subcode: 490,
      },
      read: { action: 'fix' },
    },
    'no token at all is 104': {
      error: { message: 'An access token is required to request this resource.', type, code: 104 },
      read: { action: 'fix' },
    },
    'a user token where a Page token is needed can be 190, and no login helps': {
      error: { message: 'This method must be called with a Page Access Token', type, code: 190 },
      read: { action: 'fix' },
    },
    'the same is 190/2069032, in whatever language': {
      error: { message: 'Se necesita un identificador de página', type, code: 190, error_subcode: 2069032 },
      read: { action: 'fix' },
    },
    'a call that needs the app’s own token is 190, in words about its secret': {
      error: { message: '(#190) Application Secret required for this endpoint', type, code: 190 },
      read: { action: 'fix' },
    },
  },
  permission: {
    'a missing permission names itself, in whatever language': {
      status: 403,
      error: { message: '(#200) 権限がありません: pages_manage_metadata', type, code: 200, fbtrace_id },
      read: { name: 'PermissionError', action: 'fix' },
    },
    'a user token where a Page token is needed is 210': {
      error: { message: '(#210) A page access token is required', type, code: 210 },
      read: { name: 'PermissionError' },
    },
    'messages without the scope of the mailbox are 298': {
      status: 403,
      error: { message: 'Reading mailbox messages requires an extended permission', type, code: 298 },
      read: { name: 'PermissionError' },
    },
    'without Advanced Access, a stranger cannot be written to: 200/2534048': {
      status: 403,
      error: { message: 'App does not have Advanced Access', type, code: 200, error_subcode: 2534048 },
      read: { name: 'PermissionError', outcome: 'rejected' },
    },
    'the owner has switched message access off: 200/2534041': {
      status: 403,
      error: {
        message: 'The account owner has disabled access',
        type: 'IGApiException',
        code: 200,
        error_subcode: 2534041,
      },
      read: { name: 'PermissionError', type: 'IGApiException' },
    },
    'a restricted account is 25/2207050': {
      error: { message: 'The account is restricted', type, code: 25, error_subcode: 2207050 },
      read: { name: 'PermissionError', action: 'fix' },
    },
    'a conversation of an account that another app holds is 100/2534037': {
      error: { message: 'Not the thread owner', type, code: 100, error_subcode: 2534037 },
      read: { name: 'PermissionError', action: 'fix', message: expect.stringContaining('must hand it over') },
    },
    'control that is not the app’s cannot be released, which only the text says': {
      error: { message: '(#100) Only the current thread owner can release', type, code: 100 },
      read: { name: 'PermissionError', action: 'fix', message: expect.stringContaining('must hand it over') },
    },
    'control cannot be taken without Conversation Routing: 27': {
      error: {
        message: '(#27) Take thread control is not supported when Conversation Routing is not enabled.',
        type,
        code: 27,
      },
      read: { name: 'PermissionError', action: 'fix' },
    },
    'an account that is not connected is told in words about the method': {
      error: { message: 'Unsupported request - method type: get', type: 'IGApiException', code: 100 },
      read: { name: 'PermissionError', action: 'fix', message: expect.stringContaining('not connected') },
    },
    'an app that the platform restricts is told so on each send': {
      error: { message: 'Unsupported request - method type: post', type: 'IGApiException', code: 100 },
      read: {
        name: 'PermissionError',
        action: 'fix',
        message: expect.stringContaining('restricted the app'),
      },
    },
    'a conversation that another app holds is 2018300': {
      error: { message: 'Another app controls this thread', type, code: 100, error_subcode: 2018300 },
      read: { name: 'PermissionError' },
    },
  },
  rate_limit: {
    'the limit of an app comes as 403 with is_transient, and nothing was done': {
      status: 403,
      headers: { 'x-app-usage': '{"call_count":724,"total_cputime":3,"total_time":40}' },
      error: {
        message: '(#4) Application request limit reached',
        type,
        is_transient: true,
        code: 4,
        fbtrace_id,
      },
      read: { name: 'RateLimitError', action: 'wait', outcome: 'rejected', usage: { percent: 724 } },
    },
    'the limit of a Page tells its regain time in minutes, under the id of the Page': {
      headers: {
        'x-business-use-case-usage':
          '{"42":[{"type":"messenger","call_count":100,"estimated_time_to_regain_access":50},{"type":"pages","call_count":100,"total_cputime":20,"total_time":30,"estimated_time_to_regain_access":4}]}',
      },
      error: { message: '(#80001) There have been too many calls to this Page account.', type, code: 80001 },
      read: { name: 'RateLimitError', retryAfterMs: 240_000 },
    },
    'the limit of ads takes the time of its own kind of use': {
      headers: {
        'x-business-use-case-usage':
          '{"9":[{"type":"ads_insights","call_count":90,"estimated_time_to_regain_access":9},{"type":"ads_management","call_count":100,"estimated_time_to_regain_access":2}]}',
      },
      error: {
        message: 'There have been too many calls to this ad-account.',
        type,
        code: 80004,
        error_subcode: 2446079,
      },
      read: { retryAfterMs: 120_000 },
    },
    'an unusual pattern of calls is 613/1996': {
      error: {
        message: '(#613) Calls to this api have exceeded the rate limit.',
        type,
        code: 613,
        error_subcode: 1996,
      },
      read: { action: 'wait' },
    },
  },
  quota: {
    'the posts of a day are used up: 9/2207042': {
      error: {
        message: 'The user reached the maximum number of posts',
        type,
        code: 9,
        error_subcode: 2207042,
      },
      read: { action: 'wait', outcome: 'rejected' },
    },
  },
  policy: {
    'suspected spam has the code of a rate limit, and may have been published': {
      status: 403,
      error: { message: 'We restrict certain activity', type, code: 4, error_subcode: 2207051 },
      read: { name: 'ApiError', outcome: 'unknown' },
    },
    'a Page that is barred from messaging is 10/1893063': {
      error: { message: 'This Page is temporarily limited', type, code: 10, error_subcode: 1893063 },
      read: { action: 'wait' },
    },
  },
  recipient: {
    'a person who is not available is 551, and 200/1545041': {
      error: { message: 'This person is not available right now.', type, code: 200, error_subcode: 1545041 },
      read: { name: 'ApiError', action: 'fix' },
    },
    'a person who cannot receive messages is 10/2018108': {
      error: { message: 'This person cannot receive messages', type, code: 10, error_subcode: 2018108 },
      read: { name: 'ApiError' },
    },
    'a comment whose author may not be written to is 10903': {
      error: {
        message: 'This user cannot reply to this activity',
        type,
        code: 10903,
        error_subcode: 1893049,
      },
      read: { name: 'ApiError' },
    },
  },
  transient: {
    'a fault with is_transient passes, whatever its code': {
      status: 500,
      error: { message: 'Please reduce', type, code: 99, is_transient: true },
      read: { action: 'fix', outcome: 'unknown', transient: true },
    },
    'an unknown error is 1, and 1200 a temporary one': {
      error: { message: 'Temporary send message failure', type, code: 1200 },
      read: { transient: true },
    },
  },
  validation: {
    'a parameter that is wrong is 100': {
      error: { message: '(#100) Param metric is invalid', type, code: 100, fbtrace_id },
      read: { action: 'fix', outcome: 'rejected' },
    },
    'the same text twice is 506': {
      error: { message: '(#506) Duplicate status message', type, code: 506 },
      read: { outcome: 'rejected' },
    },
    'a comment that cannot be hidden is 1/1446036, which does not pass': {
      error: { message: 'An unknown error occurred', type, code: 1, error_subcode: 1446036 },
      read: { transient: false, outcome: 'rejected' },
    },
    'a person who cannot be invited is 110/2207018': {
      error: { message: 'Invalid user id', type, code: 110, error_subcode: 2207018 },
      read: { action: 'fix', outcome: 'rejected' },
    },
    'a version of ads that has ended is 2635': {
      error: {
        message:
          '(#2635) You are calling a deprecated version of the Ads API. Please update to the latest version: v26.0.',
        type,
        code: 2635,
      },
      read: { action: 'fix', outcome: 'rejected' },
    },
    'a callback that does not verify is 2200': {
      error: { message: '(#2200) Callback verification failed: HTTP Status Code = 404', type, code: 2200 },
      read: { outcome: 'rejected' },
    },
    'a version without recommendations says 12': {
      error: { message: '(#12) ratings is deprecated', type, code: 12 },
      read: { outcome: 'rejected' },
    },
  },
  media: {
    'media that could not be fetched is 9004/2207052, with is_transient false, and often passes': {
      error: {
        message: 'Only photo or video can be accepted as media type.',
        type,
        code: 9004,
        error_subcode: 2207052,
        is_transient: false,
        error_user_title: 'Media download has failed.',
        error_user_msg: 'The media could not be fetched from this URI: https://cdn.test/a.jpg',
      },
      read: { action: 'retry', userMessage: expect.stringContaining('https://cdn.test/a.jpg') },
    },
    'media that is not ready is 9007/2207027, and time helps': {
      error: { message: 'Media ID is not available', type, code: 9007, error_subcode: 2207027 },
      read: { action: 'wait' },
    },
    'a video of a wrong kind names the property in English, in whatever language': {
      error: {
        message: 'Media upload has failed with error code 2207026',
        type,
        code: 352,
        error_subcode: 2207026,
        error_user_msg: 'O frame_rate do vídeo não é compatível',
      },
      read: { action: 'fix', media: 'frame_rate' },
    },
    'a photo without a file is 324': {
      error: { message: '(#324) Requires upload file', type, code: 324 },
      read: { action: 'fix' },
    },
    'an attachment that cannot be sent is 100/2018047': {
      error: { message: 'Upload attachment failure', type, code: 100, error_subcode: 2018047 },
      read: { action: 'fix' },
    },
  },
  window: {
    'the message window is closed: 10/2534022, also under HTTP 500': {
      status: 500,
      error: {
        message: 'This message is sent outside of allowed window.',
        type,
        code: 10,
        error_subcode: 2534022,
      },
      read: { name: 'PermissionError' },
    },
    'the window of a Page is closed: 10/2018278 and 10/2018065': {
      error: {
        message: '(#10) This message is sent outside of allowed window.',
        type,
        code: 10,
        error_subcode: 2018065,
      },
      read: { name: 'PermissionError', outcome: 'rejected' },
    },
  },
  not_found: {
    'a missing object, a missing edge and a missing permission look alike: 100/33': {
      error: {
        message:
          'Unsupported get request. Object does not exist, or cannot be loaded due to missing permissions',
        type: 'GraphMethodException',
        code: 100,
        error_subcode: 33,
      },
      read: { type: 'GraphMethodException' },
    },
    'a Page that was merged is 21, and the message holds the new id': {
      error: {
        message: '(#21) Page ID 42 was migrated to page ID 43. Please update your API calls',
        type,
        code: 21,
      },
      read: { message: expect.stringContaining('43') },
    },
  },
  unknown: {
    'a comment that was sent with fields exists, although 20/1772107 refuses it': {
      error: { message: 'Cannot read the fields', type, code: 20, error_subcode: 1772107 },
      read: { action: 'fix', outcome: 'unknown' },
    },
    'a code that nobody documents may mean anything': {
      error: { message: 'Something else', type, code: 98_765 },
      read: { name: 'ApiError', action: 'fix' },
    },
  },
};

describe.each(Object.entries(refusals))('%s', (category, facts) => {
  test.each(Object.entries(facts))('%s', async (_, { status = 400, headers = {}, error, read }) => {
    const fetch = stubFetch(json({ error }, status, headers));

    const failure = (
      await post(pageContext({ fetch, retry: { attempts: 1 } }), '42/feed')
    )._unsafeUnwrapErr();

    expect(failure).toMatchObject({ category, code: error['code'], status, ...read });
    expect('action' in failure && { action: failure.action }).toMatchObject(
      'action' in read ? { action: read['action'] } : {},
    );
  });
});

test('the flat errors of the token endpoint are about the login, whatever their code', async () => {
  const body = { error_type: type, code: 400, error_message: 'Invalid authorization code' };
  const fetch = stubFetch(json(body, 400));

  expect((await post(pageContext({ fetch }), 'oauth'))._unsafeUnwrapErr()).toMatchObject({
    category: 'auth',
    message: 'Invalid authorization code',
  });
});
