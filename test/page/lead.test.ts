import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { lead } from '../../src/page/lead.ts';
import { authenticated, graphBase, pageContext, token } from '../support/context.ts';
import { refusal } from './support.ts';

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
async function fieldsOf(fieldData: string): Promise<unknown> {
  reading().reply(200, `{"id":"1","field_data":${fieldData}}`);
  return (await lead(pageContext(), options))._unsafeUnwrap().fields;
}

describe('lead', () => {
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

    expect(Object.entries(found as object)).toEqual([[key, 'x']]);
  });

  test('writes one value as a string, several as an array, and none as an empty one', async () => {
    expect(
      await fieldsOf(
        '[{"name":"a","values":["1"]},{"name":"b","values":["1","2"]},{"name":"c","values":[]}]',
      ),
    ).toEqual({ a: '1', b: ['1', '2'], c: [] });
  });

  test('loses no answer when two names become the same', async () => {
    expect(await fieldsOf('[{"name":"Size","values":["S"]},{"name":"size?","values":["M"]}]')).toEqual({
      size: ['S', 'M'],
    });
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
