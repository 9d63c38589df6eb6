import { parseJSONRPCMessage, type RequestId, type Transport } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

import { begin, type CommandLine, failed, unknownArguments } from '../commandLine.ts';
import type { Fetch } from '../core/http/types.ts';
import { fieldsOf } from '../core/objects.ts';
import { memoryJournal } from '../core/writes/journal/createJournal.ts';
import type { Journal } from '../core/writes/journal/types.ts';
import { accessFrom } from './access.ts';
import type { Session } from './plans.ts';
import { serverFor } from './tools.ts';

/** The command line of `mcp`. */
export interface McpLine extends CommandLine {
  /** The client's messages, in chunks. */
  readonly input: AsyncIterable<string>;
  readonly version: string;
  /** Opens a journal in a file. */
  readonly openJournal: (path: string) => Promise<Journal>;
  /**
   * Fetches the headers of media. It throws an error with the code `ENOTPUBLIC` for a name whose address is not public.
   * @default the global one, which accepts any address
   */
  readonly fetch?: Fetch;
  /** Milliseconds since 1970. @default Date.now */
  readonly now?: () => number;
}

const usage = `Usage: pagepics mcp [options]

Lets a model read and publish for one login, by the Model Context Protocol on
standard input and output. It publishes only what was planned, checked and shown
before. The token comes from PAGE_TOKEN or PICS_TOKEN, the app from PAGE_APP_ID
and PAGE_APP_SECRET, or PICS_APP_ID and PICS_APP_SECRET. It is sent to the
platform only, or to the addresses in PAGEPICS_PLATFORM.

  --page <id>      the Page to use if none is named; PAGE_ID by default
  --account <id>   the photo-sharing account of the Page; PICS_USER_ID by default
  --client <name>  page, pics-login or pics-pages
  --journal <path> keeps what was published in this SQLite file, so that a plan
                   is published once even if the command is started again;
                   PAGEPICS_JOURNAL by default
  --media-hosts <host>,…
                   publishes media from these hosts only; from all by default
  --help           shows this`;

const options = ['page', 'account', 'client', 'journal', 'media-hosts'] as const;

/** Serves until standard input ends, and returns the exit code. */
export async function run([, ...args]: readonly string[], line: McpLine): Promise<number> {
  const read = begin(args, line, usage, options);
  if (typeof read === 'number') return read;
  const { values, words } = read;
  if (words.length > 0) return failed(line, `${unknownArguments(words)}\n\n${usage}`);
  const hosts = hostsIn(values['media-hosts']);
  if (typeof hosts === 'string') return failed(line, hosts);
  const path = values['journal'] ?? (line.env['PAGEPICS_JOURNAL'] || undefined);
  let journal: Journal;
  try {
    journal = path === undefined ? memoryJournal() : await line.openJournal(path);
  } catch (thrown) {
    return failed(line, `The journal could not be opened: ${String(thrown)}`);
  }
  const wanted = { client: values['client'], page: values['page'], account: values['account'] };
  const access = accessFrom(line.env, wanted, journal);
  if (access.isErr()) return failed(line, access.error.message);
  const { fetch = globalThis.fetch, now = Date.now } = line;
  const session: Session = { access: access.value, media: { fetch, hosts }, now, plans: new Map() };
  await serveLines(line, session);
  return 0;
}

/** The hosts that media may be on, normalized as in a URL, or what is wrong with them; `undefined` for all. */
function hostsIn(text: string | undefined): readonly string[] | string | undefined {
  const names = text
    ?.split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const hosts = names?.map((name) => {
    const url = URL.parse(`https://${name}`);
    return url?.href === `https://${url?.hostname}/` ? url.hostname : '';
  });
  const isWrong = hosts?.length === 0 || hosts?.includes('') === true;
  return isWrong ? '--media-hosts takes names of hosts, such as media.example.' : hosts;
}

/** The longest message that is read, in characters. */
const longestMessage = 1_048_576;

