import { fieldsOf } from '../core/options/check.ts';

/** A stored value with its expiry time, for stores that delete late or not at all. */
export function lasting(value: string, ttlMs: number): object {
  return { value, endsAt: Date.now() + ttlMs };
}

/** The stored value, unless it has expired. */
export function readLasting(stored: unknown): string | undefined {
  const { value, endsAt } = fieldsOf(stored);
  return typeof value === 'string' && Number(endsAt) > Date.now() ? value : undefined;
}
