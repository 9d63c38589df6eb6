import nock from 'nock';
import { describe, expect, test, vi } from 'vitest';

import { close } from '../../src/core/client.ts';
import type { Fetch } from '../../src/core/http/types.ts';
import { fieldsOf } from '../../src/core/objects.ts';
import type { Clock } from '../../src/core/options/clock.ts';
import type { Lead } from '../../src/models/leads.ts';
import { createPageClient } from '../../src/page/client.ts';
import {
  adContext,
  createTestLead,
  deleteTestLead,
  iterateLeads,
  lead,
  leadForm,
  leadForms,
  leads,
  type LeadsOptions,
} from '../../src/page/leads.ts';
import {
  appSecret,
  authenticated,
  graphBase,
  pageContext,
  platform,
  token,
  virtualClock,
} from '../support/context.ts';
import { asUser, refusal, userToken } from './support.ts';

describe('lead', () => {
  const options = { leadgenId: '1636129430026801', pageToken: token };

  const fields =
    'id,created_time,field_data,form_id,ad_id,ad_name,adset_id,adset_name,campaign_id,campaign_name,is_organic,' +
    'platform,partner_name,retailer_item_id,custom_disclaimer_responses';

  function reading(): nock.Interceptor {
    return nock(graphBase)
      .get('/1636129430026801')
      .query({ ...authenticated, fields });
  }

  /** The `fields` of a lead with this `field_data`, given as JSON text. */
  async function fieldsOf(fieldData: string): Promise<Lead['fields']> {
    reading().reply(200, `{"id":"1","field_data":${fieldData}}`);
    return (await lead(pageContext(), options))._unsafeUnwrap().fields;
  }

  test('reads the whole lead', async () => {
    const body = {
      id: '1636129430026801',
      created_time: '2026-01-02T03:04:05+0000',
      field_data: [
        { name: 'full_name', values: ['Ann Lee'] },
        { name: 'Which Colours?', values: ['red', 'blue'] },
      ],
      form_id: '12345',
      ad_id: '1',
      ad_name: 'Ad',
      adset_id: '2',
      adset_name: 'Set',
      campaign_id: '3',
      campaign_name: 'Campaign',
      is_organic: false,
      platform: 'ig',
      partner_name: 'Partner',
    };
    reading().reply(200, body);

    const { partner_name, ...known } = body;
    expect((await lead(pageContext(), options))._unsafeUnwrap()).toEqual({
      ...known,
      fields: { full_name: 'Ann Lee', which_colours: ['red', 'blue'] },
      raw: { ...known, partner_name },
    });
  });

  test.each([0, '0'])('knows no ad of a test lead, which names the ad %j', async (none) => {
    const ofAd = { ad_id: none, adset_id: none, campaign_id: none };
    reading().reply(200, { id: '1', created_time: '2026-01-02T03:04:05+0000', ...ofAd });

    const { ad_id, adset_id, campaign_id } = (await lead(pageContext(), options))._unsafeUnwrap();
    expect([ad_id, adset_id, campaign_id]).toEqual([undefined, undefined, undefined]);
  });

  test('knows no ad of an organic lead', async () => {
    reading().reply(200, { id: '1', created_time: '2026-01-02T03:04:05+0000' });

    expect((await lead(pageContext(), options))._unsafeUnwrap()).toEqual({
      id: '1',
      created_time: '2026-01-02T03:04:05+0000',
      fields: {},
      field_data: [],
      raw: { id: '1', created_time: '2026-01-02T03:04:05+0000' },
    });
  });

  test.each([
    ['FULL_NAME', 'full_name'],
    ['Full Name', 'full_name'],
    ['fullName', 'full_name'],
    ['  e-mail: ', 'e_mail'],
    ['_line2', 'line2'],
    ['Ваш телефон?', 'ваш_телефон'],
    ['电话', '电话'],
    ['???', '???'],
    ['__proto__', 'proto'],
    ['constructor', 'constructor'],
  ])('knows the answer to %j as %j', async (name, key) => {
    const found = await fieldsOf(JSON.stringify([{ name, values: ['x'] }]));

    expect(Object.entries(found)).toEqual([[key, 'x']]);
  });

  test('writes one value as a string, several as an array, and none as an empty one', async () => {
    expect(
      await fieldsOf(
        '[{"name":"a","values":["1"]},{"name":"b","values":["1","2"]},{"name":"c","values":[]}]',
      ),
    ).toEqual({ a: '1', b: ['1', '2'], c: [] });
  });

  test('keeps the answers to two questions apart whose names would be the same', async () => {
    expect(
      await fieldsOf(
        '[{"name":"Size","values":["S"]},{"name":"size?","values":["M"]},{"name":"size?","values":["L"]}]',
      ),
    ).toEqual({ Size: 'S', 'size?': ['M', 'L'] });
  });

  test('finds an answer by its name as it was written, which is not listed', async () => {
    const found = await fieldsOf(
      '[{"name":"Favourite Drinks?","values":["tea"]},{"name":"__proto__","values":["x"]}]',
    );

    expect(Object.entries(found)).toEqual([
      ['favourite_drinks', 'tea'],
      ['proto', 'x'],
    ]);
    expect(found['Favourite Drinks?']).toBe('tea');
    expect(JSON.stringify(found)).toBe('{"favourite_drinks":"tea","proto":"x"}');
  });

  test('writes every value as a string, to the last digit', async () => {
    expect(
      await fieldsOf('[{"name":"zip","values":[8000]},{"name":"n","values":[17841400000000001]}]'),
    ).toEqual({
      zip: '8000',
      n: '17841400000000001',
    });
  });

  test('hands out an id of 17 digits to the last one', async () => {
    reading().reply(200, '{"id":17841400000000001,"form_id":17841400000000003}');

    expect((await lead(pageContext(), options))._unsafeUnwrap()).toMatchObject({
      id: '17841400000000001',
      form_id: '17841400000000003',
    });
  });

  test('fails with PermissionError when the permission is missing', async () => {
    reading().reply(403, refusal(200));

    expect((await lead(pageContext(), options))._unsafeUnwrapErr()).toMatchObject({
      name: 'PermissionError',
    });
  });

  test('says where an answer is of the wrong shape', async () => {
    reading().reply(200, { id: {}, field_data: [] });

    const error = (await lead(pageContext(), options))._unsafeUnwrapErr();

    expect(error.message).toBe('unexpected response at id: expected string');
  });
});

