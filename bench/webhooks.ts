// What verifying and reading a delivery of 1,000 entries costs beside the least that anybody must do: the HMAC of
// its bytes, and `JSON.parse` of them. Ratios of one run.
import { createHmac } from 'node:crypto';

import { parseDelivery, verifySignature } from '../dist/webhooks/index.js';

const secret = 'app-secret';
const page = '12200000000000001';

/** The wire's JSON: `/` and everything beyond ASCII escaped; texts of digits in angle brackets are bare numbers. */
function toWire(value: unknown): Uint8Array<ArrayBuffer> {
  const text = JSON.stringify(value)
    .replaceAll('/', String.raw`\/`)
    .replaceAll(/"<(\d+)>"/g, '$1')
    .replaceAll(/[\u007f-\uffff]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return new TextEncoder().encode(text);
}

function changes(object: string, field: string, value: (at: number) => object): Uint8Array<ArrayBuffer> {
  const entry = Array.from({ length: 1000 }, (_, at) => ({
    id: page,
    time: 1_768_000_000 + at,
    changes: [{ field, value: value(at) }],
  }));
  return toWire({ object, entry });
}

const bodies = {
  'comments of a Page': changes('page', 'feed', (at) => ({
    item: 'comment',
    verb: 'add',
    from: { id: `2${at}`, name: 'Mara Bell' },
    post_id: `${page}_12200000000000003`,
    comment_id: `12200000000000003_${at}`,
    parent_id: `${page}_12200000000000003`,
    message: 'How much is the blue one, and do you ship to K\u00f6ln?',
    created_time: 1_768_000_000 + at,
  })),
  'comments on media': changes('instagram', 'comments', (at) => ({
    id: `1790000000${at}`,
    text: 'How much is the blue one, and do you ship to K\u00f6ln?',
    from: { id: `68000000000${at}`, username: 'mara.bell' },
    media: { id: '17900000000000001', media_product_type: 'FEED' },
    parent_id: '17900000000000003',
  })),
  messages: toWire({
    object: 'instagram',
    entry: Array.from({ length: 1000 }, (_, at) => ({
      id: page,
      time: 1_768_000_000_000 + at,
      messaging: [
        {
          sender: { id: `68000000000${at}` },
          recipient: { id: page },
          timestamp: 1_768_000_000_000 + at,
          message: {
            mid: `aWdfZAG1faXRlbToxOklHTWVzc2FnZAUlEOjE3ODQxNDAwMDAw${at}`,
            text: 'Are you open tomorrow?',
          },
        },
      ],
    })),
  }),
  'leads, ids as numbers': changes('page', 'leadgen', (at) => ({
    leadgen_id: `<1220000000000${1000 + at}>`,
    page_id: `<${page}>`,
    form_id: '<12200000000000003>',
    adgroup_id: 0,
    ad_id: 0,
    created_time: 1_768_000_000 + at,
  })),
};

for (const [name, body] of Object.entries(bodies)) {
  const header = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  const least = async (): Promise<void> => {
    createHmac('sha256', secret).update(body).digest();
    JSON.parse(new TextDecoder().decode(body));
  };
  const own = async (): Promise<void> => {
    (await verifySignature(body, header, secret))._unsafeUnwrap();
    parseDelivery(body)._unsafeUnwrap();
  };
  const rounds: { readonly least: number; readonly own: number }[] = [];
  for (let round = 0; round < 60; round++) rounds.push({ least: await timed(least), own: await timed(own) });
  // The first rounds warm the engine up.
  const warm = rounds.slice(20);
  const ratio = median(warm.map((one) => one.own / one.least));
  console.log(
    `${name.padEnd(22)} ${body.length} bytes  ${median(warm.map((one) => one.least)).toFixed(2)} ms  ${median(warm.map((one) => one.own)).toFixed(2)} ms  ${ratio.toFixed(2)} x`,
  );
}

async function timed(run: () => Promise<void>): Promise<number> {
  const started = performance.now();
  for (let call = 0; call < 3; call++) await run();
  return (performance.now() - started) / 3;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
