import * as v from 'valibot';

/** How much of the publishing quota is used. */
export interface PublishingLimit {
  /** Posts published in the current window. */
  readonly quota_usage: number;
  /** Posts allowed in a window; `undefined` where the platform does not say. */
  readonly quota_total: number | undefined;
  /** Seconds that a window lasts; `undefined` where the platform does not say. */
  readonly quota_duration: number | undefined;
}

/** Reads the publishing quota: a list with one entry. */
export const publishingLimitSchema: v.GenericSchema<unknown, PublishingLimit> = v.pipe(
  v.looseObject({
    data: v.looseTuple([
      v.looseObject({
        quota_usage: v.number(),
        config: v.nullish(
          v.looseObject({ quota_total: v.nullish(v.number()), quota_duration: v.nullish(v.number()) }),
        ),
      }),
    ]),
  }),
  v.transform(({ data: [{ quota_usage, config }] }) => ({
    quota_usage,
    quota_total: config?.quota_total ?? undefined,
    quota_duration: config?.quota_duration ?? undefined,
  })),
);
