import * as v from 'valibot';

/** The position of a page in a list. Fields that the platform adds are kept. */
export interface Paging {
  /** Cursors of the page's first and last entry. */
  readonly cursors?:
    | { readonly before?: string | undefined; readonly after?: string | undefined }
    | undefined;
  /** Address of the next page, without the token; absent on the last page. */
  readonly next?: string | undefined;
  /** Address of the previous page, without the token. */
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
