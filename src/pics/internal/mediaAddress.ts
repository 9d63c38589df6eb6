import { isAddress, type Test, text } from '../../core/options/check.ts';

/** The rule for a media address: the platform fetches it over HTTPS. */
export const mediaAddress: Test = (value) =>
  text(value) ?? (isAddress(value, /^https:\/\//i) ? undefined : 'must be an https address');

/** The platform accepts ASCII only. An address that is ASCII already is not changed, since it may be signed. */
export function encodeAddress(address: string): string {
  return /^[\x21-\x7e]+$/.test(address) ? address : new URL(address).href;
}
