import type { PageContext } from '../../../src/page/context.ts';
import * as page from '../../../src/page/index.ts';
import type * as subject from '../../../src/page/leads.ts';
import { at } from '../../hostile/kinds.ts';
import { idOf, isNotEmpty, onPage } from '../at.ts';
import { hasId, haveIds, isAcknowledged, isLead, isRecord } from '../holds.ts';
import type { Spot, Table } from '../table.ts';
import { created, network, pageToken, paging, time, token } from '../values.ts';

const lead = {
  id: '71',
  created_time: time,
  field_data: [
    { name: 'Full Name', values: ['Ada'] },
    { name: '__proto__', values: [1, true] },
  ],
  form_id: '72',
  ad_id: '61',
  ad_name: 'Ad',
  adset_id: '62',
  campaign_id: '63',
  is_organic: false,
  platform: 'x',
};
const form = {
  id: '72',
  name: 'Form',
  status: 'ACTIVE',
  locale: 'en_US',
  questions: [{ key: 'q', label: 'Q', type: 'CUSTOM', options: [{ key: 'a', value: 'A' }] }],
  leads_count: 2,
};
const onForm = ({ page: { formIds }, pageToken }: Spot) => ({ formId: formIds[0] ?? '', pageToken });

export const leads: Table<PageContext, typeof subject> = {
  lead: {
    kinds: { leadgenId: 'id', pageToken: 'token' },
    variants: [{ leadgenId: '71', pageToken }],
    routes: { 'GET 71': lead },
    holds: isLead,
    options: ({ page: { leadIds }, pageToken }) => ({ leadgenId: leadIds[0] ?? '', pageToken }),
  },
  leads: {
    kinds: { formId: 'id', adId: 'id', pageToken: 'token', since: 'instant', limit: 'count' },
    variants: [
      { formId: '72', pageToken, since: 1_700_000_000, limit: 3 },
      { adId: '61', pageToken },
    ],
    routes: { 'GET 72/leads': { data: [lead], paging }, 'GET 61/leads': { data: [lead], paging } },
    holds: (value: unknown[]) => value.every(isLead),
    options: onForm,
  },
  iterateLeads: {
    kinds: {
      formId: 'id',
      adId: 'id',
      pageToken: 'token',
      since: 'instant',
      limit: 'count',
      onUnreadable: 'hook',
    },
    variants: [
      { formId: '72', pageToken, since: 1_700_000_000, limit: 3 },
      { adId: '61', pageToken, onUnreadable: () => undefined },
    ],
    routes: { 'GET 72/leads': { data: [lead], paging }, 'GET 61/leads': { data: [lead], paging } },
    holds: (last: unknown) => last === undefined || isLead(last),
    options: onForm,
  },
  leadForms: {
    kinds: { pageId: 'id', pageToken: 'token', limit: 'count' },
    variants: [{ pageId: '42', pageToken, limit: 3 }],
    routes: {
      'GET 42/leadgen_forms': {
        data: [
          {
            id: '72',
            name: 'Form',
            status: 'ACTIVE',
            locale: 'en_US',
            questions: [{ key: 'q', label: 'Q', type: 'EMAIL' }],
            leads_count: 2,
          },
        ],
        paging,
      },
    },
    holds: haveIds,
    options: onPage,
  },
  leadForm: {
    kinds: { formId: 'id', pageToken: 'token', fields: 'names' },
    variants: [
      { formId: '72', pageToken },
      { formId: '72', pageToken, fields: ['id', 'privacy_policy_url'] },
    ],
    routes: { 'GET 72': form },
    holds: (value: unknown) => hasId(value) && Array.isArray(at(value, 'questions')),
    options: onForm,
  },
  createTestLead: {
    kinds: { formId: 'id', pageToken: 'token', fieldData: 'list' },
    variants: [
      { formId: '72', pageToken },
      { formId: '72', pageToken, fieldData: [{ name: 'q', values: ['A'] }] },
    ],
    routes: { 'POST 72/test_leads': created },
    holds: hasId,
    options: onForm,
    // A form has one at a time: the platform refuses the second attempt.
    writes: [{ kind: 'test_lead', lost: { path: /\/test_leads$/, one: 'test_lead', again: 'unknown' } }],
  },
  deleteTestLead: {
    kinds: { leadId: 'id', pageToken: 'token' },
    variants: [{ leadId: '71', pageToken }],
    routes: { 'DELETE 71': { success: true } },
    holds: isAcknowledged,
    prepare: ({ context, at }) => idOf(page.createTestLead(context, onForm(at))),
    options: ({ prepared, pageToken }) => ({ leadId: prepared, pageToken }),
    writes: [
      {
        kind: 'delete',
        lost: { method: 'DELETE', path: /\/\d+(?:_\d+)?$/, one: 'delete', again: 'unknown' },
      },
    ],
  },
  adContext: {
    kinds: { adId: 'id or nothing', token: 'token', onFailure: 'hook' },
    variants: [{ adId: '61', token, onFailure: () => undefined }],
    routes: {
      'GET 61': {
        id: '61',
        name: 'Ad',
        adset: { id: '62', name: 'Set', optimization_goal: 'LEAD_GENERATION', targeting: { geo: ['DE'] } },
        campaign: { id: '63', name: 'Campaign', objective: 'OUTCOME_LEADS' },
      },
    },
    failures: network,
    holds: (value: page.AdContextOptions) => isRecord(value),
    options: (at) => ({ adId: at.page.adId, token: at.token }),
    works: isNotEmpty,
  },
};
