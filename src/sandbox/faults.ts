import { fieldsOf } from '../core/objects.ts';
import type { Place } from './http.ts';
import { badOption, checked, checkName, type Checks, checksOf } from './members.ts';
import { day, hour } from './tokens.ts';
import type { FaultRule, ScenarioName, TuningPatch } from './types.ts';
import { defined } from './values.ts';
import { tuned, type World } from './world.ts';

/** Where a body can be cut off. */
const uploadHost = 'upload' as const;

/** The actions of a rule, which exclude each other. */
const actions = ['error', 'status', 'drop', 'hang', 'truncate', 'cutUpload', 'delayMs', 'addHeaders'];
const errorChecks = checksOf(`
  code!:whole error_subcode:number message type is_transient:flag error_user_title error_user_msg error_data:any
`);

const checks: Checks = {
  ...checksOf(`
    method error:object skip:count times:count chance:chance headers:named drop:true hang:true truncate:count cutUpload:count
    delayMs:count addHeaders:named
  `),
  path: [(value) => typeof value === 'string' || value instanceof RegExp, 'must be a text or a RegExp'],
  host: [
    (value) => ['graph', 'picsGraph', 'upload', 'dialog', 'picsToken'].includes(String(value)),
    'must be graph, picsGraph, upload, dialog or picsToken',
  ],
  when: [(value) => value === 'before' || value === 'after', 'must be before or after'],
  status: [
    (value) => Number.isInteger(value) && Number(value) >= 200 && Number(value) <= 599,
    'must be a whole number from 200 to 599',
  ],
  body: [
    (value) => typeof value === 'string' || (typeof value === 'object' && value !== null),
    'must be a text or an object',
  ],
};

/** Refuses a rule with a mistake, so that no test passes because of a typo. */
function checkRule(rule: object): void {
  const names = Object.keys(defined(checked('a fault rule', rule, checks)));
  const error = (rule as { readonly error?: object }).error;
  if (error !== undefined) checked('the error of a fault rule', error, errorChecks, 'error.');
  // `error` can come with a status.
  const chosen = actions.filter(
    (name) => names.includes(name) && !(name === 'status' && error !== undefined),
  );
  if (chosen.length === 0)
    throw badOption('options', `a fault rule needs an action: one of ${actions.join(', ')}`);
  if (chosen.length > 1)
    throw badOption(
      chosen[0] ?? 'options',
      `in a fault rule, ${chosen.join(' and ')} exclude each other: add a rule for each`,
    );
  const additions = { body: ['status'], headers: ['status', 'error'] };
  for (const [name, allowed] of Object.entries(additions)) {
    if (names.includes(name) && !allowed.includes(chosen[0] ?? ''))
      throw badOption(name, `in a fault rule, ${name} goes with ${allowed.join(' or ')} only`);
  }
  const { host = uploadHost } = rule as { readonly host?: string };
  if (chosen[0] === 'cutUpload' && host !== uploadHost)
    throw badOption(
      'cutUpload',
      `in a fault rule, cutUpload goes with the host ${uploadHost} only, which it has by default`,
    );
}

/** Adds a fault: a rule, or a function that returns the rule that applies now, if any. */
export function addFault(world: World, wanted: FaultRule | (() => FaultRule | undefined)): () => void {
  const fault = { rule: typeof wanted === 'function' ? wanted : constantRule(wanted), seen: 0, hits: 0 };
  world.faults.push(fault);
  return () => {
    const index = world.faults.indexOf(fault);
    if (index >= 0) world.faults.splice(index, 1);
  };
}

function constantRule(wanted: FaultRule): () => FaultRule {
  checkRule(wanted);
  // Members that are `undefined` count as left out. The copy protects the rule from later changes by the caller.
  const rule = defined(wanted) as unknown as FaultRule;
  // Any other host would perform the request as if there were no fault.
  const whole = rule.cutUpload === undefined ? rule : { ...rule, host: uploadHost };
  return () => whole;
}

/** The first fault rule that applies to this request, if any. */
export function pickFault(world: World, method: string, place: Place): FaultRule | undefined {
  for (const fault of world.faults) {
    const rule = fault.rule();
    if (rule === undefined || !matches(rule, method, place) || fault.hits >= (rule.times ?? 1)) continue;
    fault.seen += 1;
    if (fault.seen <= (rule.skip ?? 0)) continue;
    if (rule.chance !== undefined && world.random() >= rule.chance) continue;
    fault.hits += 1;
    return rule;
  }
  return undefined;
}

function matches(rule: FaultRule, method: string, place: Place): boolean {
  if (rule.method !== undefined && rule.method.toUpperCase() !== method) return false;
  if (rule.host !== undefined && rule.host !== place.host) return false;
  if (rule.path === undefined) return true;
  if (typeof rule.path !== 'string') return place.path.search(rule.path) >= 0;
  return place.path === rule.path || place.path.endsWith(`/${rule.path.replace(/^\//, '')}`);
}

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
    endAll(
      tune(world, { lists: { lagMs: 60_000 } }),
      addFault(world, {
        method: 'POST',
        path: /\/(?:feed|photos|media_publish|comments|replies|messages)$/,
        when: 'after',
        drop: true,
      }),
    ),

  'app-restricted': (world) =>
    endAll(
      ...['GET', 'POST', 'DELETE'].map((method) =>
        addFault(world, {
          method,
          host: 'picsGraph',
          times: Infinity,
          error: {
            code: 100,
            type: 'IGApiException',
            message: `Unsupported request - method type: ${method.toLowerCase()}`,
          },
        }),
      ),
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
  checkName('name', 'scenario', name, Object.keys(scenarios));
  return scenarios[name](world);
}

/** Changes the tuning, and returns a function that restores it. */
function tune(world: World, patch: TuningPatch): () => void {
  const before = Object.entries(patch).map(([part, members]) => {
    const old = fieldsOf(world.tuning[part as keyof TuningPatch]);
    return [part, Object.fromEntries(Object.keys(members).map((name) => [name, old[name]]))];
  });
  world.tuning = tuned(world.tuning, patch);
  return () => {
    world.tuning = tuned(world.tuning, Object.fromEntries(before) as TuningPatch);
  };
}

function endAll(...ends: (() => void)[]): () => void {
  return () => {
    for (const end of ends) end();
  };
}

/** The person granted access to the first Page and its account only, and no permission to publish. */
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
