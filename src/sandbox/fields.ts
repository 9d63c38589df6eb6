import { refuse } from './errors.ts';

/** One name of a `fields` list: `edge.limit(5){a,b}`. */
export interface Selection {
  readonly name: string;
  readonly args: Readonly<Record<string, string>>;
  /** The selection in braces; `undefined` without braces. */
  readonly fields: readonly Selection[] | undefined;
}

export function parseFields(text: string | undefined): readonly Selection[] | undefined {
  if (text === undefined || text === '') return undefined;
  const reader = { text: joined(text.replaceAll(/\s/g, '')), at: 0, depth: 0 };
  const found = readList(reader);
  return reader.at === reader.text.length ? found : malformed(reader);
}

/** A list of names may come as a JSON array. */
function joined(text: string): string {
  return /^\[("[^"]*",?)*\]$/.test(text) ? text.slice(1, -1).replaceAll('"', '') : text;
}

interface Reader {
  readonly text: string;
  at: number;
  depth: number;
}

/** More levels than any response of the platform has. */
const deepest = 50;

function readList(reader: Reader): Selection[] {
  reader.depth += 1;
  if (reader.depth > deepest) return malformed(reader);
  const found = [readOne(reader)];
  while (reader.text[reader.at] === ',') {
    reader.at += 1;
    found.push(readOne(reader));
  }
  reader.depth -= 1;
  return found;
}

function readOne(reader: Reader): Selection {
  const name = take(reader, /[A-Za-z_][\w:]*/y);
  const args: Record<string, string> = {};
  while (reader.text[reader.at] === '.') {
    reader.at += 1;
    const arg = take(reader, /[A-Za-z_]\w*/y);
    args[arg] = take(reader, /\([^()]*\)/y).slice(1, -1);
  }
  if (reader.text[reader.at] !== '{') return { name, args, fields: undefined };
  reader.at += 1;
  const fields = readList(reader);
  if (reader.text[reader.at] !== '}') return malformed(reader);
  reader.at += 1;
  return { name, args, fields };
}

function take(reader: Reader, pattern: RegExp): string {
  pattern.lastIndex = reader.at;
  const found = pattern.exec(reader.text)?.[0];
  if (found === undefined) return malformed(reader);
  reader.at += found.length;
  return found;
}

function malformed(reader: Reader): never {
  return refuse({
    code: 2500,
    message: `Syntax error "Field list expected" at character ${reader.at}: ${reader.text.slice(0, 200)}`,
  });
}
