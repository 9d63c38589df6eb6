import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { perform } from '../core/http/send.ts';
import { type List, list } from '../core/lists/list.ts';
import { check } from '../core/options/check.ts';
import type { Lead } from '../models/leads.ts';
import type { PageCallOptions, PageContext } from './context.ts';
import { leadRules, leadsOf } from './internal/lists.ts';

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
 * Permissions: `ads_management`, `leads_retrieval`, `pages_manage_ads`, `pages_read_engagement`, `pages_show_list`;
 * Page task `ADVERTISE`. Source: platform guide, Retrieving Leads.
 *
 * @example
 * const missed = await leads(context, { formId, pageToken, since: lastSeen });
 * if (missed.isOk()) console.log(missed.value.length);
 *
 * @example With a client, which throws
 * const missed = await client.leads({ formId, pageToken, since: lastSeen });
 */
export function leads(context: PageContext, options: LeadsOptions): ResultAsync<List<Lead>, Failure> {
  const checked = check(context, options, leadRules);
  return perform(context, 'leads', checked, (call, own) => {
    const { limit = 200 } = own;
    return list(context, { ...call, ...leadsOf(own), limit });
  });
}
