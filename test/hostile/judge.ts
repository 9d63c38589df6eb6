import { Err, Ok } from 'neverthrow';
import { expect } from 'vitest';

import { errorFromJSON } from '../../src/core/errorFromJSON.ts';
import { ConfigurationError, SdkError } from '../../src/core/errors.ts';
import { isFinal } from '../../src/core/untilSettled.ts';
import type { Subject } from './catalogue.ts';
import { at } from './kinds.ts';
import type { Bench, Log } from './platform.ts';

interface Settled {
  readonly isOk: () => boolean;
  readonly isErr: () => boolean;
  readonly value?: unknown;
  readonly error?: unknown;
}

const prototypes = [Object, Array, Function, String, Number, Boolean, Promise, Error, Map, RegExp, Date].map(
  ({ prototype }) => prototype as object,
);
const known = prototypes.map((prototype) => Reflect.ownKeys(prototype).length);

/** Calls a function, and says what is wrong with its outcome; `undefined` if nothing is. */
export async function settle(call: () => unknown, milliseconds = 100_000): Promise<Settled | string> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(resolve, milliseconds, 'it does not settle');
  });
  try {
    const settled = await Promise.race([call(), late]);
    if (typeof settled === 'string') return settled;
    const isResult = typeof at(settled, 'isOk') === 'function' && typeof at(settled, 'isErr') === 'function';
    return isResult ? (settled as Settled) : 'it comes to no Result';
  } catch (thrown) {
    return `it throws: ${thrown instanceof Error ? thrown.stack : typeof thrown}`;
  } finally {
    clearTimeout(timer);
  }
}

/** What is wrong with the outcome of a call with valid options. */
export function judge(subject: Subject, settled: Settled | string, log: Log): string | undefined {
  if (typeof settled === 'string') return settled;
  if (log.leaks.length > 0) return `it sends to another origin: ${log.leaks.join(' ')}`;
  if (isPolluted()) return 'it pollutes a prototype';
  if (settled.isOk()) {
    if (hasForeignPrototype(settled.value, 0)) return 'its value has a prototype from the response';
    return subject.holds(settled.value) ? undefined : 'its value is not what the function promises';
  }
  const { error } = settled;
  if (!(error instanceof SdkError))
    return `its error is no SdkError: ${Object.prototype.toString.call(error)}`;
  if (error.message === 'the request could not be made')
    return 'a fault inside is told as one of the network';
  if (typeof error.message !== 'string' || error.message === '') return 'its error has no message';
  if (!subject.failures.includes(error.name)) return `it fails with ${error.name}: ${error.message}`;
  const isStopped = ['aborted', 'closed'].includes(String(at(error, 'reason')));
  if (error.name === 'TransportError' && !log.hasNetworkFailed && !isStopped)
    return `it tells of the network: ${error.message}`;
  if (!['rejected', 'applied', 'unknown'].includes(String(at(error, 'outcome'))))
    return 'its outcome is none';
  if ('payload' in error && hasForeignPrototype(error.payload, 0))
    return 'its payload has a foreign prototype';
  return thirdKind(error);
}

/** What a failure says of calling again that no other of its fields agrees with: there are two kinds, and no third. */
export function thirdKind(error: SdkError): string | undefined {
  const { retryAfterMs, action, outcome } = error as unknown as Readonly<Record<string, unknown>>;
  const isOver = retryAfterMs === undefined;
  const says = JSON.stringify({ name: error.name, retryAfterMs, action, outcome });
  if (isFinal(error) !== isOver) return `it is final or not, whatever its time: ${says}`;
  if (
    !isOver &&
    !(Number.isSafeInteger(retryAfterMs) && Number(retryAfterMs) >= 0 && Number(retryAfterMs) <= 86_400_000)
  )
    return `its time is none: ${says}`;
  if (action !== undefined && isOver !== (action === 'fix' || action === 'login'))
    return `its action is of the other kind: ${says}`;
  if (outcome === 'applied' && !isOver) return `it would publish again: ${says}`;
  // A `fetch` may tell its status as a text, which no error of the platform has.
  const back = errorFromJSON(JSON.parse(JSON.stringify(error)));
  const told = JSON.stringify({
    name: back?.name,
    ...pick(back, 'retryAfterMs'),
    ...pick(back, 'action'),
    ...pick(back, 'outcome'),
  });
  return told === says || typeof at(error, 'status') === 'string'
    ? undefined
    : `it comes back from its JSON as ${told}, not as ${says}`;
}

