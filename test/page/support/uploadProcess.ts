// Publishes a file in a process of its own, and reports by how much that process grew.
import { createPageContext } from '../../../src/page/context.ts';
import { publishVideoStory } from '../../../src/page/publishVideoStory.ts';

const [origin = '', file = ''] = process.argv.slice(2);
const context = createPageContext({
  appId: 'app-id',
  appSecret: 'app-secret',
  platform: { graphUrl: origin, uploadUrl: origin },
  retry: { baseDelayMs: 10 },
})._unsafeUnwrap();

// A first request, whose one-time memory is not to be counted.
await fetch(`${origin}/9`).then((answer) => answer.text());
const before = process.memoryUsage.rss();
let peak = before;
let told = 0;
const story = await publishVideoStory(context, {
  pageId: '42',
  pageToken: 'page-token',
  video: file,
  uploadAttempts: 4,
  onProgress: () => {
    if (told++ % 50 === 0) peak = Math.max(peak, process.memoryUsage.rss());
  },
});
console.log(JSON.stringify({ grewBy: peak - before, value: story.isOk() ? story.value : undefined }));
