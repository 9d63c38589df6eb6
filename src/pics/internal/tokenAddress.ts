import type { PicsContext } from '../context.ts';

/** Address of an endpoint for long-lived tokens, which has no version in its path. */
export function tokenAddress({ platform }: PicsContext, edge: string): string {
  return `${platform.picsGraphUrl.replace(/\/+$/, '')}/${edge}`;
}
