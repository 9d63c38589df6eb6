import { readArguments, unknownArguments } from '../commandLine.ts';
import { serveUi } from './ui/serveUi.ts';

/** Where the command line writes to, and when it ends. */
export interface Terminal {
  readonly write: (line: string) => void;
  readonly writeError: (line: string) => void;
  /** Resolves when the server is to stop. */
  readonly stopped: Promise<void>;
}

const usage = `Usage: pagepics sandbox [options]

Serves both platforms, emulated in memory, with pages for people, on 127.0.0.1.

  --port <number>   0 takes any free port; 4010 by default
  --seed <number>   equal seeds give equal ids and tokens; 1 by default
  --pages <number>  how many Pages there are, 3 to 100; 3 by default
  --require-proof   refuses calls without an appsecret_proof
  --help            shows this`;

interface Settings {
  readonly port: number;
  readonly seed: number;
  readonly pages: number;
  readonly requireProof: boolean;
}

const numbers = {
  port: { from: 0, to: 65_535 },
  seed: { from: 0, to: 4_294_967_295 },
  pages: { from: 3, to: 100 },
} as const;
type NumberOption = keyof typeof numbers;

/** Runs the command line until it is stopped, and returns the exit code. */
export async function run([, ...args]: readonly string[], terminal: Terminal): Promise<number> {
  const settings = settingsIn(args);
  if (settings === 'help') {
    terminal.write(usage);
    return 0;
  }
  if (typeof settings === 'string') {
    terminal.writeError(`${settings}\n\n${usage}`);
    return 1;
  }
  return serve(settings, terminal);
}

async function serve({ port, ...options }: Settings, terminal: Terminal): Promise<number> {
  try {
    const server = await serveUi(options, { port });
    terminal.write(`The sandbox is at ${server.url} (Ctrl-C stops it).`);
    await terminal.stopped;
    await server.close();
    return 0;
  } catch (thrown) {
    terminal.writeError(reasonOf(thrown, port));
    return 1;
  }
}

function reasonOf(thrown: unknown, port: number): string {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
  if (code === 'EADDRINUSE') return `Port ${port} is in use. Choose another one with --port.`;
  if (code === 'EACCES') return `Port ${port} is not allowed. Choose one of at least 1024 with --port.`;
  return `The sandbox could not start: ${String(thrown)}`;
}

/** The settings in the arguments, `help`, or what is wrong with them. */
function settingsIn(args: readonly string[]): Settings | string {
  const read = readArguments(args, ['port', 'seed', 'pages'], ['require-proof'], rangeOf);
  if (typeof read === 'string') return read;
  if (read.flags.has('help')) return 'help';
  if (read.words.length > 0) return unknownArguments(read.words);
  const settings = { port: 4010, seed: 1, pages: 3, requireProof: read.flags.has('require-proof') };
  for (const name of ['port', 'seed', 'pages'] as const) {
    const { from, to } = numbers[name];
    const text = read.values[name] ?? String(settings[name]);
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= from && value <= to)) return rangeOf(name);
    settings[name] = value;
  }
  return settings;
}

function rangeOf(name: NumberOption): string {
  const { from, to } = numbers[name];
  return `--${name} takes a whole number from ${from} to ${to}.`;
}
