// Publishes a file in a process of its own, and reports by how much that process grew. With the file of a journal, it
// does so under a key, and waits where another process holds that.
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';

import { createPageContext } from '../../../src/page/context.ts';
import { publishReel, publishVideo, publishVideoStory } from '../../../src/page/endpoints.ts';
import { createPicsContext } from '../../../src/pics/context.ts';
import { publish } from '../../../src/pics/publishing/publish.ts';
import { sqliteJournal } from '../../../src/stores/index.ts';

const [origin = '', video = '', what = '', journal] = process.argv.slice(2);
const ofPage = { publishReel, publishVideo }[what] ?? publishVideoStory;
const settings = {
  appId: 'app-id',
  appSecret: 'app-secret',
  platform: { graphUrl: origin, picsGraphUrl: origin, uploadUrl: origin },
  retry: { baseDelayMs: 10 },
  ...(journal !== undefined && { journal: sqliteJournal(new DatabaseSync(journal)), journalLeaseMs: 1000 }),
};
const page = createPageContext(settings)._unsafeUnwrap();
const pics = createPicsContext(settings)._unsafeUnwrap();

// A first request, whose one-time memory is not to be counted.
await fetch(`${origin}/9`).then((response) => response.text());
const before = process.memoryUsage.rss();
let peak = before;
setInterval(() => {
  peak = Math.max(peak, process.memoryUsage.rss());
}, 5).unref();
const options = {
  video,
  uploadAttempts: 4,
  ...(journal !== undefined && { idempotencyKey: 'one' }),
};
const call = () =>
  what === 'publish'
    ? publish(pics, { token: 'pics-token', picsUserId: '42', ...options })
    : ofPage(page, { pageId: '42', pageToken: 'page-token', ...options });
let published = await call();
while (published.isErr() && 'reason' in published.error && published.error.reason === 'busy') {
  await setTimeout(published.error.retryAfterMs);
  published = await call();
}
console.log(JSON.stringify({ grewBy: peak - before, value: published.isOk() ? published.value : undefined }));
