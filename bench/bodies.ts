// The cost of large bodies, next to the least that every client does.

import { get } from '../dist/core/index.js';
import { createPageContext, me } from '../dist/page/index.js';
import { collectGarbage, inMs, inTurn, median, ratioOf, type Row } from './rows.ts';

const token = 'EAAB0123456789abcdefghijklmnopqrstuvwxyz';
const encoder = new TextEncoder();
const ids = JSON.stringify({
  data: Array.from({ length: 220_000 }, (_, at) => ({ id: `17841400000000001_1220000000${1_000_000 + at}` })),
});
const html = `<html>${'<p class="x">Bad gateway &amp; <a href="/?access_token=abc&amp;y=%41">more</a></p>'.repeat(125_000)}`;

export async function bodies(): Promise<readonly Row[]> {
  return [
    await compare('a body of 10 MB, of ids of posts', ids, 200, JSON.parse, 'JSON.parse of its text', 1.3),
    await compare('a refused page of HTML of 10 MB', html, 502, String, 'its text()', '50 ms'),
  ];
}

/** A call, next to reading the same body as text and doing `least` with it. */
async function compare(
  figure: string,
  body: string,
  status: number,
  least: (text: string) => unknown,
  name: string,
  aim: number | string,
): Promise<Row> {
  const bytes = encoder.encode(body);
  const fetch = async (): Promise<Response> => new Response(bytes, { status });
  const context = createPageContext({ appId: '1', appSecret: 'secret', fetch, retry: { attempts: 1 } });
  const times = await inTurn(
    {
      own: () =>
        status === 200
          ? get(context._unsafeUnwrap(), '4', { token })
          : me(context._unsafeUnwrap(), { token }),
      peer: async () => least(await (await fetch()).text()),
    },
    15,
    1,
    // The garbage of one is dearer for the next than most of its work.
    collectGarbage,
  );
  return {
    figure,
    own: inMs(median(times.get('own'))),
    peer: `${name}: ${inMs(median(times.get('peer')))}`,
    ratio: ratioOf(times.get('own'), times.get('peer')),
    aim,
  };
}
