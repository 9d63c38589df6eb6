import type { Result } from 'neverthrow';

import type { RequestFailure } from '../errors.ts';
import type { Schema } from '../http/types.ts';
import type { RequestParams } from './params.ts';

/** One request of a batch. */
export interface BatchPart<TOutput = unknown> {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** A path joined to the context's `graphBase`, or an absolute address of the same origin. */
  readonly path: string;
  /** Sent in the query. */
  readonly params?: RequestParams | undefined;
  /** Sent as a form. POST only. */
  readonly data?: RequestParams | undefined;
  /**
   * Token of this part; its proof is added.
   * @default that of the batch
   */
  readonly token?: string | undefined;
  /** What the response must be, as the schemas of `pagepics/models`; without it, the value is `unknown`. */
  readonly schema?: Schema<TOutput> | undefined;
}

export interface BatchOptions {
  /** Token of the parts that have none of their own; the platform asks for it in any case. */
  readonly token: string;
  /**
   * `true` says that every part may be done twice: a batch without a usable response is sent again.
   * @default true for a batch without a POST
   */
  readonly retry?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A Result for each part, in their order. */
export type BatchResults<TParts extends readonly BatchPart[]> = {
  -readonly [TAt in keyof TParts]: Result<
    TParts[TAt] extends { readonly schema: Schema<infer TOutput> } ? TOutput : unknown,
    RequestFailure
  >;
};
