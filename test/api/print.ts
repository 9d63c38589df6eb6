import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';

import ts from 'typescript';

/** Entries in the order in which they are printed: what two of them export is printed in full for the first one. */
const first = ['./core', './models', './page', './pics'];

/** The methods of a client that are functions of its entry, where they are printed. */
const methods = /(?:  readonly (\w+): Throwing<typeof import\('[^']+'\)\.\1>;\n)+/g;

/** An entry of the package, such as `./page`, with what it exports. */
export interface PackageEntry {
  readonly path: string;
  /** As it is imported, such as `pagepics/page`. */
  readonly name: string;
  /** The file that is loaded. */
  readonly module: string;
  readonly exports: readonly ts.Symbol[];
}

/** The built declarations of the package. */
export interface Declarations {
  readonly checker: ts.TypeChecker;
  readonly entries: readonly PackageEntry[];
}

export function readDeclarations(): Declarations {
  const { exports } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    readonly exports: Readonly<Record<string, { readonly types?: string; readonly default?: string }>>;
  };
  const files = Object.entries(exports)
    .flatMap(([path, { types, default: module = '' }]) =>
      types === undefined ? [] : [{ path, module, file: resolve(types) }],
    )
    .toSorted(({ path: a }, { path: b }) => rank(a) - rank(b) || a.localeCompare(b));
  // What the package imports is not printed, and takes longer to parse than the package.
  const options = { module: ts.ModuleKind.NodeNext, lib: ['lib.es5.d.ts'], types: [] };
  const host = ts.createCompilerHost(options);
  const fileExists = host.fileExists.bind(host);
  host.fileExists = (path) =>
    (!path.includes('/node_modules/') || path.includes('/typescript/lib/')) && fileExists(path);
  const program = ts.createProgram(
    files.map(({ file }) => file),
    options,
    host,
  );
  const checker = program.getTypeChecker();
  const entries = files.map(({ path, module: loaded, file }) => {
    const source = program.getSourceFile(file);
    const module = source && checker.getSymbolAtLocation(source);
    if (module === undefined) throw new Error(`${file} is no module`);
    const name = path === '.' ? 'pagepics' : `pagepics${path.slice(1)}`;
    return { path, name, module: loaded, exports: checker.getExportsOfModule(module) };
  });
  return { checker, entries };
}

/** What an exported name stands for. */
export function targetOf(checker: ts.TypeChecker, symbol: ts.Symbol): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

/** The public API of each entry of the package, by the name of its file here. */
export function printApi({ checker, entries }: Declarations): ReadonlyMap<string, string> {
  const printer = ts.createPrinter({ removeComments: true });
  /** The entry that each symbol was printed in full for. */
  const owners = new Map<ts.Symbol, string>();

  return new Map(
    entries.map(({ path, name, exports }) => [
      `${path.replace(/^\.\/?/, '') || 'index'}.txt`,
      print(name, exports),
    ]),
  );

  function print(entry: string, exported: readonly ts.Symbol[]): string {
    const exports = exported.map((symbol) => [symbol.name, targetOf(checker, symbol)] as const);
    const inner = new Set<ts.Symbol>();
    const lines = exports.toSorted(byName).map(([name, symbol]) => {
      const owner = owners.get(symbol);
      if (owner !== undefined) return `${name}: see ${owner}\n`;
      owners.set(symbol, entry);
      return declarationsOf(symbol, inner);
    });
    const hidden: string[] = [];
    // Declarations found in the text of another one are added to the set while the loop runs.
    for (const symbol of inner) {
      if (owners.has(symbol)) continue;
      owners.set(symbol, entry);
      hidden.push(declarationsOf(symbol, inner));
    }
    const rest =
      hidden.length === 0
        ? ''
        : `\n// Not exported, but part of the types above\n\n${hidden.toSorted().join('\n')}`;
    return `// ${entry}\n\n${lines.join('\n')}${rest}`;
  }

  /** The declarations of a symbol without comments; what else of the package they name goes into `inner`. */
  function declarationsOf(symbol: ts.Symbol, inner: Set<ts.Symbol>): string {
    const texts = (symbol.declarations ?? []).map((declaration) => {
      const node = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
      note(node, inner);
      const text = printer.printNode(ts.EmitHint.Unspecified, node, node.getSourceFile());
      return text
        .replace(/^(?:export )?(?:default )?(?:declare )?/, '')
        .replaceAll('    ', '  ')
        .replace(methods, '  // Each of its functions, as a method.\n');
    });
    return `${texts.join('\n')}\n`;
  }

  function note(node: ts.Node, inner: Set<ts.Symbol>): void {
    if (ts.isIdentifier(node)) {
      const found = checker.getSymbolAtLocation(node);
      const symbol = found && targetOf(checker, found);
      const top = symbol?.declarations?.some(
        (declaration) => isOurs(declaration.getSourceFile()) && isTop(declaration),
      );
      if (symbol && top) inner.add(symbol);
    }
    ts.forEachChild(node, (child) => note(child, inner));
  }
}

function rank(path: string): number {
  const at = first.indexOf(path);
  return at === -1 ? first.length : at;
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

function isOurs(file: ts.SourceFile): boolean {
  return relative(process.cwd(), file.fileName).startsWith('dist');
}

function isTop(declaration: ts.Declaration): boolean {
  const node = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
  return !ts.isSourceFile(node) && ts.isSourceFile(node.parent);
}
