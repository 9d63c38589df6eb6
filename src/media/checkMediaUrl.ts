import { err, ok, type Result, ResultAsync } from 'neverthrow';

import { ConfigurationError, TransportError } from '../core/errors.ts';
import { causeOf, causes } from '../core/http/networkFailure.ts';
import type { Fetch } from '../core/http/types.ts';
import { fieldsOf } from '../core/objects.ts';
import { hasAborted, reasonOf, whenAborted } from '../core/options/clock.ts';
import { refuseUnknown } from '../core/options/unknown.ts';
import { fileFetcher, fileRobot, ownFileHosts } from '../core/platform.ts';
import { isPublicHost } from '../publicHost.ts';
import { type MediaCheck, toCheck } from './checkMedia.ts';
import { readAny, readFacts } from './inspectMedia.ts';
import { addressRules, mediaCall } from './options.ts';
import { robotsVerdict } from './robots.ts';
import { findingBy, urlRules } from './rules.ts';
import { abortable, abortedBy, farRead, join } from './source.ts';
import type { MediaFacts, MediaFailure, MediaFinding, MediaKind, MediaReader } from './types.ts';

/** Options of {@link checkMediaUrl}. */
export interface CheckMediaUrlOptions {
  /** What the file is to be published as. */
  readonly kind: MediaKind;
  /**
   * Sends the requests. One that resolves names itself can throw an error with the code `ENOTPUBLIC` where a name leads
   * to an address that is not public.
   * @default the `fetch` of the runtime
   */
  readonly fetch?: Fetch | undefined;
  /** Ends the check. */
  readonly signal?: AbortSignal | undefined;
  /**
   * For how long the check may take, in milliseconds. From 1 to 600_000.
   * @default 30_000
   */
  readonly deadlineMs?: number | undefined;
}

/** The result of {@link checkMediaUrl}. */
export interface MediaUrlCheck extends Omit<MediaCheck, 'facts'> {
  /** Absent where the host does not give the file. `size` is what was read where the host tells no size. */
  readonly facts?: MediaFacts;
}

const mostBytes = 16_777_216;
const mostRequests = 12;
/** Robots read half a megabyte of robots.txt, and of what is longer the beginning. */
const mostOfRobots = 524_288;
const robotsMs = 5000;

/**
 * Checks an address as the platform will meet it: whether it is public, answers at once and without a redirect, with
 * the type of its bytes, and lets the platform's robot in. Then it reads the file by ranges, and judges it like
 * `checkMedia`. Of a video whose index is at its end, two parts are read.
 *
 * It asks with the name of the platform's robot, never twice for the same part, with no cookie and no token, and reads
 * 16 MiB in 12 requests at most; then `/robots.txt`, for 5 seconds at most. Hosts that are private by their name or
 * number are never asked.
 * A name may still lead into your own network: check addresses of others where that can do no harm, or with a `fetch`
 * that looks at where names lead, as the command `pagepics check` does. Messages never quote the address.
 *
 * @returns a `TransportError` where no response came from here, or the connection broke, which says nothing about the
 *   platform: another check may get further. Its `cause` has what the network reported.
 *
 * @example
 * const check = await checkMediaUrl('https://media.example.com/clip.mp4', { kind: 'pics.reel' });
 * if (check.isOk() && !check.value.isAccepted) console.log(check.value.findings);
 */
export function checkMediaUrl(
  url: string | URL,
  options: CheckMediaUrlOptions,
): ResultAsync<MediaUrlCheck, MediaFailure> {
  return mediaCall(
    'checkMediaUrl',
    options,
    addressRules,
    () => addressOf(url),
    (address, read) => new ResultAsync(checkWithin(address, read)),
    refuseUnknown,
  );
}

