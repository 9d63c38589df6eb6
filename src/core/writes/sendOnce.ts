import type { ResultAsync } from 'neverthrow';

import type { RequestFailure } from '../errors.ts';
import { toResultAsync } from '../http/resultAsync.ts';
import type { GraphRequest } from '../http/types.ts';
import type { EffectLookup } from './effectLookup.ts';
import type { WriteContext } from './types.ts';

/**
 * Sends a write that must not take effect twice. Only a refused one is sent again; after a lost or unreadable
 * response, the platform is asked a few times whether the write took effect.
 *
 * An entry counts as the write's own if it was made after the write began, by the platform's clock, and no other
 * write of the context's memory can have made it, and no second entry fits as well.
 */
export function sendOnce<TValue>(
  context: WriteContext,
  request: GraphRequest<TValue>,
  lookup: EffectLookup<TValue>,
): ResultAsync<TValue, RequestFailure> {
  return toResultAsync(context, context.writes.send(context, request, lookup));
}
