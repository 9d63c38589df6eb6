import { fieldsOf, isRecord } from '../core/objects.ts';
import { fromCaller } from '../core/options/given.ts';
import type { MediaFinding } from '../media/types.ts';
import { badOption, checked, checkMembers, checksOf } from './members.ts';
import type { Entry, Kinds, Node, NodeKind } from './nodes.ts';
import type * as t from './types.ts';

/** A generator of numbers from 0 to 1 (mulberry32). Equal seeds give equal numbers. */
export function createRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Random letters and digits, for tokens and codes. */
export function randomText(random: () => number, length: number): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
  let text = '';
  while (text.length < length) text += letters.charAt(Math.floor(random() * letters.length));
  return text;
}

/** By default, the platform finishes at once and never fails. */
const defaultTuning: t.Tuning = {
  containers: { processingMs: 0, fail: undefined, codeless: false, silent: false, notReadyOnPublish: 0 },
  videos: {
    settleMs: 0,
    processingMs: 0,
    failAt: undefined,
    text: 'The video could not be processed.',
    lowQuality: false,
    variantSpelling: false,
    hostedBytes: 1_000_000,
    partBytes: 1_048_576,
    bytesPerSecond: undefined,
    hostedFailure: undefined,
  },
  media: 'lenient',
  lists: { lagMs: 0, sparse: false, mostPerPage: undefined, mostCharacters: undefined, undeliverable: [] },
  posts: { refuseDuplicatesForMs: 0 },
  pages: { status: 'ok', visitorPosts: true, openPosts: false },
  threads: { routing: false },
  templates: { status: 'APPROVED' },
  batch: { finishes: undefined, lands: false },
  metrics: { retired: [], lagMs: 0, missingDays: [], postsWithout: [], refuseUnread: false },
  writes: { landAfterMs: 0 },
  pics: {
    quotaTotal: 100,
    addOns: true,
    followers: 1280,
    wrapped: false,
    scopedParticipants: false,
    retiredMetrics: [],
    convertedAt: 0,
    omitsInsights: undefined,
    heldComments: [],
    linked: true,
    barred: false,
  },
};

type Part = Readonly<Record<string, unknown>>;

/** The tuning with a patch. Unknown members are refused, so that no test passes because of a typo. */
export function tuned(tuning: t.Tuning, patch: t.TuningPatch): t.Tuning {
  return fromCaller('options', () => tunedBy(tuning, patch));
}

function tunedBy(tuning: t.Tuning, patch: t.TuningPatch): t.Tuning {
  if (!isRecord(patch)) throw badOption('options', 'what is given to tune must be an object');
  checkMembers(patch, Object.keys(defaultTuning));
  for (const [name, part] of Object.entries(patch)) {
    if (name === 'media') {
      if (part !== undefined && part !== 'lenient' && part !== 'strict')
        throw badOption('media', "media must be 'lenient' or 'strict'");
    } else if (part !== undefined) checkPart(name, part, fieldsOf(defaultTuning[name as keyof t.Tuning]));
  }
  const changed = Object.entries(tuning).map(([name, part]) => [
    name,
    name === 'media' ? (patch.media ?? part) : { ...part, ...fieldsOf(patch[name as keyof t.Tuning]) },
  ]);
  return Object.fromEntries(changed) as t.Tuning;
}

/** Values of settings that are not set by default. */
const examples: Part = {
  fail: {},
  failAt: 'uploading',
  bytesPerSecond: 1,
  hostedFailure: '',
  mostPerPage: 1,
  mostCharacters: 1,
  finishes: 1,
  omitsInsights: true,
};

const choices: Readonly<Record<string, readonly unknown[]>> = {
  'videos.failAt': ['uploading', 'processing'],
  'pages.status': ['ok', 'warning', 'restricted', 'suspended'],
  'templates.status': ['APPROVED', 'PENDING', 'REJECTED'],
};

function checkPart(name: string, part: unknown, defaults: Part): void {
  if (!isRecord(part)) throw badOption(name, `${name} must be an object`);
  checkMembers(part, Object.keys(defaults), `${name}.`);
  for (const [member, value] of Object.entries(part)) {
    const usual = defaults[member] ?? examples[member];
    const path = `${name}.${member}`;
    const least = member === 'bytesPerSecond' || member === 'partBytes' ? 1 : 0;
    // What is off by default can be turned off again.
    if (value === undefined && defaults[member] === undefined) continue;
    if (typeof value !== typeof usual || Array.isArray(value) !== Array.isArray(usual))
      throw badOption(path, `${path} must be ${Array.isArray(usual) ? 'a list' : `a ${typeof usual}`}`);
    if (typeof value === 'number' && !(value >= least))
      throw badOption(path, `${path} must be at least ${least}`);
    if (choices[path]?.includes(value) === false)
      throw badOption(path, `${path} must be one of ${choices[path].join(', ')}`);
    if (path === 'containers.fail') checked(path, value, checksOf('subcode!:number text!'), `${path}.`);
  }
}