function addressOf(url: string | URL): Result<URL, ConfigurationError> {
  let text = '';
  try {
    text = String(url);
  } catch {
    // Not every caller has TypeScript: it is an object that is no text.
  }
  const address = URL.canParse(text) ? new URL(text) : undefined;
  const wrong = (message: string): Result<URL, ConfigurationError> =>
    err(new ConfigurationError(`url must ${message}`, 'url'));
  if (!address || !/^https?:$/.test(address.protocol)) return wrong('be an http or https address');
  if (address.username || address.password) return wrong('have no user name and no password');
  address.hash = '';
  return ok(address);
}

async function checkWithin(
  url: URL,
  { kind, fetch = globalThis.fetch, signal, deadlineMs = 30_000 }: CheckMediaUrlOptions,
): Promise<Result<MediaUrlCheck, MediaFailure>> {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), deadlineMs);
  const abort = (): void => stop.abort(reasonOf(signal));
  if (hasAborted(signal)) abort();
  const ignore = whenAborted(signal, abort);
  try {
    return ok(await checkAddress(url, kind, hostOf(url, fetch, stop.signal), signal));
  } catch (thrown) {
    if (signal && hasAborted(signal)) return err(abortedBy(signal));
    if (stop.signal.aborted)
      return err(new TransportError('timeout', `the check took more than ${deadlineMs} ms`));
    if (codesOf(thrown).includes('ENOTPUBLIC'))
      return ok(checkOf(kind, [urlFinding('host', 'its name leads to a private one', kind)]));
    return err(thrown instanceof ConfigurationError ? thrown : brokenBy(thrown, url, 'failed'));
  } finally {
    ignore();
    clearTimeout(timer);
    // Ends what is still on its way.
    stop.abort();
  }
}

/** Says that the network failed, and why, as far as that does not quote the address. */
function brokenBy(thrown: unknown, url: URL, what: string): TransportError {
  if (thrown instanceof TransportError) return thrown;
  const { name = 'Error', message = '', code } = causeOf(thrown) ?? {};
  const known = [code, ...codesOf(thrown)].find((each) => /^[A-Z][A-Z_0-9]{2,40}$/.test(each ?? ''));
  const parts = [...url.pathname.split('/'), ...[...url.searchParams].flat()].map((part) =>
    part.toLowerCase(),
  );
  const isQuoted = parts.some((part) => part.length > 3 && message.toLowerCase().includes(part));
  return new TransportError('network', `the host of the address ${what}${known ? `: ${known}` : ''}`, {
    cause: {
      name: /^\w{1,40}$/.test(name) ? name : 'Error',
      ...(known && { code: known }),
      message: known && !isQuoted ? message : (known ?? what),
    },
  });
}

/** The codes of an error and its causes. */
function codesOf(thrown: unknown): readonly string[] {
  return causes(thrown).flatMap(({ code }) => code ?? []);
}

function checkOf(kind: MediaKind, found: readonly MediaFinding[], check?: MediaCheck): MediaUrlCheck {
  const findings = [...found, ...(check?.findings ?? [])];
  const isAccepted = findings.every(({ severity }) => severity !== 'refused');
  return { kind, ...(check && { facts: check.facts }), findings, isAccepted };
}

/** What the platform answers where it cannot fetch a file, or where that is not ready. */
function codeOf(kind: MediaKind, isReady: boolean): string | undefined {
  if (/\.message/.test(kind)) return '100/2018008';
  if (kind === 'page.video') return '389/1363057';
  if (kind.startsWith('page.photo')) return '100/1366046';
  if (kind.startsWith('page.')) return undefined;
  if (!/reel|video$/i.test(kind)) return '9004/2207052';
  return isReady ? '2207077' : '2207076';
}

type UrlRule = keyof typeof urlRules;

/** A finding about an address. It never quotes the address, which may be signed. */
function urlFinding(name: UrlRule, found: string, kind: MediaKind): MediaFinding {
  const [severity, rule, remedy, source, code, note] = urlRules[name];
  return findingBy(severity, 'url', found, [rule, remedy], [source, codeOf(kind, code !== 'ready'), note]);
}

