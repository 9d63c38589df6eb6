/** Whether an address is of the same origin as `home`, scheme and port included, and names no credentials. */
export function isSameOrigin(address: string, home: string): boolean {
  if (!URL.canParse(address)) return false;
  const { origin, username, password } = new URL(address);
  return new URL(home).origin === origin && `${username}${password}` === '';
}
