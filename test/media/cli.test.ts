import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type CheckLine, run } from '../../src/media/cli.ts';
import { listen } from '../support/server.ts';
import { be, bytesOf, exif, fileOf, jpeg, tiff } from './support.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pagepics-check-'));
  const files = {
    'good.jpg': jpeg(),
    'wide.jpg': jpeg({ width: 1080, height: 500 }),
    'square.jpg': jpeg({ width: 1080, height: 1080 }),
    'short.mp4': fileOf('faststart.mp4'),
    'note.txt': bytesOf('hi there'),
  };
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder, name), bytes);
});
afterAll(() => rm(folder, { recursive: true }));

interface Said {
  readonly code: number;
  readonly out: string;
  readonly errors: string;
  readonly progress: readonly string[];
}

async function check(args: readonly string[], line: Partial<CheckLine> = {}): Promise<Said> {
  const [out, errors, progress]: string[][] = [[], [], []];
  const code = await run(['check', ...args], {
    env: {},
    write: (text) => out?.push(text),
    writeError: (text) => errors?.push(text),
    fetch: () => Promise.reject(new Error('nothing may be asked')),
    filesIn: async (path) =>
      path === folder ? ['a', 'b', 'c'].map((name) => join(folder, name)) : undefined,
    progress: (text) => progress?.push(text),
    ...line,
  });
  return { code, out: out?.join('\n') ?? '', errors: errors?.join('\n') ?? '', progress: progress ?? [] };
}

const at = (name: string): string => join(folder, name);

test('a file for people: the verdict, what it is, what was found and what mends it, in 80 columns', async () => {
  const { code, out, errors, progress } = await check([at('wide.jpg'), '--for', 'image']);
  expect([code, errors, progress]).toEqual([1, '', []]);
  const [first, second, ...rows] = out.split('\n');
  expect(first).toBe(`${at('wide.jpg')}: refused as pics.image`);
  expect(second).toMatch(/^ {2}jpeg, 1080 × 500, 1 kB$/);
  expect(rows.join('\n')).toContain(`  refused  aspect ratio: 2.16, where 0.75 to 1.91 is taken
           crop it to 955 × 500
           IG User Media reference, 2026-10-04; code 36003/2207009`);
  expect(out).not.toContain('\u{1b}');
});

test('nothing found', async () => {
  const { code, out } = await check([at('good.jpg'), '--for', 'pics.image']);
  expect([code, out.split('\n')[0]]).toEqual([0, `${at('good.jpg')}: nothing found as pics.image`]);
});

test('colours where there is a terminal', async () => {
  const { out } = await check([at('wide.jpg'), '--for=image'], { hasColours: true });
  expect(out).toContain('\u{1b}[31mrefused\u{1b}[0m');
});

test('several files: progress, and a summary; what cannot be read is not judged', async () => {
  const files = ['good.jpg', 'wide.jpg', 'gone.jpg', 'note.txt'].map(at);
  const { code, out, progress } = await check([...files, '--for', 'image']);
  expect(code).toBe(1);
  expect(progress).toEqual(['1 of 4', '2 of 4', '3 of 4', '4 of 4', '']);
  expect(out).toContain(
    `${at('gone.jpg')}: not judged as pics.image\n  it cannot be opened: there is no such file\n`,
  );
  expect(out).toContain(`${at('note.txt')}: not judged`);
  expect(out).toMatch(/\n1 of 4 refused, 0 with remarks, 1 without, 2 not judged\.$/);
  expect((await check([at('good.jpg'), at('gone.jpg'), '--for', 'image'])).code).toBe(2);
});

test('a folder has its files checked', async () => {
  const { code, out } = await check([folder, '--for', 'image']);
  expect([code, out.match(/not judged as pics\.image$/gm)?.length]).toEqual([2, 3]);
});

test('a carousel is judged as a set, whose items may be videos', async () => {
  const files = [at('square.jpg'), at('good.jpg'), at('short.mp4')];
  const { out } = await check([...files, '--for', 'carousel']);
  expect(out.replaceAll(/\n {11}/g, ' ')).toContain(
    'item 2 is cropped to the ratio of the first, 1080 × 1080; top and bottom are cut: 1080 × 1350 shows 1080 × 1080 of it',
  );
  const { files: checked, carousel } = JSON.parse(
    (await check([...files, '--for', 'carousel', '--json'])).out,
  );
  expect(checked.map(({ kind }: { readonly kind: string }) => kind)).toEqual([
    'pics.carouselImage',
    'pics.carouselImage',
    'pics.carouselVideo',
  ]);
  expect(carousel[0]).toMatchObject({ item: 1, property: 'aspect_ratio', severity: 'changed' });
  const alone = await check([at('good.jpg'), '--for', 'carousel']);
  expect([alone.code, alone.out]).toEqual([1, expect.stringContaining('items: 1, where 2 to 10 is taken')]);
});

