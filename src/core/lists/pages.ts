import { err, ok, type Result, ResultAsync } from 'neverthrow';
import * as v from 'valibot';

import type { Context } from '../context.ts';
import { ApiError, type RequestFailure } from '../errors.ts';
import { withoutSecrets } from '../http/address.ts';
import { isSameOrigin } from '../http/origin.ts';
import { deadlineOf, sendForResponse } from '../http/send.ts';
import type { GraphResponse, CallLimits, GraphRequest, Params, Schema } from '../http/types.ts';

/** Empty pages in a row after which a walk ends: the platform sends some, but not without end. */
const emptyPages = 50;

/** A list, walked over its pages. */
export interface ListRequest<TItem> extends CallLimits {
  readonly path: string;
  readonly token?: string | undefined;
  readonly query?: Params | undefined;
  readonly secrets?: GraphRequest<unknown>['secrets'];
  /** Entries to return, over all pages. */
  readonly limit: number;
  /**
   * Entries to ask for at once.
   * @default 100
   */
  readonly pageSize?: number | undefined;
  readonly item: Schema<TItem>;
}

/** Collects the entries of a list, over all its pages. */
export function list<TItem>(
  context: Context,
  request: ListRequest<TItem>,
): ResultAsync<TItem[], RequestFailure> {
  return new ResultAsync(collect(walk(context, request)));
}

async function collect<TItem>(
  entries: AsyncIterable<Result<TItem, RequestFailure>>,
): Promise<Result<TItem[], RequestFailure>> {
  const items: TItem[] = [];
  for await (const entry of entries) {
    if (entry.isErr()) return err(entry.error);
    items.push(entry.value);
  }
  return ok(items);
}

/** The entries of a list, one by one; a failure is the last of them. */
export async function* walk<TItem>(
  context: Context,
  request: ListRequest<TItem>,
): AsyncGenerator<Result<TItem, RequestFailure>, void, undefined> {
  const { limit, pageSize = 100, item, token, query, secrets, signal } = request;
  const schema = v.looseObject({ data: v.array(item) });
  const limits = {
    method: 'GET',
    token,
    secrets,
    signal,
    deadline: request.deadline ?? deadlineOf(context),
    schema,
  };
  const seen = new Set<string>();
  let path: string | undefined = request.path;
  let sent: Params | undefined = { ...query, limit: Math.min(limit, pageSize) };
  let left = limit;
  let empty = 0;

  while (path !== undefined) {
    const answer: Result<GraphResponse<v.InferOutput<typeof schema>>, RequestFailure> = await sendForResponse(
      context,
      {
        ...limits,
        path,
        query: sent,
      },
    );
    if (answer.isErr()) return yield err(answer.error);
    const { value, body, status, redact } = answer.value;
    for (const entry of value.data) {
      yield ok(entry);
      if (--left === 0) return;
    }
    empty = value.data.length === 0 ? empty + 1 : 0;

    const next = nextLink(body);
    if (next === undefined) return;
    const { graphBase, platform } = context;
    const fault = !isSameOrigin(next, graphBase, platform.graphUrl, platform.picsGraphUrl)
      ? 'the next page is not at the platform'
      : seen.has(next)
        ? 'the pages go round in a loop'
        : empty >= emptyPages
          ? `the list has ${emptyPages} empty pages in a row`
          : undefined;
    if (fault !== undefined) {
      return yield err(
        new ApiError<'ApiError'>(redact(`paging.next: ${fault}`), { status, payload: redact(body) }),
      );
    }
    seen.add(next);
    path = next;
    // A link carries the query, but not the proof; what it carries of secrets is sent anew.
    sent = kept(query);
  }
}

/** The link to the next page, without token and proof. */
function nextLink(body: unknown): string | undefined {
  const next = (body as { readonly paging?: { readonly next?: unknown } | null }).paging?.next;
  return typeof next === 'string' && next !== '' ? withoutSecrets(next) : undefined;
}

/** Token and proof, where a caller of the low-level functions gave them as parameters. */
function kept(query: Params | undefined): Params {
  const { access_token, appsecret_proof } = query ?? {};
  return { access_token, appsecret_proof };
}
