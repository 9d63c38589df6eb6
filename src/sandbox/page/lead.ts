import { invalid } from '../errors.ts';
import { parsed } from '../json.ts';
import { formEdges, formFields, leadFields } from '../knownNames.ts';
import { list } from '../paging.ts';
import { onNode, type Call, type Route } from '../route.ts';
import { readNode, type Shape } from '../select.ts';
import { listed } from '../world.ts';
import type { FormNode, LeadNode } from './nodes.ts';
import { isoTime } from './values.ts';

const leadShape: Shape<LeadNode> = {
  type: 'Lead',
  fields: leadFields,
  defaults: ['created_time', 'field_data'],
  read: (lead) => ({
    id: lead.id,
    created_time: isoTime(lead.createdAt),
    field_data: lead.fieldData,
    form_id: lead.formId,
    is_organic: lead.ad['ad_id'] === undefined,
    platform: 'pg',
    ...lead.ad,
  }),
};

const formShape: Shape<FormNode> = {
  type: 'LeadgenForm',
  fields: formFields,
  defaults: ['name', 'status', 'locale'],
  edges: formEdges,
  read: (form, call) => ({
    id: form.id,
    name: form.name,
    status: form.status,
    locale: form.locale,
    questions: form.questions,
    created_time: isoTime(form.createdAt),
    page_id: form.pageId,
    leads_count: leadsOf(call, form).length,
    organic_leads_count: leadsOf(call, form).filter((lead) => lead.ad['ad_id'] === undefined).length,
    expired_leads_count: 0,
  }),
};

export const leadRoutes: readonly Route[] = [
  onNode({
    method: 'GET',
    hosts: ['graph'],
    on: 'page',
    edge: 'leadgen_forms',
    tokens: ['page'],
    scopes: ['pages_manage_ads'],
    tasks: ['ADVERTISE'],
    run: (call, page) =>
      list(
        call,
        formShape,
        listed(call.world, 'form', (form) => form.pageId === page.id),
      ),
  }),
  onNode({
    method: 'GET',
    hosts: ['graph'],
    on: 'form',
    tokens: ['page'],
    scopes: ['pages_manage_ads'],
    tasks: ['ADVERTISE'],
    run: (call, form) => readNode(call, formShape, form),
  }),
  onNode({
    method: 'GET',
    hosts: ['graph'],
    on: 'form',
    edge: 'leads',
    tokens: ['page'],
    scopes: ['leads_retrieval'],
    tasks: ['ADVERTISE'],
    params: ['filtering'],
    run: (call, form) => list(call, leadShape, leadsOf(call, form).filter(filterOf(call))),
  }),
  onNode({
    method: 'GET',
    hosts: ['graph'],
    on: 'lead',
    tokens: ['page'],
    scopes: ['leads_retrieval'],
    tasks: ['ADVERTISE'],
    run: (call, lead) => readNode(call, leadShape, lead),
  }),
];

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