describe('leads', () => {
  const options = { formId: '12345', pageToken: token };

  const fields =
    'id,created_time,field_data,form_id,ad_id,ad_name,adset_id,adset_name,campaign_id,campaign_name,is_organic,' +
    'platform,partner_name,retailer_item_id,custom_disclaimer_responses';

  const nowMs = Date.UTC(2026, 0, 2);

  const now = nowMs / 1000;

  const clock: Clock = virtualClock(nowMs);

  function form(query: Readonly<Record<string, string>> = {}): nock.Interceptor {
    return nock(graphBase)
      .get('/12345/leads')
      .query({ ...authenticated, fields, limit: '100', ...query });
  }

  function entries(count: number, from = 0): object[] {
    return Array.from({ length: count }, (_, at) => ({ id: `${from + at}` }));
  }

  test('reads the leads of the form', async () => {
    form().reply(200, { data: [{ id: '1', field_data: [{ name: 'EMAIL', values: ['a@x'] }] }] });

    const [first, ...others] = (await leads(pageContext(), options))._unsafeUnwrap();

    expect(first).toMatchObject({ id: '1', fields: { email: 'a@x' } });
    expect(others).toEqual([]);
  });

  test.each([
    ['seconds', 1_767_225_600, 1_767_225_600],
    ['seconds with a fraction', 1_767_225_600.75, 1_767_225_600],
    ['a date', new Date(1_767_225_600_750), 1_767_225_600],
    ['this very second', now, now],
    ['the beginning', 0, 0],
  ])('asks only for those made after %s', async (_, since, value) => {
    form({ filtering: `[{"field":"time_created","operator":"GREATER_THAN","value":${value}}]` }).reply(200, {
      data: entries(1),
    });

    const found = (await leads(pageContext({ clock }), { ...options, since }))._unsafeUnwrap();

    expect(found.map(({ id }) => id)).toEqual(['0']);
  });

  test('walks the pages of the list, and stops at 200 by default', async () => {
    const next = `${graphBase}/12345/leads?access_token=${token}&fields=${fields}&limit=100`;
    form().reply(200, { data: entries(100), paging: { next: `${next}&after=a` } });
    form({ after: 'a' }).reply(200, { data: entries(60, 100), paging: { next: `${next}&after=b` } });
    form({ after: 'b' }).reply(200, { data: entries(60, 160), paging: { next: `${next}&after=c` } });

    const found = (await leads(pageContext(), options))._unsafeUnwrap();

    expect(found).toHaveLength(200);
    expect(found.at(-1)?.id).toBe('199');
  });

  test('fails with RateLimitError when the rate is limited to the last', async () => {
    form().times(3).reply(400, refusal(80005));

    const error = (await leads(pageContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'RateLimitError', code: 80005 });
  });

  test('says where a response is of the wrong shape', async () => {
    form().reply(200, { data: [{ id: '1' }, { created_time: 'x' }] });

    const error = (await leads(pageContext(), options))._unsafeUnwrapErr();

    expect(error.message).toBe('unexpected response at data.1.id: expected a value');
  });

  test.each([now + 1, new Date(nowMs + 60_000)])(
    'asks for those after %s, though the local clock is behind',
    async (since) => {
      const value = Math.floor(Number(since) / (since instanceof Date ? 1000 : 1));
      const filtering = JSON.stringify([{ field: 'time_created', operator: 'GREATER_THAN', value }]);
      form({ filtering }).reply(200, { data: [] });

      expect((await leads(pageContext({ clock }), { ...options, since }))._unsafeUnwrap()).toEqual([]);
    },
  );

  test.each([
    ['milliseconds', nowMs, 'since must be in seconds: it looks like milliseconds'],
    ['a date that is none', new Date(NaN), 'since must be unix seconds or a valid Date'],
    ['no number', NaN, 'since must be unix seconds or a valid Date'],
    ['before 1970', -1, 'since must be unix seconds or a valid Date'],
    ['without end', Infinity, 'since must be unix seconds or a valid Date'],
    ['text', '2026-01-01' as unknown as number, 'since must be unix seconds or a valid Date'],
  ])('refuses a time that is %s before anything is sent', async (_, since, message) => {
    const error = (await leads(pageContext({ clock }), { ...options, since }))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ConfigurationError', option: 'since', message });
  });
});

