// The documentation site as `npm run docs` built it, below a path, as a reader's browser sees it.
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';

import { chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { checkLinks } from '../../site/checkLinks.mjs';

const executablePath = '/usr/bin/chromium';
const dist = 'site/dist';
const base = '/pagepics/';
const types = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.md': 'text/plain; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

/** A plain file server, which knows nothing of the site. */
async function serve() {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://site.invalid');
    const path = join(dist, decodeURIComponent(pathname.slice(base.length)));
    const file = path.endsWith('/') || path === dist ? join(path, 'index.html') : path;
    if (!pathname.startsWith(base) || !existsSync(file) || statSync(file).isDirectory()) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' });
    response.end(readFileSync(file));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

test('the check of links finds those to a page or a place that is not there', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pagepics-links-'));
  try {
    const links = [
      '#here',
      '#gone',
      'other.html',
      '/pagepics/',
      '/',
      '/pagepics/a.js',
      'https://elsewhere.invalid/',
    ];
    const text = links.map((link) => `<a href="${link}">x</a>`).join('');
    writeFileSync(join(folder, 'index.html'), `<p id="here">${text}</p>`);

    expect(checkLinks(folder, base)).toEqual({
      checked: 6,
      dead: ['#gone', 'other.html', '/', '/pagepics/a.js'].map((link) => `index.html: ${link}`),
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('all links of the site lead to what is there', () => {
  const { dead, checked } = checkLinks(dist, base);

  expect(dead).toEqual([]);
  expect(checked).toBeGreaterThan(1000);
});

describe.skipIf(!existsSync(executablePath))('in Chromium', () => {
  let browser;
  let server;
  let start = '';
  /** What went wrong in any tab, and requests that left the server of the site. */
  const faults = [];

  beforeAll(async () => {
    server = await serve();
    start = `http://127.0.0.1:${server.address().port}${base}`;
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  });
  afterAll(async () => {
    await browser.close();
    server.close();
  });

  async function open(path) {
    const tab = await browser.newPage();
    tab.on('pageerror', (error) => faults.push(error.message));
    tab.on('console', (said) => said.type() === 'error' && faults.push(said.text()));
    tab.on('request', (request) => request.url().startsWith(start) || faults.push(request.url()));
    tab.on(
      'response',
      (response) => response.status() < 400 || faults.push(`${response.status()} ${response.url()}`),
    );
    await tab.goto(`${start}${path}`, { waitUntil: 'networkidle' });
    return tab;
  }

  test('the start page says what it is, and leads to the guides', async () => {
    const tab = await open('');

    expect(await tab.title()).toContain('pagepics');
    expect(await tab.getByRole('heading', { level: 1 }).textContent()).toContain('pagepics');
    await tab.getByRole('link', { name: 'Guides' }).first().click();
    await tab.waitForURL('**/docs/contexts.html');
    expect(await tab.getByRole('heading', { level: 1 }).textContent()).toContain('Contexts and clients');
    expect(faults).toEqual([]);
  });

  test('a guide is shown with its table of contents, its neighbours and its pictures', async () => {
    const tab = await open('docs/retries.html');

    expect(await tab.getByRole('heading', { level: 1 }).textContent()).toContain('Retries and once-only');
    await tab.getByRole('link', { name: 'Exactly once, across crashes and machines' }).first().waitFor();
    await tab.locator('.VPDocAsideOutline').getByRole('link', { name: 'What is sent again' }).click();
    await tab.waitForURL('**/docs/retries.html#what-is-sent-again');
    const shown = await tab
      .locator('.vp-doc img')
      .evaluateAll((all) => all.map((one) => one.naturalWidth > 0));
    expect(shown).toEqual([true]);
    expect(faults).toEqual([]);
  });

  test.each([
    ['publishReel', 'publishReel', '**/api/page/functions/publishReel.html*'],
    ['lost response', 'Retries and once-only', '**/docs/retries.html*'],
  ])('the search finds %s', async (words, title, url) => {
    const tab = await open('');

    await tab.getByRole('button', { name: 'Search' }).first().click();
    await tab.locator('#localsearch-input').fill(words);
    await tab.locator('.VPLocalSearchBox .result', { hasText: title }).first().click();
    await tab.waitForURL(url);
    await tab.getByRole('heading', { level: 1, name: title }).waitFor();
    expect(faults).toEqual([]);
  });

  test('the page of a function shows its signature, its words and both its samples', async () => {
    const tab = await open('api/page/functions/publishReel.html');

    const text = await tab.locator('.vp-doc').innerText();
    expect(text).toContain('function publishReel(context, options): ResultAsync<PublishedReel, Failure>');
    expect(text).toContain('looked up by its id');
    expect(text).toContain('await publishReel(context, { pageId');
    expect(text).toContain('With a client, which throws:');
    await tab.getByRole('link', { name: 'PublishReelOptions' }).first().click();
    await tab.waitForURL('**/api/page/#publishreeloptions');
    expect(faults).toEqual([]);
  });
});

test('programs find the sources of all pages', () => {
  const list = readFileSync(join(dist, 'llms.txt'), 'utf8');
  const paths = [...list.matchAll(/\]\(([^)]+)\)/g)].map(([, path]) => path);

  expect(paths.length).toBeGreaterThan(15);
  expect(paths.filter((path) => !existsSync(join(dist, path)))).toEqual([]);
  expect(readFileSync(join(dist, 'llms-full.txt'), 'utf8')).toContain('# Retries and once-only publishing');
});
