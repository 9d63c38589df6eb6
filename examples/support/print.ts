import type { FailureEvent, ResponseEvent } from 'pagepics';

/** Prints a heading: what comes next. */
export function step(text: string): void {
  say(`\n== ${text}`);
}

/** The `onResponse` hook of a context: a line for each request. `why` explains a status that looks like a mistake. */
export function sent({ method, path, status, durationMs, purpose }: ResponseEvent, why = ''): void {
  const note = why || (purpose === 'lookup' ? 'did the lost write take effect?' : '');
  show('  ->', `${method} ${path} ${status}, ${Math.round(durationMs)} ms${note && `: ${note}`}`);
}

/** The `onFailure` hook of a context: a line for each request without a response. */
export function lost({ method, path, error }: FailureEvent): void {
  show('  ->', `${method} ${path}: ${error.message}`);
}

/** Prints a result. */
export function show(name: string, value: unknown): void {
  say(`   ${name.padEnd(8)} ${typeof value === 'string' ? value : JSON.stringify(value)}`);
}

export function say(text: string): void {
  console.log(text);
}
