import { describe, expect, test } from 'vitest';

import { ApiError, PermissionError, RateLimitError } from '../../../src/core/errors.ts';
import { parseJson } from '../../../src/core/http/json.ts';
import { POST } from '../../../src/core/http/methods.ts';
import { parseResponse, readRefusal } from '../../../src/core/http/response.ts';
import { get, post } from '../../../src/core/lowLevel/request.ts';
import { systemClock } from '../../../src/core/options/clock.ts';
import { livePlatform } from '../../../src/core/platform.ts';
import { explain } from '../../../src/core/upload.ts';
import { arrayOf, firstOf, objectOf, string } from '../../../src/models/fields.ts';
import { publishPost } from '../../../src/page/index.ts';
import { pageContext, picsContext, picsPageContext } from '../../support/context.ts';
import { json, refusal, requestsTo, type Step, stubFetch, text } from '../stub.ts';

const schema = objectOf({ id: string, of: arrayOf(firstOf(string)) });

const same = <T>(value: T): T => value;

function parse(body: unknown, isRead = false) {
  return parseResponse({ status: 200, body }, schema, { isRead, redact: same, show: same });
}

describe('a response', () => {
  test.each([
    [{}, 'unexpected response at id: expected a value'],
    [{ id: 5 }, 'unexpected response at id: expected string'],
    [{ id: '5', of: {} }, 'unexpected response at of: expected Array'],
    [{ id: '5', of: [['a'], ['b'], [3]] }, 'unexpected response at of.2.0: expected string'],
    [[], 'unexpected response at body: expected Object'],
    [null, 'unexpected response at body: expected Object'],
  ])('that does not fit says where: %j', (body, message) => {
    expect(parse(body)._unsafeUnwrapErr()).toMatchObject({ message, payload: body, outcome: 'unknown' });
    expect(parse(body, true)._unsafeUnwrapErr()).toMatchObject({ message, outcome: 'rejected' });
  });

  test.each([false, 'false'])('to a write says %j for a failure', (success) => {
    const body = { success, id: '5', of: [] };

    expect(parse(body)._unsafeUnwrapErr()).toMatchObject({
      message: 'the platform responded with success: false',
      payload: body,
    });
    expect(parse(body, true)._unsafeUnwrap()).toEqual(body);
  });
});

const clock = { ...systemClock, now: () => 0 };

function read(body: unknown, status = 400, headers: Readonly<Record<string, string>> = {}) {
  return readRefusal(
    { status, headers: new Headers(headers), body, isJson: true },
    {
      redact: same,
      show: same,
      isRead: false,
      context: { platform: livePlatform, clock },
      request: { explain, method: POST },
    },
  );
}

function graph(code: unknown, subcode?: unknown, fields: object = {}): unknown {
  return { error: { message: 'No', code, error_subcode: subcode, ...fields } };
}

const none = undefined;

