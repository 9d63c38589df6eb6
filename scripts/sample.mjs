// A checker for Stryker: lets about one mutant in so many through, at random, as if the others did not compile.
import { createHash } from 'node:crypto';

class Sample {
  async init() {}

  async group(mutants) {
    return [mutants.map(({ id }) => id)];
  }

  async check(mutants) {
    return Object.fromEntries(mutants.map((mutant) => [mutant.id, { status: statusOf(mutant), reason: '' }]));
  }
}

/** Drawn by a digest: all processes draw the same, and so does a later run with the same seed. */
function statusOf({ fileName, ...mutant }) {
  const { SAMPLE_ONE_IN, SAMPLE_SEED } = process.env;
  const { location, mutatorName, replacement } = mutant;
  const file = fileName.slice(fileName.lastIndexOf('/src/'));
  const text = JSON.stringify([SAMPLE_SEED, file, location, mutatorName, replacement]);
  const drawn = createHash('sha256').update(text).digest().readUInt32BE() / 2 ** 32;
  return drawn < 1 / Number(SAMPLE_ONE_IN) ? 'passed' : 'compileError';
}

export const strykerPlugins = [{ kind: 'Checker', name: 'sample', injectableClass: Sample }];
