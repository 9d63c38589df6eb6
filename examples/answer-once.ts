// Answers each comment once, with two processes that receive webhooks and also poll, over one store: one of them
// is killed in the middle. What an app would copy is `worker`.
//
//   npm run example -- answer-once     on the embedded sandbox: no account, no network
import { type ChildProcess, fork } from 'node:child_process';
import { once as event } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { err, ok } from 'neverthrow';
import { createPageContext, isFinal, type Platform } from 'pagepics';
import { eventsOnce, sqliteJournal } from 'pagepics/journal';
import { comments, replyComment, subscribePage } from 'pagepics/page';
import { createSandbox, serveSandbox } from 'pagepics/sandbox';
import { createWebhookHandler, eventKey } from 'pagepics/webhooks';

import { orThrow } from './support/orThrow.ts';
import * as log from './support/print.ts';

const planned = 20;

if (process.argv[2] === 'worker') await worker();
else await main();

/** Receives webhooks, polls, and answers. */
async function worker(): Promise<void> {
  const {
    APP_ID = '',
    APP_SECRET = '',
    PAGE_ID = '',
    PAGE_TOKEN: pageToken = '',
    POST_ID = '',
  } = process.env;
  // The same store for events and for what is published. In production, the times are left at their defaults.
  const journal = sqliteJournal(new DatabaseSync(process.env['STORE'] ?? '', { timeout: 5000 }));
  const once = eventsOnce(journal, { leaseMs: 2000 });
  const context = orThrow(
    createPageContext({
      appId: APP_ID,
      appSecret: APP_SECRET,
      platform: JSON.parse(process.env['PLATFORM'] ?? '') as Platform,
      journal,
      timeoutMs: 2000,
      journalLeaseMs: 2000,
      journalSettleMs: 5000,
    }),
  );

  /** The key of the effect is made of that of the event, so it is the same for a webhook and a poll. */
  async function answer(commentId: string, idempotencyKey: string) {
    const replied = await replyComment(context, {
      commentId,
      pageToken,
      message: 'Thank you!',
      idempotencyKey,
    });
    if (replied.isOk()) process.send?.({ answered: commentId });
    // A comment that was deleted must not come again for 36 hours.
    return replied.orElse((error) => (isFinal(error) ? ok(undefined) : err(error)));
  }

  const handler = createWebhookHandler({
    verifyToken: 'a-text-of-your-own',
    secrets: APP_SECRET,
    once,
    onEvent: ({ type, data, accountId }, { idempotencyKey }) => {
      if (type !== 'feed' || data.item !== 'comment' || data.verb !== 'add') return;
      if (data.comment_id === undefined || data.from?.id === accountId) return; // its own answers come back, too
      return answer(data.comment_id, idempotencyKey('answer')); // an Err is a failed event, which comes again
    },
  });
  const web = new Hono().on(['GET', 'POST'], '/webhooks', (c) => handler(c.req.raw));
  const listening = serve({ fetch: web.fetch, port: 0, hostname: '127.0.0.1' });
  await event(listening, 'listening');
  const address = listening.address();
  if (address === null || typeof address === 'string') throw new Error('the server has a port');
  process.send?.({ url: `http://127.0.0.1:${address.port}/webhooks` });

  for (;;) {
    const found = await comments(context, { postId: POST_ID, pageToken, limit: 100 });
    for (const { id, from } of found.unwrapOr([])) {
      if (from?.id === PAGE_ID) continue;
      const key = orThrow(await eventKey('feed', { accountId: PAGE_ID, id }));
      // Busy and failed events come again with the next poll.
      await once(key, () => answer(id, `${key}:answer`)).catch(() => undefined);
    }
    await sleep(200);
  }
}

/** Serves the platform, starts the workers, kills one, and counts the answers. */
async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'answer-once-'));
  const sandbox = createSandbox({ comments: 0 });
  const server = await serveSandbox(sandbox);
  log.say(`The platform, emulated at ${server.url}.`);
  const { app, pages } = sandbox;
  const [page] = pages;
  const [on] = page?.postIds ?? [];
  if (page === undefined || on === undefined) throw new Error('the sandbox has Pages with posts');
  const { platform } = server;
  const context = orThrow(createPageContext({ appId: app.id, appSecret: app.secret, platform }));
  const fields = ['feed'];
  log.show('page', orThrow(await subscribePage(context, { pageId: page.id, pageToken: page.token, fields })));

  const answered = new Map<string, number>();
  const env = {
    ...process.env,
    APP_ID: app.id,
    APP_SECRET: app.secret,
    PAGE_ID: page.id,
    PAGE_TOKEN: page.token,
    POST_ID: on,
    STORE: join(folder, 'store.db'),
    PLATFORM: JSON.stringify(platform),
  };
  const workers = new Map<ChildProcess, string>();
  async function start(): Promise<void> {
    const child = fork(import.meta.filename, ['worker'], { env, execArgv: ['--no-warnings'] });
    child.on('message', ({ answered: id }: { readonly answered?: string }) => {
      if (id !== undefined) answered.set(id, child.pid ?? 0);
    });
    child.on('exit', () => workers.delete(child));
    const [{ url }] = (await event(child, 'message')) as [{ readonly url: string }];
    workers.set(child, url);
  }
  await Promise.all([start(), start()]);
  log.step(`two processes, each with a webhook and a poll; ${planned} comments come in`);

  // What an app has in front of its machines: it hands on the bytes and the signature as they came.
  let turn = 0;
  async function balance(request: Request): Promise<Response> {
    const urls = [...workers.values()];
    const { method, headers } = request;
    const body = await request.arrayBuffer();
    try {
      return await fetch(urls[turn++ % urls.length] ?? '', { method, headers, body });
    } catch {
      return new Response(null, { status: 502 });
    } finally {
      await sleep(100);
    }
  }

  // In the middle: some are answered on the platform, and it is not stored of all that they are.
  const killing = (async () => {
    while (sandbox.effects('reply').length < planned / 4) await sleep(1);
    const [first] = workers.keys();
    first?.kill('SIGKILL');
    log.show('killed', `one of them, after ${sandbox.effects('reply').length} answers`);
    await start();
  })();
  for (let number = 1; number <= planned; number++) {
    sandbox.happen({ kind: 'comment', on, message: `Comment ${number}` });
  }
  // An answer that was on its way as its process died is looked for until it can no longer arrive, a minute in all: then its
  // comment is answered anew.
  const sent = await sandbox.deliver(balance, { batch: 5, attempts: 1000, duplicates: true });
  await killing;
  const deliveries = sent.flatMap(({ statuses }) => statuses);
  log.show(
    'requests',
    `${sent.length}, delivered ${deliveries.length} times until each was answered with 200`,
  );
  const refused = [...new Set(deliveries)].filter((status) => status !== 200).join(', ');
  log.show('refused', refused === '' ? 'none' : `with ${refused}, and delivered again`);

  log.step('what is on the platform');
  const answers = new Map<string | undefined, number>();
  for (const { parentId } of sandbox.effects('reply'))
    answers.set(parentId, (answers.get(parentId) ?? 0) + 1);
  log.show(
    'answered',
    `${answers.size} of ${planned} comments, by ${new Set(answered.values()).size} processes`,
  );
  log.show('twice', `${[...answers.values()].filter((count) => count > 1).length} comments`);
  for (const child of workers.keys()) child.kill();
  await rm(folder, { recursive: true });
  await server.close();
  log.say('\nDone.');
}
