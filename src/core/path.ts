/**
 * Builds a request path, each id encoded as one segment: an id from outside cannot reach another edge
 * (`../me`), another host (`//host`) or the query (`?`).
 *
 * @example
 * path`${pageId}/feed`
 */
export function path(parts: TemplateStringsArray, ...ids: readonly string[]): string {
  return String.raw({ raw: parts }, ...ids.map(encodeId));
}

/** An id from an answer can be ill-formed text, which cannot be encoded. */
function encodeId(id: string): string {
  return encodeURIComponent(/[\uD800-\uDFFF]/u.test(id) ? id.replace(/[\uD800-\uDFFF]/gu, '\uFFFD') : id);
}
