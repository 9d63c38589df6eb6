import { err, ok, type Result, ResultAsync } from 'neverthrow';

import { withIds, withOutcome } from '../deriveError.ts';
import type { RequestFailure } from '../errors.ts';
import { afterRejection } from '../http/retry.ts';
import { deadlineOf, send } from '../http/send.ts';
import type { GraphRequest } from '../http/types.ts';
import type { JournalContext } from './journal/types.ts';
import { lookUpLostWrite } from './lookUp.ts';
import { beginWrite } from './memory.ts';
import type { EffectLookup } from './types.ts';

/**
 * Sends a write that must not take effect twice. It is sent again only if it was refused; after a lost or unreadable
 * response, the SDK looks several times whether the write took effect.
 *
 * An entry counts as the write's own if it was made after the write began, by the platform's clock, if no other write
 * of the context's memory can have created it, and if no other entry matches as well.
 */
export function sendOnce<TValue>(
  context: JournalContext,
  request: GraphRequest<TValue>,
  lookup: EffectLookup<TValue>,
): ResultAsync<TValue, RequestFailure> {
  const { keyedCall, timeoutMs } = context;
  return new ResultAsync(
    keyedCall === undefined
      ? sendAndLookUp(context, request, lookup)
      : // It records the request, after looking for that of an earlier call.
        keyedCall.sendOnce(lookup, request.timeoutMs ?? timeoutMs, (own, hooks) =>
          sendAndLookUp(context, { ...request, ...hooks }, own),
        ),
  );
}

async function sendAndLookUp<TValue>(
  context: JournalContext,
  request: GraphRequest<TValue>,
  lookup: EffectLookup<TValue>,
): Promise<Result<TValue, RequestFailure>> {
  const { signal, deadline = deadlineOf(context) } = request;
  const { write, end, forget } = beginWrite(context, lookup);
  const sent = await send(context, {
    ...request,
    deadline,
    mayRepeat: lookup.isRepeatable === true ? undefined : afterRejection,
    onAttempt: () => {
      // Earlier attempts were refused.
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
