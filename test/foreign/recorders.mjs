// A process with a tool that records requests: makes two calls with each transport of tokens, and prints what the tool
// wrote of them.
//
//   node recorders.mjs <tool>, with the settings of the calls in `SETTINGS`
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';

import { createPageContext, pageProfile, publishPost } from '../../dist/page/index.js';

const [, , tool] = process.argv;
const { app, platform, pages, dsn } = JSON.parse(process.env['SETTINGS']);

const tools = {
  /** Nothing but the variable `NODE_DEBUG`, which writes to the standard error. */
  node: () => () => '',

  performance: () => () => JSON.stringify(performance.getEntriesByType('resource')),

  undici: async () => {
    const { UndiciInstrumentation } = await import('@opentelemetry/instrumentation-undici');
    return traced(new UndiciInstrumentation());
  },

  http: async () => {
    const { HttpInstrumentation } = await import('@opentelemetry/instrumentation-http');
    return traced(new HttpInstrumentation());
  },

  sentry: async () => {
    const sentry = await import('./more/sentry.mjs');
    const sent = [];
    sentry.init({
      dsn,
      tracesSampleRate: 1,
      transport: (options) =>
        sentry.createTransport(options, async ({ body }) => {
          sent.push(String(body));
          return { statusCode: 200 };
        }),
    });
    return async (calls) => {
      await sentry.startSpan({ name: 'calls', op: 'task' }, calls);
      sentry.captureMessage('an event, with breadcrumbs');
      await sentry.flush();
      return sent.join('\n');
    };
  },

  nock: async () => {
    const { default: nock } = await import('nock');
    nock.recorder.rec({ dont_print: true });
    return () => JSON.stringify(nock.recorder.play());
  },

  nockWithHeaders: async () => {
    const { default: nock } = await import('nock');
    nock.recorder.rec({ dont_print: true, enable_reqheaders_recording: true });
    return () => JSON.stringify(nock.recorder.play());
  },

  polly: async () => {
    const { Polly } = await import('@pollyjs/core');
    const { default: adapter } = await import('@pollyjs/adapter-fetch');
    const { default: persister } = await import('@pollyjs/persister-fs');
    const folder = mkdtempSync(join(tmpdir(), 'pagepics-polly-'));
    Polly.register(adapter);
    Polly.register(persister);
    const polly = new Polly('calls', {
      adapters: ['fetch'],
      persister: 'fs',
      persisterOptions: { fs: { recordingsDir: folder } },
    });
    return async () => {
      await polly.stop();
      const files = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.har'));
      const written = files.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
      rmSync(folder, { recursive: true });
      return written;
    };
  },

  msw: async () => {
    const { setupServer } = await import('msw/node');
    const written = [];
    for (const name of ['warn', 'error']) console[name] = (...words) => written.push(words.join(' '));
    const server = setupServer();
    server.listen();
    return () => {
      server.close();
      return written.join('\n');
    };
  },
};

/** The attributes of the spans that an instrumentation makes, of requests that are sent. */
async function traced(instrumentation) {
  const { INVALID_SPAN_CONTEXT, SpanKind, trace } = await import('@opentelemetry/api');
  const written = [];
  const tracer = {
    startSpan: (name, { kind, attributes }) => {
      if (kind === SpanKind.CLIENT) written.push({ name, attributes });
      return trace.wrapSpanContext(INVALID_SPAN_CONTEXT);
    },
  };
  instrumentation.setTracerProvider({ getTracer: () => tracer });
  instrumentation.enable();
  return () => JSON.stringify(written);
}

const finish = await tools[tool]();

async function call() {
  for (const [tokenTransport, { id: pageId, token: pageToken }] of Object.entries(pages)) {
    const context = createPageContext({ appId: app.id, appSecret: app.secret, platform, tokenTransport });
    if (context.isErr()) throw context.error;
    const published = await publishPost(context.value, { pageId, pageToken, message: 'Open until nine.' });
    const profile = await pageProfile(context.value, { pageId, pageToken });
    for (const one of [published, profile]) if (one.isErr()) throw one.error;
  }
}

if (tool === 'sentry') console.log(await finish(call));
else {
  await call();
  console.log(await finish());
}
