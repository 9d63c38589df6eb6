/** A row of the table of docs/frameworks.md. */
interface Framework {
  readonly name: string;
  /** The folder of the app. @default the name */
  readonly folder?: string;
  readonly title: string;
  /** Whose version the row has. */
  readonly package?: string;
  readonly version?: string;
  /** Where `app.ts` is. @default the app itself */
  readonly own?: string;
  /** What its package must declare: where it does not, the build installs it by itself. */
  readonly dependencies?: Readonly<Record<string, string>>;
  /** What a user runs. */
  readonly build?: readonly (readonly string[])[];
  readonly start: readonly string[];
  /** What to set, in words; the variables among it; and what takes the rest of it out of the app. */
  readonly set?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly bare?: { readonly edits: readonly Edit[] };
  /** What lets a parser read the body first: the hint has to say so. */
  readonly parsed?: { readonly edits: readonly Edit[] };
}

type Edit = readonly [file: string, from: string, to: string];

const node = ['node', 'server.ts'];
const bun = `@oven/bun-${process.platform}-${process.arch.replace('arm64', 'aarch64')}/bin/bun`;

export const frameworks: readonly Framework[] = [
  { name: 'node', title: "Node's `http`", version: process.versions.node, start: node },
  {
    name: 'express',
    title: 'Express',
    package: 'express',
    start: node,
    parsed: { edits: [['server.ts', "app.use(['/webhooks'", "app.use(express.json()).use(['/webhooks'"]] },
  },
  {
    name: 'fastify',
    title: 'Fastify',
    package: 'fastify',
    start: node,
    parsed: {
      edits: [
        ['server.ts', '  plugin.removeAllContentTypeParsers();', ''],
        ['server.ts', "  plugin.addContentTypeParser('*', (_request, _payload, done) => done(null));", ''],
      ],
    },
  },
  { name: 'koa', title: 'Koa', package: 'koa', start: node },
  {
    name: 'hono',
    title: 'Hono',
    package: 'hono',
    start: node,
    parsed: {
      edits: [
        [
          'server.ts',
          'const app = new Hono();',
          'const app = new Hono().use(async (c, next) => { await c.req.json().catch(() => 0); await next(); });',
        ],
      ],
    },
  },
  { name: 'h3', title: 'h3', package: 'h3', start: node },
  {
    name: 'nestjs',
    title: 'NestJS',
    set: '`rawBody: true`, and `4mb` as the limit for JSON',
    package: '@nestjs/core',
    build: [['../../../../node_modules/.bin/tsc', '-p', '.']],
    start: ['node', 'dist/server.js'],
    bare: {
      edits: [
        ['server.ts', ', { rawBody: true }', ''],
        ['server.ts', "app.useBodyParser('json', { limit: '4mb' });", ''],
      ],
    },
  },
  {
    name: 'next',
    title: 'Next.js',
    package: 'next',
    own: 'lib',
    build: [['next', 'build']],
    start: ['next', 'start'],
  },
  {
    name: 'sveltekit',
    title: 'SvelteKit, `adapter-node`',
    set: "the variable `BODY_SIZE_LIMIT=4M`, and `csrf: { trustedOrigins: ['*'] }`",
    package: '@sveltejs/kit',
    own: 'src',
    build: [['vite', 'build']],
    start: ['node', 'build'],
    env: { BODY_SIZE_LIMIT: '4M' },
    bare: { edits: [['vite.config.ts', ', csrf }', ' }']] },
  },
  {
    name: 'astro',
    title: 'Astro, `@astrojs/node`',
    set: '`security: { checkOrigin: false }`',
    package: 'astro',
    own: 'src',
    build: [['astro', 'build']],
    start: ['node', 'dist/server/entry.mjs'],
    bare: { edits: [['astro.config.mjs', 'security: { checkOrigin: false },', '']] },
  },
  {
    name: 'nuxt',
    title: 'Nuxt',
    package: 'nuxt',
    own: 'server',
    build: [['nuxt', 'build']],
    start: ['node', '.output/server/index.mjs'],
  },
  {
    name: 'react-router',
    title: 'React Router',
    package: 'react-router',
    own: 'app',
    dependencies: { isbot: '*' },
    build: [['react-router', 'build']],
    start: ['react-router-serve', 'build/server/index.js'],
  },
  {
    name: 'elysia',
    title: 'Elysia, on Bun',
    package: 'elysia',
    start: [bun, 'server.ts'],
    parsed: {
      edits: [
        [
          'server.ts',
          "({ request }) => respond(request), { parse: 'none' }",
          '({ request, body }) => (body ? respond(request) : respond(request))',
        ],
      ],
    },
  },
  { name: 'bun', title: 'Bun', package: 'bun', start: [bun, 'server.ts'] },
  {
    name: 'deno',
    title: 'Deno',
    package: 'deno',
    start: [
      'node',
      '../../node_modules/deno/bin.cjs',
      'run',
      '--allow-net',
      '--allow-env',
      '--cached-only',
      '--no-lock',
      'server.ts',
    ],
  },
  {
    name: 'functions-framework',
    title: 'Google Cloud Functions',
    package: '@google-cloud/functions-framework',
    start: ['functions-framework', '--target=respond'],
    parsed: { edits: [['node.ts', 'rawBody ? new Uint8Array(rawBody) : ', '']] },
  },
  {
    name: 'cloudflare',
    title: 'Cloudflare Workers, `workerd`',
    package: '../../../node_modules/workerd',
    start: ['node', '../../fronts/worker.mjs'],
  },
  {
    name: 'lambda',
    title: 'AWS Lambda, function URL',
    version: 'event 2.0',
    start: ['node', '../../fronts/lambda.mjs', 'url'],
  },
  {
    name: 'lambda-rest',
    folder: 'lambda-hono',
    title: 'Hono on AWS Lambda, API Gateway',
    package: 'hono',
    start: ['node', '../../fronts/lambda.mjs', 'rest'],
  },
  {
    name: 'lambda-alb',
    folder: 'lambda-hono',
    title: 'Hono on AWS Lambda, load balancer',
    package: 'hono',
    start: ['node', '../../fronts/lambda.mjs', 'alb'],
  },
  {
    name: 'lambda-hono-url',
    folder: 'lambda-hono',
    title: 'Hono on AWS Lambda, function URL',
    package: 'hono',
    start: ['node', '../../fronts/lambda.mjs', 'url'],
  },
  {
    name: 'azure',
    title: 'Azure Functions',
    package: '@azure/functions',
    start: ['node', '../../fronts/azure.mjs'],
  },
];
