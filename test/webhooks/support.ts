import { createHmac } from 'node:crypto';

export const appSecret = 'app-secret';
export const verifyToken = 'verify-token';

/** The value of `X-Hub-Signature-256` for a body. */
export function sign(body: string | Uint8Array, secret = appSecret): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

/** JSON as the platform writes it. */
export function toWire(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('/', String.raw`\/`)
    .replaceAll(/[\u007f-\uffff]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** A delivery of changes to a Page. */
export function pageChanges(...changes: readonly unknown[]): unknown {
  return { object: 'page', entry: [{ id: '42', time: 1_768_000_000, changes }] };
}

export function messaging(object: 'page' | 'instagram', ...items: readonly unknown[]): unknown {
  return { object, entry: [{ id: '42', time: 1_768_000_000_123, messaging: items }] };
}

/** A signed POST of a body. */
export function deliver(body: string, headers: Readonly<Record<string, string>> = {}): Request {
  return new Request('https://app.test/webhooks', {
    method: 'POST',
    body,
    headers: { 'x-hub-signature-256': sign(body), ...headers },
  });
}

/** A signed request of what it says. */
export function signRequest(content: unknown, secret = appSecret): string {
  const payload = Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)).toString(
    'base64url',
  );
  return `${createHmac('sha256', secret).update(payload).digest('base64url')}.${payload}`;
}
