import { describe, expect, test } from 'vitest';

import { caller, pageOf, refusal, start, still, type Loose } from '../support/caller.ts';

const idsOf = (body: Loose): string[] => body.data.map((one: { id: string }) => one.id);
const allFields =
  'id,created_time,field_data,ad_id,ad_name,adset_id,adset_name,campaign_id,campaign_name,form_id,is_organic,platform,' +
  'partner_name,retailer_item_id,custom_disclaimer_responses,home_listing,vehicle,post,post_submission_check_result';

describe('lead forms', () => {
  test('have a locale, questions and counts, and no language', async () => {
    const sandbox = still();
    const { id, token, formIds } = pageOf(sandbox);
    const { get } = caller(sandbox);
    const fields = 'id,name,status,locale,leads_count,organic_leads_count,questions';
    const { body } = await get(`/${id}/leadgen_forms`, token, { fields });
    expect(idsOf(body).toSorted()).toEqual(formIds.toSorted());
    const form = body.data.find((one: Loose) => one.id === formIds[0]);
    expect(form).toMatchObject({ status: 'ACTIVE', locale: 'en_US', leads_count: 4, organic_leads_count: 1 });
    expect(form.questions.map((one: Loose) => one.key)).toEqual(['full_name', 'email', 'Favourite Drinks?']);
    expect(refusal(await get(`/${id}/leadgen_forms`, token, { fields: 'language' }))).toEqual([
      400,
      100,
      undefined,
    ]);
  });
});

describe('test leads', () => {
  test('are one at a time for each form, listed apart, told of, and deleted', async () => {
    const sandbox = still();
    const { token, formIds, leadIds } = pageOf(sandbox);
    const { get, post, del } = caller(sandbox);
    const path = `/${formIds[0]}/test_leads`;
    const made = await post(path, token);
    expect(made.status).toBe(200);
    expect(refusal(await post(path, token))).toEqual([400, 100, undefined]);
    expect((await post(`/${formIds[1]}/test_leads`, token)).status).toBe(200);
    expect(idsOf((await get(path, token)).body)).toEqual([made.body.id]);
    expect(idsOf((await get(`/${formIds[0]}/leads`, token)).body)).toEqual(leadIds);
    const { body } = await get(`/${made.body.id}`, token, { fields: allFields });
    expect(body).toMatchObject({ is_organic: true, form_id: formIds[0] });
    expect(sandbox.effects('test_lead')).toHaveLength(2);

    expect(await del(`/${made.body.id}`, token)).toMatchObject({ status: 200, body: { success: true } });
    expect((await post(path, token)).status).toBe(200);
    // What becomes of a real lead is documented nowhere.
    expect((await del(`/${leadIds[0]}`, token)).body.error.type).toBe('SandboxException');
  });

  test('have the answers that are given', async () => {
    const sandbox = still();
    const { token, formIds } = pageOf(sandbox);
    const { get, post } = caller(sandbox);
    const field_data = JSON.stringify([{ name: 'email', values: ['a@b.test'] }]);
    const { body } = await post(`/${formIds[0]}/test_leads`, token, { field_data });
    expect((await get(`/${body.id}`, token)).body.field_data).toEqual([
      { name: 'email', values: ['a@b.test'] },
    ]);
    const odd = { field_data: '{}' };
    expect(refusal(await post(`/${formIds[1]}/test_leads`, token, odd))).toEqual([400, 100, undefined]);
  });
});

