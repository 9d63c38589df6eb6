import { graphBase, platform } from '../support/context.ts';
import { anyCharacter, fc } from '../support/property.ts';

/** A response that no platform should give. Plain data, so that a failed property can be read. */
export type Hostile =
  | { readonly kind: 'mutant'; readonly spots: readonly Spot[]; readonly status?: number }
  | { readonly kind: 'text'; readonly text: string; readonly status: number; readonly headers?: HeaderList }
  | { readonly kind: 'cut'; readonly share: number }
  | { readonly kind: 'headers'; readonly headers: HeaderList; readonly status: number; readonly code: number }
  | { readonly kind: 'links'; readonly next: string; readonly isEmpty: boolean }
  | { readonly kind: 'upload'; readonly url: string }
  | { readonly kind: 'status'; readonly status: number; readonly text: string }
  | { readonly kind: 'redirect'; readonly status: number; readonly location: string }
  | { readonly kind: 'network'; readonly which: number }
  | { readonly kind: 'no response'; readonly which: number }
  | { readonly kind: 'stream'; readonly which: number }
  | { readonly kind: 'silence'; readonly isDeaf: boolean }
  | { readonly kind: 'endless'; readonly isDeaf: boolean };

/** A place in a valid response, by its number, and the odd value to put there. */
export interface Spot {
  readonly node: number;
  readonly snippet: number;
  /** The odd value is added to an object under this name, instead of replacing it. */
  readonly added?: string | undefined;
}

type HeaderList = readonly (readonly [string, string])[];

/** The request that a hostile response is made for. */
interface Place {
  readonly valid: unknown;
  readonly index: number;
  readonly signal: AbortSignal | undefined;
}

/** Odd values for a place in a body. `undefined` removes the place. */
export const snippets: readonly (string | undefined)[] = [
  undefined,
  'null',
  'true',
  'false',
  '0',
  '-1',
  '1.5',
  '1e400',
  '-0',
  '12345678901234567890123',
  '9007199254740993',
  '""',
  '" "',
  '"."',
  '".."',
  '"../../me"',
  '"https://evil.test/x?y"',
  '"\\u0000\\n"',
  '"\\ud800"',
  `"${'x'.repeat(5000)}"`,
  '[]',
  '[[]]',
  '[null]',
  '[[[["a"]]]]',
  '{}',
  '{"__proto__":{"polluted":1},"id":"1"}',
  '{"constructor":{"prototype":{"polluted":1}},"prototype":1}',
  '{"toString":1,"valueOf":1}',
  '{"toJSON":1,"then":1,"length":-1,"message":[]}',
  '{"error":{"error":{"errors":[null,{"message":null}]}},"errors":[[]]}',
  '{"data":null,"id":{}}',
  '{"data":[null],"paging":null}',
  `${'['.repeat(3000)}${']'.repeat(3000)}`,
];

/** The number of values in a body, the body itself included. */
export function nodesOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((count, item) => count + nodesOf(item), 1);
}

/** Which of these values are objects, and so can hold more than they do. */
export function objectsIn(value: unknown): number[] {
  const found: number[] = [];
  let node = 0;
  walk(value);
  return found;

  function walk(item: unknown): void {
    const own = node++;
    if (typeof item !== 'object' || item === null) return;
    if (!Array.isArray(item)) found.push(own);
    Object.values(item).forEach(walk);
  }
}

