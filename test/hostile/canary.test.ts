import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { close } from '../../src/core/client.ts';
import type { ContextOptions } from '../../src/core/context.ts';
import { appSecretProof } from '../../src/core/http/proof.ts';
import { createPageClient } from '../../src/page/client.ts';
import { createPageContext } from '../../src/page/context.ts';
import { createPicsClient, createPicsClientViaPages } from '../../src/pics/client.ts';
import { createPicsContext, createPicsContextViaPages } from '../../src/pics/context.ts';
import { platform, virtualClock } from '../support/context.ts';
import { share } from '../support/property.ts';
import { catalogue, type Contexts, type Options, type Subject } from './catalogue.ts';
import { type Echo, echoes, inData } from './echoes.ts';
import { expectNone, settle } from './judge.ts';
import { at } from './kinds.ts';
import { everythingIn, marksIn, shown } from './visible.ts';

const secrets = {
  token: 'EAACNRYtoken1/a+b=c|d&e"f',
  code: 'AQDCNRYcode2-x_y.z/q+r=',
  shortToken: 'EAACNRYshort3/a+b=c<d>',
  longToken: "EAACNRYlong4|a/b+c='d",
  entryToken: 'EAACNRYentry5/x+y=%41',
};
const appSecret = 'CNRYappsecret6/+=&';
const licenseKey = 'CNRYlicense7 with a space/+';
const appId = '4711';
const appToken = `${appId}|${appSecret}`;
const tokens = [...Object.values(secrets), appToken];
const proofs = await Promise.all(
  tokens.map(async (token) => (await appSecretProof(token, appSecret))._unsafeUnwrap()),
);
const everySecret = [...tokens, appSecret, licenseKey, ...proofs];
/** A part of each secret that no encoding changes. */
const marks = ['CNRY', ...proofs.map((proof) => proof.slice(8, 24))];

const subjects = catalogue(secrets);
const counts = { calls: 0, failures: 0, values: 0, events: 0 };

const printed: unknown[] = [];
beforeEach(() => {
  for (const method of ['log', 'warn', 'error', 'info', 'debug', 'trace', 'dir', 'table'] as const) {
    vi.spyOn(console, method).mockImplementation((...args: unknown[]) => void printed.push(args));
  }
  vi.spyOn(process, 'emitWarning').mockImplementation((...args: unknown[]) => void printed.push(args));
});
afterEach(() => {
  vi.restoreAllMocks();
  expect(printed.splice(0)).toEqual([]);
});
afterAll(() => {
  const { calls, failures, values, events } = counts;
  console.log(`canaries: ${calls} calls, ${failures} errors, ${values} values, ${events} events searched`);
});

interface Bench {
  readonly contexts: Contexts;
  readonly events: unknown[];
  /** Addresses that were asked. */
  readonly addresses: string[];
  readonly clock: ReturnType<typeof virtualClock>;
}

