import { err, ok, type Result, type ResultAsync } from 'neverthrow';

import type { Context } from '../context.ts';
import type { RequestFailure } from '../errors.ts';
import { toResultAsync } from '../http/resultAsync.ts';
import { type ListRequest, walkPages } from './pages.ts';

/** Entries of a list, and whether the platform has more of them than were asked for. */
export type List<TItem> = TItem[] & {
  /** Not enumerable. `true` where the list ends at its `limit` and the platform says that there is more. */
  readonly hasMore: boolean;
};

/** Collects the entries of a list, over all its pages, each once. */
export function list<TItem extends { readonly id: string }>(
  context: Context,
  request: Omit<ListRequest<TItem>, 'idOf'>,
): ResultAsync<List<TItem>, RequestFailure> {
  return collect(context, { idOf: ({ id }) => id, ...request });
}

/** Collects the entries of a list, over all its pages. */
export function collect<TItem>(
  context: Context,
  request: ListRequest<TItem>,
): ResultAsync<List<TItem>, RequestFailure> {
  return toResultAsync(context, collected(walkPages(context, request)));
}

async function collected<TItem>(
  pages: AsyncGenerator<Result<readonly TItem[], RequestFailure>, boolean, undefined>,
): Promise<Result<List<TItem>, RequestFailure>> {
  const items: TItem[] = [];
  // Not `for await`: it would drop what the walk ends with.
  for (;;) {
    const step = await pages.next();
    if (step.done === true) {
      return ok(Object.defineProperty(items, 'hasMore', { value: step.value }) as List<TItem>);
    }
    const page = step.value;
    if (page.isErr()) return err(page.error);
    // Not as arguments of one call, whose number is limited.
    for (const item of page.value) items.push(item);
  }
}