describe('iterateLeads', () => {
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

  function controllerOf(): { readonly signal: AbortSignal; readonly abort: () => void } {
    const controller = new AbortController();
    return { signal: controller.signal, abort: () => controller.abort() };
  }
});

describe('leadForms', () => {
  const options = { pageId: '42', pageToken: token };

  const fields = 'id,name,status,locale,leads_count,questions';

  function forms(limit = '100', more: Readonly<Record<string, string>> = {}): nock.Interceptor {
    return nock(graphBase)
      .get('/42/leadgen_forms')
      .query({ ...authenticated, fields, limit, ...more });
  }

  test('reads the forms of the Page, whose language is the locale of the platform', async () => {
    const form = {
      id: '12345',
      name: 'Newsletter',
      status: 'ACTIVE',
      locale: 'en_US',
      leads_count: 7,
      questions: [{ key: 'email', label: 'Email', type: 'EMAIL', id: '1' }],
    };
    forms().reply(200, { data: [form, { id: 99 }] });

    const { locale, ...rest } = form;
    expect((await leadForms(pageContext(), options))._unsafeUnwrap()).toEqual([
      { ...rest, language: locale, raw: form },
      { id: '99', questions: [], raw: { id: 99 } },
    ]);
  });

  test('walks the pages of the list, up to the limit', async () => {
    const next = `${graphBase}/42/leadgen_forms?access_token=${token}&fields=${fields}&limit=3&after=a`;
    forms('3').reply(200, { data: [{ id: '1' }, { id: '2' }], paging: { next } });
    forms('3', { after: 'a' }).reply(200, { data: [{ id: '3' }, { id: '4' }], paging: { next: `${next}b` } });

    const found = (await leadForms(pageContext(), { ...options, limit: 3 }))._unsafeUnwrap();

    expect(found.map(({ id }) => id)).toEqual(['1', '2', '3']);
  });

  test('fails with PermissionError when the permission is missing', async () => {
    forms().reply(403, refusal(200));

    const error = (await leadForms(pageContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'PermissionError', code: 200 });
  });

  test('says where a response is of the wrong shape', async () => {
    forms().reply(200, { data: [{ id: '1' }, 'Form'] });

    const error = (await leadForms(pageContext(), options))._unsafeUnwrapErr();

    expect(error.message).toBe('unexpected response at data.1: expected Object');
  });
});

