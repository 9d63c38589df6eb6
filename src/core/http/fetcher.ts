import ky from 'ky';
import { err, type Result } from 'neverthrow';

import type { Context, Hooks } from '../context.ts';
import { type RequestFailure, TransportError } from '../errors.ts';
import { addressOf, toForm, withoutLinkSecrets } from './address.ts';
import { parseJson } from './json.ts';
import { createLifecycle, lifecycleError, type Lifecycle } from './lifecycle.ts';
import { isUnsent, describeCause } from './networkFailure.ts';
import { sign } from './proof.ts';
import { createRedact, type Redact } from './redact.ts';
import { readRefusal } from './refusal.ts';
import { parseResponse } from './response.ts';
import { backoff } from './retry.ts';
import type { Fetch, GraphResponse, GraphRequest } from './types.ts';
import { readUsage } from './usage.ts';

/**
 * Sends one request through ky over `fetch`: its attempts and waits, its limits of time, and the
 * reading of what comes back.
 */
export interface Fetcher extends Pick<Lifecycle, 'pause' | 'close'> {
  <TOutput>(
    context: Context,
    request: GraphRequest<TOutput>,
  ): Promise<Result<GraphResponse<TOutput>, RequestFailure>>;
}

export interface FetcherOptions extends Hooks {
  readonly fetch?: Fetch | undefined;
  readonly timeoutMs: number;
}

/** An answer that arrived whole. */
interface RawResponse {
  readonly status: number;
  readonly headers: Headers;
  /** The body, parsed where it is JSON, the text where not. */
  readonly body: unknown;
  readonly isJson: boolean;
}

/** What is known of a request, whatever comes of it. */
interface Trace {
  isSent: boolean;
}

/** A failed attempt. */
interface Failed {
  readonly error: RequestFailure;
  /** The platform is known to have done nothing: to send it again cannot do it twice. */
  readonly refused: boolean;
  /** Milliseconds that the platform asks to wait. */
  readonly waitMs?: number | undefined;
}