/** The nodes by their ids, and by their kinds in the order in which they were made. */
function createNodeStore() {
  const byId = new Map<string, Node>();
  // A node may have two ids.
  const byKind = new Map<NodeKind, Set<Node>>();
  /** Sorted on demand; dropped when a node is added or deleted. */
  const sorted = new Map<NodeKind, readonly Node[]>();
  return {
    get: (id: string): Node | undefined => byId.get(id),
    set: (id: string, node: Node): void => {
      byId.set(id, node);
      sorted.delete(node.kind);
      byKind.set(node.kind, (byKind.get(node.kind) ?? new Set()).add(node));
    },
    delete: (id: string): void => {
      const node = byId.get(id);
      if (node === undefined) return;
      byKind.get(node.kind)?.delete(node);
      sorted.delete(node.kind);
      byId.delete(id);
    },
    values: (): Iterable<Node> => byId.values(),
    size: (): number => byId.size,
    ofKind: <K extends NodeKind>(kind: K) => (byKind.get(kind) ?? []) as Iterable<Node<K>>,
    newestFirst: <K extends NodeKind>(kind: K) => {
      const known =
        sorted.get(kind) ??
        [...(byKind.get(kind) ?? [])].toReversed().sort((a, b) => b.createdAt - a.createdAt);
      sorted.set(kind, known);
      return known as readonly Node<K>[];
    },
  };
}

/** A limit that a call counts against, and the id that it applies to. */
export interface Pool {
  readonly kind: t.QuotaKind;
  readonly id: string;
}

/** A quota, with defaults for all that its caller left out. */
export type Quota = { readonly [K in keyof t.SandboxQuotaOptions]-?: number };

/** Something that webhooks report. */
export interface Happening {
  readonly object: 'page' | 'instagram';
  /** The Page or account that it happened to. */
  readonly accountId: string;
  /** The field that a Page has to be subscribed to. */
  readonly field:
    | 'feed'
    | 'leadgen'
    | 'leadgen_update'
    | 'comments'
    | 'mentions'
    | 'messages'
    | 'message_echoes'
    | 'message_reactions'
    | 'message_reads'
    | 'messaging_postbacks'
    | 'business_integrity'
    | 'agent_messages'
    | 'agent_questions'
    | 'message_template_status_update';
  /** Whether it is a change of a field, not an event in a conversation. */
  readonly isChange: boolean;
  /** The value of the change, or the item of the conversation. */
  readonly item: object;
  /** When it was sent first: what is sent again has the same time. */
  sentAt?: number;
}

/** The limits of a sandbox, and the calls that were made. */
interface QuotaStore {
  readonly limits: ReadonlyMap<t.QuotaKind, Quota>;
  /** When the calls of a pool were made, oldest first, by its kind and id. */
  readonly calls: Map<string, { readonly pool: Pool; readonly times: number[] }>;
  /** What a request counted against, by the request. */
  readonly pools: WeakMap<object, readonly Pool[]>;
}

/** The digest of bytes that arrive one after another. */
export interface Checksum {
  readonly add: (bytes: Uint8Array) => void;
  /** The SHA-256 of what was added so far, in hex; `undefined` in browsers, which can only digest a whole. */
  readonly hex: () => string | undefined;
}

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

export type Log = { -readonly [K in keyof t.RequestLog]: t.RequestLog[K] };

interface ActiveFault {
  /** The rule, if it applies now. */
  readonly rule: () => t.FaultRule | undefined;
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
  /** Whether the app is too new for some habits of older ones. */
  readonly isNewApp: boolean;
  /** Sends the platform's own requests, to callback addresses of the app. */
  readonly callBack: (request: Request) => Promise<Response>;
  readonly app: { readonly id: string; readonly secret: string; readonly configId: string };
  readonly picsApp: { readonly id: string; readonly secret: string };
  readonly nodes: ReturnType<typeof createNodeStore>;
  readonly tokens: Map<string, Token>;
  readonly codes: Map<string, Code>;
  readonly uploads: Map<string, Upload>;
  readonly effects: t.Effect[];
  /** Events that webhooks have not delivered yet, or that nobody took, oldest first. */
  readonly happenings: Happening[];
  /** Called with what a write made, once it is in place. */
  readonly onEffect: (effect: t.Effect) => void;
  /** Called after each effect. */
  readonly listeners: Set<() => void>;
  /** How webhooks are delivered, unless the delivery says otherwise. */
  delivery: t.DeliverOptions;
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
  tuning: t.Tuning;
}

type WorldOptions = Pick<
  World,
  'now' | 'requireProof' | 'strict' | 'isNewApp' | 'callBack' | 'quotas' | 'onEffect'
