import { err, ok, type Result } from 'neverthrow';

import { withOutcome } from '../deriveError.ts';
import { RateLimitError, type RequestFailure, TransportError } from '../errors.ts';
import { fieldsOf } from '../objects.ts';
import { addressOf, pathOf } from './addresses.ts';
import { createCalls } from './calls.ts';
import { createExchange, type Exchange } from './exchange.ts';
import { guardHook } from './guardHook.ts';
import type { Hooks, RequestEvent } from './hooks.ts';
import { createLifecycle, type Lifecycle, transportError } from './lifecycle.ts';
import { causeOf, describeCause } from './networkFailure.ts';
import { createProofCache } from './proof.ts';
import { createRedact } from './redact.ts';
import { parseResponse, readRefusal, readUsage } from './response.ts';
import { isPermanent, retryDelay } from './retry.ts';
import type {
  Attempt,
  PreparedRequest,
  RawResponse,
  Governor,
  Fetch,
  Fetcher,
  GraphRequest,
  GraphResponse,
  HttpContext,
} from './types.ts';

export interface FetcherOptions extends Hooks {
  readonly fetch?: Fetch | undefined;
  readonly governor?: Governor | undefined;
}

/** Creates the fetcher, which sends the requests of a context. */
export function createFetcher(
  { fetch, governor, ...hooks }: FetcherOptions,
  secret: string | undefined,
): Fetcher {
  const lifecycle = createLifecycle();
  const attemptNow = createAttempt(hooks, createExchange(fetch), lifecycle);
  const attemptOnce = governor?.govern(attemptNow) ?? attemptNow;
  const onRetry = guardHook(hooks.onRetry);
  const onFieldRefused = guardHook(hooks.onFieldRefused);
  const proofOf = secret === undefined ? undefined : createProofCache(secret);
  /** Retries that count against the budget, which all calls of the context share. */
  let retriesTaken = 0;

  async function fetcher<TOutput, TPicked>(
    context: HttpContext,
    given: GraphRequest<TOutput>,
    pick: (response: GraphResponse<TOutput>) => TPicked,
  ): Promise<Result<TPicked, RequestFailure>> {
    const request = given.ownFields?.withoutKnown(given) ?? given;
    const { retry, clock } = context;
    const { token, attempts = retry.attempts, mayRepeat, signal } = request;
    let attempt = 0;
    try {
      const proof = token === undefined ? undefined : proofOf?.(token);
      // Most proofs are known already, and need no promise.
      const prepared = prepare(context, request, typeof proof === 'object' ? await proof : proof);
      // An earlier attempt of a write may have taken effect, whatever a later attempt says.
      let mayHaveApplied = false;
      for (;;) {
        const result = await attemptOnce(prepared, ++attempt);
        const hasFailed = 'error' in result;
        if (!hasFailed || isPermanent(result, retry)) retriesTaken = Math.max(0, retriesTaken - 0.1);
        if (!hasFailed) {
          const parsed = parseResponse(result, request.schema, prepared);
          if (parsed.isErr()) return err(settled(attachRequest(parsed.error, prepared), mayHaveApplied));
          const { status, body } = result;
          return ok(pick({ value: parsed.value, body, status, redact: prepared.redact }));
        }
        const error: RequestFailure = settled(result.error, mayHaveApplied);
        mayHaveApplied ||= error.outcome === 'unknown';

        const delayMs = retryDelay(result, {
          policy: retry,
          mayRepeat,
          attempt,
          attempts,
          hasBudget: retriesTaken < retry.budget,
          leftMs: prepared.deadline - clock.monotonic(),
          random: Math.random(),
        });
        if (delayMs === undefined) {
          const fewer = request.ownFields?.withoutRefused(request, error, (field) =>
            onFieldRefused?.({ ...request.trace.of, ...prepared.place(), field, error }),
          );
          return fewer ? await fetcher(context, fewer, pick) : err(error);
        }
        onRetry?.({ ...toEvent(prepared, attempt), delayMs, error });
        retriesTaken++;
        await request.beforeRetry?.();
        const waited = await lifecycle.pause(clock, delayMs, signal);
        if (waited.isErr()) return err(withOutcome(waited.error, error.outcome));
      }
    } catch {
      return err(unusable(attempt, request));
    }
  }

  return Object.assign(fetcher, { ...lifecycle, ...createCalls(hooks, lifecycle), governor, ...ofGovernors });
}

/** The errors of governors. */
const ofGovernors = {
  heldBack: (message: string, retryAfterMs: number) =>
    new RateLimitError(message, { category: 'rate_limit', outcome: 'rejected' }, retryAfterMs),
  storeFailed: (message: string) => new TransportError('journal', message),
};

/** It cannot be sent, or `fetch` returned what is no response. Without a cause, which could quote a secret. */
function unusable(attempt: number, request: GraphRequest<unknown>): TransportError {
  const message = attempt > 0 ? 'the response cannot be read' : 'the request could not be made';
  const outcome = attempt > 0 && !isRead(request) ? 'unknown' : 'rejected';
  return new TransportError('network', message, { outcome });
}

