import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, describe, expect, test } from 'vitest';

import type { Platform } from '../src/core/index.ts';
import { createPageClient } from '../src/index.ts';
import {
  createSandbox,
  type EffectKind,
  type Sandbox,
  type SandboxOptions,
  serveSandbox,
} from '../src/sandbox/index.ts';
import { startUploadServer } from './page/support/uploadServer.ts';
import { bareEnvironment } from './support/machine.ts';

/** The command `pagepics example` has no types. */
const commands: string = '../bin/examples.js';
const { busySandbox, environmentOf } = (await import(commands)) as {
  readonly busySandbox: (options?: SandboxOptions) => Sandbox;
  readonly environmentOf: (sandbox: Sandbox, platform: Platform) => Readonly<Record<string, string>>;
};

interface Run {
  readonly code: number | null;
  readonly lines: readonly string[];
  readonly errors: string;
}

/** Runs an example with the app and the tokens of a sandbox in its environment, as a user runs it with their own. */
async function run(sandbox: Sandbox, name: string, ...args: readonly string[]): Promise<Run> {
  const server = await serveSandbox(sandbox);
  const ended = await runWith(environmentOf(sandbox, server.platform), name, args);
  await server.close();
  return ended;
}

async function runWith(env: NodeJS.ProcessEnv, name: string, args: readonly string[]): Promise<Run> {
  const child = spawn(process.execPath, [`examples/${name}.ts`, ...args], {
    env: { ...bareEnvironment, ...env },
  });
  let output = '';
  let errors = '';
  child.stdout.on('data', (text: Buffer) => (output += text.toString()));
  child.stderr.on('data', (text: Buffer) => (errors += text.toString()));
  const code = await new Promise<number | null>((resolve) => void child.on('close', resolve));
  return { code, lines: output.trimEnd().split('\n'), errors };
}

