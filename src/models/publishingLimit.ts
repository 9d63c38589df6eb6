import * as v from 'valibot';

import { node, number, part } from './fields.ts';

/** The publishing quota, and how much of it is used. */
export interface PublishingLimit {
  /** Posts published in the current window; `undefined` if the platform does not say. */
  readonly quota_usage: number | undefined;
  /** Posts allowed in a window; `undefined` if the platform does not say. */
  readonly quota_total: number | undefined;
  /** Length of a window in seconds; `undefined` if the platform does not say. */
  readonly quota_duration: number | undefined;
}

/** Reads a {@link PublishingLimit}, which comes as a list with one entry. */
export const publishingLimitSchema: v.GenericSchema<unknown, PublishingLimit> = v.pipe(
  v.looseObject({
    data: v.looseTuple([
      node({
        quota_usage: number,
        config: part(node({ quota_total: number, quota_duration: number })),
      }),
    ]),
  }),
  v.transform(({ data: [{ quota_usage, config }] }) => ({
    quota_usage,
    quota_total: config?.quota_total,
    quota_duration: config?.quota_duration,
  })),
);
