// Completes the doc comments of endpoints with what their sources do not repeat: the permissions, which are in
// `src/connections/requirements.ts`, what ends a walk, and the example of the client, which follows from that of the
// function.
import { globSync, readFileSync, writeFileSync } from 'node:fs';

import { requirements } from '../src/connections/requirements.ts';
import { livePlatform } from '../src/core/platform.ts';

const tables = {
  page: [requirements.page],
  pics: [requirements['pics-login'], requirements['pics-pages']],
};

/** Completes the declarations that the build made of a platform. */
export function completeDeclarations(platform) {
  for (const file of globSync(`dist/${platform}/**/*.d.ts`)) {
    const text = readFileSync(file, 'utf8');
    const completed = completeComments(platform, text);
    if (completed === text) continue;
    writeFileSync(file, completed);
    const map = JSON.parse(readFileSync(`${file}.map`, 'utf8'));
    const mappings = movedTo(completed, text, map.mappings);
    writeFileSync(`${file}.map`, JSON.stringify({ ...map, mappings }));
  }
}

/** A source or declaration file of a platform, with the doc comments of its endpoints completed. */
export function completeComments(platform, text) {
  return text.replace(
    /(\/\*\*\n(?: \*(?!\/).*\n)+ \*\/\n)(export (?:declare |async )?function\*? (\w+))/g,
    (whole, comment, declaration, name) => {
      const rows = tables[platform].flatMap((table) => table[name] ?? []);
      if (rows.length === 0) return whole;
      const [description, ...tags] = partsOf(comment);
      const ofWalk = name.startsWith('iterate') ? withWalk(description) : description;
      const parts = [withPermissions(name, ofWalk, rows), ...withClient(name, tags)];
      return `${toComment(parts).join('\n')}\n${declaration}`;
    },
  );
}

/** The parts of a doc comment: its description, and each tag. */
export function partsOf(comment) {
  return comment
    .replace(/^(?:\/\*\*| \*\/| \* ?)/gm, '')
    .trim()
    .split(/\n+(?=@)/);
}

/** The lines of the doc comment that has these parts. */
export function toComment(parts) {
  const lines = parts.join('\n\n').split('\n');
  return ['/**', ...lines.map((line) => ` * ${line}`.trimEnd()), ' */'];
}

/** What all iterators do with failures follows the first paragraph. */
function withWalk(description) {
  return description.replace('\n\n', `\n\n${ofWalks}\n\n`);
}

const ofWalks = `A failure ends the walk, after the entries before it. One that concerns a single entry, which the platform cannot
deliver, is yielded in its place, or goes to \`onUnreadable\`; without that, the iterator of a client throws the first
one at its end.`;

/** The sentence of permissions begins the paragraph that names the source. */
function withPermissions(name, description, rows) {
  const at = description.search(/(?<=^|\n\n)(?:(?!\n\n)[^])*\bSource: /);
  if (at === -1) throw new Error(`${name}: its doc comment has no paragraph with a "Source: "`);
  return description.slice(0, at) + permissionsIn(rows) + description.slice(at);
}

function permissionsIn(rows) {
  const [row, viaPages] = rows;
  if (row.permissions.length === 0) return '';
  if (viaPages) {
    const inPageMode = `${listed(viaPages)}${taskIn(viaPages)}`;
    return `Permissions in login mode: ${listed(row)}; in page mode: ${inPageMode}.\n`;
  }
  return `Permission${row.permissions.length === 1 ? '' : 's'}: ${listed(row)}${taskIn(row)}.\n`;
}

function taskIn(row) {
  const tasks = [row.task ?? []].flat().map((task) => `\`${task}\``);
  return tasks.length === 0 ? '' : `; Page task ${tasks.join(', ').replace(/, (?!.*, )/, ' or ')}`;
}

/** Permissions under the names that the docs have for them, which are free of the brand. */
function listed({ permissions }) {
  return permissions
    .map((name) => `\`${name.replace(livePlatform.words.picsScopePrefix, 'pics_')}\``)
    .join(', ');
}

/** The tags with an example of the client: the one that is derived, unless there is one that shows something else. */
function withClient(name, tags) {
  const ofFunction = tags.find((tag) => tag.startsWith('@example\n'));
  const ofClient = tags.find((tag) => tag.startsWith('@example With a client'));
  if (ofFunction === undefined) throw new Error(`${name}: its doc comment has no @example`);
  const code = callOfClient(name, ofFunction.replace('@example\n', ''));
  const derived = `@example With a client, which throws\n${code}`;
  if (ofClient === derived) throw new Error(`${name}: leave the client's example out: it is derived`);
  if (ofClient !== undefined) return tags;
  if (/\b(?:context|isOk|isErr)\b/.test(code))
    throw new Error(`${name}: add an "@example With a client, which throws", since none can be derived`);
  return [...tags, derived];
}

/** The client has the context, and throws instead of returning a `Result`. */
function callOfClient(name, example) {
  const code = example.replace(new RegExp(`\\b${name}\\(context(?:, )?`), `client.${name}(`);
  const [, item] = /^for await \(const (\w+) of /.exec(code) ?? [];
  if (item !== undefined) return code.replace(`if (${item}.isOk()) `, '').replaceAll(`${item}.value`, item);
  const [call, handling] = code.split(/\n(?=if \()/);
  return handling?.includes('.value') ? call : call.replace(/^const \w+ = (?=await client)/m, '');
}

/** The mappings of a file within whose comments lines were added. Only where a comment begins and ends has mappings. */
function movedTo(text, before, mappings) {
  const isWithin = (line) => /^ \*(?!\/)/.test(line);
  const linesBefore = before.split('\n');
  const others = mappings.split(';').filter((_, at) => !isWithin(linesBefore[at]));
  return text
    .split('\n')
    .map((line) => (isWithin(line) ? '' : others.shift()))
    .join(';');
}
