// How many requests a second a sandbox responds to through `fetch`, in one process.
import { createSandbox, type Sandbox } from '../dist/sandbox/index.js';
import type { Row } from './rows.ts';

const requests = 3000;
const sandbox = createSandbox({ requireProof: false });
const [page] = sandbox.pages;
if (page === undefined) throw new Error('the sandbox has Pages');
const graph = `${sandbox.platform.graphUrl}/v26.0`;
const query = `access_token=${page.token}`;

async function measure(name: string, send: (index: number) => ReturnType<Sandbox['fetch']>): Promise<Row> {
  const started = performance.now();
  for (let index = 0; index < requests; index++) {
    const response = await send(index);
    await response.text();
    if (response.status !== 200) throw new Error(`${name}: ${response.status}`);
  }
  const perSecond = (requests * 1000) / (performance.now() - started);
  return { figure: `the sandbox: ${name}`, own: `${perSecond.toFixed(0)} requests a second` };
}

const post = (message: string) =>
  sandbox.fetch(`${graph}/${page.id}/feed?${query}`, {
    method: 'POST',
    body: new URLSearchParams({ message }),
  });
const list = () => sandbox.fetch(`${graph}/${page.id}/published_posts?${query}&fields=id,message&limit=25`);

export async function sandboxes(): Promise<readonly Row[]> {
  return [
    await measure('reads of a Page', () => sandbox.fetch(`${graph}/${page?.id}?${query}&fields=id,name`)),
    await measure('lists of posts', list),
    await measure('publishes', (index) => post(`post ${index}`)),
    await measure(`lists, the Page having ${requests} posts`, list),
  ];
}
