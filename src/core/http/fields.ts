import type { RequestFailure } from '../errors.ts';
import type { GraphRequest, OwnFields } from './types.ts';

/** For requests whose fields the function chose, unless the caller did. */
export const ownFields: OwnFields = createOwnFields(() => []);

/** The same, where a refusal may say of further fields that the platform does not know them either. */
export function createOwnFields(further: (failure: RequestFailure) => readonly string[]): OwnFields {
  return {
    withoutKnown,
    withoutRefused: (request, failure, tell) => {
      const { purpose = 'call', trace } = request;
      if (purpose !== 'call' || trace.refusedFields !== undefined) return undefined;
      const field = unknownField(failure);
      const names = [...(field === undefined ? [] : [field]), ...further(failure)];
      const isChosen = trace.chosenFields?.some((one) => names.includes(/^\w+/.exec(String(one))?.[0] ?? ''));
      const fewer = isChosen ? undefined : withoutFields(request, names);
      if (fewer) {
        trace.refusedFields = names;
        tell(names[0] ?? '');
      }
      return fewer;
    },
  };
}

/** A request of a call that has met such fields. */
function withoutKnown<TRequest extends Pick<GraphRequest<unknown>, 'trace' | 'query'>>(
  request: TRequest,
): TRequest {
  return withoutFields(request, request.trace.refusedFields ?? []) ?? request;
}

/** The same request without these of its fields; `undefined` if it has none of them, or nothing would be left. */
function withoutFields<TRequest extends Pick<GraphRequest<unknown>, 'query'>>(
  request: TRequest,
  names: readonly string[],
): TRequest | undefined {
  const { query } = request;
  const given = `${query?.['fields'] ?? ''}`;
  const fields = names.reduce((rest, name) => withoutField(rest, name) ?? rest, given);
  return fields === given ? undefined : { ...request, query: { ...query, fields } };
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
