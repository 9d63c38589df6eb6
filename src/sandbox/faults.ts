import type { Place } from './hosts.ts';
import type { FaultRule } from './types.ts';
import type { World } from './world.ts';

export function addFault(world: World, rule: FaultRule): () => void {
  const fault = { rule, seen: 0, hits: 0 };
  world.faults.push(fault);
  return () => {
    const index = world.faults.indexOf(fault);
    if (index >= 0) world.faults.splice(index, 1);
  };
}

/** The first fault rule that applies to this request, if any. */
export function pickFault(world: World, method: string, place: Place): FaultRule | undefined {
  for (const fault of world.faults) {
    const { rule } = fault;
    if (!matches(rule, method, place) || fault.hits >= (rule.times ?? 1)) continue;
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
