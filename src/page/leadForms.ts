import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { path } from '../core/http/path.ts';
import { perform } from '../core/http/send.ts';
import { type List, list } from '../core/lists/list.ts';
import { check, countOrAll, id, optional, token } from '../core/options/check.ts';
import { type LeadForm, leadFormSchema } from '../models/leads.ts';
import type { PageCallOptions, PageContext } from './context.ts';

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
 * Permissions: `pages_manage_ads`, `pages_show_list`; Page task `ADVERTISE`. Source: platform reference, Page lead
 * forms.
 *
 * @example
 * const forms = await leadForms(context, { pageId, pageToken });
 * if (forms.isOk()) console.log(forms.value.map((form) => form.name));
 *
 * @example With a client, which throws
 * const forms = await client.leadForms({ pageId, pageToken });
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
