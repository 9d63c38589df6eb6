import { expect, test, vi } from 'vitest';

import { catalogue, type Options, type Subject } from './catalogue.ts';
import { settle } from './judge.ts';
import { createBench } from './platform.ts';

vi.setConfig({ testTimeout: 120_000 });

/** The low-level functions take their options apart in the catalogue. */
const subjects = catalogue().filter(({ name }) => !name.startsWith('core/') || name.startsWith('core/batch'));

/** What a call sends, whatever the order of requests that are under way at once. */
async function sentBy(subject: Subject, call: (contexts: Parameters<Subject['call']>[0]) => unknown) {
  const sent: string[] = [];
  const bench = createBench(subject, {}, async (request) => {
    const boundary = /boundary=(\S+)/.exec(request.headers.get('content-type') ?? '')?.[1];
    const body = await request.text();
    sent.push(
      `${request.method} ${request.url} ${boundary === undefined ? body : body.replaceAll(boundary, '-')}`,
    );
  });
  bench.begin(() => undefined);
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
