import { existsSync, readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import * as pageEndpoints from '../../src/page/endpoints.ts';
import * as picsEndpoints from '../../src/pics/endpoints.ts';
import { construction, data, pageMethods, picsMakers, picsMethods, type Rows, shared } from './map.ts';

const tables = Object.entries({
  ...construction,
  ...data,
  ...pageMethods,
  ...picsMethods,
  'Makers of clients': picsMakers,
  ...shared,
});

/** What is wrong with a reference to a test; `undefined` if the test exists. */
function faultOf(shown: string): string | undefined {
  const [, name = '', title = ''] = /^(.*?): (.*)$/s.exec(shown) ?? [];
  const file = `test/${name}.test.ts`;
  if (!existsSync(file)) return `${file} does not exist`;
  return hasTest(readFileSync(file, 'utf8'), title) ? undefined : `${file} has no test '${title}'`;
}

/** Whether a call other than `describe` begins with exactly this title. */
function hasTest(text: string, title: string): boolean {
  const literal = title.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const calls = text.matchAll(new RegExp(String.raw`(\S*)\(\s*(['"\x60])${literal}\2,`, 'g'));
  return [...calls].some(([, callee = '']) => !/describe|skip|todo/.test(callee));
}

function camelCase(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

describe('the map of the specification', () => {
  test.each(tables)('names a test for each row of: %s', (_, rows) => {
    const faults = Object.entries<readonly string[]>(rows).flatMap(([row, tests]) =>
      tests.length === 0
        ? [`${row}: nothing shows it`]
        : tests.flatMap((shown) => faultOf(shown)?.replace(/^/, `${row}: `) ?? []),
    );

    expect(Object.keys(rows).length).toBeGreaterThan(0);
    expect(faults).toEqual([]);
  });

  test.each([
    ['page', pageMethods, pageEndpoints],
    ['pics', picsMethods, picsEndpoints],
  ] as const)(
    'has a row for each function of pagepics/%s, shown alone and over real HTTP',
    (platform, methods, endpoints) => {
      const rows = Object.values<Rows>(methods).flatMap((table) => Object.entries(table));
      expect(rows.map(([name]) => camelCase(name)).toSorted()).toEqual(Object.keys(endpoints).toSorted());

      const lacking = rows.filter(
        ([name, tests]) =>
          !tests.some((shown) => shown.startsWith(`${platform}/${camelCase(name)}: `)) ||
          !tests.some((shown) => shown.startsWith(`e2e/${platform}: `)),
      );
      expect(lacking.map(([name]) => name)).toEqual([]);
    },
  );

  test('finds what is missing', () => {
    expect(faultOf('spec/none: any')).toBe('test/spec/none.test.ts does not exist');
    expect(faultOf('spec/map: finds nothing')).toBe("test/spec/map.test.ts has no test 'finds nothing'");
    expect(faultOf('spec/map: the map of the specification')).toMatch(/has no test/);
    expect(faultOf('spec/map: finds what is missing')).toBeUndefined();
  });
});

test('the release is the one that the specification describes', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string };

  expect(version).toMatch(/^1\.3\./);
});
