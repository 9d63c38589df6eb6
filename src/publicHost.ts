// The names and addresses of one's own machine and network: the one list of all that asks for files of others.

/** IPv4 that is not public, as an address and how many of its bits count. */
const ownIPv4: readonly (readonly [address: number, bits: number])[] = (
  [
    // This machine, private networks.
    [0, 0, 8],
    [10, 0, 8],
    [127, 0, 8],
    [172, 16, 12],
    [192, 168, 16],
    // Behind a provider's translation, on the same link, of protocols, of benchmarks, of groups and reserved.
    [100, 64, 10],
    [169, 254, 16],
    [192, 0, 24],
    [198, 18, 15],
    [224, 0, 3],
  ] as const
).map(([first, second, bits]) => [first * 256 + second, bits]);

/** Names of one's own machine and network: those without a dot, and those that are kept for that, with what is below. */
const ownNames =
  /^[^.[]*$|(?:^|\.)(?:localhost|local|localdomain|internal|intranet|private|corp|invalid|test|home|lan|home\.arpa)$/;

/** Whether everybody can ask the host of an URL, as far as its name or number tells. The parser has made it plain. */
export function isPublicHost(hostname: string): boolean {
  const host = hostname.toLowerCase().replace(/\.+$/, '');
  if (/^[\d.]+$/.test(host)) return isPublicAddress(host);
  // As a number, a translated address is of one's own network, wherever it leads.
  return host.startsWith('[') ? isGlobal(groupsOf(host.slice(1, -1))) : !ownNames.test(host);
}

/**
 * Whether an address that a name leads to is public. Of an IPv4 address that is translated, as DNS64 does it for each
 * name of an IPv6-only network, the original counts. Only the well-known prefix tells of itself that it translates.
 */
export function isPublicAddress(address: string): boolean {
  if (!address.includes(':')) return isPublicIPv4(address.split('.').map(Number));
  const groups = groupsOf(address);
  const isTranslated = /^(?:0,0,0,0,0,65535|100,65435,0,0,0,0),/.test(groups.join());
  if (!isTranslated) return isGlobal(groups);
  return isPublicIPv4(groups.slice(6).flatMap((group) => [group >> 8, group & 255]));
}

function isPublicIPv4([a = 0, b = 0, c = 0, d = 0]: readonly number[]): boolean {
  const bits = (a * 256 + b) * 65_536 + c * 256 + d;
  const isWhole = [a, b, c, d].every((each) => each >= 0 && each < 256);
  return (
    isWhole && !ownIPv4.some(([start, count]) => bits >>> (32 - count) === (start * 65_536) >>> (32 - count))
  );
}

/**
 * Whether IPv6 is of the internet: all of it begins with 2 or 3. Not public are those of protocols, such as Teredo, which
 * lead through a translation to hosts that have none; those of 6to4; and those of documentation.
 */
function isGlobal([first = 0, second = 0]: readonly number[]): boolean {
  const isOfProtocols = first === 0x2001 && (second < 0x200 || second === 0xdb8);
  return first >> 13 === 1 && !isOfProtocols && first !== 0x2002 && !(first === 0x3fff && second < 0x1000);
}

/** The eight groups of an IPv6 address; none of what is no such address. */
function groupsOf(address: string): readonly number[] {
  const [text = ''] = address.toLowerCase().split('%');
  const [, last = ''] = /:([\d.]+)$/.exec(text.includes('.') ? text : '') ?? [];
  const [a = 0, b = 0, c = 0, d = 0] = last.split('.').map(Number);
  const plain =
    last && text.replace(/[\d.]+$/, `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`);
  const [before = '', after] = (plain || text).split('::');
  const read = (part = ''): readonly number[] =>
    part === ''
      ? []
      : part.split(':').map((group) => (/^[\da-f]{1,4}$/.test(group) ? parseInt(group, 16) : NaN));
  const [start, end] = [read(before), read(after)];
  const missing = after === undefined ? 0 : Math.max(0, 8 - start.length - end.length);
  const groups = [...start, ...Array.from({ length: missing }, () => 0), ...end];
  return groups.length === 8 && groups.every((group) => group >= 0) ? groups : [];
}
