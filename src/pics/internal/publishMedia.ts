import { ok, type ResultAsync } from 'neverthrow';

import { withIds } from '../../core/deriveError.ts';
import type { ContainerNotReadyError, Failure } from '../../core/errors.ts';
import { guardHook } from '../../core/http/hooks.ts';
import { safeTry } from '../../core/http/resultAsync.ts';
import type { Params } from '../../core/http/types.ts';
import { isSent, record, recordedIn } from '../../core/journal/keyed.ts';
import { type FileSource, openFile } from '../../core/uploads/fileSource.ts';
import type { UploadOptions, UploadProgress } from '../../core/uploads/uploadOptions.ts';
import type { Published } from '../../models/published.ts';
import type { PicsContext } from '../context.ts';
import type { PublishCall } from './container.ts';
import type { MediaContent } from './containerMemory.ts';
import type { WaitOptions } from './containerWait.ts';
import { publishReady } from './publishReady.ts';
import { createMedia } from './videoUpload.ts';

/** The options of a call that publishes one image or one video. */
interface MediaOptions extends WaitOptions, UploadOptions {
  readonly video?: FileSource | undefined;
  readonly onCreated?: ((ids: { readonly container_id: string }) => unknown) | undefined;
}

/** What such a call makes of its options. */
interface MediaRequest {
  /** The parameters of the container. */
  readonly form: Params;
  readonly content: MediaContent;
  readonly statusFirst: boolean;
}

/** Publishes one image or one video: makes its container, sends its bytes, waits for it, and publishes it. */
export function publishMedia(
  context: PicsContext,
  call: PublishCall,
  options: MediaOptions,
  { form, content, statusFirst }: MediaRequest,
): ResultAsync<Published, Failure | ContainerNotReadyError> {
  const { video, uploadTimeoutMs, uploadAttempts, waitTimeoutMs, onStatus } = options;
  const onCreated = guardHook(options.onCreated);
  return safeTry(context, async function* () {
    const file = yield* video === undefined ? ok(undefined) : openFile(video, 'video');
    const report = progressReport(options.onProgress, file?.size);
    let made: { readonly container_id: string } | undefined;

    report('start', 0);
    const { container_id: known, upload_url: uri } = recordedIn(context);
    const containerId = yield* createMedia(context, call, {
      form,
      file: isSent(context) ? undefined : file,
      known: known === undefined ? undefined : { id: known, uri },
      onRecord: (ids) => record(context, { container_id: ids.id, upload_url: ids.uri }),
      uploadTimeoutMs,
      uploadAttempts,
      waitTimeoutMs,
      onMade: (container_id) => {
        made = { container_id };
        onCreated?.(made);
      },
      onSent: (bytes) => report('upload', bytes),
    }).mapErr((failure) => withIds(failure, made));

    report('wait');
    return publishReady(context, call, {
      containerId,
      content,
      statusFirst,
      waitTimeoutMs,
      onStatus,
      onPublish: () => report('finish'),
    });
  });
}

/** What tells the progress of a call; all bytes are sent where it is not told how many. */
export function progressReport(
  onProgress: UploadOptions['onProgress'],
  totalBytes: number | undefined,
): (phase: UploadProgress['phase'], sentBytes?: number) => void {
  const notify = guardHook(onProgress);
  return (phase, sentBytes = totalBytes ?? 0) => notify?.({ phase, sentBytes, totalBytes });
}
