import { err, ok, okAsync, type Result, type ResultAsync } from 'neverthrow';
import * as v from 'valibot';

import type { Context } from '../../core/context.ts';
import { withOutcome } from '../../core/deriveError.ts';
import { ApiError, type RequestFailure } from '../../core/errors.ts';
import { isSameOrigin } from '../../core/http/origin.ts';
import { path } from '../../core/http/path.ts';
import { sendForResponse } from '../../core/http/send.ts';
import type { CallLimits } from '../../core/http/types.ts';
import { recordedIn } from '../../core/journal/keyed.ts';
import { idSchema } from '../../models/fields.ts';

/** The address that a video is uploaded to, and its id. */
export interface UploadSession {
  readonly video_id: string;
  readonly upload_url: string;
}

/** Starts the upload of a story or a Reel, unless an earlier call under the same key did. It is safe to repeat: a session publishes nothing, and expires. */
export function startUpload(
  context: Context,
  pageId: string,
  edge: 'video_stories' | 'video_reels',
  request: CallLimits & { readonly token: string },
): ResultAsync<UploadSession, RequestFailure> {
  const { video_id, upload_url } = recordedIn(context);
  const session: ResultAsync<Started, RequestFailure> =
    video_id !== undefined && upload_url !== undefined
      ? okAsync({ value: { video_id, upload_url }, status: undefined })
      : sendForResponse(context, {
          ...request,
          method: 'POST',
          path: path`${pageId}/${edge}`,
          form: { upload_phase: 'start' },
          schema: v.looseObject({ video_id: idSchema, upload_url: v.string() }),
        });
  return session
    .andThen(({ value, status }): Result<UploadSession, ApiError> => {
      const ids = { video_id: value.video_id };
      // The token is sent to this address, so it must be the platform's.
      if (isSameOrigin(value.upload_url, context.platform.uploadUrl)) {
        return ok({ ...ids, upload_url: value.upload_url });
      }
      const message = 'upload_url: the upload address is not at the platform';
      return err(new ApiError(message, { status, payload: ids, ids }));
    })
    .mapErr((failure) => withOutcome(failure, 'rejected'));
}

interface Started {
  readonly value: UploadSession;
  readonly status: number | undefined;
}
