import { err, ok, type Result, ResultAsync } from 'neverthrow';

import { withIds, withMessage, withOutcome, withPayload } from '../../core/deriveError.ts';
import type { RequestFailure } from '../../core/errors.ts';
import { multipart } from '../../core/http/body.ts';
import { path } from '../../core/http/path.ts';
import { send } from '../../core/http/send.ts';
import type { Call } from '../../core/http/types.ts';
import { queryRecentEntries, textOf } from '../../core/writes/recentEntries.ts';
import { sendOnce } from '../../core/writes/sendOnce.ts';
import type { LookupLimits } from '../../core/writes/types.ts';
import { type Acknowledgement, acknowledgementSchema } from '../../models/written.ts';
import type { PageContext } from '../context.ts';
import { tellIfChanged } from './photo.ts';

/** A Reel that holds its bytes. */
interface Reel extends Call {
  readonly videoId: string;
}

/** Sets the picture of a Reel before it is published, so that a lost response cannot hide an effect. */
export function setThumbnail(
  context: PageContext,
  { videoId, ...call }: Reel,
  thumbnail: Blob,
): ResultAsync<Acknowledgement, RequestFailure> {
  const sent = send(context, {
    ...call,
    method: 'POST',
    path: path`${videoId}/thumbnails`,
    ...multipart({ is_preferred: true }, { source: thumbnail }),
    schema: acknowledgementSchema,
  });
  return tellIfChanged(context, sent, thumbnail, 'thumbnail').mapErr((failure) =>
    withOutcome(withIds(failure, { video_id: videoId }), 'rejected'),
  );
}

/**
 * Invites those whom the Reel does not list yet, one after another. A refusal does not keep the others from being
 * invited; anything else does. Whatever fails, the Reel is out.
 *
 * The context must be that of the caller, not that of a key: under a key, only the Reel itself is recorded.
 */
export function inviteAll(
  context: PageContext,
  reel: Reel,
  collaborators: readonly string[],
  isResumed: boolean,
): ResultAsync<void, RequestFailure> {
  return new ResultAsync(run());

  async function run(): Promise<Result<void, RequestFailure>> {
    const ids = new Set(collaborators);
    if (ids.size === 0) return ok();
    // An earlier call under the key may have invited some of them.
    const known = isResumed ? await listed({}) : ok([]);
    if (known.isErr()) return err(told(known.error, [...ids]));
    for (const id of known.value) ids.delete(id);
    let failure: RequestFailure | undefined;
    for (const id of ids) {
      if (failure !== undefined && failure.outcome !== 'rejected') break;
      const invited = await invite(id);
      if (invited.isOk()) ids.delete(id);
      else failure ??= invited.error;
    }
    return failure === undefined ? ok() : err(told(failure, [...ids]));
  }

  function invite(id: string): ResultAsync<Acknowledgement, RequestFailure> {
    const { videoId, ...call } = reel;
    return sendOnce(
      context,
      {
        ...call,
        method: 'POST',
        path: path`${videoId}/collaborators`,
        form: { target_id: id },
        schema: acknowledgementSchema,
      },
      {
        idOf: () => undefined,
        toValue: () => ({ success: true }),
        query: (limits) =>
          listed(limits).map((found) => ({
            entries: found.includes(id) ? [{ id, createdAt: NaN }] : [],
          })),
      },
    );
  }

  /** Whom the Reel lists: those who accepted or declined, too. */
  function listed(limits: Partial<LookupLimits>): ResultAsync<readonly string[], RequestFailure> {
    const { videoId, ...call } = reel;
    return queryRecentEntries(context, {
      ...call,
      ...limits,
      path: path`${videoId}/collaborators`,
      query: { limit: 100 },
    }).map((found) => found.map(({ id }) => textOf(id)));
  }

  function told(failure: RequestFailure, not_invited: readonly string[]): RequestFailure {
    const message = `the Reel is out, but not all collaborators are invited: ${failure.message}`;
    const ofReel = withOutcome(withIds(failure, { video_id: reel.videoId }), 'applied');
    return withMessage(withPayload(ofReel, { not_invited }), message);
  }
}
