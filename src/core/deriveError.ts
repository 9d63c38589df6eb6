import { actionOf, askedMsOf, withRemedy, type Outcome } from './action.ts';
import { type ContainerNotReadyError, type CreatedIds, type RequestFailure, SdkError } from './errors.ts';
import { isObject } from './objects.ts';

type AnyFailure = RequestFailure | ContainerNotReadyError;

type CallFields = Pick<AnyFailure, 'operation' | 'callId' | 'method' | 'path'>;

/** The same failure, with ids that were created before it. */
export function withIds<TFailure extends AnyFailure>(
  failure: TFailure,
  ids: CreatedIds | undefined,
): TFailure {
  if (ids === undefined) return failure;
  const { payload } = failure;
  return derive(failure, {
    ids: { ...failure.ids, ...ids },
    payload: { ...(typeof payload === 'string' ? { body: payload } : Object(payload)), ...ids },
  });
}

/** The same failure, with more in its payload, which is an object. */
export function withPayload<TFailure extends AnyFailure>(failure: TFailure, more: object): TFailure {
  return derive(failure, { payload: { ...Object(failure.payload), ...more } });
}

/** The same failure, with the item that it is about, counted from 0. */
export function withItem<TFailure extends AnyFailure>(failure: TFailure, failedItem: number): TFailure {
  return derive(failure, { failedItem });
}

/** Which items of a list a refusal names: by their place, such as `attached_media[1]`, or by their ids. */
export function itemsNamed(failure: AnyFailure, list: string, ids: readonly string[]): readonly number[] {
  if (failure.name === 'TransportError') return [];
  const said = `${failure.message} ${failure.userMessage}`;
  const place = new RegExp(`${list}\\]?\\[(\\d+)\\]`).exec(said)?.[1];
  const numbers: readonly string[] = said.match(/\d+/g) ?? [];
  const isNamed = (at: number): boolean =>
    place === undefined ? numbers.includes(ids[at] ?? '') : at === Number(place);
  return [...ids.keys()].filter(isNamed);
}

/** The same failure, which somebody has to mend: here, what passes elsewhere does not. */
export function asFinal<TFailure extends AnyFailure>(failure: TFailure): TFailure {
  return derive(failure, { action: 'fix' });
}

/** The same failure, with what is known about its effect. */
export function withOutcome<TFailure extends AnyFailure>(failure: TFailure, outcome: Outcome): TFailure {
  return derive(failure, { outcome });
}

/** The same failure, with a time after which another call can go on, unless it has one. */
export function withRetryAfter<TFailure extends AnyFailure>(
  failure: TFailure,
  retryAfterMs: number,
): TFailure {
  return derive(failure, { retryAfterMs: askedMsOf(failure) ?? retryAfterMs });
}

/** The same failure, with another message. */
export function withMessage<TFailure extends AnyFailure>(failure: TFailure, message: string): TFailure {
  const { stack = '' } = failure;
  return derive(failure, { message, stack: stack.replace(failure.message, () => message) });
}

/** What a hook returned; of a Result, its value. Throws the error of an Err. */
export function hookValue(result: unknown): unknown {
  const { isErr, error, value }: Readonly<Partial<Record<'isErr' | 'error' | 'value', unknown>>> =
    Object(result);
  if (typeof isErr !== 'function') return result;
  if (isErr.call(result) === true) throw error;
  return value;
}

/**
 * The same failure, with the fields of its call, and with the stack lines of the functions that await it. A failure lacks
 * those if it was created in a timer, or deeper than the runtime lists. Whoever asks to come back after an unknown effect,
 * only a key makes that safe.
 */
export function withCaller<TFailure>(failure: TFailure, of: CallFields, isKeyed = false): TFailure {
  if (!(failure instanceof Error)) return failure;
  const { stack = '' } = failure;
  // The first line with a location is this function itself.
  const callers = new Error().stack?.match(/^.*:\d+:\d+\)?$/gm)?.slice(1) ?? [];
  const missing = callers.filter((line) => !stack.includes(line));
  // A failure of any type gets fields that every error may have.
  const known = failure as unknown as AnyFailure;
  const copy = derive(known, {
    ...of,
    ...(known.outcome === 'unknown' && !isKeyed && { retryAfterMs: undefined }),
    stack: [stack, ...missing].join('\n'),
  });
  // It has the class and the fields of the failure.
  return copy as TFailure;
}

/**
 * A copy of an error of the SDK, or of its data, of which nothing can be changed: what is done to it changes no call. An
 * error stays extensible, since loggers mark those that they have seen: pino fails where it cannot.
 */
export function frozenCopy<TValue>(value: TValue): TValue {
  if (Array.isArray(value)) {
    // It has the shape of the value.
    return Object.freeze(value.map(frozenCopy)) as TValue;
  }
  if (!isObject(value)) return value;
  const fields = Object.fromEntries(Object.entries(value).map(([name, field]) => [name, frozenCopy(field)]));
  if (!(value instanceof SdkError)) {
    // It has the shape of the value.
    return Object.freeze(fields) as TValue;
  }
  // Each error of the SDK can be copied so.
  const copy = copyOf(value as unknown as AnyFailure, fields);
  for (const name of Object.getOwnPropertyNames(copy))
    Object.defineProperty(copy, name, { writable: false, configurable: false });
  // It has the class and the fields of the value.
  return copy as TValue;
}

/** A copy of an error with changes, and with what helps then. Errors are never changed, since others may hold them. */
function derive<TFailure extends AnyFailure>(error: TFailure, changes: Partial<AnyFailure>): TFailure {
  const copy = copyOf(error, changes);
  // Errors without a response have no action.
  const { action } = copy as Partial<ContainerNotReadyError>;
  const askedMs = 'retryAfterMs' in changes ? changes.retryAfterMs : askedMsOf(error);
  const known = copy.outcome === error.outcome ? action : undefined;
  return withRemedy(copy, askedMs, known ?? actionOf(copy, askedMs));
}

/** A copy of an error, of the same class and with the same stack. */
function copyOf<TFailure extends AnyFailure>(error: TFailure, changes: Partial<AnyFailure>): TFailure {
  // A real error: tools tell it from an object that only has its prototype. `setPrototypeOf` returns `any`, and the
  // copy has the class of `error`.
  return Object.assign(
    Object.setPrototypeOf(new Error(error.message), Object.getPrototypeOf(error)) as TFailure,
    { stack: error.stack },
    error,
    changes,
  );
}
