import { invalid } from './errors.ts';

/** A cursor, opaque to the caller: the id of an entry and the number of the page in the walk. */
export function writeCursor(id: string, step: number): string {
  return btoa(`${step}|${id}`).replaceAll('=', '').replaceAll('+', '-').replaceAll('/', '_');
}

export function readCursor(
  text: string | undefined,
): { readonly id: string; readonly step: number } | undefined {
  if (text === undefined || text === '') return undefined;
  const found = /^(\d+)\|(.+)$/.exec(decoded(text));
  const [, step = '0', id = ''] = found ?? [];
  return found === null
    ? invalid('Invalid cursors values were provided in the request')
    : { id, step: Number(step) };
}

function decoded(text: string): string {
  try {
    return atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    return '';
  }
}
