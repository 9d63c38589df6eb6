/** When a request was recorded, by the clocks of its sender, and when another call first met it. */
export interface ModelSending {
  readonly l: number;
  readonly p: number | null;
  readonly seen: number | null;
}

/** A state of the model. */
export interface ModelState {
  readonly t: number;
  readonly e: readonly ({
    readonly l: number;
    readonly s: ModelSending | null;
    readonly m: number | null;
    readonly a?: boolean;
  } | null)[];
  readonly L: readonly ({ readonly k: number; readonly past: readonly { readonly k: number }[] } | null)[];
  readonly fx: readonly { readonly k: number; readonly o: number | null }[];
  readonly fl: readonly { readonly k: number; readonly p: number; readonly x?: number }[];
  readonly pr: readonly {
    readonly pc: string;
    readonly k: number;
    readonly off: number;
    readonly list?: readonly number[];
  }[];
}

export interface Scenario {
  readonly warm?: boolean;
  readonly dateOff?: readonly number[];
  readonly showsMaker?: boolean;
  readonly object?: string;
  readonly single?: readonly number[];
  readonly joint?: boolean;
  readonly contents?: readonly string[];
  readonly mention?: boolean;
}

export interface Walk {
  readonly name: string;
  readonly sc: Scenario;
  readonly steps: readonly { readonly label: string; readonly after: ModelState }[];
}

export const walkable: readonly string[];
export function randomFrom(seed: number): () => number;
export function walk(name: string, random: () => number): Walk;
