/**
 * Whether the platform can fetch an address: private ones and those of this machine are out of its reach, and so is what
 * lies below `.invalid`, for tests.
 */
export function isFetchable(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) && isPublic(url.hostname);
}

const privateHosts =
  /(^|\.)(localhost|invalid|local|internal)$|^(0|10|127)\.|^192\.168\.|^169\.254\.|^172\.(1[6-9]|2\d|3[01])\.|^100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|^\[/;

function isPublic(host: string): boolean {
  return !privateHosts.test(host);
}

/** Whether bytes are plain text, and so neither a photo nor a video, whatever the name of their file. */
export function isText(bytes: Uint8Array): boolean {
  const first = bytes.subarray(0, 512);
  const isBlank = (byte: number): boolean => byte === 32 || byte === 9 || byte === 10 || byte === 13;
  return first.some(isBlank) && first.every((byte) => byte > 32 || isBlank(byte)) && isUtf8(first);
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    // The last character may be cut.
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}
