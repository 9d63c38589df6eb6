import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { afterAll, describe, expect, test } from 'vitest';

import { livePlatform } from '../src/core/index.ts';
import { createSandbox, serveSandbox } from '../src/sandbox/index.ts';
import { bareEnvironment } from './support/machine.ts';
import { listen } from './support/server.ts';

const folder = await mkdtemp(join(tmpdir(), 'pagepics-'));
afterAll(() => rm(folder, { recursive: true }));

/** Runs the example in a folder of its own, and returns its report and all else that it says. */
async function check(name: string, env: NodeJS.ProcessEnv, ...args: readonly string[]) {
  const cwd = await mkdtemp(join(folder, name));
  await writeFile(join(cwd, 'live-check.md'), 'of an earlier run');
  const child = spawn(process.execPath, [resolve('examples/live-check.ts'), ...args], {
    cwd,
    env: { ...bareEnvironment, ...env },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => (said += text.toString()));
  const code = await new Promise<number | null>((done) => void child.on('close', done));
  return { code, said, report: await readFile(join(cwd, 'live-check.md'), 'utf8').catch(() => '') };
}

function settings() {
  const sandbox = createSandbox({ strict: true });
  const { app, picsApp, user, account, pages } = sandbox;
  const env = {
    PAGE_APP_ID: app.id,
    PAGE_APP_SECRET: app.secret,
    PICS_APP_ID: picsApp.id,
    PICS_APP_SECRET: picsApp.secret,
    USER_TOKEN: user.token,
    PAGE_ID: pages[0]?.id,
    PAGE_TOKEN: pages[0]?.token,
    PICS_USER_ID: account.userId,
    PICS_TOKEN: account.token,
  };
  const secrets = [app.secret, picsApp.secret, account.token, user.token, ...pages.map(({ token }) => token)];
  return { sandbox, env, secrets };
}

/** Pieces of secrets, of ten characters, that a text holds. */
function pieces(text: string, secrets: readonly string[]): readonly string[] {
  return secrets.flatMap((secret) =>
    Array.from({ length: secret.length - 9 }, (_, at) => secret.slice(at, at + 10)).filter((piece) =>
      text.includes(piece),
    ),
  );
}

describe.concurrent('the check of the live platform', () => {
  test('only reads, finds all well on the sandbox, and tells nothing of anybody', async () => {
    const { sandbox, env, secrets } = settings();
    const server = await serveSandbox(sandbox);

    const { code, said, report } = await check('reads', {
      ...env,
      PAGEPICS_PLATFORM: JSON.stringify(server.platform),
    });
    await server.close();

    expect(code).toBe(0);
    expect(sandbox.effects()).toEqual([]);
    expect(new Set(sandbox.requests.map(({ method }) => method))).toEqual(new Set(['GET']));
    const rows = report.split('\n').filter((line) => line.startsWith('| '));
    expect(rows.length).toBeGreaterThan(40);
    expect(rows.slice(1).filter((row) => !row.includes('| ok |'))).toEqual([]);
    expect(report).toMatch(
      /^pagepics \d+\.\d+\.\d+, Node v\d+\S+, \w+; another platform, served by v26\.0$/m,
    );
    expect(report).toMatch(/\(the other models pass on all that comes\):\n\nnone\n$/);
    // A request that the call can do without, and the others cannot.
    expect(report).toMatch(/^\| conversations \| ok \|.* 403 \(optional\);.* 200 \|/m);
    expect(report.match(/^.*optional.*$/gm)).toEqual(
      Array(2).fill(expect.stringContaining('| conversations')),
    );
    expect(pieces(report + said, secrets)).toEqual([]);
    expect(report).not.toMatch(/\d{9}|Harbour|Mara|News no|@/);
  });

  test('with --publish makes one unpublished post, and deletes it', async () => {
    const { sandbox, env } = settings();
    const server = await serveSandbox(sandbox);

    const platform = JSON.stringify(server.platform);
    const { report } = await check('publishes', { ...env, PAGEPICS_PLATFORM: platform }, '--publish');
    await server.close();

    const [post, ...rest] = sandbox.effects();
    expect(post).toMatchObject({ kind: 'post', content: { published: false } });
    expect(rest.map(({ kind, id }) => [kind, id])).toEqual([['delete', post?.id]]);
    expect(report).toMatch(/\| publishPost, a draft \| ok \|.*\n\| deletePost \| ok \|/);
  });

  test('names errors and odd shapes, and none of the secrets that a platform puts everywhere', async () => {
    const { env, secrets } = settings();
    const [secret = '', , , , token = ''] = secrets;
    let turn = 0;
    const hostile = {
      id: '17',
      [token]: secret,
      [token.toLowerCase().slice(0, 30)]: { [secret]: token },
      message: { [secret]: 1 },
      access_token: token,
      name: [token, secret],
      data: [{ id: '1_2', [secret]: [token], message: [secret], odd_field: token, code: token }],
      error: { code: token, error_subcode: secret, message: `${token} ${secret}`, type: token },
    };
    const server = createServer((request, response) => {
      request.resume();
      const status = [200, 400, 200, 500, 403][turn++ % 5] ?? 200;
      const { error, ...rest } = hostile;
      // A header takes no other version than one of this form, but who knows.
      response.writeHead(status, { 'content-type': 'application/json', 'facebook-api-version': token });
      response.end(JSON.stringify(status === 200 ? rest : { error: { ...error, [secret]: token } }));
    });
    const { origin, close } = await listen(server);
    const addresses = { graphUrl: origin, picsGraphUrl: origin, uploadUrl: origin };
    const platform = JSON.stringify({ ...livePlatform, ...addresses });

    const { code, said, report } = await check(
      'hostile',
      { ...env, PAGEPICS_PLATFORM: platform },
      '--publish',
    );
    await close();

    expect(code).toBe(1);
    expect(pieces(report + said, secrets)).toEqual([]);
    expect(pieces(report.toLowerCase(), [token.toLowerCase()])).toEqual([]);
    expect(report).toMatch(/odd_field: string/);
    expect(report).toMatch(/(?:ApiError|PermissionError), category \w+/);
  });

  test.each<[string, NodeJS.ProcessEnv, RegExp]>([
    ['without variables', {}, /^Page +left out: without PAGE_APP_ID, PAGE_APP_SECRET, PAGE_ID, PAGE_TOKEN\n/],
    [
      'without an app',
      { PAGE_ID: '1', PAGE_TOKEN: 'token' },
      /^Page +left out: without PAGE_APP_ID, PAGE_APP_SECRET\n/,
    ],
    [
      'with a wrong platform',
      { PAGE_APP_ID: '1', PAGE_APP_SECRET: 's', PAGE_ID: '1', PAGE_TOKEN: 'token', PAGEPICS_PLATFORM: 'x' },
      /^Page +left out: PAGEPICS_PLATFORM /,
    ],
  ])('%s, it says why there is no report, and fails', async (_, env, message) => {
    const { code, said, report } = await check('empty', env);

    expect([code, report]).toEqual([1, '']);
    expect(said).toMatch(message);
    expect(said).toMatch(/\n\nNothing was checked, and no report was written\.\n$/);
  });

  test('checks login mode alone; the rest is in the report', async () => {
    const { sandbox, env } = settings();
    const server = await serveSandbox(sandbox);
    const { PICS_TOKEN, PICS_APP_ID, PICS_APP_SECRET } = env;
    const own = { PICS_TOKEN, PICS_APP_ID, PICS_APP_SECRET };

    const { code, report } = await check('login', {
      ...own,
      PAGEPICS_PLATFORM: JSON.stringify(server.platform),
    });
    await server.close();

    expect(code).toBe(0);
    expect(report).toMatch(
      /^\| Page \| left out: without PAGE_APP_ID, .*\n\| account, page mode \| left out: /m,
    );
    expect(report).toMatch(/^\| profile, login mode \| ok \|/m);
  });

  test.each(['harbourcafe', 'HarbourCafe', '12345678', '123'])(
    'fails with a Page %s that there is none of, and does not name it',
    async (pageId) => {
      const { sandbox, env } = settings();
      const server = await serveSandbox(sandbox);

      const { code, report } = await check('page', {
        ...env,
        PAGE_ID: pageId,
        PAGEPICS_PLATFORM: JSON.stringify(server.platform),
      });
      await server.close();

      expect(code).toBe(1);
      expect(report).toMatch(/^\| posts \| ApiError, .* GET \/graph\/v26\.0\/<id>\/published_posts 400/m);
      expect(report).toMatch(/^\| me \| ok \|/m);
      // The last column is how long a call took, which may be any number.
      expect(report.replaceAll(/\| \d+ \|$/gm, '')).not.toMatch(new RegExp(`\\b${pageId}\\b`, 'i'));
    },
  );

  test('fails where no request is answered, in calls too that do without some', async () => {
    const { sandbox, env } = settings();
    const server = await serveSandbox(sandbox);
    await server.close();
    const { PICS_TOKEN } = env;

    const { code, report } = await check('down', {
      PICS_TOKEN,
      PAGEPICS_PLATFORM: JSON.stringify(server.platform),
    });

    expect(code).toBe(1);
    expect(report).toMatch(/^\| demographics, login mode \| no request was answered \|/m);
    expect(report).not.toContain('| ok |');
  });

  test('with --publish says that a draft may be left, if the response is lost or it is not deleted', async () => {
    const { sandbox, env } = settings();
    const server = await serveSandbox(sandbox);
    const all = { ...env, PAGEPICS_PLATFORM: JSON.stringify(server.platform) };

    const mend = sandbox.fault({ method: 'POST', path: /feed$/, when: 'after', drop: true, times: 9 });
    const lost = await check('lost', all, '--publish');
    mend();
    sandbox.fault({ method: 'DELETE', status: 400, times: 9 });
    const kept = await check('kept', all, '--publish');
    await server.close();

    expect(lost.code).toBe(1);
    expect(lost.report).toMatch(
      /outcome unknown.*\n[^]*\n\nThe response to publishPost was lost: a draft may be left on the Page\.\n\n/,
    );
    expect(kept.code).toBe(1);
    expect(kept.report).toContain('\n\nThe draft may be left on the Page: it was not deleted.\n\n');
    expect(kept.said).toContain(`Its id is ${sandbox.effects('post').at(-1)?.id}.`);
  });

  test('names fields that the models lack, where they do not pass on all that comes', async () => {
    const { sandbox, env } = settings();
    const server = await serveSandbox(sandbox);
    const answer = async ({ url = '', headers: { authorization = '' } }: IncomingMessage) => {
      const sent = await fetch(new URL(url, server.url), { headers: { authorization } });
      return {
        status: sent.status,
        text: (await sent.text()).replaceAll('"id":', '"odd_field":"Jane","id":'),
      };
    };
    const front = createServer((request, response) => {
      void answer(request).then(({ status, text }) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(text),
      );
    });
    const { origin, close } = await listen(front);
    const moved = JSON.stringify(server.platform).replaceAll(new URL(server.url).origin, origin);

    const { report } = await check('odd', { ...env, PAGEPICS_PLATFORM: moved });
    await close();
    await server.close();

    const found = [...report.matchAll(/^- (\S+)\.odd_field: string$/gm)].map(([, place]) => place);
    expect(found).toEqual([
      'me',
      'pages[]',
      'pageDetails',
      'pageProfile',
      'leadForms[]',
      'leads[]',
      'profile',
    ]);
    expect(report).not.toContain('Jane');
  });
});
