/// <reference lib="esnext.disposable" preserve="true" />
import type { Result } from 'neverthrow';

import type { Context } from '../context.ts';
import type { Failure } from '../errors.ts';
import { type Entry, iterate, paginate, type PaginateOptions } from '../lowLevel/paginate.ts';
import { del, get, post, request } from '../lowLevel/request.ts';
import { type Bound, bind, type Endpoint, unwrap } from './bind.ts';

const lowLevel = { request, get, post, delete: del, paginate };

/** What every client has beside its endpoints. Its methods throw what the functions return as failures. */
export interface BaseClient<TContext extends Context> extends Bound<typeof lowLevel> {
  /** The context that the methods are bound to, for the functions. */
  readonly context: TContext;
  /** The entries that `paginate` collects, one by one; a failure is thrown. */
  readonly iterate: (url: string, options?: PaginateOptions) => AsyncGenerator<Entry, void, undefined>;
  /** Ends the client: what is in flight is aborted, and later calls fail with a TransportError. */
  readonly close: () => Promise<void>;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
}

// Some runtimes still lack the symbol; there, `await using` is compiled to this one.
const asyncDispose: typeof Symbol.asyncDispose =
  Symbol.asyncDispose ?? (Symbol.for('Symbol.asyncDispose') as typeof Symbol.asyncDispose);

/** Makes a client of a context and a bundle of endpoint functions. */
export function createClient<
  TContext extends Context,
  TEndpoints extends Readonly<Record<string, Endpoint<TContext>>>,
>(context: Result<TContext, Error>, endpoints: TEndpoints): Bound<TEndpoints> & BaseClient<TContext> {
  if (context.isErr()) throw context.error;
  const bound = context.value;
  const end = async (): Promise<void> => {
    bound.fetcher.close();
  };
  return Object.freeze({
    ...bind(bound, endpoints),
    ...bind(bound, lowLevel),
    context: bound,
    iterate: (url: string, options?: PaginateOptions) => throwing(iterate(bound, url, options)),
    close: end,
    [asyncDispose]: end,
  }) as Bound<TEndpoints> & BaseClient<TContext>;
}

async function* throwing(
  entries: AsyncIterable<Result<Entry, Failure>>,
): AsyncGenerator<Entry, void, undefined> {
  for await (const entry of entries) yield unwrap(entry);
}
