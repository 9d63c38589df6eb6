import { err, ok, type Result, type ResultAsync } from 'neverthrow';
import * as v from 'valibot';

import type { Context } from '../../core/context.ts';
import { withOutcome } from '../../core/deriveError.ts';
import { ApiError, type RequestFailure } from '../../core/errors.ts';
import { isSameOrigin } from '../../core/http/origin.ts';
import { path } from '../../core/http/path.ts';
import { sendForResponse } from '../../core/http/send.ts';
import type { CallLimits } from '../../core/http/types.ts';
import { idSchema } from '../../models/id.ts';

/** The address that a video is uploaded to, and its id. */
export interface UploadSession {
  readonly video_id: string;
  readonly upload_url: string;
}

/** Starts the upload of a story or a Reel. It is safe to repeat: a session publishes nothing, and expires. */
export function startUpload(
  context: Context,
  pageId: string,
  edge: 'video_stories' | 'video_reels',
  request: CallLimits & { readonly token: string },
): ResultAsync<UploadSession, RequestFailure> {
  return sendForResponse(context, {
    ...request,
    method: 'POST',
    path: path`${pageId}/${edge}`,
    form: { upload_phase: 'start' },
    schema: v.looseObject({ video_id: idSchema, upload_url: v.string() }),
  })
    .andThen(({ value: { video_id, upload_url }, status }): Result<UploadSession, ApiError> => {
      // The token is sent to this address, so it must be the platform's.
      if (isSameOrigin(upload_url, context.platform.uploadUrl)) return ok({ video_id, upload_url });
      const message = 'upload_url: the upload address is not at the platform';
      return err(new ApiError(message, { status, payload: { video_id }, ids: { video_id } }));
    })
    .mapErr((failure) => withOutcome(failure, 'rejected'));
}