test('JSON has facts and findings', async () => {
  const { code, out } = await check([at('wide.jpg'), '--for', 'image', '--json']);
  expect(code).toBe(1);
  expect(JSON.parse(out).files).toMatchObject([
    { source: at('wide.jpg'), kind: 'pics.image', isAccepted: false, facts: { width: 1080 }, findings: [{}] },
  ]);
});

test('addresses are met as by the platform, and their queries are not shown', async () => {
  await using server = await listen(
    createServer(({ url }, response) => {
      if (url?.startsWith('/robots')) response.writeHead(404).end();
      else response.writeHead(200, { 'content-type': 'image/jpeg' }).end(jpeg());
    }),
  );
  const fetched: CheckLine['fetch'] = (url) =>
    fetch(`${server.origin}${new URL(url instanceof Request ? url.url : url).pathname}`);
  const address = 'https://media.example.com/a.jpg?signature=sesame#sesame';
  for (const more of [[], ['--json']]) {
    const { code, out, errors } = await check([address, '--for', 'story', ...more], { fetch: fetched });
    expect(code).toBe(0);
    expect(out).toContain('https://media.example.com/a.jpg?…');
    expect(out).toMatch(/storyImage|jpeg, 1080 × 1350/);
    expect(out + errors).not.toContain('sesame');
  }
  const lost = await check([address, '--for', 'image']);
  expect([lost.code, lost.out]).toEqual([
    2,
    expect.stringContaining('the host of the address did not answer'),
  ]);
  expect(lost.out).not.toContain('sesame');
  const own = await check(['http://me:sesame@192.168.0.1/a.jpg', '--for', 'image']);
  expect([own.code, own.out]).toEqual([2, expect.not.stringContaining('sesame')]);
});

test('names of files cannot steer a terminal', async () => {
  expect((await check(['a\u{1b}[2Jb\u{202e}.jpg', '--for', 'image'])).out).toContain(
    'a�[2Jb�.jpg: not judged',
  );
});

test.each([
  [[], 'Name a file, a folder or an address.'],
  [['a.jpg'], '--for is missing: what are they to be published as?'],
  [['a.jpg', '--for'], '--for needs a value.'],
  [['a.jpg', '--for', 'reels'], '--for takes no reels.'],
  [['a.jpg', '--for', 'reel', '--verbose'], 'Unknown argument: --verbose'],
])('%j: %s', async (args, message) => {
  const { code, out, errors } = await check(args);
  expect([code, out]).toEqual([2, '']);
  expect(errors.startsWith(`${message}\n\nUsage: pagepics check`)).toBe(true);
});

