// The cost of verifying and reading a delivery of 1,000 entries, next to the least that anyone must do: the HMAC of its bytes
// and `JSON.parse`.
import { createHmac } from 'node:crypto';

import { builds } from './builds.ts';
import { inTurn, processorTime, type Row, toRow } from './rows.ts';

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

const aims: Readonly<Record<string, number>> = {
  'comments of a Page': 2.8,
  'comments on media': 3,
  messages: 3.3,
  'leads, ids as numbers': 3.8,
};

export async function webhooks(): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const [name, body] of Object.entries(bodies)) rows.push(await compare(name, body));
  rows.push(await compareOne());
  return rows;
}

async function compare(name: string, body: Uint8Array<ArrayBuffer>): Promise<Row> {
  const header = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  const cases = builds.map(({ name: build, webhooks: { parseDelivery, verifySignature } }) => [
    build,
    async () => {
      (await verifySignature(body, header, secret))._unsafeUnwrap();
      return (await parseDelivery(body))._unsafeUnwrap();
    },
  ]);
  const peer = (): unknown => {
    createHmac('sha256', secret).update(body).digest();
    return JSON.parse(new TextDecoder().decode(body));
  };
  const times = await inTurn({ peer, ...Object.fromEntries(cases) }, 60, 3, undefined, processorTime);
  return toRow(`a delivery of 1,000 ${name}`, 'HMAC and JSON.parse', times, aims[name]);
}

/** What a usual delivery costs a handler: one comment. */
async function compareOne(): Promise<Row> {
  const { object, entry } = JSON.parse(new TextDecoder().decode(bodies['comments of a Page'])) as {
    readonly object: string;
    readonly entry: readonly object[];
  };
  const body = toWire({ object, entry: entry.slice(0, 1) });
  const headers = {
    'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
  };
  const request = (): Request => new Request('https://app.test/', { method: 'POST', body, headers });
  const cases = builds.map(({ name, webhooks: { createWebhookHandler } }) => {
    const handle = createWebhookHandler({ verifyToken: 'x', secrets: secret, onEvent: () => undefined });
    return [
      name,
      async () => {
        const { status } = await handle(request());
        if (status !== 200) throw new Error(`${status}`);
      },
    ];
  });
  const peer = async (): Promise<unknown> => {
    const bytes = new Uint8Array(await request().arrayBuffer());
    createHmac('sha256', secret).update(bytes).digest();
    return JSON.parse(new TextDecoder().decode(bytes));
  };
  const times = await inTurn({ peer, ...Object.fromEntries(cases) }, 101, 50, undefined, processorTime);
  return toRow('a delivery of one comment, to a handler', 'its bytes, HMAC and JSON.parse', times);
}
