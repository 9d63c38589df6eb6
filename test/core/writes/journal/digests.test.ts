import assert from 'node:assert';
import { readFileSync } from 'node:fs';

import type { Result } from 'neverthrow';
import { describe, expect, test } from 'vitest';

import { hmacSha256 } from '../../../../src/core/digest.ts';
import { createJournal, memoryJournal } from '../../../../src/core/index.ts';
import { check } from '../../../../src/core/options/check.ts';
import * as rule from '../../../../src/core/options/rules.ts';
import { time } from '../../../../src/core/options/time.ts';
import type { KeyEntry } from '../../../../src/core/writes/journal/entry.ts';
import { digestContent } from '../../../../src/core/writes/journal/fingerprint.ts';
import { catalogue, type Options, type Subject } from '../../../hostile/catalogue.ts';
import type { Kind } from '../../../hostile/kinds.ts';
import { createBench } from '../../../hostile/platform.ts';
import { pageContext } from '../../../support/context.ts';

const idempotencyKey = 'fixture';
const keyed = catalogue().filter(({ kinds }) => 'idempotencyKey' in kinds);

/** The digest that a call stores under its key; `undefined` for options that it refuses. */
async function digestOf(subject: Subject, options: Options): Promise<string | undefined> {
  const store = memoryJournal();
  const stop = new AbortController();
  let claim: string | undefined;
  const journal = createJournal({
    ...store,
    compareAndSet: async (...replacement) => {
      claim ??= replacement[2];
      // Nothing needs to be sent.
      stop.abort();
      return store.compareAndSet(...replacement);
    },
  });
  const bench = createBench(subject, { journal });
  bench.begin(() => undefined);
  await subject.call(bench.contexts, { ...options, idempotencyKey, signal: stop.signal });
  return (JSON.parse(claim ?? '{}') as { readonly digest?: string }).digest;
}

/** Digests that earlier versions stored, by function, with the options: see the README beside them. */
const earlier: Readonly<Record<string, readonly { readonly options: Options; readonly digest: string }[]>> =
  JSON.parse(readFileSync('test/core/writes/journal/fixtures/digests.json', 'utf8'), (_, value: unknown) => {
    const { $date, $bytes } = Object(value) as { readonly $date?: string; readonly $bytes?: number[] };
    return $date ? new Date($date) : $bytes ? new Uint8Array($bytes) : value;
  });

test.each(Object.entries(earlier))('%s digests its options as earlier versions did', async (name, known) => {
  const subject = keyed.find((one) => one.name === name);
  assert(subject);
  const options = known.map((one) => one.options);
  expect(await Promise.all(options.map((one) => digestOf(subject, one)))).toEqual(
    known.map(({ digest }) => digest),
  );
});