/** The failure of a request, an earlier attempt of which may have applied. */
function settled<TError extends RequestFailure>(error: TError, mayHaveApplied: boolean): TError {
  return mayHaveApplied && error.outcome === 'rejected' ? withOutcome(error, 'unknown') : error;
}

function prepare(
  context: HttpContext,
  request: GraphRequest<unknown>,
  proof: string | undefined,
): PreparedRequest {
  const { graphBase, secret, licenseKey } = context;
  const { path, token, tokens, secrets = [] } = request;
  // A token exchange has the token among the values of its form.
  const isHeader = token !== undefined && tokens !== 'only' && context.tokenTransport === 'header';
  const query =
    token === undefined
      ? request.query
      : {
          ...request.query,
          access_token: isHeader ? undefined : token,
          appsecret_proof: proof,
        };
  const redact = createRedact([token, proof, secret, licenseKey, ...secrets]);
  const address = addressOf(graphBase, { path, query });
  // Kept, since each event has it.
  let place: ReturnType<PreparedRequest['place']> | undefined;
  return {
    context,
    request: isHeader
      ? { ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } }
      : request,
    address,
    number: ++request.trace.requests,
    isRead: isRead(request),
    deadline: request.deadline,
    redact,
    place: () => (place ??= { method: request.method.name, path: redact(pathOf(address)) }),
    show: tokens === 'only' ? () => undefined : redact,
  };
}

/** Whether a request changes nothing. */
function isRead({ method, unwrap }: GraphRequest<unknown>): boolean {
  return unwrap !== undefined || /GET|HEAD|OPTIONS/.test(method.name);
}

function createAttempt(hooks: Hooks, exchange: Exchange, { withTimeout }: Lifecycle): Attempt {
  const onRequest = guardHook(hooks.onRequest);
  const onResponse = guardHook(hooks.onResponse);
  const onFailure = guardHook(hooks.onFailure);
  let onVersion = guardHook(hooks.onVersion);

  function emitResponse(
    { context, request, address, redact }: PreparedRequest,
    { status, headers }: RawResponse,
    ended: RequestEvent & { readonly durationMs: number },
  ): void {
    const { words } = context.platform;
    const shown = (name: string): string | undefined => redact(headers.get(name) ?? undefined);
    const apiVersion = shown(words.versionHeader);
    const [, requestedVersion = apiVersion] = /^[^?]*?\/(v\d+\.\d+)\//.exec(address) ?? [];
    const warning = shown('x-ad-api-version-warning');
    const isOdd = requestedVersion !== apiVersion || warning !== undefined;
    if (apiVersion !== undefined && requestedVersion !== undefined && isOdd) {
      onVersion?.({ ...request.trace.of, requestedVersion, apiVersion, warning });
      onVersion = undefined;
    }
    const traceId = shown(words.traceHeader);
    onResponse?.({ ...ended, status, usage: readUsage(headers), traceId, apiVersion });
  }

  return async (prepared, attempt) => {
    const { context, request, address, deadline } = prepared;
    const { clock } = context;
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
    let isUnsent = false;
    let response: RawResponse;
    try {
      const limitMs = Math.min(request.timeoutMs ?? context.timeoutMs, deadline - startedAt);
      response = await withTimeout(limitMs, request.signal, (signal) => {
        isSent = true;
        request.trace.attempts++;
        request.trace.place = prepared.place;
        onRequest?.(toEvent(prepared, attempt));
        return exchange(address, request, context, signal, () => {
          isUnsent = true;
        });
      });
    } catch (thrown) {
      const isRejected = !isSent || isUnsent;
      const error = attachRequest(readNetworkFailure(thrown, prepared, isRejected), prepared);
      if (isSent) onFailure?.({ ...ended(), error });
      return { error, isRejected };
    }

    const { status, headers, body } = response;
    // Other hosts may have other clocks.
    if (address.startsWith(context.graphBase))
      context.platformClock.observe(headers, startedAt, clock.monotonic());
    if (onVersion || onResponse) emitResponse(prepared, response, ended());
    if (status > 199 && status < 300 && response.isJson && !hasError(body)) return response;
    const refusal = readRefusal(response, prepared);
    attachRequest(refusal.error, prepared);
    return refusal;
  };
}

/** The members that hook events have for an attempt. */
function toEvent(prepared: PreparedRequest, attempt: number): RequestEvent {
  const { trace, purpose = 'call' } = prepared.request;
  return { ...trace.of, ...prepared.place(), request: prepared.number, attempt, purpose };
}

/** Adds its call to a new error, and its request if the call has sent any. */
function attachRequest<TError extends RequestFailure>(error: TError, prepared: PreparedRequest): TError {
  const { of, attempts } = prepared.request.trace;
  return Object.assign(error, of, attempts > 0 && prepared.place());
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
    return new TransportError(thrown.reason, thrown.message, { outcome, cause: redact(thrown.cause) });
  const message = `the network failed: ${redact(describeCause(thrown))}`;
  const cause = redact(causeOf(thrown));
  return new TransportError('network', message, { outcome, cause });
}

/** Whether a body is a refusal. Some refusals have a success status. */
export function hasError(body: unknown): boolean {
  const { error, debug_info, success } = fieldsOf(body);
  const said = error ?? (success === false ? debug_info : undefined);
  return typeof said === 'object' && said !== null;
}