/** Contexts with secrets; `respond` gets the ones that were sent so far. */
function createBench(
  { routes }: Subject,
  respond: (index: number) => Echo | undefined,
  options: ContextOptions = {},
): Bench {
  const clock = virtualClock();
  const events: unknown[] = [];
  const addresses: string[] = [];
  /** The secrets that each host was sent. The context's own secrets are always echoed. */
  const known = new Map<string, Set<string>>();
  const turns = new Map<string, number>();
  let index = 0;

  const fetch: typeof globalThis.fetch = async (input) => {
    const request = input as Request;
    const { origin, pathname, searchParams } = new URL(request.url);
    addresses.push(`${request.method} ${request.url}`);
    const seen = known.get(origin) ?? new Set([appSecret, licenseKey]);
    known.set(origin, seen);
    const body = await request.clone().text();
    const form = [...searchParams.values(), ...new URLSearchParams(body).values()];
    const sent = [...form, body, request.headers.get('authorization') ?? ''].join('\n');
    for (const secret of everySecret) {
      if (sent.includes(secret) || sent.includes(JSON.stringify(secret).slice(1, -1))) seen.add(secret);
    }

    const path = pathname.replace(/^\/(?:v26\.0\/)?/, '');
    const exact = `${request.method} ${path}`;
    const route = exact in routes ? exact : `${request.method} ${path.slice(path.lastIndexOf('/') + 1)}`;
    const turn = turns.get(route) ?? 0;
    turns.set(route, turn + 1);
    const usual = routes[route] ?? {};
    const valid = Array.isArray(usual) ? (usual[Math.min(turn, usual.length - 1)] as unknown) : usual;
    const echo = respond(index++);
    return echo?.([...seen], valid, request) ?? Response.json(valid);
  };

  const settings: ContextOptions = {
    platform,
    fetch,
    clock,
    licenseKey,
    retry: { baseDelayMs: 0 },
    onCallStart: (event) => events.push(event),
    onRequest: (event) => events.push(event),
    onResponse: (event) => events.push(event),
    onFailure: (event) => events.push(event),
    onRetry: (event) => events.push(event),
    onCallEnd: (event) => events.push(event),
    ...options,
  };
  return {
    clock,
    events,
    addresses,
    contexts: {
      page: createPageContext({ appId, appSecret, ...settings })._unsafeUnwrap(),
      login: createPicsContext({ appId, appSecret, ...settings })._unsafeUnwrap(),
      viaPages: createPicsContextViaPages({ appId: 'app', appSecret, ...settings })._unsafeUnwrap(),
    },
  };
}

/** Whether the data of a success holds the secrets: it is returned as the platform sent it. */
function isData({ exported }: Subject, name: string): boolean {
  return inData.includes(name) || (name.startsWith('a container') && exported !== 'containerStatus');
}

/** Calls a function, and searches everything that can be seen of its outcome. */
async function search(subject: Subject, bench: Bench, options: Options, name = ''): Promise<string[]> {
  const { contexts, events } = bench;
  const hooks = {
    ...('onStatus' in subject.kinds && { onStatus: (event: unknown) => events.push(event) }),
    ...('onCreated' in subject.kinds && { onCreated: (ids: unknown) => events.push(ids) }),
    ...('onProgress' in subject.kinds && { onProgress: (event: unknown) => events.push(event) }),
  };
  const settled = await settle(() => subject.call(contexts, { ...options, ...hooks }));
  counts.calls++;
  if (typeof settled === 'string') return [settled];
  const faults: string[] = [];
  if (settled.isErr()) {
    counts.failures++;
    report('the error', everythingIn(settled.error));
  } else if (!subject.isLowLevel && !isData(subject, name)) {
    counts.values++;
    report('the value', shown(settled.value));
  }
  counts.events += events.length;
  for (const event of events) report('a hook', everythingIn(event));
  report('the context', shown(contexts));
  return faults;

  function report(what: string, text: string): void {
    const found = marksIn(text, marks);
    if (found.length === 0) return;
    const place = text.toLowerCase().indexOf((found[0] ?? '').toLowerCase());
    faults.push(`${what} of ${subject.name}: …${text.slice(Math.max(0, place - 150), place + 80)}…`);
  }
}

/** How many requests a call sends when all goes well. */
async function usualRequests(subject: Subject): Promise<number> {
  let requests = 0;
  await search(
    subject,
    createBench(subject, () => void requests++),
    subject.variants[0] ?? {},
  );
  return requests;
}

test('the search finds a secret however it is written', async () => {
  for (const [name, echo] of Object.entries(echoes)) {
    const request = new Request(`https://graph.test/?access_token=${encodeURIComponent(secrets.token)}`);
    let told: unknown;
    try {
      const response = echo([secrets.token], {}, request);
      told = [await response.text(), response.headers];
    } catch (thrown) {
      told = thrown;
    }
    expect([name, marksIn(everythingIn(told), marks)]).toEqual([name, ['CNRY']]);
  }
});

