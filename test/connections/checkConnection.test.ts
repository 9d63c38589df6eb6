import { describe, expect, test } from 'vitest';

import {
  checkConnection,
  type CheckConnectionOptions,
  type ConnectionReport,
  requirements,
  scopesFor,
} from '../../src/connections/index.ts';
import { bind } from '../../src/core/index.ts';
import { createPageContext } from '../../src/page/context.ts';
import { subscribePage } from '../../src/page/subscriptions.ts';
import { createPicsContextViaPages, type PicsContext } from '../../src/pics/context.ts';
import { subscribeAccount } from '../../src/pics/subscriptions.ts';
import { createSandbox } from '../../src/sandbox/index.ts';
import { json, stubFetch } from '../core/stub.ts';
import { openPlace, type Place } from '../functions/sandboxCalls.ts';
import { picsContext } from '../support/context.ts';

const day = 86_400_000;

/** Checks for the first Page of a place. */
async function ofPage(
  place: Place,
  options: Partial<CheckConnectionOptions> = {},
): Promise<ConnectionReport> {
  const { page, first, sandbox } = place;
  const all = { token: sandbox.user.token, pageId: first.id, ...options };
  return (await checkConnection(page, all))._unsafeUnwrap();
}

async function viaPages(
  place: Place,
  options: Partial<CheckConnectionOptions> = {},
): Promise<ConnectionReport> {
  const all = { token: place.first.token, ...options };
  return (await checkConnection(place.viaPages, all))._unsafeUnwrap();
}

async function ofLogin(
  place: Place,
  options: Partial<CheckConnectionOptions> = {},
): Promise<ConnectionReport> {
  const all = { token: place.account.token, ...options };
  return (await checkConnection(place.login, all))._unsafeUnwrap();
}

function pathsOf({ sandbox, first }: Place): readonly string[] {
  return sandbox.requests.map(({ path }) => path.replace(first.id, 'page').replace(sandbox.app.id, 'app'));
}