type Host = ReturnType<typeof hostOf>;

/** Whether a `fetch` has returned what it should: a Response of the web. A redirect that is not followed may have no status. */
function isResponse(value: unknown): boolean {
  const { status, type, headers, body } = fieldsOf(value);
  return (
    (Number(status) >= 100 || type === 'opaqueredirect') &&
    typeof status === 'number' &&
    typeof fieldsOf(headers)['get'] === 'function' &&
    (body === null || typeof fieldsOf(body)['getReader'] === 'function')
  );
}

const unanswered = 'the host of the address did not answer';

/** A host as one check asks it. */
function hostOf(url: URL, fetch: Fetch, signal: AbortSignal) {
  /** What goes wrong while a file comes is the network's, not the caller's. */
  const read = async <TValue>(work: Promise<TValue>, what = 'broke the connection'): Promise<TValue> => {
    try {
      return await work;
    } catch (thrown) {
      throw signal.aborted ? thrown : brokenBy(thrown, url, what);
    }
  };
  return {
    url,
    signal,
    get: (range?: string, at = url): Promise<Response> => {
      const headers = { accept: '*/*', 'user-agent': fileFetcher, ...(range && { range }) };
      const asked = abortable(async () => {
        const response = await fetch(at, { headers, redirect: 'manual', signal });
        // Not every `fetch` of a caller has types.
        if (!isResponse(response))
          throw new TransportError('network', `${unanswered}: fetch returned no Response`);
        return response;
      }, signal);
      return read(asked, 'did not answer');
    },
    /** Up to so many bytes of a body, whose rest is not waited for. */
    take: async (response: Response, most: number): Promise<Uint8Array> => {
      const stream = streamOf(response, signal);
      const bytes = await read(stream.upTo(most));
      stream.end();
      return bytes.slice(0, most);
    },
    stream: (response: Response) => {
      const stream = streamOf(response, signal);
      return { ...stream, upTo: (most: number): Promise<Uint8Array> => read(stream.upTo(most)) };
    },
    /** The same host, which a further signal ends too. */
    within: (other: AbortSignal) => hostOf(url, fetch, AbortSignal.any([signal, other])),
  };
}

/** After so many parts of a body, timers get their turn: a `fetch` that gives parts at once would keep them from it. */
const partsInTurn = 256;

/** The body of a response, as far as it has come. */
function streamOf(response: Response, signal: AbortSignal) {
  const reader = response.body?.getReader();
  let bytes = new Uint8Array(0);
  let length = 0;
  let parts = 0;
  let isDone = reader === undefined;
  return {
    /** All that has come, which is so much at least unless the body is shorter. The bytes are valid until the next call. */
    upTo: async (most: number): Promise<Uint8Array> => {
      while (length < most && !isDone) {
        const part = await abortable(async () => reader?.read(), signal);
        if (++parts % partsInTurn === 0) await new Promise<void>((resolve) => setTimeout(resolve));
        const value: unknown = part?.value;
        isDone = part?.done ?? true;
        if (!(value instanceof Uint8Array)) continue;
        if (length + value.length > bytes.length) {
          const larger = new Uint8Array(Math.max(bytes.length * 2, length + value.length));
          larger.set(bytes.subarray(0, length));
          bytes = larger;
        }
        bytes.set(value, length);
        length += value.length;
      }
      return bytes.subarray(0, length);
    },
    isDone: (): boolean => isDone,
    end: (): void => void reader?.cancel().catch(() => {}),
  };
}

