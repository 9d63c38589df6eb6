/** What is stored of a value where the store deletes late, or not at all: with the time at which it is over. */
export function lasting(value: string, ttlMs: number): object {
  return { value, endsAt: Date.now() + ttlMs };
}

/** The value of what is stored, unless it is over. */
export function readLasting(stored: unknown): string | undefined {
  const { value, endsAt = 0 } = Object(stored) as { readonly value?: string; readonly endsAt?: number };
  return endsAt > Date.now() ? value : undefined;
}
