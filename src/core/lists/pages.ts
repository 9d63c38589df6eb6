import { err, ok, type Result } from 'neverthrow';
import * as v from 'valibot';

import type { Context } from '../context.ts';
import { ApiError, type RequestFailure } from '../errors.ts';
import { isAbsolute, isSameOrigin } from '../http/addresses.ts';
import { ownFields } from '../http/fields.ts';
import { withoutSecrets } from '../http/links.ts';
import { hashOf } from '../http/proof.ts';
import type { MayRepeat } from '../http/retry.ts';
import { sendForResponse } from '../http/send.ts';
import type { CallLimits, GraphRequest, GraphResponse, OwnFields, Params } from '../http/types.ts';
import { fieldsOf } from '../objects.ts';

/** What all requests for the pages of a list share. */
export interface PagesRequest<TItem>
  extends CallLimits, Pick<GraphRequest<unknown>, 'path' | 'token' | 'headers' | 'secrets' | 'tokens'> {
  /** How it goes on without a field that the platform does not know; `null` where the fields are the caller's. */
  readonly ownFields?: OwnFields | null | undefined;
  /** A `limit` in it overrides `pageSize`; one that is `undefined` leaves it to the platform. */
  readonly query?: Params | undefined;
  /** Entries to return, over all pages. */
  readonly limit: number;
  /**
   * Entries to request per page.
   * @default 100
   */
  readonly pageSize?: number | undefined;
  readonly item: v.GenericSchema<unknown, TItem>;
  /**
   * Name of the list in a response.
   * @default 'data'
   */
  readonly key?: string | undefined;
  /**
   * Whether the platform gives a cursor instead of a link, even on the last page: the list then ends with a page without
   * entries. Some cursors stay the same from page to page, and still lead to the next one.
   * @default false
   */
  readonly byCursor?: boolean | undefined;
  /** What the list asks for within its entries. */
  readonly inside?: Inside | undefined;
  /** Gets each page that the platform delivers, and what stands for the last one if it cannot. */
  readonly onPage?: ((page: GraphResponse<unknown>) => void) | undefined;
}

type Page = Readonly<Record<string, unknown>>;

/** How to ask for a page. */
export interface Asking<TPage> {
  /** How many entries are asked for. */
  readonly state: { readonly size: PageSize };
  /** Asks for so many from now on. */
  readonly resize: (size: PageSize) => void;
  /** Asks for these fields of the page. */
  readonly request: (fields: string) => Promise<Result<TPage, RequestFailure>>;
  /** Asks for these fields of its first entry, whatever they hold. */
  readonly peek: (fields: string) => Promise<Result<unknown, RequestFailure>>;
  /** Asks for the id of the only entry, which cannot be delivered for this reason, and goes on after it. */
  readonly pass: (failure: RequestFailure) => Promise<Result<TPage, RequestFailure>>;
}

/** What a list asks for within its entries: how it asks for a page. */
export interface Inside {
  readonly ask: <TPage extends Pick<DeliveredPage, 'entries'>>(
    asking: Asking<TPage>,
  ) => Promise<Result<TPage, RequestFailure>>;
}

/** A page that the platform delivered. */
export interface DeliveredPage {
  readonly response: GraphResponse<Page>;
  /** Its entries; of one that is `unreadable`, the id at most. */
  readonly entries: readonly unknown[];
  /** Why the platform cannot deliver the only entry of the page. */
  readonly unreadable?: RequestFailure;
  readonly next: NextPage | undefined;
}

/** Asks for the pages of a list, one after another. */
export interface Pages {
  /**
   * Asks for the page: if the platform finds it too large, with half as many entries, until it fits, or is a single entry
   * that cannot be delivered.
   */
  readonly ask: () => Promise<Result<DeliveredPage, RequestFailure>>;
  /**
   * Turns to the next page, which has at most so many entries, and follows one that was empty or not. Returns why it must
   * not be asked for, if so.
   */
  readonly turn: (next: NextPage, most: number, wasEmpty: boolean) => string | undefined;
  /** Whether the platform has delivered each page as it was first requested. */
  readonly areUnchanged: () => boolean;
}

