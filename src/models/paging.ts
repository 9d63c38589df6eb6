import type * as v from 'valibot';

import { node, part, text } from './fields.ts';

/** The position of a page in a list. */
export interface Paging {
  /** Cursors of the page's first and last entry. The last page of the list has them as well: only `next` tells the end. */
  readonly cursors?:
    | { readonly before?: string | undefined; readonly after?: string | undefined }
    | undefined;
  /** Address of the next page, without the token; absent on the last page. */
  readonly next?: string | undefined;
  /** Address of the previous page, without the token. */
  readonly previous?: string | undefined;
}

/** Reads a {@link Paging}; its links are still as the platform sent them. */
export const pagingSchema: v.GenericSchema<unknown, Paging> = node({
  cursors: part(node({ before: text, after: text })),
  next: text,
  previous: text,
});
