import type { GenericSchema } from 'valibot';

import type { ApiErrorDetails } from '../errors.ts';
import type { Redact } from './redact.ts';

/**
 * What sends the requests: the global `fetch`, or one like it. Spelled out, since `typeof fetch` asks for more in
 * some runtimes: in Bun, for a `preconnect`.
 */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** A body of `fetch`. Spelled out, since `BodyInit` is known only where the types of the DOM are. */
export type RequestBody =
  | string
  | ArrayBuffer
  | ArrayBufferView
  | Blob
  | FormData
  | URLSearchParams
  | ReadableStream;

/** Values to send; `undefined` and `null` ones are left out. */
export type Params = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** What must arrive, and what becomes of it. */
export type Schema<TOutput> = GenericSchema<unknown, TOutput>;

/**
 * When a request may be sent again: `always`, since doing it twice does no harm; `answered`, after
 * any answer that the policy retries but not after a lost one; `refused`, only once it is known not
 * to have been done.
 */
export type Repeat = 'always' | 'answered' | 'refused';

/** What one call, which may be several requests, is bounded by. */
export interface CallLimits {
  readonly signal?: AbortSignal | undefined;
  /**
   * Instant, by the context's clock, at which the call is over.
   * @default the context's `deadlineMs` from now
   */
  readonly deadline?: number | undefined;
}

/** One request to the platform. */
export interface GraphRequest<TOutput> extends CallLimits {
  readonly method: string;
  /** Relative to the context's `graphBase`, or an absolute address; write ids in with `path`. */
  readonly path: string;
  /** Sent as `access_token`, with the proof of it when the context has a secret. */
  readonly token?: string | undefined;
  readonly query?: Params | undefined;
  /** Sent as a form. */
  readonly form?: Params | undefined;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as it is. */
  readonly body?: RequestBody | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Values besides the token that must not be shown. */
  readonly secrets?: readonly (string | undefined)[] | undefined;
  /** @default 'always': what publishes goes through `sendOnce` */
  readonly repeat?: Repeat | undefined;
  /**
   * Sendings at most.
   * @default the policy's `attempts`
   */
  readonly attempts?: number | undefined;
  /**
   * Whether a refusal shows that an earlier attempt, whose response was lost, did what was asked for; the call
   * is a success then. 100/33 never shows it: "no such object" is also what a missing permission is called.
   */
  readonly showsDone?: ((refusal: ApiErrorDetails) => boolean) | undefined;
  /** Milliseconds for one attempt, in place of the context's. */
  readonly timeoutMs?: number | undefined;
  /** Called when an attempt begins. */
  readonly onAttempt?: (() => void) | undefined;
  readonly schema: Schema<TOutput>;
}

/** A usable answer. */
export interface GraphResponse<TOutput> {
  readonly value: TOutput;
  /** The whole body, as it came. */
  readonly body: unknown;
  readonly status: number;
  /** The platform's clock when the answer was in, milliseconds since 1970; `undefined` where it did not say. */
  readonly date: number | undefined;
  /** Takes the secrets of the call out of a value. */
  readonly redact: Redact;
}