/** Starts an example that runs until it is stopped. */
function runUntilStopped(env: NodeJS.ProcessEnv, name: string, args: readonly string[]) {
  const child = spawn(process.execPath, [`examples/${name}.ts`, ...args], {
    env: { ...bareEnvironment, ...env },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => (output += text.toString()));
  return {
    output: () => output,
    async [Symbol.asyncDispose]() {
      child.kill();
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}

const well = { code: 0, errors: '' };

function contents(sandbox: Sandbox, kind: EffectKind, name: string): readonly unknown[] {
  return sandbox.effects(kind).map(({ content }) => content[name]);
}

const folder = await mkdtemp(join(tmpdir(), 'pagepics-'));
afterAll(() => rm(folder, { recursive: true }));

describe.concurrent('how to', () => {
  test('add a first comment: one under each post', async () => {
    const sandbox = busySandbox();
    const server = await serveSandbox(sandbox);
    const env = environmentOf(sandbox, server.platform);
    const again = () => runWith(env, 'first-comment', ['winter-menu', join(folder, 'first-comment.db')]);
    const refused = sandbox.fault({
      method: 'POST',
      path: /comments$/,
      error: { code: 368, message: 'Later.' },
    });
    const failed = await again();
    refused();
    expect(failed).toMatchObject({ code: 1, errors: expect.stringContaining('Later.') });

    const { lines, ...rest } = await again();

    expect(rest).toEqual(well);
    expect((await again()).lines).toEqual(lines);
    await server.close();
    const [post, media] = [...sandbox.effects('post'), ...sandbox.effects('media')].map(({ id }) => id);
    expect(sandbox.effects('comment').map(({ parentId }) => parentId)).toEqual([post, media]);
  });

  test('never post twice: two processes at once and one afterwards, one post', async () => {
    const sandbox = busySandbox();
    const server = await serveSandbox(sandbox);
    const env = environmentOf(sandbox, server.platform);
    const args = ['autumn-menu', join(folder, 'journal.db')];

    const atOnce = await Promise.all([1, 2].map(() => runWith(env, 'post-once', args)));
    const afterwards = await runWith(env, 'post-once', args);
    await server.close();

    const [post] = sandbox.effects('post');
    for (const { code, lines } of [...atOnce, afterwards])
      expect({ code, lines }).toEqual({ code: 0, lines: [`published: ${post?.id}`] });
    expect(sandbox.effects('post')).toHaveLength(1);
  });

  test('publish a carousel with alt texts: each text is on its picture', async () => {
    const sandbox = busySandbox();

    const { lines, ...rest } = await run(sandbox, 'carousel-with-alt-texts');

    expect(rest).toEqual(well);
    const texts = contents(sandbox, 'photo', 'altText');
    expect(texts).toHaveLength(3);
    // The account tells them as well, in their order.
    expect(lines.slice(1, 4)).toEqual([
      expect.stringContaining('Ada behind the counter'),
      expect.stringContaining('The new window'),
      expect.stringContaining('A carrot cake'),
    ]);
    const items = sandbox.effects('container').filter(({ content }) => content['carouselItem']);
    // Photos and items are created side by side, so they arrive in any order.
    expect(new Set(items.map(({ content }) => content['altText']))).toEqual(new Set(texts));
    expect(contents(sandbox, 'media', 'type')).toEqual(['CAROUSEL']);
    expect(sandbox.effects('post')).toHaveLength(1);
  });

  test('publish a story: two on the Page, two on the account', async () => {
    const sandbox = busySandbox();

    const { lines, ...rest } = await run(sandbox, 'story');

    expect(rest).toEqual(well);
    expect(lines.at(-1)).toBe('There are 2 stories on the Page, and 2 on the account.');
  });

  test('find out why a video is refused: what its bytes are, not its name', async () => {
    const { lines, ...rest } = await runWith({}, 'why-refused', []);

    expect(rest).toEqual(well);
    expect(lines[0]).toBe('refused  format: gif, where mp4 or mov is taken (352/2207026)');
    expect(lines.slice(-2)).toEqual(['gif, 13 bytes', 'The platform refuses it.']);
    const { errors } = await runWith({}, 'why-refused', ['./nosuch.mp4']);
    expect(errors).toContain('ConfigurationError');
  });

  test('schedule a post: one is moved, one is cancelled, one is published now', async () => {
    const sandbox = busySandbox();

    const { lines, ...rest } = await run(sandbox, 'schedule-a-post');

    expect(rest).toEqual(well);
    const [brunch, music, closed] = sandbox.effects('post').map(({ id }) => id);
    expect(lines).toEqual([
      expect.stringMatching(new RegExp(`^waiting +${brunch}: Brunch from eleven, 2\\d{3}-`)),
      `published  ${music}: Live music tonight`,
    ]);
    expect(sandbox.effects('delete').map(({ id }) => id)).toEqual([closed]);
  });

  test('schedule many posts: one waits for a limit, the others go on; run again, each is scheduled once', async () => {
    const sandbox = busySandbox();
    const server = await serveSandbox(sandbox);
    const env = environmentOf(sandbox, server.platform);
    const args = [join(folder, 'schedule-many.db')];
    // Longer than the client itself waits, so that `untilSettled` does.
    sandbox.fault({ method: 'POST', path: '/feed', status: 429, headers: { 'Retry-After': '90' } });

    const linesOf = (output: string) => output.trimEnd().split('\n');
    const first = runUntilStopped(env, 'schedule-many', args);
    await expect.poll(() => linesOf(first.output())).toHaveLength(2);
    expect(sandbox.effects('post')).toHaveLength(2);
    await first[Symbol.asyncDispose]();
    const { lines, ...rest } = await runWith(env, 'schedule-many', args);
    await server.close();

    expect(rest).toEqual(well);
    expect(lines).toHaveLength(3);
    expect(lines).toEqual(expect.arrayContaining(linesOf(first.output())));
    const messages = contents(sandbox, 'post', 'message');
    expect(messages).toHaveLength(3);
    expect(new Set(messages)).toEqual(new Set(['Brunch from ten', 'Closed on Monday', 'Live music tonight']));
    const [, at = ''] = /^row-1: \S+, (.*)$/m.exec(lines.join('\n')) ?? [];
    expect(new Date(at).toLocaleTimeString('sv-SE', { timeZone: 'Europe/Berlin' })).toBe('09:00:00');
  });

  test('publish a Reel with a progress bar: of your file, once on each', async () => {
    const sandbox = busySandbox();
    const file = join(folder, 'reel.mp4');
    await writeFile(file, Buffer.concat([Buffer.from('\0\0\0\x18ftypisom'), Buffer.alloc(3_000_000, 7)]));

    const { lines, ...rest } = await run(sandbox, 'reel-with-progress', file);

    expect(rest).toEqual(well);
    expect(lines).toContain('....................   0 % start ');
    expect(lines.filter((line) => line === `${'#'.repeat(20)} 100 % upload`)).toHaveLength(2);
    expect(sandbox.effects('media')).toHaveLength(1);
    const [, id = ''] = /video (\d+), post \d+_\d+/.exec(lines.join('\n')) ?? [];
    expect(sandbox.upload(id)?.bytes).toBe(3_000_012);
  });

  test('publish a Reel with a progress bar: 40 MB on a slow line move it more than eight times', async () => {
    const server = await startUploadServer([{ bytesPerMs: 10_000 }]);
    const { origin } = server;
    const sandbox = busySandbox();
    const platform = { ...sandbox.platform, graphUrl: origin, uploadUrl: origin };
    const file = join(folder, 'large.mp4');
    await writeFile(file, Buffer.alloc(40_000_000, 1));

    const { lines, ...rest } = await runWith(environmentOf(sandbox, platform), 'reel-with-progress', [file]);
    await server.close();

    expect(rest).toEqual(well);
    const ofPage = lines.slice(
      0,
      lines.findIndex((line) => line.startsWith('Page: ')),
    );
    const percents = ofPage.flatMap((line) => / (\d+) % upload/.exec(line)?.[1] ?? []);
    expect(percents.length).toBeGreaterThan(8);
    expect(percents.at(0)).toBe('0');
    expect(percents.at(-1)).toBe('100');
  });

  test('moderate comments: spam is hidden, also among the replies, and nothing else', async () => {
    const sandbox = busySandbox();

    const { lines, ...rest } = await run(sandbox, 'moderate-comments');

    expect(rest).toEqual(well);
    const hidden = [...sandbox.effects('comment_hide'), ...sandbox.effects('hide')].map(({ id }) => id);
    expect(lines.map((line) => line.split(' ').at(-1))).toEqual(hidden);
    expect(hidden).toHaveLength(4);
    // What is hidden is not hidden again.
    expect((await run(sandbox, 'moderate-comments')).lines).toEqual(['']);
  });

  test('moderate comments: a post that the platform cannot deliver is counted, and the others are looked at', async () => {
    const sandbox = busySandbox();
    sandbox.tune({ lists: { undeliverable: [sandbox.pages[0]?.postIds[1] ?? ''] } });

    const { code, lines, errors } = await run(sandbox, 'moderate-comments');

    expect(code).toBe(1);
    expect(errors).toBe('1 of the newest cannot be read, nor their comments\n');
    expect(lines).toHaveLength(4);
  });

  test('moderate comments: spam that cannot be hidden is named, and not tried', async () => {
    const sandbox = busySandbox();
    const [page] = sandbox.pages;
    const [on = ''] = page?.postIds ?? [];
    const { id: appId, secret: appSecret } = sandbox.app;
    const client = createPageClient({ appId, appSecret, platform: sandbox.platform, fetch: sandbox.fetch });
    const spam = { objectId: on, pageToken: page?.token ?? '', message: 'Cheap watches here' };
    const { id: own } = await client.publishComment(spam);

    const { lines, ...rest } = await run(sandbox, 'moderate-comments');

    expect(rest).toEqual({ code: 0, errors: `Page: cannot hide ${own}\n` });
    expect(lines).toHaveLength(4);
    expect(sandbox.requests.filter(({ method, path }) => method === 'POST' && path.includes(own))).toEqual(
      [],
    );
  });

  test('moderate comments: one that the platform refuses to hide does not end the run', async () => {
    const sandbox = busySandbox();
    const refused = sandbox.fault({
      method: 'POST',
      path: /\/\d+_\d+$/,
      error: {
        code: 100,
        error_subcode: 33,
        message: 'There is no such object.',
        type: 'GraphMethodException',
      },
    });

    const { code, lines, errors } = await run(sandbox, 'moderate-comments');
    refused();

    expect(code).toBe(1);
    expect(errors).toContain('There is no such object.');
    expect(lines).toHaveLength(3);
  });

  test('moderate comments: a token that may not hide any ends the run at the first one', async () => {
    const sandbox = busySandbox();
    const tasks = ['CREATE_CONTENT', 'MESSAGING', 'ADVERTISE', 'ANALYZE'];
    const [page] = sandbox.pages;
    const token = sandbox.issueToken({ pageId: page?.id ?? '', tasks });
    const server = await serveSandbox(sandbox);
    const env = { ...environmentOf(sandbox, server.platform), PAGE_TOKEN: token };

    const { code, errors } = await runWith(env, 'moderate-comments', []);
    await server.close();

    expect(code).toBe(1);
    expect(errors).toContain('PermissionError');
    const asked = sandbox.requests.filter(({ method }) => method === 'POST');
    expect(asked).toHaveLength(1);
  });

  test('export leads to CSV: a page fails, the next run adds the rest, and no answer is left out', async () => {
    const sandbox = busySandbox();
    const [page] = sandbox.pages;
    const [formId = ''] = page?.formIds ?? [];
    const remarks = ['"The best", they say', 'two\nlines', '=HYPERLINK("https://example.org?"&A1)', 'plain'];
    for (let at = 0; at < 250; at++)
      sandbox.addLead({
        formId,
        answers: { remark: remarks[at % 4] ?? '', phone: `+1555${1_000_000 + at}` },
      });
    const inFolder = await mkdtemp(join(folder, 'leads-'));
    const file = join(inFolder, `leads-${formId}.csv`);

    // Without a lead, there is no file.
    const down = sandbox.fault({ path: /\/leads$/, times: Infinity, status: 503 });
    const none = await run(sandbox, 'leads-to-csv', inFolder);
    down();
    expect(none).toMatchObject({ code: 1, errors: expect.stringContaining('503') });
    expect(none.lines).toContainEqual(expect.stringMatching(/: 0 new, so no file$/));
    expect(await readdir(inFolder)).toEqual([]);

    const mend = sandbox.fault({ path: `/${formId}/leads`, skip: 1, times: Infinity, status: 503 });
    const first = await run(sandbox, 'leads-to-csv', inFolder);
    mend();
    expect(first).toMatchObject({ code: 1, errors: expect.stringContaining('503') });
    expect(first.lines).toContainEqual(expect.stringMatching(/: 100 new, 100 in /));

    sandbox.addLead({ formId, answers: { 'Favourite Drinks?': 'tea' } });
    expect(await run(sandbox, 'leads-to-csv', inFolder)).toMatchObject(well);
    const text = await readFile(file, 'utf8');
    const [header = ''] = text.split('\r\n');
    expect(header).toMatch(/^"Lead","Created","Campaign",/);
    for (const name of ['remark', 'phone', 'favourite_drinks']) expect(header).toContain(`,"${name}"`);
    expect(text).toContain('"""The best"", they say"');
    expect(text).toContain('"two\nlines"');
    expect(text).toContain('"\'=HYPERLINK(""https://example.org?""&A1)"');
    expect(text).toContain('"+15551000249"');
    expect(text).toContain('"tea"');
    const ids = [...text.matchAll(/^"(\d+)"/gm)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThan(250);
    expect((await stat(file)).mode & 0o777).toBe(0o600);

    // Nothing new: the file is the same, byte for byte.
    expect(await run(sandbox, 'leads-to-csv', inFolder)).toMatchObject(well);
    expect(await readFile(file, 'utf8')).toBe(text);

    // One that another program saved is not overwritten.
    const saved = text.replaceAll('"', '');
    await writeFile(file, saved);
    expect((await run(sandbox, 'leads-to-csv', inFolder)).errors).toContain('move it away');
    expect(await readFile(file, 'utf8')).toBe(saved);
  });

  test('export leads to CSV: a form that the platform cannot deliver is told, and the others come', async () => {
    const sandbox = busySandbox();
    sandbox.tune({ lists: { undeliverable: [sandbox.pages[0]?.formIds[0] ?? ''] } });
    const forms = await mkdtemp(join(folder, 'forms-'));

    const { code, lines, errors } = await run(sandbox, 'leads-to-csv', forms);

    expect(code).toBe(1);
    expect(errors).toBe('There are forms that the platform did not list.\n');
    expect(lines).toHaveLength(1);
  });

  test('export leads to CSV: a lead that the platform cannot deliver is named, and the others come', async () => {
    const sandbox = busySandbox();
    const [page] = sandbox.pages;
    const [formId = ''] = page?.formIds ?? [];
    for (let at = 0; at < 5; at++) sandbox.addLead({ formId, answers: { remark: `${at}` } });
    const inFolder = await mkdtemp(join(folder, 'leads-'));
    // Three attempts at the page, one at each of five smaller ones, three at the first lead; then its id comes.
    const mend = sandbox.fault({
      path: `/${formId}/leads`,
      times: 11,
      status: 500,
      error: { code: 1, message: 'An unknown error has occurred.', type: 'OAuthException' },
    });

    const { code, lines, errors } = await run(sandbox, 'leads-to-csv', inFolder);
    mend();

    expect(code).toBe(1);
    expect(errors).toMatch(/: the platform cannot deliver entry \d+: An unknown error has occurred\.\n$/);
    // Of the nine that the form has then.
    expect(lines).toContainEqual(expect.stringMatching(/: 8 new, 8 in /));
  });

  test('refresh tokens nightly: those that are due; of the others, who must log in', async () => {
    const sandbox = busySandbox();
    const file = join(folder, 'tokens.json');
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
    const { token } = sandbox.account;
    const dead = sandbox.issueToken({ kind: 'pics' });
    const young = sandbox.issueToken({ kind: 'pics' });
    sandbox.killToken(dead, 'password');
    const kind = 'account';
    const accounts = [
      { name: 'fresh', kind, token, expires_at: inDays(50) },
      { name: 'due', kind, token, expires_at: inDays(20) },
      { name: 'ended', kind, token, expires_at: inDays(-1) },
      { name: 'dead', kind, token: dead, expires_at: inDays(20) },
      { name: 'young', kind, token: young },
    ];
    await writeFile(file, JSON.stringify(accounts));

    const { code, lines, errors } = await run(sandbox, 'refresh-tokens', file);

    expect({ code, errors }).toEqual({
      code: 1,
      errors: 'ended: must log in again\ndead: must log in again\n',
    });
    expect(lines).toEqual([
      expect.stringMatching(/^fresh: lasts until /),
      expect.stringMatching(/^due: renewed, until /),
      'young: not yet: The token must be at least 24 hours old.',
      expect.stringMatching(/^the user: lasts until /),
    ]);
    const kept = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>[];
    expect(kept).toMatchObject([
      accounts[0],
      { name: 'due', expires_at: expect.stringMatching(/^2/), expires_in: 5_184_000 },
      { ...accounts[2], mustLogIn: true },
      { ...accounts[3], mustLogIn: true },
      accounts[4],
      { name: 'the user', kind: 'user', token: sandbox.user.token, expires_in: 5_184_000 },
    ]);
    expect(kept[1]?.['token']).not.toBe(token);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    for (const secret of [token, dead, young, kept[1]?.['token'], sandbox.user.token])
      expect(lines.join() + errors).not.toContain(secret);
  });

  test('refresh tokens nightly: users who must log in are named, and the environment replaces no stored token', async () => {
    const day = 86_400_000;
    let ago = 2 * day;
    const sandbox = createSandbox({ now: () => Date.now() - ago });
    const due = sandbox.issueToken({ kind: 'user', expiresInMs: 3 * day });
    ago = 0;
    const [dead, checked] = [sandbox.issueToken(), sandbox.issueToken()];
    sandbox.killToken(dead, 'password');
    sandbox.killToken(checked, 'checkpoint');
    const file = join(folder, 'users.json');
    const users = Object.entries({ due, dead, checked }).map(([name, token]) => ({
      name,
      kind: 'user',
      token,
    }));
    await writeFile(file, JSON.stringify(users));
    const server = await serveSandbox(sandbox);
    const { PICS_TOKEN: _, PICS_APP_ID: __, ...env } = environmentOf(sandbox, server.platform);

    const { code, lines, errors } = await runWith(env, 'refresh-tokens', [file]);
    await server.close();

    expect({ code, lines }).toEqual({ code: 1, lines: [''] });
    expect(errors.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^due: must log in before \d{4}-/),
      'dead: must log in again',
      expect.stringMatching(/^checked: must act on the platform first: /),
    ]);
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject(users);
  });

  test('refresh tokens nightly: without a token, nothing is written, and the missing variable is named', async () => {
    const sandbox = busySandbox();
    const file = join(folder, 'no-tokens.json');
    const { USER_TOKEN: _, PICS_TOKEN: __, ...env } = environmentOf(sandbox, sandbox.platform);

    const { code, errors } = await runWith(env, 'refresh-tokens', [file]);

    const missing = 'USER_TOKEN and PICS_TOKEN are missing';
    expect({ code, errors }).toEqual({ code: 1, errors: expect.stringContaining(missing) });
    await expect(stat(file)).rejects.toThrow('ENOENT');
  });

  test('refresh tokens nightly: a token that could not be renewed is kept, and fails the run', async () => {
    const sandbox = busySandbox();
    const file = join(folder, 'failing-tokens.json');
    const accounts = [
      { name: 'refused', kind: 'account', token: sandbox.account.token },
      { name: 'lacking', kind: 'account' },
      { name: 'later', kind: 'account', token: sandbox.account.token },
    ];
    await writeFile(file, JSON.stringify(accounts));
    const error = { code: 100, message: 'Not today.' };
    sandbox.fault({ path: /refresh_access_token/, times: 1, error });

    const { code, lines, errors } = await run(sandbox, 'refresh-tokens', file);

    const others = [/^later: renewed, until /, /^the user: lasts until /];
    expect({ code, lines }).toEqual({ code: 1, lines: others.map((line) => expect.stringMatching(line)) });
    expect(errors).toMatch(/^refused: .*Not today\..*\nlacking: .*token.*\n$/);
    const [refused, lacking] = JSON.parse(await readFile(file, 'utf8')) as unknown[];
    expect([refused, lacking]).toEqual(accounts.slice(0, 2));
  });

  test('read daily numbers: of seven days, with what is missing for good, and without a word about what is late', async () => {
    const sandbox = busySandbox();
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
    sandbox.tune({ metrics: { lagMs: 30 * 3_600_000, missingDays: [daysAgo(6)] } });
    sandbox.tune({ pics: { retiredMetrics: ['accounts_engaged'] } });

    const { code, lines, errors } = await run(sandbox, 'daily-numbers');

    expect(code).toBe(0);
    const found = lines.map((line) => /^([\d-]+),(page,page_\w+|account,\w+),\d+$/.exec(line) ?? []);
    const seven = [7, 6, 5, 4, 3, 2, 1].map(daysAgo);
    expect(new Set(found.map(([, , metric]) => metric)).size).toBe(9 + 4);
    const days = [...new Set(found.map(([, day = '']) => day))].toSorted();
    expect(days.slice(0, 4)).toEqual(seven.filter((_, at) => at !== 1).slice(0, 4));
    expect(seven).toEqual(expect.arrayContaining(days));
    const complaints = errors.trim().split('\n');
    const empty = complaints.filter((line) => line.endsWith(`: no value on ${daysAgo(6)}`));
    expect(empty).toHaveLength(9 + 4);
    expect(complaints.filter((line) => !empty.includes(line))).toEqual([
      expect.stringMatching(/^account, accounts_engaged: .*must be one of the following values/),
    ]);
  });

  test('read daily numbers: one half fails, and the other one is still printed', async () => {
    const sandbox = busySandbox();
    sandbox.fault({ path: /^\/12200\d+\/insights/, times: Infinity, error: { code: 190, message: 'Dead.' } });

    const { code, lines, errors } = await run(sandbox, 'daily-numbers');

    expect({ code, errors }).toEqual({ code: 1, errors: 'page: Dead.\n' });
    expect(new Set(lines.map((line) => line.split(',')[2])).size).toBe(5);
    for (const line of lines) expect(line).toMatch(/,account,\w+,\d+$/);
  });

  test('read daily numbers: posts and media come with theirs, into one page', async () => {
    const sandbox = busySandbox({ posts: 60 });
    sandbox.tune({ pics: { retiredMetrics: ['views'] } });
    const file = join(folder, 'dashboard.html');

    const { code, lines, errors } = await run(sandbox, 'dashboard', file);

    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    // The account's list is asked for once more, without the metric that is gone.
    expect(lines).toEqual([
      `60 posts and 5 media in 4 requests: ${file}`,
      expect.stringMatching(/^not read: .*must be one of the following values/),
    ]);
    const page = await readFile(file, 'utf8');
    expect(page.match(/<rect /g)).toHaveLength(65);
    expect(page).toContain('Not read: views ');
    expect(page).toContain('<td>–');
    expect(page).not.toMatch(/access_token/);
  });

  test('answer messages: each that came last, once, and late ones by a person', async () => {
    const sandbox = busySandbox();
    const server = await serveSandbox(sandbox);
    const env = environmentOf(sandbox, server.platform);
    const again = () => runWith(env, 'answer-inbox', [join(folder, 'inbox.db')]);

    const { lines, ...rest } = await again();

    expect(rest).toEqual(well);
    const answered = lines.filter((line) => line.includes('answered'));
    const [onPage, onAccount] = [expect.stringMatching(/^Page: /), expect.stringMatching(/^Account: /)];
    expect(answered).toEqual([onPage, onAccount]);
    expect(contents(sandbox, 'message', 'text')).toEqual([
      'We are open until nine.',
      'We are open until nine.',
    ]);
    const late = lines.filter((line) => line.endsWith('too late for a machine, a person must answer'));
    expect(late).toHaveLength(lines.length - 2);
    expect((await again()).lines).toEqual(late);
    await server.close();
  });

  test('receive webhooks: each event once, also when it is delivered again; one answer, also with a new file', async ({
    expect,
  }) => {
    const sandbox = busySandbox();
    const server = await serveSandbox(sandbox);
    const [page] = sandbox.pages;
    const [on = ''] = page?.postIds ?? [];
    const [formId = ''] = page?.formIds ?? [];
    const env = { ...environmentOf(sandbox, server.platform), PORT: '0' };
    const start = async (file: string) => {
      const receiver = runUntilStopped(env, 'webhook', [join(folder, file)]);
      await expect.poll(receiver.output).toContain('/webhooks\n');
      const [address = ''] = /http\S+/.exec(receiver.output()) ?? [];
      return {
        ...receiver,
        address,
        said: () => receiver.output().trimEnd().split('\n').slice(1).toSorted(),
      };
    };
    // What is delivered is kept, to be delivered again.
    const kept: Request[] = [];
    const deliver = (address: string) =>
      sandbox.deliver(
        async (request) => {
          kept.push(request.clone());
          return fetch(address, { method: 'POST', headers: request.headers, body: await request.text() });
        },
        { duplicates: true },
      );

    await using first = await start('events.db');
    sandbox.happen({ kind: 'comment', on, message: 'How lovely!' });
    sandbox.happen({ kind: 'lead', formId });
    for (const { statuses } of await deliver(first.address)) expect(statuses).toEqual([200, 200]);
    await expect
      .poll(first.said)
      .toEqual([
        expect.stringMatching(/^comment \d+_\d+: answered$/),
        expect.stringMatching(/^lead \d+: \{.*"email"/),
      ]);
    expect(contents(sandbox, 'private_reply', 'text')).toHaveLength(1);

    // A comment that is gone before it is answered does not come again for 36 hours, and neither does a lead.
    const gone = sandbox.happen({ kind: 'comment', on, message: 'Never mind' });
    const lead = sandbox.happen({ kind: 'lead', formId });
    const { app } = sandbox;
    const client = createPageClient({ appId: app.id, appSecret: app.secret, platform: server.platform });
    await client.deleteComment({ commentId: gone, pageToken: page?.token ?? '' });
    sandbox.fault({
      path: `/${lead}`,
      error: { code: 100, error_subcode: 33, message: 'It does not exist' },
    });
    for (const { statuses } of await deliver(first.address)) expect(statuses).toEqual([200, 200]);
    await expect
      .poll(first.said)
      .toEqual(
        expect.arrayContaining(
          [`comment ${gone}:`, `lead ${lead}:`].map((line) => expect.stringContaining(line)),
        ),
      );

    await using second = await start('other-events.db');
    const [again] = kept;
    const { status } = await fetch(second.address, {
      method: 'POST',
      headers: again?.headers ?? {},
      body: (await again?.text()) ?? '',
    });
    expect(status).toBe(200);
    await expect
      .poll(second.said)
      .toContainEqual(expect.stringMatching(/^comment \d+_\d+: .*already replied/));
    expect(sandbox.effects('private_reply')).toHaveLength(1);
    await server.close();
  });

  test('stay under limits: two workers make as many calls as the lane allows, and none is refused', async () => {
    const sandbox = busySandbox({ quotas: { page: 60 } });

    const { lines, ...rest } = await run(sandbox, 'stay-under-limits', '50', join(folder, 'limits.db'));

    expect(rest).toEqual(well);
    expect(lines).toHaveLength(2);
    for (const line of lines)
      expect(line).toMatch(/^worker \d: \d+ calls, the next in \d+ s: the limit pages is at \d+ %$/);
    const statuses = sandbox.requests.map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(statuses.length).toBeGreaterThan(40);
    // Reads stop at 75 % of 60, and may go over that by one call.
    expect(statuses.length).toBeLessThanOrEqual(46);
  });

  test('serve many customers: one who must connect again is no reason to stop', async () => {
    const sandbox = busySandbox();
    const [, second] = sandbox.pages;
    sandbox.fault({
      method: 'POST',
      path: `/${second?.id}/feed`,
      error: {
        code: 190,
        error_subcode: 460,
        message: 'The session was invalidated.',
        type: 'OAuthException',
      },
    });

    const { lines, ...rest } = await run(sandbox, 'many-customers');

    expect(rest).toEqual(well);
    // The customers are served at the same time, so each order is right.
    const sorted = lines.toSorted();
    expect(sorted.slice(0, 3)).toEqual([
      expect.stringMatching(/^Fern & Field: published \d+_\d+$/),
      expect.stringMatching(/^Harbour Coffee: published \d+_\d+$/),
      'Northside Books: must connect again',
    ]);
    const [, requests = ''] = /^requests: (.*)$/.exec(sorted[3] ?? '') ?? [];
    expect(JSON.parse(requests)).toEqual({
      setup: 1,
      'Harbour Coffee': 1,
      'Northside Books': 1,
      'Fern & Field': 1,
    });
    expect(sandbox.effects('post')).toHaveLength(2);
  });

  test('serve many customers, and stop: calls that run end, and their results are told', async () => {
    const sandbox = busySandbox();
    sandbox.fault({ method: 'POST', path: '/feed', delayMs: 1500, times: 3 });
    const server = await serveSandbox(sandbox);
    const env = { ...bareEnvironment, ...environmentOf(sandbox, server.platform) };
    const child = spawn(process.execPath, ['examples/many-customers.ts'], { env });
    let output = '';
    child.stdout.on('data', (text: Buffer) => (output += text.toString()));
    const posts = () => sandbox.requests.filter(({ method }) => method === 'POST').length;
    await expect.poll(posts, { timeout: 10_000 }).toBe(3);

    child.kill('SIGTERM');

    expect(await once(child, 'close')).toEqual([0, null]);
    expect(output.match(/: published \d+_\d+$/gm)).toHaveLength(3);
    await server.close();
  });
});