describe('mending', () => {
  /** Writes what the tool would: the bytes given, or a failure. */
  function mender(made: Uint8Array | string, there: readonly string[] = []) {
    const jobs: unknown[] = [];
    const one: ReturnType<NonNullable<CheckLine['mender']>> = {
      isThere: async (path) => there.includes(path),
      isSame: async (a, b) => a === b,
      remux: async () => undefined,
      write: async (job, { target, check: looks, onProgress }) => {
        jobs.push(job);
        if (typeof made === 'string') return made;
        onProgress(1500);
        await writeFile(`${target}.part`, made);
        await looks(`${target}.part`);
        return undefined;
      },
    };
    return { mender: () => one, jobs };
  }
  const out = (name: string): string => at(`out-${name}`);

  test('without --mend, prints the one command, which a shell takes', async () => {
    await writeFile(at("it's.mp4"), fileOf('default.mp4'));
    const video = await check([at("it's.mp4"), '--for', 'page.reel']);
    expect(video.out).toMatch(
      /\nMend it by one command:\n {2}ffmpeg -i '\S*it'\\''s\.mp4' -vf scale=540:960,setsar=1,format=yuv420p .* '\S*it'\\''s\.mended\.mp4'\n/,
    );
    const image = await check([at('wide.jpg'), '--for', 'image']);
    expect(image.out).toContain(
      `npx pagepics check ${at('wide.jpg')} --for pics.image --mend ${at('wide.mended.jpg')}`,
    );
    expect((await check([at('good.jpg'), '--for', 'image'])).out).not.toContain('Mend it');
  });

  test('runs one job, and judges what comes out', async () => {
    const good = mender(jpeg());
    const { code, out: said } = await check([at('wide.jpg'), '--for', 'image', '--mend', out('a.jpg')], good);
    expect([code, said]).toEqual([
      0,
      expect.stringContaining(`${out('a.jpg')}: nothing found as pics.image`),
    ]);
    expect(good.jobs).toMatchObject([{ tool: 'sharp', before: [] }]);
    const bad = await check(
      [at('wide.jpg'), '--for', 'image', '--mend', out('a.jpg')],
      mender(jpeg({ width: 1080, height: 500 })),
    );
    expect(bad.code).toBe(1);
    // At risk is not good enough.
    const risky = await check(
      [at('wide.jpg'), '--for', 'image', '--mend', out('a.jpg')],
      mender(jpeg({ width: 1080, height: 1440 })),
    );
    expect(risky.code).toBe(1);
    const json = await check(
      [at('wide.jpg'), '--for', 'image', '--mend', out('a.jpg'), '--json'],
      mender(jpeg()),
    );
    expect(JSON.parse(json.out)).toMatchObject({
      files: [{ isAccepted: false }],
      job: { tool: 'sharp' },
      mended: { isAccepted: true },
    });
  });

  test('shows how far it is', async () => {
    const { progress } = await check(
      [at('short.mp4'), '--for', 'page.reel', '--mend', out('b.mp4')],
      mender(fileOf('faststart.mp4')),
    );
    expect(progress).toEqual(['50 %', '']);
  });

  test('copies what needs nothing, and makes nothing of what no tool mends', async () => {
    const copies = mender(jpeg());
    const { code, out: said } = await check(
      [at('good.jpg'), '--for', 'image', '--mend', out('c.jpg')],
      copies,
    );
    expect([code, said]).toEqual([0, expect.stringContaining('There was nothing to mend: it is a copy.')]);
    const nothing = mender(jpeg());
    const lost = await check([at('short.mp4'), '--for', 'pics.image', '--mend', out('c.jpg')], nothing);
    expect([lost.code, nothing.jobs]).toEqual([1, []]);
  });

  test.each([
    [['wide.jpg'], ['out-d.jpg'], [], 'is there already. --force overwrites it.'],
    [['wide.jpg'], [], [], 'sharp is missing'],
    [['wide.jpg', 'good.jpg'], [], [], 'Name one file to be mended.'],
    [['gone.jpg'], [], [], 'there is no such file'],
  ])('fails for %j with %j there', async (names, there, more, message) => {
    const { code, errors } = await check(
      [...names.map(at), '--for', 'image', '--mend', out('d.jpg'), ...more],
      mender('sharp is missing', there.map(at)),
    );
    expect([code, errors]).toEqual([2, expect.stringContaining(message)]);
  });

  test('a folder is not overwritten, whatever is said', async () => {
    const made = mender(jpeg(), [folder]);
    const { code, errors } = await check(
      [at('wide.jpg'), '--for', 'image', '--mend', folder, '--force'],
      made,
    );
    expect([code, errors]).toEqual([2, expect.stringContaining('is a folder: name the file')]);
    expect(made.jobs).toEqual([]);
  });

  test.each([
    [
      'wide.jpg',
      'image',
      'a.png',
      jpeg(),
      'It is a file of jpeg, whatever it is called: give it a name that ends in .jpg.',
    ],
    ['short.mp4', 'page.reel', 'b.webm', fileOf('faststart.mp4'), 'that ends in .mp4.'],
    ['short.mp4', 'page.reel', 'b', fileOf('faststart.mp4'), 'that ends in .mp4.'],
  ])('%s for %s, written as %s, is told to have another name', async (name, kind, written, made, words) => {
    const mended = (path: string) => check([at(name), '--for', kind, '--mend', path], mender(made));
    expect((await mended(out(written))).out).toContain(words);
    for (const good of ['c.MP4', 'c.jpeg'].filter((one) => words.includes('.mp4') === /mp4/i.test(one)))
      expect((await mended(out(good))).out).not.toContain('whatever it is called');
  });

  test('--force overwrites, but never the file itself', async () => {
    const forced = mender(jpeg(), [out('e.jpg')]);
    expect(
      (await check([at('wide.jpg'), '--for', 'image', '--mend', out('e.jpg'), '--force'], forced)).code,
    ).toBe(0);
    const own = await check([at('wide.jpg'), '--for', 'image', '--mend', at('wide.jpg'), '--force'], forced);
    expect([own.code, own.errors]).toEqual([2, 'The file to be mended is never overwritten.']);
  });

  test('a Reel in a container that is not read is not judged, and mended by what is in it', async () => {
    await writeFile(
      at('clip.webm'),
      bytesOf(0x1a, 0x45, 0xdf, 0xa3, 0x42, 0x82, 0x84, 'webm', new Uint8Array(200)),
    );
    const { code, out: said } = await check([at('clip.webm'), '--for', 'page.reel']);
    expect([code, said]).toEqual([2, expect.stringContaining('clip.webm: not judged as page.reel')]);
    const { mender: plain, jobs } = mender(fileOf('faststart.mp4'));
    const looks = () => ({
      ...plain(),
      remux: async <T>(_: string, read: (path: string) => Promise<T>) => read(at('short.mp4')),
    });
    await check([at('clip.webm'), '--for', 'pics.storyVideo', '--mend', out('f.mp4')], { mender: looks });
    expect(jobs).toMatchObject([{ tool: 'ffmpeg', args: expect.arrayContaining(['-c:v', 'copy', '-sn']) }]);
    // Its picture is not late.
    expect(jobs).not.toMatchObject([{ args: expect.arrayContaining(['-use_editlist']) }]);
    // Where its container is taken, what could not be judged is, as an MP4.
    await writeFile(
      at('clip.mkv'),
      bytesOf(0x1a, 0x45, 0xdf, 0xa3, 0x42, 0x82, 0x88, 'matroska', new Uint8Array(200)),
    );
    await check([at('clip.mkv'), '--for', 'page.video', '--mend', out('g.mp4')], { mender: looks });
    expect(jobs.at(-1)).toMatchObject({
      tool: 'ffmpeg',
      args: expect.arrayContaining(['-c:v', 'copy', '-sn']),
    });
  });

  test('a TIFF goes through sharp on its way to a video, so the one command is this one', async () => {
    await writeFile(
      at('scan.tiff'),
      tiff([
        [256, 4, 1, be(400, 4)],
        [257, 4, 1, be(300, 4)],
      ]),
    );
    const { out: said } = await check([at('scan.tiff'), '--for', 'pics.reel']);
    expect(said).toContain(
      `npx pagepics check ${at('scan.tiff')} --for pics.reel --mend ${at('scan.mended.mp4')}`,
    );
    const { mender: plain, jobs } = mender(fileOf('faststart.mp4'));
    await check([at('scan.tiff'), '--for', 'pics.reel', '--mend', out('h.mp4')], { mender: plain });
    expect(jobs).toMatchObject([{ tool: 'ffmpeg', picture: { isNeeded: true } }]);
  });

  test('a JPEG goes through sharp where its colours are not those of a video, upright', async () => {
    const { mender: plain, jobs } = mender(fileOf('faststart.mp4'));
    for (const [name, file] of [
      ['usual.jpg', jpeg()],
      ['print.jpg', jpeg({ components: 4, before: [exif(6)] })],
    ] as const) {
      await writeFile(at(name), file);
      await check([at(name), '--for', 'pics.reel', '--mend', out(`${name}.mp4`)], { mender: plain });
    }
    const steps = [['rotate'], ['png', { compressionLevel: 1 }]];
    expect(jobs).toMatchObject([{ before: [] }, { before: [], picture: { isNeeded: false, steps } }]);
    expect(jobs[0]).toMatchObject({ picture: undefined });
  });
});

