/**
 * Whether a request names this server as its host. A foreign name that resolves to 127.0.0.1 (DNS rebinding) would let
 * pages of that name read the sandbox.
 */
export function isOwnHost(request: Request, port: string): boolean {
  const host = request.headers.get('host');
  return host === `127.0.0.1:${port}` || host === `localhost:${port}`;
}

/** Whether a form was sent by a page of this server. Browsers always say so. */
export function isOwnForm(request: Request): boolean {
  return request.headers.get('origin') === `http://${request.headers.get('host')}`;
}

const mostBytes = 65_536;

/** The fields of a form; `undefined` for any other body, and for a large one. */
export async function formOf(request: Request): Promise<URLSearchParams | undefined> {
  const type = request.headers.get('content-type') ?? '';
  const length = Number(request.headers.get('content-length') ?? mostBytes + 1);
  if (!type.startsWith('application/x-www-form-urlencoded') || !(length <= mostBytes)) return undefined;
  return new URLSearchParams(await request.text());
}

/** An address on this machine. */
export function loopbackAddress(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isLoopback = /^(?:localhost|\[::1\]|127(?:\.\d+){3})$/.test(url.hostname);
  return isLoopback && /^https?:$/.test(url.protocol) ? url : undefined;
}
