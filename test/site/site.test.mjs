// The documentation site as `npm run docs` built it, below a path, as a reader's browser sees it.
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { checkLinks } from '../../site/checkLinks.mjs';
import { serveUi } from '../../src/sandbox/cli.ts';
import { chromiumPath, has } from '../support/machine.ts';

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

describe.skipIf(!has('chromium'))('in Chromium', () => {
  let browser;
  let server;
  let start = '';
  /** What went wrong in any tab, and requests that left the server of the site. */
  const faults = [];

  beforeAll(async () => {
    server = await serve();
    start = `http://127.0.0.1:${server.address().port}${base}`;
    browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] });
  });
  afterAll(async () => {
    await browser.close();
    server.close();
  });

  async function open(path, options = {}) {
    const tab = await browser.newPage(options);
    tab.on('pageerror', (error) => faults.push(error.message));
    tab.on('console', (said) => said.type() === 'error' && faults.push(said.text()));
    tab.on('request', (request) => request.url().startsWith(start) || faults.push(request.url()));
    tab.on(
      'response',
      (response) => response.status() < 400 || faults.push(`${response.status()} ${response.url()}`),
    );
    await tab.goto(`${start}${path}`, { waitUntil: 'networkidle' });
    // Set by the page's script, so it has run. On a busy machine, that is some time after the last request.
    await tab.locator('.VPSwitchAppearance[title*="theme"]').first().waitFor({ state: 'attached' });
    return tab;
  }

  test('the start page says what it is, and leads to the guides', async () => {
    const tab = await open('');

    expect(await tab.title()).toContain('pagepics');
    expect(await tab.getByRole('heading', { level: 1 }).textContent()).toContain('pagepics');
    await tab.getByRole('link', { name: 'Guides' }).first().click();
    await tab.waitForURL('**/docs/first-ten-minutes.html');
    // The address changes before the page does.
    await tab.getByRole('heading', { level: 1, name: 'The first ten minutes' }).waitFor();
    expect(faults).toEqual([]);
  });

  test('the code and the picture of the start page are above the fold', async () => {
    const tab = await open('', { viewport: { width: 1280, height: 800 } });

    const ends = await tab
      .locator('.home .top :is(pre, picture img)')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().bottom));
    expect(ends).toHaveLength(3);
    expect(Math.max(...ends)).toBeLessThan(800);
    expect(await tab.locator('.home .top').innerText()).toContain('client.publishPost(');
  });

  test('the picture has a narrow form for phones, and a dark one', async () => {
    const shown = async (width, colorScheme) => {
      const tab = await open('', { viewport: { width, height: 800 }, colorScheme });
      const picture = tab.locator('.home picture img');
      return { address: await picture.evaluate((one) => one.currentSrc), bytes: await picture.screenshot() };
    };
    const [wide, narrow, dark] = [
      await shown(1280, 'light'),
      await shown(390, 'light'),
      await shown(1280, 'dark'),
    ];

    expect(wide.address).not.toContain('narrow');
    expect(narrow.address).toContain('narrow');
    expect(dark.address).toBe(wide.address);
    expect(dark.bytes.equals(wide.bytes)).toBe(false);
  });

  test.each(['light', 'dark'])(
    'on a phone, code and tables that go on beyond the edge have a shadow there: %s',
    async (colorScheme) => {
      const tab = await open('docs/governor.html', { viewport: { width: 390, height: 844 }, colorScheme });
      for (const box of ['.scroll', "div[class*='language-'] pre"]) {
        const wide = tab.locator(`.vp-doc ${box}`).filter({ visible: true });
        const at = await wide.evaluateAll((all) =>
          all.findIndex((one) => one.scrollWidth > one.clientWidth + 50),
        );
        const one = wide.nth(at);
        /** The box without what stands in it, once that is scrolled to one of its ends. */
        const emptied = async (left) => {
          await one.evaluate((box, to) => {
            for (const part of box.children) part.style.visibility = 'hidden';
            box.scrollLeft = to;
          }, left);
          return one.screenshot();
        };
        expect((await emptied(0)).equals(await emptied(9_999)), box).toBe(false);
      }
    },
  );

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
    ['publishReel', 'publishReel (Page)', '**/api/page/functions/publishReel.html*'],
    ['comments (Page)', 'comments (Page)', '**/api/page/functions/comments.html*'],
    ['comments (photo-sharing)', 'comments (photo-sharing)', '**/api/pics/functions/comments.html*'],
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

  test('the page of a function shows all that is known of it', async () => {
    const tab = await open('api/page/functions/publishReel.html');

    const text = await tab.locator('.vp-doc').innerText();
    expect(text).toContain('): ResultAsync<PublishedReel, Failure>');
    expect(text).toContain('client.publishReel(options: PublishReelOptions): Promise<PublishedReel>');
    expect(text).toContain('looked up by its id');
    expect(text).toContain('await publishReel(context, {');
    expect(text).toContain('With a client, which throws:');
    const row = (name) => tab.getByRole('row').filter({ hasText: name }).first().innerText();
    expect(await row('waitTimeoutMs')).toMatch(/number\s+How long.*Default: 300_000\./s);
    expect(await row('pageId')).toContain('Required.');
    expect(await row('RateLimitError')).toContain('The platform limits the caller');
    expect(await row('Permissions')).toContain('pages_manage_posts');
    await tab.getByRole('link', { name: 'PublishReelOptions' }).first().click();
    await tab.waitForURL('**/api/page/type-aliases/PublishReelOptions.html');
    expect(faults).toEqual([]);
  });

  test('the list of entries says what each is', async () => {
    const tab = await open('api/');

    const abouts = await tab.locator('tbody tr').evaluateAll((rows) => rows.map((row) => row.innerText));
    const { exports } = JSON.parse(readFileSync('package.json', 'utf8'));
    // A file that is no module, such as package.json itself, is exported as a text.
    const modules = Object.values(exports).filter((entry) => typeof entry === 'object');
    expect(abouts).toHaveLength(modules.length);
    expect(abouts.filter((text) => !/^pagepics\S*\s+[A-Z].+\.$/.test(text))).toEqual([]);
  });

  const views = [
    ['light', { viewport: { width: 1280, height: 800 }, colorScheme: 'light' }],
    ['dark', { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' }],
    ['on a phone', { viewport: { width: 390, height: 844 }, colorScheme: 'light' }],
    ['dark on a phone', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' }],
  ];
  const kinds = [
    '',
    'docs/retries.html',
    'docs/governor.html',
    'api/',
    'api/pics/',
    'api/pics/functions/publish.html',
    'api/page/interfaces/PageContextOptions.html',
    'api/core/classes/ApiError.html',
  ];
  test.each(views)(
    'axe finds nothing to mend: %s',
    { timeout: 240_000, tags: 'long' },
    async (_, options) => {
      const axe = readFileSync('site/node_modules/axe-core/axe.min.js', 'utf8');
      const found = [];
      for (const path of kinds) {
        const tab = await open(path, options);
        // Axe does not judge contrast on gradients, and text does not lie on these.
        await tab.addStyleTag({ content: '.vp-doc * { background-image: none !important }' });
        await tab.evaluate(axe);
        const { violations, passes } = await tab.evaluate(() => globalThis.axe.run());
        expect(passes.length).toBeGreaterThan(15);
        for (const { id, nodes } of violations) found.push(`${path}: ${id}: ${nodes[0].html}`);
        await tab.close();
      }
      expect(found).toEqual([]);
    },
  );

  const extremes = [views[0], views[3]];
  test.each(extremes)(
    'nor in the pages of the sandbox: %s',
    { timeout: 240_000, tags: 'long' },
    async (_, options) => {
      const axe = readFileSync('site/node_modules/axe-core/axe.min.js', 'utf8');
      await using sandbox = await serveUi({}, { port: 0 });
      const headers = { origin: sandbox.url };
      await fetch(`${sandbox.url}/ui/begin`, {
        method: 'POST',
        headers,
        body: new URLSearchParams({ fault: 'lost' }),
      });
      // The scripts of a test are not those of the page, whose policy allows only its own.
      const tab = await browser.newPage({ ...options, bypassCSP: true });
      for (const path of ['/', '/ui/faults']) {
        await tab.goto(sandbox.url + path);
        await tab.evaluate(axe);
        const { violations } = await tab.evaluate(() => globalThis.axe.run());
        expect(violations.map(({ id, nodes }) => `${path}: ${id}: ${nodes[0].html}`)).toEqual([]);
        expect(await tab.locator('html').evaluate((one) => one.scrollWidth)).toBeLessThanOrEqual(
          options.viewport.width,
        );
      }
      await tab.close();
    },
  );

  test(
    'no page is taller than 40,000 pixels, nor wider than the screen',
    { timeout: 240_000, tags: 'long' },
    async () => {
      // What is shown before scripts run is all there is. The tallest pages are among the largest files.
      const files = globSync('**/*.html', { cwd: dist })
        .map((name) => [name, statSync(join(dist, name)).size])
        .sort(([, a], [, b]) => b - a)
        .slice(0, 60);
      const odd = [];
      for (const width of [1280, 390]) {
        const tab = await browser.newPage({ viewport: { width, height: 800 }, javaScriptEnabled: false });
        for (const [name] of files) {
          await tab.goto(`${start}${name}`);
          const size = await tab.locator('html').evaluate((one) => [one.scrollHeight, one.scrollWidth]);
          // The history grows by nature.
          const isTall = size[0] > 40_000 && name !== 'CHANGELOG.html';
          if (isTall || size[1] > width) odd.push([name, width, ...size]);
        }
        await tab.close();
      }
      expect(odd).toEqual([]);
    },
  );

  test.each(['', 'docs/retries.html', 'docs/journal.html', 'api/page/functions/publishPost.html'])(
    'no line of text is longer than 75 characters: %s',
    async (path) => {
      const tab = await open(path, { viewport: { width: 1920, height: 1080 } });

      const longest = await tab.locator('.vp-doc :is(p, li)').evaluateAll((all) =>
        all
          .filter((one) => one.querySelector('p, li, pre, table') === null)
          .map((one) => {
            const tops = new Map();
            const walker = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
            for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
              for (let at = 0; at < node.length; at++) {
                const range = document.createRange();
                range.setStart(node, at);
                range.setEnd(node, at + 1);
                const line = Math.round(range.getBoundingClientRect().bottom / 12);
                tops.set(line, (tops.get(line) ?? 0) + 1);
              }
            return [Math.max(0, ...tops.values()), one.textContent];
          })
          .sort(([a], [b]) => b - a),
      );
      expect(longest.length).toBeGreaterThan(3);
      expect(longest[0][0], longest[0][1]).toBeLessThanOrEqual(75);
    },
  );
});

test('no page loads more than 200 kB, gzipped, before a search', () => {
  const sizes = new Map();
  const sizeOf = (path) => {
    const size = sizes.get(path) ?? gzipSync(readFileSync(join(dist, path))).length;
    sizes.set(path, size);
    return size;
  };
  const pages = globSync('**/*.html', { cwd: dist }).map((page) => {
    const text = readFileSync(join(dist, page), 'utf8');
    const links = text.matchAll(
      /(?:<script[^>]* src|<link rel="(?:modulepreload|stylesheet|preload stylesheet)"[^>]* href|<img[^>]* src)="([^"]+)"/g,
    );
    const parts = new Set([...links].map(([, link]) => link).filter((link) => link.startsWith(base)));
    const all = [page, ...[...parts].map((link) => link.slice(base.length))];
    return { page, parts: parts.size, size: all.map(sizeOf).reduce((sum, size) => sum + size, 0) };
  });
  const [heaviest] = pages.toSorted((a, b) => b.size - a.size);

  expect(pages.length).toBeGreaterThan(500);
  expect(heaviest.parts).toBeGreaterThan(2);
  expect(heaviest.size, heaviest.page).toBeLessThan(200_000);
});

test('programs find the sources of all pages', () => {
  const list = readFileSync(join(dist, 'llms.txt'), 'utf8');
  const paths = [...list.matchAll(/\]\(([^)]+)\)/g)].map(([, path]) => path);

  expect(paths.length).toBeGreaterThan(15);
  expect(paths.filter((path) => !existsSync(join(dist, path)))).toEqual([]);
  expect(readFileSync(join(dist, 'llms-full.txt'), 'utf8')).toContain('# Retries and once-only publishing');
});
