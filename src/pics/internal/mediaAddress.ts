import { isAddress, type Rule, text } from '../../core/options/check.ts';

/** A public HTTPS address, which the platform fetches. */
export const mediaAddress: Rule = (value) =>
  text(value) ?? (isAddress(value, /^https:\/\//i) ? undefined : 'must be an https address');

/** The platform takes ASCII only. What is ASCII already stays as it is, since it may be signed. */
export function encodeAddress(address: string): string {
  return /^[\x21-\x7e]+$/.test(address) ? address : new URL(address).href;
}

export const caption: Rule = (value) =>
  value === undefined || typeof value === 'string' ? undefined : 'must be a string';
