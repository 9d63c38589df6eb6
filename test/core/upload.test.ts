import { okAsync } from 'neverthrow';
import { describe, expect, test } from 'vitest';

import { progressReport, type Report, type UploadProgress, uploadVideo } from '../../src/core/upload.ts';
import { newCall, pageContext, virtualClock } from '../support/context.ts';
import { json, type Step, stubFetch, text } from './stub.ts';

const totalBytes = 200_000_000;
const piece = 16_384;

interface Reporting {
  readonly report: Report;
  readonly seen: (UploadProgress & { readonly at: number })[];
  readonly clock: ReturnType<typeof virtualClock>;
}

function reporting(): Reporting {
  const clock = virtualClock(0);
  const seen: Reporting['seen'] = [];
  const report = progressReport(
    { clock },
    { onProgress: (progress) => seen.push({ ...progress, at: clock.monotonic() }) },
    { size: totalBytes },
  );
  return { clock, seen, report };
}

/** Sends from an offset on, at so many pieces in a millisecond. */
function send({ report, clock }: Reporting, piecesInMs: number, from = 0, to = totalBytes): void {
  report('upload', from);
  for (let sent = from, pieces = 1; sent < to; pieces++) {
    sent = Math.min(to, sent + piece);
    report('upload', sent);
    if (pieces % piecesInMs === 0) clock.advance(1);
  }
}

/** The most reports of bytes in any second, except for that of the last byte. */
function mostInSecond(seen: Reporting['seen']): number {
  const between = seen
    .filter(({ phase }) => phase === 'upload')
    .slice(0, -1)
    .map(({ at }) => at);
  return Math.max(...between.map((from) => between.filter((at) => at >= from && at < from + 1000).length));
}

describe('the progress of an upload', () => {
  test.each([
    [1, 60],
    [10, 6],
    [100_000, 2],
  ])('is told of bytes five times a second at most: %d pieces in a millisecond', (piecesInMs, least) => {
    const it = reporting();

    it.report('start', 0);
    send(it, piecesInMs);
    it.report('wait');
    it.report('finish');

    expect(mostInSecond(it.seen)).toBeLessThanOrEqual(5);
    const phases = it.seen.map(({ phase }) => phase);
    expect([phases[0], phases.at(-2), phases.at(-1)]).toEqual(['start', 'wait', 'finish']);
    const sent = it.seen.filter(({ phase }) => phase === 'upload').map(({ sentBytes }) => sentBytes);
    expect([sent[0], sent.at(-1)]).toEqual([0, totalBytes]);
    expect(sent.length).toBeGreaterThanOrEqual(least);
    expect(sent).toEqual([...new Set(sent)].toSorted((a, b) => a - b));
  });

  test('says at once where an interruption lost bytes', () => {
    const it = reporting();
    it.report('start', 0);
    it.report('upload', 0);
    it.clock.advance(200);
    for (const sent of [6, 7, 2, 2, 3]) it.report('upload', sent);
    it.clock.advance(200);
    it.report('upload', 4);

    expect(it.seen.map(({ sentBytes }) => sentBytes)).toEqual([0, 0, 6, 2, 4]);
  });

  test('is told by the time of the context, also once its wall clock was set back', () => {
    const it = reporting();
    it.report('upload', 1);
    it.clock.set(-86_400_000);
    it.clock.advance(200);
    it.report('upload', 2);
    it.report('upload', 3);

    expect(it.seen.map(({ sentBytes }) => sentBytes)).toEqual([1, 2]);
  });
});

describe('an upload', () => {
  async function attemptsFor(step: Step): Promise<number> {
    const fetch = stubFetch(step);
    const context = pageContext({ fetch, clock: virtualClock() });
    await uploadVideo(context, {
      url: 'https://upload.test/1',
      token: 'token',
      source: new Blob(['bytes']),
      options: { uploadTimeoutMs: 1000 },
      onSent: () => undefined,
      readStatus: () => okAsync({ isComplete: false, bytesHeld: 0, payload: {} }),
      ...newCall(),
    });
    return fetch.mock.calls.length;
  }

  test.each<[string, Step, number]>([
    ['JSON of a gateway', json({ error: { message: 'upstream request timeout' } }, 408), 3],
    ['HTML of a gateway', text('<h1>Forbidden</h1>', 403), 3],
    ['an outage', text('', 503), 3],
    [
      'a refusal of the upload host',
      json({ debug_info: { retriable: false, type: 'ProcessingFailedError' } }, 400),
      1,
    ],
    [
      'a file that it may take at the next try',
      json({ debug_info: { retriable: true, message: 'x' } }, 400),
      3,
    ],
    [
      'a failure that passes, whatever it says of itself',
      json(
        {
          debug_info: {
            retriable: false,
            type: 'ProcessingFailedError',
            message: 'Request processing failed',
          },
        },
        400,
      ),
      3,
    ],
    [
      'what it says under the status of a success',
      json({ success: false, debug_info: { retriable: false, type: 'ProcessingFailedError' } }),
      1,
    ],
    ['a token that it refuses', json({ debug_info: { retriable: true, message: 'unauthorized' } }, 400), 1],
    ['a refusal by code', json({ error: { message: 'No', code: 190 } }, 401), 1],
    ['a redirect', text('', 302), 1],
  ])('after %s', async (_, step, attempts) => {
    expect(await attemptsFor(step)).toBe(attempts);
  });
});