describe('categories', () => {
  test.each([
    [1, none, 'transient'],
    [2, none, 'transient'],
    [2, 1_545_133, 'transient'],
    [-1, none, 'transient'],
    [-2, none, 'transient'],
    [-2, 2207003, 'transient'],
    [-1, 2207001, 'transient'],
    [-1, 2207032, 'transient'],
    [-2, 2207020, 'media'],
    [-1, 2207053, 'media'],
    [1, 2207057, 'media'],
    [4, none, 'rate_limit'],
    [4, 2207051, 'policy'],
    [9, 2207042, 'quota'],
    [24, 2207006, 'not_found'],
    [24, 2207008, 'media'],
    [25, 2207050, 'permission'],
    [100, 2207023, 'validation'],
    [100, 2207028, 'validation'],
    [100, 2207035, 'validation'],
    [100, 2207036, 'validation'],
    [100, 2207037, 'validation'],
    [100, 2207040, 'validation'],
    [352, 2207026, 'media'],
    [9004, none, 'media'],
    [9004, 2207052, 'media'],
    [9007, 2207027, 'media'],
    [36000, 2207004, 'media'],
    [36001, 2207005, 'media'],
    [36003, 2207009, 'media'],
    [36004, 2207010, 'validation'],
    [100, 2207082, 'media'],
    [368, none, 'policy'],
    [102, none, 'auth'],
    [190, none, 'auth'],
    [190, 460, 'auth'],
    [190, 463, 'auth'],
    [2500, none, 'auth'],
    [100, 36007, 'auth'],
    [100, 36008, 'auth'],
    [100, 36009, 'auth'],
    [3, none, 'permission'],
    [10, none, 'permission'],
    [10, 2534022, 'window'],
    [10, 2018278, 'window'],
    [200, none, 'permission'],
    [200, 2018108, 'permission'],
    [230, none, 'permission'],
    [299, none, 'permission'],
    [300, none, 'unknown'],
    [36104, none, 'permission'],
    [551, none, 'recipient'],
    [551, 1_545_041, 'recipient'],
    [9010, none, 'recipient'],
    [100, 2534014, 'recipient'],
    [100, 2534001, 'recipient'],
    [10, 2534013, 'recipient'],
    [100, 2534025, 'recipient'],
    [100, 2018001, 'recipient'],
    [10900, none, 'recipient'],
    [10902, none, 'recipient'],
    [2, 2018344, 'permission'],
    [100, 2534068, 'permission'],
    [100, 2534037, 'permission'],
    [27, none, 'permission'],
    [100, none, 'validation'],
    [100, 33, 'not_found'],
    [803, none, 'not_found'],
    [506, none, 'validation'],
    [1_609_005, none, 'validation'],
    [3001, 1_504_028, 'validation'],
    [98_765, none, 'unknown'],
    [104, none, 'auth'],
    [190, 2_069_032, 'auth'],
    [191, none, 'validation'],
    [100, 2534013, 'validation'],
    [-1, 2534023, 'window'],
    [1, 99, 'transient'],
    [1, 1_357_046, 'validation'],
    [2, 1_504_044, 'transient'],
    [508, 2534122, 'policy'],
    [10, 1_893_063, 'policy'],
    [100, 2534029, 'policy'],
    [110, 2207013, 'not_found'],
    [36001, 2207083, 'media'],
    [100, 2207086, 'validation'],
    [6000, none, 'media'],
    [6000, 1_363_030, 'media'],
    [100, 1_363_022, 'media'],
    [100, 1_363_023, 'media'],
    [100, 1_363_030, 'media'],
    [100, 1_363_040, 'media'],
    [100, 1_363_042, 'media'],
    [100, 1_363_127, 'media'],
    [100, 1_363_128, 'media'],
    [100, 1_363_129, 'media'],
    [1_363_030, none, 'media'],
    [1200, none, 'transient'],
    [17, none, 'rate_limit'],
    [32, none, 'rate_limit'],
    [341, none, 'rate_limit'],
    [613, none, 'rate_limit'],
    [613, 1996, 'rate_limit'],
    [613, 2_534_040, 'rate_limit'],
    [80_000, none, 'rate_limit'],
    [80_001, 2_494_055, 'rate_limit'],
    [80_002, 2_446_079, 'rate_limit'],
    [80_003, none, 'rate_limit'],
    [80_004, 2_446_079, 'rate_limit'],
    [80_005, none, 'rate_limit'],
    [80_006, none, 'rate_limit'],
    [80_008, none, 'rate_limit'],
    [80_009, none, 'rate_limit'],
    [80_014, none, 'rate_limit'],
    [200, 1_545_041, 'recipient'],
    [10, 2_018_108, 'recipient'],
    [10_903, 1_893_049, 'recipient'],
    [10_904, 1_893_050, 'permission'],
    [10, 2_018_065, 'window'],
    [190, 490, 'auth'],
    [190, 459, 'auth'],
    [21, none, 'not_found'],
    [100, 21, 'not_found'],
    [324, none, 'media'],
    [389, none, 'media'],
    [100, 2_018_047, 'media'],
    [1, 1_446_036, 'validation'],
    [12, none, 'validation'],
    [2200, none, 'validation'],
    [210, none, 'permission'],
    [283, none, 'permission'],
    [298, none, 'permission'],
    [10, 2_534_048, 'permission'],
    [200, 2_534_041, 'permission'],
    [200, 2_534_048, 'permission'],
    [200, 2_534_066, 'permission'],
    [100, 2_018_300, 'permission'],
    [2_018_300, none, 'permission'],
    [2_018_321, none, 'permission'],
    [100, 2_018_145, 'validation'],
    [1, 1_366_046, 'media'],
    [100, 1_366_051, 'media'],
    [100, 2_069_019, 'media'],
    [1, 1_363_047, 'transient'],
    [100, 1_390_008, 'policy'],
    [368, 1_390_008, 'policy'],
    [110, 2207018, 'validation'],
    [100, 2207018, 'validation'],
    [110, none, 'validation'],
    [9, 2207069, 'quota'],
    [100, 2207081, 'permission'],
    [-1, 2207085, 'unknown'],
    [100, 2207099, 'validation'],
    [98_765, 2207099, 'unknown'],
    [2635, none, 'validation'],
    [20, 1_772_107, 'unknown'],
    [36_000, none, 'media'],
    [36_001, none, 'media'],
    [36_003, none, 'media'],
    [352, none, 'media'],
    [382, none, 'media'],
    [6001, 1_363_037, 'media'],
    [6000, 1_363_045, 'media'],
    [389, 1_363_057, 'media'],
    [100, 2_018_008, 'media'],
    [100, 2_018_109, 'media'],
    [100, 1_609_010, 'transient'],
    [18, none, 'rate_limit'],
    [80_007, none, 'rate_limit'],
    [80_010, none, 'rate_limit'],
    [80_015, none, 'unknown'],
    [100, 2_534_040, 'rate_limit'],
    [24, none, 'not_found'],
    [24, 2207045, 'not_found'],
    [385, none, 'media'],
    [100, 2_534_080, 'media'],
    [100, 1_363_026, 'media'],
    [100, 2207089, 'validation'],
  ] as const)('%i with subcode %s is %s', (code, subcode, category) => {
    for (const body of [graph(code, subcode), graph(String(code), subcode && String(subcode))]) {
      const { error } = read(body);
      expect(error).toMatchObject({ code, subcode, category, transient: category === 'transient' });
      expect(error).toBeInstanceOf(ApiError);
      expect(error.name).toBe(
        category === 'rate_limit'
          ? 'RateLimitError'
          : category === 'permission' || category === 'window'
            ? 'PermissionError'
            : 'ApiError',
      );
    }
  });

  test.each([
    [401, 'auth'],
    [403, 'permission'],
    [404, 'not_found'],
    [409, 'validation'],
    [429, 'rate_limit'],
    [500, 'transient'],
    [503, 'transient'],
    [501, 'unknown'],
    [505, 'unknown'],
    [507, 'unknown'],
    [520, 'unknown'],
    [302, 'unknown'],
    [200, 'unknown'],
  ] as const)('without a code, HTTP %i is %s', (status, category) => {
    expect(read({ error: { message: 'No' } }, status).error.category).toBe(category);
    expect(read('<h1>No</h1>', status).error.category).toBe(category);
  });

  test.each([
    ['An active access token must be used to query information about the current user.', 'auth'],
    ['Unknown path components: /feeed', 'validation'],
    ['Syntax error "Expected end of string instead of (." at character 4: from(', 'validation'],
  ])('2500 is told by its text: %s', (message, category) => {
    expect(read({ error: { message, code: 2500 } }).error.category).toBe(category);
  });

  test.each([
    [401, 'auth'],
    [404, 'not_found'],
    [429, 'rate_limit'],
    [503, 'transient'],
    [400, 'unknown'],
    [409, 'unknown'],
  ] as const)('a code that is not known leaves it to HTTP %i: %s', (status, category) => {
    expect(read(graph(98_765), status).error.category).toBe(category);
  });

  test.each([
    [graph(2), 400, true],
    [graph(98_765, none, { is_transient: true }), 400, true],
    [graph(4), 500, true],
    [graph(98_765), 503, false],
    ['<h1>Busy</h1>', 503, false],
    ['', 429, false],
    [graph(190), 500, false],
  ])('only a code or the flag tells that a fault passes: %j at HTTP %i', (body, status, isTransient) => {
    expect(read(body, status).isTransient).toBe(isTransient);
  });

  test('the code counts, not the status', () => {
    for (const status of [200, 400, 401, 403, 404, 500]) {
      expect(read(graph(190), status).error.category).toBe('auth');
      expect(read(graph(100, 33), status).error.category).toBe('not_found');
    }
  });

  test.each(['get', 'post', 'delete', 'put'])(
    'words about the method, whatever it is, mean an account that is not connected, or a restricted app: %s',
    (method) => {
      const said = { message: `Unsupported request - method type: ${method}`, type: 'IGApiException' };
      for (const body of [{ error: { ...said, code: 100 } }, { error: said }]) {
        const { error } = read(body);
        expect(error).toMatchObject({ name: 'PermissionError', category: 'permission', action: 'fix' });
        expect(error.message).toContain('restricted the app');
      }
      // The exchange of a token fails in its own form.
      const flat = { error_type: 'OAuthException', code: 100, error_message: said.message };
      expect(read(flat).error).toMatchObject({ category: 'permission', action: 'fix' });
    },
  );

  test('the limit of hashtags is asked about again after a day, not in the call', async () => {
    const fetch = stubFetch(refusal(18));
    const failed = await get(pageContext({ fetch }), 'ig_hashtag_search', { token: 'T' });
    expect(failed._unsafeUnwrapErr()).toMatchObject({ name: 'RateLimitError', retryAfterMs: 86_400_000 });
    expect(fetch).toHaveBeenCalledTimes(1);
  });

  test('words say that the platform has restricted the app', () => {
    const said = { message: 'API access blocked.', type: 'OAuthException' };
    for (const body of [{ error: { ...said, code: 200 } }, { error: said }]) {
      const { error } = read(body);
      expect(error).toMatchObject({ name: 'PermissionError', category: 'permission', action: 'fix' });
      expect(error.message).toContain('restricted the app');
    }
  });

  test.each([
    ['The user is enrolled in a blocking, logged-in checkpoint', 'fix'],
    ['User is blocked', 'fix'],
    ['Sessions for the user are not allowed because the user is not a confirmed user.', 'fix'],
    ['You cannot access the app till you log in to the site and follow the instructions given.', 'fix'],
    ['This account has been disabled', 'fix'],
    ['The user does not have an appropriate role on the Page', 'fix'],
    ['Session has expired on Monday', 'login'],
    ['The session has been invalidated because the user changed their password', 'login'],
    ['The user has not authorized application 123', 'login'],
  ])('190 without a subcode is told by its words: %s', (message, action) => {
    for (const subcode of [none, 0, '0'])
      expect(read(graph(190, subcode, { message })).error).toMatchObject({ category: 'auth', action });
    expect(read(graph(190, 463, { message })).error.action).toBe('login');
  });

  test.each([
    ['page', 'IGAAk0wn', 'fix'],
    ['page', 'EAAk0wn', 'login'],
    ['login', 'EAAk0wn', 'fix'],
    ['login', 'IGAAk0wn', 'login'],
    ['page', 'T', 'login'],
    ['login', 'T', 'login'],
    [none, 'IGAAk0wn', 'fix'],
  ] as const)(
    'in the mode %s, what helps a refused token follows its beginning: %s',
    async (mode, token, action) => {
      const fetch = stubFetch(
        refusal(190, { message: 'Invalid OAuth access token - Cannot parse access token' }),
      );
      const contexts = { page: picsPageContext({ fetch }), login: picsContext({ fetch }) };
      const context = mode === undefined ? pageContext({ fetch }) : contexts[mode];
      const failed = (await get(context, 'me', { token }))._unsafeUnwrapErr();
      expect(failed).toMatchObject({ category: 'auth', action });
      expect(failed.message.includes('the other platform')).toBe(action === 'fix');
    },
  );

  test.each([
    ['17/feed', 300_000],
    ['17_4/comments', 300_000],
    [`${pageContext().graphBase}/17?fields=id`, 300_000],
    ['me/accounts', 10_800_000],
    ['17x/feed', 10_800_000],
  ])('a limit says when its own object has room again: %s', async (path, retryAfterMs) => {
    const of = (minutes: number) => [{ type: 'pages', estimated_time_to_regain_access: minutes }];
    const headers = { 'x-business-use-case-usage': JSON.stringify({ 17: of(5), 18: of(180) }) };
    const context = pageContext({ fetch: stubFetch(refusal(80001, { headers })), retry: { attempts: 1 } });

    const failed = (await get(context, path, { token: 'T' }))._unsafeUnwrapErr();

    expect(failed).toMatchObject({ name: 'RateLimitError', action: 'wait', retryAfterMs });
  });

  test('a token of another app is no temporary fault under code 1', () => {
    const message = 'The access token does not belong to application 123';
    expect(read({ error: { message, code: 1 } })).toMatchObject({
      isTransient: false,
      error: { category: 'auth', action: 'fix', outcome: 'rejected' },
    });
  });

  test('the flag makes any code transient but those that last', () => {
    expect(read(graph(100, none, { is_transient: true })).error).toMatchObject({
      category: 'transient',
      transient: true,
    });
    expect(read(graph(368, none, { is_transient: true })).error.category).toBe('policy');
    expect(read(graph(17, none, { is_transient: true })).error).toBeInstanceOf(RateLimitError);
    expect(read({ error: { is_transient: true } }).error.category).toBe('transient');
    expect(read(graph(324, none, { is_transient: true })).error.category).toBe('transient');
    expect(read(graph(1, 1_446_036, { is_transient: true })).error.category).toBe('validation');
  });
});

