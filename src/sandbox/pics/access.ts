import { livePlatform } from '../../core/platform.ts';
import type { Call, OpenCall } from '../route.ts';

/** An endpoint of both modes: called with the account's own token, or with the token of its Page. */
export const both = { hosts: ['graph', 'picsGraph'], tokens: ['page', 'pics'] } as const;
export const loginOnly = { hosts: ['picsGraph'], tokens: ['pics'] } as const;
export const pageOnly = { hosts: ['graph'], tokens: ['page'] } as const;

export function loginMode(call: OpenCall): boolean {
  return call.host === 'picsGraph';
}

/** The permissions with these neutral names, as the call's mode spells them, and more for page mode. */
export function needs(
  names: readonly string[],
  pageToo: readonly string[] = [],
): (call: Call) => readonly string[] {
  const { picsScopePrefix } = livePlatform.words;
  return (call) =>
    loginMode(call)
      ? names.map((name) => `${picsScopePrefix}business_${name}`)
      : [...names.map((name) => picsScopePrefix + name), ...pageToo];
}
