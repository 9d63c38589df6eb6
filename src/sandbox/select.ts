import type { Task } from './auth/grants.ts';
import { checkScopes, checkTasks } from './checks.ts';
import { invalid } from './errors.ts';
import { parseFields, type Selection } from './fields.ts';
import type { Call } from './route.ts';

/** The fields of a type of node. */
export interface Shape<N> {
  /** The type's name in errors. */
  readonly type: string;
  /** Every field that the platform knows, also those that no node of the sandbox has a value for. */
  readonly fields: readonly string[];
  /** Returned when the call names no `fields`. */
  readonly defaults: readonly string[];
  /** Whether the platform leaves out fields that it does not know, instead of refusing the call. */
  readonly dropsUnknown?: boolean;
  /** Edges that the platform knows, and that the sandbox leaves empty. */
  readonly edges?: readonly string[];
  /** Values of the fields; `undefined` ones are left out of the response, as the platform does. */
  readonly read: (node: N, call: Call) => Readonly<Record<string, unknown>>;
  /** Fields and edges that take a selection in braces. */
  readonly expand?: Readonly<Record<string, Expand<N>>>;
}

type Expand<N> = (call: Call, node: N, selection: Selection) => unknown;

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
  const values = shape.read(node, call);
  const wanted: readonly Selection[] =
    selections ?? shape.defaults.map((name) => ({ name, args: {}, fields: undefined }));
  const chosen: Record<string, unknown> = {};
  for (const selection of wanted) {
    const value = valueOf(call, shape, node, values, selection);
    // `as` renames a field, so that the same list can be selected several times.
    if (value !== undefined) chosen[selection.args['as'] ?? selection.name] = value;
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
    if (drops(call, shape)) return undefined;
    return invalid(`Tried accessing nonexisting field (${name}) on node type (${shape.type})`);
  }
  return fields === undefined ? values[name] : pick(values[name], fields);
}

function drops<N>({ world }: Call, { dropsUnknown = false }: Shape<N>): boolean {
  return dropsUnknown && !world.strict;
}

/** Applies the selection in braces to a plain value. */
function pick(value: unknown, fields: readonly Selection[]): unknown {
  if (Array.isArray(value)) return value.map((item) => pick(item, fields));
  if (typeof value !== 'object' || value === null) return value;
  const names = new Set([...fields.map((field) => field.name), 'id']);
  return Object.fromEntries(Object.entries(value).filter(([name]) => names.has(name)));
}

/** Refuses unknown fields, even if a list is empty: whether a call fails must not depend on the data. */
export function checkFields<N>(
  call: Call,
  shape: Shape<N>,
  selections: readonly Selection[] | undefined,
): void {
  if (drops(call, shape)) return;
  for (const { name } of selections ?? []) {
    const known = [...shape.fields, ...(shape.edges ?? []), ...Object.keys(shape.expand ?? {})];
    if (!known.includes(name)) {
      invalid(`Tried accessing nonexisting field (${name}) on node type (${shape.type})`);
    }
  }
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