export function createPages<TItem>(context: Context, request: PagesRequest<TItem>): Pages {
  const { limit, pageSize = 100, item, key = 'data', byCursor = false, query, inside, onPage } = request;
  const { trace, signal, deadline, token, tokens, headers, secrets } = request;
  const home = isAbsolute(request.path) ? request.path : context.graphBase;
  const own = request.ownFields === null ? undefined : (request.ownFields ?? ownFields);
  const shared = { trace, signal, deadline, token, tokens, headers, secrets, ownFields: own };
  const schema: v.GenericSchema<unknown, Page> = v.looseObject({ [key]: v.array(v.nullable(item)) });
  const anyPage: v.GenericSchema<unknown, Page> = v.looseObject({ [key]: v.array(v.unknown()) });
  const isNewLink = createMemory<number>();
  const wanted = Number(query?.['limit'] ?? Math.min(limit, pageSize));
  const fields = query?.['fields'] ?? paramIn(request.path, 'fields');
  const state: { path: string; sent: Params; size: PageSize; areUnchanged: boolean } = {
    path: request.path,
    sent: { ...query, limit: query && 'limit' in query ? query['limit'] : wanted },
    size: pagesOf(wanted),
    /** Whether each page was delivered as it was first requested. */
    areUnchanged: true,
  };

  async function requestPage(schema: v.GenericSchema<unknown, Page>, path = state.path, query = state.sent) {
    const { size } = state;
    // Where an entry may be the cause, only a page with that entry alone is attempted again: others become smaller.
    const isSuspect = size.suspects > 0 || size.fitted === Infinity;
    const mayRepeat: MayRepeat | undefined =
      isSuspect && size.next > 1 ? ({ error }) => !isUndeliverable(error) : undefined;
    return sendForResponse(context, { ...shared, schema, path, query, mayRepeat });
  }

  /** Asks for other fields of the page, or of what stands elsewhere. */
  async function requestOnly(other: string, schema: v.GenericSchema<unknown, Page>, { path, sent } = state) {
    return requestPage(schema, withoutFields(path), { ...sent, fields: other });
  }

  function resize(size: PageSize): void {
    if (size.next !== state.size.next) Object.assign(state, resized(state, size.next));
    state.size = size;
  }

  function toDelivered(response: GraphResponse<Page>, unreadable?: RequestFailure): DeliveredPage {
    // Both schemas have the list.
    const entries = response.value[key] as readonly unknown[];
    const next = nextOf(response.body, byCursor && entries.length !== 0);
    if (unreadable === undefined || next === undefined) onPage?.(response);
    return { response, entries, next, ...(unreadable && { unreadable }) };
  }

  async function ask(page: ReturnType<typeof requestPage>): Promise<Result<DeliveredPage, RequestFailure>> {
    const asked = await page;
    if (asked.isErr()) state.areUnchanged = false;
    return asked.map((response) => toDelivered(response));
  }

  async function pass(error: RequestFailure): Promise<Result<DeliveredPage, RequestFailure>> {
    const id = await requestOnly('id', anyPage);
    resize(afterEntry(state.size, Infinity));
    // Without the content of an entry, its page still says where the next one is.
    return id.isOk() ? ok(toDelivered(id.value, error)) : err(error);
  }

  const asking: Asking<DeliveredPage> = {
    state,
    resize,
    request: async (asked) => ask(asked === fields ? requestPage(schema) : requestOnly(asked, schema)),
    peek: async (asked) => requestOnly(asked, anyPage, { ...state, ...resized(state, 1) }),
    pass,
  };

  return {
    areUnchanged: () => state.areUnchanged,
    ask: inside
      ? async () => inside.ask(asking)
      : async () => {
          for (;;) {
            const page = await ask(requestPage(schema));
            if (page.isOk()) {
              resize(afterPage(state.size));
              return page;
            }
            if (!isUndeliverable(page.error)) return page;
            if (!(state.size.next > 1)) return pass(page.error);
            resize(afterFailure(state.size));
          }
        },
    turn: ({ at, isLink }, most, wasEmpty) => {
      // The token may only be sent to the list's own host.
      if (isLink && !isSameOrigin(at, home)) return elsewhere;
      // A cursor may stay the same while it brings new entries.
      if (!isNewLink(hashOf(at, 0)) && (wasEmpty || !byCursor)) return 'the pages repeat in a loop';
      const limit = Math.min(state.size.next, most);
      if (isLink) {
        const isSame = state.areUnchanged && Object.is(limit, wanted);
        state.path = isSame ? at : withLimit(withoutFields(at), limit);
        // The link carries the rest of the query: its token and proof were removed.
        state.sent = { ...credentialsIn(query), fields: isSame ? undefined : fields };
      } else {
        state.path = request.path;
        state.sent = { ...query, fields, limit, after: at };
      }
      return undefined;
    },
  };
}

/** How to ask for so many entries. */
function resized({ path, sent }: { readonly path: string; readonly sent: Params }, limit: number) {
  return { path: withLimit(path, limit), sent: 'limit' in sent ? { ...sent, limit } : sent };
}

/** How many things a walk remembers at least. */
const remembered = 1000;

