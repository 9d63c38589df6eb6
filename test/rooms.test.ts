import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';

import { describe, expect, test } from 'vitest';

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

describe('src', () => {
  test('imports nothing in a circle when it runs', () => {
    expect(circles()).toEqual([]);
  });

  test('knows what it checks', () => {
    expect(core.length).toBeGreaterThan(30);
    expect(core.flatMap(({ imports }) => imports).length).toBeGreaterThan(80);
  });
});

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
