import { errAsync, ResultAsync } from 'neverthrow';

import { withOutcome } from '../../core/deriveError.ts';
import type { RequestFailure } from '../../core/errors.ts';
import { path } from '../../core/http/path.ts';
import { send, sendForResponse } from '../../core/http/send.ts';
import type { CallLimits, Params } from '../../core/http/types.ts';
import type { StatusRequest } from '../../core/waits/polling.ts';
import { type ContainerStatus, containerStatusSchema } from '../../models/containerStatus.ts';
import { createdSchema } from '../../models/created.ts';
import type { PicsContext } from '../context.ts';

/** The options that all requests of one publishing call share. */
export interface PublishCall extends CallLimits {
  /** The account in a path. */
  readonly account: string;
  readonly token: string;
  readonly deadline: number;
}

/** Milliseconds before media that the platform could not fetch is tried again, and how often. */
const refetchPauseMs = 5000;
const refetches = 3;

/** Further attempts for media at an address. */
export interface Refetch {
  /** Milliseconds that their pauses may take together. */
  readonly waitTimeoutMs: number;
  /** Ends their pauses. */
  readonly signal: AbortSignal | undefined;
}

/**
 * Makes a container, and returns its id. It is safe to repeat: a container that is not published does no harm. Media
 * at an address that could not be fetched, which is often temporary, is tried again.
 */
export function createContainer(
  context: PicsContext,
  { account, ...request }: PublishCall,
  form: Params,
  { waitTimeoutMs, signal }: Refetch = { waitTimeoutMs: 0, signal: undefined },
): ResultAsync<string, RequestFailure> {
  const { clock, fetcher } = context;
  return create(1);

  function create(attempt: number): ResultAsync<string, RequestFailure> {
    return send(context, {
      ...request,
      method: 'POST',
      path: path`${account}/media`,
      form,
      schema: createdSchema,
    })
      .map(({ id }) => id)
      .orElse((failure) => {
        const refused = withOutcome(failure, 'rejected');
        const isOver =
          attempt > refetches ||
          attempt * refetchPauseMs > waitTimeoutMs ||
          clock.now() + refetchPauseMs >= request.deadline;
        return isOver || !isUnfetched(refused)
          ? errAsync(refused)
          : new ResultAsync(fetcher.pause(clock, refetchPauseMs, signal)).andThen(() => create(attempt + 1));
      });
  }
}

/** The platform could not fetch the media, which may be temporary. */
function isUnfetched(failure: RequestFailure): boolean {
  return failure.name === 'ApiError' && failure.category === 'media' && failure.action === 'retry';
}

/** Reads the status of a container. */
export function readContainer(
  context: PicsContext,
  { token, signal, deadline, attempts, purpose }: StatusRequest & { readonly token: string },
  containerId: string,
): ResultAsync<ContainerStatus, RequestFailure> {
  return sendForResponse(context, {
    token,
    signal,
    deadline,
    attempts,
    purpose,
    method: 'GET',
    path: path`${containerId}`,
    query: { fields: 'status_code,status' },
    schema: containerStatusSchema,
  }).map(({ value, redact }) => ({ id: containerId, ...redact(value) }));
}
