import { createNodeStore, type Node, type NodeKind, type NodeMap, type NodeStore } from './nodeStore.ts';
import type { QuotaStore } from './quotas.ts';
import { createRandom } from './random.ts';
import { defaultTuning } from './tuning.ts';
import type { Effect, EffectKind, FaultRule, RequestLog, Tuning } from './types.ts';
import type { Checksum } from './upload/sha256.ts';
import type { DeliverOptions, Happening } from './webhooks/types.ts';

export type { Node, NodeKind, NodeMap } from './nodeStore.ts';

export type TokenKind = 'user' | 'page' | 'app' | 'pics';

export interface Token {
  readonly value: string;
  readonly kind: TokenKind;
  /** The user, Page or professional account that `me` stands for. */
  readonly subjectId: string;
  /** The person who granted it. */
  readonly userId: string;
  /** The user token that this Page token comes from. */
  readonly parent: string | undefined;
  scopes: readonly string[];
  /** The Pages and accounts that single scopes are limited to. */
  targets: ReadonlyMap<string, readonly string[]>;
  /** What the person may do on their Pages; `undefined` for everything. */
  readonly tasks: readonly string[] | undefined;
  /** When it no longer reads data. */
  readonly dataAccessEndsAt: number;
  readonly issuedAt: number;
  /** `undefined`: never. */
  readonly expiresAt: number | undefined;
  readonly longLived: boolean;
  /** Subcode of the refusal if the token is dead. */
  death: number | undefined;
}

/** A login code. */
export interface Code {
  readonly value: string;
  readonly kind: 'user' | 'pics';
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  /** Id of the person or account who decided, where it is not the seeded one. */
  readonly as: string | undefined;
  readonly issuedAt: number;
  used: boolean;
}

export type Log = { -readonly [K in keyof RequestLog]: RequestLog[K] };

interface ActiveFault {
  /** The rule, if it applies now. */
  readonly rule: () => FaultRule | undefined;
  seen: number;
  hits: number;
}

export interface World {
  /** Sandbox clock, milliseconds. While a late write lands, the time at which it is due. */
  readonly now: () => number;
  readonly advance: (ms: number) => void;
  readonly at: <T>(time: number, run: () => T) => T;
  readonly random: () => number;
  /** A 17-digit id. It is odd, so that parsing it as a double always corrupts it. */
  readonly newId: (prefix?: string) => string;
  readonly requireProof: boolean;
  /** Whether undocumented parameters and fields are refused instead of ignored. */
  readonly strict: boolean;
  /** Sends the platform's own requests, to callback addresses of the app. */
  readonly callBack: (request: Request) => Promise<Response>;
  readonly app: { readonly id: string; readonly secret: string; readonly configId: string };
  readonly picsApp: { readonly id: string; readonly secret: string };
  readonly nodes: NodeStore;
  readonly tokens: Map<string, Token>;
  readonly codes: Map<string, Code>;
  readonly uploads: UploadStore;
  readonly effects: Effect[];
  /** Events that webhooks have not delivered yet, oldest first. */
  readonly happenings: Happening[];
  readonly onEffect: (effect: Effect) => void;
  /** Called after each effect. */
  readonly listeners: Set<() => void>;
  /** How webhooks are delivered, unless the delivery says otherwise. */
  delivery: DeliverOptions;
  /** Functions that end the requests in progress. A closed sandbox has none. */
  readonly inProgress: Set<() => void>;
  closed: boolean;
  readonly quotas: QuotaStore;
  readonly requests: Log[];
  /** What the requests take in memory, roughly in bytes, in their order and in all. */
  readonly logged: { readonly sizes: number[]; total: number };
  /** How many requests there were, those that are no longer kept too. */
  served: number;
  readonly faults: ActiveFault[];
  /** Writes that have yet to land. */
  readonly late: { readonly due: number; readonly run: () => unknown }[];
  tuning: Tuning;
}

