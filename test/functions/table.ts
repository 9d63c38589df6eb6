// What tests know of each function, said once: `page` and `pics` have a file a subject, as `src` does.
import type { ResultAsync } from 'neverthrow';

import type { Context, ContainerNotReadyError, Failure, Outcome } from '../../src/core/index.ts';
import type { PageContext } from '../../src/page/context.ts';
import type { PicsContext } from '../../src/pics/context.ts';
import type { EffectKind, Sandbox, SandboxAccount, SandboxPage } from '../../src/sandbox/index.ts';
import type { Kind } from '../hostile/kinds.ts';

/** How the photo-sharing platform is called: with a token of its own login, or with that of a linked Page. */
export type Mode = 'login' | 'viaPages';

/** The functions of a subject: one that is missing here does not compile. */
export type Table<TContext extends Context, TModule> = {
  readonly [TName in keyof TModule]: TModule[TName] extends (
    context: never,
    ...options: infer TOptions
  ) => unknown
    ? Entry<TContext, NonNullable<TOptions[0]>>
    : never;
};

/** A function, as all suites that call every function have it. */
export interface Entry<TContext extends Context, TOptions> extends Facts<TOptions> {
  /** The modes in which it works, of photo-sharing functions. @default both */
  readonly modes?: readonly Mode[];
  /** What is else in one of them. */
  readonly inMode?: Readonly<Partial<Record<Mode, Partial<Facts<TOptions>>>>>;
  /** Options with which a call succeeds in a sandbox. */
  readonly options: (at: Spot) => TOptions;
  /** Makes what the call needs. Returns its id. */
  readonly prepare?: (scene: Scene<TContext>) => string | Promise<string>;
  /** Whether a value is no failure, where a function returns less instead of one. */
  readonly works?: (value: never) => boolean;
  /** The lane of a governor that is its own: it publishes, or is what others wait for that do. */
  readonly lane?: 'publish';
  /** Its writes. @default none */
  readonly writes?: readonly Way<TContext, TOptions>[];
}

/** What hostile suites know: valid options and responses, and what a success promises. */
export interface Facts<TOptions> {
  /** Every option of the function: one that is missing here does not compile. */
  readonly kinds: { readonly [TName in keyof Required<Omit<TOptions, 'signal'>>]: Kind };
  /** Valid options; together, all of the options are given. */
  readonly variants: readonly TOptions[];
  /** Valid responses by `METHOD path`, the path without address and version. */
  readonly routes?: Readonly<Record<string, unknown>>;
  /** Names of the errors that the function can fail with, when its options are valid. @default those of a request */
  readonly failures?: readonly string[];
  /** What a success promises. */
  readonly holds: (value: never) => boolean;
}

/** Where a call is made in a sandbox, and by which tokens. */
export interface Spot {
  readonly page: SandboxPage & { readonly picsId: string };
  readonly account: SandboxAccount;
  readonly token: string;
  /** The Page token that `token` gives, or is. */
  readonly pageToken: string;
  /** The account, as photo-sharing functions take it: login mode need not name it. */
  readonly own: { readonly token: string; readonly picsUserId?: string };
  /** The account, as functions of its inbox take it. */
  readonly inbox: Spot['own'] & { readonly pageId?: string };
  /** What `prepare` returned. */
  readonly prepared: string;
  /** The text that a call publishes. */
  readonly message: string;
}

/** Where a call is prepared, by tokens that may do everything. */
export interface Scene<TContext extends Context> {
  readonly sandbox: Sandbox;
  readonly context: TContext;
  readonly at: Spot;
}

/** One way of a function to write. */
export interface Way<TContext extends Context, TOptions> {
  /** What is particular about it: `scheduled`. */
  readonly as?: string;
  /** @default the first one of the function */
  readonly mode?: Mode;
  /** What it gives beside `options`, or instead of them. */
  readonly give?: (at: Spot) => { readonly [TName in keyof TOptions]?: TOptions[TName] | undefined };
  /** Instead of the function and its options. */
  readonly call?: (context: TContext, at: Spot) => ResultAsync<unknown, AnyFailure>;
  /** Instead of the function's own. */
  readonly prepare?: Entry<TContext, TOptions>['prepare'];
  /** Kind of its effect. */
  readonly kind: EffectKind;
  /** A write that must happen once: the field of its value with the id of the effect. */
  readonly id?: string;
  /** What nothing on the platform shows of it, once its response is lost. @default nothing: it is found */
  readonly hides?: 'its id' | 'its content' | 'all' | 'all but a repetition';
  /** The request whose response is lost in `test/faults/matrix.test.ts`. */
  readonly lost?: Lost;
  /** How processes die in it in `test/core/writes/journal`. */
  readonly keyed?: Keyed;
}

export interface Lost {
  readonly method?: 'POST' | 'DELETE';
  readonly path: RegExp;
  /** Earlier requests that match the same rule. */
  readonly skip?: number;
  /** Kind of its effect, if it is not that of the way. */
  readonly kind?: EffectKind;
  /** Of a write that must happen once: the ids in the payload of a failure. */
  readonly names?: readonly string[];
  /** What the call reports if the write took effect, and if it did not. @default by what it hides */
  readonly said?: { readonly applied: Said; readonly notApplied: Said };
  /** It is safe to repeat: in the end, there is exactly one of these. @default by `kind`, without repeated ones that change nothing */
  readonly one?: EffectKind;
  /** What it says where the lost write, which is safe to repeat, took effect. @default 'ok' */
  readonly again?: Said;
}

export interface Keyed {
  /** What a person makes that looks the same, with the platform's own tools. Returns its id. @default another call of it */
  readonly stranger?: (person: Person) => Promise<string>;
  /** Kinds of what it makes on the way. */
  readonly makes?: readonly EffectKind[];
  /** How many of each it makes. */
  readonly count?: number;
  /** How many of it the platform accepts per Page and day. */
  readonly mostPerPage?: number;
  /** Only where leases are renewed: its response names other ids, or its effect shows other things. */
  readonly isVariant?: true;
}

/** A stranger to the caller's processes, who writes the same as they do. */
export interface Person {
  readonly sandbox: Sandbox;
  readonly context: PageContext;
  readonly viaPages: PicsContext;
  readonly at: Spot;
}

/** What a call reports. */
export type Said = 'ok' | Outcome;

export type AnyFailure = Failure | ContainerNotReadyError;
