/** A stored value with its expiry time, for stores that delete late or not at all. */
export function lasting(value: string, ttlMs: number): object {
  return { value, endsAt: Date.now() + ttlMs };
}

/** The stored value, unless it has expired. */
export function readLasting(stored: unknown): string | undefined {
  const { value, endsAt = 0 } = Object(stored) as { readonly value?: string; readonly endsAt?: number };
  return endsAt > Date.now() ? value : undefined;
}