/** Messages that came in one line, which the version of 2025-03-26 allows. Their responses go out in one, too. */
interface Batch {
  open: number;
  readonly responses: unknown[];
}

/**
 * Serves JSON-RPC messages, one a line, until there are no more and each request has its response. The transport of the
 * library would drop calls in progress when its input ends, ignore invalid messages, and not support batches.
 */
async function serveLines({ input, write, version }: McpLine, session: Session): Promise<void> {
  /** The requests without a response, and the batches that they came in. */
  const open = new Map<RequestId, Batch | undefined>();
  let wake = (): void => undefined;
  const send = (message: unknown): void => write(oneLine(message));
  const transport: Transport = {
    start: async () => undefined,
    close: async () => undefined,
    send: async (message) => {
      const id = 'method' in message ? undefined : message.id;
      if (id === undefined) send(message);
      else settle(id, message);
    },
  };
  const settle = (id: RequestId, response?: unknown): void => {
    const batch = open.get(id);
    open.delete(id);
    respond(batch, response);
    wake();
  };
  const respond = (batch: Batch | undefined, response?: unknown): void => {
    if (batch === undefined) {
      if (response !== undefined) send(response);
      return;
    }
    if (response !== undefined) batch.responses.push(response);
    batch.open -= 1;
    if (batch.open === 0 && batch.responses.length > 0) send(batch.responses);
  };
  const receive = (given: unknown, batch?: Batch): void => {
    const message = attempt(() => parseJSONRPCMessage(given));
    if (message === undefined)
      return respond(batch, failure(idIn(given), -32_600, 'this is not a JSON-RPC message'));
    const isRequest = 'method' in message && 'id' in message;
    // A subscription is answered only when the server ends.
    if (isRequest && message.method !== 'subscriptions/listen') open.set(message.id, batch);
    else respond(batch);
    transport.onmessage?.(message);
    // A cancelled request gets no response.
    if ('method' in message && message.method === 'notifications/cancelled') {
      const cancelled = message.params?.['requestId'];
      if (typeof cancelled === 'string' || typeof cancelled === 'number') settle(cancelled);
    }
  };
  const handle = serveStdio(() => serverFor(session, version), { transport });
  for await (const line of linesOf(input)) {
    const given: unknown = line && attempt(() => JSON.parse(line));
    if (given === undefined) send(failure(null, -32_700, 'the message is not JSON, or too long'));
    else if (!Array.isArray(given) || given.length === 0) receive(given);
    else {
      const batch = { open: given.length, responses: [] };
      for (const one of given) receive(one, batch);
    }
  }
  while (open.size > 0) await new Promise<void>((resolve) => (wake = resolve));
  await handle.close();
}

/** The lines of a text that arrives in chunks; `undefined` for a line that is too long. */
async function* linesOf(chunks: AsyncIterable<string>): AsyncGenerator<string | undefined> {
  let rest = '';
  let isSkipping = false;
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (!isSkipping && line.trim() !== '') yield line;
      isSkipping = false;
    }
    if (rest.length <= longestMessage) continue;
    if (!isSkipping) yield undefined;
    isSkipping = true;
    rest = '';
  }
  if (!isSkipping && rest.trim() !== '') yield rest;
}

/** What a function returns; `undefined` if it throws. */
function attempt<TValue>(read: () => TValue): TValue | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** The id of an invalid request, if it has one. A number beyond 2^53 has lost digits, and would be another id. */
function idIn(given: unknown): RequestId | null {
  const { id } = fieldsOf(given);
  return typeof id === 'string' || (typeof id === 'number' && Number.isSafeInteger(id)) ? id : null;
}

function failure(id: RequestId | null, code: number, message: string): object {
  return { jsonrpc: '2.0', id, error: { code, message } };
}

/** JSON does not escape these, and some readers treat them as line breaks. */
function oneLine(message: unknown): string {
  return JSON.stringify(message).replaceAll(
    /[\u0085\u2028\u2029]/g,
    (end) => `\\u${end.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
