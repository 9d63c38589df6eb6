import { err, ok, okAsync, type Result, type ResultAsync } from 'neverthrow';
import * as v from 'valibot';

import type { ConfigurationError, Failure, RequestFailure, TransportError } from '../core/errors.ts';
import { path } from '../core/http/addresses.ts';
import { ownFields } from '../core/http/fields.ts';
import { guardHook } from '../core/http/guardHook.ts';
import { DELETE, POST } from '../core/http/methods.ts';
import { perform, performRequest, send } from '../core/http/send.ts';
import type { List, WalkOptions } from '../core/lists/list.ts';
import { fieldRules, limitRule, performList, walkList, walkRules } from '../core/lists/list.ts';
import { check, exactlyOneOf, type Rules } from '../core/options/check.ts';
import * as rule from '../core/options/rules.ts';
import { time, toSeconds } from '../core/options/time.ts';
import type { Acknowledgement, Created } from '../models/fields.ts';
import * as s from '../models/fields.ts';
import type { AdContext, Lead, LeadForm } from '../models/leads.ts';
import { adContextSchema, leadFormSchema, leadSchema } from '../models/leads.ts';
import type { PageCallOptions, PageContext, UserCallOptions } from './context.ts';
import { type OnePageOptions, pageRules } from './pageOptions.ts';
import type { ListParts } from './publications.ts';

export interface LeadOptions extends PageCallOptions {
  /** The `leadgen_id` of a webhook event. */
  readonly leadgenId: string;
}

/**
 * Reads one lead. The platform keeps leads for about 90 days.
 *
 * Source: platform guide, Retrieving Leads.
 *
 * @example
 * const left = await lead(context, { leadgenId, pageToken });
 * if (left.isOk()) console.log(left.value.fields['email']);
 */
export function lead(context: PageContext, options: LeadOptions): ResultAsync<Lead, Failure> {
  const checked = check(context, options, { leadgenId: rule.id, pageToken: rule.token });
  return performRequest(context, 'lead', checked, ({ leadgenId }) => ({
    path: path`${leadgenId}`,
    countsAs: 'leads',
    query: { fields: leadFields() },
    ownFields,
    schema: leadSchema,
  }));
}

interface LeadsCommon extends PageCallOptions {
  /** Only leads that were created after this time: unix seconds, or a Date. */
  readonly since?: number | Date | undefined;
  /**
   * Leads to return, over all pages of the list.
   * @default 200
   */
  readonly limit?: number | undefined;
}

/** The leads of either a form or an ad. */
export type LeadsOptions = LeadsCommon &
  (
    | {
        /** A form: its leads, whatever their ad. */
        readonly formId: string;
        readonly adId?: undefined;
      }
    | {
        /** An ad: its leads, whatever their form. */
        readonly adId: string;
        readonly formId?: undefined;
      }
  );

/**
 * Lists the leads of a form or of an ad, such as those that arrived while a webhook was down. The platform keeps leads
 * for about 90 days.
 *
 * Fails with ConfigurationError when neither or both of `formId` and `adId` are given, and when `since` is in the
 * future, for example because it is in milliseconds.
 *
 * Source: platform guide, Retrieving Leads.
 *
 * @example
 * const missed = await leads(context, { formId, pageToken, since: lastSeen });
 * if (missed.isOk()) console.log(missed.value.length);
 */
export function leads(context: PageContext, options: LeadsOptions): ResultAsync<List<Lead>, Failure> {
  const checked = check(context, options, leadRules, exactlyOneOf('formId', 'adId'));
  return performList(context, 'leads', checked, 200, leadsOf);
}

export type IterateLeadsOptions = WalkOptions & LeadsOptions;

/**
 * Yields the leads of a form or of an ad one by one, as `leads` lists them, and requests each page of 100 when it is
 * needed. The platform keeps leads for about 90 days.
 *
 * Fails with ConfigurationError when neither or both of `formId` and `adId` are given, and when `since` is in the
 * future, for example because it is in milliseconds.
 *
 * Source: platform guide, Retrieving Leads.
 *
 * @example
 * for await (const lead of iterateLeads(context, { formId, pageToken, since: lastSeen })) {
 *   if (lead.isErr()) console.error(lead.error.message);
 *   else console.log(lead.value.id, lead.value.fields['email']);
 * }
 *
 * @example With a client, which throws
 * for await (const { id, fields } of client.iterateLeads({ formId, pageToken, since: lastSeen })) {
 *   console.log(id, fields['email']);
 * }
 */
