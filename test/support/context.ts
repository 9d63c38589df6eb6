import type { ContextOptions } from '../../src/core/context.ts';
import type { CallLimits, HttpContext } from '../../src/core/http/types.ts';
import type { MonotonicClock } from '../../src/core/options/clock.ts';
import { createPageContext, type PageContext, type PageContextOptions } from '../../src/page/context.ts';
import {
  createPicsContext,
  createPicsContextViaPages,
  type PicsContext,
  type PicsContextOptions,
} from '../../src/pics/context.ts';

export const platform = {
  graphUrl: 'https://graph.test',
  dialogUrl: 'https://dialog.test',
  picsGraphUrl: 'https://pics-graph.test',
  picsAuthUrl: 'https://pics-auth.test/oauth/authorize',
  picsTokenUrl: 'https://pics-token.test/oauth/access_token',
  uploadUrl: 'https://upload.test',
};
export const graphBase = `${platform.graphUrl}/v26.0`;
export const picsGraphBase = `${platform.picsGraphUrl}/v26.0`;
export const token = 'page-token';
export const appSecret = 'app-secret';

/** HMAC-SHA256 of `page-token` under `app-secret`, from `openssl dgst -sha256 -hmac app-secret`. */
export const proof = 'd8b448b9cc7d64c51098271805b3cc20b5b715e52bd587eb71b610259587c856';

/** The query of every request with a token. */
export const authenticated = { access_token: token, appsecret_proof: proof };

const quick: ContextOptions = { platform, retry: { baseDelayMs: 0 } };

/** A call for requests that are sent outside a function, with the deadline of a context, if one is given. */
export function newCall(context?: HttpContext): CallLimits {
  const of = { operation: 'test', callId: 'test-1' };
  return {
    trace: { of, startedAt: 0, requests: 0, attempts: 0, place: undefined },
    signal: undefined,
    deadline: context ? context.clock.monotonic() + context.deadlineMs : Infinity,
  };
}

export function pageContext(options: Partial<PageContextOptions> = {}): PageContext {
  return createPageContext({
    appId: 'app-id',
    appSecret,
    ...quick,
    ...options,
    retry: { ...quick.retry, ...options.retry },
  })._unsafeUnwrap();
}

export function picsContext(options: PicsContextOptions = {}): PicsContext {
  return createPicsContext({
    appId: 'pics-app-id',
    appSecret,
    ...quick,
    ...options,
    retry: { ...quick.retry, ...options.retry },
  })._unsafeUnwrap();
}

export function picsPageContext(options: ContextOptions & { readonly appId?: string } = {}): PicsContext {
  return createPicsContextViaPages({
    appSecret,
    ...quick,
    ...options,
    retry: { ...quick.retry, ...options.retry },
  })._unsafeUnwrap();
}

/** Response headers with the time of a clock, for a simulated platform; by default the real time. */
export function dated(
  clock: { readonly now: () => number } = { now: Date.now },
): Record<string, () => string> {
  return { date: () => new Date(clock.now()).toUTCString() };
}

/**
 * A clock that moves only by sleeping, and records for how long. `advance` moves it by hand; `set` sets its wall clock
 * ahead or back, as a person or a time server does.
 */
export function virtualClock(
  start = Date.UTC(2026, 0, 2),
): MonotonicClock & { readonly slept: number[]; advance(ms: number): void; set(ms: number): void } {
  let time = start;
  let setBy = 0;
  const slept: number[] = [];
  return {
    slept,
    now: () => time + setBy,
    monotonic: () => time,
    advance: (ms) => {
      time += ms;
    },
    set: (ms) => {
      setBy += ms;
    },
    sleep: async (ms, signal) => {
      if (signal?.aborted) return;
      slept.push(ms);
      time += ms;
    },
  };
}

/** The time as the platform writes it. */
export function wireNow(): string {
  return new Date().toISOString().replace(/\.\d+Z$/, '+0000');
}
