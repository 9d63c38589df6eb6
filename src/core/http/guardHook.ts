import { frozenCopy } from '../deriveError.ts';
import { SdkError } from '../errors.ts';
import { fieldsOf } from '../objects.ts';

/** The same hook, if there is one; but whatever it does, the call continues, and fails as it does without the hook. */
export function guardHook<TEvent>(
  hook: ((event: TEvent) => unknown) | undefined,
): ((event: TEvent) => void) | undefined {
  return (
    hook &&
    ((event) => {
      try {
        const result = hook(forHook(event));
        // Most hooks return nothing, which needs no promise.
        if (result !== undefined) Promise.resolve(result).catch(() => undefined);
      } catch {
        // A bug in the caller's hook, which is not ours to report.
      }
    })
  );
}

/** An event with a copy of its error that cannot be changed. It can be an error itself; those of the caller's are left alone. */
function forHook<TEvent>(event: TEvent): TEvent {
  if (event instanceof SdkError) return frozenCopy(event);
  const { error } = fieldsOf(event);
  return error instanceof SdkError ? { ...event, error: frozenCopy(error) } : event;
}
