import type { ResultAsync } from 'neverthrow';

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

/** Makes a container, and returns its id. It is safe to repeat: a container that is not published does no harm. */
export function createContainer(
  context: PicsContext,
  { account, ...request }: PublishCall,
  form: Params,
): ResultAsync<string, RequestFailure> {
  return send(context, {
    ...request,
    method: 'POST',
    path: path`${account}/media`,
    form,
    schema: createdSchema,
  })
    .map(({ id }) => id)
    .mapErr((failure) => withOutcome(failure, 'rejected'));
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
