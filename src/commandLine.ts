// Arguments of the command `pagepics`. Only commands import this file: it needs Node.

import { parseArgs, type ParseArgsConfig } from 'node:util';

import type { Environment } from './core/settings.ts';

/** The inputs and outputs that commands have. */
export interface CommandLine {
  readonly env: Environment;
  readonly write: (line: string) => void;
  readonly writeError: (line: string) => void;
  readonly hasColours?: boolean;
}

/** The arguments of a command; or the exit code, where they ask for help or are wrong, which is said with the usage. */
export function begin<TName extends string, TFlag extends string = never>(
  args: readonly string[],
  line: CommandLine,
  usage: string,
  names: readonly TName[],
  flags: readonly TFlag[] = [],
): Arguments<TName, TFlag> | number {
  const read = readArguments(args, names, flags);
  if (typeof read === 'string') return failed(line, `${read}\n\n${usage}`);
  if (!read.flags.has('help')) return read;
  line.write(usage);
  return 0;
}

/** Says why a command cannot do its work, and returns the exit code for that. */
export function failed({ writeError }: CommandLine, message: string): number {
  writeError(message);
  return 2;
}

/** The arguments of a command, sorted. */
export interface Arguments<TName extends string, TFlag extends string> {
  /** The values of options: of `--name value` and of `--name=value`. */
  readonly values: Readonly<Partial<Record<TName, string>>>;
  /** The options without a value that were given. */
  readonly flags: ReadonlySet<TFlag | 'help'>;
  readonly words: readonly string[];
}

/**
 * Sorts the arguments of a command, or returns a message about the first invalid one. With `--help` or `-h`, all other
 * arguments are ignored.
 */
export function readArguments<TName extends string, TFlag extends string = never>(
  args: readonly string[],
  names: readonly TName[],
  flags: readonly TFlag[] = [],
  needsValue = (name: TName): string => `--${name} needs a value.`,
): Arguments<TName, TFlag> | string {
  const options: ParseArgsConfig['options'] = { help: { type: 'boolean', short: 'h' } };
  for (const name of names) options[name] = { type: 'string' };
  for (const flag of flags) options[flag] = { type: 'boolean' };
  // Not strict: the errors of strict parsing quote arguments, which may be tokens.
  const { tokens } = parseArgs({ args, options, strict: false, allowPositionals: true, tokens: true });
  const values: Partial<Record<TName, string>> = {};
  const given = new Set<TFlag | 'help'>();
  const words: string[] = [];
  if (tokens.some((token) => token.kind === 'option' && token.name === 'help'))
    return { values, flags: given.add('help'), words };
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value);
    if (token.kind !== 'option') continue;
    const { rawName, value, inlineValue } = token;
    const name = names.find((one) => `--${one}` === rawName);
    const flag = flags.find((one) => `--${one}` === rawName);
    if (name !== undefined) {
      if (!value || (!inlineValue && value.startsWith('--'))) return needsValue(name);
      if (values[name] !== undefined) return `--${name} is given twice.`;
      values[name] = value;
    } else if (flag !== undefined && value === undefined) given.add(flag);
    else return unknownArguments([rawName]);
  }
  return { values, flags: given, words };
}

export function unknownArguments(words: readonly string[]): string {
  return `Unknown argument: ${words.map(shownArgument).join(' ')}`;
}

/** An argument for a message. A long one that is not just letters and hyphens may be a token, and is not shown. */
export function shownArgument(word: string): string {
  return word.length <= 20 || /^[a-z-]{1,40}$/i.test(word) ? word : `(${word.length} characters)`;
}

/** Lines of at most 80 columns, broken between words, or within one that is too long. */
export function wrapped(text: string, first = '', next = first, columns = 80): readonly string[] {
  const lines: string[] = [];
  let line = first;
  let isEmpty = true;
  for (const word of text
    .split(' ')
    .flatMap((one) => one.match(new RegExp(`.{1,${columns - next.length}}`, 'gs')) ?? [''])) {
    if (!isEmpty && line.length + 1 + word.length > columns) {
      lines.push(line);
      line = next;
      isEmpty = true;
    }
    line += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...lines, line];
}

/** Colours a text where there is a terminal. */
export function painter({ hasColours }: CommandLine) {
  const paint = (code: number) => (text: string) =>
    hasColours === true ? `\u{1b}[${code}m${text}\u{1b}[0m` : text;
  return {
    bold: paint(1),
    dim: paint(2),
    red: paint(31),
    green: paint(32),
    yellow: paint(33),
    blue: paint(34),
  };
}
