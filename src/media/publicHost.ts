/** Addresses of one's own machine and network, and those that no host has. */
const ownAddresses =
  /^(?:0|10|127)\.|^100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|^169\.254\.|^172\.(?:1[6-9]|2\d|3[01])\.|^192\.(?:0\.0|168)\.|^198\.1[89]\.|^(?:22[4-9]|2[3-5]\d)\.\d|^\[(?:::|64:ff9b:|100:|2001:db8:|2002:|f[c-f])/;

/** Names of one's own machine and network: those without a dot, and those below names that are kept for that. */
const ownNames =
  /^[^.[]+$|\.(?:localhost|local|localdomain|internal|intranet|invalid|test|home|lan|home\.arpa)$/;

/** Whether everybody can ask a host of an URL, as far as its name tells. The parser has made an IPv4 address plain. */
export function isPublicHost(hostname: string): boolean {
  const host = hostname.toLowerCase().replace(/\.$/, '');
  return !ownAddresses.test(host) && !ownNames.test(host);
}