function pick(error: object | undefined, name: string): object {
  return { [name]: at(error, name) };
}

/** What `attempt` has seen. */
export const counts = { inputs: 0, bad: 0, refused: 0 };

/** What is wrong with the outcome of a call with bad options; `undefined` if nothing is. */
export async function attempt(
  { name, call, kinds }: Subject,
  bench: Bench,
  options: unknown,
  bad: string | undefined,
): Promise<string | undefined> {
  const log = bench.begin(() => undefined);
  const settled = await settle(() => call(bench.contexts, options));
  counts.inputs++;
  if (bad !== undefined) counts.bad++;
  if (typeof settled === 'string') return settled;
  if (isPolluted()) return 'it pollutes a prototype';
  if (settled.isOk()) {
    const isRefusal = /^p\w+\/contact /.test(name) && at(settled.value, 'available') === false;
    if (isRefusal && log.requests === 0) counts.refused++;
    return bad === undefined || (isRefusal && log.requests === 0) ? undefined : `it takes a bad ${bad}`;
  }
  const { error } = settled;
  if (!(error instanceof SdkError)) return 'its error is no SdkError';
  if (error.message === 'the request could not be made')
    return 'a fault inside is told as one of the network';
  if (!(error instanceof ConfigurationError)) return bad === undefined ? undefined : `it sends a bad ${bad}`;
  counts.refused++;
  if (log.requests > 0) return 'it finds a fault in its options after it has sent something';
  if (typeof error.option !== 'string') return `its error names no option: ${error.message}`;
  // Whatever is given, and no option, is refused by its name.
  if (bad === undefined && !(error.option in kinds) && Object.hasOwn(Object(options), error.option))
    return undefined;
  const [named = ''] = error.option.split(/[.[]/);
  if (!(named in kinds) && named !== 'options') return `it names ${error.option}, which is not an option`;
  return bad === undefined || bad === named ? undefined : `it blames ${error.option} for ${bad}`;
}

function isPolluted(): boolean {
  const isLarger = prototypes.some((prototype, index) => Reflect.ownKeys(prototype).length !== known[index]);
  return isLarger || 'polluted' in {} || 'polluted' in [];
}

/** Whether an object inherits from anything but the language's own prototypes. */
function hasForeignPrototype(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null || depth > 5) return false;
  // Partial refusals are reported in the value: by errors, and by Results of parts.
  if (value instanceof SdkError) return hasForeignPrototype(at(value, 'payload'), depth + 1);
  if (value instanceof Ok) return hasForeignPrototype(value.value, depth + 1);
  if (value instanceof Err) return hasForeignPrototype(value.error, depth + 1);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && !prototypes.includes(prototype as object)) return true;
  return Object.values(value).some((item) => hasForeignPrototype(item, depth + 1));
}

/** Unhandled rejections during the tests of a file. */
export function watchRejections(): { readonly seen: readonly unknown[]; readonly end: () => void } {
  const seen: unknown[] = [];
  const note = (reason: unknown): void => void seen.push(reason);
  process.on('unhandledRejection', note);
  return { seen, end: () => process.off('unhandledRejection', note) };
}

/** Fails with the first fault, and how many there are. */
export function expectNone(faults: readonly string[]): void {
  expect(
    faults.length === 0 ? '' : `${faults.length} faults, such as:\n${faults.slice(0, 5).join('\n')}`,
  ).toBe('');
}