/** The two addresses of login mode that take nothing but a query, as SECURITY.md says. */
const byQueryOnly = /^GET https:\/\/pics-graph\.test\/(?:refresh_)?access_token\?/;
/** So does this one the token that it is asked about: new apps can no longer send a GET as a form with `method=get`. */
const inspected = /(?<=^GET https:\/\/graph\.test\/v26\.0\/debug_token\?(?:.*&)?)input_token=[^&]*/;

describe.each(subjects)('$name shows no secret', (subject) => {
  const turn = subjects.indexOf(subject);
  test('when it succeeds', async () => {
    for (const options of subject.variants) {
      expectNone(
        await search(
          subject,
          createBench(subject, () => undefined),
          options,
        ),
      );
    }
  });

  test('in an address, where tokens go into the header', async () => {
    for (const options of subject.variants) {
      const bench = createBench(subject, () => undefined, { tokenTransport: 'header' });
      await search(subject, bench, options);
      for (const address of bench.addresses) {
        if (byQueryOnly.test(address)) continue;
        expect(address.replace(inspected, '')).not.toMatch(/CNRY|access_token=|input_token/);
      }
    }
  });

  test('in an address, where what it sends is an exchange', async () => {
    if (!/exchangeCode|refreshToken/.test(subject.name)) return;
    for (const options of subject.variants) {
      const bench = createBench(subject, () => undefined);
      await search(subject, bench, options);
      expect(bench.addresses.length).toBeGreaterThan(0);
      for (const address of bench.addresses) {
        if (!byQueryOnly.test(address)) expect(address).toMatch(/^POST [^?]*$/);
      }
    }
  });

  test('when all of its responses give the secrets back', async () => {
    const faults: string[] = [];
    for (const [name, echo] of share(Object.entries(echoes), turn)) {
      for (const options of subject.variants) {
        const found = await search(
          subject,
          createBench(subject, () => echo),
          options,
          name,
        );
        faults.push(...found.map((fault) => `${name}: ${fault}`));
      }
    }
    expectNone(faults);
  });

  test('when a later response gives the secrets back', async () => {
    const faults: string[] = [];
    const usual = await usualRequests(subject);
    for (const [name, echo] of share(Object.entries(echoes), turn)) {
      for (let skip = 1; skip < Math.min(usual, 6); skip++) {
        const bench = createBench(subject, (index) => (index < skip ? undefined : echo));
        const found = await search(subject, bench, subject.variants[0] ?? {}, name);
        faults.push(...found.map((fault) => `${name} after ${skip}: ${fault}`));
      }
    }
    expectNone(faults);
  });

  test('when a write is lost, and the looks for it give the secrets back', async () => {
    const faults: string[] = [];
    const lost: Echo = (seen) => new Response(seen.join(' '), { status: 502 });
    const usual = await usualRequests(subject);
    for (const [name, echo] of share(Object.entries(echoes), turn)) {
      for (let skip = 0; skip < Math.min(usual, 5); skip++) {
        const bench = createBench(subject, (index) =>
          index < skip ? undefined : index === skip ? lost : echo,
        );
        const found = await search(subject, bench, subject.variants[0] ?? {}, name);
        faults.push(...found.map((fault) => `${name} after ${skip}: ${fault}`));
      }
    }
    expectNone(faults);
  });

  test('when its time runs out, when it is aborted and when its client is closed', async () => {
    const silence = (): Promise<Response> => new Promise(() => undefined);
    const faults: string[] = [];
    const bench = (timeoutMs: number): Bench =>
      createBench(subject, () => undefined, { fetch: silence, timeoutMs });
    const upload = 'uploadTimeoutMs' in subject.kinds && { uploadTimeoutMs: 5 };
    const options = { ...subject.variants[0], ...upload };

    faults.push(...(await search(subject, bench(5), options)));
    const controller = new AbortController();
    // Those that the call knows, and what looks like a token. Others are not to be told from a text.
    const known = tokens.filter((one) => everythingIn(options).includes(one));
    const reason = [...known, appSecret, licenseKey, appToken, `EAAG${'CNRY2x'.repeat(9)}`].join(' ');
    setTimeout(() => controller.abort(Object.assign(new Error(reason), { name: reason, code: reason })), 5);
    faults.push(...(await search(subject, bench(10_000), { ...options, signal: controller.signal })));
    const closing = bench(10_000);
    setTimeout(() => Object.values(closing.contexts).forEach((context) => close(context)), 5);
    faults.push(...(await search(subject, closing, options)));
    faults.push(...(await search(subject, closing, options)));
    expectNone(faults);
  });

  test('when an option that holds one is refused', async () => {
    const faults: string[] = [];
    for (const [option, kind] of Object.entries(subject.kinds)) {
      if (kind !== 'token' && kind !== 'non-empty') continue;
      for (const bad of [
        `${secrets.token} `,
        `${secrets.token}\n`,
        [secrets.token],
        { token: secrets.token },
      ]) {
        const options = { ...subject.variants[0], [option]: bad };
        if (kind === 'token')
          faults.push(
            ...(await search(
              subject,
              createBench(subject, () => undefined),
              options,
            )),
          );
      }
    }
    expectNone(faults);
  });
});

