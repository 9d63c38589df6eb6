import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { run as runHere } from '../../src/connections/cli.ts';
import { createSandbox, type Sandbox, serveSandbox, type ServedSandbox } from '../../src/sandbox/index.ts';
import { bareEnvironment } from '../support/machine.ts';
import { pageVariables, platformVariable } from '../support/server.ts';

/** The real command, against a sandbox that is served. */

let sandbox: Sandbox;
let server: ServedSandbox;
beforeAll(async () => {
  sandbox = createSandbox();
  server = await serveSandbox(sandbox);
});
afterAll(() => server.close());

interface Run {
  readonly code: number;
  readonly out: string;
  readonly errors: string;
}

/** Runs the command with these variables only. */
async function run(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  input = '',
): Promise<Run> {
  const child = spawn(process.execPath, ['bin/pagepics.js', ...args], {
    env: { ...bareEnvironment, ...env },
  });
  child.stdin.end(input);
  const closed = new Promise<number>((resolve) => child.once('close', (code) => resolve(code ?? -1)));
  const [out, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
  const secrets = [
    ...Object.entries(env)
      .filter(([name]) => /TOKEN|SECRET/.test(name))
      .map(([, value]) => value),
    input,
  ];
  for (const secret of secrets.filter((one) => one.length > 20)) expect(out + errors).not.toContain(secret);
  expect(out + errors).not.toContain('\u{1b}');
  return { code, out, errors };
}

function ofPage(more: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  return { ...pageVariables(sandbox, server), ...more };
}

function longest(out: string): number {
  return Math.max(...out.split('\n').map((line) => line.length));
}

const allNames = 'All functions are in docs/functions.md of this package.';

const chosen = 'PICS_USER_ID chose pics-pages; --client page chooses otherwise.';

/** A token, which no message may show. */
const pasted = 'EAAOpasted0by0mistake01234';

describe('pagepics doctor', () => {
  test('shows what works, in 80 columns', async () => {
    const { code, out, errors } = await run(['doctor'], ofPage());
    expect([code, errors]).toEqual([0, '']);
    expect(out).toMatch(/^page: a user token, ends \d{4}-/);
    expect(out).toMatch(/^ {2}works {2}publishPost$/m);
    expect(out).toContain('Matters only if you receive webhooks\n  The Page is not subscribed');
    expect(out).toContain('\n  --webhook-fields none leaves this out.\n');
    expect(longest(out)).toBeLessThanOrEqual(80);
  });

  test('says nothing of webhooks with --webhook-fields none', async () => {
    const before = sandbox.requests.length;
    const { code, out } = await run(
      ['doctor', '--functions', 'comments', '--webhook-fields', 'none'],
      ofPage(),
    );
    expect([code, out]).toEqual([0, expect.not.stringMatching(/webhook|subscri|Warnings/)]);
    expect(sandbox.requests.slice(before).map(({ path }) => path)).not.toContainEqual(
      expect.stringMatching(/subscri/),
    );
  });

  test('asks for one login with all permissions, not for one each, and mentions App Review', async () => {
    const token = sandbox.issueToken({ scopes: ['pages_show_list', 'pages_read_engagement'] });
    const { code, out } = await run(
      ['doctor', '--functions', 'publishPost,comments,hideComment'],
      ofPage({ PAGE_TOKEN: token }),
    );
    expect(code).toBe(1);
    expect(out).toContain(`What to do
  Not granted: pages_manage_posts, pages_read_user_content,
    pages_manage_engagement. Send the person through the login once, with all
    permissions listed above among its scopes.
  For people who are not on the app's team, App Review must grant these to the
    app first: npx pagepics scopes tells what each is for.

Matters only if you receive webhooks
  Could not determine whether the Page is subscribed: (#10) This endpoint
    requires the 'pages_manage_metadata' permission. For webhooks, ask for the
    permission that this names, too.
`);
    expect(out.match(/through the login/g)).toHaveLength(1);
    expect(longest(out)).toBeLessThanOrEqual(80);
  });

  test('says once what helps against several faults', async () => {
    const granularScopes = ['pages_manage_posts', 'pages_read_engagement'].map((scope) => ({
      scope,
      target_ids: ['1'],
    }));
    const token = sandbox.issueToken({ granularScopes });
    const { out } = await run(['doctor', '--functions', 'publishPost'], ofPage({ PAGE_TOKEN: token }));
    const words = out.replaceAll(/\s+/g, ' ');
    expect(words.match(/granted pages_\w+, but not/g)).toHaveLength(2);
    expect(words.match(/Send the person/g)).toHaveLength(1);
  });

  test('keeps the other advice for a permission of login mode', async () => {
    const { picsApp } = sandbox;
    const { picsScopePrefix } = server.platform.words;
    const basic = `${picsScopePrefix}business_basic`;
    const { out } = await run(['doctor', '--functions', 'comments,messages'], {
      PICS_APP_ID: picsApp.id,
      PICS_APP_SECRET: picsApp.secret,
      PICS_TOKEN: sandbox.issueToken({ kind: 'pics', scopes: [basic] }),
      PAGEPICS_PLATFORM: platformVariable(server),
    });
    const words = out.replaceAll(/\s+/g, ' ');
    expect(words).toContain(
      `What to do Not granted: ${picsScopePrefix}business_manage_comments, ${picsScopePrefix}business_manage_messages. Send`,
    );
    expect(words).toContain(
      `${picsScopePrefix}business_manage_messages: If it was granted, let the person allow access to messages`,
    );
  });

  test('exits with 1 when something that was asked for fails, and says what to do', async () => {
    const token = sandbox.issueToken({ scopes: ['pages_show_list', 'public_profile'], tasks: ['ANALYZE'] });
    const env = ofPage({ PAGE_TOKEN: token });
    const { code, out } = await run(['doctor', '--functions', 'publishPost,me'], env);
    expect(code).toBe(1);
    expect(out).toMatch(/fails {2}publishPost {2}permission pages_manage_posts, permission/);
    expect(out).toMatch(/task CREATE_CONTENT/);
    const ofTask = await run(['doctor', '--functions', 'comments'], {
      ...env,
      PAGE_TOKEN: sandbox.issueToken({ tasks: ['ANALYZE'] }),
    });
    expect(ofTask.out.replaceAll(/\s+/g, ' ')).toMatch(
      /webhooks Could not determine whether the Page is subscribed: .* MODERATE on the Page\. Let somebody who manages the Page give the person the task that this names\./,
    );
    // A login that asks only for those that are missing may lose the others.
    expect(out).toContain(`Permissions to ask for, granted ones included
  pages_manage_posts
  pages_read_engagement
  pages_show_list
  public_profile

`);
    expect(out).toMatch(/What to do\n {2}Not granted: pages_manage_posts, /);
    expect(longest(out)).toBeLessThanOrEqual(80);

    expect((await run(['doctor', '--functions=me'], env)).code).toBe(0);
  });

  test('exits with 2 when it could not find out for one, but with 1 when another one fails', async () => {
    const env = ofPage({ PAGE_TOKEN: sandbox.pages[0]?.token ?? '' });
    const exits = async (functions: string): Promise<number> =>
      (await run(['doctor', '--functions', functions], env)).code;
    expect(await exits('pageProfile,publishPost')).toBe(2);
    expect(await exits('pageProfile,publishPost,me')).toBe(1);
    expect(await exits('pageProfile')).toBe(0);
  });

  test('names unknown functions as they were written, and what could be meant', async () => {
    const asked = (...args: readonly string[]): Promise<Run> => run(args, ofPage());
    expect(await asked('doctor', '--functions', `me,publishPots,coments,Posts,fly,${pasted}`)).toEqual({
      code: 2,
      out: '',
      errors: `page has no function publishPots. Did you mean publishPost?
page has no function coments. Did you mean comments?
page has no function Posts. Did you mean posts?
page has no function fly.
page has no function (26 characters).
${allNames}
`,
    });
    const other = await asked('doctor', '--client', 'pics-pages', '--functions', 'refreshToken,stories');
    expect([other.code, other.errors]).toEqual([1, '']);
    expect((await asked('scopes', 'publishhPost')).errors).toBe(
      'page has no function publishhPost. Did you mean publishPost?\n',
    );
  });

  test('prints the report as JSON', async () => {
    const { code, out } = await run(
      ['doctor', '--json', '--functions', 'me', '--webhook-fields', 'feed'],
      ofPage(),
    );
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      works: true,
      functions: { me: { works: true, reasons: [] } },
      token: { type: 'USER' },
      warnings: [{ code: 'subscription' }, { code: 'subscription' }],
    });
  });

  test.each([['--json'], []])(
    'shows neither the token nor the secret that the platform quotes (%s)',
    async (...args) => {
      const [token, secret] = ['EAAO"quoted\\token', 'quoted"secret\\'];
      const quoted = [token, secret]
        .flatMap((one) => [one, JSON.stringify(one), encodeURIComponent(one)])
        .join(' ');
      const data = {
        type: 'PAGE',
        is_valid: true,
        app_id: '1',
        profile_id: '42',
        scopes: [quoted],
        user_id: quoted,
      };
      vi.stubGlobal('fetch', async () => Response.json({ data, id: '42', name: quoted }));
      const lines: string[] = [];
      const write = (line: string) => void lines.push(line);
      const env = ofPage({ PAGE_APP_SECRET: secret, PAGE_TOKEN: token, PAGE_ID: '42' });

      await runHere(['doctor', ...args], {
        env,
        write,
        writeError: write,
        readInput: async () => '',
        hasColours: false,
      });
      vi.unstubAllGlobals();

      expect(lines.length).toBeGreaterThan(0);
      expect(lines.join('\n')).not.toMatch(/quoted/);
    },
  );

  test('takes a token from standard input, and the Page from --page', async () => {
    const { PAGE_TOKEN: token = '', PAGE_ID: page = '', ...env } = ofPage();
    const { code, out } = await run(['doctor', '--functions', 'posts', '--page', page], env, `${token}\n`);
    expect([code, out.includes('works  posts')]).toEqual([0, true]);
  });

  test('checks page mode for an account with a Page token, and login mode for its own', async () => {
    const [first] = sandbox.pages;
    const viaPages = ofPage({ PAGE_TOKEN: first?.token ?? '' });
    const named = await run(['doctor', '--account', sandbox.account.userId], viaPages);
    // No call shows the feature that hashtags need.
    expect([named.code, named.out.startsWith('pics-pages: a page token')]).toEqual([2, true]);
    const [title = ''] = named.out.split('\n');
    expect((await run(['doctor'], { ...viaPages, PICS_USER_ID: sandbox.account.userId })).out).toBe(
      named.out.replace(title, `${title}\n${chosen}`),
    );

    const { picsApp, account } = sandbox;
    const own = {
      PICS_APP_ID: picsApp.id,
      PICS_APP_SECRET: picsApp.secret,
      PAGEPICS_PLATFORM: platformVariable(server),
    };
    const login = await run(['doctor'], { ...own, PICS_TOKEN: account.token });
    expect([login.code, login.out.startsWith('pics-login: a login-mode token')]).toEqual([2, true]);
    expect(login.out).toMatch(/^ {2}\? {6}refreshToken {2}/m);
    expect((await run(['doctor', '--functions', 'media'], own, account.token)).code).toBe(0);
  });

  test('takes the client that --page or the functions name, before PICS_USER_ID', async () => {
    const [first] = sandbox.pages;
    const env = ofPage({ PAGE_TOKEN: first?.token ?? '', PICS_USER_ID: sandbox.account.userId });
    const client = async (...args: readonly string[]): Promise<string | undefined> =>
      (await run(['doctor', ...args], env)).out.split(':')[0];
    const page = ['--page', first?.id ?? ''];
    expect(await client(...page, '--functions', 'publishPost,comments')).toBe('page');
    expect(await client(...page, '--functions', 'comments')).toBe('page');
    expect(await client('--functions', 'publishPost,comments')).toBe('page');
    expect(await client('--functions', 'comments')).toBe('pics-pages');
    expect(await client(...page, '--functions', 'publishCarousel')).toBe('pics-pages');
    const account = ['--account', sandbox.account.userId];
    expect(await client(...page, ...account, '--functions', 'comments')).toBe('pics-pages');
    expect((await run(['doctor', ...account, '--functions', 'publishPost'], env)).errors).toBe(
      'pics-pages has no function publishPost: choose --client page.\n',
    );
  });

  test('says which variable chose the client that lacks a function', async () => {
    const viaPages = await run(
      ['doctor', '--functions', 'publishPots'],
      ofPage({ PICS_USER_ID: sandbox.account.userId }),
    );
    expect([viaPages.code, viaPages.errors]).toEqual([
      2,
      `pics-pages has no function publishPots.\n${allNames}\n${chosen}\n`,
    ]);
    const login = await run(['doctor', '--functions', 'publishPost'], {
      PICS_APP_ID: sandbox.picsApp.id,
      PICS_APP_SECRET: sandbox.picsApp.secret,
      PICS_TOKEN: sandbox.account.token,
    });
    expect(login.errors).toBe(
      'pics-login has no function publishPost: choose --client page.\nPICS_TOKEN chose pics-login; --client page chooses otherwise.\n',
    );
  });

  test('says which variable chose the client for functions that Pages and accounts have', async () => {
    const [first] = sandbox.pages;
    const env = ofPage({ PAGE_TOKEN: first?.token ?? '', PICS_USER_ID: sandbox.account.userId });
    const out = async (...args: readonly string[]): Promise<string> =>
      (await run(['doctor', '--functions', ...args], env)).out;
    expect(await out('comments')).toContain(chosen);
    expect(await out('publishCarousel')).not.toContain(chosen);
    expect(await out('comments', '--client', 'pics-pages')).not.toContain(chosen);
    expect(await out('comments', '--page', first?.id ?? '')).not.toContain(chosen);
  });

  test('prints the command that checks the same with the user token, on one line', async () => {
    const [first] = sandbox.pages;
    const { PAGE_ID: _, ...env } = ofPage({ PAGE_TOKEN: first?.token ?? '' });
    const functions = ['publishPost', 'publishPhoto', 'publishReel', 'comments'].join(',');
    const command = `  PAGE_TOKEN=$USER_TOKEN npx pagepics doctor --page ${first?.id} --client page`;
    const lines = async (...args: readonly string[]): Promise<readonly string[]> =>
      (await run(['doctor', ...args], env)).out.split('\n');
    // The Page is the token's own.
    expect(await lines('--functions', functions)).toContain(`${command} --functions ${functions}`);
    expect(await lines()).toContain(command);
    expect((await lines('--functions', 'pageProfile')).join()).not.toContain('PAGE_TOKEN=');
    const ofUser = await run(['doctor', '--functions', functions], {
      ...env,
      PAGE_TOKEN: sandbox.user.token,
    });
    expect([ofUser.code, ofUser.out]).toEqual([2, expect.not.stringContaining('PAGE_TOKEN=')]);
  });

  test('says that a token is one for another client, by how it begins', async () => {
    const { account, picsApp, pages } = sandbox;
    const onPage = await run(['doctor', '--functions', 'posts'], ofPage({ PAGE_TOKEN: account.token }));
    expect(onPage.code).toBe(1);
    expect(onPage.out).toContain('page: a token for another client\n');
    expect(onPage.out).toContain(`What to do
  The token begins like one of an account's own login. Give it in PICS_TOKEN,
    with --client pics-login.
`);
    const own = {
      PICS_APP_ID: picsApp.id,
      PICS_APP_SECRET: picsApp.secret,
      PICS_TOKEN: pages[0]?.token ?? '',
    };
    const onLogin = await run(['doctor', '--functions', 'media', '--json'], {
      ...own,
      PAGEPICS_PLATFORM: platformVariable(server),
    });
    expect(JSON.parse(onLogin.out)).toMatchObject({
      functions: {
        media: {
          reasons: [
            {
              code: 'token',
              message: 'The token begins like one of a Page or a person.',
              fix: 'Give it in PAGE_TOKEN, with --client page or pics-pages.',
            },
          ],
        },
      },
    });
    const dead = sandbox.issueToken();
    sandbox.killToken(dead, 'password');
    const { out } = await run(['doctor', '--functions', 'posts'], ofPage({ PAGE_TOKEN: dead }));
    expect(out).toContain('The token is not valid: the person changed the password.');
  });

  test.each<[string, readonly string[], Readonly<Record<string, string>>, RegExp]>([
    [
      'no token',
      ['doctor'],
      { PAGE_TOKEN: '' },
      /There is no token: set PAGE_TOKEN.* A \.env file is not read: set -a; \. \.\/\.env; set \+a /,
    ],
    ['no app', ['doctor'], { PAGE_APP_ID: '' }, /PAGE_APP_ID is not set.* A \.env file is not read/],
    [
      'an unknown function',
      ['doctor', '--functions', 'fly'],
      {},
      /^page has no function fly\.\n.*functions\.md/,
    ],
    ['an unknown option', ['doctor', '--fast'], {}, /Unknown argument: --fast/],
    ['a token among the arguments', ['doctor', pasted], {}, /^Unknown argument: \(26 characters\)\n/],
    ['a token for an option', ['doctor', `--token=${pasted}`], {}, /^Unknown argument: --token\n/],
    [
      'a name for a Page',
      ['doctor', '--page', 'bakery'],
      {},
      /^--page must be the id of a Page: a number, not a name/,
    ],
    [
      'a token for a Page',
      ['doctor'],
      { PAGE_ID: pasted },
      /^PAGE_ID must be the id of a Page: a number, not a name/,
    ],
    [
      'a name for an account',
      ['doctor', '--account', 'x'],
      {},
      /^--account must be the id of an account: a number/,
    ],
    ['an option without a value', ['doctor', '--page', '--json'], {}, /--page needs a value/],
    ['another secret', ['doctor'], { PAGE_APP_SECRET: 'x'.repeat(32) }, /./],
  ])('exits with 2 for %s', async (_, args, more, message) => {
    const { code, out, errors } = await run(args, ofPage(more));
    expect([code, out]).toEqual([2, '']);
    expect(errors).toMatch(message);
  });
});

