import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { path } from '../core/http/path.ts';
import { perform, send } from '../core/http/send.ts';
import { check, id, token } from '../core/options/check.ts';
import { type Lead, leadFields, leadSchema } from '../models/leads.ts';
import type { PageCallOptions, PageContext } from './context.ts';

export interface LeadOptions extends PageCallOptions {
  /** The `leadgen_id` of a webhook event. */
  readonly leadgenId: string;
}

/**
 * Reads one lead. The platform keeps leads for about 90 days.
 *
 * Permissions: `ads_management`, `leads_retrieval`, `pages_manage_ads`, `pages_read_engagement`, `pages_show_list`;
 * Page task `ADVERTISE`. Source: platform guide, Retrieving Leads.
 *
 * @example
 * const left = await lead(context, { leadgenId, pageToken });
 * if (left.isOk()) console.log(left.value.fields['email']);
 *
 * @example With a client, which throws
 * const left = await client.lead({ leadgenId, pageToken });
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
