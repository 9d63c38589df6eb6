import { toForm } from './address.ts';
import type { GraphRequest } from './types.ts';

type Sent = Pick<GraphRequest<unknown>, 'json' | 'form' | 'body' | 'headers'>;

/** Body and headers of a request, as `fetch` takes them. */
export function toRequestInit({ json, form, body, headers }: Sent): RequestInit {
  if (json !== undefined) return { body: JSON.stringify(json), headers: asJson(headers) };
  const sent = form ? toForm(form) : (body as BodyInit | undefined);
  return {
    ...(sent !== undefined && { body: sent }),
    ...(sent instanceof Blob && { redirect: streamingRedirect() }),
    ...(headers && { headers }),
  };
}

/** The headers of a JSON body; a kind of JSON that the caller names stays. */
export function asJson(headers: Sent['headers']): Record<string, string> {
  const all = new Headers(headers);
  if (!all.has('content-type')) all.set('content-type', 'application/json');
  return Object.fromEntries(all);
}

/**
 * For a body that is streamed: unless a redirect is an error, Node keeps a copy of all that it sends. workerd
 * does not know the setting, and refuses it.
 */
function streamingRedirect(): RequestRedirect {
  try {
    return new Request('https://host.invalid', { redirect: 'error' }).redirect;
  } catch {
    return 'manual';
  }
}