async function checkAddress(
  url: URL,
  kind: MediaKind,
  host: Host,
  given: AbortSignal | undefined,
): Promise<MediaUrlCheck> {
  if (!isPublicHost(url.hostname)) return checkOf(kind, [urlFinding('host', 'a private one', kind)]);
  if (kind.startsWith('page.') && ownFileHosts.test(url.hostname))
    return checkOf(kind, [urlFinding('ownHost', 'one of the platform', kind)]);
  const found: MediaFinding[] = [];
  const note: Note = (name, what) => void found.push(urlFinding(name, what, kind));
  if (url.protocol === 'http:' && kind.startsWith('pics.')) note('scheme', 'http');
  const response = await host.get(`bytes=0-${farRead - 1}`);
  const opened = await open(response, host, note, /video|reel/i.test(kind));
  if (!opened) {
    await response.body?.cancel().catch(() => {});
    return checkOf(kind, found);
  }
  const bounds = { signal: host.signal, maxBytes: mostBytes, maxRequests: mostRequests };
  const read = await readFacts(opened.reader, bounds, readAny);
  opened.end();
  if (read.isErr()) throw read.error;
  const { incomplete, bytesRead, requests } = opened.state;
  const facts: MediaFacts = { ...read.value, bytesRead, requests, ...(incomplete && { incomplete }) };
  compareTypes(response.headers.get('content-type'), facts, kind, note);
  // Last, since some hosts take no second request beside the first; and what is known of the file does not wait for it.
  const forbids = await readRobots(host.within(AbortSignal.timeout(robotsMs))).catch(() => undefined);
  if (hasAborted(given)) throw reasonOf(given);
  if (forbids) note(...forbids);
  return checkOf(kind, found, toCheck(facts, kind));
}

type Note = (name: UrlRule, what: string) => void;

/** A file at an address, of which the first part has come. */
interface Opened {
  readonly reader: MediaReader;
  readonly end: () => void;
  readonly state: { readonly bytesRead: number; readonly requests: number; readonly incomplete?: string };
}

/** Whether a response has the file or a part of it. What stands against that is noted. */
function hasFile(response: Response, note: Note, more = ''): boolean {
  const { status, headers } = response;
  if (response.type === 'opaqueredirect' || (status >= 300 && status < 400 && status !== 304)) {
    note('redirect', status === 0 ? 'a redirect' : `a redirect, status ${status}${more}`);
    return false;
  }
  if (response.redirected) note('redirect', 'a redirect');
  if (status === 416 && /^bytes \*\/0$/i.test(headers.get('content-range') ?? '')) note('empty', '0 bytes');
  else if (status === 202 || status === 423 || status === 425 || status === 429 || status >= 500)
    note('notReady', `status ${status}${more}`);
  else if (status !== 200 && status !== 206) note('status', `status ${status}${more}`);
  if (status !== 200 && status !== 206) return false;
  const isPage = /^(?:text\/html|application\/xhtml)/i.test(headers.get('content-type') ?? '');
  if (isPage) note('html', `a page, text/html${more}`);
  return !isPage;
}

/** Where a part begins, and how large the file is: `NaN` where its host does not tell that, nothing if it is no part. */
function partOf(response: Response): { readonly from: number; readonly size: number } | undefined {
  const range = response.headers.get('content-range') ?? '';
  const [, from, last = '', total = ''] = /^bytes (\d+)-([-\d]*)\/(\d+|\*)$/i.exec(range) ?? [];
  const size = Number(total === '*' ? NaN : total);
  // What ends beyond the file is no part of it, unless that is empty.
  const isBeyond = size > 0 && Number(last) >= size;
  return from === undefined || isBeyond || size > Number.MAX_SAFE_INTEGER
    ? undefined
    : { from: Number(from), size };
}

