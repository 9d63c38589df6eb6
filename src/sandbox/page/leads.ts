import type { AdNode, FormNode, LeadNode, PageNode } from '../nodes.ts';
import { type Call, ofPage, ofUser, on, type Route } from '../route.ts';
import { lists, reads, select, type Shape } from '../shapes.ts';
import { invalid, isoTime, parsed } from '../values.ts';
import { listed } from '../world.ts';

type Part = Readonly<Record<string, unknown>>;

/** The fields of a part of an ad, which are its members. */
function partFields(...names: readonly string[]): Shape<Part>['fields'] {
  return Object.fromEntries(names.map((name) => [name, (part: Part) => part[name]]));
}

const adsetShape: Shape<Part> = {
  type: 'AdSet',
  defaults: [],
  fields: partFields('id', 'name', 'optimization_goal', 'targeting'),
};
const campaignShape: Shape<Part> = {
  type: 'Campaign',
  defaults: [],
  fields: partFields('id', 'name', 'objective'),
};

const adShape: Shape<AdNode> = {
  type: 'Ad',
  defaults: [],
  fields: {
    id: (ad) => ad.id,
    name: (ad) => ad.name,
    adset_id: (ad) => ad.adset['id'],
    campaign_id: (ad) => ad.campaign['id'],
    status: () => 'ACTIVE',
    effective_status: () => 'ACTIVE',
    created_time: (ad) => isoTime(ad.createdAt),
  },
  expand: {
    adset: (call, ad, { fields }) => select(call, adsetShape, ad.adset, fields),
    campaign: (call, ad, { fields }) => select(call, campaignShape, ad.campaign, fields),
  },
};

/** The ad of a lead, by the names and ids of its parts. */
const adNames: Shape<LeadNode>['fields'] = {
  ad_id: ({ ad }) => ad['ad_id'],
  ad_name: ({ ad }) => ad['ad_name'],
  adset_id: ({ ad }) => ad['adset_id'],
  adset_name: ({ ad }) => ad['adset_name'],
  campaign_id: ({ ad }) => ad['campaign_id'],
  campaign_name: ({ ad }) => ad['campaign_name'],
};

const leadShape: Shape<LeadNode> = {
  type: 'Lead',
  defaults: ['created_time', 'field_data'],
  blank:
    'custom_disclaimer_responses home_listing partner_name post post_submission_check_result retailer_item_id vehicle',
  fields: {
    id: (lead) => lead.id,
    created_time: (lead) => isoTime(lead.createdAt),
    field_data: (lead) => lead.fieldData,
    form_id: (lead) => lead.formId,
    is_organic: (lead) => lead.ad['ad_id'] === undefined,
    platform: () => 'pg',
    ...adNames,
  },
};

const formShape: Shape<FormNode> = {
  type: 'LeadgenForm',
  defaults: ['name', 'status', 'locale'],
  fields: {
    id: (form) => form.id,
    name: (form) => form.name,
    status: (form) => form.status,
    locale: (form) => form.locale,
    questions: (form) => form.questions,
    created_time: (form) => isoTime(form.createdAt),
    page_id: (form) => form.pageId,
    leads_count: (form, call) => leadsOf(call, form).length,
    organic_leads_count: (form, call) =>
      leadsOf(call, form).filter((lead) => lead.ad['ad_id'] === undefined).length,
    expired_leads_count: () => 0,
  },
};

function formsOf({ world }: Call, { id }: PageNode): FormNode[] {
  return listed(world, 'form', ({ pageId }) => pageId === id);
}

function leadsOf(call: Call, form: FormNode): LeadNode[] {
  return listed(call.world, 'lead', (lead) => lead.formId === form.id);
}

interface Condition {
  readonly field?: unknown;
  readonly operator?: unknown;
  readonly value?: unknown;
}

/** `filtering` is JSON text: a list of conditions on `time_created`, all of which must hold. */
function filterOf(call: Call): (lead: LeadNode) => boolean {
  const text = call.params['filtering'];
  if (text === undefined) return () => true;
  const given = parsed(text);
  if (!Array.isArray(given)) return invalid('Param filtering must be an array.');
  const conditions = given.map(testOf);
  return (lead) => conditions.every((test) => test(Math.floor(lead.createdAt / 1000)));
}

function testOf({ field, operator, value }: Condition): (seconds: number) => boolean {
  if (field !== 'time_created') return invalid(`Filtering field '${String(field)}' is invalid`);
  const bound = Number(value);
  if (!Number.isInteger(bound)) return invalid('Filtering value must be a unix timestamp');
  if (operator === 'GREATER_THAN') return (seconds) => seconds > bound;
  if (operator === 'LESS_THAN') return (seconds) => seconds < bound;
  return invalid(`Filtering operator '${String(operator)}' is invalid`);
}

const advertising = ofPage(['pages_manage_ads'], ['ADVERTISE']);
const retrieval = ofPage(['leads_retrieval'], ['ADVERTISE']);

/** Lead forms, the leads in them, and the ads that they came from. */
export const leadRoutes: readonly Route[] = [
  on('GET', 'page', 'leadgen_forms', advertising, lists(formShape, formsOf)),
  on('GET', 'form', '', advertising, reads(formShape)),
  on(
    'GET',
    'form',
    'leads',
    retrieval,
    lists(leadShape, (call, form: FormNode) => leadsOf(call, form).filter(filterOf(call))),
    'filtering',
  ),
  on('GET', 'lead', '', retrieval, reads(leadShape)),
  on('GET', 'ad', '', ofUser(['ads_read']), reads(adShape)),
];
