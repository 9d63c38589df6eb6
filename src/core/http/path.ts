/**
 * Builds a request path, each id encoded as one segment: an id from outside cannot reach another edge
 * (`../me`), another host (`//host`) or the query (`?`).
 *
 * @example
 * path`${pageId}/feed`
 */
export function path(parts: TemplateStringsArray, ...ids: readonly string[]): string {
  // An id from a response can be ill-formed text, which cannot be encoded as it is.
  return String.raw({ raw: parts }, ...ids.map((id) => encodeURIComponent(id.toWellFormed())));
}
