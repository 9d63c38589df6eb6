import type { Call, Route } from '../route.ts';
import { invalid, names, parsed } from '../values.ts';
import { find, recordEffect, type World } from '../world.ts';
import { isOfPage, ofBoth } from './inbox.ts';

/** The properties of a Page's profile. That of an account has only the first two. */
const properties = [
  'ice_breakers',
  'persistent_menu',
  'get_started',
  'greeting',
  'whitelisted_domains',
  'account_linking_url',
  'commands',
] as const;
type Property = (typeof properties)[number];

function profileOf(world: World, ownerId: string): Partial<Record<Property, unknown>> {
  const owner = find(world, 'page', ownerId) ?? find(world, 'picsAccount', ownerId);
  if (owner === undefined) throw new Error(`the sandbox has no inbox of ${ownerId}`);
  owner.profile ??= {};
  return owner.profile;
}

/** Ice breakers with locales are returned as a bare list, without the name of the property. */
function read(call: Call, ownerId: string): unknown {
  const profile = profileOf(call.world, ownerId);
  const asked = names(call.params['fields']);
  for (const name of asked) propertyOf(call, ownerId, name);
  const { ice_breakers: breakers } = profile;
  if (asked.length === 1 && asked[0] === 'ice_breakers' && Array.isArray(breakers) && isLocal(breakers[0])) {
    return { data: breakers };
  }
  const found = Object.entries(profile).filter(([name]) => asked.includes(name));
  return { data: found.length === 0 ? [] : [Object.fromEntries(found)] };
}

function change(call: Call, ownerId: string): unknown {
  const { world, params } = call;
  const profile = profileOf(world, ownerId);
  const given: Partial<Record<Property, unknown>> = {};
  for (const name of properties) {
    const text = params[name];
    if (text === undefined) continue;
    given[propertyOf(call, ownerId, name)] = valueOf(text);
  }
  if (Object.keys(given).length === 0) return invalid('Give a property of the profile');
  if (given.ice_breakers !== undefined) checkBreakers(given.ice_breakers);
  if (given.persistent_menu !== undefined) checkMenu(given.persistent_menu);
  const { greeting, whitelisted_domains: domains = [] } = given;
  if (greeting !== undefined && !hasDefault(greeting)) return invalid('A default locale is required');
  if (!Array.isArray(domains) || domains.length > 50) {
    return invalid('Param whitelisted_domains must have at most 50 elements');
  }
  const isMessenger = isOfPage(world, { ownerId });
  const hasStart = (given.get_started ?? profile.get_started) !== undefined;
  if (isMessenger && given.persistent_menu !== undefined && !hasStart) return refuseWithoutStart();
  Object.assign(profile, given);
  recordEffect(world, 'profile', ownerId, ownerId, given);
  return isMessenger ? { result: 'success' } : { success: true };
}

function remove(call: Call, ownerId: string): unknown {
  const { world, params } = call;
  const gone = names(params['fields']).map((name) => propertyOf(call, ownerId, name));
  if (gone.length === 0) return invalid('The parameter fields is required');
  const profile = profileOf(world, ownerId);
  const keepsMenu = profile.persistent_menu !== undefined && !gone.includes('persistent_menu');
  if (gone.includes('get_started') && keepsMenu) return refuseWithoutStart();
  for (const name of gone) delete profile[name];
  recordEffect(world, 'profile', ownerId, ownerId, { deleted: gone });
  if (!isOfPage(world, { ownerId })) return { success: true };
  return gone.includes('ice_breakers') ? { success: 'true' } : { result: 'success' };
}

function refuseWithoutStart(): never {
  const message = 'You must set a Get Started button if you also wish to use persistent menu';
  return invalid(message, 2_018_145);
}

/** A property that the profile of this inbox has. */
function propertyOf({ world }: Call, ownerId: string, name: string): Property {
  const known = isOfPage(world, { ownerId }) ? properties : properties.slice(0, 2);
  return (
    known.find((one) => one === name.toLowerCase()) ??
    invalid(`Param fields must be one of {${known.join(', ')}} - got "${name}"`)
  );
}

function valueOf(text: string): unknown {
  const value = parsed(text);
  return value === undefined ? text : value;
}

function isLocal(one: unknown): one is { readonly locale: unknown; readonly call_to_actions: unknown } {
  return typeof one === 'object' && one !== null && 'locale' in one;
}

function hasDefault(value: unknown): boolean {
  return Array.isArray(value) && value.some((one) => isLocal(one) && one.locale === 'default');
}

/** At most four questions per locale, one of which is `default`; or the older flat list. */
function checkBreakers(value: unknown): void {
  if (!Array.isArray(value) || value.length === 0) return invalid('Param ice_breakers must be an array');
  const isOld = value.every((one) => typeof one === 'object' && one !== null && 'question' in one);
  if (!isOld && !hasDefault(value)) return invalid('Ice breakers need a default locale');
  const lists = isOld
    ? [value]
    : value.map((one: unknown) => (isLocal(one) ? one.call_to_actions : undefined));
  for (const list of lists) {
    if (!Array.isArray(list) || list.length === 0 || list.length > 4) {
      invalid('Ice breakers must have 1 to 4 questions');
    }
  }
}

function checkMenu(value: unknown): void {
  if (!hasDefault(value)) return invalid('A persistent menu needs a default locale');
  for (const one of value as readonly unknown[]) {
    const { call_to_actions: entries = [] } = one as { readonly call_to_actions?: unknown };
    if (!Array.isArray(entries) || entries.length > 20) invalid('A persistent menu has at most 20 entries');
  }
}

/** The profile of a Page, or in page mode that of its account, and that of an account in login mode. */
export const messengerProfileRoutes: readonly Route[] = [
  ...ofBoth('GET', 'messenger_profile', read, 'platform'),
  ...ofBoth('POST', 'messenger_profile', change, `platform ${properties.join(' ')}`),
  ...ofBoth('DELETE', 'messenger_profile', remove, 'platform'),
];
