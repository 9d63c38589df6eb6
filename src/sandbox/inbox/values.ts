import { invalid, refuse } from '../errors.ts';
import { isObject, parsed } from '../json.ts';
import { isFetchable } from '../upload/fetchable.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** A parameter that is an object, sent as JSON or as JSON text. */
export function objectIn(params: Readonly<Record<string, string>>, name: string): Fields {
  return objectOf(parsed(params[name] ?? ''), name);
}

export function objectOf(value: unknown, name: string): Fields {
  return isObject(value) ? value : invalid(`Param ${name} must be an object`);
}

/** A list with bounds on its length. */
export function listIn(fields: Fields, name: string, least: number, most: number): readonly Fields[] {
  const value = fields[name];
  if (!Array.isArray(value) || value.length < least || value.length > most) {
    return invalid(`Param ${name} must have ${least} to ${most} elements`);
  }
  return value.map((one: unknown) => objectOf(one, name));
}

/** A non-empty text. */
export function textIn(fields: Fields, name: string): string {
  const value = fields[name];
  return typeof value === 'string' && value !== ''
    ? value
    : invalid(`Param ${name} must be a non-empty string`);
}

export function addressIn(fields: Fields, name: string): string {
  const text = textIn(fields, name);
  return /^https?:/.test(text) && URL.canParse(text) ? text : invalid(`${name} should represent a valid URL`);
}

/** The address of a file that the platform fetches. */
export function fileIn(fields: Fields, name: string): string {
  const text = addressIn(fields, name);
  return isFetchable(text)
    ? text
    : refuse({ code: 100, error_subcode: 2_018_047, message: '(#100) Upload attachment failure.' });
}