describe('a fault that is called lasting, in words for a person', () => {
  const forPerson = { is_transient: false, error_user_title: 'Not possible', error_user_msg: 'Ask for it.' };

  test.each([1, 2, -1])('is a refusal, though its code is %i', (code) => {
    for (const status of [400, 403, 404]) {
      const { error, isRejected, isTransient } = read(graph(code, none, forPerson), status);
      expect(error).toMatchObject({ transient: false, action: 'fix', outcome: 'rejected' });
      expect(error.category).not.toBe('transient');
      expect({ isRejected, isTransient }).toEqual({ isRejected: true, isTransient: false });
    }
  });

  test.each([
    ['an outage', graph(1, none, forPerson), 500],
    ['one without a title', graph(1, none, { ...forPerson, error_user_title: ' ' }), 400],
    ['one without a text', graph(2, none, { ...forPerson, error_user_msg: none }), 400],
    ['one that does not say whether it lasts', graph(-1, none, { ...forPerson, is_transient: none }), 400],
    ['one that passes by its subcode', graph(-1, 2207001, forPerson), 400],
    ['a container that could not be made', graph(-1, 2207032, forPerson), 400],
    ['a message that could not be sent', graph(2, 1_545_133, forPerson), 400],
  ])('is no other: %s', (_, body, status) => {
    expect(read(body, status)).toMatchObject({ isTransient: true, error: { category: 'transient' } });
  });

  test.each([1, 2, -1])(
    'under code %i: a read and a post are sent once, and nothing is looked up',
    async (code) => {
      const fetch = stubFetch(json(graph(code, none, forPerson), 400));
      const context = pageContext({ fetch });
      const read = await get(context, '42', { token: 'T' });
      const posted = await publishPost(context, { pageId: '42', pageToken: 'T', message: 'Hi' });
      for (const failed of [read, posted])
        expect(failed._unsafeUnwrapErr()).toMatchObject({ outcome: 'rejected', category: 'unknown' });
      expect(requestsTo(fetch).map(({ method }) => method)).toEqual(['GET', 'POST']);
    },
  );
});

