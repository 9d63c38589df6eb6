// Takes the picture of the sandbox's start page, docs/sandbox.webp, in Chromium: `npm run docs:picture`.
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';

import { chromium } from 'playwright-core';

import { createPageClient, createPicsClient } from '../src/index.ts';
import { serveUi } from '../src/sandbox/cli.ts';
import { createSandbox } from '../src/sandbox/index.ts';

// Equal seeds give equal tokens: these are those of the sandbox that is served.
const { app, picsApp, account, pages } = createSandbox();
const [page] = pages;
const webhook = createServer((request, response) => request.resume().on('end', () => response.end()));
await new Promise((resolve) => webhook.listen(0, '127.0.0.1', resolve));
const server = await serveUi({ requireProof: false }, { port: 0 });
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-lcd-text'],
});

const { platform } = server;
const client = createPageClient({ appId: app.id, appSecret: app.secret, platform });
const ofPage = { pageId: page.id, pageToken: page.token };
await client.subscribePage({ ...ofPage, fields: ['feed', 'leadgen', 'messages'] });
await client.publishPost({ ...ofPage, message: 'Open until nine.' });
const pics = createPicsClient({ appId: picsApp.id, appSecret: picsApp.secret, platform });
await pics.publish({
  token: account.token,
  imageUrl: 'https://example.com/cup.jpg',
  caption: 'Evening light',
});

const tab = await browser.newPage({ viewport: { width: 1136, height: 500 } });
await tab.goto(server.url);
const post = tab.getByRole('listitem').filter({ hasText: 'Open until nine.' }).first();
await post.getByRole('textbox').fill('Are you open on Sunday?');
await post.getByRole('button', { name: 'Comment' }).click();
await tab.getByLabel('Address of your webhook').fill(`http://127.0.0.1:${webhook.address().port}/webhooks`);
await tab.getByRole('button', { name: 'Deliver' }).click();
await tab.getByText('Sent to').waitFor();
await tab.getByRole('heading', { name: 'Pages', exact: true }).evaluate((one) => one.scrollIntoView());
const picture = await tab.screenshot();

// As WebP, which is a quarter of the size of a PNG.
await tab.goto('about:blank');
const webp = await tab.evaluate(async (bytes) => {
  const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${bytes}`)).blob());
  const canvas = new OffscreenCanvas(image.width, image.height);
  canvas.getContext('2d').drawImage(image, 0, 0);
  const blob = await canvas.convertToBlob({ type: 'image/webp', quality: 0.4 });
  return [...new Uint8Array(await blob.arrayBuffer())];
}, picture.toString('base64'));
writeFileSync(new URL('../docs/sandbox.webp', import.meta.url), new Uint8Array(webp));

await browser.close();
await server.close();
webhook.close();
