/** The same hook, but whatever it does, the call goes on. */
export function guardHook<TEvent>(hook: ((event: TEvent) => unknown) | undefined): (event: TEvent) => void {
  return (event) => {
    try {
      Promise.resolve(hook?.(event)).catch(() => undefined);
    } catch {
      // The caller's own fault, and not ours to report.
    }
  };
}
