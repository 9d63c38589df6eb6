import { defineConfig } from 'vitest/config';

// The tests that mutation testing runs: those of the core and of the endpoints, without what needs a build,
// minutes or other processes.
export default defineConfig({
  test: {
    include: ['test/core/**/*.test.ts', 'test/page/**/*.test.ts', 'test/pics/**/*.test.ts'],
    exclude: ['test/page/videoUploadMemory.test.ts'],
    setupFiles: ['test/support/network.ts'],
  },
});
