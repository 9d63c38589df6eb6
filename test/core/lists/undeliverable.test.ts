import { readFileSync } from 'node:fs';

import { describe, expect, test, vi } from 'vitest';

import { type ConnectionClient, requirements } from '../../../src/connections/index.ts';
import { iterate, paginate } from '../../../src/core/lowLevel/paginate.ts';
import { fieldsOf } from '../../../src/core/objects.ts';
import { portfolioPages } from '../../../src/page/pages.ts';
import { createSandbox } from '../../../src/sandbox/index.ts';
import { type Calls, pageCalls, picsCalls, placeIn } from '../../functions/sandboxCalls.ts';
import { pageContext, token } from '../../support/context.ts';

/** One bad entry does not cost a list: held for every function that lists or walks, by what `test/api` says they return. */

/** What the platform says of them: under code 1, in whatever words. */
const words: readonly [string, string] = [
  "Please reduce the amount of data you're asking for, then retry your request",
  'An unknown error has occurred.',
];
const all = 60;
const bad = [0, 7, 30];
const good = Array.from({ length: all }, (_, at) => `${1000 + at}`).filter((_, at) => !bad.includes(at));

/** A list of which some entries fail whenever more than their id is asked for; an entry has every kind of id. */
function respond(request: Request, message = words[0]): Response {
  const { origin, pathname, searchParams } = new URL(request.url);
  const from = Number(searchParams.get('after') ?? 0);
  const to = Math.min(from + Number(searchParams.get('limit') ?? 25), all);
  if (searchParams.get('fields') !== 'id' && bad.some((at) => at >= from && at < to)) {
    return Response.json({ error: { message, code: 1 } }, { status: 500 });
  }
  const data = Array.from({ length: to - from }, (_, at) => {
    const id = `${1000 + from + at}`;
    return { id, post_id: id, media_id: id, product_id: id, catalog_id: id, audio_id: id, name: id };
  });
  searchParams.set('after', `${to}`);
  searchParams.delete('appsecret_proof');
  const paging = {
    cursors: { after: `${to}` },
    ...(to < all && { next: `${origin}${pathname}?${searchParams}` }),
  };
  return Response.json({ data, audio: data, paging });
}

/** The functions of an entry that list or walk, by the declarations of its exports. */
function listsOf(entry: 'page' | 'pics'): readonly string[] {
  return readFileSync(`test/api/${entry}.txt`, 'utf8')
    .split('\n')
    .filter((line) => /(List<|AsyncGenerator<|<(Conversations|Messages|Reactions),).*;$/.test(line))
    .flatMap((line) => /^function (\w+)\(/.exec(line)?.[1] ?? []);
}

/** The ids that came, and how many entries are said to be missing. */
async function read(outcome: unknown): Promise<readonly [ids: readonly string[], missing: number]> {
  const ids: string[] = [];
  const idOf = (entry: unknown): string => String(Object.values(fieldsOf(entry))[0]);
  if (typeof outcome === 'object' && outcome !== null && 'next' in outcome) {
    let missing = 0;
    // A walk of the SDK yields Results.
    for await (const one of outcome as ReturnType<typeof iterate>) {
      if (one.isOk()) ids.push(idOf(one.value));
      else missing++;
    }
    return [ids, missing];
  }
  // All others resolve to a list, or to a page of an inbox.
  const found = (await (outcome as ReturnType<typeof paginate>))._unsafeUnwrap();
  const { data = found } = found as { readonly data?: object[] };
  for (const one of data) ids.push(idOf(one));
  return [ids, found.unreadable];
}

const tables: readonly (readonly [ConnectionClient, Calls, readonly string[]])[] = [
  ['page', pageCalls, listsOf('page')],
  ['pics-login', picsCalls('login'), listsOf('pics')],
  ['pics-pages', picsCalls('viaPages'), listsOf('pics')],
];

function goesOn([client, calls, names]: (typeof tables)[number], message: string): void {
  test.each(names.filter((name) => name in requirements[client]))('%s goes on without them', async (name) => {
    const sandbox = createSandbox({ posts: 2, comments: 2, leads: 1 });
    let isPoisoned = false;
    const place = placeIn(sandbox, {
      platform: sandbox.platform,
      retry: { baseDelayMs: 0 },
      fetch: async (...request) =>
        isPoisoned ? respond(new Request(...request), message) : sandbox.fetch(...request),
    });
    const call = await calls[name]?.(place);
    isPoisoned = true;

    const outcome = call?.({
      token: client === 'pics-login' ? place.account.token : sandbox.user.token,
      pageToken: place.first.token,
    });
    const [ids, missing] = await read(outcome);

    expect(ids).toEqual(good.slice(0, ids.length));
    // A list ends at its limit, which counts what comes.
    expect(ids.length).toBeGreaterThanOrEqual(25);
    expect(missing).toBe(bad.filter((at) => at < ids.length + missing).length);
    expect(missing).toBeGreaterThanOrEqual(2);
  });
}

describe.each(tables)('%s: entries that the platform cannot deliver', (...table) => {
  goesOn(table, words[0]);
  // The words do not matter.
  describe('in other words', { tags: 'long' }, () => goesOn(table, words[1]));
});

test.each(words)('paginate and iterate go on without them: %s', async (message) => {
  const context = pageContext({ fetch: async (...request) => respond(new Request(...request), message) });

  expect(await read(paginate(context, '42/feed', { token }))).toEqual([good, 3]);
  expect(await read(iterate(context, '42/feed', { token }))).toEqual([good, 3]);
});

test(
  'the Pages of a person and of their portfolios come without them, and no list counts as refused',
  { tags: 'long' },
  async () => {
    const context = pageContext({ fetch: async (...request) => respond(new Request(...request)) });

    const found = (await portfolioPages(context, { token }))._unsafeUnwrap();

    expect(found.pages.map(({ id }) => id)).toEqual(good);
    expect(found.skipped).toEqual([]);
    // Of the person's Pages, of the portfolios, and of two lists of each of these.
    expect(found.unreadable).toBe(3 * (2 + 2 * good.length));
    expect(Object.keys(found)).toEqual(['pages', 'skipped']);
  },
);

test('what the platform words for a person and calls lasting is no fault of an entry', async () => {
  const error = {
    code: 1,
    is_transient: false,
    error_user_title: 'Not now',
    error_user_msg: 'Confirm it is you.',
  };
  const fetch = vi.fn<typeof globalThis.fetch>(async () => Response.json({ error }, { status: 400 }));

  const listed = await paginate(pageContext({ fetch }), '42/feed', { token });

  expect(listed._unsafeUnwrapErr()).toMatchObject({ code: 1, action: 'fix', outcome: 'rejected' });
  expect(fetch).toHaveBeenCalledTimes(1);
});
