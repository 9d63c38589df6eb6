import type { ContextOptions } from '../../src/core/context.ts';
import { pageContext, picsContext, picsPageContext, virtualClock } from '../support/context.ts';
import { lazy } from '../support/lazy.ts';
import { type Contexts, type Subject, trustedOrigins } from './catalogue.ts';
import { type Hostile, render } from './hostile.ts';

/** The hostile response to a request; `undefined` for the valid one. */
export type Plan = (place: {
  /** 0 for the first request of a call. */
  readonly index: number;
  readonly route: string;
}) => Hostile | undefined;

/** The state of the requests of one call. */
export interface Log {
  requests: number;
  hostile: number;
  /** Requests without a known valid response. */
  unknown: string[];
  /** Requests to an origin that is not the platform's, or that would follow a redirect. */
  leaks: string[];
  hasNetworkFailed: boolean;
}

export interface Bench {
  readonly contexts: Contexts;
  /** Begins a call: plans its responses, and records its requests. */
  readonly begin: (plan: Plan) => Log;
}

/** The platform's clock, by which the entries of valid responses are new. It does not move. */
const date = 'Fri, 02 Jan 2026 00:00:01 GMT';

/** A call that sends more requests is in a loop. */
const mostRequests = 3000;

/** Contexts at a platform in memory that responds to one function, validly or as planned. */
export function createBench(
  { routes, isLowLevel }: Subject,
  options: ContextOptions = {},
  onSend?: (request: Request) => Promise<void>,
): Bench {
  let plan: Plan = () => undefined;
  let log = newLog();
  let seen = new Map<string, number>();
  // All calls share the clock. It moves on between them, so that the memory of once-only writes does not fill up.
  const clock = virtualClock();

  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = input as Request;
    await onSend?.(request.clone());
    const url = new URL(request.url);
    const index = log.requests++;
    const current = log;
    // On a busy machine, a limit of a few milliseconds ends requests that get valid responses as well.
    init?.signal?.addEventListener('abort', () => {
      current.hasNetworkFailed = true;
    });
    if (index > mostRequests) throw new Error('the call goes on without end');
    if (!isLowLevel && !trustedOrigins.has(url.origin)) log.leaks.push(request.url);
    if (request.redirect === 'follow') log.leaks.push(`follows redirects: ${request.url}`);

    const path = url.pathname.replace(/^\/(?:v26\.0\/)?/, '');
    const exact = `${request.method} ${path}`;
    const route = exact in routes ? exact : `${request.method} ${path.slice(path.lastIndexOf('/') + 1)}`;
    const turn = seen.get(route) ?? 0;
    seen.set(route, turn + 1);
    const known = routes[route];
    const valid = Array.isArray(known) ? (known[Math.min(turn, known.length - 1)] as unknown) : known;

    const hostile = plan({ index, route });
    if (hostile === undefined) {
      if (valid === undefined) log.unknown.push(exact);
      return new Response(JSON.stringify(valid ?? { error: { code: 100, message: 'No' } }), {
        status: valid === undefined ? 400 : 200,
        headers: { date },
      });
    }
    log.hostile++;
    if (['network', 'no response', 'stream', 'silence', 'endless'].includes(hostile.kind)) {
      log.hasNetworkFailed = true;
    }
    return render(hostile, { valid: valid ?? {}, index, signal: init?.signal ?? undefined });
  };

  const settings = { ...options, fetch, clock };
  return {
    contexts: lazy({
      page: () => pageContext(settings),
      login: () => picsContext(settings),
      viaPages: () => picsPageContext({ ...settings, appId: 'app' }),
    }),
    begin: (next) => {
      plan = next;
      log = newLog();
      seen = new Map();
      clock.slept.length = 0;
      clock.advance(3_600_000);
      return log;
    },
  };
}

function newLog(): Log {
  return { requests: 0, hostile: 0, unknown: [], leaks: [], hasNetworkFailed: false };
}
