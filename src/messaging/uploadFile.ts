import { err, type ResultAsync } from 'neverthrow';

import type { Context } from '../core/context.ts';
import type { ConfigurationError, RequestFailure } from '../core/errors.ts';
import { multipart } from '../core/http/body.ts';
import { path, safeTry, send } from '../core/http/send.ts';
import type { Call, GraphRequest } from '../core/http/types.ts';
import type { FileSource } from '../core/options/fileSource.ts';
import { fileChanged, fileSource, isReadable, openFile } from '../core/options/fileSource.ts';
import * as rule from '../core/options/rules.ts';
import { defaultUploadMs, uploadRules } from '../core/upload.ts';
import { idSchema, objectOf, type Schema } from '../models/fields.ts';
import type { AttachmentType } from './content.ts';
import { attachmentType } from './sendMessage.ts';

/** An uploaded file. It can be sent any number of times within 90 days. */
export interface UploadedAttachment {
  /** Pass it as `attachment: { type, attachmentId }`. */
  readonly attachment_id: string;
}

interface UploadCommon {
  /** The kind of file. It must be sent as this kind. */
  readonly type: AttachmentType;
  /**
   * Milliseconds for one attempt, in which the platform fetches the file or receives its bytes. From 1 to
   * 2_147_483_647.
   * @default 600_000
   */
  readonly uploadTimeoutMs?: number | undefined;
}

export interface HostedAttachment extends UploadCommon {
  /** Public address, fetched by the platform: an image up to 8 MB, others up to 25 MB. */
  readonly url: string;
  readonly file?: undefined;
}

export interface LocalAttachment extends UploadCommon {
  /**
   * The bytes, or the path of the file as a string or a file URL, up to 25 MB. Never use a path from user input. A Blob
   * is sent with its own type, anything else as JPEG, MP4, MP3 or PDF.
   */
  readonly file: FileSource;
  readonly url?: undefined;
}

/** The rules for a file to upload. */
export const uploadFileRules: Readonly<Record<'type' | 'url' | 'file' | 'uploadTimeoutMs', rule.Rule>> = {
  type: attachmentType,
  url: rule.optional(rule.url),
  file: rule.optional(fileSource('url')),
  uploadTimeoutMs: uploadRules.uploadTimeoutMs,
};

const mediaTypes: Readonly<Record<AttachmentType, string>> = {
  image: 'image/jpeg',
  video: 'video/mp4',
  audio: 'audio/mpeg',
  file: 'application/pdf',
};

/** Uploads a file. It is safe to repeat: nobody sees it before it is sent. */
export function uploadFile(
  context: Context,
  call: Call,
  /** The Page or account that the file belongs to. */
  owner: string,
  platform: string | undefined,
  { type, url: address, file, uploadTimeoutMs = defaultUploadMs }: HostedAttachment | LocalAttachment,
): ResultAsync<UploadedAttachment, RequestFailure | ConfigurationError> {
  const message = { attachment: { type, payload: { url: address, is_reusable: true } } };
  const request = {
    ...call,
    method: 'POST',
    path: path`${owner}/message_attachments`,
    timeoutMs: uploadTimeoutMs,
    schema: uploadedSchema,
  };
  return safeTry(async function* () {
    const blob = file === undefined ? undefined : yield* open(file);
    const content: Pick<GraphRequest<unknown>, 'json' | 'body' | 'redirect'> = blob === undefined
      ? { json: { platform, message } }
      : multipart({ platform, message: JSON.stringify(message) }, { filedata: blob });
    const sent = await send(context, { ...request, ...content });
    const isLost = sent.isErr() && sent.error.name === 'TransportError';
    return isLost && blob !== undefined && !(await isReadable(blob)) ? err(fileChanged('attachment')) : sent;
  });

  function open(source: FileSource): ResultAsync<Blob, ConfigurationError> {
    return openFile(source, 'file').map((blob) =>
      blob.type === '' ? blob.slice(0, blob.size, mediaTypes[type]) : blob,
    );
  }
}

const uploadedSchema: Schema<UploadedAttachment> = objectOf({ attachment_id: idSchema });
