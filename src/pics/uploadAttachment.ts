import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { perform } from '../core/http/send.ts';
import { check, exactlyOneOf, id, optional, token } from '../core/options/check.ts';
import {
  type HostedAttachment,
  type LocalAttachment,
  type UploadedAttachment,
  uploadFile,
  uploadFileRules,
} from '../messaging/uploadFile.ts';
import type { PicsContext } from './context.ts';
import { accountId } from './internal/account.ts';
import { inboxOf, senderOf, type InboxOptions } from './internal/inbox.ts';

export type { UploadedAttachment };

/** A file at an address, or its bytes, which login mode does not accept. */
export type UploadAttachmentOptions = InboxOptions & (HostedAttachment | LocalAttachment);

/**
 * Uploads a file that the account can send by its `attachment_id`, as often as needed, for 90 days. It is safe to
 * repeat, so it is retried.
 *
 * Fails with ConfigurationError when neither or both of `url` and `file` are given, when the file cannot be read, in
 * login mode with `file`, and in page mode without `pageId`.
 *
 * Permissions in login mode: `pics_business_basic`, `pics_business_manage_messages`; in page mode: `pics_basic`,
 * `pics_manage_messages`, `pages_manage_metadata`, `pages_read_engagement`, `pages_show_list`. Source: platform guide,
 * Upload Media.
 *
 * @example
 * const photo = await uploadAttachment(context, { token, pageId, type: 'image', url: imageUrl });
 * if (photo.isOk()) console.log(photo.value.attachment_id);
 *
 * @example With a client, which throws
 * const { attachment_id } = await client.uploadAttachment({ token, pageId, type: 'file', file: './menu.pdf' });
 */
export function uploadAttachment(
  context: PicsContext,
  options: UploadAttachmentOptions,
): ResultAsync<UploadedAttachment, Failure> {
  const checked = check(
    context,
    options,
    () => ({
      token,
      picsUserId: optional(id),
      pageId: accountId(context),
      ...uploadFileRules,
      ...(context.mode === 'login' && { file: optional(() => 'is not taken in login mode: give a url') }),
    }),
    (own) => exactlyOneOf(own, 'url', 'file'),
  );
  return perform(context, 'uploadAttachment', checked, (call, own) => {
    const platform = context.mode === 'page' ? inboxOf(context, own.pageId).platform : undefined;
    return uploadFile(context, call, senderOf(context, own), platform, own);
  });
}