test('help and refusals name each kind once', async () => {
  const { out } = await check(['--help']);
  const [, named = ''] =
    /--for <kind> +what the files are to be published as:\s+([^]*?)\n +--json/.exec(out) ?? [];
  const names = named.replace(' (all of them, in this order)', '').split(/,\s+/);
  expect(names).toEqual([...new Set(names)]);
  expect(names).toEqual(expect.arrayContaining(['story', 'carousel', 'pics.reel', 'reel', 'page.reel']));
  expect((await check(['a.jpg', '--for', 'reels'])).errors).toBe(`--for takes no reels.\n\n${out}`);
});

test('the fetch of the command sends headers, streams bodies and follows nothing', async () => {
  // It is JavaScript, without types.
  const { publicFetch } = (await import(new URL('../../bin/publicFetch.js', import.meta.url).href)) as {
    readonly publicFetch: () => (url: URL, init: RequestInit) => Promise<Response>;
  };
  await using server = await listen(
    createServer(({ headers }, response) => {
      response.writeHead(302, { location: '/b' }).end(headers.range);
    }),
  );
  const get = publicFetch();
  const { status, body } = await get(new URL(server.origin), { headers: { range: 'bytes=0-9' } });
  expect([status, await new Response(body).text()]).toEqual([302, 'bytes=0-9']);
});
