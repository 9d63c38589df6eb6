import { expect, test } from 'vitest';

import {
  createWebhookHandler,
  parseDelivery,
  parseSignedRequest,
  verifySignature,
} from '../../src/webhooks/index.ts';
import { fc, runs } from '../support/property.ts';
import {
  appSecret,
  messaging,
  pageChanges,
  sign,
  signRequest,
  toWire,
  verifyToken,
} from '../webhooks/support.ts';

const deliveries = runs(10_000);

const encoder = new TextEncoder();
const good = [
  pageChanges({
    field: 'leadgen',
    value: { leadgen_id: 1_636_129_430_026_801, created_time: 1_485_964_825 },
  }),
  pageChanges({ field: 'feed', value: { item: 'comment', message: 'Köln / \u{1f600}', from: { id: '7' } } }),
  messaging('instagram', { sender: { id: '7' }, recipient: { id: '42' }, message: { mid: 'm', text: 'hi' } }),
].map((delivery) => encoder.encode(toWire(delivery)));

type Mutation = (body: Uint8Array, at: number, byte: number) => Uint8Array;

const mutations: readonly Mutation[] = [
  (body, at, byte) => body.with(at % body.length, (body[at % body.length] ?? 0) ^ (1 + (byte % 255))),
  (body, at) => body.slice(0, at % body.length),
  (body, at) => Uint8Array.from([...body.slice(0, at % body.length), ...body.slice((at % body.length) + 1)]),
  (body, at, byte) =>
    Uint8Array.from([...body.slice(0, at % body.length), byte, ...body.slice(at % body.length)]),
  (body, _, byte) => Uint8Array.from([...body, byte]),
  (body) => Uint8Array.from([0xef, 0xbb, 0xbf, ...body]),
  (body) => Uint8Array.from([...new Uint16Array(body)].flatMap((unit) => [unit & 255, unit >> 8])),
  (body) => encoder.encode(JSON.stringify(JSON.parse(new TextDecoder().decode(body)), undefined, 1)),
  (body) => body.toReversed(),
  () => new Uint8Array(),
];

const headers: readonly ((header: string, at: number) => string | null)[] = [
  () => null,
  () => '',
  (header, at) => header.slice(0, at % header.length),
  (header) => `${header}0`,
  (header) => `${header}, ${header}`,
  (header) => header.replace('sha256', 'sha1'),
  (header) => header.replace('sha256', 'Sha256'),
  (header) => header.replace('sha256=', ''),
  (header) => header.replace('=', ' ='),
  (header, at) =>
    header.replace(/.$/, (digit) => ((Number.parseInt(digit, 16) + 1 + (at % 15)) % 16).toString(16)),
  () => `sha256=${'é'.repeat(64)}`,
];

test('no mutated delivery is accepted, none throws, and none hangs', { timeout: 600_000 }, async () => {
  let events = 0;
  const handler = createWebhookHandler({
    verifyToken,
    secrets: [appSecret, 'second'],
    onEvent: () => {
      events++;
    },
  });
  const statuses = new Map<number, number>();
  const number = fc.nat(10_000);
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...good),
      fc.boolean(),
      number,
      number,
      number,
      async (body, ofBody, which, at, byte) => {
        const header = sign(body);
        const sent = ofBody ? mutations[which % mutations.length]?.(body, at, byte % 256) : body;
        const given = ofBody ? header : headers[which % headers.length]?.(header, at);
        const request = new Request('https://app.test/', {
          method: 'POST',
          body: (sent ?? body) as BodyInit,
        });
        if (given) request.headers.set('x-hub-signature-256', given);
        const { status } = await handler(request);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        // An empty body is one that was read before, whose signature can't be told to be wrong.
        expect(status).toBe((sent ?? body).length === 0 && given ? 400 : 401);
      },
    ),
    { numRuns: deliveries },
  );
  expect(events).toBe(0);
  expect(statuses.get(401)).toBeGreaterThan(deliveries * 0.9);
});

test(
  'a mutated body that is signed all the same is read or refused, and never throws',
  { timeout: 600_000 },
  async () => {
    const number = fc.nat(10_000);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...good), number, number, number, async (body, which, at, byte) => {
        const sent = mutations[which % mutations.length]?.(body, at, byte % 256) ?? body;
        const delivery = await parseDelivery(sent);
        if (delivery.isErr()) expect(delivery.error.name).toBe('DeliveryError');
        else for (const event of delivery.value.events) expect(event.key).toMatch(/^[\da-f]{64}$/);
      }),
      { numRuns: deliveries },
    );
  },
);

test('values of any type are read', { timeout: 600_000 }, async () => {
  const value = fc.jsonValue();
  const entry = fc.record(
    {
      id: value,
      time: value,
      changes: value,
      messaging: value,
      standby: value,
      changed_fields: value,
      field: value,
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(entry, value)),
      fc.constantFrom('page', 'instagram', 'user'),
      async (entries, object) => {
        expect((await parseDelivery(toWire({ object, entry: entries }))).isOk()).toBe(true);
      },
    ),
    { numRuns: deliveries },
  );
});

test('a body of many thousand levels is read, and costs no other event', async () => {
  const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
  const changes = `{"field":"feed","value":${deep}},{"field":"leadgen","value":{"leadgen_id":1}}`;
  const body = `{"object":"page","entry":[{"id":"42","changes":[${changes}]}]}`;
  const { events } = (await parseDelivery(body))._unsafeUnwrap();

  expect(events.map(({ type }) => type)).toEqual(['unknown', 'leadgen']);
  expect(new Set(events.map(({ key }) => key)).size).toBe(2);
});

test('a header of any kind is a failure, not a rejection', async () => {
  await fc.assert(
    fc.asyncProperty(fc.anything(), async (header) => {
      expect((await verifySignature('body', header as string, appSecret)).isErr()).toBe(true);
    }),
  );
});

test('no forged signed request is accepted, and none throws', { timeout: 600_000 }, async () => {
  const good = signRequest({ algorithm: 'HMAC-SHA256', user_id: '218471' });
  const [signature = '', payload = ''] = good.split('.');
  const bytesOf = (text: string) => Buffer.from(text, 'base64url').toString('hex');
  const letter = fc.stringMatching(/^[\w+/=. é-]$/);
  const place = fc.nat(good.length - 1);
  const forged = fc.oneof(
    fc.tuple(place, letter).map(([at, other]) => good.slice(0, at) + other + good.slice(at + 1)),
    place.map((at) => good.slice(0, at) + good.slice(at + 1)),
    fc.tuple(place, letter).map(([at, other]) => good.slice(0, at) + other + good.slice(at)),
    place.map((at) => good.slice(0, at)),
    fc.string().map((user_id) => signRequest({ algorithm: 'HMAC-SHA256', user_id }, 'another secret')),
    fc
      .string()
      .map((user_id) => `${signature}.${signRequest({ algorithm: 'HMAC-SHA256', user_id }).split('.')[1]}`),
    fc.constantFrom('', '.', `${payload}.${payload}`, `.${payload}`, `${signature}.`, `${good}.${payload}`),
    fc.string(),
  );
  await fc.assert(
    fc.asyncProperty(forged, async (text) => {
      const [sent = '', ...rest] = text.split('.');
      // The same bytes under the same payload are no forgery, in whichever alphabet.
      fc.pre(
        bytesOf(sent) !== bytesOf(signature) || rest.join('.') !== payload || sent.length < signature.length,
      );
      const parsed = await parseSignedRequest(text, ['second', appSecret]);
      expect(parsed.isErr() && parsed.error.name).toBe('SignatureError');
    }),
    { numRuns: runs(100_000) },
  );
});
