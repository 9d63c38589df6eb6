/** Does something once, before the first use; if it fails, it is repeated before the next use. */
export function atFirst(work: () => PromiseLike<unknown>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= Promise.resolve(work()).then(
      () => undefined,
      (thrown: unknown) => {
        done = undefined;
        throw thrown;
      },
    );
    return done;
  };
}