/** Reads the head of the first response. `undefined` if there is no file in it. */
async function open(
  response: Response,
  host: Host,
  note: Note,
  isVideo: boolean,
): Promise<Opened | undefined> {
  if (!hasFile(response, note)) return undefined;
  const { status, headers } = response;
  if (status === 206) {
    const part = partOf(response);
    if (part?.from !== 0) {
      note(
        'oddRange',
        headers.get('content-range') === null
          ? 'status 206 without Content-Range'
          : 'another part of the file',
      );
      return undefined;
    }
    if (part.size === 0) note('empty', '0 bytes');
    else if (isNaN(part.size)) note('noLength', 'a Content-Range without the size');
    return part.size === 0
      ? undefined
      : isNaN(part.size)
        ? openSizeless(response, host, note)
        : openParts(response, host, part.size, note);
  }
  const length = headers.get('content-encoding') ? '' : (headers.get('content-length') ?? '');
  const size = /^\d{1,15}$/.test(length) ? Number(length) : undefined;
  if (isVideo && (size ?? Infinity) > farRead) note('noRanges', 'status 200 for a part');
  if (size === undefined) note('noLength', 'a file without Content-Length');
  if (size === 0) note('empty', '0 bytes');
  return size === 0 ? undefined : openWhole(response, host, size);
}

const otherPart = 'it changed while it was read, or its host gave another part than was asked for';

/**
 * A later part of a file, if that is what comes: its host may have changed its mind, or the file. What stands against it
 * is noted, once.
 */
async function nextPart(
  host: Host,
  note: Note,
  offset: number,
  length: number,
  size: number,
): Promise<Response | undefined> {
  const response = await host.get(`bytes=${offset}-${offset + length - 1}`);
  const more = ' for a later part';
  const part = partOf(response);
  const isRight =
    response.status === 206 &&
    part?.from === offset &&
    (part.size === size || (isNaN(size) && isNaN(part.size)));
  if (isRight) return response;
  if (hasFile(response, note, more))
    note('oddRange', response.status === 200 ? `status 200${more}` : 'another part, or another size, later');
  await response.body?.cancel().catch(() => {});
  return undefined;
}

/** The file of a host that answers ranges. */
function openParts(response: Response, host: Host, size: number, note: Note): Opened {
  const state = { bytesRead: 0, requests: 1, incomplete: '' };
  let first: Response | undefined = response;
  const read = async (offset: number, length: number): Promise<Uint8Array> => {
    let part = first;
    // What did not come once is not asked for again.
    if (state.incomplete) return new Uint8Array();
    if (offset > 0 || !part) {
      state.requests++;
      part = await nextPart(host, note, offset, length, size);
      if (!part) {
        state.incomplete = otherPart;
        return new Uint8Array();
      }
    }
    first = undefined;
    const bytes = await host.take(part, length);
    state.bytesRead += bytes.length;
    if (bytes.length < length) state.incomplete = 'its host gave less of it than it said';
    return bytes;
  };
  return { reader: { size, read }, state, end: () => void first?.body?.cancel().catch(() => {}) };
}

/** The file of a host that answers ranges, and does not tell the size: it is read until it ends, to know it. */
async function openSizeless(response: Response, host: Host, note: Note): Promise<Opened> {
  const state = { bytesRead: 0, requests: 1, incomplete: '' };
  let bytes = await host.take(response, farRead);
  if (bytes.length === farRead) {
    state.requests++;
    const rest = mostBytes - farRead;
    // It may have no more than that.
    let isEnd = false;
    const noteBut: Note = (name, what) => {
      if (what.startsWith('status 416')) isEnd = true;
      else note(name, what);
    };
    const part = await nextPart(host, noteBut, farRead, rest, NaN);
    const more = part ? await host.take(part, rest) : new Uint8Array();
    bytes = join(bytes, more);
    if (!part && !isEnd) state.incomplete = otherPart;
    else if (more.length === rest)
      state.incomplete = `its host does not tell its size, which is more than ${mostBytes - 1} bytes`;
  }
  state.bytesRead = bytes.length;
  const read = async (offset: number, length: number): Promise<Uint8Array> =>
    bytes.subarray(offset, offset + length);
  return { reader: { size: bytes.length, read }, state, end: () => {} };
}

