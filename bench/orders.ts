// The messages to and from the publishing processes.
import type { Platform } from '../src/core/index.ts';
import type { Job, Target } from '../test/core/writes/journal/publishings.ts';
import type { StoreName } from './stores.ts';

/** The header that names the call of a request. */
export const callHeader = 'x-call';

/** What a process is to publish, where, and how. */
export interface Order {
  /** Name of one of the `publishings`. */
  readonly name: string;
  readonly job: Job;
  readonly target: Target;
  readonly platform: Platform;
  readonly app: { readonly id: string; readonly secret: string };
  readonly picsApp: { readonly secret: string };
  /** The address of the store of the journal: of SQLite, its file. */
  readonly journal: string;
  /** @default 'sqlite' */
  readonly store?: StoreName;
  /** Milliseconds for a call. @default Infinity */
  readonly deadlineMs?: number;
  /** Milliseconds by which the clock of the sandbox is ahead. */
  readonly aheadMs: number;
  /** The wall clock steps, lists repeat themselves, and responses have no end. @default false */
  readonly adverse?: boolean;
}

/** The result of a call. */
export interface Told {
  /** Its process is frozen, and reports later. */
  readonly isFrozen?: true;
  readonly value?: Readonly<Record<string, unknown>>;
  readonly error?: Readonly<Record<string, unknown>>;
}

export type ToWorker =
  | { readonly order: Order; readonly number: number }
  | { readonly passed: number }
  | { readonly aheadMs: number };
export type FromWorker =
  | { readonly number: number; readonly told: Told }
  | { readonly number: number; readonly point: string; readonly pass: number };
