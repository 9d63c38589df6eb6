import { err, ok, type Result } from 'neverthrow';

import { withIds, withOutcome } from '../deriveError.ts';
import type { RequestFailure } from '../errors.ts';
import { deadlineOf, send } from '../http/send.ts';
import type { GraphRequest } from '../http/types.ts';
import type { EffectLookup } from './effectLookup.ts';
import { lookUpEffect, lookUpLostWrite } from './lookUpEffect.ts';
import { beginWrite } from './recentWrites.ts';
import type { WriteContext, WriteEngine } from './types.ts';

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