describe('a Page', () => {
  test('takes four reads, whatever is asked for', async () => {
    const place = openPlace();
    const report = await ofPage(place, { webhookFields: ['feed', 'leadgen', 'messages'] });

    expect(pathsOf(place)).toEqual([
      '/debug_token',
      '/me/accounts',
      '/page/subscribed_apps',
      '/app/subscriptions',
    ]);
    expect(Object.keys(report.functions)).toEqual(Object.keys(requirements.page));
    expect(report).toMatchObject({ works: true, missing: [], token: { is_valid: true, type: 'USER' } });
  });

  test('takes six at most, however many Pages the person has', async () => {
    const sandbox = createSandbox({ pages: 100, portfolioPages: 2 });
    for (let at = 0; at < 110; at += 1) sandbox.addPage();
    const { app, platform, fetch, clock } = sandbox;
    const context = createPageContext({
      appId: app.id,
      appSecret: app.secret,
      platform,
      fetch,
      clock,
    })._unsafeUnwrap();
    const last = sandbox.addPage();
    const before = sandbox.requests.length;
    const report = await checkConnection(context, { token: sandbox.user.token, pageId: last.id });

    expect(sandbox.requests.length - before).toBe(6);
    expect(report._unsafeUnwrap().functions['publishPost']).toMatchObject({
      works: undefined,
      reasons: [{ code: 'unknown', task: 'CREATE_CONTENT' }],
    });
  });

  test('of a portfolio, which no list shows, is found by its id; its tasks are not known', async () => {
    const loose = createSandbox({ requireProof: false });
    const ask = async (path: string) =>
      (await (
        await loose.fetch(`${loose.platform.graphUrl}/v26.0${path}?access_token=${loose.user.token}`)
      ).json()) as { readonly data: readonly { readonly id: string; readonly access_token?: string }[] };
    const business = (await ask('/me/businesses')).data[0]?.id ?? '';
    const branch = (await ask(`/${business}/owned_pages`)).data.at(-1)?.id ?? '';
    const client = (await ask(`/${business}/client_pages`)).data[0]?.id ?? '';
    const { app, platform, fetch, clock } = loose;
    const context = createPageContext({
      appId: app.id,
      appSecret: app.secret,
      platform,
      fetch,
      clock,
    })._unsafeUnwrap();
    const check = async (pageId: string) =>
      (
        await checkConnection(context, { token: loose.user.token, pageId, functions: ['publishPost', 'me'] })
      )._unsafeUnwrap();

    expect((await check(branch)).functions).toMatchObject({
      publishPost: { works: undefined, reasons: [{ code: 'unknown', task: 'CREATE_CONTENT' }] },
      me: { works: true, reasons: [] },
    });
    expect((await check(client)).functions['publishPost']).toMatchObject({ works: false });
  });

  test('is needed with a user token', async () => {
    const place = openPlace();
    const report = await ofPage(place, { pageId: undefined, functions: ['publishPost', 'pages'] });

    expect(report.functions).toMatchObject({
      publishPost: {
        works: undefined,
        reasons: [
          { code: 'unknown', fix: 'Give pageId.' },
          { code: 'unknown', fix: 'The list of Pages shows it to a user token, with pageId.' },
        ],
      },
      pages: { works: true },
    });
    expect(report.works).toBe(true);
  });

  test('is told from an account, whose id was given for that of a Page', async () => {
    const place = openPlace();
    const { functions } = await ofPage(place, { pageId: place.account.userId, functions: ['pageProfile'] });
    expect(functions['pageProfile']).toEqual({
      works: false,
      reasons: [
        {
          code: 'asset',
          message: `The token reaches no Page ${place.account.userId}.`,
          fix: expect.stringMatching(/or use the id that pages gives\.$/),
        },
      ],
    });
  });

  test('names what is missing, each once, and checks only what was asked for', async () => {
    const place = openPlace();
    const token = place.sandbox.issueToken({ scopes: ['public_profile', 'pages_show_list'] });
    const report = await ofPage(place, { token, functions: ['publishPost', 'comments', 'me'] });

    expect(report.missing).toEqual([
      'pages_manage_posts',
      'pages_read_engagement',
      'pages_read_user_content',
    ]);
    expect(report.works).toBe(false);
    expect(report.functions['me']?.works).toBe(true);
    expect((await ofPage(place, { token, functions: ['me'] })).works).toBe(true);
  });

  test('works with the least that scopesFor gives', async () => {
    const place = openPlace();
    const functions = ['publishPost', 'comments', 'replyComment'];
    const scopes = scopesFor('page', functions)._unsafeUnwrap();
    const token = place.sandbox.issueToken({ scopes });
    expect(await ofPage(place, { token, functions })).toMatchObject({ works: true });

    for (const scope of scopes) {
      const less = place.sandbox.issueToken({ scopes: scopes.filter((one) => one !== scope) });
      expect(await ofPage(place, { token: less, functions })).toMatchObject({
        works: false,
        missing: [scope],
      });
    }
  });
});

describe('the inboxes of a Page and of its account', () => {
  const functions = ['conversations', 'messages', 'contact', 'sendMessage', 'privateReply'];
  const both = async (place: Place, token: string) => {
    const options = { token, functions, pageId: place.first.id };
    return [await ofPage(place, options), await viaPages(place, options)];
  };

  test.each([
    ['a Page token does not show the task', undefined, undefined],
    ['the person has the task', true, ['MESSAGING']],
    ['the person lacks the task', false, ['MODERATE']],
  ])('get one verdict: %s', async (_, works, tasks) => {
    const place = openPlace();
    const token = tasks === undefined ? place.first.token : place.sandbox.issueToken({ tasks });
    const codes = works === undefined ? ['unknown'] : works ? [] : ['task'];
    for (const report of await both(place, token))
      for (const { works: does, reasons } of Object.values(report.functions)) {
        expect([does, reasons.map(({ code }) => code)]).toEqual([works, codes]);
        for (const { task } of reasons) expect(task).toBe('MESSAGING');
      }
  });
});

