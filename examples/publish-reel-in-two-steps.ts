// Publishes a Reel without waiting for it in one place: one process begins it and exits, another one finishes it.
// Serverless code works like this, since its invocations are short.
//
//   npm run example -- publish-reel-in-two-steps     on the embedded sandbox: no account, no network
import { fork } from 'node:child_process';
import { once } from 'node:events';

import { createPicsContextViaPages, type Platform } from 'pagepics';
import { mediaDetails, type PicsContext, publish, publishContainer } from 'pagepics/pics';
import { createSandbox, serveSandbox } from 'pagepics/sandbox';

import { orThrow } from './support/orThrow.ts';
import * as log from './support/print.ts';

const [, , invocation, containerId] = process.argv;
if (invocation === 'begin') await begin();
else if (invocation === 'finish') await finish(containerId ?? '');
else await main();

/** Serves the platform, and runs the two invocations as separate processes, one after the other. */
async function main(): Promise<void> {
  const sandbox = createSandbox();
  sandbox.tune({ containers: { processingMs: 4000 } });
  const server = await serveSandbox(sandbox);
  log.say(`The platform, emulated at ${server.url}.`);
  const [page] = sandbox.pages;
  // Settings and secrets come from the environment, as they would in a deployment.
  const env = {
    ...process.env,
    APP_SECRET: sandbox.app.secret,
    PAGE_TOKEN: page?.token,
    PICS_USER_ID: page?.picsId,
    PLATFORM: JSON.stringify(server.platform),
  };

  log.step('first process: publish, with waitTimeoutMs: 0');
  const first = fork(import.meta.filename, ['begin'], { env });
  const [[begun]] = await Promise.all([once(first, 'message'), succeeded(first)]);
  log.show('kept', begun);

  log.step('second process: publishContainer');
  await succeeded(fork(import.meta.filename, ['finish', (begun as Begun).containerId], { env }));
  await server.close();
}

/** What must be kept between the two, in a queue or a database. */
interface Begun {
  readonly containerId: string;
}

async function begin(): Promise<void> {
  log.show('process', process.pid);
  const reel = await publish(fromEnvironment(), {
    ...account(),
    videoUrl: 'https://cdn.example/tour.mp4',
    caption: 'A tour of the shop',
    waitTimeoutMs: 0, // looks once
  });
  if (reel.isOk()) throw new Error('it was published at once: a container of a Reel takes a while');
  const { error } = reel;
  if (error.name !== 'ContainerNotReadyError') throw error;
  log.show('state', `${error.statusCode}: ${error.message}`);
  process.send?.({ containerId: error.containerId } satisfies Begun);
  process.disconnect?.();
}

async function finish(containerId: string): Promise<void> {
  log.show('process', process.pid);
  const context = fromEnvironment();
  const reel = await publishContainer(context, {
    ...account(),
    containerId,
    onStatus: ({ status_code, elapsedMs }) => log.show('waiting', `${status_code} after ${elapsedMs} ms`),
  });
  if (reel.isErr()) throw reel.error;
  log.show('reel', reel.value);

  const details = await mediaDetails(context, { token: account().token, mediaId: reel.value.media_id });
  if (details.isErr()) throw details.error;
  const { id, media_product_type, caption, permalink } = details.value;
  log.show('media', { id, media_product_type, caption, permalink });
  process.disconnect?.();
}

function fromEnvironment(): PicsContext {
  return orThrow(
    createPicsContextViaPages({
      appSecret: variable('APP_SECRET'),
      platform: JSON.parse(variable('PLATFORM')) as Platform,
      onResponse: log.sent,
    }),
  );
}

function account(): { readonly token: string; readonly picsUserId: string } {
  return { token: variable('PAGE_TOKEN'), picsUserId: variable('PICS_USER_ID') };
}

function variable(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set`);
  return value;
}

async function succeeded(child: ReturnType<typeof fork>): Promise<void> {
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`the process ended with ${code}`);
}
