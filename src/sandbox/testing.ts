import type { Fetch } from '../core/http/types.ts';
import type { Clock } from '../core/options/clock.ts';
import { livePlatform, type Platform } from '../core/platform.ts';
import { isPublic, type PublishedKind, publishedKinds } from './effects.ts';
import { badOption, checked, checkMembers, checkName, checksOf, checkTool } from './members.ts';
import { checkSandboxOptions, openSandbox } from './sandbox.ts';
import type { Effect, Sandbox, SandboxOptions } from './types.ts';
import { wordsIn } from './values.ts';

/** Options for a context or a client of a sandbox. Waits take no time, and advance the sandbox's clock. */
export interface SandboxAccess {
  readonly appId: string;
  readonly appSecret: string;
  readonly fetch: Fetch;
  readonly platform: Platform;
  readonly clock: Clock;
}

/** The fixtures of a test: its own sandbox, and the options for clients of it. */
export interface SandboxTest {
  readonly sandbox: Sandbox;
  /** For `createPageClient`, `createPageContext`, `createPicsClientViaPages` and `createPicsContextViaPages`. */
  readonly pageOptions: SandboxAccess;
  /** For `createPicsClient` and `createPicsContext`: login mode. */
  readonly picsOptions: SandboxAccess;
}

/** A fixture for `test.extend` of vitest, and the fixtures that it needs. */
type Fixture<T, Needs> = (test: Needs, use: (value: T) => Promise<void>) => Promise<void>;

export interface SandboxFixtures {
  readonly sandbox: Fixture<Sandbox, object>;
  readonly pageOptions: Fixture<SandboxAccess, Pick<SandboxTest, 'sandbox'>>;
  readonly picsOptions: Fixture<SandboxAccess, Pick<SandboxTest, 'sandbox'>>;
}

/**
 * Fixtures for `test.extend` of vitest: each test gets a new sandbox, which is closed after it.
 *
 * @example
 * const test = base.extend<SandboxTest>(sandboxFixtures());
 */
export function sandboxFixtures(options: SandboxOptions = {}): SandboxFixtures {
  checkSandboxOptions(options);
  return {
    // oxlint-disable-next-line no-empty-pattern -- vitest reads from the parameter which fixtures this one needs
    sandbox: async ({}, use) => withSandbox(({ sandbox }) => use(sandbox), options)(),
    pageOptions: async ({ sandbox }, use) => use(accessOf(sandbox, sandbox.app)),
    picsOptions: async ({ sandbox }, use) => use(accessOf(sandbox, sandbox.picsApp)),
  };
}

/**
 * Like {@link sandboxFixtures}, for any other test framework: wraps the body of a test, which gets a new sandbox each
 * time it runs.
 *
 * @example
 * test('publishes', withSandbox(async ({ sandbox, pageOptions }) => { … }));
 */
export function withSandbox<T>(
  body: (test: SandboxTest) => T | Promise<T>,
  options: SandboxOptions = {},
): () => Promise<T> {
  if (typeof body !== 'function') throw badOption('body', 'body must be a function');
  checkSandboxOptions(options);
  return async () => {
    const { sandbox } = openSandbox(options);
    try {
      return await body({
        sandbox,
        pageOptions: accessOf(sandbox, sandbox.app),
        picsOptions: accessOf(sandbox, sandbox.picsApp),
      });
    } finally {
      sandbox.close();
    }
  };
}

function accessOf(
  { fetch, platform, clock }: Sandbox,
  { id, secret }: { readonly id: string; readonly secret: string },
): SandboxAccess {
  return { appId: id, appSecret: secret, fetch, platform, clock };
}

export type { PublishedKind } from './effects.ts';

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
   * Asserts that the sandbox has published something with these members, exactly once unless `times` is given. Without
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
    return { pass, message: () => `expected the sandbox ${wanted}\n${publishedText(all, found)}` };
  },
};

const publishedMembers = wordsIn(`
  kind id parentId times message text caption title description attachment attachments shares sticker link media
  published state type url imageUrl videoUrl altText thumb scheduledAt placeId tagIds containerId mediaId childIds
  photo_id video_id recipientId quick_replies reply_to
`);

