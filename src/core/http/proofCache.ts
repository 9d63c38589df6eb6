import { sign } from './proof.ts';

/** How many proofs are kept: those of the tokens that were new last. */
const capacity = 1000;

/** Gives the proof of a token, computed once. It keeps digests and proofs, but neither tokens nor secrets. */
export function createProofCache(): (token: string, secret: string) => Promise<string> {
  const proofs = new Map<string, string>();
  const seed = Math.random() * 2 ** 32;

  return async (token, secret) => {
    const key = digest(`${secret} ${token}`, seed);
    let proof = proofs.get(key);
    if (proof === undefined) {
      proof = await sign(token, secret);
      proofs.set(key, proof);
      const [oldest = key] = proofs.keys();
      if (proofs.size > capacity) proofs.delete(oldest);
    }
    return proof;
  };
}

/**
 * 64 bits of a text, from which it cannot be read. Two of a thousand tokens have the same ones less often than once
 * in 10^12 processes, and nobody can choose such two: the seed is random. A secure digest takes as long as the proof.
 */
function digest(text: string, seed: number): string {
  let a = seed;
  let b = ~seed;
  for (let i = 0; i < text.length; i++) {
    a = Math.imul(a ^ text.charCodeAt(i), 0x9e3779b1);
    b = Math.imul(b ^ a ^ (b >>> 15), 0x85ebca6b);
  }
  return `${a} ${b}`;
}
