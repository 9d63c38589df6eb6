import { expect, test } from 'vitest';

import { ConfigurationError, TransportError } from '../../src/core/index.ts';
import { checkMediaUrl, mediaKinds } from '../../src/media/index.ts';
import { isCI } from '../support/machine.ts';
import { fc } from '../support/property.ts';
import { fileOf, jpeg } from './support.ts';

const files = [fileOf('default.mp4'), fileOf('fragmented.mp4'), jpeg(), new Uint8Array(300_000)];

const number = fc.oneof(
  fc.constantFrom('0', '1', '65535', '65536', '999999999', '9007199254740993', '-1', '*', '', '1e3'),
  fc.nat().map(String),
);
const answer = fc.record({
  status: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(200, 206) },
    { weight: 1, arbitrary: fc.constantFrom(201, 202, 301, 307, 403, 404, 416, 423, 429, 500, 503) },
  ),
  // As a good host has it, or anything.
  range: fc.oneof(
    { weight: 3, arbitrary: fc.constant('right') },
    { weight: 1, arbitrary: fc.tuple(number, number, number).map(([a, b, all]) => `bytes ${a}-${b}/${all}`) },
    { weight: 1, arbitrary: fc.constantFrom('', 'bytes */0', 'bytes', 'items 0-1/2') },
  ),
  length: fc.option(number),
  type: fc.constantFrom('video/mp4', 'image/jpeg', 'text/html', 'audio/mp4', 'application/octet-stream', ''),
  body: fc.constantFrom('right', 'short', 'long', 'endless', 'silent', 'broken', 'empty'),
  location: fc.constantFrom('', 'https://media.example.com/other.mp4', 'http://127.0.0.1/'),
});

/** A body of the parts that are pulled of it. */
function bodyOf(kind: string, bytes: Uint8Array, count: (bytes: number) => void): BodyInit | null {
  const zeros = new Uint8Array(65_536);
  if (kind === 'empty') return null;
  const first = kind === 'short' ? bytes.slice(0, bytes.length >> 1) : bytes.slice();
  let isFirst = true;
  return new ReadableStream<Uint8Array>({
    pull: (stream) => {
      if (kind === 'silent') return new Promise(() => {});
      if (kind === 'broken' && !isFirst) return stream.error(new Error('reset sesame'));
      if (!isFirst && kind !== 'endless' && kind !== 'long') return stream.close();
      const part = isFirst ? first : zeros;
      if (part.length > 0) {
        count(part.length);
        stream.enqueue(part);
      }
      if (kind === 'long' && !isFirst) stream.close();
      isFirst = false;
      return undefined;
    },
  });
}

const plan = fc.record({
  file: fc.constantFrom(...files),
  answers: fc.array(answer, { minLength: 1, maxLength: 4 }),
  robots: answer,
  kind: fc.constantFrom(...mediaKinds),
});

async function hold({
  file,
  answers,
  robots,
  kind,
}: typeof plan extends fc.Arbitrary<infer T> ? T : never): Promise<void> {
  const ranges: string[] = [];
  let robotsAsked = 0;
  let pulled = 0;
  const fetchAny = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const { pathname, host } = new URL(input instanceof Request ? input.url : input);
    expect(host).toBe('media.example.com');
    const isRobots = pathname === '/robots.txt';
    const range = new Headers(init?.headers).get('range') ?? '';
    if (isRobots) robotsAsked++;
    else ranges.push(range);
    const given = isRobots ? robots : (answers[Math.min(ranges.length, answers.length) - 1] ?? robots);
    const [, from = 0, to = file.length] = /^bytes=(\d+)-(\d+)$/.exec(range)?.map(Number) ?? [];
    const end = Math.min(to + 1, file.length);
    const headers = new Headers();
    const right = given.status === 206 ? `bytes ${from}-${end - 1}/${file.length}` : '';
    for (const [name, value] of [
      ['content-range', given.range === 'right' ? right : given.range],
      ['content-length', given.length ?? ''],
      ['content-type', given.type],
      ['location', given.location],
    ] as const)
      if (value !== '') headers.set(name, value);
    const bytes = given.status === 206 ? file.subarray(from, end) : file;
    return new Response(
      bodyOf(given.body, bytes, (length) => (pulled += length)),
      { status: given.status, headers },
    );
  };
  const started = performance.now();
  const checked = await checkMediaUrl('https://media.example.com/clip.mp4?signature=sesame', {
    kind,
    fetch: fetchAny,
    deadlineMs: 60,
  });
  const text = checked.isOk()
    ? JSON.stringify(checked.value)
    : `${checked.error.message} ${JSON.stringify(checked.error)}`;
  if (checked.isErr()) {
    const { error } = checked;
    expect(error instanceof TransportError || error instanceof ConfigurationError).toBe(true);
  }
  expect(text).not.toMatch(/sesame|NaN|Infinity|undefined/);
  expect(ranges.length).toBeLessThanOrEqual(12);
  expect(new Set(ranges).size).toBe(ranges.length);
  expect(robotsAsked).toBeLessThanOrEqual(1);
  // Streams are pulled a part ahead.
  expect(pulled).toBeLessThanOrEqual(16_777_216 + 524_288 + 16 * 2 * 65_536);
  // The deadline, and what a busy machine takes to see it.
  expect(performance.now() - started).toBeLessThan(5000);
}

test('whatever a host answers, a check ends within its bounds', async () => {
  await fc.assert(fc.asyncProperty(plan, hold), { numRuns: 10 });
});

test('whatever hosts answer', { timeout: 120_000 }, async () => {
  await fc.assert(fc.asyncProperty(plan, hold), { numRuns: isCI ? 300 : 100 });
});
