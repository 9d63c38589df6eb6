import { livePlatform } from '../../core/platform.ts';
import type { Call, OpenCall } from '../route.ts';

/** The same endpoint in both modes: by the account's own token, and by the token of its Page. */
export const both = { hosts: ['graph', 'picsGraph'], tokens: ['page', 'pics'] } as const;
export const loginOnly = { hosts: ['picsGraph'], tokens: ['pics'] } as const;
export const pageOnly = { hosts: ['graph'], tokens: ['page'] } as const;

export function loginMode(call: OpenCall): boolean {
  return call.host === 'picsGraph';
}

/** Permissions by their neutral names, spelled as the call's mode has them; page mode may need more. */
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