/** What options are that say how to call: nothing that is published has a count, or a duration. */
const how: readonly (Kind | undefined)[] = [
  'count',
  'duration',
  'hook',
  'key',
  'processed',
  'signal',
  'time limit',
  'token',
];
/** Addresses that are compared without their query. */
const media = /Urls?(?:\[\d+\])?$|^images\[|^attachment\.url$/;

/** Each value within options that `change` has another one for, by its path, and the options that have that one. */
function* changes(
  value: unknown,
  change: (value: unknown) => unknown,
  path = '',
  within = (changed: unknown): unknown => changed,
): Generator<readonly [path: string, options: Options]> {
  const isPlain = Object.getPrototypeOf(Object(value)) === Object.prototype && value !== undefined;
  if (isPlain || Array.isArray(value)) {
    for (const [name, item] of Object.entries(value as object)) {
      const at = Array.isArray(value) ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`;
      const put = (changed: unknown): unknown =>
        within(
          Array.isArray(value)
            ? value.with(Number(name), changed)
            : { ...(value as object), [name]: changed },
        );
      yield* changes(item, change, at, put);
    }
    return;
  }
  const changed = change(value);
  // The outermost value is the options.
  if (changed !== undefined) yield [path, within(changed) as Options];
}

function another(value: unknown): unknown {
  if (typeof value === 'string') return `${value}1`;
  if (typeof value === 'number') return value === 0 ? 1 : value / 2;
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'function') return () => undefined;
  if (value instanceof Uint8Array) return new Uint8Array([...value, 1]);
  if (value instanceof Blob) return new Blob([value, '1']);
  return value instanceof Date ? new Date(value.getTime() + 1000) : undefined;
}

/** What became of the digest with each change that the function takes; others, such as another name of a few, have none. */
async function* afterEach(
  subject: Subject,
  change: (value: unknown) => unknown,
): AsyncGenerator<readonly [path: string, isSame: boolean]> {
  for (const variant of subject.variants) {
    const before = await digestOf(subject, variant);
    for (const [path, options] of changes(variant, change)) {
      const digest = await digestOf(subject, options);
      if (digest !== undefined) yield [path, digest === before];
    }
  }
}

// Every day, the test of a new option below holds to the rules that all of these go by.
test.each(keyed)(
  'whatever $name is given is content, unless it says how to call',
  { tags: 'long' },
  async (subject) => {
    const told = new Set<string>();
    for await (const [path, isSame] of afterEach(subject, another)) {
      told.add(path);
      expect([path, isSame]).toEqual([path, how.includes(subject.kinds[path])]);
    }
    expect(told.size).toBeGreaterThan(1);
  },
);

test('addresses of media are compared without their query, others with it', { tags: 'long' }, async () => {
  const told = new Set<string>();
  const signed = (value: unknown): unknown =>
    typeof value === 'string' && /^https:\/\/[^?]*$/.test(value) ? `${value}?signed=1` : undefined;
  for (const subject of keyed) {
    for await (const [path, isSame] of afterEach(subject, signed)) {
      told.add(path.replace(/\d/g, '0'));
      expect([subject.name, path, isSame]).toEqual([subject.name, path, media.test(path)]);
    }
  }
  expect([...told]).toEqual(
    expect.arrayContaining([
      'attachment.url',
      'callToAction.link',
      'imageUrls[0]',
      'link',
      'photos[0].photoUrl',
    ]),
  );
});

describe('a new option of a keyed function', () => {
  const rules = {
    token: rule.token,
    text: rule.text,
    brandNew: rule.optional(
      rule.fields({ deep: rule.optional(rule.listOf(rule.fields({ more: rule.text }))) }),
    ),
    newWaitMs: rule.optional(rule.duration),
    onNews: rule.optional(rule.hook),
    cover: rule.optional(rule.mediaUrl),
    covers: rule.optional(rule.listOf(rule.mediaUrl)),
  };
  const digest = async (more: object): Promise<string> => {
    const options = check<object>(pageContext(), { token: 'a', text: 'Hi', ...more }, rules)._unsafeUnwrap();
    return (await digestContent('key', 'page publishNews', options, undefined)).digest;
  };

  test('is in the digest by its rule alone', async () => {
    const plain = await digest({});
    const cover = await digest({ cover: 'https://a.test/a' });

    expect(await digest({ token: 'b', newWaitMs: 5, onNews: () => 1 })).toBe(plain);
    expect(await digest({ brandNew: {} })).not.toBe(plain);
    expect(await digest({ brandNew: { deep: [{ more: 'a' }] } })).not.toBe(
      await digest({ brandNew: { deep: [{ more: 'b' }] } }),
    );
    expect(cover).not.toBe(plain);
    expect(await digest({ cover: 'https://a.test/a?signed=1' })).toBe(cover);
    expect(await digest({ covers: ['https://a.test/a?b'] })).toBe(
      await digest({ covers: ['https://a.test/a#c'] }),
    );
  });
});

describe('a time', () => {
  const rules = { at: rule.optional(time), text: rule.text };
  const at = new Date(Date.UTC(2030, 0, 2, 3, 4, 5, 600));
  const seconds = Math.floor(at.getTime() / 1000);
  const forms = [at, new Date(seconds * 1000), seconds, seconds + 0.6];
  const signer = { id: 'secret', sign: hmacSha256('secret') };
  const contentOf = (at: unknown, by: typeof signer | undefined, text = 'Hi') =>
    digestContent(
      'key',
      'page publishNews',
      check<object>(pageContext(), { at, text }, rules)._unsafeUnwrap(),
      by,
    );

  test.each([
    ['a secret', signer],
    ['no secret', undefined],
  ])('is the same in each form, under %s', async (_, by) => {
    const digests = await Promise.all(forms.map(async (one) => (await contentOf(one, by)).digest));

    expect(new Set(digests).size).toBe(1);
    expect((await contentOf(seconds + 1, by)).digest).not.toBe(digests[0]);
  });

  test.each([
    ['a secret', signer, signer],
    ['no secret', undefined, undefined],
    ['no secret, where there is one now', undefined, signer],
  ])('is recognized in the form in which earlier versions digested it, under %s', async (_, by, now) => {
    for (const given of [...forms, undefined]) {
      // They kept the order of names, and JSON makes a text of a Date.
      const plain = JSON.stringify({ at: given, text: 'Hi' });
      const [digest, under] = by
        ? [by.sign(JSON.stringify(['key', 'page publishNews', plain])), by.id]
        : [hmacSha256('key')(`["page publishNews",${plain}]`), 'key'];
      // All that is read of an entry.
      const entry = { digest: digest.slice(0, 32), under } as KeyEntry;

      expect((await contentOf(given, now)).isOf(entry)).toBe(true);
      expect((await contentOf(given, now, 'Ho')).isOf(entry)).toBe(false);
      expect((await contentOf(seconds + 5, now)).isOf(entry)).toBe(false);
    }
  });
});

test.each(keyed)('$name returns again what its first call returned', async (subject) => {
  const bench = createBench(subject, { journal: memoryJournal() });
  let published = 0;
  for (const [at, options] of subject.variants.entries()) {
    const call = (): Promise<Result<unknown, Error>> =>
      subject.call(bench.contexts, { ...options, idempotencyKey: `key ${at}` }) as Promise<
        Result<unknown, Error>
      >;
    bench.begin(() => undefined);
    const first = await call();
    if (first.isErr()) continue;
    published++;
    const log = bench.begin(() => undefined);
    expect(await call()).toEqual(first);
    expect(log.requests).toBe(0);
  }
  expect(published).toBeGreaterThan(0);
});