describe('warnings', () => {
  test('tell of a Page and an app that are not subscribed, and of fields that are missing', async () => {
    const place = openPlace();
    const { page, first } = place;
    const before = await ofPage(place, { functions: ['comments', 'leads'] });
    expect(before.works).toBe(true);
    expect(before.warnings.map(({ code, message }) => [code, message])).toEqual([
      ['subscription', 'The Page is not subscribed: no event arrives.'],
      ['subscription', 'The app is not subscribed: no event arrives.'],
    ]);
    expect(before.warnings.map(({ fix }) => fix)).toEqual([
      'Call subscribePage with the fields feed, leadgen, or with add: true.',
      'Call subscribeApp with callbackUrl, verifyToken and the fields feed, leadgen, for the object page.',
    ]);

    await subscribePage(page, { pageId: first.id, pageToken: first.token, fields: ['feed'] });
    const after = await ofPage(place, { functions: ['comments', 'leads'] });
    expect(after.warnings[0]).toMatchObject({ code: 'subscription', field: 'leadgen' });
    expect((await ofPage(place, { webhookFields: ['feed'] })).warnings).toHaveLength(1);
    const sent = place.sandbox.requests.length;
    expect((await ofPage(place, { functions: ['comments'], webhookFields: [] })).warnings).toEqual([]);
    expect(pathsOf(place).slice(sent)).toEqual(['/debug_token', '/me/accounts']);
  });

  test('say so where the platform does not tell', async () => {
    const place = openPlace();
    const token = place.sandbox.issueToken({ scopes: ['pages_show_list', 'pages_read_engagement'] });
    const { warnings } = await ofPage(place, { token, functions: ['pageProfile'], webhookFields: ['feed'] });
    expect(warnings[0]).toMatchObject({
      code: 'unknown',
      message: expect.stringMatching(/^Could not determine whether the Page is subscribed: .*_metadata/),
      fix: 'For webhooks, ask for the permission that this names, too.',
    });
  });

  test('tell of ends within 7 days', async () => {
    const place = openPlace();
    const soon = place.sandbox.issueToken({ expiresInMs: 6 * day, dataAccessExpiresInMs: 6 * day });
    const later = place.sandbox.issueToken({ expiresInMs: 8 * day });
    const check = async (token: string) =>
      (await ofPage(place, { token, functions: ['me'] })).warnings.map(({ code, message }) => [
        code,
        message.split(' ends')[0],
      ]);

    expect(await check(soon)).toEqual([
      ['expires_soon', 'The token'],
      ['expires_soon', 'The access to data'],
    ]);
    expect(await check(later)).toEqual([]);
  });

  test('of login mode are about the account', async () => {
    const place = openPlace();
    const before = await ofLogin(place, { functions: ['messages'] });
    expect(before.warnings).toMatchObject([
      {
        code: 'subscription',
        fix: expect.stringMatching(/^Call subscribeAccount with the fields .*messages/),
      },
    ]);
    await subscribeAccount(place.login, { token: place.account.token, fields: ['comments'] });
    expect((await ofLogin(place, { functions: ['messages'] })).warnings).toMatchObject([
      { code: 'subscription', field: 'messages' },
    ]);
    expect((await ofLogin(place, { functions: ['profile'] })).warnings).toEqual([]);
  });
});

