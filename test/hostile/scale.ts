/** How much the hostile suites try: `HOSTILE_RUNS=10 npm run test:all -- test/hostile` draws ten times as much. */
const scale = Number(process.env['HOSTILE_RUNS'] ?? 1);

/** How many cases to draw where `usual` are drawn by default. */
export function runs(usual: number): number {
  return Math.max(1, Math.round(usual * scale));
}

/** The cases of a list: all of them by default and above, an even share of them below. */
export function share<T>(all: readonly T[]): readonly T[] {
  if (scale >= 1) return all;
  const kept = runs(all.length);
  return all.filter(
    (_, at) => Math.floor(((at + 1) * kept) / all.length) > Math.floor((at * kept) / all.length),
  );
}
