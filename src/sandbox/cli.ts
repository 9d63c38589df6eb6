import { shownArgument } from '../core/options/env.ts';
import { serveUi } from './ui/serveUi.ts';

/** Where the command line writes to, and when it ends. */
export interface Terminal {
  readonly write: (line: string) => void;
  readonly writeError: (line: string) => void;
  /** Settles when the person wants it to stop. */
  readonly stopped: Promise<void>;
}

const usage = `Usage: pagepics sandbox [options]

Serves both platforms, emulated in memory, with pages for people, on 127.0.0.1.

  --port <number>   0 takes any free port; 4010 by default
  --seed <number>   equal seeds give equal ids and tokens; 1 by default
  --pages <number>  how many Pages there are, 3 to 100; 3 by default
  --require-proof   refuses calls without an appsecret_proof
  --help            shows this

pagepics doctor tells what works with a token, pagepics scopes what to ask for,
pagepics example runs an example.`;

interface Settings {
  readonly port: number;
  readonly seed: number;
  readonly pages: number;
  readonly requireProof: boolean;
}

const numbers: Readonly<
  Record<string, { readonly name: 'port' | 'seed' | 'pages'; readonly from: number; readonly to: number }>
> = {
  '--port': { name: 'port', from: 0, to: 65_535 },
  '--seed': { name: 'seed', from: 0, to: 4_294_967_295 },
  '--pages': { name: 'pages', from: 3, to: 100 },
};

/** Runs the command line until it is stopped, and returns the exit code. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    terminal.write(usage);
    return 0;
  }
  const settings = settingsOf(args);
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
  if (code === 'EACCES') return `Port ${port} is not allowed. Choose one from 1024 on with --port.`;
  return `The sandbox could not start: ${String(thrown)}`;
}

/** What the arguments say, or what is wrong with them. */
function settingsOf([command, ...rest]: readonly string[]): Settings | string {
  if (command === undefined) return 'A command is missing.';
  if (command !== 'sandbox') return `Unknown command: ${shownArgument(command)}`;
  const settings = { port: 4010, seed: 1, pages: 3, requireProof: false };
  const words = rest.flatMap((word) => (word.startsWith('--') ? splitOnce(word) : [word]));
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    const number = Object.hasOwn(numbers, word) ? numbers[word] : undefined;
    if (word === '--require-proof') settings.requireProof = true;
    else if (number === undefined) return `Unknown argument: ${shownArgument(word)}`;
    else {
      at += 1;
      const value = /^\d+$/.test(words[at] ?? '') ? Number(words[at]) : Number.NaN;
      const { name, from, to } = number;
      if (!(value >= from && value <= to)) return `${word} takes a whole number from ${from} to ${to}.`;
      settings[name] = value;
    }
  }
  return settings;
}

/** `--port=4010` is the same as `--port 4010`. */
function splitOnce(word: string): readonly string[] {
  const at = word.indexOf('=');
  return at === -1 ? [word] : [word.slice(0, at), word.slice(at + 1)];
}