describe('what a refused write did', () => {
  test.each([
    [
      'a file that the upload host may take at the next try: nothing',
      { debug_info: { retriable: true, message: 'x' } },
      400,
      'rejected',
    ],
    ['a refusal at 4xx: nothing', graph(190), 401, 'rejected'],
    ['one without a code: unknown', { error: { message: 'No' } }, 400, 'unknown'],
    ['one of a gateway: unknown', { error: { message: 'upstream request timeout' } }, 403, 'unknown'],
    ['one with a code that is a text: unknown', graph('UNAUTHENTICATED'), 401, 'unknown'],
    ['one with a code that is no integer: unknown', graph('190'), 401, 'unknown'],
    ['a timeout at 408: unknown', graph(190), 408, 'unknown'],
    ['a rate limit at 408: unknown', graph(4), 408, 'unknown'],
    ['a closed window at 425: unknown', graph(10, 2018278), 425, 'unknown'],
    ['a client that closed, at 499: unknown', graph(100), 499, 'unknown'],
    ['a limiter without a code at 429: nothing', { error: { message: 'slow down' } }, 429, 'rejected'],
    ['a limiter in HTML at 429: nothing', '<h1>Slow</h1>', 429, 'rejected'],
    ['a temporary fault at 429: nothing', graph(2), 429, 'rejected'],
    ['suspected spam at 429: unknown', graph(4, 2207051), 429, 'unknown'],
    [
      'the upload host: nothing',
      { debug_info: { retriable: false, type: 'ProcessingFailedError' } },
      400,
      'rejected',
    ],
    ['a debug_info of somebody else: unknown', { debug_info: { reason: 'blocked' } }, 403, 'unknown'],
    [
      'the token endpoint: nothing',
      { error_type: 'OAuthException', code: 400, error_message: 'No' },
      400,
      'rejected',
    ],
    ['a token endpoint in the words of OAuth: unknown', { error: 'invalid_grant' }, 400, 'unknown'],
    ['a transient code: unknown', graph(2), 400, 'unknown'],
    ['a refusal at 5xx: unknown', graph(190), 500, 'unknown'],
    ['a refusal at 200: unknown', graph(190), 200, 'unknown'],
    ['a rate limit at 500: nothing', graph(17), 500, 'rejected'],
    ['a rate limit at 200: nothing', graph(17), 200, 'rejected'],
    ['a closed window at 500: nothing', graph(10, 2534022), 500, 'rejected'],
    ['a closed window of a Page at 500: nothing', graph(10, 2018278), 500, 'rejected'],
    ['a closed window, as replies meet it, at 500: nothing', graph(-1, 2534023), 500, 'rejected'],
    ['suspected spam: unknown', graph(4, 2207051), 403, 'unknown'],
    ['a comment whose fields cannot be read back: unknown', graph(20, 1_772_107), 400, 'unknown'],
    ['the same at 429: unknown', graph(20, 1_772_107), 429, 'unknown'],
    ['the same, said to be temporary: unknown', graph(20, 1_772_107, { is_transient: true }), 400, 'unknown'],
    ['HTML at 403: unknown', '<h1>No</h1>', 403, 'unknown'],
    ['JSON without an error at 400: unknown', { id: '1' }, 400, 'unknown'],
    ['a redirect: unknown', '', 302, 'unknown'],
    ['an empty success: unknown', '', 200, 'unknown'],
  ] as const)('%s', (_, body, status, outcome) => {
    const { error, isRejected } = read(body, status);
    expect(error.outcome).toBe(outcome);
    expect(isRejected).toBe(outcome === 'rejected');
  });
});

