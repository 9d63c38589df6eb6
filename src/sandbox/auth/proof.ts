import { toHex } from '../../core/http/proof.ts';
import { refuse } from '../errors.ts';
import type { Token, World } from '../world.ts';

const text = new TextEncoder();

/** Lower-case hex of the HMAC of `data`. */
export async function hmacHex(
  secret: string,
  data: string,
  hash: 'SHA-256' | 'SHA-1' = 'SHA-256',
): Promise<string> {
  const algorithm = { name: 'HMAC', hash };
  const key = await crypto.subtle.importKey('raw', text.encode(secret), algorithm, false, ['sign']);
  return toHex(await crypto.subtle.sign('HMAC', key, text.encode(data)));
}

/** Refuses a wrong proof, and a missing one where it is required. */
export async function checkProof(
  world: World,
  token: Token,
  params: Readonly<Record<string, string>>,
): Promise<void> {
  const proof = params['appsecret_proof'];
  const time = params['appsecret_time'];
  if (proof === undefined) {
    if (token.kind === 'pics' || !world.requireProof) return;
    return refuse({
      code: 100,
      type: 'GraphMethodException',
      message: 'API calls from the server require an appsecret_proof argument',
    });
  }
  const secret = token.kind === 'pics' ? world.picsApp.secret : world.app.secret;
  const fresh = time === undefined || Math.abs(world.now() - Number(time) * 1000) <= 300_000;
  const data = time === undefined ? token.value : `${token.value}|${time}`;
  if (fresh && proof === (await hmacHex(secret, data))) return;
  return refuse({
    code: 100,
    type: 'GraphMethodException',
    message: 'Invalid appsecret_proof provided in the API argument',
  });
}
