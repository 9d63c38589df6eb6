import { err, ok, type Result, ResultAsync } from 'neverthrow';

import type { Failure, RequestFailure, TransportError } from '../core/errors.ts';
import { mapConcurrent } from '../core/http/concurrency.ts';
import { path } from '../core/http/path.ts';
import { perform } from '../core/http/send.ts';
import { type ListRequest, walkPages } from '../core/lists/list.ts';
import { check, token } from '../core/options/check.ts';
import { objectOf } from '../core/schema.ts';
import { idSchema } from '../models/fields.ts';
import type { Page } from '../models/page.ts';
import type { PageContext, UserCallOptions } from './context.ts';
import { pageList } from './internal/lists.ts';

export interface PortfolioPagesOptions extends UserCallOptions {
  /** User token, or the token of a system user. */
  readonly token: string;
}

/** The Pages that a user can reach, directly or through a portfolio. */
export interface PortfolioPages {
  /** Each Page once: those that the user manages first, then those of the portfolios. */
  readonly pages: readonly Page[];
  /** The lists that the platform refused, as a whole or from some page on. */
  readonly skipped: readonly SkippedList[];
}

export interface SkippedList {
  /** The portfolio; `undefined` if the list of portfolios itself was refused. */
  readonly business_id: string | undefined;
  readonly edge: 'businesses' | PortfolioEdge;
  readonly error: Exclude<RequestFailure, TransportError>;
}

type PortfolioEdge = 'owned_pages' | 'client_pages';

const withId = objectOf({ id: idSchema });

/** How many requests of one call run at once. */
const concurrency = 5;

/**
 * Lists the Pages that a user manages, and also those of their business portfolios and of the portfolios' clients,
 * which `pages` does not list.
 *
 * A Page on which the user has no task has an empty `access_token`. Lists that the platform refuses are left out and
 * named in `skipped`; a refusal of the user's own Pages and a network failure are errors.
 *
 * Permissions: `business_management`, `pages_read_engagement`, `pages_show_list`. `pics_basic` too for linked accounts.
 * Source: platform reference, User businesses, Business owned pages and client pages.
 *
 * @example
 * const found = await portfolioPages(context, { token });
 * if (found.isOk()) console.log(found.value.pages.length, found.value.skipped.length);
 *
 * @example With a client, which throws
 * const found = await client.portfolioPages({ token });
 */
export function portfolioPages(
  context: PageContext,
  options: PortfolioPagesOptions,
): ResultAsync<PortfolioPages, Failure> {
  const checked = check(context, options, () => ({ token }));
  return perform(context, 'portfolioPages', checked, (call) => {
    const request = {
      ...call,
      limit: Infinity,
    };
    return new ResultAsync(find());

    async function find(): Promise<Result<PortfolioPages, RequestFailure>> {
      const [own, businesses] = await Promise.all([
        collectUntilFailure(context, { ...request, ...pageList(context), path: 'me/accounts' }),
        collectUntilFailure(context, {
          ...request,
          path: 'me/businesses',
          query: { fields: 'id,name' },
          item: withId,
          idOf: ({ id }) => id,
        }),
      ]);
      if (own.failure) return err(own.failure);

      const ids = new Set(businesses.items.map(({ id }) => id));
      const edges = [...ids].flatMap((id) =>
        (['owned_pages', 'client_pages'] as const).map((edge) => ({ id, edge })),
      );
      const lists = await mapConcurrent(
        edges,
        ({ id, edge }) =>
          collectUntilFailure(context, { ...request, ...pageList(context), path: `${path`${id}`}/${edge}` }),
        concurrency,
      );

      const skipped: SkippedList[] = [];
      const sources = [
        { business_id: undefined, edge: 'businesses' as const, failure: businesses.failure },
        ...edges.map(({ id, edge }, at) => ({ business_id: id, edge, failure: lists[at]?.failure })),
      ];
      for (const { failure: error, ...source } of sources) {
        if (error?.name === 'TransportError') return err(error);
        if (error) skipped.push({ ...source, error });
      }
      return ok({ pages: unique([own.items, ...lists.map(({ items }) => items)].flat()), skipped });
    }
  });
}

interface Collected<TItem> {
  readonly items: readonly TItem[];
  /** Why the list is incomplete; `undefined` for a complete list. */
  readonly failure: RequestFailure | undefined;
}

/** The entries of a list, up to the point where it failed. */
async function collectUntilFailure<TItem>(
  context: PageContext,
  request: ListRequest<TItem>,
): Promise<Collected<TItem>> {
  const items: TItem[] = [];
  for await (const page of walkPages(context, request)) {
    if (page.isErr()) return { items, failure: page.error };
    items.push(...page.value);
  }
  return { items, failure: undefined };
}

/** Each Page once. An entry with a token takes precedence: the same Page may be listed with and without one. */
function unique(pages: readonly Page[]): Page[] {
  const byId = new Map<string, Page>();
  for (const page of pages) {
    const known = byId.get(page.id);
    if (known === undefined || (known.access_token === '' && page.access_token !== ''))
      byId.set(page.id, page);
  }
  return [...byId.values()];
}
