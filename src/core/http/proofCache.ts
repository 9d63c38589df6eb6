import { sign } from './proof.ts';

/** How many proofs are kept: those of the tokens that were new last. */
const capacity = 1000;

/** Gives the proof of a token, computed once. It keeps digests and proofs, but neither tokens nor secrets. */
export function createProofCache(): (token: string, secret: string) => Promise<string> {
  const proofs = new Map<string, string>();
  const seed = [Math.random() * 2 ** 32, Math.random() * 2 ** 32];

  return async (token, secret) => {
    const key = `${digest(token, seed)} ${digest(secret, seed)}`;
    const known = proofs.get(key);
    if (known !== undefined) return known;
    const proof = await sign(token, secret);
    proofs.set(key, proof);
    for (const oldest of proofs.keys()) {
      if (proofs.size <= capacity) break;
      proofs.delete(oldest);
    }
    return proof;
  };
}

/**
 * 64 bits of a text, from which it cannot be read. Two of a thousand tokens have the same ones less often than once
 * in 10^12 processes, and nobody can choose them: the seed is random. A secure digest takes as long as the proof.
 */
function digest(text: string, [first = 0, second = 0]: readonly number[]): string {
  let a = first;
  let b = second;
  for (let i = 0; i < text.length; i++) {
    const sign = text.charCodeAt(i);
    a = Math.imul(a ^ sign, 0x9e3779b1);
    b = Math.imul(b ^ sign ^ (b >>> 15), 0x85ebca6b);
  }
  return `${a} ${b}`;
}
