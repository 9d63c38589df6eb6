import * as v from 'valibot';

/** Where a page of a list stands. Fields that the platform adds are kept. */
export interface Paging {
  /** Places in the list: hand `after` to the next call. */
  readonly cursors?:
    | { readonly before?: string | undefined; readonly after?: string | undefined }
    | undefined;
  /** Address of the next page, without token; absent on the last one. */
  readonly next?: string | undefined;
  /** Address of the page before, without token. */
  readonly previous?: string | undefined;
  readonly [field: string]: unknown;
}

const text = v.optional(v.string());

/** Reads a {@link Paging}; its links are still as the platform sent them. */
export const pagingSchema: v.GenericSchema<unknown, Paging> = v.looseObject({
  cursors: v.optional(v.looseObject({ before: text, after: text })),
  next: text,
  previous: text,
});
