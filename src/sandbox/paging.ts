import { invalid, refuse } from './errors.ts';
import { parseFields, type Selection } from './fields.ts';
import type { Call } from './route.ts';
import { checkFields, select, type Shape } from './select.ts';

export interface ListOptions {
  /** Largest `limit`. @default 100 */
  readonly max?: number;
  /** Entries to return without a `limit`. @default 25 */
  readonly usual?: number;
  /** `time`: links carry `until` and `__paging_token` instead of cursors. @default 'cursor' */
  readonly by?: 'cursor' | 'time';
  /** The summary of the whole list, returned if the call asks for it. */
  readonly summary?: Summary;
}

export type Summary = Readonly<Record<string, unknown>>;

interface Listable {
  readonly id: string;
  readonly createdAt: number;
}

export interface List {
  readonly data: unknown[];
  readonly paging?: Readonly<Record<string, unknown>>;
  readonly summary?: Summary;
}

/** One page of a list, as the call's `fields`, `limit`, `after` and `before` select it. */
export function list<N extends Listable>(
  call: Call,
  shape: Shape<N>,
  nodes: readonly N[],
  options: ListOptions = {},
): List {
  const selections = parseFields(call.params['fields']);
  checkFields(call, shape, selections);
  const window = windowOf(call, nodes, options);
  const data = window.nodes.map((node) => select(call, shape, node, selections));
  const paging = options.by === 'time' ? byTime(call, window) : byCursor(call, window);
  return { data, ...(paging && { paging }), ...summaryOf(call, options.summary) };
}

/** A list that has cursors, but no address of a next page. */
export function withoutNext({ data, paging }: List): List {
  return { data, ...(paging && { paging: { cursors: paging['cursors'] } }) };
}

/** The whole summary for `summary=true`, or the members that `summary` names. */
function summaryOf({ params }: Call, summary: Summary | undefined): { readonly summary?: Summary } {
  const asked = params['summary'];
  if (summary === undefined || asked === undefined || asked === 'false' || asked === '0') return {};
  if (asked === 'true' || asked === '1') return { summary };
  const names = asked.split(',');
  return { summary: Object.fromEntries(Object.entries(summary).filter(([name]) => names.includes(name))) };
}

/** A list within a node, paged by the arguments of the selection: `comments.limit(5){id}`. */
export function nested<N extends Listable>(
  call: Call,
  shape: Shape<N>,
  nodes: readonly N[],
  selection: Selection,
  path: string,
  summary?: Summary,
): List {
  const fields = selection.fields ?? parseFields(selection.args['fields']);
  checkFields(call, shape, fields);
  const params = { access_token: call.token.value, ...selection.args };
  const inner: Call = { ...call, params, path };
  const window = windowOf(inner, nodes, summary === undefined ? {} : { summary });
  const data = window.nodes.map((node) => select(inner, shape, node, fields));
  const paging = byCursor(inner, window);
  return { data, ...(paging && { paging }), ...summaryOf(inner, summary) };
}

interface Window<N> {
  readonly nodes: readonly N[];
  readonly limit: number;
  /** The number of this page in the walk, from 0 on. */
  readonly step: number;
  readonly start: Listable | undefined;
  readonly end: Listable | undefined;
  readonly before: boolean;
  readonly more: boolean;
}

function windowOf<N extends Listable>(call: Call, nodes: readonly N[], options: ListOptions): Window<N> {
  const limit = limitOf(call, options);
  const after = readCursor(call.params['after'] ?? call.params['__paging_token']);
  const before = readCursor(call.params['before']);
  const step = after?.step ?? 0;
  const size = call.world.tuning.lists.sparse ? sparse(step, limit) : limit;
  const end = before === undefined ? nodes.length : place(nodes, before.id);
  const first =
    before === undefined ? (after === undefined ? 0 : place(nodes, after.id) + 1) : Math.max(0, end - size);
  const part = nodes.slice(first, Math.min(end, first + size));
  const last = first + part.length - 1;
  return {
    nodes: part,
    limit,
    step,
    start: part[0],
    end: part.at(-1) ?? nodes[last],
    before: first > 0,
    more: last < nodes.length - 1,
  };
}