describe('page mode', () => {
  test('finds the Page by the account', async () => {
    const place = openPlace();
    const report = await viaPages(place, {
      token: place.sandbox.user.token,
      picsUserId: place.account.userId,
    });
    expect(report).toMatchObject({ works: true });
    expect(report.functions['publish']).toEqual({ works: true, reasons: [] });

    const other = await viaPages(place, { token: place.sandbox.user.token, picsUserId: '17' });
    expect(other.functions['publish']?.reasons).toMatchObject([{ code: 'linked_account' }]);
  });

  test('distinguishes another account from the one of the Page', async () => {
    const place = openPlace();
    const report = await viaPages(place, { picsUserId: '17', functions: ['publish'] });
    expect(report.functions['publish']?.reasons).toMatchObject([{ code: 'linked_account' }]);
  });

  test('says which id is meant where that of login mode was given', async () => {
    const place = openPlace();
    const fixOf = async (options: Partial<CheckConnectionOptions>): Promise<string> => {
      const all = { ...options, picsUserId: place.account.id, functions: ['publish'] };
      const [reason] = (await viaPages(place, all)).functions['publish']?.reasons ?? [];
      return `${reason?.message} ${reason?.fix}`;
    };
    const hint = 'If this is its id in login mode, use the one that pages gives: pics_id.';
    expect(await fixOf({})).toBe(
      `The Page shows no linked account ${place.account.id}, but ${place.account.userId}. Let the person link the professional account to the Page, in the settings of either. ${hint}`,
    );
    expect(await fixOf({ token: place.sandbox.user.token })).toContain(
      ` link the account to a Page. ${hint}`,
    );
  });

  test('does not call an account missing that the token may not see', async () => {
    const place = openPlace();
    const token = place.sandbox.issueToken({
      scopes: [`${place.sandbox.platform.words.picsScopePrefix}basic`],
    });
    const { functions } = await viaPages(place, {
      token,
      picsUserId: place.account.userId,
      functions: ['profile'],
    });
    expect(functions['profile']?.reasons.map(({ code, permission }) => [code, permission])).toEqual([
      ['permission', 'pages_read_engagement'],
      ['permission', 'pages_show_list'],
    ]);
  });

  test('names both an account that was not chosen and one that is not linked, where it cannot tell', async () => {
    const place = openPlace();
    const scope = `${place.sandbox.platform.words.picsScopePrefix}basic`;
    const token = place.sandbox.issueToken({ kind: 'page', granularScopes: [{ scope, target_ids: ['17'] }] });
    const { functions } = await viaPages(place, { token, functions: ['profile'] });
    expect(functions['profile']?.reasons.map(({ code }) => code)).toEqual(['linked_account', 'asset']);
  });

  test('has no functions of login mode, which is a reason and no error', async () => {
    const place = openPlace();
    const report = await viaPages(place, { functions: ['refreshToken', 'profile'] });
    expect(report).toMatchObject({
      works: false,
      functions: { refreshToken: { works: false, reasons: [{ code: 'mode' }] }, profile: { works: true } },
    });
  });

  test('needs an appId', async () => {
    const { app, platform, fetch } = createSandbox();
    const context = createPicsContextViaPages({ appSecret: app.secret, platform, fetch })._unsafeUnwrap();
    const error = (await checkConnection(context, { token: 'token' }))._unsafeUnwrapErr();
    expect(error).toMatchObject({ name: 'ConfigurationError', option: 'appId' });
  });
});

