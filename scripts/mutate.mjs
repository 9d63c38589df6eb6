// Mutation testing, folder by folder, with the score of each file. `npm run mutate -- core/http/json page` mutates only these.
import { Stryker } from '@stryker-mutator/core';

const least = 85;
const named = process.argv.slice(2);
const folders = { page: 'src/page/internal', pics: 'src/pics/internal', core: 'src/core' };

const settings = {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
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
console.table([...rows, { file: 'all', ...score(mutants) }]);
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
