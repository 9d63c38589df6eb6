import { readFileSync } from 'node:fs';

/** A file that a platform's `endpoints.ts` exports. */
export interface Subject {
  /** Its path below the folder of the platform, without `.ts`. */
  readonly path: string;
  readonly text: string;
  /** The functions that it exports, in its order. */
  readonly names: readonly string[];
}

export function subjectsOf(platform: string): readonly Subject[] {
  return subjectsIn(platform, readFileSync(`src/${platform}/endpoints.ts`, 'utf8'));
}

/** Those that a part of `endpoints.ts` exports. */
export function subjectsIn(platform: string, exports: string): readonly Subject[] {
  return [...exports.matchAll(/^export \* from '\.\/(.*)\.ts';$/gm)].map(([, path = '']) => {
    const text = readFileSync(`src/${platform}/${path}.ts`, 'utf8');
    const names = [...text.matchAll(/^export function (\w+)/gm)].map(([, name = '']) => name);
    return { path, text, names };
  });
}
