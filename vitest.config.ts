import { defineConfig, type ViteUserConfig } from 'vitest/config';

/** What measures its whole process, and so has one of its own. */
const alone = ['test/core/http/abort.test.ts', 'test/page/videos/memory.test.ts'];
/** What takes its time. `npm test` leaves out these two, `npm run test:all` does not. */
const long = [
  'test/bundle.test.ts',
  'test/connections/cells.test.ts',
  'test/connections/cli.test.ts',
  'test/core/heap.test.ts',
  'test/core/http/ownFields.test.ts',
  'test/core/http/ownWords.test.ts',
  'test/core/writes/journal/badStore.test.ts',
  'test/core/writes/journal/crash.test.ts',
  'test/core/writes/journal/hazards.test.ts',
  'test/core/writes/journal/processes.test.ts',
  'test/core/writes/journal/renewals.test.ts',
  'test/core/writes/journal/resume.test.ts',
  'test/core/writes/journal/locks.test.ts',
  'test/core/writes/journal/finals.test.ts',
  'test/core/writes/journal/unknowns.test.ts',
  'test/core/writes/journal/untilSettled.test.ts',
  'test/core/writes/resources.test.ts',
  'test/e2e/waitFaults.test.ts',
  'test/examples.test.ts',
  'test/faults/**/*.test.ts',
  'test/hostile/**/*.test.ts',
  'test/firstTenMinutes.test.ts',
  'test/governor/fleet.test.ts',
  'test/governor/simulation.test.ts',
  'test/governor/workers.test.ts',
  'test/howTo.test.ts',
  'test/hover.test.ts',
  'test/stores/**/*.test.ts',
  'test/liveCheck.test.ts',
  'test/mcp/mcp.test.ts',
  'test/media/anyAnswer.test.ts',
  'test/media/browser.test.ts',
  'test/media/mended.test.ts',
  'test/messaging/lost.test.ts',
  'test/models/oddFields.test.ts',
  'test/packed.test.ts',
  'test/page/videos/upload.test.ts',
  'test/sandbox/connections.test.ts',
  'test/sandbox/testing.test.ts',
  'test/sandbox/ui/browser.test.ts',
  'test/webhooks/eventsOnce.processes.test.ts',
];
const shared = {
  setupFiles: ['test/support/setup.ts'],
  // Ends a test that hangs, and none that runs on a busy machine.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  // The second that is the default is soon over on a busy machine.
  expect: { poll: { timeout: 20_000, interval: 10 } },
};

/**
 * The folder whose mutants Stryker tries: `npm run mutate`. The folder's everyday tests judge them: every endpoint runs
 * through the core, and hundreds of tests a mutant would take a day. Stryker compiles the mutants, so it needs the
 * module runner, and runs no projects.
 */
const mutated = process.env['MUTATE'];
const mutation = {
  include: [`test/${mutated}/**/*.test.ts`],
  // The relay's test loads the package as it is built, in which no mutant is.
  exclude: [...long, ...alone, 'test/webhooks/relay.test.ts', '**/node_modules/**'],
  tags: [{ name: 'long' }],
  tagsFilter: ['!long'],
  ...shared,
  // As in the everyday loop: twice as fast.
  isolate: false,
};

/** A process for each file would cost four times the time of its tests. What a test changes, it changes back. */
const together = {
  isolate: false,
  // Fewer and longer rounds of garbage collection.
  execArgv: ['--max-semi-space-size=128', '--min-semi-space-size=128'],
};

const projects: ViteUserConfig['test'] = {
  maxWorkers: '100%',
  tags: [{ name: 'long', description: 'takes its time, in a file whose other tests do not' }],
  // Node runs the tests as they stand, as it does the examples: nothing is transformed, nothing is mocked by import.
  experimental: { viteModuleRunner: false, nodeLoader: false },
  projects: [
    {
      test: {
        name: 'unit',
        include: ['test/**/*.test.ts'],
        exclude: [...long, ...alone, '**/node_modules/**'],
        ...shared,
        ...together,
      },
    },
    // Concurrent tests wait for timeouts.
    { test: { name: 'long', include: long, maxConcurrency: 20, ...shared, ...together } },
    { test: { name: 'alone', include: alone, ...shared } },
    // With clients that are installed in a folder of their own: `npm run test:foreign`.
    {
      test: {
        name: 'foreign',
        include: ['test/foreign/*.test.mjs'],
        testTimeout: 120_000,
        hookTimeout: 120_000,
      },
    },
    // The same, on the real servers of stores: `npm run test:servers`.
    {
      test: {
        name: 'servers',
        include: ['test/servers/*.test.mjs'],
        expect: { poll: { timeout: 20_000 } },
        testTimeout: 120_000,
        hookTimeout: 120_000,
      },
    },
    // The same, on those of docs/stores.md: `npm run test:servers:more`.
    {
      test: {
        name: 'more servers',
        include: ['test/servers/more/*.test.mjs'],
        expect: { poll: { timeout: 20_000 } },
        testTimeout: 120_000,
        hookTimeout: 120_000,
      },
    },
    // The documentation site, built before: `npm run test:docs`.
    { test: { name: 'site', include: ['test/site/*.test.mjs'], testTimeout: 60_000, hookTimeout: 60_000 } },
    // The packed package on other runtimes, and in other bundlers: `npm run test:runtimes`.
    {
      test: {
        name: 'runtimes',
        include: ['test/runtimes/*.test.mjs'],
        globalSetup: 'test/runtimes/install.mjs',
        testTimeout: 120_000,
        hookTimeout: 120_000,
      },
    },
    {
      test: {
        name: 'types',
        include: [],
        typecheck: {
          enabled: true,
          only: true,
          include: ['test/**/*.test-d.ts'],
          // Only what these files import: `npm run typecheck` checks all there is.
          tsconfig: 'tsconfig.types.json',
        },
      },
    },
  ],
};

export default defineConfig({ test: mutated === undefined ? projects : mutation });
