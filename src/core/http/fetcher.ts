import { err, ok, type Result } from 'neverthrow';

import { withOutcome } from '../deriveError.ts';
import { type RequestFailure, TransportError } from '../errors.ts';
import { createAttempt, ofRequest, type PreparedRequest, toEvent } from './attempt.ts';
import { createCalls } from './calls.ts';
import type { createExchange } from './exchange.ts';
import type { Governor } from './governor.ts';
import { guardHook, type Hooks } from './hooks.ts';
import { createLifecycle } from './lifecycle.ts';
import { addressOf } from './path.ts';
import { createProofCache } from './proof.ts';
import { createRedact, type Redact } from './redact.ts';
import { parseResponse } from './response.ts';
import { isLasting, retryDelay } from './retry.ts';
import { deadlineOf } from './send.ts';
import type { Fetch, Fetcher, GraphRequest, GraphResponse, HttpContext } from './types.ts';

export interface FetcherOptions extends Hooks {
  readonly fetch?: Fetch | undefined;
  readonly governor?: Governor | undefined;
}

/** Creates the fetcher, which sends the requests of a context. */
export function createFetcher(
  { fetch, governor, ...hooks }: FetcherOptions,
  exchange: typeof createExchange,
): Fetcher {
  const lifecycle = createLifecycle();
  const attemptNow = createAttempt({
    exchange: exchange(fetch),
    withTimeout: lifecycle.withTimeout,
    hooks,
  });
  const attemptOnce = governor?.govern(attemptNow) ?? attemptNow;
  const onRetry = guardHook(hooks.onRetry);
  const proofOf = createProofCache();
  /** Retries that count against the budget, which all calls of the context share. */
  let retriesTaken = 0;

  async function fetcher<TOutput, TPicked>(
    context: HttpContext,
    request: GraphRequest<TOutput>,
    pick: (response: GraphResponse<TOutput>) => TPicked,
  ): Promise<Result<TPicked, RequestFailure>> {
    const { retry, clock, secret } = context;
    const { token, attempts = retry.attempts, mayRepeat, signal } = request;
    let attempt = 0;
    try {
      const proof = token !== undefined && secret !== undefined ? proofOf(token, secret) : undefined;
      // Most proofs are known already, and need no promise.
      const prepared = prepare(context, request, typeof proof === 'object' ? await proof : proof);
      // An earlier attempt of a write may have taken effect, whatever a later attempt says.
      let mayHaveApplied = false;
      for (;;) {
        const result = await attemptOnce(prepared, ++attempt);
        const hasFailed = 'error' in result;
        if (!hasFailed || isLasting(result, retry)) retriesTaken = Math.max(0, retriesTaken - 0.1);
        if (!hasFailed) {
          const parsed = parseResponse(result, request.schema, prepared);
          if (parsed.isErr()) return err(settle(ofRequest(parsed.error, prepared)));
          const { status, body } = result;
          return ok(pick({ value: parsed.value, body, status, redact: prepared.redact }));
        }
        const error = settle(result.error);
        mayHaveApplied ||= error.outcome === 'unknown';

        const hasBudget = retriesTaken < retry.budget;
        const leftMs = prepared.deadline - clock.monotonic();
        const state = {
          policy: retry,
          mayRepeat,
          attempt,
          attempts,
          hasBudget,
          leftMs,
          random: Math.random(),
        };
        const delayMs = retryDelay(result, state);
        if (delayMs === undefined) return err(error);
        onRetry?.({ ...toEvent(prepared, attempt), delayMs, error });
        retriesTaken++;
        await request.beforeRetry?.();
        const waited = await lifecycle.pause(clock, delayMs, signal);
        if (waited.isErr()) return err(withOutcome(waited.error, error.outcome));
      }

      function settle<TError extends RequestFailure>(error: TError): TError {
        return mayHaveApplied && error.outcome === 'rejected' ? withOutcome(error, 'unknown') : error;
      }
    } catch {
      return err(unexpected(isRead(request), attempt > 0));
    }
  }

  return Object.assign(fetcher, { ...lifecycle, ...createCalls(hooks, lifecycle), governor });
}

function prepare(
  context: HttpContext,
  request: GraphRequest<unknown>,
  proof: string | undefined,
): PreparedRequest {
  const { graphBase, secret, licenseKey } = context;
  const { path, token, tokens, isPosted, secrets = [], deadline = deadlineOf(context) } = request;
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
  let redactor: Redact | undefined;
  const redact: Redact = (value) => {
    redactor ??= createRedact([token, proof, secret, licenseKey, ...secrets]);
    return redactor(value);
  };
  return {
    context,
    request:
      isHeader || isPosted
        ? {
            ...request,
            ...(isPosted && { method: 'POST', form: { ...query, method: 'get' } }),
            ...(isHeader && { headers: { ...request.headers, authorization: `Bearer ${token}` } }),
          }
        : request,
    address: addressOf(graphBase, { path, query: isPosted ? {} : query }),
    number: ++request.trace.requests,
    isRead: isRead(request),
    deadline,
    redact,
    show: tokens === 'only' ? () => undefined : redact,
  };
}

/**
 * The failure of a request that cannot be sent at all, or if `fetch` returns something that is not a response. The
 * cause may quote a secret.
 */
function unexpected(isRead: boolean, isSent: boolean): TransportError {
  const message = isSent ? 'the response cannot be read' : 'the request could not be made';
  return new TransportError('network', message, { outcome: isSent && !isRead ? 'unknown' : 'rejected' });
}

/** Whether a request changes nothing. */
function isRead({ method }: GraphRequest<unknown>): boolean {
  return /GET|HEAD|OPTIONS/.test(method);
}
