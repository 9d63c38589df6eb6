import type { ResponseEvent } from 'pagepics';

/** A heading: what is done next. */
export function step(text: string): void {
  say(`\n== ${text}`);
}

/** A request that went out, as the context's `onResponse` hook tells it. */
export function sent({ method, path, status, durationMs }: ResponseEvent): void {
  show('  ->', `${method} ${path} ${status}, ${Math.round(durationMs)} ms`);
}

/** Something that came back. */
export function show(name: string, value: unknown): void {
  say(`   ${name.padEnd(8)} ${typeof value === 'string' ? value : JSON.stringify(value)}`);
}

export function say(text: string): void {
  console.log(text);
}
