import type { ContextOptions } from '../../src/core/context.ts';
import { pageContext, picsContext, picsPageContext, virtualClock } from '../support/context.ts';
import { type Contexts, type Subject, trustedOrigins } from './catalogue.ts';
import { type Hostile, render } from './hostile.ts';

/** Says what a request gets: something hostile, or, where it is `undefined`, the valid answer. */
export type Plan = (place: {
  /** 0 for the first request of a call. */
  readonly index: number;
  readonly route: string;
}) => Hostile | undefined;

/** What the requests of one call came to. */
export interface Log {
  requests: number;
  hostile: number;
  /** Requests that no valid answer is known for. */
  unknown: string[];
  /** Requests that left for another origin than the platform's, or would follow a redirect. */
  leaks: string[];
  hasNetworkFailed: boolean;
}

export interface Bench {
  readonly contexts: Contexts;
  /** Begins a call: what its requests get, and where it is told what they were. */
  readonly begin: (plan: Plan) => Log;
}

/** The platform's clock, by which the entries of the valid answers are new. It stands still. */
const date = 'Fri, 02 Jan 2026 00:00:01 GMT';

/** More requests than this of one call are a loop. */
const mostRequests = 3000;

/** Contexts of a platform in memory that answers one function, validly or as planned. */
export function createBench({ routes, isLowLevel }: Subject, options: ContextOptions = {}): Bench {
  let plan: Plan = () => undefined;
  let log = newLog();
  let seen = new Map<string, number>();
  // Shared by all calls and moved on between them: the memory of once-only writes must not fill up.
  const clock = virtualClock();

  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = input as Request;
    const url = new URL(request.url);
    const index = log.requests++;
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
    contexts: {
      page: pageContext(settings),
      login: picsContext(settings),
      viaPages: picsPageContext(settings),
    },
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
