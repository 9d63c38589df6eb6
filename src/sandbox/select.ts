import { invalid } from './errors.ts';
import { parseFields, type Selection } from './fields.ts';
import type { Call } from './route.ts';

/** What a type of node can be asked for. */
export interface Shape<N> {
  /** Name that errors give it. */
  readonly type: string;
  /** Every field that exists; the platform knows many that no node here has a value for. */
  readonly fields: readonly string[];
  /** Answered when no `fields` are asked for. */
  readonly defaults: readonly string[];
  /** Edges that exist but answer nothing here. */
  readonly edges?: readonly string[];
  /** Values of the fields; undefined ones are left out of the answer, as the platform does. */
  readonly read: (node: N, call: Call) => Readonly<Record<string, unknown>>;
  /** Fields and edges that are chosen from in braces. */
  readonly expand?: Readonly<Record<string, Expand<N>>>;
}

type Expand<N> = (call: Call, node: N, selection: Selection) => unknown;

/** The fields of a node that the call asks for. */
export function answer<N>(call: Call, shape: Shape<N>, node: N): Record<string, unknown> {
  return select(call, shape, node, parseFields(call.params['fields']));
}

/** The chosen fields of a node; `id` always comes along. An unknown field refuses the whole call. */
export function select<N>(
  call: Call,
  shape: Shape<N>,
  node: N,
  selections: readonly Selection[] | undefined,
): Record<string, unknown> {
  const values = shape.read(node, call);
  const wanted = selections ?? shape.defaults.map((name) => ({ name, args: {}, fields: undefined }));
  const chosen: Record<string, unknown> = {};
  for (const selection of wanted) {
    const value = valueOf(call, shape, node, values, selection);
    if (value !== undefined) chosen[selection.name] = value;
  }
  if (values['id'] !== undefined) chosen['id'] = values['id'];
  return chosen;
}

function valueOf<N>(
  call: Call,
  shape: Shape<N>,
  node: N,
  values: Readonly<Record<string, unknown>>,
  selection: Selection,
): unknown {
  const { name, fields } = selection;
  const expand = Object.hasOwn(shape.expand ?? {}, name) ? shape.expand?.[name] : undefined;
  if (expand !== undefined) return expand(call, node, selection);
  if (shape.edges?.includes(name) === true) return undefined;
  if (!shape.fields.includes(name)) {
    return invalid(`Tried accessing nonexisting field (${name}) on node type (${shape.type})`);
  }
  return fields === undefined ? values[name] : pick(values[name], fields);
}

/** Braces behind a plain object. */
function pick(value: unknown, fields: readonly Selection[]): unknown {
  if (Array.isArray(value)) return value.map((item) => pick(item, fields));
  if (typeof value !== 'object' || value === null) return value;
  const names = new Set([...fields.map((field) => field.name), 'id']);
  return Object.fromEntries(Object.entries(value).filter(([name]) => names.has(name)));
}

/** Refuses unknown fields even where a list is empty: a call fails or not by what it asks, not by what there is. */
export function checkFields<N>(
  call: Call,
  shape: Shape<N>,
  selections: readonly Selection[] | undefined,
): void {
  for (const { name } of selections ?? []) {
    const known = [...shape.fields, ...(shape.edges ?? []), ...Object.keys(shape.expand ?? {})];
    if (!known.includes(name)) {
      invalid(`Tried accessing nonexisting field (${name}) on node type (${shape.type})`);
    }
  }
}