describe('what is wrong with media', () => {
  const refused = (code: unknown, subcode?: unknown, fields?: object) =>
    read(graph(code, subcode, fields)).error;

  test.each([
    [36_000, 2207004, 'size'],
    [36_001, 2207005, 'format'],
    [36_003, 2207009, 'aspect_ratio'],
    [9004, 2207052, 'url'],
    [-2, 2207003, 'url'],
    [389, 1_363_057, 'url'],
    [389, none, 'url'],
    [382, none, 'size'],
    [352, none, 'format'],
    [100, 1_363_040, 'aspect_ratio'],
    [100, 1_363_127, 'resolution'],
    [100, 1_363_128, 'duration'],
    [100, 1_363_129, 'frame_rate'],
    [1_363_129, none, 'frame_rate'],
    [100, 1_366_046, 'format'],
    [100, 2_069_019, 'format'],
    [100, 2_018_109, 'size'],
    [100, 2_018_008, 'url'],
    [385, none, 'format'],
    [100, 2_534_080, 'format'],
    [100, 1_363_026, 'duration'],
    [352, 2207026, none],
    [9007, 2207027, none],
    [-1, 2207053, none],
    [100, none, none],
    [190, 463, none],
  ] as const)('is told by the code: %i with subcode %s is %s', (code, subcode, media) => {
    expect(refused(code, subcode).media).toBe(media);
    expect('media' in refused(code, subcode)).toBe(media !== undefined);
  });

  test.each([
    ['O vídeo tem um aspect_ratio inválido.', 'aspect_ratio'],
    ['วิดีโอนี้มี frame_rate ที่ไม่รองรับ', 'frame_rate'],
    ['ವೀಡಿಯೊದ duration ಅಮಾನ್ಯವಾಗಿದೆ', 'duration'],
    ['video_codec wird nicht unterstützt', 'codec'],
    ['{"success":false,"error":{"message":"Invalid FRAME_RATE"}}', 'frame_rate'],
    ['Resolution too low. Video must have a minimum resolution of 540p.', 'resolution'],
    ['Unsupported codec, whatever the resolution', 'codec'],
    ['CodedException: unknown', none],
    ['El vídeo no es compatible', none],
  ])('is told by its English name in a text of any language: %s', (text, media) => {
    expect(refused(352, 2207026, { message: text }).media).toBe(media);
    expect(refused(352, 2207026, { error_user_msg: text }).media).toBe(media);
    const { error } = read({
      debug_info: { retriable: false, type: 'ProcessingFailedError', message: text },
    });
    expect(error).toMatchObject({ category: 'media', action: 'fix' });
    expect(error.media).toBe(media);
  });

  test('is not told by a name in a text about something else', () => {
    expect(refused(100, none, { message: 'Param duration must be a number' }).media).toBeUndefined();
  });
});

