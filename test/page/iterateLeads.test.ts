import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { close } from '../../src/core/client/createClient.ts';
import type { Fetch } from '../../src/core/http/types.ts';
import { createPageClient } from '../../src/page/client.ts';
import { iterateLeads } from '../../src/page/iterateLeads.ts';
import { appSecret, authenticated, graphBase, pageContext, platform, token } from '../support/context.ts';
import { refusal } from './support.ts';

const options = { formId: '12345', pageToken: token };
const fields =
  'id,created_time,field_data,form_id,ad_id,ad_name,adset_id,adset_name,campaign_id,campaign_name,is_organic,' +
  'platform,partner_name,retailer_item_id,custom_disclaimer_responses';

function form(query: Readonly<Record<string, string>>): nock.Interceptor {
  return nock(graphBase)
    .get('/12345/leads')
    .query({ ...authenticated, ...query });
}

/** A form with pages of 100 leads each, of which the one with the number `refused` is refused. */
function formOf(refused: number): { readonly fetch: Fetch; readonly asked: () => number } {
  let asked = 0;
  return {
    asked: () => asked,
    fetch: (input) => {
      const url = new URL(input instanceof Request ? input.url : input);
      const at = Number(url.searchParams.get('after') ?? 0);
      asked++;
      if (at + 1 === refused) return Promise.resolve(Response.json(refusal(200), { status: 403 }));
      const data = Array.from({ length: 100 }, (_, lead) => ({ id: `${at * 100 + lead}` }));
      url.searchParams.set('after', `${at + 1}`);
      return Promise.resolve(Response.json({ data, paging: { next: url.href } }));
    },
  };
}

describe('iterateLeads', () => {
  test('walks the pages, each lead once, with the filter of leads', async () => {
    const filtering = '[{"field":"time_created","operator":"GREATER_THAN","value":1767225600}]';
    form({ fields, filtering, limit: '100' }).reply(200, {
      data: [{ id: '1', field_data: [{ name: 'EMAIL', values: ['a@x'] }] }, { id: '2' }],
      paging: { next: `${graphBase}/12345/leads?access_token=${token}&after=b` },
    });
    form({ after: 'b' }).reply(200, { data: [{ id: '2' }, { id: '3' }] });
    const seen: unknown[] = [];

    for await (const lead of iterateLeads(pageContext(), { ...options, since: 1_767_225_600 })) {
      const { id, fields: answers } = lead._unsafeUnwrap();
      seen.push([id, answers]);
    }

    expect(seen).toEqual([
      ['1', { email: 'a@x' }],
      ['2', {}],
      ['3', {}],
    ]);
  });

  test('yields the 4000 leads of 40 pages before the refusal of the next, which ends it', async () => {
    const { fetch, asked } = formOf(41);
    const results = await Array.fromAsync(iterateLeads(pageContext({ fetch }), options));

    const ids = results.slice(0, -1).map((lead) => lead._unsafeUnwrap().id);
    expect(ids).toEqual(Array.from({ length: 4000 }, (_, at) => `${at}`));
    expect(results.at(-1)?._unsafeUnwrapErr()).toMatchObject({ name: 'PermissionError', code: 200 });
    expect(asked()).toBe(41);
  });

  test('of a client yields them too, and throws the refusal', async () => {
    const { fetch } = formOf(3);
    const client = createPageClient({ appId: 'app-id', appSecret, platform, fetch });
    const seen: string[] = [];

    const walk = async (): Promise<void> => {
      for await (const { id } of client.iterateLeads(options)) seen.push(id);
    };

    await expect(walk()).rejects.toMatchObject({ name: 'PermissionError', code: 200 });
    expect(seen).toHaveLength(200);
  });

  test('requests no page that nobody reads: leaving the loop ends the walk', async () => {
    const { fetch, asked } = formOf(Infinity);
    const leads = iterateLeads(pageContext({ fetch }), options);
    let taken = 0;

    for await (const _ of leads) if (++taken === 150) break;

    expect(asked()).toBe(2);
    expect(await leads.next()).toEqual({ value: undefined, done: true });
    expect(asked()).toBe(2);
  });

  test.each(['aborted', 'closed'])(
    'ends with the failure when it is %s, and sends no more',
    async (reason) => {
      const { fetch, asked } = formOf(Infinity);
      const context = pageContext({ fetch });
      const { signal, abort } = controllerOf();
      const seen: unknown[] = [];

      for await (const lead of iterateLeads(context, { ...options, signal })) {
        if (seen.length === 99) {
          if (reason === 'aborted') abort();
          else close(context);
        }
        seen.push(lead.isErr() ? lead.error : lead.value.id);
      }

      expect(seen).toHaveLength(101);
      expect(seen.at(-1)).toMatchObject({ name: 'TransportError', reason });
      expect(asked()).toBe(1);
    },
  );

  test('counts its limit over all pages, and requests no more', async () => {
    const { fetch, asked } = formOf(Infinity);
    const results = await Array.fromAsync(iterateLeads(pageContext({ fetch }), { ...options, limit: 120 }));

    expect(results).toHaveLength(120);
    expect(asked()).toBe(2);
  });
});

function controllerOf(): { readonly signal: AbortSignal; readonly abort: () => void } {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}
