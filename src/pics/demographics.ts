import { okAsync, ResultAsync } from 'neverthrow';

import type { ConfigurationError } from '../core/errors.ts';
import { path } from '../core/http/path.ts';
import { perform, send } from '../core/http/send.ts';
import { check, token } from '../core/options/check.ts';
import { breakdownSchema, type DemographicCut, type Demographics } from '../models/insights.ts';
import type { PicsCallOptions, PicsContext } from './context.ts';
import { accountId, accountOf } from './internal/account.ts';

export interface DemographicsOptions extends PicsCallOptions {
  /** Account to read. Required in page mode; in login mode, the token's owner by default. */
  readonly picsUserId?: string | undefined;
}

export type DemographicsFailure = ConfigurationError;

/**
 * Reads the followers of an account this month by age, gender, city and country, with one request for each breakdown.
 *
 * A breakdown that cannot be read has `available: false` and the message of the error as `reason`. So has one without
 * numbers: the platform gives none for accounts with fewer than 100 followers.
 *
 * Permissions in login mode: `pics_business_basic`, `pics_business_manage_insights`; in page mode: `pics_basic`,
 * `pics_manage_insights`, `pages_read_engagement`, `pages_show_list`. Source: platform reference, User Insights.
 *
 * @example
 * const followers = await demographics(context, { token });
 * if (followers.isOk()) console.log(followers.value.age.values['25-34']);
 *
 * @example With a client, which throws
 * const followers = await client.demographics({ token });
 */
export function demographics(
  context: PicsContext,
  options: DemographicsOptions,
): ResultAsync<Demographics, DemographicsFailure> {
  const checked = check(context, options, () => ({ token, picsUserId: accountId(context) }));
  return perform(context, 'demographics', checked, (call, { picsUserId }) => {
    function readCut(cut: keyof Demographics): ResultAsync<DemographicCut, never> {
      return send(context, {
        ...call,
        method: 'GET',
        path: path`${accountOf(picsUserId)}/insights`,
        query: {
          metric: 'follower_demographics',
          period: 'lifetime',
          metric_type: 'total_value',
          timeframe: 'this_month',
          breakdown: cut,
        },
        schema: breakdownSchema,
      })
        .map((values) =>
          Object.keys(values).length > 0 ? { available: true, values } : unavailable(noNumbers),
        )
        .orElse(({ message }) => okAsync(unavailable(message)));
    }

    return ResultAsync.combine([readCut('age'), readCut('gender'), readCut('city'), readCut('country')]).map(
      ([age, gender, city, country]) => ({ age, gender, city, country }),
    );
  });
}

const noNumbers = 'the platform gave no numbers, as for accounts with fewer than 100 followers';

function unavailable(reason: string): DemographicCut {
  return { available: false, values: {}, reason };
}
