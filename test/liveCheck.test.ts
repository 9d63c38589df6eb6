import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { afterAll, describe, expect, test } from 'vitest';

import { livePlatform } from '../src/core/index.ts';
import { createSandbox, serveSandbox } from '../src/sandbox/index.ts';
import { listen } from './support/server.ts';

const folder = await mkdtemp(join(tmpdir(), 'pagepics-'));
afterAll(() => rm(folder, { recursive: true }));

/** Runs the example in a folder of its own, and returns its report and all else that it says. */
async function check(name: string, env: NodeJS.ProcessEnv, ...args: readonly string[]) {
  const cwd = await mkdtemp(join(folder, name));
  const child = spawn(process.execPath, [resolve('examples/live-check.ts'), ...args], {
    cwd,
    env: { PATH: process.env['PATH'], ...env },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => (said += text.toString()));
  const code = await new Promise<number | null>((done) => void child.on('close', done));
  return { code, said, report: await readFile(join(cwd, 'live-check.md'), 'utf8') };
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
    expect(report).toMatch(/Shapes that the models do not have:\n\nnone\n$/);
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

    expect(code).toBe(0);
    expect(pieces(report + said, secrets)).toEqual([]);
    expect(pieces(report.toLowerCase(), [token.toLowerCase()])).toEqual([]);
    expect(report).toMatch(/odd_field: string/);
    expect(report).toMatch(/(?:ApiError|PermissionError), category \w+/);
  });

  test('says what the environment lacks', async () => {
    const { code, report } = await check('empty', {});

    expect(code).toBe(0);
    expect(report).toMatch(/\| Page \| left out: PAGE_ID and PAGE_TOKEN are not set \|/);
  });
});
