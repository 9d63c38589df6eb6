import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { perform } from '../core/http/send.ts';
import { check, exactlyOneOf, id, token } from '../core/options/check.ts';
import { pagePlatform } from '../core/platform.ts';
import {
  type HostedAttachment,
  type LocalAttachment,
  type UploadedAttachment,
  uploadFile,
  uploadFileRules,
} from '../messaging/uploadFile.ts';
import type { PageContext } from './context.ts';

export type { UploadedAttachment };

interface UploadAttachmentCommon {
  readonly pageId: string;
  /** Page token. */
  readonly pageToken: string;
}

/** A file at an address, or its bytes. */
export type UploadAttachmentOptions = UploadAttachmentCommon & (HostedAttachment | LocalAttachment);

/**
 * Uploads a file that the Page can send by its `attachment_id`, as often as needed, for 90 days. It is safe to repeat,
 * so it is retried.
 *
 * Fails with ConfigurationError when neither or both of `url` and `file` are given, and when the file cannot be read.
 *
 * Permissions: `pages_manage_metadata`, `pages_messaging`, `pages_read_engagement`, `pages_show_list`; Page task
 * `MESSAGING`. Source: platform guide, Attachment Upload API.
 *
 * @example
 * const menu = await uploadAttachment(context, { pageId, pageToken, type: 'file', file: './menu.pdf' });
 * if (menu.isOk()) console.log(menu.value.attachment_id);
 *
 * @example With a client, which throws
 * const { attachment_id } = await client.uploadAttachment({ pageId, pageToken, type: 'image', url: imageUrl });
 */
export function uploadAttachment(
  context: PageContext,
  options: UploadAttachmentOptions,
): ResultAsync<UploadedAttachment, Failure> {
  const checked = check(
    context,
    options,
    () => ({ pageId: id, pageToken: token, ...uploadFileRules }),
    (own) => exactlyOneOf(own, 'url', 'file'),
  );
  return perform(context, 'uploadAttachment', checked, (call, own) =>
    uploadFile(context, call, own.pageId, pagePlatform, own),
  );
}
