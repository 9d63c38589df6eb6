import { okAsync, type ResultAsync } from 'neverthrow';

import type { ConfigurationError, TransportError } from '../core/errors.ts';
import { path } from '../core/http/path.ts';
import { fallbackOnRefusal, perform, send } from '../core/http/send.ts';
import { check, id, type Rule, token } from '../core/options/check.ts';
import { type AdContext, adContextSchema } from '../models/leads.ts';
import type { PageContext, UserCallOptions } from './context.ts';

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
 * Permission: `ads_read`. Source: platform reference, Ad.
 *
 * @example
 * const ad = await adContext(context, { adId, token });
 * if (ad.isOk()) console.log(ad.value.campaign_name);
 *
 * @example With a client, which throws
 * const ad = await client.adContext({ adId, token });
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

const anyId: Rule = (value) => (isNone(value) ? undefined : id(value));

function isNone<TValue>(value: TValue | '' | null | undefined): value is '' | null | undefined {
  return value === undefined || value === null || value === '';
}
