import { type Result, ResultAsync } from 'neverthrow';

import type { ConfigurationError, TransportError } from '../errors.ts';
import { isReadable } from '../options/path.ts';
import { duringCall } from './lifecycle.ts';
import type { CallLimits, HttpContext } from './types.ts';

/** Opens a file as a part of a call. */
export function openDuring<TFile>(
  context: HttpContext,
  call: CallLimits,
  open: () => PromiseLike<Result<TFile, ConfigurationError>>,
): ResultAsync<TFile, ConfigurationError | TransportError> {
  return new ResultAsync(duringCall(context, call, open)).andThen((opened) => opened);
}

/** Whether the file of a failed request can still be read, if it says so in the time of an attempt. */
export function isStillReadable(
  context: HttpContext,
  call: CallLimits,
  file: Blob,
): Promise<Result<boolean, TransportError>> {
  return duringCall(context, call, () => isReadable(file), context.timeoutMs);
}
