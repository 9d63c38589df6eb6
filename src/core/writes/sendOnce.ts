import { err, ok, type Result, ResultAsync } from 'neverthrow';

import { withIds, withOutcome } from '../deriveError.ts';
import type { RequestFailure } from '../errors.ts';
import { deadlineOf, send } from '../http/send.ts';
import type { GraphRequest } from '../http/types.ts';
import { lookUpEffect, lookUpLostWrite } from './lookUp.ts';
import { beginWrite } from './memory.ts';
import type { EffectLookup, WriteContext, WriteEngine } from './types.ts';

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
  return new ResultAsync(context.writes.send(context, request, lookup));
}

export const writeEngine: WriteEngine = { send: sendAndLookUp, lookUp: lookUpEffect };

async function sendAndLookUp<TValue>(
  context: WriteContext,
  request: GraphRequest<TValue>,
  lookup: EffectLookup<TValue>,
): Promise<Result<TValue, RequestFailure>> {
  const { signal, deadline = deadlineOf(context) } = request;
  const { write, end, forget } = await beginWrite(context, lookup);
  const sent = await send(context, {
    ...request,
    deadline,
    retryOn: lookup.isRepeatable === true ? 'anyFailure' : 'rejection',
    onAttempt: () => {
      // Those before it were refused.
      if (lookup.isRepeatable !== true) write.startedAt = context.clock.monotonic();
    },
  });
  if (sent.isOk()) {
    end(lookup.idOf(sent.value));
    return sent;
  }
  const failure = withIds(sent.error, lookup.ids);
  if (failure.outcome === 'rejected') {
    forget();
    return err(failure);
  }
  const { id, isApplied } =
    isCallOver(failure) || !context.retry.onceOnly
      ? {}
      : await lookUpLostWrite(context, lookup, write, { signal, deadline });
  if (id !== undefined) {
    const found = lookup.toValue(id);
    end(lookup.idOf(found));
    return ok(found);
  }
  end();
  return err(isApplied ? withOutcome(failure, 'applied') : failure);
}

function isCallOver(failure: RequestFailure): boolean {
  return failure.name === 'TransportError' && /aborted|closed|busy|journal/.test(failure.reason);
}