> & {
  readonly seed: number;
};

export function createWorld({ now, seed, ...options }: WorldOptions): World {
  const random = createRandom(seed);
  let offset = 0;
  let override: number | undefined;
  let counter = 0;
  return {
    ...options,
    now: () => override ?? now() + offset,
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
    app: { id: '1029384756473829', secret: 'page-app-secret-0123456789abcdef', configId: '5647382910192837' },
    picsApp: { id: '9182736455463728', secret: 'pics-app-secret-fedcba9876543210' },
    nodes: createNodeStore(),
    tokens: new Map(),
    codes: new Map(),
    uploads: new Map(),
    effects: [],
    happenings: [],
    listeners: new Set(),
    delivery: {},
    inProgress: new Set(),
    closed: false,
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

/** How the ids of some kinds of nodes begin; those of all others begin alike. */
const prefixes: { readonly [K in NodeKind]?: string } = {
  picsAccount: '1784',
  picsComment: '181',
  picsContainer: '178',
  picsHashtag: '178',
  picsMedia: '179',
};

/** Makes a node: under a new id and at this time, unless its content has others. */
export function make<K extends NodeKind>(
  world: World,
  kind: K,
  owners: readonly string[],
  content: Kinds[K] & Partial<Entry>,
): Node<K> {
  const { id = world.newId(prefixes[kind]), createdAt = world.now() } = content;
  // It has what every node has, and what its kind has.
  const node = { ...content, kind, id, owners, createdAt } as unknown as Node;
  world.nodes.set(id, node);
  return node as Node<K>;
}

/** Nodes of a kind, newest first, as lists show them: without those that are younger than the lag. */
export function listed<K extends NodeKind>(
  world: World,
  kind: K,
  keep: (node: Node<K>) => boolean,
): Node<K>[] {
  const horizon = world.now() - world.tuning.lists.lagMs;
  return world.nodes.newestFirst(kind).filter((node) => node.createdAt <= horizon && keep(node));
}

type KindOfPage = { [K in NodeKind]: Node<K> extends { readonly pageId: string } ? K : never }[NodeKind];

/** What a Page has of a kind, newest first, as lists show it. */
export function listedOn<K extends KindOfPage>(
  world: World,
  kind: K,
  page: Pick<Entry, 'id'>,
  keep: (node: Node<K>) => boolean = () => true,
): Node<K>[] {
  return listed(world, kind, (node) => node.pageId === page.id && keep(node));
}

export function find<K extends NodeKind>(world: World, kind: K, id: string): Node<K> | undefined {
  const node = world.nodes.get(id);
  return node?.kind === kind ? (node as Node<K>) : undefined;
}

/** Whether a post or a finished video is published: by a call, or because its time has come. */
export function isPublished(world: World, node: Node<'post' | 'video'>): boolean {
  const isDue = node.scheduledAt !== undefined && node.scheduledAt <= world.now();
  if (node.kind === 'post') return node.published || isDue;
  return node.finishedAt !== undefined && node.isDraft !== true && (node.scheduledAt === undefined || isDue);
}

/** Records what a write did, for tests to assert. */
export function recordEffect(
  world: World,
  kind: t.EffectKind,
  id: string,
  parentId: string | undefined,
  content: Readonly<Record<string, unknown>>,
): void {
  const effect = { kind, id, at: world.now(), parentId, content };
  world.effects.push(effect);
  world.onEffect(effect);
  for (const listener of world.listeners) listener();
}

/** Records what a write did, and returns the response that most writes have. */
export function succeed(...effect: Parameters<typeof recordEffect>): { readonly success: true } {
  recordEffect(...effect);
  return { success: true };
}

/** Records what a write made, and returns its id, as most writes do that make something. */
export function created(...effect: Parameters<typeof recordEffect>): { readonly id: string } {
  recordEffect(...effect);
  const [, , id] = effect;
  return { id };
}

/** Runs an endpoint that deletes a node below its parent, and what goes with it. */
export function deletes<P extends string, N extends Node & { readonly [K in P]: string }>(
  parent: P,
  alsoOf: (world: World, node: N) => readonly (string | undefined)[] = () => [],
): (call: { readonly world: World }, node: N) => { readonly success: true } {
  return ({ world }, node) => {
    // What its event says of it is still there.
    recordEffect(world, 'delete', node.id, node[parent], {});
    for (const id of [node.id, ...alsoOf(world, node)]) world.nodes.delete(id ?? '');
    return { success: true };
  };
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
  /** The bytes, until they are judged; kept only where media are `strict`. */
  parts?: Uint8Array[];
  /** What the platform refuses of the file. */
  refused?: MediaFinding | undefined;
  readonly transfers: { readonly offset: number; bytes: number }[];
}