/**
 * Tells whether something is new, as far as it remembers: the last 1,000 things at least, and 2,000 at most, so that a
 * walk needs no more memory the longer it is.
 */
export function createMemory<TThing>(): (thing: TThing) => boolean {
  let earlier = new Set<TThing>();
  let latest = new Set<TThing>();
  return (thing) => {
    if (latest.has(thing) || earlier.has(thing)) return false;
    if (latest.size === remembered) [earlier, latest] = [latest, new Set()];
    latest.add(thing);
    return true;
  };
}

/**
 * Whether the platform cannot deliver a page, maybe because of one entry. It says so under code 1, mostly in words that
 * ask for less data, and sometimes in no words at all. What it words for a person and calls lasting, is of neither category.
 */
export function isUndeliverable(failure: RequestFailure): boolean {
  return (
    failure.name !== 'TransportError' &&
    failure.code === 1 &&
    /^(?:transient|validation)$/.test(failure.category)
  );
}

/** How many entries to request at once. */
export interface PageSize {
  readonly next: number;
  /** How many the platform delivers at once, as far as is known. */
  readonly most: number;
  /** The size of the last page that was too large; 0 if there was none, or all its entries have arrived since. */
  readonly failed: number;
  /** How many entries of that page have not arrived yet: one of them may be the cause. */
  readonly suspects: number;
  /** The largest part of that page that arrived; `Infinity` once an entry of the list could not be delivered. */
  readonly fitted: number;
}

/** Pages of so many entries, of which none was too large yet. */
export function pagesOf(most: number): PageSize {
  return { next: most, most, failed: 0, suspects: 0, fitted: 0 };
}

export function afterFailure({ next, most, fitted }: PageSize): PageSize {
  return { next: Math.floor(next / 2), most, failed: next, suspects: next, fitted };
}

/** The size after an entry that was the cause; the next failure is of one entry, too, or of the size. */
export function afterEntry(size: PageSize, fitted: number): PageSize {
  return { ...size, next: size.most, suspects: 0, fitted };
}

export function afterPage(size: PageSize): PageSize {
  if (size.suspects === 0) return size;
  const suspects = size.suspects - size.next;
  if (suspects <= 0) {
    // All entries arrived, so no single one was the cause: the page was too large.
    return pagesOf(Math.max(1, Math.floor(size.failed / 2)));
  }
  const fitted = Math.max(size.fitted, size.next);
  // If a page as large arrived, one entry is the cause: half of the rest is requested each time, until it is alone.
  const next = fitted >= size.failed ? Math.max(1, Math.floor(suspects / 2)) : Math.min(size.next, suspects);
  return { ...size, next, suspects, fitted };
}

/** Where the next page of a list is: at a link, or behind a cursor. */
export interface NextPage {
  readonly at: string;
  readonly isLink: boolean;
}

/** Why a link is not followed that leads to another host. */
export const elsewhere = 'the next page is at another address than the list';

/** The failure of a walk whose next page must not be asked for. */
export function asFault(
  { status, redact, body }: GraphResponse<Page>,
  { isLink }: NextPage,
  fault: string,
): ApiError {
  const field = isLink ? 'next' : 'cursors.after';
  return new ApiError(`paging.${field}: ${fault}`, { status, payload: redact(body) });
}

/** Where the next page is. Token and proof are removed from a link. */
function nextOf(body: unknown, byCursor: boolean): NextPage | undefined {
  const { next, cursors } = fieldsOf(fieldsOf(body)['paging']);
  if (typeof next === 'string' && next !== '') return { at: withoutSecrets(next), isLink: true };
  const { after } = fieldsOf(cursors);
  return byCursor && typeof after === 'string' && after !== '' ? { at: after, isLink: false } : undefined;
}

/** Token and proof, if the caller of a low-level function passed them as parameters. */
function credentialsIn(query: Params | undefined): Params {
  const { access_token, appsecret_proof } = query ?? {};
  return { access_token, appsecret_proof };
}

/** An address with another `limit` in its query; one without a `limit` stays as it is. */
function withLimit(address: string, limit: number): string {
  return address.replace(/([?&]limit=)\d+/, `$1${limit}`);
}

/** A parameter in the query of an address. */
function paramIn(address: string, name: string): string | undefined {
  return new URLSearchParams(address.split('?')[1]).get(name) ?? undefined;
}

/** An address whose query names no fields. */
function withoutFields(address: string): string {
  const [path = '', query] = address.split('?');
  const params = new URLSearchParams(query);
  if (!params.has('fields')) return address;
  params.delete('fields');
  return params.size === 0 ? path : `${path}?${params}`;
}
