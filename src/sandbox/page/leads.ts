import type { Node } from '../nodes.ts';
import { type Call, checkScopes, ofPage, ofUser, on, type Route } from '../route.ts';
import { always, lists, listsWithin, members, reads, select, type Shape } from '../shapes.ts';
import { invalid, isoTime, listIn, names, notEmulated, parsed, textIn } from '../values.ts';
import { announceLead } from '../webhooks.ts';
import { find, listed, listedOn, make, recordEffect, succeed } from '../world.ts';

type Part = Readonly<Record<string, unknown>>;

const adsetShape: Shape<Part> = {
  type: 'AdSet',
  defaults: [],
  fields: members('id', 'name', 'optimization_goal', 'targeting'),
};
const campaignShape: Shape<Part> = {
  type: 'Campaign',
  defaults: [],
  fields: members('id', 'name', 'objective'),
};

const adShape: Shape<Node<'ad'>> = {
  type: 'Ad',
  defaults: [],
  fields: {
    ...members<Node<'ad'>>('id', 'name'),
    ...always('ACTIVE', 'status effective_status'),
    adset_id: (ad) => ad.adset['id'],
    campaign_id: (ad) => ad.campaign['id'],
    created_time: (ad) => isoTime(ad.createdAt),
  },
  expand: {
    adset: (call, ad, { fields }) => select(call, adsetShape, ad.adset, fields),
    campaign: (call, ad, { fields }) => select(call, campaignShape, ad.campaign, fields),
  },
};

/** The ad of a lead, by the names and ids of its parts. */
const adNames = ['ad_id', 'ad_name', 'adset_id', 'adset_name', 'campaign_id', 'campaign_name'];
const adFields = adNames.map((name) => [name, ({ ad }: Node<'lead'>) => ad[name]] as const);

const leadShape: Shape<Node<'lead'>> = {
  type: 'Lead',
  defaults: ['created_time', 'field_data'],
  blank:
    'custom_disclaimer_responses home_listing partner_name post post_submission_check_result retailer_item_id vehicle',
  fields: {
    id: (lead) => lead.id,
    created_time: (lead) => isoTime(lead.createdAt),
    field_data: (lead) => lead.fieldData,
    form_id: (lead) => lead.formId,
    is_organic: isOrganic,
    platform: () => 'pg',
    ...Object.fromEntries(adFields),
  },
};

const formShape: Shape<Node<'form'>> = {
  type: 'LeadgenForm',
  defaults: ['name', 'status', 'locale'],
  blank:
    'context_card creator follow_up_action_text follow_up_action_url legal_content privacy_policy_url ' +
    'question_page_custom_headline thank_you_page tracking_parameters',
  fields: {
    ...members<Node<'form'>>('id', 'name', 'status', 'locale', 'questions'),
    ...always(false, 'is_optimized_for_quality block_display_for_non_targeted_viewer'),
    created_time: (form) => isoTime(form.createdAt),
    page_id: (form) => form.pageId,
    leads_count: (form, call) => leadsOf(call, form).length,
    organic_leads_count: (form, call) => leadsOf(call, form).filter(isOrganic).length,
    expired_leads_count: () => 0,
    allow_organic_lead: () => true,
    page: ({ pageId }, { world }) => ({ id: pageId, name: find(world, 'page', pageId)?.name }),
  },
  expand: {
    leads: (call, form, selection) => {
      checkScopes(call, ['leads_retrieval']);
      return listsWithin(leadShape, leadsOf)(call, form, selection);
    },
  },
};

function isOrganic({ ad }: Node<'lead'>): boolean {
  return ad['ad_id'] === undefined;
}

function leadsOf(call: Call, form: Node<'form'>): Node<'lead'>[] {
  return listed(call.world, 'lead', ({ formId, isTest }) => formId === form.id && isTest !== true);
}

function testLeadsOf({ world }: Call, form: Node<'form'>): Node<'lead'>[] {
  return listed(world, 'lead', ({ formId, isTest }) => formId === form.id && isTest === true);
}

/** Makes the test lead of a form, which has only one at a time, and tells the app about it. */
function makeTestLead(call: Call, form: Node<'form'>): unknown {
  const { world } = call;
  // How the platform words this refusal is documented nowhere.
  if (testLeadsOf(call, form).length > 0) return invalid('The form already has a test lead');
  const lead = make(world, 'lead', form.owners, {
    formId: form.id,
    fieldData: answersOf(call, form),
    ad: {},
    isTest: true,
  });
  recordEffect(world, 'test_lead', lead.id, form.pageId, { field_data: lead.fieldData });
  announceLead(world, lead.id);
  return { id: lead.id };
}

/** The answers that a call gives, or else made up ones. */
function answersOf({ params }: Call, { questions }: Node<'form'>): Node<'lead'>['fieldData'] {
  if (params['field_data'] === undefined) {
    return questions.map(({ key }) => ({
      name: String(key),
      values: [`<test lead: dummy data for ${String(key)}>`],
    }));
  }
  return listIn({ field_data: parsed(params['field_data']) }, 'field_data', 0, Infinity).map((answer) => ({
    name: textIn(answer, 'name'),
    values: names(JSON.stringify(answer['values'] ?? [])),
  }));
}

function deleteLead({ world }: Call, lead: Node<'lead'>): unknown {
  if (lead.isTest !== true) return notEmulated('the deletion of a lead that is no test');
  world.nodes.delete(lead.id);
  return succeed(world, 'delete', lead.id, undefined, {});
}

function leadsFrom({ world }: Call, { id }: Node<'ad'>): Node<'lead'>[] {
  return listed(world, 'lead', ({ ad }) => ad['ad_id'] === id);
}

interface Condition {
  readonly field?: unknown;
  readonly operator?: unknown;
  readonly value?: unknown;
}

/** `filtering` is JSON text: a list of conditions on `time_created`, all of which must hold. */
function filterOf(call: Call): (lead: Node<'lead'>) => boolean {
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

/** Lists those leads of a form or an ad that the call's `filtering` lets through. */
function leadsIn<N>(leadsOf: (call: Call, node: N) => Node<'lead'>[]) {
  return lists(leadShape, (call, node: N) => leadsOf(call, node).filter(filterOf(call)));
}

const forms = lists(formShape, ({ world }, page: Node<'page'>) => listedOn(world, 'form', page));
const advertising = ofPage(['pages_manage_ads'], ['ADVERTISE']);
const retrieval = ofPage(['leads_retrieval'], ['ADVERTISE']);

/** Lead forms, the leads in them, and the ads that they came from. */
export const leadRoutes: readonly Route[] = [
  on('GET', 'page', 'leadgen_forms', advertising, forms),
  on('GET', 'form', '', advertising, reads(formShape)),
  on('GET', 'form', 'leads', retrieval, leadsIn(leadsOf), 'filtering'),
  on('GET', 'form', 'test_leads', advertising, lists(leadShape, testLeadsOf)),
  on('POST', 'form', 'test_leads', advertising, makeTestLead, 'custom_disclaimer_responses field_data'),
  on('GET', 'ad', 'leads', retrieval, leadsIn(leadsFrom), 'filtering'),
  on('GET', 'lead', '', retrieval, reads(leadShape)),
  on('DELETE', 'lead', '', advertising, deleteLead),
  on('GET', 'ad', '', ofUser(['ads_read']), reads(adShape)),
];
