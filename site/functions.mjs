// One page a function of a platform, made of what is known of it elsewhere: its declaration and doc comment,
// `src/connections/requirements.ts`, and the groups of `endpoints.ts`. typedoc makes the pages of everything else.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { relative } from 'node:path/posix';

import ts from 'typescript';

import { partsOf } from '../scripts/comments.mjs';
import { requirements } from '../src/connections/requirements.ts';
import { livePlatform } from '../src/core/platform.ts';

const platforms = {
  page: { title: 'Page', of: 'Pages', modes: [['page', '']] },
  pics: {
    title: 'photo-sharing',
    of: 'photo-sharing accounts',
    modes: [
      ['pics-login', 'login mode'],
      ['pics-pages', 'page mode'],
    ],
  },
};

/** Whose token a function takes, in words. */
const tokens = {
  page: 'of the Page',
  user: 'of the person who manages the Pages',
  account: 'of the account',
  any: 'of a person or a Page',
  none: 'none',
};

/** Writes the pages of the functions of both platforms over those that typedoc made, in the folder of all pages. */
export function writeFunctionPages(pages) {
  const config = ts.readConfigFile(join(pages, '../tsconfig.json'), (path) => ts.sys.readFile(path)).config;
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, join(pages, '..'));
  const sources = Object.keys(platforms).map((platform) => join(pages, 'src', platform, 'endpoints.ts'));
  const program = ts.createProgram(sources, { ...options, noEmit: true });
  const checker = program.getTypeChecker();
  const found = Object.keys(platforms).map((platform, at) => {
    const module = checker.getSymbolAtLocation(program.getSourceFile(sources[at]));
    const symbols = checker.getExportsOfModule(module).filter(({ flags }) => flags & ts.SymbolFlags.Function);
    return [platform, new Map(symbols.map((symbol) => [symbol.name, symbol]))];
  });
  const functions = new Map(found);
  const places = placesIn(pages);
  for (const [platform, symbols] of functions)
    for (const [name, symbol] of symbols) {
      const file = fileOf(platform, name);
      const twin = platform === 'page' ? 'pics' : 'page';
      const page = { checker, places, platform, name, symbol, file };
      const text = pageOf(page, functions.get(twin).has(name) ? twin : undefined);
      writeFileSync(join(pages, file), text);
    }
}

export function fileOf(platform, name) {
  return `api/${platform}/functions/${name}.md`;
}

/** Where types and classes have their pages, by name: a platform's own ones, and those of any entry. */
function placesIn(pages) {
  const files = globSync('api/*/{interfaces,type-aliases,classes}/*.md', { cwd: pages });
  return (platform, name) =>
    [`api/${platform}/`, 'api/'].flatMap((folder) =>
      files.filter((file) => file.startsWith(folder) && basename(file, '.md') === name),
    )[0];
}

function pageOf(page, twin) {
  const { platform, name, symbol, checker } = page;
  const { title, of } = platforms[platform];
  const declaration = symbol.valueDeclaration;
  const [first, ...more] = descriptionOf(page);
  const elsewhere =
    twin &&
    `; for ${platforms[twin].of}: ${linkTo(page, fileOf(twin, name), `${name} (${platforms[twin].title})`)}`;
  const guide = guideOf(page);
  return [
    `---\ndescription: ${JSON.stringify(cell(first).replaceAll(/[`\\]/g, ''))}\n---`,
    `# ${name} (${title})`,
    first,
    `For ${of}, from \`pagepics/${platform}\`${elsewhere ?? ''}.${guide}`,
    ...more,
    '## Signature',
    signatureOf(page, declaration),
    typesIn(page, declaration),
    '## Example',
    ...examplesOf(page),
    ...optionsOf(page, declaration),
    '## Errors',
    errorsOf(page, checker, declaration),
    '## Permissions',
    permissionsOf(page),
    '',
  ].join('\n\n');
}

