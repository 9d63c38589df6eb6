/** Does something once, before the first use; again with the next one if it failed. */
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
