/** Whether an address is of the same origin as one of `homes`, scheme and port included, and names no credentials. */
export function isSameOrigin(address: string, ...homes: readonly string[]): boolean {
  if (!URL.canParse(address)) return false;
  const { origin, username, password } = new URL(address);
  return homes.some((home) => new URL(home).origin === origin) && `${username}${password}` === '';
}
