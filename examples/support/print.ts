import type { ResponseEvent } from 'pagepics';

/** A heading: what is done next. */
export function step(text: string): void {
  say(`\n== ${text}`);
}

/** The `onResponse` hook of a context: a line for each request. `why` explains a status that looks like a mistake. */
export function sent({ method, path, status, durationMs }: ResponseEvent, why = ''): void {
  show('  ->', `${method} ${path} ${status}, ${Math.round(durationMs)} ms${why && `: ${why}`}`);
}

/** Something that came back. */
export function show(name: string, value: unknown): void {
  say(`   ${name.padEnd(8)} ${typeof value === 'string' ? value : JSON.stringify(value)}`);
}

export function say(text: string): void {
  console.log(text);
}
