import { fieldsOf } from '../core/options/check.ts';
import type { Place } from './hosts.ts';
import { defined } from './json.ts';
import type { FaultRule } from './types.ts';
import type { World } from './world.ts';

/** The actions of a rule, which exclude each other. */
const actions = ['error', 'status', 'drop', 'hang', 'truncate', 'cutUpload', 'delayMs', 'addHeaders'];
const errorMembers = [
  'code',
  'error_subcode',
  'message',
  'type',
  'is_transient',
  'error_user_title',
  'error_user_msg',
  'error_data',
];

type Check = readonly [is: (value: unknown) => boolean, says: string];

const isCount = (value: unknown): boolean => typeof value === 'number' && value >= 0;
const count: Check = [isCount, 'must be a number from 0 on'];
const yes: Check = [(value) => value === true, 'must be true'];
const textsByName: Check = [
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((text) => typeof text === 'string'),
  'must be an object of texts',
];

const checks: Readonly<Record<string, Check>> = {
  method: [(value) => typeof value === 'string', 'must be a text'],
  path: [(value) => typeof value === 'string' || value instanceof RegExp, 'must be a text or a RegExp'],
  host: [
    (value) => ['graph', 'picsGraph', 'upload', 'dialog', 'picsToken'].includes(String(value)),
    'must be graph, picsGraph, upload, dialog or picsToken',
  ],
  skip: count,
  times: count,
  chance: [(value) => isCount(value) && Number(value) <= 1, 'must be a number from 0 to 1'],
  when: [(value) => value === 'before' || value === 'after', 'must be before or after'],
  error: [
    (value) => Number.isInteger(fieldsOf(value)['code']),
    'must be an object, and error.code a whole number',
  ],
  status: [
    (value) => Number.isInteger(value) && Number(value) >= 200 && Number(value) <= 599,
    'must be a whole number from 200 to 599',
  ],
  body: [
    (value) => typeof value === 'string' || (typeof value === 'object' && value !== null),
    'must be a text or an object',
  ],
  headers: textsByName,
  drop: yes,
  hang: yes,
  truncate: count,
  cutUpload: count,
  delayMs: count,
  addHeaders: textsByName,
};

/** Refuses a rule with a mistake, so that no test passes because of a typo. */
function checkRule(rule: unknown): void {
  if (typeof rule !== 'object' || rule === null) throw new Error('a fault rule must be an object');
  const given = Object.entries(defined(rule));
  for (const [name, value] of given) {
    const [is, says] = Object.hasOwn(checks, name) ? (checks[name] ?? yes) : [];
    if (is === undefined) throw new Error(`a fault rule has no member ${name}`);
    if (!is(value)) throw new Error(`the ${name} of a fault rule ${says}`);
  }
  const names = given.map(([name]) => name);
  const error = (rule as { readonly error?: object }).error;
  const odd = Object.keys(error ?? {}).find((name) => !errorMembers.includes(name));
  if (odd !== undefined) throw new Error(`a fault rule has no member error.${odd}`);
  // `error` can come with a status.
  const chosen = actions.filter(
    (name) => names.includes(name) && !(name === 'status' && error !== undefined),
  );
  if (chosen.length === 0) throw new Error(`a fault rule needs an action: one of ${actions.join(', ')}`);
  if (chosen.length > 1) {
    throw new Error(`in a fault rule, ${chosen.join(' and ')} exclude each other: add a rule for each`);
  }
  const extras = { body: ['status'], headers: ['status', 'error'] };
  for (const [name, homes] of Object.entries(extras)) {
    const isHome = homes.includes(chosen[0] ?? '');
    if (names.includes(name) && !isHome)
      throw new Error(`in a fault rule, ${name} goes with ${homes.join(' or ')} only`);
  }
}

/** Adds a fault: a rule, or a function that returns the rule that applies now, if any. */
export function addFault(world: World, wanted: FaultRule | (() => FaultRule | undefined)): () => void {
  const fault = { rule: typeof wanted === 'function' ? wanted : fixed(wanted), seen: 0, hits: 0 };
  world.faults.push(fault);
  return () => {
    const index = world.faults.indexOf(fault);
    if (index >= 0) world.faults.splice(index, 1);
  };
}

function fixed(wanted: FaultRule): () => FaultRule {
  checkRule(wanted);
  // Members that are `undefined` count as left out. The copy protects the rule from later changes by the caller.
  const rule = defined(wanted) as unknown as FaultRule;
  return () => rule;
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

/** A lost connection, as `fetch` reports it. */
export function connectionLost(): TypeError {
  const cause = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
  return new TypeError('fetch failed', { cause });
}

export function unreachable(host: string): TypeError {
  const message = `${host} is no host of this sandbox; give the context its platform as well as its fetch`;
  const cause = Object.assign(new Error(message), { code: 'ENOTFOUND' });
  return new TypeError('fetch failed', { cause });
}