describe('leads of an ad', () => {
  const listed = (): nock.Interceptor =>
    nock(graphBase)
      .get('/61/leads')
      .query((query) => query['limit'] === '100' && query['access_token'] === token);

  test('are listed and walked as those of a form', async () => {
    listed()
      .twice()
      .reply(200, { data: [{ id: '1' }, { id: '2' }] });
    const options = { adId: '61', pageToken: token };

    const found = (await leads(pageContext(), options))._unsafeUnwrap();
    const walked = await Array.fromAsync(iterateLeads(pageContext(), options));

    expect(found.map(({ id }) => id)).toEqual(['1', '2']);
    expect(walked.map((one) => one._unsafeUnwrap().id)).toEqual(['1', '2']);
  });

  test.each([{}, { formId: '72', adId: '61' }])('need either a form or an ad: %j', async (given) => {
    // Their types say so, too.
    const options = { ...given, pageToken: token } as LeadsOptions;

    const error = (await leads(pageContext(), options))._unsafeUnwrapErr();
    const [walked] = await Array.fromAsync(iterateLeads(pageContext(), options));

    expect(error.message).toBe('give exactly one of formId and adId');
    expect(error).toMatchObject({ name: 'ConfigurationError', option: 'formId' });
    expect(walked?._unsafeUnwrapErr().message).toBe(error.message);
  });
});

describe('leadForm', () => {
  const options = { formId: '72', pageToken: token };

  test('reads one form with its questions', async () => {
    const questions = [
      { key: 'colour', label: 'Colour?', type: 'CUSTOM', id: '1', options: [{ key: 'r', value: 'Red' }] },
    ];
    nock(graphBase)
      .get('/72')
      .query({ ...authenticated, fields: 'id,name,status,locale,leads_count,questions' })
      .reply(200, { id: '72', name: 'Newsletter', locale: 'en_US', questions });

    expect((await leadForm(pageContext(), options))._unsafeUnwrap()).toMatchObject({
      id: '72',
      name: 'Newsletter',
      language: 'en_US',
      questions,
    });
  });

  test.each<[string, readonly string[], readonly string[]]>([
    ['as it is', ['email', 'Favourite Drinks?'], ['email', 'Favourite Drinks?']],
    ['in lower case', ['FULL_NAME', 'What is your budget?'], ['full_name', 'what_is_your_budget?']],
    ['with other signs', ['Ваш телефон?', 'e-mail'], ['ваш_телефон', 'E Mail']],
    ['as it is, where two are alike', ['Size?', 'size', 'SIZE'], ['Size?', 'size', 'SIZE']],
    ['as it is, which has no letters', ['???', '__proto__'], ['???', '__proto__']],
  ])(
    'has the keys by which the answers are found, if the platform writes the name %s',
    async (_, keys, names) => {
      nock(graphBase)
        .get('/72')
        .query(true)
        .reply(200, { id: '72', questions: keys.map((key) => ({ key })) });
      const { questions, raw } = (await leadForm(pageContext(), options))._unsafeUnwrap();
      nock(graphBase)
        .get('/7')
        .query(true)
        .reply(200, { id: '7', field_data: names.map((name, at) => ({ name, values: [`${at}`] })) });
      const { fields } = (await lead(pageContext(), { leadgenId: '7', pageToken: token }))._unsafeUnwrap();

      expect(questions.map(({ key }) => Object.getOwnPropertyDescriptor(fields, key ?? '')?.value)).toEqual(
        keys.map((_, at) => `${at}`),
      );
      expect(raw).toMatchObject({ questions: keys.map((key) => ({ key })) });
      expect(new Set(questions.map(({ key }) => key)).size).toBe(keys.length);
    },
  );

  test('reads the fields that it is given', async () => {
    const body = { id: '72', privacy_policy_url: 'https://example.com' };
    nock(graphBase)
      .get('/72')
      .query({ ...authenticated, fields: 'id,privacy_policy_url' })
      .reply(200, body);

    const fields = ['id', 'privacy_policy_url'];
    const form = (await leadForm(pageContext(), { ...options, fields }))._unsafeUnwrap();

    expect([form.questions, form.raw]).toEqual([[], body]);
  });
});

describe('createTestLead', () => {
  const options = { formId: '72', pageToken: token };
  const posted = (form: Readonly<Record<string, string>>): nock.Interceptor =>
    nock(graphBase).post('/72/test_leads', form).query(authenticated);

  test('makes one with the answers of the platform', async () => {
    posted({}).reply(200, { id: 901 });

    expect((await createTestLead(pageContext(), options))._unsafeUnwrap()).toEqual({ id: '901' });
  });

  test('makes one with these answers', async () => {
    const fieldData = [{ name: 'email', values: ['a@b.test'] }];
    posted({ field_data: JSON.stringify(fieldData) }).reply(200, { id: '901' });

    const made = await createTestLead(pageContext(), { ...options, fieldData });

    expect(made._unsafeUnwrap()).toEqual({ id: '901' });
  });

  test.each([
    [[{ values: ['a'] }], 'fieldData[0].name'],
    [[{ name: 'email', values: 'a' }], 'fieldData[0].values'],
    [[{ name: 'email', values: [1] }], 'fieldData[0].values[0]'],
  ])('refuses answers that are none: %j', async (fieldData, option) => {
    const error = (
      await createTestLead(pageContext(), { ...options, fieldData: fieldData as never })
    )._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ConfigurationError', option });
  });

  test('whose response was lost is refused the second time: its outcome is unknown', async () => {
    posted({}).replyWithError(new Error('socket hang up'));
    posted({}).reply(400, refusal(100));

    const error = (await createTestLead(pageContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ code: 100, outcome: 'unknown' });
  });
});

