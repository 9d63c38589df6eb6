import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';

import type TypeScript from 'typescript';
import { describe, expect, test } from 'vitest';

const longestFunction = 60;

interface Source {
  readonly path: string;
  readonly text: string;
  /** Files of `src` that it imports or exports from when it runs. */
  readonly imports: readonly string[];
}

const sources: readonly Source[] = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => {
    const text = readFileSync(`src/${path}`, 'utf8');
    const imports = [
      ...text.matchAll(/(?:^(?:import|export)(?! type\b)[^;]*? from |import\()'(\.[^']*)'/gm),
    ].map(([, name = '']) => join(dirname(path), name));
    return { path, text, imports };
  });
const core = sources.filter(({ path }) => path.startsWith('core/'));

describe('src/core', () => {
  test(`has no function over ${longestFunction} lines`, { tags: 'long' }, async () => {
    const { default: ts } = await import('typescript');

    expect(core.flatMap((source) => longFunctions(ts, source))).toEqual([]);
  });
});

describe('src', () => {
  test('imports nothing in a circle when it runs', () => {
    expect(circles()).toEqual([]);
  });

  test('knows what it checks', () => {
    expect(core.length).toBeGreaterThan(30);
    expect(core.flatMap(({ imports }) => imports).length).toBeGreaterThan(80);
  });
});

/** Functions whose bodies are too long, by their first line. Functions that are declared within count for themselves. */
function longFunctions(ts: typeof TypeScript, { path, text }: Source): string[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const lineAt = (position: number): number => file.getLineAndCharacterOfPosition(position).line;
  const linesOf = (node: TypeScript.Node): number => lineAt(node.getEnd()) - lineAt(node.getStart()) + 1;
  const found: string[] = [];
  function declaredIn(node: TypeScript.Node): number {
    let lines = 0;
    ts.forEachChild(node, (child) => {
      lines += ts.isFunctionDeclaration(child) ? linesOf(child) : declaredIn(child);
    });
    return lines;
  }
  function visit(node: TypeScript.Node): void {
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined) {
      const lines = linesOf(node.body as TypeScript.Node) - declaredIn(node);
      if (lines > longestFunction) found.push(`${path}:${lineAt(node.getStart()) + 1} has ${lines} lines`);
    }
    ts.forEachChild(node, visit);
  }
  visit(file);
  return found;
}

/** Chains of imports that lead back to where they began. */
function circles(): string[] {
  const importsOf = new Map(sources.map(({ path, imports }) => [path, imports]));
  const done = new Set<string>();
  const found: string[] = [];
  function visit(path: string, chain: readonly string[]): void {
    const at = chain.indexOf(path);
    if (at >= 0) {
      found.push([...chain.slice(at), path].join(' -> '));
      return;
    }
    if (done.has(path)) return;
    for (const next of importsOf.get(path) ?? []) visit(next, [...chain, path]);
    done.add(path);
  }
  for (const { path } of sources) visit(path, []);
  return found;
}
