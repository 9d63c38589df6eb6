import type { Entry } from './nodes.ts';
import type { Call, Task } from './route.ts';
import { type Expand, link, nestedCall, toFields } from './shapes.ts';
import { isObject, refusalOf, refuse } from './values.ts';

interface Within {
  readonly scopes: (call: Call) => readonly string[];
  readonly tasks?: readonly Task[];
  /** Whether there are metrics if none is named. */
  readonly hasUsual?: boolean;
}

/**
 * Insights as a field of what they are about: `insights.metric(reach){name,values}`. They always have addresses of other
 * ranges of time, without end, with the token. A wrong parameter is refused with the name of the field; a metric is not.
 */
export function insightsWithin<N extends Entry>(
  run: (call: Call, node: N) => unknown,
  { scopes, tasks, hasUsual = false }: Within,
): Expand<N> {
  return (call, node, { name, args, fields }) => {
    const known = nestedCall(call, args, scopes(call), tasks);
    const chosen = fields === undefined ? {} : { fields: toFields(fields) };
    const inner: Call = { ...known, params: { ...known.params, ...chosen }, path: `/${node.id}/${name}` };
    if (!hasUsual && (args['metric'] ?? '') === '')
      return refuseField(name, 'The parameter metric is required');
    const found = runField(name, () => run(inner, node));
    if (!isObject(found)) return undefined;
    const { data, paging = endless(inner) } = found;
    const shown =
      fields === undefined || !Array.isArray(data) ? data : data.map((one) => chosenOf(one, fields));
    return { data: shown, paging };
  };
}

/** A metric with the members that are selected, and those that come anyway. */
function chosenOf(metric: unknown, fields: readonly { readonly name: string }[]): unknown {
  const names = new Set(['period', 'id', ...fields.map((field) => field.name)]);
  return isObject(metric)
    ? Object.fromEntries(Object.entries(metric).filter(([name]) => names.has(name)))
    : metric;
}

function endless(inner: Call): unknown {
  return { previous: link(inner, { since: 0, until: 1 }), next: link(inner, { since: 2, until: 3 }) };
}

/** Runs the call of a field. What it refuses of its parameters, it refuses with the name of the field. */
function runField(name: string, run: () => unknown): unknown {
  try {
    return run();
  } catch (thrown) {
    const body = refusalOf(thrown)?.body;
    const error = isObject(body) && isObject(body['error']) ? body['error'] : {};
    const text = String(error['message']).replace(/^\(#100\) /, '');
    const isOfParameter =
      error['code'] === 100 && error['error_subcode'] === undefined && !/metric/i.test(text);
    if (isOfParameter) return refuseField(name, text);
    throw thrown;
  }
}

function refuseField(name: string, text: string): never {
  return refuse(100, `(#100) For field '${name}': ${text}`);
}
