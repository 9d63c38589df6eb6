/**
 * The number of calls so far, and a prefix that distinguishes them from those of other processes and other copies of
 * this module.
 */
let calls = 0;
let source: string | undefined;

/** What identifies the next call. */
export function nextCallId(): string {
  source ??= Math.random().toString(36).slice(2, 9);
  return `${source}-${(++calls).toString(36)}`;
}
