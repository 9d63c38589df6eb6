import { sign } from './proof.ts';

/** Gives the proof of a token, computed once. */
export function createProofCache(): (token: string, secret: string) => Promise<string> {
  const proofs = new Map<string, string>();

  return async (token, secret) => {
    const key = `${secret} ${token}`;
    let proof = proofs.get(key);
    if (proof === undefined) {
      proof = await sign(token, secret);
      if (proofs.size > 999) proofs.clear();
      proofs.set(key, proof);
    }
    return proof;
  };
}
