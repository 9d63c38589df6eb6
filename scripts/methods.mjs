// Writes the types of the clients' methods, from the declarations that the build made of the functions. `Bound` would
// keep their doc comments as they are; here, the client's example comes first, and the errors that a method throws are
// named.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path/posix';

import { partsOf, toComment } from './comments.mjs';

/** Creates `dist/<platform>/methods.d.ts`, and makes the client's type extend it. */
export function writeMethods(platform) {
  const folder = `dist/${platform}`;
  const aliases = aliasesIn(readFileSync('dist/core/errors.d.ts', 'utf8'));
  const functions = functionsOf(`${folder}/endpoints.d.ts`);
  const sources = [...new Set(functions.map(({ file }) => file))];
  const lines = [
    "import type { Throwing } from '../core/client.ts';",
    '/** The functions as methods that throw. */',
    'export interface Methods {',
  ];
  const mappings = lines.map(() => '');
  for (const { name, file } of functions) {
    const comment = commentOf(name, readFileSync(file, 'utf8'), aliases).map((line) => `    ${line}`);
    const path = relative(folder, file).replace(/\.d\.ts$/, '.ts');
    lines.push(...comment, `    readonly ${name}: Throwing<typeof import('./${path}').${name}>;`);
    mappings.push(...comment.map(() => ''), { source: sources.indexOf(file), ...placeOf(file, name) });
  }
  lines.push('}', '//# sourceMappingURL=methods.d.ts.map');
  writeFileSync(`${folder}/methods.d.ts`, lines.join('\n'));
  const map = {
    version: 3,
    file: 'methods.d.ts',
    sources: sources.map((file) => relative(folder, sourceOf(file))),
    names: [],
    mappings: encode(mappings),
  };
  writeFileSync(`${folder}/methods.d.ts.map`, JSON.stringify(map));

  // No line moves, so the map of the file stays right.
  const client = readFileSync(`${folder}/client.d.ts`, 'utf8');
  const extended = client
    .replace(/^import \{ type Bound, (.*)$/m, "import type { Methods } from './methods.ts'; import { $1")
    .replace(' extends Bound<typeof endpoints>,', ' extends Methods,');
  if (/\bBound\b/.test(extended))
    throw new Error(`${folder}/client.d.ts: the type of the client is not known`);
  writeFileSync(`${folder}/client.d.ts`, extended);
}

/** The functions that a declaration file exports, be it from others, each with the file that declares it. */
function functionsOf(file) {
  const text = readFileSync(file, 'utf8');
  const found = text.matchAll(/^export (?:\* from '(.*)\.ts'|declare function (\w+))/gm);
  return [...found].flatMap(([, path, name]) =>
    name === undefined ? functionsOf(join(dirname(file), `${path}.d.ts`)) : [{ name, file }],
  );
}

/** The source of a declaration file. */
function sourceOf(file) {
  return file.replace(/^dist(.*)\.d\.ts$/, 'src$1.ts');
}

/** The doc comment of a method: that of its function, whose example of a client comes first. */
function commentOf(name, text, aliases) {
  // A type of several lines is indented; the end of a declaration is not.
  const pattern = new RegExp(
    String.raw`(/\*\*\n(?: \*.*\n)+ \*/\n)export declare function ${name}\([^]*?\): ([^]*?);\n(?![ }])`,
  );
  const [, comment, returns] = pattern.exec(text) ?? [];
  if (comment === undefined) throw new Error(`${name}: no function with a doc comment`);
  const [description, ...tags] = partsOf(comment);
  const own = tags.find((tag) => tag.startsWith('@example With a client'));
  if (own === undefined) throw new Error(`${name}: no row in src/connections/requirements.ts`);
  const thrown = errorsIn(failureOf(returns), new Map([...aliases, ...aliasesIn(text)]));
  return toComment([
    description,
    own.replace(/^@example.*/, '@example'),
    ...(thrown.length === 0 ? [] : [`@throws {${thrown.join(' | ')}}`]),
    ...tags
      .filter((tag) => tag !== own)
      .map((tag) => tag.replace(/^@example$/m, '@example With the function, which does not throw')),
  ]);
}

/** The second type argument of the `Result` or `ResultAsync` in a type. */
function failureOf(type) {
  const rest = type.replace(/^[^]*?\bResult(?:Async)?</, '');
  let depth = 0;
  let begin = 0;
  for (let at = 0; at < rest.length; at++) {
    if ('<({['.includes(rest[at])) depth++;
    else if (rest[at] === ',' && depth === 0) begin = at + 1;
    else if ('>)}]'.includes(rest[at]) && rest[at - 1] !== '=' && depth-- === 0) return rest.slice(begin, at);
  }
  throw new Error(`no failure in ${type}`);
}

/** The classes in a union. */
function errorsIn(union, known) {
  const errors = union.split('|').flatMap((part) => {
    const name = part.trim();
    if (known.has(name)) return errorsIn(known.get(name), known);
    if (name !== 'never' && !/^\w+Error$/.test(name)) throw new Error(`no errors: ${name}`);
    return name === 'never' ? [] : [name];
  });
  return [...new Set(errors)];
}

function aliasesIn(text) {
  return [...text.matchAll(/^export type (\w+) = ([\w |]+);$/gm)].map(([, name, union]) => [name, union]);
}

/** Where a function of a declaration file is named in its source: line and column from 0. */
function placeOf(file, name) {
  const before = readFileSync(sourceOf(file), 'utf8').split(`export function ${name}(`, 1)[0].split('\n');
  return { line: before.length - 1, column: 'export function '.length };
}

/** The mappings of a source map: one for each line that has a member, at the column of the member. */
function encode(lines) {
  let last = { source: 0, line: 0, column: 0 };
  return lines
    .map((place) => {
      if (place === '') return '';
      const deltas = [13, place.source - last.source, place.line - last.line, place.column - last.column];
      last = place;
      return deltas.map(digits).join('');
    })
    .join(';');
}

/** A number in base 64, five bits per digit, with the sign in the lowest bit. */
function digits(number) {
  let text = '';
  let rest = number < 0 ? -number * 2 + 1 : number * 2;
  do {
    const more = rest > 31 ? 32 : 0;
    text += 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'[(rest & 31) + more];
    rest >>= 5;
  } while (rest > 0);
  return text;
}
