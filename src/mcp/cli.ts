import type { Fetch } from '../core/http/types.ts';
import { readArguments, unknownArguments } from '../core/options/arguments.ts';
import type { Environment } from '../core/options/env.ts';
import { memoryJournal } from '../core/writes/journal/createJournal.ts';
import type { Journal } from '../core/writes/journal/types.ts';
import { accessFrom } from './access.ts';
import type { Desk } from './plans.ts';
import { serveLines } from './protocol.ts';
import { instructions, toolsOf } from './tools.ts';

/** The inputs and outputs of the command line. */
export interface CommandLine {
  readonly env: Environment;
  readonly write: (line: string) => void;
  readonly writeError: (line: string) => void;
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

  --page <id>      the Page that is meant if none is named; PAGE_ID by default
  --account <id>   the photo-sharing account of the Page; PICS_USER_ID by default
  --client <name>  page, pics-login or pics-pages
  --journal <path> keeps what was published in this SQLite file, so that a plan
                   is published once even if the command is started again;
                   PAGEPICS_JOURNAL by default
  --media-hosts <host>,…
                   publishes media from these hosts only; from all by default
  --help           shows this`;

const options = ['--page', '--account', '--client', '--journal', '--media-hosts'] as const;

/** Serves until standard input ends, and returns the exit code. */
export async function run([, ...args]: readonly string[], line: CommandLine): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    line.write(usage);
    return 0;
  }
  const read = readArguments(args, options);
  const wrong = typeof read === 'string' ? read : read.words.length > 0 && unknownArguments(read.words);
  if (typeof read === 'string' || wrong !== false) return failed(line, `${wrong}\n\n${usage}`);
  const { values } = read;
  const hosts = hostsIn(values['--media-hosts']);
  if (typeof hosts === 'string') return failed(line, hosts);
  const path = values['--journal'] ?? (line.env['PAGEPICS_JOURNAL'] || undefined);
  let journal: Journal;
  try {
    journal = path === undefined ? memoryJournal() : await line.openJournal(path);
  } catch (thrown) {
    return failed(line, `The journal could not be opened: ${String(thrown)}`);
  }
  const wanted = { client: values['--client'], page: values['--page'], account: values['--account'] };
  const access = accessFrom(line.env, wanted, journal);
  if (access.isErr()) return failed(line, access.error.message);
  const { fetch = globalThis.fetch, now = Date.now } = line;
  const desk: Desk = { access: access.value, media: { fetch, hosts }, now, plans: new Map() };
  await serveLines(line.input, line.write, { version: line.version, instructions, tools: toolsOf(desk) });
  return 0;
}

function failed({ writeError }: CommandLine, message: string): number {
  writeError(message);
  return 2;
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
