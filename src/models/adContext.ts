import * as v from 'valibot';

import { idSchema, node, object, optionalId, part, text } from './fields.ts';

/** An ad, its ad set and its campaign. Fields that the platform does not give are absent. */
export interface AdContext {
  readonly ad_id?: string;
  readonly ad_name?: string;
  readonly adset_id?: string;
  readonly adset_name?: string;
  readonly campaign_id?: string;
  readonly campaign_name?: string;
  /** What the campaign is for, such as `OUTCOME_LEADS`. */
  readonly objective?: string;
  /** What the delivery of the ad set is optimized for, such as `LEAD_GENERATION`. */
  readonly optimization_goal?: string;
  /** The audience of the ad set, as the platform describes it. */
  readonly targeting?: Readonly<Record<string, unknown>>;
}

/** Reads an {@link AdContext} from an ad with its ad set and campaign. */
export const adContextSchema: v.GenericSchema<unknown, AdContext> = v.pipe(
  node({
    id: idSchema,
    name: text,
    adset: part(
      node({
        id: optionalId,
        name: text,
        optimization_goal: text,
        targeting: object,
      }),
    ),
    campaign: part(node({ id: optionalId, name: text, objective: text })),
  }),
  v.transform(({ id, name, adset, campaign }) =>
    withoutGaps({
      ad_id: id,
      ad_name: name,
      adset_id: adset?.id,
      adset_name: adset?.name,
      campaign_id: campaign?.id,
      campaign_name: campaign?.name,
      objective: campaign?.objective,
      optimization_goal: adset?.optimization_goal,
      targeting: adset?.targeting,
    }),
  ),
);

function withoutGaps(fields: Readonly<Record<keyof AdContext, unknown>>): AdContext {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
