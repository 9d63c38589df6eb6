import { type RequestFailure, TransportError } from '../errors.ts';
import { fieldsOf } from '../options/check.ts';
import type { Exchange, RawResponse } from './exchange.ts';
import { guardHook, type Hooks, type RequestEvent } from './hooks.ts';
import { type Lifecycle, transportError } from './lifecycle.ts';
import { causeOf, describeCause, isUnsent } from './networkFailure.ts';
import type { Redact } from './redact.ts';
import { readRefusal } from './response.ts';
import type { FailedAttempt } from './retry.ts';
import type { GraphRequest, HttpContext } from './types.ts';
import { readUsage } from './usage.ts';

/** A request, prepared once for all its attempts. */
export interface PreparedRequest {
  readonly context: HttpContext;
  readonly request: GraphRequest<unknown>;
  /** Which request of its call it is, from 1 on. */
  readonly number: number;
  /** With the query, the token and its proof. */
  readonly address: string;
  /** Whether the request changes nothing on the platform. */
  readonly isRead: boolean;
  /** When the call's time is up, by the monotonic clock. */
  readonly deadline: number;
  readonly redact: Redact;
  /** What errors show of a body: nothing, if the body is itself a secret. */
  readonly show: (body: unknown) => unknown;
}

/** Sends a prepared request once. It never rejects. */
export type Attempt = (prepared: PreparedRequest, attempt: number) => Promise<RawResponse | FailedAttempt>;

interface AttemptOptions extends Pick<Lifecycle, 'withTimeout'> {
  readonly exchange: Exchange;
  readonly hooks: Hooks;
}

export function createAttempt({ exchange, withTimeout, hooks }: AttemptOptions): Attempt {
  const onRequest = guardHook(hooks.onRequest);
  const onResponse = guardHook(hooks.onResponse);
  const onFailure = guardHook(hooks.onFailure);
  let onVersion = guardHook(hooks.onVersion);

  function tellResponse(
    { context, request, address, redact }: PreparedRequest,
    { status, headers }: RawResponse,
    ended: RequestEvent & { readonly durationMs: number },
  ): void {
    const { words } = context.platform;
    const shown = (name: string): string | undefined => redact(headers.get(name) ?? undefined);
    const apiVersion = shown(words.versionHeader);
    const [, requestedVersion = apiVersion] = /^[^?]*?\/(v\d+\.\d+)\//.exec(address) ?? [];
    if (apiVersion !== undefined && requestedVersion !== undefined && requestedVersion !== apiVersion) {
      onVersion?.({ ...request.trace.of, requestedVersion, apiVersion });
      onVersion = undefined;
    }
    const traceId = shown(words.traceHeader);
    onResponse?.({ ...ended, status, usage: readUsage(headers), traceId, apiVersion });
  }

  return async (prepared, attempt) => {
    const { context, request, address, deadline } = prepared;
    const { clock, platform } = context;
    const { words } = platform;
    if (Number.isNaN(deadline)) return { error: transportError('closed'), isRejected: true };
    const stopped = request.beforeAttempt && (await request.beforeAttempt());
    if (stopped) return { error: stopped, isRejected: true };
    const startedAt = clock.monotonic();
    if (startedAt >= deadline) return { error: transportError('timeout'), isRejected: false };
    request.onAttempt?.();
    const ended = (): RequestEvent & { readonly durationMs: number } => ({
      ...toEvent(prepared, attempt),
      durationMs: Math.round(clock.monotonic() - startedAt),
    });
    let isSent = false;
    let response: RawResponse;
    try {
      const limitMs = Math.min(request.timeoutMs ?? context.timeoutMs, deadline - startedAt);
      response = await withTimeout(limitMs, request.signal, (signal) => {
        isSent = true;
        request.trace.attempts++;
        request.trace.place = () => placeOf(prepared);
        onRequest?.(toEvent(prepared, attempt));
        return exchange(address, request, context, signal);
      });
    } catch (thrown) {
      const isRejected = !isSent || isUnsent(thrown);
      const error = ofRequest(readNetworkFailure(thrown, prepared, isRejected), prepared);
      if (isSent) onFailure?.({ ...ended(), error });
      return { error, isRejected };
    }

    const { status, headers, body } = response;
    // Other hosts may have other clocks.
    if (address.startsWith(context.graphBase))
      context.platformClock.observe(headers, startedAt, clock.monotonic());
    if (onVersion || onResponse) tellResponse(prepared, response, ended());
    if (status > 199 && status < 300 && response.isJson && !hasError(body)) return response;
    const refusal = readRefusal(response, {
      ...prepared,
      words,
      now: clock.now(),
      fetches: request.fetches,
    });
    ofRequest(refusal.error, prepared);
    return refusal;
  };
}

/** What hook events say about an attempt. */
export function toEvent(prepared: PreparedRequest, attempt: number): RequestEvent {
  const { trace, purpose = 'call' } = prepared.request;
  return { ...trace.of, ...placeOf(prepared), request: prepared.number, attempt, purpose };
}

/** Where a request goes. */
function placeOf({ request, address, redact }: PreparedRequest): Pick<RequestEvent, 'method' | 'path'> {
  return { method: request.method, path: redact(new URL(address).pathname) };
}

/** A new error, with its call, and the request if the call has sent any. */
export function ofRequest<TError extends RequestFailure>(error: TError, prepared: PreparedRequest): TError {
  const { of, attempts } = prepared.request.trace;
  return Object.assign(error, of, attempts > 0 && placeOf(prepared));
}

/** The failure of an attempt without a response. */
function readNetworkFailure(
  thrown: unknown,
  { isRead, redact }: PreparedRequest,
  isRejected: boolean,
): TransportError {
  const outcome = isRead || isRejected ? 'rejected' : 'unknown';
  // Created here, since the error of a timer or a signal has no caller in its stack.
  if (thrown instanceof TransportError)
    return new TransportError(thrown.reason, thrown.message, { outcome, cause: thrown.cause });
  const message = `the network failed: ${redact(describeCause(thrown))}`;
  const cause = redact(causeOf(thrown));
  return new TransportError('network', message, { outcome, cause });
}

/** Some refusals arrive as a success. */
export function hasError(body: unknown): boolean {
  const { error } = fieldsOf(body);
  return typeof error === 'object' && error !== null;
}
