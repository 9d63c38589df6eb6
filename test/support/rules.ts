import * as v from 'valibot';
import { expect } from 'vitest';

/** What a rule says of a value; `undefined` if it takes it. */
export function faultIn(rule: v.GenericSchema, value: unknown): string | undefined {
  return v.safeParse(rule, value, { abortEarly: true }).issues?.[0].message;
}

/** The name of an option, or the path of a part of it. */
export function partOf(option: string): unknown {
  return expect.stringMatching(new RegExp(`^${option}(?:[.[]|$)`));
}
