/** Addresses of one's own machine and network, and those that no host has: of IPv4, and of IPv6. */
const ownAddresses = [
  // This machine and private networks: 0/8, 10/8, 127/8, 172.16/12, 192.168/16.
  /^(?:0|10|127)\.|^172\.(?:1[6-9]|2\d|3[01])\.|^192\.168\./,
  // Behind a provider's translation, on the same link, of protocols, of benchmarks: 100.64/10, 169.254/16, 192.0.0/24, 198.18/15.
  /^100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|^169\.254\.|^192\.0\.0\.|^198\.1[89]\./,
  // Of groups, and reserved: 224/3.
  /^(?:22[4-9]|2[3-5]\d)\.\d/,
  // `::` and whatever is mapped below it, translations, to discard, of documentation, private, on the same link, of groups.
  /^\[(?:::|64:ff9b:|100:|2001:db8:|2002:|f[c-f])/,
];

/** Names of one's own machine and network: those without a dot, and those below names that are kept for that. */
const ownNames =
  /^[^.[]+$|\.(?:localhost|local|localdomain|internal|intranet|invalid|test|home|lan|home\.arpa)$/;

/** Whether everybody can ask a host of an URL, as far as its name tells. The parser has made an IPv4 address plain. */
export function isPublicHost(hostname: string): boolean {
  const host = hostname.toLowerCase().replace(/\.$/, '');
  return !ownAddresses.some((one) => one.test(host)) && !ownNames.test(host);
}
