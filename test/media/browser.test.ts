import { spawn } from 'node:child_process';
import { once } from 'node:events';

import nock from 'nock';
import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { bareEnvironment, chromiumPath, has } from '../support/machine.ts';
import { bytesOf, exif, fileOf } from './support.ts';

/** Starts the example on a free port, as `npm run example` does. */
async function startExample() {
  const child = spawn(process.execPath, ['scripts/example.mjs', 'check-in-a-browser'], {
    env: { ...bareEnvironment, PORT: '0' },
    // It runs the example in a process of its own, which ends with it.
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.on('exit', () => reject(new Error(`it ended: ${output}`)));
    child.stdout.on('data', (text: Buffer) => {
      output += text.toString();
      const [found] = /http:\/\/[\d.:]+\d/.exec(output) ?? [];
      if (found !== undefined) resolve(found);
    });
  });
  const stop = async (): Promise<void> => {
    const ended = once(child, 'exit');
    process.kill(-(child.pid ?? 0));
    await ended;
  };
  return { url, stop };
}

/** A picture of two colours that the browser makes. */
async function jpegOf(tab: Page, width: number, height: number): Promise<Buffer> {
  const url = await tab.evaluate(
    ([width, height]) => {
      const canvas = Object.assign(document.createElement('canvas'), { width, height });
      const context = canvas.getContext('2d');
      if (context === null) throw new Error('no canvas');
      context.fillStyle = 'teal';
      context.fillRect(0, 0, width, height);
      context.fillStyle = 'orange';
      context.fillRect(0, 0, width / 2, height / 2);
      return canvas.toDataURL('image/jpeg');
    },
    [width, height] as const,
  );
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
}

describe.skipIf(!has('chromium'))('in Chromium, the example check-in-a-browser', () => {
  let browser: Browser;
  let example: Awaited<ReturnType<typeof startExample>>;

  beforeAll(async () => {
    nock.restore();
    [browser, example] = await Promise.all([
      chromium.launch({ executablePath: chromiumPath }),
      startExample(),
    ]);
  });
  afterAll(async () => {
    await Promise.all([browser.close(), example.stop()]);
    nock.activate();
  });

  /** The page, and all that it asked for over the network or complained of. */
  async function open() {
    const tab = await browser.newPage();
    const sent: string[] = [];
    const faults: string[] = [];
    tab.on('request', (request) => {
      const { protocol, pathname } = new URL(request.url());
      if (protocol !== 'blob:' && protocol !== 'data:') sent.push(`${request.method()} ${pathname}`);
    });
    tab.on('pageerror', ({ message }) => faults.push(message));
    tab.on('console', (said) => said.type() === 'error' && faults.push(said.text()));
    await tab.goto(example.url);
    return { tab, sent, faults, [Symbol.asyncDispose]: () => tab.close() };
  }

  async function choose(tab: Page, as: string, files: Readonly<Record<string, Uint8Array>>): Promise<void> {
    await tab.getByLabel('Publish as').selectOption(as);
    await tab.getByLabel('Files').setInputFiles(
      Object.entries(files).map(([name, bytes]) => ({
        name,
        mimeType: name.endsWith('.mp4') ? 'video/mp4' : 'image/jpeg',
        buffer: Buffer.from(bytes),
      })),
    );
  }

  /** What of each picture is shown, in hundredths of its sides: left, top, width, height. */
  function frames(tab: Page): Promise<readonly (readonly number[] | undefined)[]> {
    return tab.locator('.picture').evaluateAll((pictures) =>
      pictures.map((picture) => {
        const shown = picture.querySelector('.shown')?.getBoundingClientRect();
        if (shown === undefined) return undefined;
        const { x, y, width, height } = picture.getBoundingClientRect();
        return [
          (shown.x - x) / width,
          (shown.y - y) / height,
          shown.width / width,
          shown.height / height,
        ].map((part) => Math.round(part * 1000) / 10);
      }),
    );
  }

  const ownRequests = ['GET /', 'GET /checkPage.js'];

  test('shows what of a carousel is cropped to the ratio of the first, and sends nothing', async () => {
    await using page = await open();
    const { tab, sent, faults } = page;
    // The third is stored lying, and shown upright.
    const lying = await jpegOf(tab, 1350, 1080);
    const name = '<img src=x>.jpg';
    await choose(tab, 'a carousel', {
      [name]: await jpegOf(tab, 1080, 1080),
      'wide.jpg': await jpegOf(tab, 1350, 1080),
      'tall.jpg': bytesOf(lying.subarray(0, 2), exif(6), lying.subarray(2)),
    });

    const items = tab.getByRole('article');
    await items.nth(2).waitFor();
    expect(await tab.getByRole('heading', { level: 2 }).allTextContents()).toEqual([
      name,
      'wide.jpg',
      'tall.jpg',
    ]);
    expect(await frames(tab)).toEqual([undefined, [10, 0, 80, 100], [0, 10, 100, 80]]);
    expect(await items.nth(0).innerText()).not.toContain('aspect ratio');
    expect(await items.nth(1).innerText()).toContain(
      'Changed: aspect ratio: item 2 is cropped to the ratio of the first, 1080 × 1080; the sides are cut: 1350 × 1080 shows 1080 × 1080 of it\n\nWhat mends it: give all items one ratio',
    );
    expect(await items.nth(2).innerText()).toContain(
      'top and bottom are cut: 1080 × 1350 shows 1080 × 1080 of it',
    );
    // The browser turns it as well.
    await expect
      .poll(() =>
        tab
          .locator('img')
          .evaluateAll((all) =>
            all.map((each) => each instanceof HTMLImageElement && [each.naturalWidth, each.naturalHeight]),
          ),
      )
      .toEqual([
        [1080, 1080],
        [1350, 1080],
        [1080, 1350],
      ]);
    expect({ sent, faults }).toEqual({ sent: ownRequests, faults: [] });
  });

  test('shows the 9:16 of a video, what refuses a file, and what was chosen last', async () => {
    await using page = await open();
    const { tab, sent } = page;
    // Its pixels are twice as wide as high.
    await choose(tab, 'a Reel', { 'clip.mp4': fileOf('anamorphic.mp4') });

    const item = tab.getByRole('article');
    await item.waitFor();
    expect(await tab.locator('video').count()).toBe(1);
    expect(await frames(tab)).toEqual([[25, 0, 50, 100]]);
    expect(await item.innerText()).toContain('360 × 320 shows 180 × 320 of it');

    await choose(tab, 'a Reel', { 'clip.mp4': await jpegOf(tab, 1080, 1920) });
    await item.getByText('Refused: format: jpeg').waitFor();
    await tab.getByLabel('Publish as').selectOption('a picture');
    await item.getByText('Refused: aspect ratio: 0.5625').waitFor();
    await tab.getByLabel('Publish as').selectOption('a carousel');
    await tab.getByText('Refused: items: 1, where 2 to 10 is taken').waitFor();
    await choose(tab, 'a story', { 'clip.jpg': await jpegOf(tab, 1080, 1920) });
    await item.getByText('Nothing is known that refuses or changes it.').waitFor();
    expect(await frames(tab)).toEqual([undefined]);
    expect(sent).toEqual(ownRequests);
  });
});
