import { existsSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import * as pageEndpoints from '../../src/page/endpoints.ts';
import * as picsEndpoints from '../../src/pics/endpoints.ts';
import { construction, data, pageMethods, picsMakers, picsMethods, shared } from './map.ts';

const tables = Object.entries({
  ...construction,
  ...data,
  'Makers of clients': picsMakers,
  ...shared,
});

/** The test files that a row names and that are not there. */
function missing(files: readonly string[]): readonly string[] {
  return files.filter((file) => !existsSync(`test/${file}.test.ts`));
}

function camelCase(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

describe('the map of the specification', () => {
  test.each(tables)('names test files for each row of: %s', (_, rows) => {
    const lacking = Object.entries<readonly string[]>(rows).flatMap(([row, files]) =>
      files.length === 0 ? [row] : missing(files).map((file) => `${row}: ${file}`),
    );

    expect(Object.keys(rows).length).toBeGreaterThan(0);
    expect(lacking).toEqual([]);
  });

  test.each([
    ['page', pageMethods, pageEndpoints],
    ['pics', picsMethods, picsEndpoints],
  ] as const)('names methods that pagepics/%s has', (_, methods, endpoints) => {
    expect(methods.length).toBeGreaterThan(20);
    expect(methods.filter((name) => !(camelCase(name) in endpoints))).toEqual([]);
  });

  test('finds what is missing', () => {
    expect(missing(['spec/map', 'spec/none'])).toEqual(['spec/none']);
  });
});
