import type { RequestFailure } from '../errors.ts';
import type { GraphRequest, OwnFields } from './types.ts';

/** For requests whose fields the function chose, unless the caller did. */
export const ownFields: OwnFields = { withoutKnown, withoutRefused };

/**
 * The same request without a field that the platform says it does not know, which its call then remembers: once, and only
 * one that the function chose. An object of another kind lacks more than one.
 */
function withoutRefused<TOutput>(
  request: GraphRequest<TOutput>,
  failure: RequestFailure,
): GraphRequest<TOutput> | undefined {
  const { purpose = 'call', trace } = request;
  if (purpose !== 'call' || trace.refusedField !== undefined) return undefined;
  const field = unknownField(failure);
  const isChosen = trace.chosenFields?.some((one) => /^\w+/.exec(String(one))?.[0] === field);
  if (field === undefined || isChosen) return undefined;
  const fewer = withoutField(`${request.query?.['fields'] ?? ''}`, field);
  if (fewer === undefined) return undefined;
  trace.refusedField = field;
  return { ...request, query: { ...request.query, fields: fewer } };
}

/** A request of a call that has met such a field. */
function withoutKnown<TRequest extends Pick<GraphRequest<unknown>, 'trace' | 'query'>>(
  request: TRequest,
): TRequest {
  const { trace, query } = request;
  const { refusedField } = trace;
  if (refusedField === undefined || query?.['fields'] === undefined) return request;
  const fields = withoutField(`${query['fields']}`, refusedField);
  return fields === undefined ? request : { ...request, query: { ...query, fields } };
}

/** The field that a refusal says the platform does not know, or no longer. */
function unknownField(failure: RequestFailure): string | undefined {
  if (failure.name !== 'ApiError' || (failure.code !== 100 && failure.code !== 12)) return undefined;
  const [, ...names] =
    /nonexisting field \((\w+)\)|unknown fields?:? *["'`(]*(\w+)|(\w+) field is deprecated/i.exec(
      failure.message,
    ) ?? [];
  return names.find((name) => name !== undefined);
}

/**
 * A list of fields without one of them, wherever it stands; `undefined` if it is not among them, or nothing but ids would
 * be left. What has arguments, such as `comments.limit(5){id}`, is asked for by somebody, and stays; not so the fields of it.
 */
export function withoutField(fields: string, name: string): string | undefined {
  const left = leftOf(fields, name);
  return left === fields || /^(?:id)?$/.test(left) ? undefined : left;
}

function leftOf(fields: string, name: string): string {
  const left = partsOf(fields).flatMap((part) => {
    const [, head = '', inner] = /^([^{]*)(?:\{(.*)\})?$/s.exec(part) ?? [];
    if (head === name) return [];
    const within = inner === undefined ? '' : leftOf(inner, name);
    return [inner === undefined ? part : within === '' ? head : `${head}{${within}}`];
  });
  return left.join();
}

/** The parts between the commas that stand in no bracket. */
function partsOf(fields: string): readonly string[] {
  const parts = [''];
  let depth = 0;
  for (const char of fields) {
    if (char === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += char;
    depth += '({'.includes(char) ? 1 : ')}'.includes(char) ? -1 : 0;
  }
  return parts;
}
