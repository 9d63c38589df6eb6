/** An address without token and proof, otherwise unchanged. */
export function withoutSecrets(address: string): string {
  const start = address.indexOf('?');
  if (start < 0) return address;
  const rest = address
    .slice(start + 1)
    .split('&')
    // `access_token=EAAB1x`
    .filter((pair) => !/^(?:access_token|appsecret_proof)=/i.test(pair));
  return address.slice(0, start) + (rest.length === 0 ? '' : `?${rest.join('&')}`);
}