describe('the upload host', () => {
  const said = (message: string | undefined, more: object = {}, status = 400) =>
    read({ debug_info: { retriable: false, type: 'ProcessingFailedError', message, ...more } }, status);
  const quoting = (error: object) => JSON.stringify({ success: false, error });
  const expired = quoting({ message: 'Error validating access token: Session has expired', code: 190 });

  test.each([
    ['x', { retriable: true }],
    [none, { retriable: true }],
    ['Request processing failed', {}],
    ['Request processing failed', { retriable: none }],
    [quoting({ message: 'Request processing failed' }), {}],
    ['Broken', { retriable: true, type: none }],
    ['Offset', { type: 'OffsetInvalidError' }],
    ['Length', { type: 'PartialRequestError' }],
  ] as const)('takes the same file at the next try: %s %j', (message, more) => {
    for (const status of [400, 412, 500]) {
      expect(said(message, more, status)).toMatchObject({
        isRejected: true,
        isTransient: true,
        error: { category: 'transient', action: 'retry', outcome: 'rejected' },
      });
    }
  });

  test.each([
    ['El vídeo no es compatible', none],
    ['Invalid frame_rate', 'frame_rate'],
    [quoting({ message: 'aspect_ratio' }), 'aspect_ratio'],
    ['Request processing failed: duration', 'duration'],
    [none, none],
  ] as const)('does not take the file: %s', (message, media) => {
    for (const status of [400, 500]) {
      const { error, isTransient } = said(message, {}, status);
      expect(error).toMatchObject({ category: 'media', action: 'fix', outcome: 'rejected' });
      expect(error.media).toBe(media);
      expect(isTransient).toBe(false);
    }
  });

  test.each([
    quoting({ message: 'unauthorized user request' }),
    'Unauthorized',
    'User is not authorized to perform this request',
    quoting({ message: '(#200) No', code: 200 }),
    quoting({ message: 'You do not have permission' }),
  ])('does not allow it: %s', (message) => {
    const error = { name: 'PermissionError', category: 'permission', action: 'fix', outcome: 'rejected' };
    for (const more of [{}, { retriable: true }])
      expect(said(message, more)).toMatchObject({ error, isTransient: false });
  });

  test.each([
    [expired, 'login'],
    [quoting({ message: 'No', code: 190, error_subcode: 463 }), 'login'],
    [quoting({ message: 'Invalid OAuth access token.' }), 'login'],
    ['Error validating access token: the user has changed the password', 'login'],
    [quoting({ message: 'No', code: 190, error_subcode: 459 }), 'fix'],
    [quoting({ message: 'The access token does not belong to application 1', code: 190 }), 'fix'],
  ])('refuses the token: %s', (message, action) => {
    expect(said(message)).toMatchObject({
      error: { category: 'auth', action, outcome: 'rejected' },
      isTransient: false,
    });
  });

  test('quotes the code of another error', () => {
    expect(said(expired).error).toMatchObject({ code: 190, message: expired, type: 'ProcessingFailedError' });
    expect(said('{"success":').error).toMatchObject({ code: none, message: '{"success":' });
    expect(said('{"error":null}').error.code).toBeUndefined();
  });
});