/** A valid body as JSON, with odd values in some places. */
export function mutate(valid: unknown, spots: readonly Spot[]): string {
  const all = nodesOf(valid);
  const odd = new Map(
    spots.map(({ node, snippet, added }) => [
      node % all,
      { text: snippets[snippet % snippets.length], added },
    ]),
  );
  let node = 0;
  return write(valid) ?? '';

  function write(value: unknown): string | undefined {
    const spot = odd.get(node++);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    const added = isObject && spot?.text !== undefined ? spot.added : undefined;
    if (spot !== undefined && added === undefined) {
      node += nodesOf(value) - 1;
      return spot.text;
    }
    if (Array.isArray(value)) return `[${value.flatMap((item) => write(item) ?? []).join(',')}]`;
    if (typeof value !== 'object' || value === null) return JSON.stringify(value);
    const parts = Object.entries(value).flatMap(([name, item]) => {
      const text = write(item);
      return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`];
    });
    if (added !== undefined) parts.push(`${JSON.stringify(added)}:${spot?.text}`);
    return `{${parts.join(',')}}`;
  }
}

/** Names that a response may hold besides those that it documents. */
const addedNames: readonly string[] = [
  'another_phase',
  'error',
  'errors',
  'status',
  'data',
  'paging',
  'id',
  'message',
  'unknown',
];

/** What a `fetch` can reject with. */
const rejections: readonly (() => unknown)[] = [
  () => null,
  () => undefined,
  () => 'a text',
  () => 42n,
  () => Symbol('odd'),
  () => Object.create(null) as unknown,
  () => ({ message: 1, cause: 2, code: {} }),
  () => {
    const error = new Error('in a circle');
    error.cause = error;
    return error;
  },
  () => Object.assign(new Error('odd'), { message: {}, code: Symbol('odd') }),
  () => Object.assign(new Error('odd'), { message: '', code: Object.create(null) as unknown }),
  () => {
    const error = new Error('hidden');
    Object.defineProperty(error, 'cause', {
      get() {
        throw new Error('not to be read');
      },
    });
    return error;
  },
  () => {
    const error = new TypeError('fetch failed');
    Object.defineProperty(error, 'message', {
      get() {
        throw new Error('not to be read');
      },
    });
    return error;
  },
  () =>
    new Proxy(
      {},
      {
        get() {
          throw new Error('not to be read');
        },
        getPrototypeOf() {
          throw new Error('not to be asked');
        },
      },
    ),
  () => new DOMException('stopped', 'AbortError'),
  () => new AggregateError([new Error('one'), null], 'many'),
  () => new TypeError('fetch failed', { cause: Object.assign(new Error('no'), { code: 'ECONNREFUSED' }) }),
  () => function odd() {},
];

/** What a `fetch` can resolve with that is no Response. */
const noResponses: readonly (() => unknown)[] = [
  () => undefined,
  () => null,
  () => 0,
  () => 'OK',
  () => ({}),
  () => [],
  () => ({ ok: true, status: 200, headers: {}, text: async () => '{"id":"1"}' }),
  () => ({ ok: true, status: 200, headers: new Headers(), text: async () => 5 }),
  () => ({ ok: true, status: 'odd', headers: null, text: async () => '{}' }),
  () => ({ ok: true, status: NaN, headers: new Headers(), text: async () => '{}' }),
  () => ({ ok: true, status: 200, headers: new Headers(), text: () => Promise.reject(null) }),
  () => ({ ok: true, status: 200, headers: new Headers(), text: async () => null }),
  () => ({ ok: true, status: 200, headers: new Headers(), text: async () => Symbol('odd') }),
  () => Response.error(),
  () => Object.defineProperty(new Response('{}'), 'headers', { value: null }),
  () => Object.defineProperty(new Response('{}'), 'headers', { value: { get: () => 5 } }),
  () => Object.defineProperty(new Response('{}'), 'status', { value: '200' }),
  () => Object.assign(new Response('{}'), { text: () => 'not a promise' }),
  () => {
    const used = new Response('{}');
    void used.text();
    return used;
  },
  () => ({
    get status() {
      throw new Error('not to be read');
    },
    text: async () => '{}',
  }),
];

/** Bodies whose stream fails. */
const streams: readonly (() => ReadableStream<unknown>)[] = [
  () => new ReadableStream({ pull: (controller) => controller.error(new Error('cut')) }),
  () => new ReadableStream({ pull: (controller) => controller.error(null) }),
  () => new ReadableStream({ pull: (controller) => controller.error(Symbol('odd')) }),
  () =>
    new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('{"id":"901","data":[')),
      pull: (controller) => controller.error(new TypeError('terminated')),
    }),
  () =>
    new ReadableStream({
      start: (controller) => {
        controller.enqueue('a text where bytes belong');
        controller.close();
      },
    }),
  () =>
    new ReadableStream({
      start: (controller) => {
        controller.enqueue(null);
        controller.close();
      },
    }),
];

export function render(hostile: Hostile, { valid, index, signal }: Place): Response | Promise<Response> {
  switch (hostile.kind) {
    case 'mutant':
      return respond(mutate(valid, hostile.spots), hostile.status ?? 200, [
        ['date', 'Fri, 02 Jan 2026 00:00:01 GMT'],
      ]);
    case 'text':
      return respond(hostile.text, hostile.status, hostile.headers);
    case 'cut': {
      const text = JSON.stringify(valid);
      return respond(text.slice(0, Math.floor(text.length * hostile.share)), 200);
    }
    case 'headers': {
      const { status, code, headers } = hostile;
      const body = status < 300 ? valid : { error: { code, message: 'No' } };
      return respond(JSON.stringify(body), status, headers);
    }
    case 'links': {
      const next = hostile.next.replace('{n}', String(index));
      const data = hostile.isEmpty ? [] : ((valid as { readonly data?: unknown }).data ?? []);
      return respond(JSON.stringify({ ...(valid as object), data, paging: { next, previous: next } }), 200);
    }
    case 'upload':
      return respond(
        JSON.stringify({ ...(valid as object), upload_url: hostile.url, uri: hostile.url }),
        200,
      );
    case 'status':
      return respond(hostile.text, hostile.status);
    case 'redirect':
      return respond('', hostile.status, [['location', hostile.location]]);
    case 'network':
      throw pick(rejections, hostile.which)();
    case 'no response':
      return pick(noResponses, hostile.which)() as Response;
    case 'stream':
      return new Response(pick(streams, hostile.which)() as ReadableStream<Uint8Array<ArrayBuffer>>);
    case 'silence':
      return new Promise((_, reject) => {
        if (!hostile.isDeaf) signal?.addEventListener('abort', () => reject(signal.reason as Error));
      });
    case 'endless':
      return new Response(endless(hostile.isDeaf ? undefined : signal));
  }
}

/** A body that arrives in small pieces and never ends. */
function endless(signal: AbortSignal | undefined): ReadableStream<Uint8Array<ArrayBuffer>> {
  const drop = new TextEncoder().encode('{"data":[');
  let timer: ReturnType<typeof setInterval> | undefined;
  return new ReadableStream({
    start: (controller) => {
      timer = setInterval(() => controller.enqueue(drop), 5);
      // The client cannot cancel a body that it never reads, so the test has to.
      setTimeout(clearInterval, 2000, timer);
      signal?.addEventListener('abort', () => {
        clearInterval(timer);
        controller.error(signal.reason);
      });
    },
    cancel: () => clearInterval(timer),
  });
}

/** A response with any status, also those that the constructor of Response refuses. */
function respond(text: string, status: number, headers: HeaderList = []): Response {
  const isUsual = status >= 200 && status <= 599;
  const hasBody = isUsual && ![204, 205, 304].includes(status);
  const response = new Response(hasBody || !isUsual ? text : null, {
    status: isUsual ? status : 200,
    headers: headers.map(([name, value]): [string, string] => [name, value]),
  });
  return isUsual ? response : Object.defineProperty(response, 'status', { value: status });
}

function pick<TItem>(items: readonly TItem[], which: number): TItem {
  return items[which % items.length] as TItem;
}

// Arbitraries of hostile responses.

const foreignOrigins = [
  'https://evil.test',
  'http://graph.test',
  'https://graph.test:8443',
  'https://graph.test.evil.test',
  'https://graph.test@evil.test',
  'https://user:pass@graph.test',
  'https://user@upload.test',
  'https://evil.test\\@graph.test',
  'https://evil.test#@graph.test',
  'https://evil.test?@graph.test',
  'https://graph.test%2eevil.test',
  'https://graph\u3002test.evil.test',
  'HTTPS://EVIL.TEST',
  '//evil.test',
  '\\\\evil.test',
  '/\\evil.test',
  'https:evil.test',
  'https:/evil.test',
  ' https://evil.test',
  '\thttps://evil.test',
  'ftp://graph.test',
  'file:///etc/passwd',
  'javascript:alert(1)//graph.test',
  'data:text/plain,https://graph.test',
  'blob:https://graph.test/1',
  'about:blank',
  'https://[::1]',
  'https://[',
  'https://',
  'null',
  '',
];
/** Addresses that are not the platform's. */
export const foreign: readonly string[] = foreignOrigins.flatMap((origin) => [
  origin,
  `${origin}/v26.0/42/list?access_token=x&after=1`,
]);
const own = [
  `${graphBase}/42/list?after=same`,
  `${graphBase}/42/list?after={n}`,
  `${graphBase}/42/list?after={n}&access_token=stolen&appsecret_proof=0`,
  `${platform.picsGraphUrl}/17/media?after={n}#access_token=1`,
  `${platform.graphUrl}`,
  `${graphBase}/42/list?%61ccess_token=a&after={n}`,
  `HTTPS://GRAPH.TEST/v26.0/{n}`,
];
// Made by hand: `fc.webUrl()` goes through all of Unicode first, which takes a second.
const webUrl = fc.tuple(fc.domain(), fc.string()).map(([host, rest]) => `https://${host}/${encodeURI(rest)}`);
const addresses = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...foreign) },
  { weight: 2, arbitrary: fc.constantFrom(...own) },
  { weight: 1, arbitrary: webUrl },
  { weight: 1, arbitrary: fc.string() },
);