describe('leads', () => {
  test('of an ad are listed as those of a form', async () => {
    const sandbox = still();
    const { token, leadIds, adId } = pageOf(sandbox);
    const { get } = caller(sandbox);
    expect(idsOf((await get(`/${adId}/leads`, token)).body)).toEqual(leadIds.slice(0, 3));
    const weak = sandbox.issueToken({ kind: 'page', scopes: ['pages_read_engagement'] });
    expect(refusal(await get(`/${adId}/leads`, weak))).toEqual([403, 10, undefined]);
  });

  test('are read with every field the node has', async () => {
    const sandbox = still();
    const { token, leadIds, formIds, adId } = pageOf(sandbox);
    const { get } = caller(sandbox);
    const { body } = await get(`/${leadIds[0]}`, token, { fields: allFields });
    expect(body).toMatchObject({
      id: leadIds[0],
      created_time: '2026-10-05T11:00:00+0000',
      form_id: formIds[0],
      ad_id: adId,
      is_organic: false,
      campaign_name: 'Autumn at Harbour Coffee',
    });
    expect(body.field_data).toEqual([
      { name: 'full_name', values: ['Mara Lind'] },
      { name: 'email', values: ['mara@sandbox.test'] },
      { name: 'Favourite Drinks?', values: ['tea', 'coffee'] },
    ]);
    const organic = await get(`/${leadIds[3]}`, token, { fields: allFields });
    expect(organic.body.is_organic).toBe(true);
    expect(organic.body).not.toHaveProperty('ad_id');
    expect(Object.keys((await get(`/${leadIds[0]}`, token)).body)).toEqual([
      'created_time',
      'field_data',
      'id',
    ]);
  });

  test('are filtered by time_created, exclusively', async () => {
    const sandbox = still();
    const { token, leadIds, formIds } = pageOf(sandbox);
    const { get } = caller(sandbox);
    const path = `/${formIds[0]}/leads`;
    const since = (value: number): string =>
      JSON.stringify([{ field: 'time_created', operator: 'GREATER_THAN', value }]);
    const third = (start - 3 * 3_600_000) / 1000;
    expect(idsOf((await get(path, token)).body)).toEqual(leadIds);
    expect(idsOf((await get(path, token, { filtering: since(third) })).body)).toEqual(leadIds.slice(0, 2));
    expect(idsOf((await get(path, token, { filtering: since(third - 1) })).body)).toEqual(
      leadIds.slice(0, 3),
    );
    const bad = [
      'time_created>5',
      '{}',
      '[{"field":"created_time","operator":"GREATER_THAN","value":1}]',
      '[{"field":"time_created","operator":"AFTER","value":1}]',
      '[{"field":"time_created","operator":"GREATER_THAN","value":"soon"}]',
    ];
    for (const filtering of bad) {
      expect(refusal(await get(path, token, { filtering }))).toEqual([400, 100, undefined]);
    }
    expect(refusal(await get(path, token, { since: '1' }))).toEqual([400, 100, undefined]);
  });

  test('need leads_retrieval', async () => {
    const sandbox = still();
    const { id, leadIds } = pageOf(sandbox);
    const bare = sandbox.issueToken({ kind: 'page', pageId: id, scopes: ['pages_read_engagement'] });
    expect(refusal(await caller(sandbox).get(`/${leadIds[0]}`, bare))).toEqual([403, 10, undefined]);
  });
});

describe('the ad context', () => {
  const fields = 'id,name,adset{id,name,optimization_goal,targeting},campaign{id,name,objective}';

  test('nests ad set and campaign', async () => {
    const sandbox = still();
    const { adId = '' } = pageOf(sandbox);
    const { body } = await caller(sandbox).get(`/${adId}`, sandbox.user.token, { fields });
    expect(body).toEqual({
      id: adId,
      name: 'Sign up',
      adset: {
        id: expect.stringMatching(/^\d{17}$/),
        name: 'Readers 25+',
        optimization_goal: 'LEAD_GENERATION',
        targeting: { age_min: 25, geo_locations: { countries: ['DE'] } },
      },
      campaign: { id: expect.any(String), name: 'Autumn at Harbour Coffee', objective: 'OUTCOME_LEADS' },
    });
  });

  test('wants ads_management and known names, nested ones too', async () => {
    const sandbox = still();
    const path = `/${pageOf(sandbox).adId}`;
    const { get } = caller(sandbox);
    const bare = sandbox.issueToken({ scopes: ['email'] });
    expect(refusal(await get(path, bare, { fields }))).toEqual([403, 10, undefined]);
    expect(refusal(await get(path, sandbox.user.token, { fields: 'adset{goal}' }))).toEqual([
      400,
      100,
      undefined,
    ]);
    expect(refusal(await get(path, sandbox.user.token, { fields: 'adset{id' }))).toEqual([
      400,
      2500,
      undefined,
    ]);
  });
});
