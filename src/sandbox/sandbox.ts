import { livePlatform, type Platform } from '../core/platform.ts';
import { effectKinds } from './effects.ts';
import { handle } from './engine.ts';
import { addFault, beginScenario } from './faults.ts';
import { loopbackAddress, readRequest, sandboxPlatform } from './http.ts';
import { badOption, checked, checkName, type Checks, checksOf } from './members.ts';
import { inboxRoutes } from './messaging/inbox.ts';
import { messageTemplateRoutes } from './messaging/messageTemplates.ts';
import { messengerProfileRoutes } from './messaging/messengerProfile.ts';
import { sendRoutes } from './messaging/send.ts';
import { threadControlRoutes } from './messaging/threadControl.ts';
import { pageCommentRoutes } from './page/comments.ts';
import { pageInsightsRoutes } from './page/insights.ts';
import { leadRoutes } from './page/leads.ts';
import { pageRoutes } from './page/pages.ts';
import { photoRoutes } from './page/photos.ts';
import { postRoutes } from './page/posts.ts';
import { storyRoutes } from './page/stories.ts';
import { pageTokenRoutes } from './page/tokens.ts';
import { videoRoutes } from './page/videos.ts';
import { visitorRoutes } from './page/visitors.ts';
import { createAdditions, happen, messageChecks } from './people.ts';
import { coAuthorRoutes } from './pics/coAuthors.ts';
import { picsCommentRoutes } from './pics/comments.ts';
import { hashtagRoutes } from './pics/hashtags.ts';
import { picsInsightsRoutes } from './pics/insights.ts';
import { mediaRoutes } from './pics/media.ts';
import { mentionRoutes } from './pics/mentions.ts';
import { musicRoutes } from './pics/music.ts';
import { productRoutes } from './pics/products.ts';
import { profileRoutes } from './pics/profile.ts';
import { publishingRoutes } from './pics/publishing.ts';
import { picsTokenRoutes } from './pics/tokens.ts';
import { createQuotaStore, quotasOf } from './quotas.ts';
import { habitsEndAt, type Route } from './route.ts';
import { seed } from './seed.ts';
import { subscriptionRoutes } from './subscriptions.ts';
import { decide, issueToken, pageScopes, picsScopes } from './tokens.ts';
import type * as t from './types.ts';
import { announceEffect, callBack, deliver } from './webhooks.ts';
import { createWorld, landDueWrites, tuned, type World } from './world.ts';

const routes: readonly Route[] = [
  ...pageTokenRoutes,
  ...pageRoutes,
  ...pageInsightsRoutes,
  ...subscriptionRoutes,
  ...visitorRoutes,
  ...postRoutes,
  ...pageCommentRoutes,
  ...photoRoutes,
  ...videoRoutes,
  ...storyRoutes,
  ...leadRoutes,
  ...picsTokenRoutes,
  ...profileRoutes,
  ...mediaRoutes,
  ...publishingRoutes,
  ...picsCommentRoutes,
  ...picsInsightsRoutes,
  ...mentionRoutes,
  ...coAuthorRoutes,
  ...hashtagRoutes,
  ...musicRoutes,
  ...productRoutes,
  ...inboxRoutes,
  ...sendRoutes,
  ...threadControlRoutes,
  ...messageTemplateRoutes,
  ...messengerProfileRoutes,
];

const optionChecks = {
  ...checksOf(`
    now:function seed:number requireProof:flag strict:flag callbacks:function quotas:object
    pages:count portfolioPages:count posts:count comments:count leads:count
  `),
  appCreatedAt: [
    (value: unknown) => (typeof value === 'number' || value instanceof Date) && !Number.isNaN(Number(value)),
    'must be a Date, or milliseconds since 1970',
  ],
} satisfies Checks;

const platformChecks = {
  ...checksOf(Object.keys(livePlatform).join(' ')),
  words: [() => true, ''],
} satisfies Checks;

const deliveryChecks = {
  ...checksOf('attempts:whole duplicates:flag reorder:flag secret form'),
  batch: [
    (value: unknown) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 1000,
    'must be a whole number from 1 to 1000',
  ],
} satisfies Checks;