/** So that no test passes because of a typo. */
function checkArguments(sandbox: unknown, expected: unknown): void {
  if (typeof Object(sandbox).effects !== 'function')
    throw badOption('sandbox', 'toHavePublished takes a sandbox');
  if (typeof expected !== 'object' || expected === null)
    throw badOption('expected', 'what toHavePublished expects must be an object');
  const { kind, times } = expected as ExpectedPublished;
  if (kind !== undefined) checkName('kind', 'kind of what is published', kind, publishedKinds);
  if (times !== undefined && (!Number.isInteger(times) || times < 0))
    throw badOption('times', 'times must be a whole number of at least 0');
  checkMembers(expected, publishedMembers);
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
function publishedText(all: readonly Effect[], found: readonly Effect[]): string {
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
    return '(not serializable as JSON)';
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

/** The part of MSW that `sandboxHandlers` uses: `http`, of version 2. */
export interface HandlerMaker<Handler> {
  readonly all: (
    predicate: RegExp,
    resolver: (info: { readonly request: Request }) => Promise<Response>,
  ) => Handler;
}

export interface HandlerOptions {
  /** Addresses at which the sandbox responds, besides its own. @default those of the live platform */
  readonly platform?: Platform | undefined;
}

/**
 * Request handlers for MSW's `setupServer` and `setupWorker`: the sandbox then responds to requests for the live
 * platform, whichever client sends them, and to those for its own addresses. A lost connection is a network error.
 *
 * @example
 * const server = setupServer(...sandboxHandlers(sandbox, http));
 */
export function sandboxHandlers<Handler>(
  sandbox: Sandbox,
  http: HandlerMaker<Handler>,
  options: HandlerOptions = {},
): Handler[] {
  checkTool('sandbox', sandbox, 'serveAt', 'made by createSandbox');
  checkTool('http', http, 'all', 'the http of MSW');
  const { platform = livePlatform } = checked('sandboxHandlers', options, checksOf('platform:object'));
  const platforms = [platform, sandbox.platform];
  const handlers = platforms.flatMap((one) => {
    const respond = sandbox.serveAt(one);
    return addressesOf(one).map((address) => http.all(address, ({ request }) => settled(respond(request))));
  });
  const files = http.all(/^https:\/\/cdn\.sandbox\.test\//, async ({ request }) => fileAt(request.url));
  return [...handlers, files];
}

/** The addresses that requests go to, as MSW matches them: without their queries. */
function addressesOf(platform: Platform): RegExp[] {
  const { graphUrl, picsGraphUrl, uploadUrl, picsAuthUrl, picsTokenUrl, dialogUrl } = platform;
  const hosts = [graphUrl, picsGraphUrl, uploadUrl].map((address) => `${escaped(address)}(?:/.*)?`);
  const pages = [picsAuthUrl, picsTokenUrl].map((address) => `${escaped(address)}/?`);
  return [...hosts, ...pages, `${escaped(dialogUrl)}/(?:[^/]+/)?dialog/oauth/?`].map(
    (pattern) => new RegExp(`^${pattern}$`),
  );
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
}

/** MSW turns an error in a resolver into a response with status 500, but `Response.error()` into a network error. */
async function settled(response: Promise<Response>): Promise<Response> {
  return response.catch(() => Response.error());
}

/** The file at the address of a picture or a video: a grey pixel, or a video without frames. */
function fileAt(address: string): Response {
  const isMovie = /\.(?:mp4|m4a)$/.test(new URL(address).pathname);
  const [bytes, type] = isMovie ? [movie, 'video/mp4'] : [pixel, 'image/jpeg'];
  return new Response(Uint8Array.from(bytes()), { headers: { 'content-type': type } });
}

/** The fewest bytes that look like a movie. */
function movie(): number[] {
  const text = 'ftypisom\0\0\x02\0isommp41';
  return [0, 0, 0, 4 + text.length, ...Array.from(text, (letter) => letter.charCodeAt(0))];
}

/** A JPEG of one pixel, by its segments. */
function pixel(): number[] {
  const quantization = Array<number>(64).fill(1);
  const counts = [1, ...Array<number>(15).fill(0)];
  const codes = (table: number): number[] => [0xff, 0xc4, 0, 20, table, ...counts, 0];
  return [
    [0xff, 0xd8],
    [0xff, 0xdb, 0, 67, 0, ...quantization],
    [0xff, 0xc0, 0, 11, 8, 0, 1, 0, 1, 1, 1, 0x11, 0],
    codes(0),
    codes(0x10),
    [0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0, 0x3f],
    [0xff, 0xd9],
  ].flat();
}