describe('deleteTestLead', () => {
  const options = { leadId: '901', pageToken: token };
  const deleted = (): nock.Interceptor => nock(graphBase).delete('/901').query(authenticated);

  test('deletes it', async () => {
    deleted().reply(200, { success: true });

    expect((await deleteTestLead(pageContext(), options))._unsafeUnwrap()).toEqual({ success: true });
  });

  test('whose response was lost may be gone: its outcome is unknown', async () => {
    deleted().replyWithError(new Error('socket hang up'));
    deleted().reply(400, refusal(100, { error_subcode: 33 }));

    const error = (await deleteTestLead(pageContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ subcode: 33, outcome: 'unknown' });
  });
});

describe('adContext', () => {
  const options = { adId: '1', token: userToken };

  function ad(): nock.Interceptor {
    return nock(graphBase)
      .get('/1')
      .query({
        ...asUser,
        fields: 'id,name,adset{id,name,optimization_goal,targeting},campaign{id,name,objective}',
      });
  }

  test('reads ad, ad set and campaign into one', async () => {
    ad().reply(200, {
      id: '1',
      name: 'Ad',
      adset: { id: '2', name: 'Set', optimization_goal: 'LEAD_GENERATION', targeting: { age_min: 18 } },
      campaign: { id: '3', name: 'Campaign', objective: 'OUTCOME_LEADS' },
    });

    expect((await adContext(pageContext(), options))._unsafeUnwrap()).toEqual({
      ad_id: '1',
      ad_name: 'Ad',
      adset_id: '2',
      adset_name: 'Set',
      campaign_id: '3',
      campaign_name: 'Campaign',
      objective: 'OUTCOME_LEADS',
      optimization_goal: 'LEAD_GENERATION',
      targeting: { age_min: 18 },
    });
  });

  test('leaves out what the platform does not give', async () => {
    ad().reply(200, { id: '1', campaign: { id: '3' } });

    const found = (await adContext(pageContext(), options))._unsafeUnwrap();

    expect(Object.entries(found)).toEqual([
      ['ad_id', '1'],
      ['campaign_id', '3'],
    ]);
  });

  test.each(['', null, undefined])('is empty without an ad, and sends nothing: %j', async (adId) => {
    expect((await adContext(pageContext(), { ...options, adId }))._unsafeUnwrap()).toEqual({});
  });

  test.each([
    ['refuses', 1, 403, refusal(200)],
    ['knows no such ad', 1, 400, refusal(100, { error_subcode: 33 })],
    ['limits the rate to the last', 3, 400, refusal(80004)],
    ['is down to the last', 3, 503, 'busy'],
    ['responds with no JSON', 1, 200, '<html>'],
    ['responds without id', 1, 200, { name: 'Ad' }],
    ['responds with something else', 1, 200, { name: 'Ad' }],
    ['serves this version of ads no more', 1, 400, refusal(2635)],
  ])('is empty when the platform %s, which onFailure gets', async (_, times, status, body) => {
    ad().times(times).reply(status, body);
    const onFailure = vi.fn(() => {
      throw new Error('the hook fails');
    });

    expect((await adContext(pageContext(), { ...options, onFailure }))._unsafeUnwrap()).toEqual({});
    const { code } = fieldsOf(fieldsOf(body)['error']);
    expect(onFailure).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ status, code }));
  });

  test('says that a version of ads has ended: no login helps, and no other attempt', async () => {
    ad().reply(400, refusal(2635));
    const onFailure = vi.fn();

    await adContext(pageContext(), { ...options, onFailure });

    expect(onFailure.mock.calls).toMatchObject([[{ code: 2635, category: 'validation', action: 'fix' }]]);
  });

  test('fails when the network does', async () => {
    ad().times(3).replyWithError(new Error('socket hang up'));

    const error = (await adContext(pageContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'TransportError', reason: 'network' });
  });
});
