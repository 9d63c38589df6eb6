import { err, errAsync, ok, type Result, ResultAsync } from 'neverthrow';

import { ConfigurationError, TransportError } from '../core/errors.ts';
import { causes } from '../core/http/networkFailure.ts';
import type { Fetch } from '../core/http/types.ts';
import { fileFetcher, fileRobot, ownFileHosts } from '../core/platform.ts';
import { type MediaCheck, toCheck } from './checkMedia.ts';
import { readAny, readFacts } from './inspectMedia.ts';
import { addressRules, readMediaOptions } from './options.ts';
import { isPublicHost } from './publicHost.ts';
import { robotsVerdict } from './robots.ts';
import { findingBy, urlRules } from './rules.ts';
import { abortable, farRead } from './source.ts';
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

/**
 * Meets an address as the platform does that is to fetch the file from it: whether it is public, answers at once and
 * without a redirect, with the type of its bytes, and lets the platform's robot in; then reads the file by ranges and
 * judges it like `checkMedia`. Of a video whose index is at its end, two parts are read.
 *
 * It asks with the name of the platform's robot, never twice for the same part, with no cookie and no token, and reads
 * 16 MiB in 12 requests at most, and `/robots.txt`. Hosts that are private by their name or number are never asked.
 * A name may still lead into your own network: check addresses of others where that can do no harm, or with a `fetch`
 * that looks at where names lead, as the command `pagepics check` does. Messages never quote the address.
 *
 * @returns a `TransportError` where no response came from here, which says nothing about the platform.
 *
 * @example
 * const check = await checkMediaUrl('https://media.example.com/clip.mp4', { kind: 'pics.reel' });
 * if (check.isOk() && !check.value.isAccepted) console.log(check.value.findings);
 */
export function checkMediaUrl(
  url: string | URL,
  options: CheckMediaUrlOptions,
): ResultAsync<MediaUrlCheck, MediaFailure> {
  const text = String(url);
  const address = URL.canParse(text) ? new URL(text) : undefined;
  const wrong = (message: string): ResultAsync<MediaUrlCheck, MediaFailure> =>
    errAsync(new ConfigurationError(`url must ${message}`, 'url'));
  if (!address || !/^https?:$/.test(address.protocol)) return wrong('be an http or https address');
  if (address.username || address.password) return wrong('have no user name and no password');
  address.hash = '';
  return readMediaOptions(options, addressRules).asyncAndThen(
    (read) => new ResultAsync(checkWithin(address, read)),
  );
}

async function checkWithin(
  url: URL,
  { kind, fetch = globalThis.fetch, signal, deadlineMs = 30_000 }: CheckMediaUrlOptions,
): Promise<Result<MediaUrlCheck, MediaFailure>> {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), deadlineMs);
  const ends = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
  try {
    return ok(await checkAddress(url, kind, hostOf(fetch, ends)));
  } catch (thrown) {
    if (signal?.aborted) return err(new TransportError('aborted', 'the check was aborted'));
    if (stop.signal.aborted)
      return err(new TransportError('timeout', `the check took more than ${deadlineMs} ms`));
    if (codesOf(thrown).includes('ENOTPUBLIC'))
      return ok(checkOf([urlFinding('host', 'its name leads to a private one', kind)]));
    return err(thrown instanceof ConfigurationError ? thrown : unreached(thrown));
  } finally {
    clearTimeout(timer);
    // Ends what is still on its way.
    stop.abort();
  }
}

/** What a `fetch` function threw may quote the address: only codes are passed on. */
function unreached(thrown: unknown): TransportError {
  if (thrown instanceof TransportError) return thrown;
  const code = codesOf(thrown).find((each) => /^[A-Z][A-Z_0-9]{2,40}$/.test(each));
  return new TransportError('network', `the host of the address did not answer${code ? `: ${code}` : ''}`);
}

/** The codes of an error and its causes. */
function codesOf(thrown: unknown): readonly string[] {
  return causes(thrown).flatMap(({ code }) => code ?? []);
}

function checkOf(found: readonly MediaFinding[], check?: MediaCheck): MediaUrlCheck {
  const findings = [...found, ...(check?.findings ?? [])];
  const isAccepted = findings.every(({ severity }) => severity !== 'refused');
  return { ...(check && { facts: check.facts }), findings, isAccepted };
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
  return findingBy(severity, 'url', found, [rule, remedy, source, codeOf(kind, code !== 'ready'), note]);
}

type Host = ReturnType<typeof hostOf>;

/** A host as one check asks it. */
function hostOf(fetch: Fetch, signal: AbortSignal) {
  return {
    get: (url: URL, range?: string): Promise<Response> => {
      const headers = { accept: '*/*', 'user-agent': fileFetcher, ...(range && { range }) };
      return abortable(async () => fetch(url, { headers, redirect: 'manual', signal }), signal);
    },
    /** Up to so many bytes of a body, whose rest is not waited for. */
    take: async (response: Response, most: number): Promise<Uint8Array> => {
      const stream = streamOf(response, signal);
      const bytes = await stream.upTo(most);
      stream.end();
      return bytes.slice(0, most);
    },
    signal,
  };
}

