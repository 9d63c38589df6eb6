import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';

/** Makes calls with tokens and texts of its own each, and prints how many of them the heap holds afterwards. */
const script = `
import { getHeapSnapshot } from 'node:v8';
import { createPageContext } from './src/page/context.ts';
import { posts, publishPost } from './src/page/posts.ts';
import { grantedScopes } from './src/page/tokens.ts';

let calls = 0;
const fetch = async () =>
  ++calls % 3 === 0
    ? Response.json({ error: { code: 190, message: 'No' } }, { status: 400 })
    : Response.json({ id: '1_' + calls, data: [] });
const contexts = ['1', '2'].map((appId) => createPageContext({ appId, appSecret: 's' + appId, fetch })._unsafeUnwrap());

async function call(index) {
  const token = ['HEAP', 'TOKEN', index * 7919, 'END'].join('x');
  const context = contexts[index % 2];
  if (index % 4 === 0) await grantedScopes(context, { token });
  else if (index % 4 === 1) await posts(context, { pageId: '1', pageToken: token });
  else await publishPost(context, { pageId: '1', pageToken: token, message: 'Hello ' + index });
}
for (let index = 0; index < 1000; index++) await call(index);
await new Promise((resolve) => setTimeout(resolve, 50));
// The engine keeps the last text that an expression was tried on.
'x'.match(/x/);

let heap = '';
for await (const part of getHeapSnapshot()) heap += part;
const tokens = new Set(heap.match(/HEAPxTOKENx\\d+xEND/g));
console.log(JSON.stringify({ tokens: [...tokens], isRead: heap.includes('HEAP') }));
`;

test('after a thousand calls, no token is in memory', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    maxBuffer: 2 ** 24,
  });

  expect(JSON.parse(stdout)).toEqual({ tokens: [], isRead: true });
});

/** Walks a long list whose entries have ids, or none, and prints by how many MB the heap has grown since its beginning. */
const walk = (pages: number, entry: string): string => `
import { createPageContext } from './src/page/context.ts';
import { iterate } from './src/core/lowLevel/paginate.ts';

let page = 0;
const fetch = async () => {
  page++;
  const data = Array.from({ length: 500 }, (_, at) => (${entry}));
  const next = 'https://graph.facebook.com/v26.0/1/feed?after=' + page;
  return Response.json({ data, paging: page < ${pages} ? { next } : {} });
};
const context = createPageContext({ appId: '1', appSecret: 's', fetch })._unsafeUnwrap();
let entries = 0;
const heapMb = () => {
  gc();
  return process.memoryUsage().heapUsed / 2 ** 20;
};
let before;
let grown = 0;
for await (const entry of iterate(context, '1/feed')) {
  entry._unsafeUnwrap();
  if (++entries === 5000) before = heapMb();
  if (entries === ${pages} * 500 - 1) grown = heapMb() - before;
}
console.log(JSON.stringify({ entries, grown }));
`;

test.each([
  ['100,000 entries', 200, "{ id: page + '_' + at }"],
  ['10,000 large entries without ids', 20, "{ name: page + '.' + at, text: 'x'.repeat(1500) }"],
] as const)('a walk over %s needs no more memory at its end', { tags: 'long' }, async (_, pages, entry) => {
  const flags = ['--expose-gc', '--input-type=module', '-e', walk(pages, entry)];
  const { stdout } = await promisify(execFile)(process.execPath, flags);
  const { entries, grown } = JSON.parse(stdout) as { readonly entries: number; readonly grown: number };

  expect(entries).toBe(pages * 500);
  // What it remembers of 100,000 entries would take 10 MB.
  expect(grown).toBeLessThan(2);
});