describe('pagepics scopes', () => {
  test('prints what to ask for, and what each is for', async () => {
    const { code, out } = await run(['scopes', 'publishPost', 'comments']);
    expect(code).toBe(0);
    expect(out).toBe(`To ask for in the login
  pages_manage_posts
  pages_read_engagement
  pages_read_user_content
  pages_show_list
For App Review
  pages_manage_posts: publishPost
  pages_read_engagement: publishPost, comments
  pages_read_user_content: comments
  pages_show_list: publishPost, comments
`);
  });

  test('prints JSON, and knows the other clients', async () => {
    const { out } = await run(['scopes', 'publish,comments', '--client', 'pics-login', '--json']);
    const { picsScopePrefix } = server.platform.words;
    expect(JSON.parse(out)).toEqual(
      ['basic', 'content_publish', 'manage_comments'].map((name) => `${picsScopePrefix}business_${name}`),
    );
  });

  test('exits with 2 for what it does not know', async () => {
    expect(await run(['scopes', 'fly'])).toMatchObject({
      code: 2,
      errors: `page has no function fly.\n${allNames}\n`,
    });
    expect(await run(['scopes', 'publishCarousel', 'refreshToken'])).toMatchObject({
      code: 2,
      errors: `page has no function publishCarousel: choose --client pics-login or pics-pages.
page has no function refreshToken: choose --client pics-login.
`,
    });
    expect(await run(['scopes', 'fly', pasted])).toMatchObject({
      errors: `page has no function fly.\npage has no function (26 characters).\n${allNames}\n`,
    });
    expect(await run(['scopes', 'publish'])).toMatchObject({
      errors:
        'page has no function publish. Did you mean publishPost? Or choose --client pics-login or pics-pages.\n',
    });
    expect(await run(['scopes', 'publish', '--client', 'x'])).toMatchObject({ code: 2 });
    expect(await run(['scopes'])).toMatchObject({ code: 2 });
    expect(await run(['scopes', '--help'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Usage: pagepics[\s\S]*docs\/functions\.md/),
    });
  });
});
