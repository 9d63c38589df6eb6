import { err, type Result, ResultAsync } from 'neverthrow';

import type { Context } from '../core/context.ts';
import { withOutcome } from '../core/deriveError.ts';
import type { RequestFailure } from '../core/errors.ts';
import { multipart } from '../core/http/body.ts';
import { path, shownAddresses } from '../core/http/path.ts';
import { send } from '../core/http/send.ts';
import type { Call, GraphRequest, Params } from '../core/http/types.ts';
import { fileChanged, isReadable } from '../core/options/fileSource.ts';
import { type Created, createdSchema } from '../models/fields.ts';

/** A photo: the public address that the platform fetches it from, or its bytes. */
export type Photo = string | Blob;

/** The request that uploads a photo: multipart for bytes, a form for an address. */
export function photoRequest(
  pageId: string,
  photo: Photo,
  fields: Params,
): Pick<GraphRequest<unknown>, 'method' | 'path' | 'form' | 'body' | 'redirect' | 'fetches'> {
  return {
    method: 'POST',
    path: path`${pageId}/photos`,
    ...(typeof photo === 'string'
      ? { form: { url: photo, ...fields }, fetches: shownAddresses(photo) }
      : multipart(fields, { source: photo })),
  };
}

/**
 * Uploads a photo without publishing it. It is safe to repeat: nobody sees an unpublished photo, and it expires. So
 * even if the response is lost, nothing was published.
 */
export function uploadPhoto(
  context: Context,
  request: Call,
  pageId: string,
  photo: Photo,
  fields?: Params,
): ResultAsync<Created, RequestFailure> {
  const sent = send(context, {
    ...request,
    ...photoRequest(pageId, photo, { published: false, ...fields }),
    schema: createdSchema,
  });
  return reportFileChange(context, sent, photo).mapErr((failure) => withOutcome(failure, 'rejected'));
}

/** Replaces the failure of a request whose file has changed since it was opened by one that says so. */
export function reportFileChange<TValue>(
  context: Context,
  sent: ResultAsync<TValue, RequestFailure>,
  file: string | Blob,
  what = 'photo',
): ResultAsync<TValue, RequestFailure> {
  if (typeof file === 'string') return sent;
  return sent.orElse((failure) => new ResultAsync(explain(failure, file, what)));
}

async function explain(
  failure: RequestFailure,
  file: Blob,
  what: string,
): Promise<Result<never, RequestFailure>> {
  if (failure.name !== 'TransportError' || (await isReadable(file))) return err(failure);
  return err(withOutcome(fileChanged(what), failure.outcome));
}
