/**
 * How much the hostile suites try: `HOSTILE_RUNS=1 npm run test:all -- test/hostile` tries every case, 10 draws ten
 * times as many random ones. By default each test takes a tenth of its cases, another tenth than its neighbours.
 */
const scale = Number(process.env['HOSTILE_RUNS'] ?? 0.1);

/** How many random cases to draw where `usual` are drawn at a scale of 1. */
export function runs(usual: number): number {
  return Math.max(1, Math.round(usual * scale));
}

/** The cases of a list: all of them at a scale of 1 and above, an even share below. Successive turns share out all. */
export function share<T>(all: readonly T[], turn: number): readonly T[] {
  const stride = Math.max(1, Math.round(1 / scale));
  return all.filter((_, at) => (at + turn) % stride === 0);
}
