import type { Result } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { idOf, walk, walkPages } from '../core/lists/list.ts';
import { check } from '../core/options/check.ts';
import type { Lead } from '../models/leads.ts';
import type { PageContext } from './context.ts';
import { leadRules, leadsOf } from './internal/lists.ts';
import type { LeadsOptions } from './leads.ts';

export interface IterateLeadsOptions extends LeadsOptions {
  /**
   * Leads to yield at most, over all pages. At least 1.
   * @default all
   */
  readonly limit?: number | undefined;
}

/**
 * Yields the leads of a form one by one, as `leads` lists them, and requests each page of 100 when it is needed. A
 * failure ends the walk, after the leads before it. The platform keeps leads for about 90 days.
 *
 * Fails with ConfigurationError when `since` is in the future, for example because it is in milliseconds.
 *
 * Permissions: `ads_management`, `leads_retrieval`, `pages_manage_ads`, `pages_read_engagement`, `pages_show_list`;
 * Page task `ADVERTISE`. Source: platform guide, Retrieving Leads.
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
  return walk(context, 'iterateLeads', checked, (call, own) =>
    walkPages(context, { ...call, ...leadsOf(own), limit: own.limit ?? Infinity, idOf }),
  );
}
