import { err, ok, type Result } from 'neverthrow';
import * as v from 'valibot';

import type { Context } from '../context.ts';
import { ApiError, type RequestFailure } from '../errors.ts';
import { isAbsolute, isSameOrigin } from '../http/addresses.ts';
import { withKnownFields } from '../http/fields.ts';
import { withoutSecrets } from '../http/links.ts';
import { hashOf } from '../http/proof.ts';
import type { MayRepeat } from '../http/retry.ts';
import { sendForResponse } from '../http/send.ts';
import type { CallLimits, GraphRequest, GraphResponse, Params } from '../http/types.ts';
import { fieldsOf } from '../objects.ts';

/** What all requests for the pages of a list share. */
export interface PagesRequest<TItem>
  extends
    CallLimits,
    Pick<GraphRequest<unknown>, 'path' | 'token' | 'headers' | 'secrets' | 'tokens' | 'keepsFields'> {
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

/**
 * What a list asks for within its entries, and what it does where that is refused: ask for the page once more with other
 * fields (`again`); find out which entry it is (`halve`), and ask for that with fewer fields (`alone`); or nothing, as where
 * there is nothing within the entries.
 */
export interface Inside {
  /** The fields to ask for from now on. */
  readonly fields: () => string;
  /** The fields of an entry that was refused alone. */
  readonly fewer: (failure: RequestFailure) => string;
  /** Takes a refusal of a page, and whether that is a single entry. One that was not even asked for is `known` to be refused. */
  readonly refused: (
    failure: RequestFailure,
    at: { readonly isAlone: boolean; readonly isKnown: boolean; readonly peek: Peek },
  ) => Promise<'again' | 'halve' | 'alone' | undefined>;
  /** Takes a page that arrived: the failure of its only entry, if it came with fewer fields; whether it is part of a search. */
  readonly arrived: (
    entries: readonly unknown[],
    at: { readonly without?: RequestFailure; readonly isPart: boolean },
  ) => void;
}

/** Asks a single entry for some fields. */
export type Peek = (fields: string) => PromiseLike<Result<unknown, RequestFailure>>;

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
  const { trace, signal, deadline, token, tokens, headers, secrets, keepsFields } = request;
  const home = isAbsolute(request.path) ? request.path : context.graphBase;
  const shared = { trace, signal, deadline, token, tokens, headers, secrets, keepsFields };
  const schema: v.GenericSchema<unknown, Page> = v.looseObject({ [key]: v.array(v.nullable(item)) });
  const anyPage: v.GenericSchema<unknown, Page> = v.looseObject({ [key]: v.array(v.unknown()) });
  let fields = query?.['fields'] ?? paramIn(request.path, 'fields');
  const isNewLink = createMemory<number>();
  const wanted = Number(query?.['limit'] ?? Math.min(limit, pageSize));
  let size: PageSize = { next: wanted, most: wanted, failed: 0, suspects: 0, fitted: 0 };
  let areUnchanged = true;
  /** A refusal of which one of the suspects is the cause. */
  let cause: RequestFailure | undefined;
  let { path } = request;
  let sent: Params = { ...query, limit: query && 'limit' in query ? query['limit'] : wanted };

  async function requestPage(path: string, query: Params, schema: v.GenericSchema<unknown, Page>) {
    // Where an entry may be the cause, only a page with that entry alone is attempted again: others become smaller.
    const isSuspect = size.suspects > 0 || size.fitted === Infinity;
    const mayRepeat: MayRepeat | undefined =
      isSuspect && size.next > 1 ? ({ error }) => !isUndeliverable(error) : undefined;
    return sendForResponse(context, { ...shared, schema, path, query, mayRepeat });
  }

  /** Asks for the page with other fields, and maybe with fewer entries. */
  async function requestOnly(fields: string, schema: v.GenericSchema<unknown, Page>, limit = size.next) {
    const isInPath = sent['fields'] === undefined && path.includes('?');
    return isInPath
      ? requestPage(withLimit(withParam(path, 'fields', fields), limit), sent, schema)
      : requestPage(path, { ...sent, fields, ...('limit' in sent && { limit }) }, schema);
  }

  /** Goes on after the entry that was the cause: of pages that were too large, or of what is within them. */
  function pass(failure: RequestFailure): void {
    size = { ...size, next: size.most, suspects: 0, fitted: isUndeliverable(failure) ? Infinity : 0 };
    cause = undefined;
  }

  /** Asks for other fields from now on, if what is within the entries has changed: then no entry is searched for any more. */
  function refield({ fields: wanted }: Inside): void {
    if (fields === wanted()) return;
    fields = wanted();
    areUnchanged = false;
    if (sent['fields'] === undefined && path.includes('?')) path = withParam(path, 'fields', fields);
    else sent = { ...sent, fields };
    if (!cause) return;
    pass(cause);
    resize(size.next);
  }

  function resize(next: number): void {
    path = withLimit(path, next);
    if ('limit' in sent) sent = { ...sent, limit: next };
  }

  function toDelivered(response: GraphResponse<Page>, unreadable?: RequestFailure): DeliveredPage {
    // Both schemas have the list.
    const entries = response.value[key] as readonly unknown[];
    const next = nextOf(response.body, byCursor && entries.length !== 0);
    if (unreadable === undefined || next === undefined) onPage?.(response);
    return { response, entries, next, ...(unreadable && { unreadable }) };
  }

  return {
    areUnchanged: () => areUnchanged,
    ask: async () => {
      for (;;) {
        const known = size.suspects === 1 ? cause : undefined;
        const page = known ? err(known) : await requestPage(path, sent, schema);
        if (page.isOk()) {
          size = afterPage(size);
          const delivered = toDelivered(page.value);
          const isPart = cause !== undefined || (size.suspects > 0 && size.fitted >= size.failed);
          inside?.arrived(delivered.entries, { isPart });
          if (inside) refield(inside);
          return ok(delivered);
        }
        const { error } = page;
        areUnchanged = false;
        const isAlone = !(size.next > 1);
        const step = await inside?.refused(error, {
          isAlone,
          isKnown: known !== undefined,
          peek: (fields) => requestOnly(fields, anyPage, 1),
        });
        if (inside && step === 'again') {
          refield(inside);
          continue;
        }
        if (!step && !isUndeliverable(error)) return err(error);
        if (isAlone) {
          if (inside && step === 'alone') {
            const fewer = await requestOnly(inside.fewer(error), schema);
            if (fewer.isOk()) {
              pass(error);
              const delivered = toDelivered(fewer.value);
              inside.arrived(delivered.entries, { without: error, isPart: false });
              refield(inside);
              return ok(delivered);
            }
          }
          const id = await requestOnly('id', anyPage);
          pass(error);
          // Without the content of an entry, its page still says where the next one is.
          return id.isOk() ? ok(toDelivered(id.value, error)) : err(error);
        }
        size = afterFailure(size);
        if (!isUndeliverable(error)) {
          cause = error;
          size = { ...size, fitted: Infinity };
        }
        resize(size.next);
      }
    },
    turn: ({ at, isLink }, most, wasEmpty) => {
      // The token may only be sent to the list's own host.
      if (isLink && !isSameOrigin(at, home)) return elsewhere;
      // A cursor may stay the same while it brings new entries.
      if (!isNewLink(hashOf(at, 0)) && (wasEmpty || !byCursor)) return 'the pages repeat in a loop';
      const limit = Math.min(size.next, most);
      if (isLink) {
        const isSame = areUnchanged && Object.is(limit, wanted);
        const known = withKnownFields({ trace, keepsFields, query: { fields } });
        path = isSame ? at : withLimit(withParam(at, 'fields', known.query?.['fields']), limit);
        // The link carries the rest of the query: its token and proof were removed.
        sent = credentialsIn(query);
      } else {
        ({ path } = request);
        sent = { ...query, ...(inside && { fields }), limit, after: at };
      }
      return undefined;
    },
  };
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
 * ask for less data, and sometimes in no words at all.
 */
function isUndeliverable(failure: RequestFailure): boolean {
  return failure.name !== 'TransportError' && failure.code === 1;
}

/** How many entries to request at once. */
interface PageSize {
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

function afterFailure({ next, most, fitted }: PageSize): PageSize {
  return { next: Math.floor(next / 2), most, failed: next, suspects: next, fitted };
}

function afterPage(size: PageSize): PageSize {
  if (size.suspects === 0) return size;
  const suspects = size.suspects - size.next;
  if (suspects <= 0) {
    // All entries arrived, so no single one was the cause: the page was too large.
    const most = Math.max(1, Math.floor(size.failed / 2));
    return { next: most, most, failed: 0, suspects: 0, fitted: 0 };
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

/** An address with another value of a parameter; `undefined` removes it. */
function withParam(address: string, name: string, value: Params[string]): string {
  const [path = '', query] = address.split('?');
  const params = new URLSearchParams(query);
  if (value === undefined || value === null) params.delete(name);
  else params.set(name, String(value));
  return params.size === 0 ? path : `${path}?${params}`;
}
