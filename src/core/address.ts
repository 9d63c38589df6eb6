import type { GraphRequest, Params } from './wire.ts';

/** The address of a request, with its query, token and proof in place. */
export function addressOf(
  graphBase: string,
  { path, query, token }: Pick<GraphRequest<unknown>, 'path' | 'query' | 'token'>,
  proof: string | undefined,
): string {
  const search = toForm({
    ...query,
    ...(token !== undefined && { access_token: token, appsecret_proof: proof }),
  });
  const base = /^https?:\/\//i.test(path) ? path : `${graphBase}/${path.replace(/^\/+/, '')}`;
  const text = search.toString();
  return text === '' ? base : `${base}${base.includes('?') ? '&' : '?'}${text}`;
}

/** Values as a form. */
export function toForm(values: Params): URLSearchParams {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && value !== null) form.append(name, String(value));
  }
  return form;
}
