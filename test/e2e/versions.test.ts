import { expect, test, vi } from 'vitest';

import type { VersionEvent } from '../../src/core/http/hooks.ts';
import { createPageClient } from '../../src/page/client.ts';
import { createPicsClientViaPages } from '../../src/pics/client.ts';
import { createSandbox, serveSandbox } from '../../src/sandbox/index.ts';
import { pageOf } from '../sandbox/support/caller.ts';
import { onRealSockets } from './support.ts';

onRealSockets();

test.each(['v21.0', 'v26.0', 'v27.0'])(
  'over real HTTP, a new app does at %s what it does at any other version',
  async (graphVersion) => {
    const appCreatedAt = new Date('2026-11-20T00:00:00Z');
    const sandbox = createSandbox({ strict: true, appCreatedAt, now: () => appCreatedAt.getTime() });
    const { app, user } = sandbox;
    await using server = await served(sandbox);
    const onVersion = vi.fn<(event: VersionEvent) => void>();
    const own = { appId: app.id, appSecret: app.secret, platform: server.platform, graphVersion, onVersion };
    const client = createPageClient({ ...own, tokenTransport: 'header' });
    const pics = createPicsClientViaPages(own);
    const { id: pageId, token: pageToken, picsId } = pageOf(sandbox);
    const at = { token: pageToken, picsUserId: picsId };

    const reel = await client.publishReel({
      pageId,
      pageToken,
      video: new Uint8Array(64),
      isAiGenerated: true,
    });
    const poll = { options: ['Tea', 'Coffee'] };
    const imageUrl = 'https://cdn.example/a.jpg';
    const post = await pics.publish({ ...at, imageUrl, caption: 'Tea or coffee?', poll });

    expect(reel.success).toBe(true);
    expect(post.addOn).toBe('attached');
    expect(await pics.mediaPoll({ token: pageToken, mediaId: post.media_id })).toMatchObject({
      options: [{ text: 'Tea' }, { text: 'Coffee' }],
    });
    expect(await pics.taggedMedia({ ...at, mediaType: 'IMAGE', postedAfter: appCreatedAt })).toEqual([]);
    expect(await client.grantedScopes({ token: user.token })).toContain('pages_show_list');
    expect((await client.inspectToken({ token: user.token })).is_valid).toBe(true);
    const results = await client.batch([{ method: 'GET', path: 'me' }], { token: pageToken });
    expect(results.map((part) => part.isOk())).toEqual([true]);
    expect(new Set(sandbox.requests.map(({ version }) => version))).toEqual(new Set([graphVersion]));
    expect(onVersion.mock.calls.map(([{ apiVersion, warning }]) => [apiVersion, warning])).toEqual(
      graphVersion === 'v21.0' ? Array(2).fill(['v21.0', expect.stringContaining('v21.0')]) : [],
    );
    await client.close();
    await pics.close();
  },
);

async function served(sandbox: ReturnType<typeof createSandbox>) {
  const server = await serveSandbox(sandbox);
  return { platform: server.platform, [Symbol.asyncDispose]: () => server.close() };
}
