import type { Entry } from './nodes.ts';
import { type Call, checkScopes, checkTasks, type Task } from './route.ts';
import { invalid, refuse, toJson, wordsIn } from './values.ts';

/** One name of a `fields` list: `edge.limit(5){a,b}`. */
export interface Selection {
  readonly name: string;
  readonly args: Readonly<Record<string, string>>;
  /** The selection in braces; `undefined` without braces. */
  readonly fields: readonly Selection[] | undefined;
}

export function parseFields(text: string | undefined): readonly Selection[] | undefined {
  if (text === undefined || text === '') return undefined;
  const reader = { text: joined(text.replaceAll(/\s/g, '')), at: 0, depth: 0 };
  const found = readList(reader);
  return reader.at === reader.text.length ? found : malformed(reader);
}

/** A list of names may come as a JSON array. */
function joined(text: string): string {
  return /^\[("[^"]*",?)*\]$/.test(text) ? text.slice(1, -1).replaceAll('"', '') : text;
}

interface Reader {
  readonly text: string;
  at: number;
  depth: number;
}

/** More levels than any response of the platform has. */
const deepest = 50;

function readList(reader: Reader): Selection[] {
  reader.depth += 1;
  if (reader.depth > deepest) return malformed(reader);
  const found = [readOne(reader)];
  while (reader.text[reader.at] === ',') {
    reader.at += 1;
    found.push(readOne(reader));
  }
  reader.depth -= 1;
  return found;
}

function readOne(reader: Reader): Selection {
  const name = take(reader, /[A-Za-z_][\w:]*/y);
  const args: Record<string, string> = {};
  while (reader.text[reader.at] === '.') {
    reader.at += 1;
    const arg = take(reader, /[A-Za-z_]\w*/y);
    args[arg] = take(reader, /\([^()]*\)/y).slice(1, -1);
  }
  if (reader.text[reader.at] !== '{') return { name, args, fields: undefined };
  reader.at += 1;
  const fields = readList(reader);
  if (reader.text[reader.at] !== '}') return malformed(reader);
  reader.at += 1;
  return { name, args, fields };
}

function take(reader: Reader, pattern: RegExp): string {
  pattern.lastIndex = reader.at;
  const found = pattern.exec(reader.text)?.[0];
  if (found === undefined) return malformed(reader);
  reader.at += found.length;
  return found;
}

function malformed(reader: Reader): never {
  return refuse(
    2500,
    `Syntax error "Field list expected" at character ${reader.at}: ${reader.text.slice(0, 200)}`,
  );
}

/** A `fields` list as a text, for the addresses of further pages. */
export function toFields(selections: readonly Selection[]): string {
  return selections
    .map(({ name, args, fields }) => {
      const given = Object.entries(args).map(([arg, value]) => `.${arg}(${value})`);
      return `${name}${given.join('')}${fields === undefined ? '' : `{${toFields(fields)}}`}`;
    })
    .join();
}

/** The fields of a type of node, and how to read them. */
export interface Shape<N> {
  /** The type's name in errors. */
  readonly type: string;
  /** Values of the fields; `undefined` ones are left out of the response, as the platform does. */
  readonly fields: Readonly<Record<string, (node: N, call: Call) => unknown>>;
  /**
   * Names of further fields, with spaces between them, that nodes may lack on the live platform, and all of the sandbox do.
   * A field that live nodes always have is in `fields`, or refused.
   */
  readonly blank?: string;
  /** Returned when the call names no `fields`. @default all */
  readonly defaults?: readonly string[];
  /** Whether the platform leaves out fields that it does not know, instead of refusing the call. */
  readonly dropsUnknown?: boolean;
  /** Fields and edges that take a selection in braces. */
  readonly expand?: Readonly<Record<string, Expand<N>>>;
}

/** Reads a field that takes a selection; `undefined` leaves it out. It is called for each node of a list. */
export type Expand<N> = (call: Call, node: N, selection: Selection) => unknown;

/** Some fields of a shape. */
export function only<N>(fields: Shape<N>['fields'], names: string): Shape<N>['fields'] {
  const wanted = wordsIn(names);
  return Object.fromEntries(Object.entries(fields).filter(([name]) => wanted.includes(name)));
}

/** Fields that are members of a node, under the same names. */
export function members<N>(...names: readonly (keyof N & string)[]): Shape<N>['fields'] {
  return Object.fromEntries(names.map((name) => [name, (node: N) => node[name]]));
}

/** Fields that have the same value for every node. */
export function always(value: unknown, names: string): Shape<unknown>['fields'] {
  return Object.fromEntries(wordsIn(names).map((name) => [name, () => value]));
}

/** Runs an endpoint that reads a node. */
export function reads<N>(shape: Shape<N>): (call: Call, node: N) => unknown {
  return (call, node) => readNode(call, shape, node);
}

/** Runs an endpoint that lists entries of a node. */
export function lists<N, M extends Entry>(
  shape: AnyShape<M>,
  entriesOf: (call: Call, node: N) => readonly M[],
  options?: ListOptions,
): (call: Call, node: N) => List {
  return (call, node) => list(call, shapeFor(call, shape), entriesOf(call, node), options);
}

/** A shape, or one that depends on the call. */
type AnyShape<N> = Shape<N> | ((call: Call) => Shape<N>);

function shapeFor<N>(call: Call, shape: AnyShape<N>): Shape<N> {
  return typeof shape === 'function' ? shape(call) : shape;
}

/** The fields of a node that the call's `fields` name. */
export function readNode<N>(call: Call, shape: Shape<N>, node: N): Record<string, unknown> {
  return select(call, shape, node, parseFields(call.params['fields']));
}

/** The selected fields of a node, and always its `id`. An unknown field refuses the whole call. */
export function select<N>(
  call: Call,
  shape: Shape<N>,
  node: N,
  selections: readonly Selection[] | undefined,
): Record<string, unknown> {
  checkFields(call, shape, selections);
  const usual = shape.defaults ?? Object.keys(shape.fields);
  const wanted: readonly Selection[] =
    selections ?? usual.map((name) => ({ name, args: {}, fields: undefined }));
  const chosen: Record<string, unknown> = {};
  for (const selection of wanted) {
    const value = valueOf(call, shape, node, selection);
    // `as` renames a field, so that the same list can be selected several times.
    if (value !== undefined) chosen[selection.args['as'] ?? selection.name] = value;
  }
  const id = shape.fields['id']?.(node, call);
  if (id !== undefined) chosen['id'] = id;
  return chosen;
}

function valueOf<N>(call: Call, { fields, expand }: Shape<N>, node: N, selection: Selection): unknown {
  const { name } = selection;
  if (expand !== undefined && Object.hasOwn(expand, name)) return expand[name]?.(call, node, selection);
  const value = Object.hasOwn(fields, name) ? fields[name]?.(node, call) : undefined;
  return selection.fields === undefined ? value : pick(value, selection.fields);
}

/** Applies the selection in braces to a plain value. */
function pick(value: unknown, fields: readonly Selection[]): unknown {
  if (Array.isArray(value)) return value.map((item) => pick(item, fields));
  if (typeof value !== 'object' || value === null) return value;
  const names = new Set([...fields.map((field) => field.name), 'id']);
  return Object.fromEntries(Object.entries(value).filter(([name]) => names.has(name)));
}

/** Refuses unknown fields, even if a list is empty: whether a call fails must not depend on the data. */
function checkFields<N>(
  { world }: Call,
  { type, fields, blank = '', expand = {}, dropsUnknown = false }: Shape<N>,
  selections: readonly Selection[] = [],
): void {
  if (dropsUnknown && !world.strict) return;
  const unknown = selections.find(
    ({ name }) =>
      !Object.hasOwn(fields, name) && !Object.hasOwn(expand, name) && !wordsIn(blank).includes(name),
  );
  if (unknown === undefined) return;
  invalid(
    `Tried accessing nonexisting field (${unknown.name}) on node type (${type}). The pagepics sandbox does not ` +
      'emulate it; the live platform may have it.',
  );
}

/** The call of an edge that a field names: `insights.metric(reach)`. It needs the permissions of the edge. */
export function nestedCall(
  call: Call,
  args: Selection['args'],
  scopes: readonly string[],
  tasks: readonly Task[] = [],
): Call {
  checkScopes(call, scopes);
  checkTasks(call, tasks);
  return { ...call, params: { access_token: call.token.value, ...args } };
}

/** What a list within a node is like. */
interface WithinOptions<N, M> {
  readonly summaryOf?: (node: N, entries: readonly M[]) => Summary;
  /** The most entries of it, whatever its `limit`. @default 100 */
  readonly max?: number;
  /** Whether it has no `paging` where all its entries fit. */
  readonly isBare?: boolean;
  /** Whether it is there without entries, too. */
  readonly isAlways?: boolean;
}

/**
 * Lists entries within a node, paged by the arguments of the field that names them: `comments.limit(5){id}`. A list without
 * entries is left out, unless the field asks for its summary.
 */
export function listsWithin<N extends Entry, M extends Entry>(
  shape: AnyShape<M>,
  entriesOf: (call: Call, node: N) => readonly M[],
  options: WithinOptions<N, M> = {},
): (call: Call, node: N, selection: Selection) => List | undefined {
  const { summaryOf, max = 100, isBare = false, isAlways = false } = options;
  return (call, node, { name, args, fields }) => {
    const chosen = fields === undefined ? {} : { fields: toFields(fields) };
    const params = { access_token: call.token.value, ...args, ...chosen };
    const inner: Call = { ...call, params, path: `/${node.id}/${name}` };
    const found = entriesOf(inner, node);
    const summary = summaryOf?.(node, found);
    const selections = fields ?? parseFields(args['fields']);
    const within = { max, isWithin: true, ...(summary && { summary }) };
    const { paging, ...page } = pageOf(inner, shapeFor(call, shape), found, selections, within);
    if (page.data.length === 0 && page.summary === undefined && !isAlways) return undefined;
    const isWhole = paging?.['next'] === undefined && paging?.['previous'] === undefined;
    return { ...page, ...(paging && !(isBare && isWhole) && { paging }) };
  };
}

export interface ListOptions {
  /** Largest `limit`. @default 100 */
  readonly max?: number;
  /** Entries to return without a `limit`. @default 25 */
  readonly usual?: number;
  /** `time`: links carry `until` and `__paging_token` instead of cursors. @default 'cursor' */
  readonly by?: 'cursor' | 'time';
  /** The summary of the whole list, returned if the call asks for it. */
  readonly summary?: Summary;
  /** Whether it is within a node: then a larger `limit` is read as the largest one. */
  readonly isWithin?: boolean;
}

export type Summary = Readonly<Record<string, unknown>>;

export interface List {
  readonly data: unknown[];
  readonly paging?: Readonly<Record<string, unknown>>;
  readonly summary?: Summary;
}

/** One page of a list, as the call's `fields`, `limit`, `after` and `before` select it. */
export function list<N extends Entry>(
  call: Call,
  shape: Shape<N>,
  nodes: readonly N[],
  options?: ListOptions,
): List {
  const page = pageOf(call, shape, nodes, parseFields(call.params['fields']), options);
  const { mostCharacters } = call.world.tuning.lists;
  return mostCharacters !== undefined && toJson(page).length > mostCharacters ? tooMuch() : page;
}

function pageOf<N extends Entry>(
  call: Call,
  shape: Shape<N>,
  nodes: readonly N[],
  selections: readonly Selection[] | undefined,
  options: ListOptions = {},
): List {
  checkFields(call, shape, selections);
  const window = windowOf(call, nodes, options);
  const data = window.nodes.map((node) => select(call, shape, node, selections));
  const paging = options.by === 'time' ? byTime(call, window) : byCursor(call, window);
  return { data, ...(paging && { paging }), ...summaryOf(call, options.summary) };
}

/** A list that has cursors, but no address of a next page. */
export function withoutNext({ data = [], paging }: Partial<List> = {}): List {
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

interface Window<N> {
  readonly nodes: readonly N[];
  readonly limit: number;
  /** The number of this page in the walk; the first is 0. */
  readonly step: number;
  readonly start: Entry | undefined;
  readonly end: Entry | undefined;
  readonly before: boolean;
  readonly more: boolean;
}

function windowOf<N extends Entry>(call: Call, nodes: readonly N[], options: ListOptions): Window<N> {
  const limit = limitOf(call, options);
  const after = readCursor(call.params['after'] ?? call.params['__paging_token']);
  const before = readCursor(call.params['before']);
  const step = after?.step ?? 0;
  const size = call.world.tuning.lists.sparse ? sparse(step, limit) : limit;
  const end = before === undefined ? nodes.length : place(nodes, before.id);
  const first =
    before === undefined ? (after === undefined ? 0 : place(nodes, after.id) + 1) : Math.max(0, end - size);
  const part = nodes.slice(first, Math.min(end, first + size));
  const { undeliverable } = call.world.tuning.lists;
  if (call.params['fields'] !== 'id' && part.some(({ id }) => undeliverable.includes(id))) return tooMuch();
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

function limitOf(call: Call, { max = 100, usual = 25, summary, isWithin = false }: ListOptions): number {
  const text = call.params['limit'];
  if (text === undefined) return usual;
  const limit = Number(text);
  // A limit of 0 asks for the summary alone.
  const least = summary === undefined ? 1 : 0;
  if (!Number.isInteger(limit) || limit < least) return invalid('Param limit must be a positive integer');
  if (isWithin) return Math.min(limit, max);
  const { mostPerPage = Infinity } = call.world.tuning.lists;
  if (limit > mostPerPage) return tooMuch();
  return limit > max ? invalid(`Param limit must be at most ${max}`) : limit;
}

function tooMuch(): never {
  return refuse(1, "Please reduce the amount of data you're asking for, then retry your request", {
    status: 500,
  });
}

function place(nodes: readonly Entry[], id: string): number {
  const found = nodes.findIndex((node) => node.id === id);
  return found < 0 ? invalid('Invalid cursors values were provided in the request') : found;
}

function byCursor(call: Call, { start, end, step, limit, ...window }: Window<Entry>): List['paging'] {
  // Without entries, there is no next page.
  const first = start ?? end;
  if (limit === 0 || first === undefined) return undefined;
  const before = writeCursor(first.id, 0);
  const after = end === undefined ? '' : writeCursor(end.id, step + 1);
  return {
    cursors: { before, after },
    ...(window.before && { previous: link(call, { before, limit }) }),
    ...(window.more && { next: link(call, { after, limit }) }),
  };
}

function byTime(call: Call, { start, end, step, limit, more }: Window<Entry>): List['paging'] {
  if (end === undefined || limit === 0) return undefined;
  const seconds = ({ createdAt }: Entry): number => Math.floor(createdAt / 1000);
  const first = start ?? end;
  const next = { until: seconds(end), __paging_token: writeCursor(end.id, step + 1), limit };
  const since = seconds(first);
  return {
    previous: link(call, { since, until: undefined, __paging_token: writeCursor(first.id, 0), limit }),
    ...(more && { next: link(call, next) }),
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
