import { err, type ResultAsync } from 'neverthrow';
import * as v from 'valibot';

import type { Context } from '../core/context.ts';
import type { ConfigurationError, RequestFailure } from '../core/errors.ts';
import { path } from '../core/http/addresses.ts';
import { multipart } from '../core/http/body.ts';
import { isStillReadable, openDuring } from '../core/http/files.ts';
import { POST } from '../core/http/methods.ts';
import { safeTry, send } from '../core/http/send.ts';
import type { Call, GraphRequest } from '../core/http/types.ts';
import { fieldsOf } from '../core/objects.ts';
import { fileChanged, type FileSource, fileSource, openFile } from '../core/options/fileSource.ts';
import * as rule from '../core/options/rules.ts';
import { defaultUploadMs, uploadRules } from '../core/upload.ts';
import { idSchema, objectOf, type Schema } from '../models/fields.ts';
import type { AttachmentType } from './content.ts';
import { extensionOf, typeOfFile } from './fileType.ts';
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
   * The bytes, or the path of the file as a string or a file URL, up to 25 MB; or one of these as `data`, with a name of
   * your own. Never use a path from user input.
   */
  readonly file: FileSource | NamedFile;
  readonly url?: undefined;
}

/** A file with the name that people get it by. */
interface NamedFile {
  /** The bytes, or the path of the file as a string or a file URL. Never use a path from user input. */
  readonly data: FileSource;
  /**
   * Its name. The platform may refuse names that are not ASCII.
   * @default that of its path or `File`; otherwise its kind, such as `image.png`
   */
  readonly filename?: string | undefined;
  /**
   * Its type, such as `image/png`.
   * @default that of its `Blob`; otherwise the one that its name, or its first bytes, tell; otherwise JPEG, MP4 or MP3 by
   * its kind, and `application/octet-stream` for a `file`
   */
  readonly contentType?: string | undefined;
}

const source = fileSource('url');
const namedFile = rule.fields({
  data: source,
  filename: rule.optional(
    rule.refine(rule.text, (name) =>
      /[/\\]/.test(name) || rule.control.test(name) ? 'must be a file name' : undefined,
    ),
  ),
  contentType: rule.optional(
    rule.satisfies(
      (type) => typeof type === 'string' && /^[\w.+-]+\/[\w.+-]+$/.test(type),
      'a type such as image/png',
    ),
  ),
});

export const uploadFileRules: Readonly<Record<'type' | 'url' | 'file' | 'uploadTimeoutMs', rule.Rule>> = {
  type: attachmentType,
  url: rule.optional(rule.mediaUrl),
  file: rule.optional(v.lazy((value) => ('data' in fieldsOf(value) ? namedFile : source))),
  uploadTimeoutMs: uploadRules.uploadTimeoutMs,
};

const mediaTypes: Readonly<Record<AttachmentType, string>> = {
  image: 'image/jpeg',
  video: 'video/mp4',
  audio: 'audio/mpeg',
  file: 'application/octet-stream',
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
    method: POST,
    path: path`${owner}/message_attachments`,
    timeoutMs: uploadTimeoutMs,
    schema: uploadedSchema,
  };
  return safeTry(async function* () {
    const { blob, name } = file === undefined ? {} : yield* open(file);
    const content: Pick<GraphRequest<unknown>, 'json' | 'body' | 'redirect'> = blob === undefined
      ? { json: { platform, message } }
      : multipart({ platform, message: JSON.stringify(message) }, { filedata: blob }, name);
    const sent = await send(context, { ...request, ...content });
    const isLost = sent.isErr() && sent.error.name === 'TransportError';
    return isLost && blob !== undefined && !(await isStillReadable(context, call, blob)).unwrapOr(true)
      ? err(fileChanged('attachment'))
      : sent;
  });

  function open(file: FileSource | NamedFile) {
    // Its rule has told the two apart.
    const given = 'data' in fieldsOf(file) ? (file as NamedFile) : { data: file as FileSource };
    return openDuring(context, call, () =>
      openFile(given.data, 'file').map(async (blob) => {
        const known = given.filename ?? nameOf(given.data);
        const kind =
          given.contentType ??
          (blob.type || (await typeOfFile(known, blob).catch(() => undefined)) || mediaTypes[type]);
        const name = known ?? `${type}${extensionOf(kind)}`;
        return { name, blob: blob.type === kind ? blob : blob.slice(0, blob.size, kind) };
      }),
    );
  }
}

function nameOf(data: FileSource): string | undefined {
  if (data instanceof Blob)
    return 'name' in data && typeof data.name === 'string' ? data.name || undefined : undefined;
  if (data instanceof URL) return decodeURIComponent(data.pathname).replace(/.*\//s, '');
  return typeof data === 'string' ? data.replace(/.*[\\/]/s, '') : undefined;
}

const uploadedSchema: Schema<UploadedAttachment> = objectOf({ attachment_id: idSchema });