/** The paragraphs of the doc comment, without that of the permissions, which have a table. */
function descriptionOf(page) {
  const text = ts.displayPartsToString(page.symbol.getDocumentationComment(page.checker));
  const paragraphs = text.replace(/^Permissions?(?: in login mode)?: .*\n/gm, '').split(/\n\n+/);
  return paragraphs.map((paragraph) => proseOf(page, paragraph));
}

/** Markdown of a doc comment: links lead to pages, and what looks like a tag is none. */
function proseOf(page, text) {
  return text
    .split(/(`[^`]*`|\{@link \w+\})/)
    .map((part) => {
      const [, name] = /^\{@link (\w+)\}$/.exec(part) ?? [];
      if (name !== undefined) return linkOf(page, name);
      return part.startsWith('`') ? part : part.replaceAll('<', '&lt;').replaceAll('{{', '&#123;{');
    })
    .join('');
}

function linkOf(page, name, shown = name) {
  const place = page.places(page.platform, name);
  return place === undefined ? code(shown) : linkTo(page, place, code(shown));
}

function linkTo(page, place, shown) {
  return `[${shown}](${relative(join(page.file, '..'), place)})`;
}

/** The page of the docs for the group of the function in `endpoints.ts`. */
function guideOf(page) {
  const text = readFileSync(join(import.meta.dirname, `../src/${page.platform}/endpoints.ts`), 'utf8');
  const file = page.symbol.valueDeclaration.getSourceFile().fileName;
  const part = text
    .split('\n// ')
    .find((part) =>
      [...part.matchAll(/from '\.\/(.*)'/g)].some(([, path]) => file.endsWith(`/${page.platform}/${path}`)),
    );
  const links = [...(part?.split('\n')[0] ?? '').matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)];
  if (links.length === 0) throw new Error(`${page.name}: its subject has no page in docs`);
  return ` Guide: ${links.map(([, text, path]) => linkTo(page, path, text)).join(' and ')}.`;
}

/** How the function and the client's method are called. */
function signatureOf({ platform, name }, { parameters, type }) {
  const given = parameters.map((parameter) => {
    const mark = parameter.questionToken || parameter.initializer ? '?' : '';
    return `${parameter.name.getText()}${mark}: ${parameter.type.getText()}`;
  });
  const returns = flat(type.getText());
  const [, kind, inner] = /^(ResultAsync|Result|AsyncGenerator)<(.*)>$/.exec(returns);
  const value = firstOf(inner);
  const ofClient = {
    ResultAsync: `Promise<${value}>`,
    Result: value,
    AsyncGenerator: `AsyncGenerator<${firstOf(value.replace(/^Result<(.*)>$/, '$1'))}>`,
  };
  return [
    '```ts',
    `import { ${name} } from 'pagepics/${platform}';`,
    '',
    callOf(name, given, returns),
    '',
    '// the method of a client, which throws',
    callOf(`client.${name}`, given.slice(1), ofClient[kind]),
    '```',
  ].join('\n');
}

/** The pages of the types that a signature names. */
function typesIn(page, { parameters, type }) {
  const text = [...parameters.map(({ type }) => type), type].map((one) => one.getText()).join(' ');
  const names = [...new Set([...text.matchAll(/[A-Z]\w+/g)].map(([name]) => name))];
  const known = names.filter((name) => page.places(page.platform, name) !== undefined);
  return `Types: ${known.map((name) => linkOf(page, name)).join(', ')}.`;
}

function callOf(name, given, returns) {
  const line = `${name}(${given.join(', ')}): ${returns}`;
  return line.length <= 76 ? line : `${name}(${given.map((one) => `\n  ${one},`).join('')}\n): ${returns}`;
}

function flat(text) {
  return text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/([<(]) | ([>)])/g, '$1$2')
    .replaceAll(/,(?=[>)])/g, '');
}