describe('clients', () => {
  const clients = {
    page: createPageClient({ appId, appSecret, licenseKey }),
    login: createPicsClient({ appId, appSecret, licenseKey }),
    viaPages: createPicsClientViaPages({ appId: 'app', appSecret, licenseKey }),
  };

  test.each(Object.entries(clients))('show no secret (%s)', (_, client) => {
    for (const value of [client, client.context, { client }, { ...client }, [client.context]]) {
      expect(marksIn(shown(value), marks)).toEqual([]);
    }
    expect(client.context.secret).toBe(appSecret);
    expect(client.context.licenseKey).toBe(licenseKey);
  });

  test('hold their secrets by name', () => {
    expect(clients.page.context.appToken).toBe(appToken);
  });
});

test('a token that was read stays readable by name, and hidden from the rest', async () => {
  for (const [name, read] of [
    ['page/exchangeCode (page)', (value: unknown) => at(value, 'access_token')],
    ['pics/exchangeCode (login)', (value: unknown) => at(value, 'access_token')],
    ['pics/refreshToken (login)', (value: unknown) => at(value, 'access_token')],
    ['page/pages (page)', (value: unknown) => at(value, '0', 'access_token')],
  ] as const) {
    const subject = subjects.find((one) => one.name === name) as Subject;
    const { contexts } = createBench(subject, () => undefined);
    const settled = await settle(() => subject.call(contexts, subject.variants[0]));
    const value = at(settled, 'value');
    expect(read(value)).toBe(name.includes('pages') ? secrets.entryToken : secrets.longToken);
    expect(marksIn(shown(value), marks)).toEqual([]);
  }
});

test('a token of any length is masked', async () => {
  const long = Array.from({ length: 700 }, (_, index) => `CNRY${index}/+=|`).join('');
  const subject = subjects.find(({ name }) => name === 'page/me (page)') as Subject;
  const echo: Echo = () =>
    Response.json({ error: { code: 190, message: `${long} ${encodeURIComponent(long)}` } }, { status: 400 });
  expectNone(
    await search(
      subject,
      createBench(subject, () => echo),
      { token: long },
    ),
  );
});

test.each('\\%&+/";<>#=|~?'.split('').map((sign) => [sign]))(
  'a token made of %s is masked, and costs no time',
  async (sign) => {
    const token = `${sign.repeat(28)}CNRY${sign.repeat(40)}`;
    const faults: string[] = [];
    for (const name of ['page/me (page)', 'page/publishPost (page)', 'pics/media (login)']) {
      const subject = subjects.find((one) => one.name === name) as Subject;
      const option = 'pageToken' in (subject.variants[0] ?? {}) ? 'pageToken' : 'token';
      for (const [kind, echo] of Object.entries(echoes)) {
        const bench = createBench(subject, () => (_, valid, request) => echo([token], valid, request));
        const found = await search(subject, bench, { ...subject.variants[0], [option]: token }, kind);
        faults.push(...found.map((fault) => `${kind}: ${fault}`));
      }
    }
    expectNone(faults);
  },
);