export interface WorldOptions {
  readonly now: () => number;
  readonly seed: number;
  readonly requireProof: boolean;
  readonly strict: boolean;
  readonly callBack: (request: Request) => Promise<Response>;
  readonly quotas: QuotaStore;
  /** Called with what a write made, once it is in place. */
  readonly onEffect: (effect: Effect) => void;
}

export function createWorld(options: WorldOptions): World {
  const random = createRandom(options.seed);
  let offset = 0;
  let override: number | undefined;
  let counter = 0;
  return {
    now: () => override ?? options.now() + offset,
    advance: (ms) => {
      offset += ms;
    },
    at: (time, run) => {
      const before = override;
      override = time;
      try {
        return run();
      } finally {
        override = before;
      }
    },
    random,
    newId: (prefix = '122') => {
      counter += 1 + Math.floor(random() * 500);
      return prefix + String(counter * 2 + 1).padStart(17 - prefix.length, '0');
    },
    requireProof: options.requireProof,
    strict: options.strict,
    callBack: options.callBack,
    app: { id: '1029384756473829', secret: 'page-app-secret-0123456789abcdef', configId: '5647382910192837' },
    picsApp: { id: '9182736455463728', secret: 'pics-app-secret-fedcba9876543210' },
    nodes: createNodeStore(),
    tokens: new Map(),
    codes: new Map(),
    uploads: new Map(),
    effects: [],
    happenings: [],
    onEffect: options.onEffect,
    listeners: new Set(),
    delivery: {},
    inProgress: new Set(),
    closed: false,
    quotas: options.quotas,
    requests: [],
    logged: { sizes: [], total: 0 },
    served: 0,
    faults: [],
    late: [],
    tuning: defaultTuning,
  };
}

/** Owner of what any token has access to. */
export const everyone = '*';

/** Whether a token has access to a node. That of a Page or a person has it to the Page's account while the two are linked. */
export function hasAccess(world: World, { kind, subjectId }: Token, { owners }: Node): boolean {
  if (owners.includes(everyone)) return true;
  if (!owners.includes(subjectId)) return false;
  return kind === 'pics' || world.tuning.pics.linked || !owners.some((id) => find(world, 'picsAccount', id));
}

/** Adds a node. */
export function add<N extends Node>(world: World, node: N): N {
  world.nodes.set(node.id, node);
  return node;
}

/** Nodes of a kind, newest first, as lists show them: without those that are younger than the lag. */
export function listed<K extends NodeKind>(
  world: World,
  kind: K,
  keep: (node: NodeMap[K]) => boolean,
): NodeMap[K][] {
  const horizon = world.now() - world.tuning.lists.lagMs;
  return world.nodes.newestFirst(kind).filter((node) => node.createdAt <= horizon && keep(node));
}

export function find<K extends NodeKind>(world: World, kind: K, id: string): NodeMap[K] | undefined {
  const node = world.nodes.get(id);
  return node?.kind === kind ? (node as NodeMap[K]) : undefined;
}

/** Records what a write did, for tests to assert. */
export function recordEffect(
  world: World,
  kind: EffectKind,
  id: string,
  parentId: string | undefined,
  content: Readonly<Record<string, unknown>>,
): void {
  const effect = { kind, id, at: world.now(), parentId, content };
  world.effects.push(effect);
  world.onEffect(effect);
  for (const heard of world.listeners) heard();
}

/** Lands the late writes that are due, in the order of their times. */
export function landDueWrites(world: World): void {
  for (;;) {
    const now = world.now();
    const next = world.late.toSorted((a, b) => a.due - b.due).find((write) => write.due <= now);
    if (next === undefined) return;
    world.late.splice(world.late.indexOf(next), 1);
    world.at(next.due, next.run);
  }
}

/** What the upload host holds of one video. */
export interface Upload {
  bytes: number;
  checksum: Checksum;
  /** Whether the bytes are a text, which cannot be processed as a video. */
  isText?: boolean;
  readonly transfers: { readonly offset: number; bytes: number }[];
}

type UploadStore = Map<string, Upload>;