describe('login mode', () => {
  test('reads what the functions need, at most six times', async () => {
    const place = openPlace();
    expect(await ofLogin(place)).toMatchObject({ works: true, token: undefined });
    expect(place.sandbox.requests).toHaveLength(6);
    await ofLogin(place, { functions: ['profile'] });
    expect(place.sandbox.requests).toHaveLength(7);
  });

  test('cannot tell what the platform does not say', async () => {
    const place = openPlace();
    place.sandbox.fault({
      path: '/tags',
      status: 400,
      body: { error: { code: 2, message: 'Later' } },
      times: 9,
    });
    const { functions, works } = await ofLogin(place, { functions: ['comments', 'profile'] });
    expect(functions).toMatchObject({
      comments: { works: undefined, reasons: [{ code: 'unknown' }] },
      profile: { works: true },
    });
    expect(works).toBe(true);
  });

  test.each<[string, { readonly status: number; readonly body: string | object }]>([
    ['an outage', { status: 500, body: { error: { code: 1, message: 'Later' } } }],
    ['HTML of a gateway', { status: 403, body: '<h1>Forbidden</h1>' }],
    ['JSON of a gateway', { status: 401, body: { error: { message: 'unauthorized' } } }],
    ['a rate limit', { status: 400, body: { error: { code: 4, message: 'Slow down' } } }],
  ])('fails with %s, when no read says anything', async (_, fault) => {
    const place = openPlace();
    place.sandbox.fault({ ...fault, times: 99 });
    const options = { token: place.account.token, functions: ['comments', 'profile'] };
    const error = (await checkConnection(place.login, options))._unsafeUnwrapErr();
    expect(error).toMatchObject({ operation: 'checkConnection', path: '/v26.0/me' });
    expect(error.name).toMatch(/^(?:Api|RateLimit|Permission)Error$/);
  });

  test('does not fail when one read says that a permission is missing', async () => {
    const place = openPlace();
    place.sandbox.fault({ path: '/me', status: 500, body: '', times: 99 });
    place.sandbox.fault({
      path: '/tags',
      status: 400,
      body: { error: { code: 10, message: 'No' } },
      times: 9,
    });
    const { functions } = await ofLogin(place, { functions: ['comments'] });
    expect(functions['comments']).toMatchObject({ works: false });
  });

  test('reports the token of another account', async () => {
    const place = openPlace();
    const { functions } = await ofLogin(place, { functions: ['profile'], picsUserId: '17' });
    expect(functions['profile']?.reasons).toMatchObject([{ code: 'asset' }]);
    expect(await ofLogin(place, { functions: ['profile'], picsUserId: place.account.userId })).toMatchObject({
      works: true,
    });
  });
});

describe('checkConnection', () => {
  test.each<[string, Partial<CheckConnectionOptions>, string]>([
    ['page', { functions: ['publishPost', 'publish'] }, 'functions[1] (publish) is not a function of page'],
    ['page', { functions: ['constructor'] }, 'functions[0] (constructor) is not a function of page'],
    [
      'page',
      { functions: ['publishPots'] },
      'functions[0] (publishPots) is not a function of page: did you mean publishPost?',
    ],
    ['page', { functions: ['EAAOpasted0by0mistake01234'] }, 'functions[0] is not a function of page'],
    [
      'login',
      { functions: ['likeMedia', 'publishPost'] },
      'functions[1] (publishPost) is not a function of pics-login',
    ],
    ['page', { functions: [] }, 'functions must be a list of 1 or more'],
    ['page', { token: '' }, 'token must be a non-empty string'],
    ['page', { pageId: '..' }, 'pageId must be an id'],
  ])('of %s refuses %j before anything is sent', async (name, options, message) => {
    const place = openPlace();
    const context = name === 'page' ? place.page : place.login;
    const error = (await checkConnection(context, { token: 'token', ...options }))._unsafeUnwrapErr();
    const [option] = /^[\w[\]]+/.exec(message) ?? [];
    expect(error).toMatchObject({
      name: 'ConfigurationError',
      message,
      option,
      operation: 'checkConnection',
    });
    expect(place.sandbox.requests).toEqual([]);
  });

  test('fails where the first question, or the network, fails', async () => {
    const place = openPlace();
    const { app, platform, fetch } = place.sandbox;
    const wrong = createPageContext({ appId: app.id, appSecret: 'wrong', platform, fetch })._unsafeUnwrap();
    expect(
      (await checkConnection(wrong, { token: place.sandbox.user.token }))._unsafeUnwrapErr(),
    ).toMatchObject({
      name: 'ApiError',
      operation: 'checkConnection',
    });
    place.sandbox.fault({ path: '/me/accounts', drop: true, times: 9 });
    const { page, first, sandbox } = place;
    const lost = await checkConnection(page, { token: sandbox.user.token, pageId: first.id });
    expect(lost._unsafeUnwrapErr().name).toBe('TransportError');
  });

  test('refuses a value that is no context', async () => {
    const { viaPages: context } = openPlace();
    for (const wrong of [undefined, null, 7, { ...context }]) {
      const result = await checkConnection(wrong as PicsContext, { token: 'token' });
      expect(result._unsafeUnwrapErr()).toMatchObject({ name: 'ConfigurationError', option: 'context' });
    }
  });

  test('becomes a method by bind', async () => {
    const { page, sandbox } = openPlace();
    const client = bind(page, { checkConnection });
    expect(await client.checkConnection({ token: sandbox.user.token, functions: ['me'] })).toMatchObject({
      works: true,
    });
  });

  test('shows no token, of a dead one too', async () => {
    const place = openPlace();
    const token = place.sandbox.issueToken();
    place.sandbox.killToken(token, 'password');
    const report = await ofPage(place, { token });
    expect(report.functions['me']?.reasons).toMatchObject([
      { code: 'token', message: expect.stringMatching(/password/) },
    ]);
    for (const text of [JSON.stringify(report), JSON.stringify(await ofPage(place))])
      for (const secret of [token, place.sandbox.user.token, place.first.token, place.sandbox.app.secret])
        expect(text).not.toContain(secret);
  });
});