/** The first type argument of several. */
function firstOf(args) {
  let depth = 0;
  for (let at = 0; at < args.length; at++) {
    if (args[at] === ',' && depth === 0) return args.slice(0, at);
    if ('<({['.includes(args[at])) depth += 1;
    else if ('>)}]'.includes(args[at]) && args[at - 1] !== '=') depth -= 1;
  }
  return args;
}

function examplesOf({ symbol }) {
  // As it was written: the compiler's own reading of a comment loses the indentation.
  const [comment] = ts.getJSDocCommentsAndTags(symbol.valueDeclaration);
  const examples = partsOf(comment.getText()).filter((part) => part.startsWith('@example'));
  return examples.flatMap((example) => {
    const [, caption, body] = /^@example(.*)\n([^]*)$/.exec(example);
    return [`${caption.trim() || 'With the function'}:`, `\`\`\`ts\n${body}\n\`\`\``];
  });
}

/** A table of the members of the options, in whatever of their forms. */
function optionsOf(page, { parameters }) {
  const [, parameter] = parameters;
  if (parameter === undefined) return ['## Options', 'None.'];
  const { checker } = page;
  const type = checker.getNonNullableType(checker.getTypeFromTypeNode(parameter.type));
  const forms = type.isUnion() ? type.types : [type];
  const rows = new Map();
  for (const form of forms)
    for (const member of checker.getPropertiesOfType(form)) {
      const row = rows.get(member.name) ?? {
        name: member.name,
        types: new Set(),
        required: 0,
        text: '',
        initial: '',
      };
      const declared = typeOf(checker, member, parameter);
      if (declared !== 'undefined') row.types.add(declared);
      if (!(member.flags & ts.SymbolFlags.Optional)) row.required += 1;
      row.text ||= ts.displayPartsToString(member.getDocumentationComment(checker));
      row.initial ||= ts.displayPartsToString(
        member.getJsDocTags(checker).find(({ name }) => name === 'default')?.text,
      );
      rows.set(member.name, row);
    }
  const rank = ({ name, required }) =>
    name === 'signal' ? 3 : required === forms.length ? 0 : required > 0 ? 1 : 2;
  const lines = [...rows.values()]
    .sort((a, b) => rank(a) - rank(b))
    .map((row) => rowOf(page, row, forms.length));
  const name = parameter.type.getText();
  const names = forms.map(({ aliasSymbol, symbol }) => (aliasSymbol ?? symbol)?.name ?? '__type');
  const several = forms.length > 1 && names.every((one) => one !== '__type');
  const intro = several
    ? `${linkOf(page, name)} is one of ${names.map((one) => linkOf(page, one)).join(', ')}.`
    : `${linkOf(page, name)}:`;
  return ['## Options', intro, ['| Option | What it is |', '|---|---|', ...lines].join('\n')];
}

/** The type of a member as it was written, without `undefined`, which every optional one allows. */
function typeOf(checker, member, place) {
  const { type } = member.valueDeclaration ?? {};
  const text =
    type === undefined
      ? checker.typeToString(checker.getTypeOfSymbolAtLocation(member, place))
      : flat(type.getText());
  return text.replace(/ \| undefined$/, '');
}

/** What options are that say it by their names. */
const usual = {
  pageId: 'Id of the Page.',
  postId: 'Id of the post.',
  commentId: 'Id of the comment.',
  mediaId: 'Id of the media.',
  formId: 'Id of the form.',
  videoId: 'Id of the video.',
  message: 'Text.',
  text: 'Text.',
  title: 'Title.',
  description: 'Text.',
  containerId: 'Id of the container.',
  conversationId: 'Id of the conversation.',
  userId: 'Id of the person.',
  signal: 'Aborts the call.',
};

