/**
 * A pattern with classes of Unicode, which finds all places.
 *
 * Not a literal: engines check those when they load a file, and the tables that `\p{…}` needs would take a tenth of the time of
 * an import.
 */
export function unicode(pattern: string): RegExp {
  return new RegExp(pattern, 'gu');
}