describe('forms', () => {
  test('the graph envelope', () => {
    const body = {
      error: {
        message: 'No',
        type: 'OAuthException',
        code: 190,
        error_subcode: 460,
        error_user_title: 'Titel',
        error_user_msg: 'Text',
        fbtrace_id: 'T1',
      },
    };
    expect(read(body, 401).error).toMatchObject({
      name: 'ApiError',
      message: 'No',
      status: 401,
      code: 190,
      subcode: 460,
      type: 'OAuthException',
      traceId: 'T1',
      userTitle: 'Titel',
      userMessage: 'Text',
      payload: body,
    });
  });

  test.each(['error_message', 'message'])('the flat one of the token endpoint, with %s', (name) => {
    const body = { error_type: 'OAuthException', code: 400, [name]: 'Invalid platform app' };
    expect(read(body).error).toMatchObject({
      message: 'Invalid platform app',
      type: 'OAuthException',
      code: 400,
      category: 'auth',
      outcome: 'rejected',
    });
  });

  test('that of the upload host', () => {
    const body = { debug_info: { retriable: false, type: 'ProcessingFailedError', message: 'Failed' } };
    expect(read(body, 412).error).toMatchObject({
      message: 'Failed',
      type: 'ProcessingFailedError',
      status: 412,
    });
  });

  test('the trace id of the header, where the body has none', () => {
    expect(read(graph(100), 400, { 'x-fb-trace-id': 'T2' }).error.traceId).toBe('T2');
  });

  test.each([
    [{ error: { code: 100, message: ' ' } }, 'the response has no error message (HTTP status 400)'],
    [{ error: { code: 100 } }, 'the response has no error message (HTTP status 400)'],
    [{ error: { code: 100, error_user_msg: 'Too long' } }, 'Too long'],
    [{ error: 'invalid_grant' }, 'invalid_grant'],
    [{ error: 'invalid_grant', error_description: 'the code has expired' }, 'the code has expired'],
    [{ error: ' ' }, 'the response has no error message (HTTP status 400)'],
    [{ error_message: ' ', error_type: 'X' }, 'the response has no error message (HTTP status 400)'],
  ])('an error without a message says what there is: %j', (body, message) => {
    expect(read(body).error.message).toBe(message);
  });

  test.each([
    [{ error: 'No' }],
    [{ error: [] }],
    [{ error: null }],
    [{ error: { code: {}, error_subcode: [], message: 7, type: null, fbtrace_id: {} } }],
    [{ error: { code: '', error_subcode: 'x', message: '' } }],
    [{ error: { code: 1.5 } }],
    [[]],
    [[[]]],
    [null],
    [true],
    [7],
    ['text'],
    [JSON.parse('{"__proto__":{"error":{"code":190}}}')],
    [JSON.parse('{"error":{"__proto__":{"code":190}}}')],
  ])('odd ones are read as far as they can be: %j', (body) => {
    for (const status of [200, 302, 400, 500]) {
      const { error } = read(body, status);
      expect(error).toBeInstanceOf(ApiError);
      expect(error.code).toBeUndefined();
      expect(error.message).not.toBe('');
    }
  });
});

