/** `access_token=EAAB1x`, first or after another pair. */
const secretPairs =
  /(?<=^\?)(?:(?:access_token|appsecret_proof)=[^&]*(?:&|$))+|&(?:access_token|appsecret_proof)=[^&]*/gi;

/** An address without token and proof, otherwise unchanged. */
export function withoutSecrets(address: string): string {
  const start = address.indexOf('?');
  if (start < 0) return address;
  const query = address.slice(start).replace(secretPairs, '');
  return address.slice(0, start) + (query === '?' ? '' : query);
}
