import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';

import { describe, expect, test } from 'vitest';

interface Source {
  readonly path: string;
  readonly text: string;
  /** Files of `src` that it imports or exports from when it runs. */
  readonly imports: readonly string[];
  /** Those, and the ones of which it needs only types. */
  readonly all: readonly string[];
}

const sources: readonly Source[] = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => {
    const text = readFileSync(`src/${path}`, 'utf8');
    const found = (pattern: RegExp): string[] =>
      [...text.matchAll(pattern)].map(([, name = '']) => join(dirname(path), name));
    return {
      path,
      text,
      imports: found(/(?:^(?:import|export)(?! type\b)[^;]*? from |import\()'(\.[^']*)'/gm),
      all: found(/^(?:import|export)\b[^;]*? from '(\.[^']*)'/gm),
    };
  });
const core = sources.filter(({ path }) => path.startsWith('core/'));

describe('src', () => {
  test('imports nothing in a circle when it runs', () => {
    expect(circles('imports')).toEqual([]);
  });

  test('has no circles of types across folders, and three within them at most', () => {
    const found = circles('all');
    expect(found.filter((circle) => new Set(circle.split(' -> ').map(dirname)).size > 1)).toEqual([]);
    expect(found.length).toBeLessThanOrEqual(3);
  });

  test('knows what it checks', () => {
    expect(core.length).toBeGreaterThan(30);
    expect(core.flatMap(({ imports }) => imports).length).toBeGreaterThan(80);
  });
});

/** Chains of imports that lead back to where they began. */
function circles(of: 'imports' | 'all'): string[] {
  const importsOf = new Map(sources.map((source) => [source.path, source[of]]));
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
