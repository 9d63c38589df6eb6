import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { leadForms } from '../../src/page/leadForms.ts';
import { authenticated, graphBase, pageContext, token } from '../support/context.ts';
import { refusal } from './support.ts';

const options = { pageId: '42', pageToken: token };
const fields = 'id,name,status,locale,leads_count,questions';

function forms(limit = '100', more: Readonly<Record<string, string>> = {}): nock.Interceptor {
  return nock(graphBase)
    .get('/42/leadgen_forms')
    .query({ ...authenticated, fields, limit, ...more });
}

describe('leadForms', () => {
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
