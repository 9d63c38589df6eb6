/** Does `work`, which must not reject, for each item, a few at a time. The results are in the items' order. */
export async function mapConcurrent<TItem, TResult>(
  items: readonly TItem[],
  work: (item: TItem) => PromiseLike<TResult>,
  most = 5,
): Promise<TResult[]> {
  const results: TResult[] = [];
  // The workers share one iterator: each takes the next item as soon as it is free.
  const queue = items.entries();
  async function takeItems(): Promise<void> {
    for (const [index, item] of queue) results[index] = await work(item);
  }
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, takeItems));
  return results;
}
