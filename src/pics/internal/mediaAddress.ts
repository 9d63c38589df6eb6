import { ConfigurationError } from '../../core/errors.ts';
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

/** Both or none of two addresses are refused: the image's name stands for the pair. */
export function checkOneMedia({
  imageUrl,
  videoUrl,
}: {
  readonly imageUrl?: string | undefined;
  readonly videoUrl?: string | undefined;
}): ConfigurationError | undefined {
  return (imageUrl === undefined) === (videoUrl === undefined)
    ? new ConfigurationError('give exactly one of imageUrl and videoUrl', 'imageUrl')
    : undefined;
}