function rowOf(page, { name, types, required, text, initial }, forms) {
  const shown = [...types].filter((one) => !(/^(?:true|false)$/.test(one) && types.has('boolean')));
  const parts = [
    required === forms ? '**Required.**' : required > 0 ? 'Required in one of its forms.' : '',
    proseOf(page, text || usual[name] || ''),
    initial === '' ? '' : `Default: ${initialOf(initial)}.`,
  ];
  const about = parts.filter((part) => part !== '').join(' ');
  return `| ${code(name)}<br>${shown.map((one) => typeLink(page, one)).join(' or ')} | ${cell(about)} |`;
}

/** A value, or how it is found, in words. */
function initialOf(text) {
  return /^[\w.'"[\]]+$/.test(text) ? code(text) : text;
}

/** A type, which leads to the page of the first type in it that has one. */
function typeLink(page, type) {
  const name = [...type.matchAll(/[A-Z]\w+/g)]
    .map(([one]) => one)
    .find((one) => page.places(page.platform, one));
  return cell(name === undefined ? code(type) : linkOf(page, name, type));
}

function cell(text) {
  return text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|');
}

function errorsOf(page, checker, { type }) {
  const returns = checker.getTypeFromTypeNode(type);
  const failure = failureIn(checker, returns);
  const classes = failure.isUnion() ? failure.types : [failure];
  const rows = classes
    .filter(({ symbol }) => symbol !== undefined)
    .map(({ symbol }) => {
      const about = ts.displayPartsToString(symbol.getDocumentationComment(checker)).split('\n\n')[0];
      return `| ${linkOf(page, symbol.name)} | ${cell(proseOf(page, about))} |`;
    });
  if (rows.length === 0) return 'None.';
  const intro = `The function returns them, the client's method throws them: ${linkTo(page, 'docs/errors.md', 'results and errors')}.`;
  return `${intro}\n\n| Error | When |\n|---|---|\n${rows.join('\n')}`;
}

/** The failure of a Result, be it alone, promised, or one of several. */
function failureIn(checker, type) {
  const [value, failure] = type.aliasTypeArguments ?? checker.getTypeArguments(type);
  const name = (type.aliasSymbol ?? type.symbol).name;
  return name === 'AsyncGenerator' ? failureIn(checker, value) : failure;
}

function permissionsOf(page) {
  const { title, modes } = platforms[page.platform];
  const rows = modes.map(([client, mode]) => [mode, requirements[client][page.name]]);
  const known = rows.filter(([, row]) => row !== undefined);
  if (known.length === 0)
    throw new Error(`${page.name} (${title}): no row in src/connections/requirements.ts`);
  const lacking = rows
    .filter(([, row]) => row === undefined)
    .map(([mode]) => `It does not work in ${mode}.\n\n`);
  const columns = known.map(([mode]) => mode);
  const lines = [
    ['Token', (row) => tokens[row.token]],
    ['Permissions', (row) => row.permissions.map(permission).join(', ') || 'none'],
    ['Task on the Page', (row) => [row.task ?? []].flat().map(code).join(' or ')],
    ['Feature of the app', (row) => (row.features ?? []).map((name) => name.replace(/^\w+ /, '')).join(', ')],
    ['Webhook field', (row) => (row.webhookFields ?? []).map(code).join(', ')],
  ]
    .map(([label, toText]) => [label, ...known.map(([, row]) => toText(row))])
    .filter(([, ...cells]) => cells.some((text) => text !== ''));
  const head = `| | ${columns.map((mode) => mode && mode[0].toUpperCase() + mode.slice(1)).join(' | ')} |`;
  const table = lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
  return `${lacking.join('')}${head}\n|${'---|'.repeat(columns.length + 1)}\n${table}\n\n${linkTo(page, 'docs/connections.md', 'Connections')} tells whether a token has them.`;
}

/** Under the name that the docs have for it, which is free of the brand. */
function permission(name) {
  return code(name.replace(livePlatform.words.picsScopePrefix, 'pics_'));
}

function code(text) {
  return `\`${text}\``;
}