/** Throws for wrong options, those of quotas included. */
export function checkSandboxOptions(options: t.SandboxOptions): void {
  checked('createSandbox', options, optionChecks);
  createQuotaStore(options.quotas ?? {});
}

/** A sandbox and the world behind it, which the pages of `pagepics sandbox` show. */
export function openSandbox(options: t.SandboxOptions = {}): {
  readonly sandbox: t.Sandbox;
  readonly world: World;
} {
  checked('createSandbox', options, optionChecks);
  const world: World = createWorld({
    now: options.now ?? Date.now,
    seed: options.seed ?? 1,
    requireProof: options.requireProof ?? true,
    strict: options.strict ?? false,
    isNewApp: Number(options.appCreatedAt ?? 0) >= habitsEndAt,
    callBack: options.callbacks ?? callLoopback,
    quotas: createQuotaStore(options.quotas ?? {}),
    onEffect: (effect) => announceEffect(world, effect),
  });
  const seeded = seed(world, {
    pages: options.pages ?? 3,
    portfolioPages: options.portfolioPages ?? 1,
    posts: options.posts ?? 6,
    comments: options.comments ?? 5,
    leads: options.leads ?? 4,
  });
  const platform = sandboxPlatform();
  const served: Platform[] = [platform];
  const advance = (ms: number): void => {
    if (!Number.isFinite(ms)) throw badOption('ms', 'advance takes milliseconds: a finite number');
    world.advance(ms);
    current();
  };
  /** The world with all that is due. */
  const current = (): World => {
    landDueWrites(world);
    return world;
  };
  const sandbox: t.Sandbox = {
    ...seeded,
    platform,
    app: world.app,
    picsApp: world.picsApp,
    fetch: (input, init) => handle({ world, routes, platform }, new Request(input, init)),
    serveAt: (other) => {
      checked('serveAt', other, platformChecks);
      served.push(other);
      return (request) => handle({ world, routes, platform: other }, request);
    },
    ...createAdditions(world, seeded),
    now: world.now,
    advance,
    clock: {
      now: world.now,
      monotonic: world.now,
      sleep: async (ms, signal) => {
        if (signal?.aborted !== true) advance(ms);
      },
    },
    authorize: async (loginUrl, decision = {}) => {
      checked('the decision', decision, checksOf('deny:flag scopes:texts as'));
      const address = requestTo('loginUrl', loginUrl);
      for (const one of served) {
        const incoming = await readRequest(address, one);
        if (incoming?.place.host !== 'dialog') continue;
        if (decision.as !== undefined && world.nodes.get(decision.as) === undefined)
          throw new Error(`the sandbox has no person or account ${decision.as}`);
        const back = decide(world, incoming, decision);
        if (typeof back === 'string') throw new Error(`the login dialog shows an error: ${back}`);
        return back;
      }
      throw new Error('the address is not that of a login dialog of this sandbox');
    },
    fault: (rule) => addFault(world, rule),
    scenario: (name) => beginScenario(world, name),
    effects: (kind) => {
      if (kind !== undefined) checkName('kind', 'kind of effect', kind, effectKinds);
      return current().effects.filter((effect) => kind === undefined || effect.kind === kind);
    },
    requests: world.requests,
    get quotas() {
      return quotasOf(world);
    },
    tune: (patch) => {
      world.tuning = tuned(world.tuning, patch);
    },
    happen: (act) => happen(current(), act),
    receiveMessage: (message) => {
      checked('the message', message, messageChecks);
      return happen(current(), { kind: 'message', ...message });
    },
    deliver: async (to, wanted = {}) => {
      checkTarget(to);
      return deliver(current(), to, checked('deliver', wanted, deliveryChecks));
    },
    callBack: async (kind, to, wanted = {}) => {
      checkName('kind', 'callback', kind, ['deauthorize', 'deletion']);
      const { userId = seeded.user.id } = checked('callBack', wanted, checksOf('userId secret'));
      checkTarget(to);
      return callBack(world, kind, to, userId, wanted);
    },
    upload: (videoId) => uploadOf(world, videoId),
    issueToken: (wanted) => newToken(world, seeded, wanted),
    killToken: (value, reason = 'expired') => {
      const token = world.tokens.get(value);
      if (token === undefined)
        throw new Error(`the sandbox has no token ${typeof value === 'string' ? value : 'like this'}`);
      checkName('reason', 'reason', reason, Object.keys(deaths));
      token.death = deaths[reason];
    },
    close: () => {
      world.closed = true;
      for (const cut of world.inProgress) cut();
    },
  };
  return { sandbox, world };
}

