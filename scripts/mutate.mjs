// Mutation testing, folder by folder, with the score of each file. `npm run mutate -- core/http/json page` mutates only
// these; `--one-in 30` draws about one mutant in so many, others with each `--seed`.
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { Stryker } from '@stryker-mutator/core';

// Of the everyday tests: the long ones kill some 6 points more.
const least = 75;
const { values, positionals: named } = parseArgs({
  allowPositionals: true,
  options: { 'one-in': { type: 'string' }, seed: { type: 'string', default: '1' } },
});
const oneIn = values['one-in'];
// Read by sample.mjs.
Object.assign(process.env, { SAMPLE_ONE_IN: oneIn, SAMPLE_SEED: values.seed });
const folders = { page: 'src/page', pics: 'src/pics', core: 'src/core', webhooks: 'src/webhooks' };

const settings = {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner', fileURLToPath(new URL('sample.mjs', import.meta.url))],
  checkers: oneIn === undefined ? [] : ['sample'],
  reporters: ['clear-text', 'json', 'progress-append-only'],
  clearTextReporter: { logTests: false, allowColor: false, reportScoreTable: false },
  coverageAnalysis: 'perTest',
  concurrency: 2,
  timeoutMS: 10_000,
  cleanTempDir: 'always',
  ignorePatterns: ['dist', 'bench', 'reports', '*.tgz'],
  vitest: { configFile: 'vitest.config.ts', related: false },
};

const mutants = [];
for (const [name, folder] of Object.entries(folders)) {
  const mutate = globs(name, folder);
  if (mutate.length === 0) continue;
  // Read by vitest.config.ts.
  process.env.MUTATE = name;
  const jsonReporter = { fileName: `reports/mutation-${name}.json` };
  mutants.push(...(await new Stryker({ ...settings, mutate, jsonReporter }).runMutationTest()));
}

const files = Object.groupBy(mutants, ({ fileName }) => fileName.slice(fileName.lastIndexOf('/src/') + 1));
const rows = Object.entries(files).map(([file, all]) => ({ file, ...score(all) }));
// A sample has no mutant of some files.
console.table([...rows.filter((row) => row.killed + row.survived > 0), { file: 'all', ...score(mutants) }]);
if (score(mutants).score < least) process.exitCode = 1;

/** What to mutate in a folder: all of it, or the files that the command line names. */
function globs(name, folder) {
  if (named.length === 0 || named.includes(name)) return [`${folder}/**/*.ts`];
  return named
    .filter((file) => file.startsWith(`${name}/`))
    .map((file) => `${folder}/${file.slice(name.length + 1)}.ts`);
}

/** Mutants that are ignored or do not compile are not counted. */
function score(all) {
  const count = (...states) => all.filter(({ status }) => states.includes(status)).length;
  const killed = count('Killed', 'Timeout');
  const survived = count('Survived', 'NoCoverage');
  return {
    killed,
    survived,
    ignored: count('Ignored'),
    score: +((100 * killed) / (killed + survived)).toFixed(1),
  };
}