export function iterateLeads(
  context: PageContext,
  options: IterateLeadsOptions,
): AsyncGenerator<Result<Lead, Failure>, void, undefined> {
  const checked = check(context, options, { ...leadRules, ...walkRules }, exactlyOneOf('formId', 'adId'));
  return walkList(context, 'iterateLeads', checked, leadsOf);
}

export interface LeadFormsOptions extends OnePageOptions {
  /**
   * Forms to return at most, over all pages of the list.
   * @default 500
   */
  readonly limit?: number | undefined;
}

/**
 * Lists the lead forms of a Page, archived ones included.
 *
 * Source: platform reference, Page lead forms.
 *
 * @example
 * const forms = await leadForms(context, { pageId, pageToken });
 * if (forms.isOk()) console.log(forms.value.map((form) => form.name));
 */
export function leadForms(
  context: PageContext,
  options: LeadFormsOptions,
): ResultAsync<List<LeadForm>, Failure> {
  const checked = check(context, options, { ...pageRules, limit: limitRule });
  return performList(context, 'leadForms', checked, 500, ({ pageId }) => ({
    path: path`${pageId}/leadgen_forms`,
    query: { fields: s.fieldsFor(leadFormSchema) },
    item: leadFormSchema,
  }));
}

export interface LeadFormOptions extends PageCallOptions {
  readonly formId: string;
  /**
   * Fields of a form, such as `organic_leads_count` or `privacy_policy_url`; those that LeadForm lacks are in `raw`. An
   * unknown one fails the call.
   * @default those of LeadForm
   */
  readonly fields?: readonly string[] | undefined;
}

/**
 * Reads one lead form with its questions.
 *
 * Source: platform reference, Lead Gen Form.
 *
 * @example
 * const form = await leadForm(context, { formId, pageToken });
 * if (form.isOk()) console.log(form.value.name, form.value.questions.map(({ label }) => label));
 */
export function leadForm(context: PageContext, options: LeadFormOptions): ResultAsync<LeadForm, Failure> {
  const checked = check(context, options, { formId: rule.id, pageToken: rule.token, ...fieldRules });
  return performRequest(context, 'leadForm', checked, ({ formId, fields }) => ({
    path: path`${formId}`,
    countsAs: 'leads',
    query: { fields: s.fieldsFor(leadFormSchema, fields) },
    ownFields,
    schema: leadFormSchema,
  }));
}

export interface CreateTestLeadOptions extends PageCallOptions {
  readonly formId: string;
  /**
   * The answers, each with the key of its question as the platform writes it: that in the `raw` of the form.
   * @default made up by the platform
   */
  readonly fieldData?: readonly TestAnswer[] | undefined;
}

/** An answer of a test lead. */
export interface TestAnswer {
  readonly name: string;
  readonly values: readonly string[];
}

/**
 * Makes a test lead of a form, as if a person had answered it without an ad: its event `leadgen` follows in seconds, and
 * `lead` reads it.
 *
 * A form has one test lead at a time: delete it before you make another. So a repeated call makes no second one, and it is
 * retried. If a lost attempt took effect, the next one is refused: an error whose `outcome` is `unknown`. The lead is then
 * the one at `{form-id}/test_leads`.
 *
 * How the platform refuses a second one is unverified. Source: platform guide, Lead Ads Testing.
 *
 * @example
 * const made = await createTestLead(context, { formId, pageToken, fieldData: [{ name: 'email', values: ['a@b.test'] }] });
 * if (made.isOk()) console.log(made.value.id);
 */
export function createTestLead(
  context: PageContext,
  options: CreateTestLeadOptions,
): ResultAsync<Created, Failure> {
  const checked = check(context, options, {
    formId: rule.id,
    pageToken: rule.token,
    fieldData: rule.optional(answers),
  });
  return performRequest(context, 'createTestLead', checked, ({ formId, fieldData }) => ({
    method: POST,
    path: path`${formId}/test_leads`,
    form: { field_data: fieldData && JSON.stringify(fieldData) },
    schema: s.createdSchema,
  }));
}

