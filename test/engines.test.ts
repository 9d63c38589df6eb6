// docs/engines.md has the code that `npm run test:engines` compiles and runs, and the table of its versions.
import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

const page = readFileSync('docs/engines.md', 'utf8');

test('the code of docs/engines.md is that which is run', () => {
  const samples = [...page.matchAll(/```typescript\n([\s\S]*?)```/g)].map(([, text = '']) => text);
  const files = [
    'again',
    'pg-boss',
    'bullmq',
    'graphile-worker',
    'more/bee-queue',
    'more/agenda',
    'more/dbos',
    'more/restate',
    'workflow/workflows/publishPlanned',
    'cloudflare/publishPlanned',
    'rabbitmq',
    'nats',
    'redis-streams',
    'more/sqs',
    'skip-locked',
  ];
  expect(samples).toEqual(
    files.map((name) =>
      readFileSync(`test/engines/${name}.ts`, 'utf8').replaceAll(
        /'\.\.?\/[./]*(again|context)\.ts'/g,
        "'./$1.ts'",
      ),
    ),
  );
});

test('the rows of docs/engines.md are of the versions that are installed, with one post under each key', () => {
  const { dependencies: used } = manifest('test/engines');
  const { dependencies: more } = manifest('test/engines/more');
  const { dependencies: workflow } = manifest('test/engines/workflow');
  const { devDependencies: own } = manifest('.');
  const rows = [...page.matchAll(/^\| (.*) \|$/gm)]
    .map(([, row = '']) => row.split(' | '))
    .filter(([, version = '']) => /\d/.test(version));
  const versions = rows.map(([title = '', version = '']) => {
    // A broker is known by its client.
    const [client, own] = version.split(' ');
    return own === undefined ? [title.split(/,? /)[0]?.toLowerCase(), version] : [client, own];
  });

  expect(rows.length).toBeGreaterThan(20);
  const all: Readonly<Record<string, string | undefined>> = {
    ...used,
    ...more,
    ...workflow,
    restate: more['@restatedev/restate-server'],
    dbos: more['@dbos-inc/dbos-sdk'],
    cloudflare: own['miniflare'],
  };
  expect(versions).toEqual(versions.map(([name = '']) => [name, all[name]]));
  for (const [title = '', , before, after, ack, ...last] of rows) {
    const keyed = last.slice(0, 3);
    expect([before, after, ack, ...last], title).toHaveLength(7);
    expect(last.at(-1), title).toMatch(/^(\d+ to \d+|-)$/);
    if (title.includes('without')) continue;
    expect([after, ack], title).toEqual([expect.stringContaining('**'), expect.stringContaining('**')]);
    for (const cell of keyed) expect(cell, title).toMatch(/^1 \([\d or]+\)$/);
  }
});

function manifest(
  folder: string,
): Readonly<Record<'dependencies' | 'devDependencies', Readonly<Record<string, string>>>> {
  return JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) as ReturnType<typeof manifest>;
}
