import { okAsync, type Result, type ResultAsync } from 'neverthrow';
import * as v from 'valibot';

import type { ConfigurationError, Failure, TransportError } from '../core/errors.ts';
import { path } from '../core/http/path.ts';
import { fallbackOnRefusal, perform, send } from '../core/http/send.ts';
import { idOf, type List, list, walk, walkPages } from '../core/lists/list.ts';
import { check, countOrAll, id, optional, type Rules, token } from '../core/options/check.ts';
import { time, toSeconds } from '../core/options/time.ts';
import {
  type AdContext,
  adContextSchema,
  type Lead,
  leadFields,
  type LeadForm,
  leadFormSchema,
  leadSchema,
} from '../models/leads.ts';
import type { PageCallOptions, PageContext, UserCallOptions } from './context.ts';
import type { ListParts } from './lists.ts';

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
  const checked = check(context, options, () => ({ leadgenId: id, pageToken: token }));
  return perform(context, 'lead', checked, (call, { leadgenId }) =>
    send(context, {
      ...call,
      method: 'GET',
      path: path`${leadgenId}`,
      query: { fields: leadFields },
      schema: leadSchema,
    }),
  );
}

export interface LeadsOptions extends PageCallOptions {
  readonly formId: string;
  /** Only leads that were created after this time: unix seconds, or a Date. */
  readonly since?: number | Date | undefined;
  /**
   * Leads to return, over all pages of the list.
   * @default 200
   */
  readonly limit?: number | undefined;
}

/**
 * Lists the leads of a form, such as those that arrived while a webhook was down. The platform keeps leads for
 * about 90 days.
 *
 * Fails with ConfigurationError when `since` is in the future, for example because it is in milliseconds.
 *
 * Source: platform guide, Retrieving Leads.
 *
 * @example
 * const missed = await leads(context, { formId, pageToken, since: lastSeen });
 * if (missed.isOk()) console.log(missed.value.length);
 */
export function leads(context: PageContext, options: LeadsOptions): ResultAsync<List<Lead>, Failure> {
  const checked = check(context, options, leadRules);
  return perform(context, 'leads', checked, (call, options) => {
    const { limit = 200 } = options;
    return list(context, { ...call, ...leadsOf(options), limit });
  });
}

export interface IterateLeadsOptions extends LeadsOptions {
  /**
   * Leads to yield at most, over all pages. At least 1.
   * @default all
   */
  readonly limit?: number | undefined;
}

/**
 * Yields the leads of a form one by one, as `leads` lists them, and requests each page of 100 when it is needed. A
 * failure ends the walk, after the leads before it, unless it concerns one entry only. The platform keeps leads for about 90 days.
 *
 * Fails with ConfigurationError when `since` is in the future, for example because it is in milliseconds.
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
  const checked = check(context, options, leadRules);
  return walk(context, 'iterateLeads', checked, (call, options) =>
    walkPages(context, { ...call, ...leadsOf(options), limit: options.limit ?? Infinity, idOf }),
  );
}

export interface LeadFormsOptions extends PageCallOptions {
  readonly pageId: string;
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
  const checked = check(context, options, () => ({
    pageId: id,
    pageToken: token,
    limit: optional(countOrAll),
  }));
  return perform(context, 'leadForms', checked, (call, { pageId, limit = 500 }) =>
    list(context, {
      ...call,
      path: path`${pageId}/leadgen_forms`,
      query: { fields: 'id,name,status,locale,leads_count,questions' },
      limit,
      item: leadFormSchema,
    }),
  );
}

export interface AdContextOptions extends UserCallOptions {
  /** The ad that a lead came from. An organic lead has none: then nothing is sent. */
  readonly adId?: string | null | undefined;
}

export type AdContextFailure = TransportError | ConfigurationError;

/**
 * Reads an ad with its ad set, its campaign, their objectives and its audience.
 *
 * Returns `{}` if `adId` is missing, or if the platform refuses or sends no usable response. Only a network failure is
 * an error.
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
  const checked = check(context, options, () => ({ adId: anyId, token }));
  return perform(context, 'adContext', checked, (call, { adId }) => {
    if (isNone(adId)) return okAsync({});
    const ad = send(context, {
      ...call,
      method: 'GET',
      path: path`${adId}`,
      query: { fields: 'id,name,adset{id,name,optimization_goal,targeting},campaign{id,name,objective}' },
      schema: adContextSchema,
    });
    return fallbackOnRefusal(ad, {});
  });
}

const anyId = v.lazy((value) => (value === '' ? v.unknown() : optional(id)));

function isNone<TValue>(value: TValue | '' | null | undefined): value is '' | null | undefined {
  return value === undefined || value === null || value === '';
}

function leadRules(): Rules<LeadsOptions> {
  return { formId: id, pageToken: token, since: optional(time), limit: optional(countOrAll) };
}

function leadsOf({ formId, since }: LeadsOptions): ListParts<Lead> {
  const later = { field: 'time_created', operator: 'GREATER_THAN', value: toSeconds(since) };
  return {
    path: path`${formId}/leads`,
    query: { fields: leadFields, filtering: since === undefined ? undefined : JSON.stringify([later]) },
    item: leadSchema,
  };
}
