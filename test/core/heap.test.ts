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

/** Walks a list whose entries have no ids, and prints by how many MB the heap has grown at its end. */
const walk = `
import { createPageContext } from './src/page/context.ts';
import { iterate } from './src/core/lowLevel/paginate.ts';

let page = 0;
const fetch = async () => {
  page++;
  const data = Array.from({ length: 500 }, (_, at) => ({ name: page + '.' + at, text: 'x'.repeat(1500) }));
  const next = 'https://graph.facebook.com/v26.0/1/feed?after=' + page;
  return Response.json({ data, paging: page < 120 ? { next } : {} });
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
  if (++entries === 1000) before = heapMb();
  if (entries === 59_999) grown = heapMb() - before;
}
console.log(JSON.stringify({ entries, grown }));
`;

test('a walk over 60,000 entries without ids remembers little of each', { tags: 'long' }, async () => {
  const flags = ['--expose-gc', '--input-type=module', '-e', walk];
  const { stdout } = await promisify(execFile)(process.execPath, flags);
  const { entries, grown } = JSON.parse(stdout) as { readonly entries: number; readonly grown: number };

  expect(entries).toBe(60_000);
  expect(grown).toBeLessThan(15);
});
