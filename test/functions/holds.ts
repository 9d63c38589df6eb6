// What a success promises.
import { at } from '../hostile/kinds.ts';

export function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

export function isString(value: unknown): boolean {
  return typeof value === 'string';
}

export function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

export function isTrue(value: unknown): boolean {
  return value === true;
}

export function isAcknowledged(value: unknown): boolean {
  return at(value, 'success') === true;
}

export function hasId(value: unknown): boolean {
  return isText(at(value, 'id'));
}

export function haveIds(value: unknown): boolean {
  return Array.isArray(value) && value.every(hasId);
}

/** Whether entries have an id of this name. */
export function haveNamed(name: string): (value: unknown) => boolean {
  return (value) => Array.isArray(value) && value.every((entry) => isText(at(entry, name)));
}

export function isLead(value: unknown): boolean {
  return hasId(value) && isRecord(at(value, 'fields')) && Array.isArray(at(value, 'field_data'));
}

export function isBundle(value: unknown): boolean {
  const expires = at(value, 'expires_at');
  const isDate = expires === undefined || (expires instanceof Date && !Number.isNaN(expires.getTime()));
  return isText(at(value, 'access_token')) && isText(at(value, 'token_type')) && isDate;
}

export function isCut(value: unknown): boolean {
  return typeof at(value, 'available') === 'boolean' && areNumbers(at(value, 'values'));
}

export function areNumbers(value: unknown): boolean {
  return isRecord(value) && Object.values(value as object).every((item) => typeof item === 'number');
}

export function isSent(value: unknown): boolean {
  return isText(at(value, 'recipient_id')) && isText(at(value, 'message_id'));
}
