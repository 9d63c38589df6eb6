/**
 * Builds a request path, each id encoded as one segment: an id from outside cannot reach another edge
 * (`../me`), another host (`//host`) or the query (`?`).
 *
 * @example
 * path`${pageId}/feed`
 */
export function path(parts: TemplateStringsArray, ...ids: readonly string[]): string {
  return String.raw({ raw: parts }, ...ids.map(encodeURIComponent));
}
