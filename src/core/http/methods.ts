import { toForm } from './addresses.ts';
import { hasDoneNothing } from './response.ts';
import type { GraphRequest, Method, SentBody } from './types.ts';

export const POST: Method = methodOf('POST');
export const DELETE: Method = methodOf('DELETE');

/** The method of a name that a caller gave, who may send a body with any. A bundle of nothing but reads does not have it. */
export function methodOf(name: string): Method {
  return { name, toBody, hasDoneNothing };
}

function toBody({
  form,
  json,
  body: given,
}: Pick<GraphRequest<unknown>, 'form' | 'json' | 'body'>): SentBody | Promise<SentBody> {
  const body = form ? toForm(form) : given;
  // When a reused connection breaks, Deno sends the request again, even a POST that took effect, if it can copy the body.
  // It cannot copy a Blob.
  if ('Deno' in globalThis && (json || form || typeof body === 'string')) {
    // `RequestBody` is `BodyInit`, spelled out for runtimes without the DOM types.
    const copy = json ? Response.json(json) : new Response(body as BodyInit);
    return copy.blob().then((body) => ({ body }));
  }
  // ky spends time on each option, so absent ones are left out.
  return { ...(body !== undefined && { body }), ...(json !== undefined && { json }) };
}