/** A request to an address that a test gave. */
function requestTo(option: string, address: string): Request {
  const text: unknown = address;
  if (typeof text === 'string' && URL.canParse(text)) return new Request(text);
  throw badOption(option, `${option} must be a web address`);
}

/** What events are delivered to: a handler, or an address. */
function checkTarget(to: t.DeliveryTarget): void {
  if (typeof to !== 'function') requestTo('to', to);
}

/** Calls an address, but only on this machine. */
async function callLoopback(request: Request): Promise<Response> {
  const address = loopbackAddress(request.url);
  if (address === undefined)
    throw new Error(`the sandbox calls addresses on this machine only: ${request.url}`);
  // A redirect could lead away from this machine.
  return fetch(request, { redirect: 'manual' });
}

const deaths: Readonly<Record<t.TokenDeath, number>> = {
  expired: 463,
  revoked: 458,
  password: 460,
  checkpoint: 459,
  role: 492,
};

const tokenChecks = checksOf(`
  kind userId pageId scopes:texts granularScopes:objects tasks:texts expiresInMs:number dataAccessExpiresInMs:number
`);
const granularChecks = checksOf('scope! target_ids!:texts');

function newToken(
  world: World,
  { user, pages, account }: Pick<t.Sandbox, 'user' | 'pages' | 'account'>,
  options: t.IssueTokenOptions = {},
): string {
  checked('issueToken', options, tokenChecks);
  for (const [at, one] of (options.granularScopes ?? []).entries())
    checked('issueToken', one, granularChecks, `granularScopes[${at}].`);
  const { pageId, kind = pageId === undefined ? 'user' : 'page', userId = user.id } = options;
  const { tasks } = options;
  const scopes = options.scopes?.map(fullScope);
  const granularScopes = options.granularScopes ?? [];
  const { expiresInMs, dataAccessExpiresInMs } = options;
  for (const scope of scopes ?? []) checkName('scopes', 'scope', scope, [...pageScopes, ...picsScopes]);
  const subjects = { user: userId, page: pageId ?? pages[0]?.id ?? '', pics: account.userId };
  checkName('kind', 'kind of token', kind, Object.keys(subjects));
  return issueToken(world, {
    kind,
    subjectId: subjects[kind],
    userId,
    scopes: scopes ?? (kind === 'pics' ? picsScopes : pageScopes),
    targets: new Map(granularScopes.map(({ scope, target_ids }) => [fullScope(scope), target_ids])),
    tasks,
    dataAccessEndsAt: dataAccessExpiresInMs === undefined ? undefined : world.now() + dataAccessExpiresInMs,
    lifeMs: expiresInMs,
  }).value;
}

/** The platform's name of a permission: a leading `pics_` stands for its own prefix, as in `loginUrl`. */
function fullScope(scope: string): string {
  return scope.replace(/^pics_/, livePlatform.words.picsScopePrefix);
}

function uploadOf(world: World, videoId: string): t.SandboxUpload | undefined {
  if (typeof videoId !== 'string') throw badOption('videoId', 'videoId must be a text');
  const upload = world.uploads.get(videoId);
  const node = world.nodes.get(videoId);
  if (upload === undefined || (node?.kind !== 'video' && node?.kind !== 'picsContainer')) return undefined;
  return {
    videoId,
    bytes: upload.bytes,
    fileSize: node.fileSize,
    sha256: upload.checksum.hex(),
    transfers: upload.transfers.map((transfer) => ({ ...transfer })),
    fileUrl: node.fileUrl,
  };
}
