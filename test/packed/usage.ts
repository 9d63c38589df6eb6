// What `test/packed.test.ts` compiles against the installed tarball: a use of every entry.
import { createPageClient, createPicsClient, type Page } from 'pagepics';
import { ApiError, close, get, iterate, type ContextOptions, type Failure } from 'pagepics/core';
import type { TokenBundle } from 'pagepics/models';
import { createPageContext, publishPost, publishVideoStory } from 'pagepics/page';
import { createPicsContext, publish, type PublishOptions } from 'pagepics/pics';
import { createSandbox, serveSandbox } from 'pagepics/sandbox';
import { verifySignature } from 'pagepics/webhooks';

const { fetch, app, platform, pages } = createSandbox();
const options: ContextOptions = { fetch, platform, timeoutMs: 1000, onResponse: ({ status }) => void status };

export async function use(bytes: Uint8Array): Promise<void> {
  const made = createPageContext({ appId: app.id, appSecret: app.secret, ...options });
  if (made.isErr()) throw made.error;
  const context = made.value;
  const [page] = pages;
  if (page === undefined) throw new Error('the sandbox has Pages');
  const at = { pageId: page.id, pageToken: page.token };

  const post = await publishPost(context, { ...at, message: 'Hello', signal: AbortSignal.timeout(1000) });
  const id: string | undefined = post.match(
    (value) => value.id,
    (failure: Failure) => (failure instanceof ApiError ? failure.traceId : failure.message),
  );
  await publishVideoStory(context, { ...at, video: bytes });
  await publishVideoStory(context, { ...at, video: new Blob([]) });
  const low = await get(context, 'me', { params: { access_token: page.token } });
  const failure: Failure | undefined = low.isErr() ? low.error : undefined;
  for await (const entry of iterate(context, 'me/accounts')) console.log(entry, id, failure);

  const client = createPageClient({ appId: app.id, appSecret: app.secret, ...options });
  const all: readonly Page[] = await client.pages({ token: page.token });
  const bundle: TokenBundle = await client.exchangeCode({ code: 'code', redirectUri: 'https://app.example' });
  console.log(all, bundle.expires_at, createPicsClient, createPicsContext, publish);
  const served = await serveSandbox(createSandbox());
  await served.close();
  console.log(verifySignature);
  void close(context);
}

export type Kept = PublishOptions;