describe('through a request', () => {
  async function fail(step: Step) {
    const fetch = stubFetch(step);
    const error = (await get(pageContext({ fetch, retry: { attempts: 1 } }), '42'))._unsafeUnwrapErr();
    return { error, fetch };
  }

  test('HTML says that it is no JSON, and what it begins with', async () => {
    const { error } = await fail(text('<h1>Gone fishing</h1>', 200));
    expect(error).toMatchObject({ name: 'ApiError', status: 200, payload: '<h1>Gone fishing</h1>' });
    expect(error.message).toBe('the response is not JSON: <h1>Gone fishing</h1> (HTTP status 200)');
  });

  test('truncated JSON does as well', async () => {
    const { error } = await fail(text('{"id":"1', 200));
    expect(error.message).toContain('the response is not JSON: {"id":"1');
  });

  test('an empty body says so', async () => {
    const { error } = await fail(text('', 200));
    expect(error.message).toBe('the response is empty (HTTP status 200)');
  });

  test.each([301, 302, 303, 307, 308])('a %i says where it leads, and is not followed', async (status) => {
    const { error, fetch } = await fail(text('', status, { location: 'https://evil.test/x?access_token=t' }));
    expect(error).toMatchObject({ name: 'ApiError', status });
    expect(error.message).toContain('https://evil.test/x');
    expect(error.message).not.toContain('access_token');
    expect(fetch).toHaveBeenCalledTimes(1);
    expect(requestsTo(fetch)[0]?.redirect).toBe('manual');
  });

  test('an error at 200 is a failure', async () => {
    const { error } = await fail(json({ error: { code: 190, message: 'Dead' } }));
    expect(error).toMatchObject({ name: 'ApiError', status: 200, code: 190, message: 'Dead' });
  });

  test('an error that is null is none', async () => {
    const fetch = stubFetch(json({ id: '1', error: null }));
    const node = await post(pageContext({ fetch }), '42');
    expect(node._unsafeUnwrap()).toEqual({ id: '1', error: null });
  });

  test('a body of a hundred thousand levels is a failure like another', async () => {
    const deep = `${'{"error":['.repeat(1)}${'['.repeat(100_000)}${']'.repeat(100_000)}]}`;
    const { error } = await fail(text(deep, 400));
    expect(error).toMatchObject({ name: 'ApiError', status: 400 });
    expect(JSON.stringify((error as ApiError).payload).length).toBeLessThan(1000);
    expect(parseJson(deep)).toBeTypeOf('object');
  });

  test('a permission refused is a PermissionError', async () => {
    const { error } = await fail(json(graph(200), 403));
    expect(error).toBeInstanceOf(PermissionError);
  });
});

test('retryAfterMs is at most a day, whatever the platform asks for', async () => {
  const day = 86_400_000;
  for (const [headers, expected] of [
    [{ 'retry-after': '86399' }, day - 1000],
    [{ 'retry-after': '86401' }, day],
    [{ 'retry-after': '4000000' }, day],
    [{ 'x-app-usage': '{"call_count":100,"estimated_time_to_regain_access":100000}' }, day],
  ] as const) {
    const failed = await get(pageContext({ fetch: stubFetch(refusal(4, { headers })) }), '4');
    expect(failed._unsafeUnwrapErr()).toMatchObject({ name: 'RateLimitError', retryAfterMs: expected });
  }
});
