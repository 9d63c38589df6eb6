import * as v from 'valibot';

/** The publishing quota, and how much of it is used. */
export interface PublishingLimit {
  /** Posts published in the current window. */
  readonly quota_usage: number;
  /** Posts allowed in a window; `undefined` if the platform does not say. */
  readonly quota_total: number | undefined;
  /** Length of a window in seconds; `undefined` if the platform does not say. */
  readonly quota_duration: number | undefined;
}

/** Reads a {@link PublishingLimit}, which comes as a list with one entry. */
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
