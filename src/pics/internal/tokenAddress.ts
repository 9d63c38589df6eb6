import type { PicsContext } from '../context.ts';

/** Address of an endpoint that gives out long-lived tokens; these have no version. */
export function tokenAddress({ platform }: PicsContext, edge: string): string {
  return `${platform.picsGraphUrl.replace(/\/+$/, '')}/${edge}`;
}