/** The body of a response, as far as it has come. */
function streamOf(response: Response, signal: AbortSignal) {
  const reader = response.body?.getReader();
  let bytes = new Uint8Array(0);
  let length = 0;
  let isDone = reader === undefined;
  return {
    /** All that has come, which is so much at least unless the body is shorter. The bytes are valid until the next call. */
    upTo: async (most: number): Promise<Uint8Array> => {
      while (length < most && !isDone) {
        const part = await abortable(async () => reader?.read(), signal);
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

async function checkAddress(url: URL, kind: MediaKind, host: Host): Promise<MediaUrlCheck> {
  if (!isPublicHost(url.hostname)) return checkOf([urlFinding('host', 'a private one', kind)]);
  if (kind.startsWith('page.') && ownFileHosts.test(url.hostname))
    return checkOf([urlFinding('ownHost', 'one of the platform', kind)]);
  const found: MediaFinding[] = [];
  const note: Note = (name, what) => void found.push(urlFinding(name, what, kind));
  if (url.protocol === 'http:' && kind.startsWith('pics.')) note('scheme', 'http');
  // Both at once: what is found of robots.txt counts only if the host gives the file.
  const robots = readRobots(url, host).catch(() => undefined);
  const response = await host.get(url, `bytes=0-${farRead - 1}`);
  const opened = await open(url, response, host, note, /video|reel/i.test(kind));
  if (!opened) {
    await response.body?.cancel().catch(() => {});
    return checkOf(found);
  }
  const { signal } = host;
  const bounds = { signal, maxBytes: mostBytes, maxRequests: mostRequests };
  const read = await readFacts(opened.reader, bounds, readAny);
  opened.end();
  if (read.isErr()) throw read.error;
  const { incomplete, bytesRead, requests } = opened.state;
  const facts: MediaFacts = { ...read.value, bytesRead, requests, ...(incomplete && { incomplete }) };
  compareTypes(response.headers.get('content-type'), facts, kind, note);
  const forbids = await robots;
  signal.throwIfAborted();
  if (forbids) note(...forbids);
  return checkOf(found, toCheck(facts, kind));
}

type Note = (name: UrlRule, what: string) => void;

/** A file at an address, of which the first part has come. */
interface Opened {
  readonly reader: MediaReader;
  readonly end: () => void;
  readonly state: { readonly bytesRead: number; readonly requests: number; readonly incomplete?: string };
}

/** Reads the head of the first response. `undefined` if there is no file in it. */
async function open(
  url: URL,
  response: Response,
  host: Host,
  note: Note,
  isVideo: boolean,
): Promise<Opened | undefined> {
  const { status, headers } = response;
  if (response.type === 'opaqueredirect' || (status >= 300 && status < 400 && status !== 304)) {
    note('redirect', status === 0 ? 'a redirect' : `a redirect, status ${status}`);
    return undefined;
  }
  if (response.redirected) note('redirect', 'a redirect');
  const range = headers.get('content-range') ?? '';
  if (status === 416 && /^bytes \*\/0$/.test(range)) note('empty', '0 bytes');
  else if (status === 202 || status === 423 || status === 425 || status === 429 || status >= 500)
    note('notReady', `status ${status}`);
  else if (status !== 200 && status !== 206) note('status', `status ${status}`);
  if (status !== 200 && status !== 206) return undefined;
  const type = headers.get('content-type') ?? '';
  if (/^(?:text\/html|application\/xhtml)/i.test(type)) {
    note('html', 'a page, text/html');
    return undefined;
  }
  if (status === 206) {
    const [, first, total] = /^bytes (\d+)-\d+\/(\d+)$/.exec(range) ?? [];
    if (first === '0' && Number.isSafeInteger(Number(total)))
      return openParts(url, response, host, Number(total));
    note('oddRange', range === '' ? 'status 206 without Content-Range' : 'another part of the file');
    return undefined;
  }
  const length = headers.get('content-encoding') ? '' : (headers.get('content-length') ?? '');
  const size = /^\d{1,15}$/.test(length) ? Number(length) : undefined;
  if (isVideo && (size ?? Infinity) > farRead) note('noRanges', 'status 200 for a part');
  if (size === undefined) note('noLength', 'a file without Content-Length');
  if (size === 0) note('empty', '0 bytes');
  return size === 0 ? undefined : openWhole(response, host, size);
}

/** The file of a host that answers ranges. */
function openParts(url: URL, response: Response, host: Host, size: number): Opened {
  const state = { bytesRead: 0, requests: 1, incomplete: '' };
  let first: Response | undefined = response;
  const read = async (offset: number, length: number): Promise<Uint8Array> => {
    let part = first;
    if (offset > 0 || !part) {
      state.requests++;
      part = await host.get(url, `bytes=${offset}-${offset + length - 1}`);
      const range = part.headers.get('content-range') ?? '';
      if (part.status !== 206 || !range.startsWith(`bytes ${offset}-`) || !range.endsWith(`/${size}`)) {
        state.incomplete = 'it changed while it was read, or its host gave another part than was asked for';
        await part.body?.cancel().catch(() => {});
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

/** The file of a host that sends all of it: what is needed is taken, and the rest refused. */
async function openWhole(response: Response, host: Host, given: number | undefined): Promise<Opened> {
  const state = { bytesRead: 0, requests: 1, incomplete: '' };
  const stream = streamOf(response, host.signal);
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
async function readRobots(url: URL, host: Host): Promise<Parameters<Note> | undefined> {
  const response = await host.get(new URL('/robots.txt', url));
  const { status, headers } = response;
  const isClosed = status === 401 || status === 403 || status === 429 || status >= 500;
  const isPage = status === 200 && /^text\/html/i.test(headers.get('content-type') ?? '');
  if (status !== 200 || isPage) await response.body?.cancel().catch(() => {});
  if (isClosed) return ['robotsUnclear', `robots.txt with status ${status}`];
  if (isPage) return ['robotsUnclear', 'a page as robots.txt'];
  if (status !== 200) return undefined;
  const text = new TextDecoder().decode(await host.take(response, mostOfRobots));
  const verdict = robotsVerdict(text, fileRobot, `${url.pathname}${url.search}`);
  return verdict && [verdict === 'named' ? 'robots' : 'robotsOfAll', 'robots.txt that forbids the address'];
}