describe('a token that is refused', () => {
  const fixesOf = ({ functions }: ConnectionReport): readonly string[] => [
    ...new Set(Object.values(functions).flatMap(({ reasons }) => reasons.map(({ fix }) => fix))),
  ];

  test.each([
    ['expired', /through the login again/],
    ['revoked', /through the login again/],
    ['password', /through the login again/],
    ['checkpoint', /log in on the platform itself/],
    ['role', /administrator of the Page/],
  ] as const)('is followed by what helps: %s', async (death, fix) => {
    for (const check of [ofPage, viaPages]) {
      const place = openPlace();
      const token = place.sandbox.issueToken({ kind: 'user' });
      place.sandbox.killToken(token, death);
      const fixes = fixesOf(await check(place, { token }));
      expect(fixes).toEqual([expect.stringMatching(fix)]);
      expect(fixes.join(' ').includes('Send the person')).toBe(death !== 'checkpoint' && death !== 'role');
    }
    const place = openPlace();
    place.sandbox.killToken(place.account.token, death);
    expect(fixesOf(await ofLogin(place))).toEqual([expect.stringMatching(fix)]);
  });

  test.each([
    ['The user is enrolled in a blocking checkpoint', 190, 0, /log in on the platform itself/],
    ['User is blocked', 190, undefined, /log in on the platform itself/],
    ['The user is not a confirmed user', 190, 0, /log in on the platform itself/],
    ['No appropriate role on the Page', 190, 0, /administrator of the Page/],
    ['The token was issued to a different app', 190, undefined, /Use a token of this app/],
    ['Session has expired', 190, 0, /through the login again/],
    ['Session key invalid', 102, 459, /log in on the platform itself/],
    ['Session key invalid', 102, undefined, /through the login again/],
    ['An access token is missing', 104, undefined, /Use a token of this app/],
    ['He must be an editor of the page in order to impersonate it', 190, 0, /administrator of the Page/],
    ['Unsupported request - method type: get', 100, undefined, /see its dashboard/],
    ['API access blocked.', 200, undefined, /see its dashboard/],
  ])('in login mode, words tell: %s', async (message, code, error_subcode, fix) => {
    const body = { error: { message, type: 'IGApiException', code, error_subcode } };
    const login = picsContext({ fetch: stubFetch(json(body, 400)) });
    const report = (await checkConnection(login, { token: 'IGAAx0', webhookFields: [] }))._unsafeUnwrap();
    expect(fixesOf(report).filter((one) => !one.startsWith('Create a context'))).toEqual([
      expect.stringMatching(fix),
    ]);
  });

  test('that begins like those of the other platform needs another context', async () => {
    const place = openPlace();
    const { account, sandbox } = place;
    const ofPages = /context in login mode:/;
    expect(fixesOf(await ofPage(place, { token: account.token }))).toEqual([expect.stringMatching(ofPages)]);
    expect(fixesOf(await viaPages(place, { token: account.token }))).toEqual([
      expect.stringMatching(ofPages),
    ]);
    expect(fixesOf(await ofLogin(place, { token: sandbox.user.token }))).toEqual([
      expect.stringMatching(/context for Pages, or in page mode:/),
    ]);
  });
});
