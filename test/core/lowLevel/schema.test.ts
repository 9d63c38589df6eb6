import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expect, expectTypeOf, test, vi } from 'vitest';
import * as z from 'zod';

import { iterate, paginate } from '../../../src/core/lowLevel/paginate.ts';
import { del, get, post, request } from '../../../src/core/lowLevel/request.ts';
import type { StandardSchema } from '../../../src/core/lowLevel/rules.ts';
import { pagePostSchema } from '../../../src/models/index.ts';
import { createPageClient } from '../../../src/page/client.ts';
import { pageContext } from '../../support/context.ts';
import { json, stubFetch } from '../stub.ts';

const libraries = {
  valibot: v.object({ id: v.string(), size: v.number() }),
  zod: z.object({ id: z.string(), size: z.number() }),
  arktype: type({ id: 'string', size: 'number' }),
};

const secret = 'a value that no message may quote';

/** A schema whose `validate` gives something that its type does not allow. */
function answering(answer: unknown): StandardSchema {
  const validate = (): never => answer as never;
  return { '~standard': { version: 1, vendor: 'test', validate } };
}

/** What libraries of promises give: it has a `then`, but is no `Promise`. Without a value, it rejects. */
function thenable(value?: unknown): PromiseLike<unknown> {
  // oxlint-disable-next-line unicorn/no-thenable -- what this test is about
  return { then: (take, refuse) => (value ? Promise.resolve(value) : Promise.reject()).then(take, refuse) };
}

test("the platform's times fit the schemas that the docs name for them", async () => {
  const time = '2026-11-29T10:00:00+0000';
  const fetch = stubFetch(json({ created_time: time }));
  const read = async (schema: StandardSchema) => (await get(pageContext({ fetch }), '1', { schema })).isOk();

  expect({
    valibot: await read(v.object({ created_time: v.pipe(v.string(), v.isoTimestamp()) })),
    arktype: await read(type({ created_time: 'string.date.iso' })),
    zod: await read(z.object({ created_time: z.coerce.date() })),
    colon: await read(z.object({ created_time: z.iso.datetime({ offset: true }) })),
  }).toEqual({ valibot: true, arktype: true, zod: true, colon: false });
});

describe.each(Object.entries(libraries))('a schema of %s', (_, schema) => {
  test('reads the response of each function, and types it', async () => {
    const context = pageContext({ fetch: stubFetch(json({ id: '1', size: 7 })) });
    const value = { id: '1', size: 7 };

    for (const read of [
      await request(context, 'GET', '1', { schema }),
      await get(context, '1', { schema }),
      await post(context, '1', { schema }),
      await del(context, '1', { schema }),
    ]) {
      const found = read._unsafeUnwrap();
      expectTypeOf(found).toEqualTypeOf<{ id: string; size: number }>();
      expect(found).toEqual(value);
    }
  });

  test('reads each entry of a list', async () => {
    const data = [{ id: '1', size: 1 }, null, { id: '2', size: 2 }];
    const context = pageContext({ fetch: stubFetch(json({ data })) });
    const listed = (await paginate(context, '1/feed', { schema }))._unsafeUnwrap();
    const walked: { id: string; size: number }[] = [];
    for await (const entry of iterate(context, '1/feed', { schema })) walked.push(entry._unsafeUnwrap());

    expectTypeOf(listed[0]).toEqualTypeOf<{ id: string; size: number } | undefined>();
    expect([...listed]).toEqual([data[0], data[2]]);
    expect(walked).toEqual([data[0], data[2]]);
  });

  test('that does not fit says where, and quotes nothing', async () => {
    const context = pageContext({ fetch: stubFetch(json({ id: '1', size: secret })) });

    for (const [read, outcome] of [
      [await get(context, '1', { schema }), 'rejected'],
      [await post(context, '1', { schema }), 'unknown'],
    ] as const) {
      const error = read._unsafeUnwrapErr();
      expect(error).toMatchObject({ name: 'ApiError', outcome });
      expect(error.message).toMatch(/^unexpected response at size: /);
      expect(error.message).not.toContain(secret);
    }
    const entries = pageContext({ fetch: stubFetch(json({ data: [{ id: '1', size: secret }] })) });
    expect((await paginate(entries, '1/feed', { schema }))._unsafeUnwrapErr().message).toMatch(
      /^unexpected response at data\.0\.size: /,
    );
  });
});

describe('a schema', () => {
  test('is an option of a client as well', async () => {
    const fetch = stubFetch(json({ id: '1', message: 'Hi' }));
    const client = createPageClient({ appId: '1', appSecret: 's', fetch });
    const found = await client.get('1', { schema: pagePostSchema });

    expectTypeOf(found.message).toEqualTypeOf<string | undefined>();
    expect(found.message).toBe('Hi');
    expectTypeOf(await client.get('1')).toEqualTypeOf<unknown>();
  });

  test('gives each entry, even where it makes the same of all', async () => {
    const page = (at: number) => ({
      data: [{ id: String(at) }],
      paging: { next: `https://graph.test/v26.0/1/feed?after=${at}` },
    });
    let at = 0;
    const fetch = vi.fn(async () => Response.json(at < 60 ? page(at++) : { data: [] }));
    const kind = v.pipe(
      v.unknown(),
      v.transform(() => ({ kind: 'post' })),
    );
    const listed = await paginate(pageContext({ fetch }), '1/feed', { schema: kind });

    expect(listed._unsafeUnwrap()).toHaveLength(60);
  });

  test.each([
    ['none', { parse: () => 5 }],
    ['an asynchronous one of valibot', v.pipeAsync(v.string())],
    ['a text', 'schema'],
  ])('that is %s is refused before anything is sent', async (_, schema) => {
    const fetch = stubFetch(json({}));
    const options = { schema: schema as unknown as v.GenericSchema };

    for (const read of [
      await get(pageContext({ fetch }), '1', options),
      await paginate(pageContext({ fetch }), '1', options),
    ]) {
      expect(read._unsafeUnwrapErr()).toMatchObject({ name: 'ConfigurationError', option: 'schema' });
    }
    expect(fetch).not.toHaveBeenCalled();
  });

  test('that turns out asynchronous, or throws, fails as an unreadable response does', async () => {
    const context = pageContext({ fetch: stubFetch(json({ id: '1' })) });
    const schemas: readonly (readonly [StandardSchema, string])[] = [
      [z.object({ id: z.string().refine(async () => true) }), 'the schema is asynchronous'],
      [answering(thenable({ value: 1 })), 'the schema is asynchronous'],
      [answering(thenable()), 'the schema is asynchronous'],
      [answering({}), 'the schema gives neither a value nor issues'],
      [answering(null), 'the schema throws'],
      [
        v.pipe(
          v.unknown(),
          v.transform((value) => String(Object(value).name.first)),
        ),
        'the schema throws',
      ],
    ];

    for (const [schema, fault] of schemas) {
      expect((await post(context, '1', { schema }))._unsafeUnwrapErr()).toMatchObject({
        name: 'ApiError',
        outcome: 'unknown',
        message: `unexpected response at body: ${fault}`,
      });
    }
  });
});
