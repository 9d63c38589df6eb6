const dayMs = 86_400_000;

/** What {@link isRefreshDue} needs of a token bundle; one that was stored as JSON will do. */
export interface RefreshableToken {
  readonly expires_at?: Date | string | number | undefined;
  /** Seconds from the issue of the token to its end. */
  readonly expires_in?: number | undefined;
}

/**
 * Whether a long-lived token should be renewed now: it is at least a day old, as the platform demands, and more
 * than half of its life is over. A token that never ends is never due; nor is one that has ended, which only a new
 * login replaces.
 *
 * Without `expires_in`, a life of 60 days is assumed.
 *
 * @param now milliseconds since 1970
 *
 * @example
 * if (isRefreshDue(bundle)) console.log('renew it');
 */
export function isRefreshDue(
  { expires_at, expires_in }: RefreshableToken,
  now: number = Date.now(),
): boolean {
  if (expires_at === undefined || expires_at === null) return false;
  const end = new Date(expires_at).getTime();
  const lifeMs = expires_in === undefined ? 60 * dayMs : expires_in * 1000;
  const ageMs = now - (end - lifeMs);
  // A short-lived token, of hours, is not renewed but exchanged.
  return now < end && ageMs >= Math.max(dayMs, lifeMs / 2);
}
