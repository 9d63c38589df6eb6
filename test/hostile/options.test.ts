import { ok } from 'neverthrow';
import { expect, test, vi } from 'vitest';

import { memoryJournal } from '../../src/core/index.ts';
import { catalogue, type Contexts, type Options, type Subject } from './catalogue.ts';
import { settle } from './judge.ts';
import { createBench, type Plan } from './platform.ts';

vi.setConfig({ testTimeout: 120_000 });

/** The low-level functions take their options apart in the catalogue. */
const subjects = catalogue().filter(({ name }) => !name.startsWith('core/') || name.startsWith('core/batch'));

/** What a call sends, whatever the order of requests that are under way at once. */
async function sentBy(subject: Subject, call: (contexts: Contexts) => unknown, plan: Plan = () => undefined) {
  const sent: string[] = [];
  const bench = createBench(subject, { journal: memoryJournal() }, async (request) => {
    const boundary = /boundary=(\S+)/.exec(request.headers.get('content-type') ?? '')?.[1];
    const body = await request.text();
    // Photos are uploaded side by side, and their ids count by arrival.
    const known = body.replaceAll(/(?<=media_fbid%22%3A%22)\d+/g, 'N');
    sent.push(
      `${request.method} ${request.url} ${boundary === undefined ? known : known.replaceAll(boundary, '-')}`,
    );
  });
  bench.begin(plan);
  await settle(() => call(bench.contexts));
  return sent.toSorted();
}

/** The options as an instance of a class, which has no fields of its own; so are the items of its lists. */
function instanceOf(options: Options): Options {
  const entries = Object.entries(options).map(([name, value]) => {
    const isItems = name === 'photos' || name === 'items';
    return [name, isItems ? (value as Options[]).map(instanceOf) : value] as const;
  });
  const getters = entries.map(([name, value]) => [name, { get: () => value }] as const);
  return Object.create(Object.defineProperties({}, Object.fromEntries(getters))) as Options;
}

test.each(subjects)('$name takes its options of an instance of a class', async (subject) => {
  for (const options of subject.variants) {
    const plain = await sentBy(subject, (contexts) => subject.call(contexts, options));

    expect(await sentBy(subject, (contexts) => subject.call(contexts, instanceOf(options)))).toEqual(plain);
  }
});

test.each(subjects)('$name takes its options as they are when it is called', async (subject) => {
  for (const options of subject.variants) {
    const plain = await sentBy(subject, (contexts) => subject.call(contexts, options));

    const reused: Record<string, unknown> = { ...options };
    const sent = await sentBy(subject, (contexts) => {
      const result = subject.call(contexts, reused);
      for (const name of Object.keys(reused)) reused[name] = 'of the next call';
      return result;
    });
    expect(sent).toEqual(plain);
  }
});

const failFirst: Plan = ({ index }) =>
  index === 0 ? { kind: 'text', text: '{"error":{"message":"Later","code":2}}', status: 503 } : undefined;

/** A copy that shares nothing with the options that can be changed. */
function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf);
  if (value instanceof Date) return new Date(value);
  if (value instanceof URL) return new URL(value);
  if (value instanceof Uint8Array) return value.slice();
  if (value instanceof ArrayBuffer) return value.slice();
  if (value instanceof URLSearchParams) return new URLSearchParams(value);
  if (typeof value !== 'object' || value === null || !isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, copyOf(field)]));
}

/** Changes all that can be changed within a value, for the next call. */
function spoil(value: unknown): void {
  if (value instanceof Date) value.setTime(0);
  else if (value instanceof URL) value.pathname = '/of/the/next/call';
  else if (value instanceof Uint8Array) value.fill(46);
  else if (value instanceof ArrayBuffer) new Uint8Array(value).fill(46);
  else if (value instanceof URLSearchParams) value.append('of', 'the next call');
  else if (typeof value === 'object' && value !== null && (Array.isArray(value) || isPlain(value))) {
    const fields = value as Record<string, unknown>;
    for (const name of Object.keys(fields)) {
      spoil(fields[name]);
      if (typeof fields[name] !== 'object') fields[name] = 'of the next call';
    }
    if (Array.isArray(value)) value.push('of the next call');
    else fields['added'] = 'of the next call';
  }
}

function isPlain(value: object): boolean {
  return Object.getPrototypeOf(value) === Object.prototype;
}

/** The variants of a function's options; with a key as well, where it takes one. */
function variantsOf({ kinds, variants }: Subject): readonly Options[] {
  if (!('idempotencyKey' in kinds)) return variants;
  const keyed = variants.map((options) => ({
    ...options,
    idempotencyKey: 'key',
    ...('picsUserId' in kinds && { picsUserId: '17' }),
  }));
  return [...variants, ...keyed];
}

test.each(catalogue())(
  '$name takes what is within its options as it is when it is called',
  async (subject) => {
    // A low-level write is sent again after an attempt that failed, and sends the same.
    for (const plan of subject.isLowLevel ? [() => undefined, failFirst] : [() => undefined]) {
      for (const options of variantsOf(subject)) {
        const plain = await sentBy(subject, (contexts) => subject.call(contexts, copyOf(options)), plan);
        const reused = copyOf(options);

        const sent = await sentBy(
          subject,
          (contexts) => {
            const result = subject.call(contexts, reused);
            spoil(reused);
            return result;
          },
          plan,
        );
        expect(sent).toEqual(plain);
      }
    }
  },
);

test.each(catalogue().filter(({ exported }) => exported !== 'appSecretProof'))(
  '$name says what is no context',
  async (subject) => {
    const bench = createBench(subject);
    const log = bench.begin(() => undefined);
    const { page, login, viaPages } = bench.contexts;
    const wrong: readonly unknown[] = [
      { page: ok(page), login: ok(login), viaPages: ok(viaPages) },
      { page: undefined, login: undefined, viaPages: undefined },
      { page: null, login: null, viaPages: null },
    ];
    for (const contexts of wrong) {
      const settled = await settle(() => subject.call(contexts as Contexts, subject.variants[0]));
      if (typeof settled === 'string') expect.fail(settled);
      if (subject.exported === 'contact') {
        expect(settled.isOk() && settled.value).toMatchObject({
          available: false,
          reason: expect.stringMatching(/^context must come from /),
        });
      } else {
        expect(settled.isErr() && settled.error).toMatchObject({
          name: 'ConfigurationError',
          option: 'context',
        });
      }
    }
    expect(log.requests).toBe(0);
  },
);
