import type { Effect, Sandbox } from '../types.ts';

/** Effects that other people see, and that cannot be undone. */
const kinds = [
  'post',
  'photo',
  'video',
  'reel',
  'photo_story',
  'video_story',
  'media',
  'comment',
  'reply',
  'message',
] as const;

/** What can be published. A private reply is a `message`. */
export type PublishedKind = (typeof kinds)[number];

/** What `toHavePublished` looks for. Further members are compared with the effect's `content`. */
export interface ExpectedPublished {
  readonly kind?: PublishedKind;
  readonly id?: unknown;
  /** Id of the Page, account, post, comment or conversation that it belongs to. */
  readonly parentId?: unknown;
  /** How often it was published. @default exactly once; with `not`, any number of times fails */
  readonly times?: number;
  readonly [content: string]: unknown;
}

/** The types of the matchers, for the interface that vitest or Jest merges with: see the manual. */
export interface SandboxMatchers<R = unknown> {
  /**
   * That the sandbox has published something with these members, exactly once unless `times` says otherwise. Without
   * members: anything. Drafts and scheduled posts do not count. Values may be asymmetric matchers.
   */
  toHavePublished: (expected?: ExpectedPublished) => R;
}

/** The part of a matcher's `this` that is the same in vitest and Jest. */
interface MatcherThis {
  readonly isNot?: boolean | undefined;
  readonly equals: (a: unknown, b: unknown) => boolean;
}

interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}

/** For `expect.extend` of vitest and Jest. */
export const sandboxMatchers = {
  toHavePublished(this: MatcherThis, sandbox: Sandbox, expected: ExpectedPublished = {}): MatcherResult {
    checkArguments(sandbox, expected);
    const { times, ...members } = expected;
    const all = sandbox.effects().filter(isPublic);
    const found = all.filter((effect) => fits(this, effect, members));
    const pass =
      times !== undefined
        ? found.length === times
        : this.isNot === true
          ? found.length > 0
          : found.length === 1;
    const wanted = `${this.isNot === true ? 'not ' : ''}to have published ${shownTimes(times)}${shown(members)}`;
    return { pass, message: () => `expected the sandbox ${wanted}\n${told(all, found)}` };
  },
};

/** So that no test passes because of a typo. */
function checkArguments(sandbox: unknown, expected: unknown): void {
  if (typeof Object(sandbox).effects !== 'function') throw new Error('toHavePublished takes a sandbox');
  if (typeof expected !== 'object' || expected === null)
    throw new Error('what toHavePublished expects must be an object');
  const { kind, times } = expected as ExpectedPublished;
  if (kind !== undefined && !kinds.includes(kind))
    throw new Error(`the kind ${String(kind)} is not one of what is published: ${kinds.join(', ')}`);
  if (times !== undefined && (!Number.isInteger(times) || times < 0))
    throw new Error('times must be a whole number from 0 on');
}

function isPublic({ kind, content }: Effect): boolean {
  const { published, state } = content;
  const isKept = published === false || (state !== undefined && state !== 'PUBLISHED');
  return (kinds as readonly string[]).includes(kind) && !isKept;
}

/** Whether an effect, or its content, has these members. Members that are `undefined` are ignored. */
function fits({ equals }: MatcherThis, effect: Effect, members: object): boolean {
  const all = membersOf(effect);
  return Object.entries(members).every(([name, value]) => value === undefined || equals(all[name], value));
}

function membersOf({ kind, id, parentId, content }: Effect): Readonly<Record<string, unknown>> {
  return { ...content, kind, id, parentId };
}

function shownTimes(times: number | undefined): string {
  return times === undefined ? '' : `${times} times `;
}

/** The published effects, cut to a few dozen lines. */
function told(all: readonly Effect[], found: readonly Effect[]): string {
  if (all.length === 0) return 'it has published nothing';
  const lines = all
    .slice(-most)
    .map((effect) => `${found.includes(effect) ? '* ' : '  '}${shown(membersOf(effect))}`);
  const cut = all.length > most ? [`  … and ${all.length - most} before`] : [];
  const count = `it has published ${all.length}, of which ${found.length} fit${found.length === 1 ? 's' : ''} (*)`;
  return [`${count}:`, ...cut, ...lines].join('\n');
}

const most = 30;

/** Members as JSON, in one line; asymmetric matchers by their names. */
function shown(value: unknown): string {
  try {
    return JSON.stringify(value, (_, member: unknown) => shownMember(member));
  } catch {
    return 'what JSON cannot show';
  }
}

function shownMember(member: unknown): unknown {
  if (typeof member === 'bigint') return `${member}n`;
  const { asymmetricMatch, sample, inverse } = Object(member) as {
    readonly asymmetricMatch?: unknown;
    readonly sample?: unknown;
    readonly inverse?: unknown;
  };
  if (typeof asymmetricMatch !== 'function') return member;
  return `${inverse === true ? 'not ' : ''}${String(member)}(${shownSample(sample)})`;
}

/** The members of an asymmetric matcher. */
function shownSample(sample: unknown): string {
  if (sample === undefined) return '';
  if (typeof sample === 'function') return sample.name;
  return typeof sample === 'string' || sample instanceof RegExp ? String(sample) : shown(sample);
}