export function createFetcher({ fetch, timeoutMs, onResponse, onRetry }: FetcherOptions): Fetcher {
  const client = ky.create({
    retry: 0,
    timeout: false,
    throwHttpErrors: false,
    // A redirect could carry the call elsewhere.
    redirect: 'manual',
  });
  const { within, pause, close } = createLifecycle();
  const proofs = new Map<string, string>();
  let spent = 0;

  async function proofOf(token: string, secret: string): Promise<string> {
    const key = `${secret} ${token}`;
    let proof = proofs.get(key);
    if (proof === undefined) {
      proof = await sign(token, secret);
      if (proofs.size > 999) proofs.clear();
      proofs.set(key, proof);
    }
    return proof;
  }

  async function run<TOutput>(
    context: Context,
    request: GraphRequest<TOutput>,
    trace: Trace,
  ): Promise<Result<GraphResponse<TOutput>, RequestFailure>> {
    const { retry, clock, secret } = context;
    const { method, token, signal, deadline = clock.now() + context.deadlineMs } = request;
    // What is used up by a GET, as a login code is, makes it no read.
    const isRead = method === 'GET' && request.repeat !== 'refused';
    const proof = token !== undefined && secret !== undefined ? await proofOf(token, secret) : undefined;
    const address = addressOf(context.graphBase, request, proof);
    let redactor: Redact | undefined;
    const redact: Redact = (value) => {
      redactor ??= createRedact([token, proof, secret, context.licenseKey, ...(request.secrets ?? [])]);
      return redactor(value);
    };
    const known = { redact, isRead, words: context.platform.words };
    // An earlier attempt of a write may have been done, whatever a later one says.
    let unsure = false;

    for (let attempt = 1; ; attempt++) {
      const begun = clock.now();
      const tried = await attemptOnce(attempt);
      if (!('error' in tried)) {
        spent = Math.max(0, spent - 0.1);
        const { status, headers, body } = tried;
        // An answer that was long on its way tells a time that is past.
        const lateMs = Math.max(0, clock.now() - begun - 1000);
        const date = Date.parse(headers.get('date') ?? '') + lateMs || undefined;
        return parseResponse(body, request.schema, { ...known, status })
          .map((value) => ({ value, body, status, date, redact }))
          .mapErr(doubt);
      }
      const error = doubt(tried.error);
      unsure ||= error.outcome === 'unknown';

      const delayMs = waitBefore(tried, attempt);
      if (delayMs === undefined) return err(error);
      notify(onRetry, () => ({ method, path: shownPath(), attempt, delayMs, error }));
      spent++;
      const waited = await pause(clock, delayMs, signal);
      if (waited.isErr()) return err(Object.assign(waited.error, { outcome: error.outcome }));
    }

    function doubt<TError extends RequestFailure>(error: TError): TError {
      return unsure && error.outcome === 'rejected' ? Object.assign(error, { outcome: 'unknown' }) : error;
    }

    /** Milliseconds until the next attempt; `undefined` where there is none. */
    function waitBefore({ error, refused, waitMs = 0 }: Failed, attempt: number): number | undefined {
      const { repeat = 'always', attempts = retry.attempts } = request;
      if (attempt >= attempts || spent >= retry.budget) return undefined;
      if (repeat === 'refused' && retry.onceOnly && !refused) return undefined;
      if (error.name === 'TransportError') {
        const isLost = error.reason === 'network' || error.reason === 'timeout';
        if (!isLost || !(refused || repeat === 'always')) return undefined;
      } else {
        const { category, transient, status = 0 } = error;
        const isLasting = category === 'policy' || category === 'quota';
        const isPassing = transient || category === 'rate_limit' || retry.statuses.includes(status);
        if (isLasting || !isPassing || waitMs > retry.maxRetryAfterMs) return undefined;
      }
      const delayMs = waitMs || backoff(retry, attempt) * (retry.jitter === 'full' ? Math.random() : 1);
      return clock.now() + delayMs >= deadline ? undefined : delayMs;
    }

    async function attemptOnce(attempt: number): Promise<RawResponse | Failed> {
      const started = clock.now();
      if (started >= deadline) return { error: lifecycleError('timeout'), refused: false };
      request.onAttempt?.();
      const sentAt = clock.monotonic();
      let sent = false;
      let answer: RawResponse;
      try {
        const ms = Math.min(request.timeoutMs ?? timeoutMs, deadline - started);
        answer = await within(ms, signal, (stop) => {
          sent = trace.isSent = true;
          return exchange(stop);
        });
      } catch (thrown) {
        const refused = !sent || isUnsent(thrown);
        const outcome = isRead || refused ? 'rejected' : 'unknown';
        const error =
          thrown instanceof TransportError
            ? lifecycleError(thrown.reason, outcome)
            : new TransportError('network', redact(`the network failed: ${describeCause(thrown)}`), outcome);
        return { error, refused };
      }

      const { status, headers, body } = answer;
      // Other hosts may have clocks of their own.
      if (address.startsWith(context.graphBase)) {
        context.platformClock.observe(headers, sentAt, clock.monotonic());
      }
      notify(onResponse, () =>
        redact({
          method,
          path: shownPath(),
          status,
          durationMs: clock.now() - started,
          attempt,
          usage: readUsage(headers),
          traceId: headers.get(known.words.traceHeader) ?? undefined,
          apiVersion: headers.get(known.words.versionHeader) ?? undefined,
        }),
      );
      if (status > 199 && status < 300 && answer.isJson && !hasError(body)) return answer;
      const refusal = readRefusal(answer, { ...known, now: clock.now() });
      const isDone = unsure && refusal.refused && request.showsDone?.(refusal.error) === true;
      return isDone ? { ...answer, body: { success: true } } : refusal;
    }

    async function exchange(signal: AbortSignal): Promise<RawResponse> {
      const { json, form, headers } = request;
      const body = json !== undefined ? JSON.stringify(json) : form ? toForm(form) : request.body;
      const response = await client(address, {
        method,
        // The global one is looked up at each call, so that what replaces it later is used. The signal goes
        // in here: ky would join it with another of its own, a third of the cost of a call.
        fetch: (input, init) => (fetch ?? globalThis.fetch)(input, { ...init, signal }),
        ...(body !== undefined && { body: body as BodyInit }),
        ...(body instanceof Blob && { redirect: streamingRedirect() }),
        ...(json === undefined ? headers && { headers } : { headers: asJson(headers) }),
      });
      const text = await response.text();
      const raw = { status: response.status, headers: response.headers };
      try {
        // What a caller of the low-level functions asked for with a token of its own comes as it is.
        const shown = request.token === undefined ? text : withoutLinkSecrets(text);
        return { ...raw, body: parseJson(shown), isJson: true };
      } catch {
        return { ...raw, body: text, isJson: false };
      }
    }

    function shownPath(): string {
      return redact(new URL(address).pathname);
    }
  }

  return Object.assign(
    async <TOutput>(context: Context, request: GraphRequest<TOutput>) => {
      const trace: Trace = { isSent: false };
      try {
        return await run(context, request, trace);
      } catch {
        // What cannot be sent at all, and what a `fetch` answered that is no response. It may quote a secret.
        return trace.isSent
          ? err(
              new TransportError(
                'network',
                'the answer cannot be read',
                request.method === 'GET' ? 'rejected' : 'unknown',
              ),
            )
          : err(new TransportError('network', 'the request could not be made'));
      }
    },
    { pause, close },
  );
}

/**
 * For a body that is streamed: unless a redirect is an error, Node keeps a copy of all that it sends. workerd
 * does not know the setting, and refuses it.
 */
function streamingRedirect(): RequestRedirect {
  try {
    return new Request('https://host.invalid', { redirect: 'error' }).redirect;
  } catch {
    return 'manual';
  }
}

/** Some refusals come as a success. */
function hasError(body: unknown): boolean {
  const error = (body as { readonly error?: unknown } | null)?.error;
  return typeof error === 'object' && error !== null;
}

/** The headers of a JSON body; a kind of JSON that the caller names stays. */
function asJson(headers: GraphRequest<unknown>['headers']): Headers {
  const all = new Headers(headers);
  if (!all.has('content-type')) all.set('content-type', 'application/json');
  return all;
}

/** Tells a hook; whatever it does, the call goes on. */
function notify<TEvent>(hook: ((event: TEvent) => unknown) | undefined, event: () => TEvent): void {
  if (hook === undefined) return;
  try {
    Promise.resolve(hook(event())).catch(() => undefined);
  } catch {
    // The caller's own fault, and not ours to report.
  }
}
