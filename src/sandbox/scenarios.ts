import { day, hour } from './auth/tokens.ts';
import { addFault } from './faults.ts';
import { tuned } from './tuning.ts';
import type { FaultRule, ScenarioName, TuningPatch } from './types.ts';
import type { World } from './world.ts';

/** Begins a scenario, and returns a function that ends it. */
type Begin = (world: World) => () => void;

/** Behaviour of the live platform that its users reported. */
const scenarios: Readonly<Record<ScenarioName, Begin>> = {
  'media-fetch-fails-once': (world) =>
    addFault(world, {
      method: 'POST',
      path: /\/media$/,
      error: {
        code: 9004,
        error_subcode: 2_207_052,
        is_transient: false,
        message: 'Only photo or video can be accepted as media type.',
        error_user_title: 'Media download has failed.',
        error_user_msg: 'The media could not be fetched from this URI.',
      },
    }),

  'media-not-ready': (world) => tune(world, { containers: { notReadyOnPublish: 2 } }),

  'failed-without-code': (world) =>
    tune(world, {
      containers: { fail: { subcode: 2_207_077, text: 'Media download has failed.' }, codeless: true },
    }),

  'reads-refused': (world) => tune(world, { pics: { barred: true } }),

  'published-though-refused': (world) =>
    addFault(world, {
      method: 'POST',
      path: '/media_publish',
      when: 'after',
      status: 403,
      error: {
        code: 4,
        error_subcode: 2_207_051,
        is_transient: false,
        message: 'Application request limit reached',
        error_user_title: 'Action is blocked',
        error_user_msg: 'We restrict certain activity to protect our community.',
      },
    }),

  'lost-and-listed-late': (world) =>
    all(
      tune(world, { lists: { lagMs: 60_000 } }),
      addFault(world, {
        method: 'POST',
        path: /\/(?:feed|photos|media_publish|comments|replies|messages)$/,
        when: 'after',
        drop: true,
      }),
    ),

  'duplicate-post-refused': (world) => tune(world, { posts: { refuseDuplicatesForMs: hour } }),

  'partial-grant': grantPartially,

  'token-expires-midway': (world) => {
    const tokens = [...world.tokens.values()].filter(({ death }) => death === undefined);
    const listener = (): void => {
      for (const token of tokens) token.death = 463;
      world.listeners.delete(listener);
    };
    world.listeners.add(listener);
    return () => {
      world.listeners.delete(listener);
      for (const token of tokens) token.death = undefined;
    };
  },

  'page-throttled': throttlePages,

  'metric-retired': (world) =>
    tune(world, {
      metrics: { retired: ['page_media_view', 'post_media_view'] },
      pics: { retiredMetrics: ['views'] },
    }),

  'message-window-closed': (world) => {
    world.advance(day + hour);
    return () => undefined;
  },

  'webhooks-repeated': (world) => {
    const before = world.delivery;
    world.delivery = { duplicates: true, reorder: true };
    return () => {
      world.delivery = before;
    };
  },
};

/** Begins a scenario. An unknown name is refused, so that no test passes because of a typo. */
export function beginScenario(world: World, name: ScenarioName): () => void {
  if (!Object.hasOwn(scenarios, name))
    throw new Error(`there is no scenario ${name}: ${Object.keys(scenarios).join(', ')}`);
  return scenarios[name](world);
}

/** Tunes, and returns a function that restores what it changed. */
function tune(world: World, patch: TuningPatch): () => void {
  const before = Object.entries(patch).map(([part, members]) => {
    const old: Readonly<Record<string, unknown>> = { ...world.tuning[part as keyof TuningPatch] };
    return [part, Object.fromEntries(Object.keys(members).map((name) => [name, old[name]]))];
  });
  world.tuning = tuned(world.tuning, patch);
  return () => {
    world.tuning = tuned(world.tuning, Object.fromEntries(before) as TuningPatch);
  };
}

function all(...ends: (() => void)[]): () => void {
  return () => {
    for (const end of ends) end();
  };
}

/** The person ticked the first Page and its account only, and no permission to publish. */
function grantPartially(world: World): () => void {
  const [page] = [...world.nodes.ofKind('page')].toSorted((a, b) => a.createdAt - b.createdAt);
  const ids = [page?.id, page?.picsId].filter((id) => id !== undefined);
  const tokens = [...world.tokens.values()].filter(({ userId }) => page?.owners.includes(userId));
  const before = tokens.map(({ scopes, targets }) => ({ scopes, targets }));
  for (const token of tokens) {
    token.scopes = token.scopes.filter((scope) => !/pages_manage_posts|content_publish/.test(scope));
    token.targets = new Map(token.scopes.map((scope) => [scope, ids]));
  }
  return () => {
    for (const [at, token] of tokens.entries()) Object.assign(token, before[at]);
  };
}

/** Calls to Pages are refused for 19 minutes of the sandbox clock, which the headers count down. */
function throttlePages(world: World): () => void {
  const ids = [...world.nodes.ofKind('page')].map(({ id }) => id);
  const path = new RegExp(`^/(?:${ids.join('|')})(?:_|/|$)`);
  const until = world.now() + 19 * 60_000;
  return addFault(world, (): FaultRule | undefined => {
    const minutes = Math.ceil((until - world.now()) / 60_000);
    if (minutes <= 0) return undefined;
    const usage = {
      type: 'pages',
      call_count: 107,
      total_cputime: 23,
      total_time: 31,
      estimated_time_to_regain_access: minutes,
    };
    return {
      host: 'graph',
      path,
      times: Infinity,
      error: {
        code: 80_001,
        message: '(#80001) There have been too many calls to this Page account. Wait a bit and try again.',
      },
      headers: { 'x-business-use-case-usage': JSON.stringify({ [ids[0] ?? '']: [usage] }) },
    };
  });
}