/** The sizes of successive pages, as in a filtered list: full, empty, half full, and so on. */
function sparse(step: number, limit: number): number {
  return [limit, 0, Math.ceil(limit / 2)][step % 3] ?? limit;
}

function limitOf(call: Call, { max = 100, usual = 25, summary }: ListOptions): number {
  const text = call.params['limit'];
  if (text === undefined) return usual;
  const limit = Number(text);
  // A limit of 0 asks for the summary alone.
  const least = summary === undefined ? 1 : 0;
  if (!Number.isInteger(limit) || limit < least) return invalid('Param limit must be a positive integer');
  const { mostPerPage = Infinity } = call.world.tuning.lists;
  if (limit > mostPerPage) {
    return refuse({
      code: 1,
      status: 500,
      message: "Please reduce the amount of data you're asking for, then retry your request",
    });
  }
  return limit > max ? invalid(`Param limit must be at most ${max}`) : limit;
}

function place(nodes: readonly Listable[], id: string): number {
  const found = nodes.findIndex((node) => node.id === id);
  return found < 0 ? invalid('Invalid cursors values were provided in the request') : found;
}

function byCursor(call: Call, window: Window<Listable>): List['paging'] {
  // Without entries, there is no next page.
  if (window.limit === 0) return undefined;
  if (window.start === undefined && window.end === undefined) return undefined;
  const start = window.start ?? window.end;
  const before = start === undefined ? '' : writeCursor(start.id, 0);
  const after = window.end === undefined ? '' : writeCursor(window.end.id, window.step + 1);
  return {
    cursors: { before, after },
    ...(window.before ? { previous: link(call, { before, limit: window.limit }) } : {}),
    ...(window.more ? { next: link(call, { after, limit: window.limit }) } : {}),
  };
}

function byTime(call: Call, window: Window<Listable>): List['paging'] {
  const { start, end } = window;
  if (end === undefined || window.limit === 0) return undefined;
  const token = (of: Listable, step: number): string => writeCursor(of.id, step);
  const seconds = (of: Listable): number => Math.floor(of.createdAt / 1000);
  const first = start ?? end;
  return {
    previous: link(call, {
      since: seconds(first),
      until: undefined,
      __paging_token: token(first, 0),
      limit: window.limit,
    }),
    ...(window.more
      ? {
          next: link(call, {
            until: seconds(end),
            __paging_token: token(end, window.step + 1),
            limit: window.limit,
          }),
        }
      : {}),
  };
}

const dropped = new Set(['after', 'before', '__paging_token', 'appsecret_proof', 'appsecret_time']);

/** The address of the next or the previous page. It holds the token, but not the proof. */
export function link(call: Call, extra: Readonly<Record<string, string | number | undefined>>): string {
  const base = call.host === 'picsGraph' ? call.platform.picsGraphUrl : call.platform.graphUrl;
  const kept = Object.entries(call.params).filter(([name]) => !dropped.has(name));
  const merged = { ...Object.fromEntries(kept), access_token: call.token.value, ...extra };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(merged)) {
    if (value !== undefined) query.set(name, String(value));
  }
  return `${base}/${call.version}${call.path}?${query}`;
}

/** A cursor, opaque to the caller: the id of an entry and the number of the page in the walk. */
function writeCursor(id: string, step: number): string {
  return btoa(`${step}|${id}`).replaceAll('=', '').replaceAll('+', '-').replaceAll('/', '_');
}

function readCursor(text: string | undefined): { readonly id: string; readonly step: number } | undefined {
  if (text === undefined || text === '') return undefined;
  const found = /^(\d+)\|(.+)$/.exec(decoded(text));
  const [, step = '0', id = ''] = found ?? [];
  return found === null
    ? invalid('Invalid cursors values were provided in the request')
    : { id, step: Number(step) };
}

function decoded(text: string): string {
  try {
    return atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    return '';
  }
}