export interface DeleteTestLeadOptions extends PageCallOptions {
  /** The `id` of a test lead. The platform deletes whatever has this id, if the token may. */
  readonly leadId: string;
}

/**
 * Deletes a test lead, so that its form can have another.
 *
 * After a lost response it is sent again. If the platform then says that there is no such lead, the error's `outcome` is
 * `unknown`: either the first attempt deleted it, or the token may not see it.
 *
 * What it does with a real lead is unverified. Source: platform guide, Lead Ads Testing.
 *
 * @example
 * const deleted = await deleteTestLead(context, { leadId, pageToken });
 * if (deleted.isOk()) console.log('gone');
 */
export function deleteTestLead(
  context: PageContext,
  options: DeleteTestLeadOptions,
): ResultAsync<Acknowledgement, Failure> {
  const checked = check(context, options, { leadId: rule.id, pageToken: rule.token });
  return performRequest(context, 'deleteTestLead', checked, ({ leadId }) => ({
    method: DELETE,
    path: path`${leadId}`,
    countsAs: 'leads',
    schema: s.acknowledgementSchema,
  }));
}

export interface AdContextOptions extends UserCallOptions {
  /** The ad that a lead came from. An organic lead has none: then nothing is sent. */
  readonly adId?: string | null | undefined;
  /**
   * Called with the refusal, or the unusable response, for which `{}` is returned: such as 2635, for a version of the ads
   * API that has ended. Anything it throws is ignored.
   */
  readonly onFailure?: ((error: Exclude<RequestFailure, TransportError>) => unknown) | undefined;
}

export type AdContextFailure = TransportError | ConfigurationError;

/**
 * Reads an ad with its ad set, its campaign, their objectives and its audience.
 *
 * Returns `{}` if `adId` is missing, or if the platform refuses or sends no usable response, which `onFailure` gets. Only
 * a network failure is an error.
 *
 * Source: platform reference, Ad.
 *
 * @example
 * const ad = await adContext(context, { adId, token });
 * if (ad.isOk()) console.log(ad.value.campaign_name);
 */
export function adContext(
  context: PageContext,
  options: AdContextOptions,
): ResultAsync<AdContext, AdContextFailure> {
  const checked = check(context, options, {
    adId: anyId,
    token: rule.token,
    onFailure: rule.optional(rule.hook),
  });
  return perform(context, 'adContext', checked, (call, { adId, ...options }) => {
    const onFailure = guardHook(options.onFailure);
    if (adId === undefined || adId === null || adId === '') return okAsync({});
    const ad = send(context, {
      ...call,
      path: path`${adId}`,
      query: { fields: 'id,name,adset{id,name,optimization_goal,targeting},campaign{id,name,objective}' },
      ownFields,
      schema: adContextSchema,
    });
    return ad.orElse((failure): Result<AdContext, TransportError> => {
      if (failure.name === 'TransportError') return err(failure);
      onFailure?.(failure);
      return ok({});
    });
  });
}

const anyId = v.lazy((value) => (value === '' ? v.unknown() : rule.optional(rule.id)));

const leadRules: Rules<LeadsOptions> = {
  formId: rule.optional(rule.id),
  adId: rule.optional(rule.id),
  pageToken: rule.token,
  since: rule.optional(time),
  limit: limitRule,
};

function leadsOf({ formId, adId, since }: LeadsOptions): ListParts<Lead> {
  const later = { field: 'time_created', operator: 'GREATER_THAN', value: toSeconds(since) };
  return {
    path: path`${formId ?? adId ?? ''}/leads`,
    query: { fields: leadFields(), filtering: since === undefined ? undefined : JSON.stringify([later]) },
    item: leadSchema,
  };
}

/** The requested fields of a lead: those of the person and the ad, not those of the post. */
function leadFields(): string {
  return `${s.fieldsFor(leadSchema)},partner_name,retailer_item_id,custom_disclaimer_responses`;
}

const answers = rule.listOf(rule.fields({ name: rule.text, values: rule.listOf(rule.string) }));
