import { hmacHex } from '../auth/proof.ts';
import { find, type World } from '../world.ts';
import type { CallBackOptions, DeliveryTarget, SandboxCallback } from './types.ts';

const lifeSeconds = 3600;

/**
 * Lets a person remove the app, and sends the app the `signed_request` that reports it, or that asks for deletion of the
 * person's data.
 */
export async function callBack(
  world: World,
  kind: 'deauthorize' | 'deletion',
  to: DeliveryTarget,
  userId: string,
  { secret }: CallBackOptions,
): Promise<SandboxCallback> {
  const isPics = find(world, 'picsAccount', userId) !== undefined;
  for (const token of world.tokens.values()) {
    const isTheirs = isPics
      ? token.kind === 'pics' && token.subjectId === subjectOf(world, userId)
      : token.userId === userId && token.kind !== 'pics';
    if (isTheirs) token.death = 458;
  }
  const key = secret ?? (isPics ? world.picsApp.secret : world.app.secret);
  const signedRequest = await signed(world, userId, key);
  const request = new Request(typeof to === 'string' ? to : `https://app.sandbox.test/${kind}`, {
    method: 'POST',
    body: new URLSearchParams({ signed_request: signedRequest }),
  });
  try {
    const response = await (typeof to === 'string' ? fetch(request) : to(request));
    return { signedRequest, status: response.status, body: await response.text() };
  } catch {
    return { signedRequest, status: undefined, body: undefined };
  }
}

/** An account can be found by both of its ids, but its tokens name only one. */
function subjectOf(world: World, userId: string): string | undefined {
  return find(world, 'picsAccount', userId)?.id;
}

async function signed(world: World, user_id: string, secret: string): Promise<string> {
  const issued_at = Math.floor(world.now() / 1000);
  const content = { algorithm: 'HMAC-SHA256', expires: issued_at + lifeSeconds, issued_at, user_id };
  const payload = base64url(JSON.stringify(content));
  const signature = (await hmacHex(secret, payload)).replaceAll(/../g, (byte) =>
    String.fromCharCode(Number.parseInt(byte, 16)),
  );
  return `${base64url(signature)}.${payload}`;
}

function base64url(text: string): string {
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