const oddJson = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...snippets.flatMap((snippet) => snippet ?? [])) },
  { weight: 2, arbitrary: fc.json({ maxDepth: 4 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('4', '17', '100', '190', '200', '368', '"190"', '"4.0"', '1e3', 'true'),
  },
);
const keys = [
  'message',
  'type',
  'code',
  'error_subcode',
  'is_transient',
  'error_user_title',
  'error_user_msg',
  'fbtrace_id',
  'error_data',
  '__proto__',
  'constructor',
  'retriable',
];
const objectText = (names: readonly string[], value: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .array(fc.tuple(fc.constantFrom(...names), value), { maxLength: 5 })
    .map((pairs) => `{${pairs.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`);
const envelopes = objectText(
  [
    'error',
    'error',
    'error',
    'debug_info',
    'error_message',
    'error_type',
    'code',
    'success',
    'message',
    'data',
  ],
  fc.oneof(oddJson, objectText(keys, oddJson)),
);
const texts = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '\uFEFF{}',
    'null',
    'true',
    '0',
    '""',
    '[]',
    '{}',
    '{"data":[]}',
    '<!DOCTYPE html><html><body>Sorry, something went wrong.</body></html>',
    '<html><head><title>502</title>',
    'upstream connect error',
    '{"id":',
    '{"id":"1"}{"id":"2"}',
    "{'id':1}",
    'NaN',
    'for (;;);{"error":1}',
    '{"a":1,}',
    '\u0000',
    '{"id":"1","id":"2"}',
  ),
  oddJson,
  envelopes,
  fc.string({ unit: anyCharacter }),
);
const statuses = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(200, 200, 201, 400, 401, 403, 404, 429, 500, 503) },
  { weight: 2, arbitrary: fc.integer({ min: 100, max: 599 }) },
  { weight: 1, arbitrary: fc.constantFrom(0, -1, 99, 600, 999, 1e9, NaN, Infinity, 200.5) },
);
const headerTexts = fc.oneof(
  fc.constantFrom(
    '',
    '-1',
    '0',
    '1',
    '59',
    '60',
    '61',
    '1e9',
    '99999999999999999999',
    '1.5',
    '0x10',
    'NaN',
    'Infinity',
    'soon',
    '1, 2',
    'Wed, 21 Oct 2015 07:28:00 GMT',
    'Fri, 31 Dec 9999 23:59:59 GMT',
    'Fri, 02 Jan 2026 00:00:30 GMT',
    '275760-09-13T00:00:01Z',
    '{"call_count":28,"total_time":25}',
    '{"call_count":-5}',
    '{"call_count":1e400,"estimated_time_to_regain_access":1e400}',
    '{"1":[{"type":"pages","call_count":100,"estimated_time_to_regain_access":5}]}',
    '{"1":[{"estimated_time_to_regain_access":-5},null,[[]],"x"]}',
    '{"acc_id_util_pct":9.67,"reset_time_duration":-1}',
    '{"__proto__":{"polluted":1}}',
    '{"call_count":"28"}',
    '{',
    `${'['.repeat(20_000)}`,
    `${'[1,'.repeat(20_000)}0${']'.repeat(20_000)}`,
  ),
  fc.json({ maxDepth: 3 }).map((text) => text.replace(/[^\x20-\x7e]/g, '?')),
);
const headers = fc.array(
  fc.tuple(
    fc.constantFrom(
      'retry-after',
      'retry-after',
      'x-app-usage',
      'x-page-usage',
      'x-business-use-case-usage',
      'x-ad-account-usage',
      'date',
      'location',
      'content-type',
      'content-length',
      'x-fb-trace-id',
      'facebook-api-version',
      'www-authenticate',
    ),
    headerTexts,
  ),
  { minLength: 1, maxLength: 4 },
);
const which = fc.nat(1000);

/** Any hostile response. */
export const hostile: fc.Arbitrary<Hostile> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('mutant' as const),
      spots: fc.array(
        fc.record({
          node: which,
          snippet: which,
          added: fc.option(fc.constantFrom(...addedNames), { nil: undefined }),
        }),
        { minLength: 1, maxLength: 3 },
      ),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('text' as const), text: texts, status: statuses, headers }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('text' as const), text: envelopes, status: statuses }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('cut' as const),
      share: fc.double({ min: 0, max: 0.99, noNaN: true }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('headers' as const),
      headers,
      status: statuses,
      code: fc.constantFrom(1, 2, 4, 17, 32, 100, 190, 200, 368, 613, 9007),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('links' as const), next: addresses, isEmpty: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('upload' as const), url: addresses }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('status' as const), status: statuses, text: texts }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('redirect' as const),
      status: fc.constantFrom(300, 301, 302, 303, 304, 307, 308),
      location: addresses.map((address) => encodeURI(address.toWellFormed()).trim()),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('network' as const), which }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('no response' as const), which }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('stream' as const), which }) },
);

/** How many ways there are for a request to get no response at all. */
export const waysToFail = {
  network: rejections.length,
  'no response': noResponses.length,
  stream: streams.length,
};
