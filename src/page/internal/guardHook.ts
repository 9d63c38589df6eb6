/** The same hook, whose errors do not affect the call. */
export function guardHook<TEvent>(hook: ((event: TEvent) => unknown) | undefined): (event: TEvent) => void {
  return (event) => {
    try {
      Promise.resolve(hook?.(event)).catch(() => undefined);
    } catch {
      // An error in the caller's hook is not the SDK's to report.
    }
  };
}
