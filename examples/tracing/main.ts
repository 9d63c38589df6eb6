// Traces calls with OpenTelemetry, and logs what fails with pino: a request of a server makes two calls at the same
// time, of which one loses a response and the other is refused. The hooks are in `traced.ts`.
//
//   npm run example -- tracing     on the embedded sandbox: no account, no network but for its packages
import { context as active, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { BasicTracerProvider, type ReadableSpan, type SpanProcessor } from '@opentelemetry/sdk-trace-base';
import { createPageContext, deletePost, publishPost } from 'pagepics/page';
import { createSandbox, serveSandbox } from 'pagepics/sandbox';
import { pino } from 'pino';

import { orThrow } from '../support/orThrow.ts';
import * as log from '../support/print.ts';
import { traced } from './traced.ts';

// In production, the SDK of OpenTelemetry for Node does this, with an exporter of yours, which gets spans as they end.
const spans: ReadableSpan[] = [];
const inOrder: SpanProcessor = {
  onStart: (span) => void spans.push(span),
  onEnd: () => undefined,
  forceFlush: async () => undefined,
  shutdown: async () => undefined,
};
active.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [inOrder] }));
const logger = pino({ base: null }, pino.destination({ sync: true }));

const sandbox = createSandbox();
const server = await serveSandbox(sandbox);
log.say(`The platform, emulated at ${server.url}.`);
const context = orThrow(
  createPageContext({
    appId: sandbox.app.id,
    appSecret: sandbox.app.secret,
    platform: server.platform,
    retry: { baseDelayMs: 10 }, // short, so that the example ends soon
    ...traced(logger),
  }),
);
const [page] = sandbox.pages;
if (page === undefined) throw new Error('the sandbox has Pages');
const { id: pageId, token: pageToken } = page;

log.step('what pino writes');
sandbox.fault({ method: 'POST', path: '/feed', when: 'after', drop: true });
sandbox.fault({ method: 'DELETE', status: 503 });
await trace.getTracer('app').startActiveSpan('PUT /posts', async (span) => {
  await Promise.all([
    publishPost(context, { pageId, pageToken, message: 'Open until nine' }),
    deletePost(context, { postId: `${pageId}_404`, pageToken }),
  ]);
  span.end();
});

log.step('the trace');
show(spans.filter(({ parentSpanContext }) => parentSpanContext === undefined));
await server.close();

/** Spans in the order of their beginning, with those below them. */
function show(level: readonly ReadableSpan[], indent = ''): void {
  for (const span of level) {
    const { name, attributes } = span;
    const ending = attributes['http.response.status_code'] ?? attributes['error.type'];
    log.say(`   ${indent}${[name, attributes['url.path'], ending].filter(Boolean).join(' ')}`);
    const { spanId } = span.spanContext();
    show(
      spans.filter(({ parentSpanContext }) => parentSpanContext?.spanId === spanId),
      `${indent}  `,
    );
  }
}
