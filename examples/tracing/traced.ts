import { context as active, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Hooks, RequestEvent } from 'pagepics';
import type { Logger } from 'pino';

/** Hooks for a context: a span for each call, one below it for each attempt, and a line of the log for each failure. */
export function traced(logger: Logger): Hooks {
  const tracer = trace.getTracer('pagepics');
  const calls = new Map<string, Span>();
  const sent = new Map<string, Span>();
  // A call can send several requests at the same time, each in several attempts.
  const keyOf = ({ callId, request, attempt }: RequestEvent) => `${callId} ${request} ${attempt}`;

  function endAttempt(event: RequestEvent, errorType?: string): void {
    const span = sent.get(keyOf(event));
    sent.delete(keyOf(event));
    if (errorType !== undefined)
      span?.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', errorType);
    span?.end();
  }

  return {
    // The parent is the active span of the code that calls the function.
    onCallStart: ({ operation, callId }) =>
      calls.set(callId, tracer.startSpan(operation, { attributes: { 'pagepics.call_id': callId } })),

    onRequest: (event) => {
      const call = calls.get(event.callId);
      const parent = call === undefined ? active.active() : trace.setSpan(active.active(), call);
      const { method, path, attempt, purpose } = event;
      const attributes = {
        'http.request.method': method,
        'url.path': path,
        'http.request.resend_count': attempt - 1,
        'pagepics.purpose': purpose,
      };
      sent.set(keyOf(event), tracer.startSpan(method, { kind: SpanKind.CLIENT, attributes }, parent));
    },

    onResponse: (event) => {
      sent.get(keyOf(event))?.setAttribute('http.response.status_code', event.status);
      endAttempt(event, event.status >= 400 ? String(event.status) : undefined);
    },

    onFailure: (event) => endAttempt(event, event.error.reason),

    onRetry: ({ callId, operation, method, path, attempt, delayMs, error }) =>
      logger.warn({ callId, operation, method, path, attempt, delayMs, err: error }, 'trying again'),

    onCallEnd: ({ callId, operation, durationMs, attempts, error }) => {
      const span = calls.get(callId);
      calls.delete(callId);
      if (error !== undefined) {
        span?.setStatus({ code: SpanStatusCode.ERROR, message: error.message });
        span?.setAttribute('error.type', error.name);
        // So that the line of the log leads to the trace.
        const traceId = span?.spanContext().traceId;
        logger.error({ callId, operation, durationMs, attempts, traceId, err: error }, error.message);
      }
      span?.end();
    },
  };
}
