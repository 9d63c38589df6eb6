import { defineConfig } from 'vitest/config';

// The tests that judge the mutants of one folder, named by MUTATE. Mutants of the core are judged by the core's
// own tests: every endpoint runs through it, and hundreds of tests a mutant would take a day.
const folder = process.env['MUTATE'] ?? '*';

export default defineConfig({
  test: {
    include: [`test/${folder}/**/*.test.ts`],
    // Takes minutes, in another process that runs no mutant.
    exclude: ['test/page/videoUploadMemory.test.ts'],
    tags: [{ name: 'long' }],
    setupFiles: ['test/support/network.ts'],
  },
});
