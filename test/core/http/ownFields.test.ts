import { expect, test } from 'vitest';

import type { Purpose } from '../../../src/core/index.ts';
import { catalogue, type Options, type Subject } from '../../hostile/catalogue.ts';
import { settle } from '../../hostile/judge.ts';
import { createBench } from '../../hostile/platform.ts';

/** The first field of a request that is no id, and has no more than a name; and which request that is. */
interface Asked {
  readonly index: number;
  readonly field: string;
}

/** What the reads of a call ask for by their fields, when all goes well. */
async function asksOf(subject: Subject, options: Options | undefined): Promise<readonly Asked[]> {
  const purposes: (Purpose | undefined)[] = [];
  const sent: Request[] = [];
  const bench = createBench(
    subject,
    { onRequest: ({ purpose }) => void purposes.push(purpose) },
    async (request) => void sent.push(request),
  );
  bench.begin(() => undefined);
  await settle(() => subject.call(bench.contexts, options));
  return sent.flatMap(({ method, url }, index) => {
    const fields = new URL(url).searchParams.get('fields') ?? '';
    // One that is the only one stays.
    const [field, ...more] = fields.match(/(?<=[,{]|^)(?!id\b)\w+(?=[,}]|$)/g) ?? [];
    const isAsked = method === 'GET' && purposes[index] === 'call';
    return isAsked && field !== undefined && more.length > 0 ? [{ index, field }] : [];
  });
}

/** Whether a call goes on without a field, once the platform says that it does not know it. */
async function goesOn(
  subject: Subject,
  options: Options | undefined,
  { index, field }: Asked,
): Promise<boolean> {
  const refused: string[] = [];
  const bench = createBench(subject, { onFieldRefused: (event) => void refused.push(event.field) });
  const error = {
    code: 100,
    message: `(#100) Tried accessing nonexisting field (${field}) on node type (X)`,
  };
  bench.begin((place) =>
    place.index === index ? { kind: 'text', status: 400, text: JSON.stringify({ error }) } : undefined,
  );
  await settle(() => subject.call(bench.contexts, options));
  return refused.includes(field);
}

/** Those that fail, so that the refusal tells whose token it is. */
const others = /^core\/|^page\/me /;

test.each(catalogue().filter(({ name }) => !others.test(name)))(
  '$name goes on without a field of its own that the platform does not know',
  async (subject) => {
    for (const options of subject.variants) {
      for (const asked of await asksOf(subject, options)) {
        const { fields: chosen } = options;
        const isOwn = !(Array.isArray(chosen) && chosen.includes(asked.field));
        expect([asked.field, await goesOn(subject, options, asked)]).toEqual([asked.field, isOwn]);
      }
    }
  },
);
