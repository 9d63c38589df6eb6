/** The kind of an option, which says what values are bad. */
export type Kind =
  | 'id'
  | 'id or nothing'
  /** An id that page mode requires. */
  | 'account'
  | 'token'
  | 'text'
  | 'non-empty'
  | 'string'
  /** One of a few words. */
  | 'choice'
  | 'url'
  | 'https url'
  | 'target'
  | 'method'
  | 'count'
  | 'flag'
  | 'names'
  /** `true`, or names of metrics. */
  | 'metrics'
  /** A number of comments, or an object that has one. */
  | 'inner comments'
  | 'images'
  | 'items'
  | 'list'
  | 'offset'
  | 'trial'
  | 'processed'
  | 'authType'
  | 'app object'
  | 'verify token'
  | 'day'
  | 'instant'
  /** A time to publish at. */
  | 'schedule'
  | 'duration'
  | 'time limit'
  | 'hook'
  | 'video'
  /** An object that must have certain fields. */
  | 'object'
  | 'text or null'
  /** Only a heart. */
  | 'sticker'
  /** An option of another platform. */
  | 'nothing'
  | 'photos'
  | 'record'
  | 'headers'
  | 'signal'
  /** An idempotency key: the contexts of these suites have no journal, so that each is bad. */
  | 'key'
  | 'anything';

/** Whether a value is certainly bad. A missing one, which `null` is too, is tested elsewhere, and never bad here. */
export function isBad(kind: Kind, value: unknown): boolean {
  if (value === undefined || value === null) return false;
  switch (kind) {
    case 'id':
    case 'account':
      return isBlank(value) || value === '.' || value === '..';
    case 'key':
      return true;
    case 'id or nothing':
      return value !== null && value !== '' && (isBlank(value) || value === '.' || value === '..');
    case 'token':
      return isBlank(value) || /[^\x21-\x7e]/.test(value as string);
    case 'text':
      return isBlank(value);
    case 'non-empty':
      return typeof value !== 'string' || value === '';
    case 'choice':
      return typeof value !== 'string' || !/^\w+$/.test(value);
    case 'string':
      return typeof value !== 'string';
    case 'url':
      return isBlank(value) || !URL.canParse(value as string) || !/^\s*https?:/i.test(value as string);
    case 'https url':
      return isBlank(value) || !URL.canParse(value as string) || !/^\s*https:/i.test(value as string);
    case 'target':
      return isBlank(value);
    case 'method':
      return typeof value !== 'string' || !/^(?:get|post|put|patch|delete)$/i.test(value);
    case 'count':
      return !Number.isSafeInteger(value) || (value as number) < 1;
    case 'flag':
      return typeof value !== 'boolean';
    case 'names':
      return !Array.isArray(value) || value.length === 0 || Array.from(value).some(isBlank);
    case 'metrics':
      return value !== true && (isBad('names', value) || /[^\w,\s]/.test(JSON.stringify(value).slice(2, -2)));
    case 'inner comments':
      return typeof value === 'object' ? isBad('count', at(value, 'limit')) : isBad('count', value);
    case 'images':
      return !Array.isArray(value) || value.length < 2 || Array.from(value.slice(0, 10)).some(isBlank);
    case 'items':
      return !Array.isArray(value) || value.length < 2 || value.length > 10;
    case 'list':
      return !Array.isArray(value);
    case 'offset':
      return !Number.isSafeInteger(value) || (value as number) < 0;
    case 'app object':
      return !['page', 'pics', 'user', 'permissions'].includes(value as string);
    case 'verify token':
      return isBad('token', value) || (value as string).length > 64;
    case 'authType':
      return !['rerequest', 'reauthenticate', 'reauthorize'].includes(value as string);
    case 'processed':
      return value !== 'processed';
    case 'trial':
      return value !== 'MANUAL' && value !== 'SS_PERFORMANCE';
    case 'day':
      return !(value instanceof Date) && (typeof value !== 'string' || Number.isNaN(Date.parse(value)));
    case 'instant':
    case 'schedule':
      return !(value instanceof Date) && (typeof value !== 'number' || Number.isNaN(value));
    case 'duration':
      return typeof value !== 'number' || !(value >= 0);
    case 'time limit':
      return typeof value !== 'number' || !(value >= 1 && value < 2 ** 31);
    case 'hook':
      return typeof value !== 'function';
    case 'video':
      return typeof value !== 'object' && (typeof value !== 'string' || value === '');
    case 'object':
      return typeof value !== 'object' || value === null || Array.isArray(value);
    case 'text or null':
      return value !== null && isBlank(value);
    case 'sticker':
      return value !== 'like_heart';
    case 'nothing':
      return true;
    case 'photos':
      return !Array.isArray(value) || value.length < 2;
    case 'record':
      return typeof value !== 'object' || value === null || Array.isArray(value);
    case 'headers':
      return typeof value !== 'object' || value === null;
    case 'signal':
      return typeof value !== 'object' || value === null || !('aborted' in value);
    case 'anything':
      return false;
  }
}

function isBlank(value: unknown): boolean {
  return typeof value !== 'string' || value.trim() === '';
}

/** The value at a path in any value. */
export function at(value: unknown, ...names: readonly string[]): unknown {
  let found = value;
  for (const name of names) found = (found as Readonly<Record<string, unknown>> | null | undefined)?.[name];
  return found;
}