/** The file of a host that sends all of it: what is needed is taken, and the rest refused. */
async function openWhole(response: Response, host: Host, given: number | undefined): Promise<Opened> {
  const state = { bytesRead: 0, requests: 1, incomplete: '' };
  const stream = host.stream(response);
  const upTo = async (length: number): Promise<Uint8Array> => {
    const bytes = await stream.upTo(length);
    state.bytesRead = bytes.length;
    return bytes;
  };
  // Whose size is not told is read to its end, to know it.
  const size = given ?? (await upTo(mostBytes + 1)).length;
  if (given === undefined && !stream.isDone())
    state.incomplete = `its host does not tell its size, which is more than ${mostBytes} bytes`;
  const read = async (offset: number, length: number): Promise<Uint8Array> => {
    if (offset + length > mostBytes && given !== undefined) {
      state.incomplete = `its host does not answer Range, and more than ${mostBytes} bytes of it would have to be read`;
      return new Uint8Array();
    }
    const bytes = await upTo(offset + length);
    if (bytes.length < Math.min(offset + length, size))
      state.incomplete = 'its host gave less of it than it said';
    return bytes.slice(offset, offset + length);
  };
  return { reader: { size, read }, state, end: stream.end };
}

/** Types that name a format, of those that are often announced. */
const typesOf: Readonly<Partial<Record<MediaFacts['format'], RegExp>>> = {
  jpeg: /^image\/p?jpe?g$/,
  png: /^image\/(?:x-)?png$/,
  gif: /^image\/gif$/,
  webp: /^image\/webp$/,
  heic: /^image\/hei[cf]/,
  avif: /^image\/avif$/,
  mp4: /^video\/(?:mp4|quicktime|x-m4v|mpeg4)$/,
  mov: /^video\/(?:mp4|quicktime|x-m4v|mpeg4)$/,
};

function compareTypes(
  announced: string | null,
  { kind: bytes, format }: MediaFacts,
  kind: MediaKind,
  note: Note,
): void {
  const type = (announced ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const [group = ''] = type.split('/');
  // A type is what the host wrote: only one that looks like one is shown.
  const shown = /^[\w.+-]+\/[\w.+-]{1,80}$/.test(type)
    ? type
    : type
      ? 'an odd Content-Type'
      : 'no Content-Type';
  if (kind === 'page.messageAudio' && type && group !== 'audio') note('audioType', shown);
  if (format === 'html') note('html', `a page, announced as ${shown}`);
  if (bytes === 'unknown' || format === 'unknown') return;
  const isMedia = /^(?:image|video|audio)$/.test(group);
  if (isMedia && group !== bytes && (group === 'image' || bytes === 'image'))
    note('otherType', `${format}, announced as ${shown}`);
  else if (!isMedia || (typesOf[format]?.test(type) === false && !type.startsWith('audio/')))
    note('looseType', `${format}, announced as ${shown}`);
}

/** Which rule the robots.txt of a host breaks. */
async function readRobots({ url, get, take }: Host): Promise<Parameters<Note> | undefined> {
  const response = await get(undefined, new URL('/robots.txt', url));
  const { status, headers } = response;
  const isClosed = status === 401 || status === 403 || status === 429 || status >= 500;
  const isPage = status === 200 && /^text\/html/i.test(headers.get('content-type') ?? '');
  if (status !== 200 || isPage) await response.body?.cancel().catch(() => {});
  if (isClosed) return ['robotsUnclear', `robots.txt with status ${status}`];
  if (isPage) return ['robotsUnclear', 'a page as robots.txt'];
  if (status !== 200) return undefined;
  const text = new TextDecoder().decode(await take(response, mostOfRobots));
  const verdict = robotsVerdict(text, fileRobot, `${url.pathname}${url.search}`);
  return verdict && [verdict === 'named' ? 'robots' : 'robotsOfAll', 'robots.txt that forbids the address'];
}
