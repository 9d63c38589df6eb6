import { ok, type ResultAsync } from 'neverthrow';

import { ConfigurationError, type Failure, type RequestFailure } from '../core/errors.ts';
import { guardHook } from '../core/http/hooks.ts';
import { path, shownAddresses } from '../core/http/path.ts';
import { perform, safeTry } from '../core/http/send.ts';
import type { GraphRequest } from '../core/http/types.ts';
import {
  atLeastOneOf,
  check,
  fieldsOf,
  hook,
  id,
  optional,
  text,
  token,
  url,
} from '../core/options/check.ts';
import { fileSource, type FileSource } from '../core/options/fileSource.ts';
import type { KeyedOptions } from '../core/writes/journal/types.ts';
import { keyed, keyIn, record, recordedIn, openDigested } from '../core/writes/keyed.ts';
import { queryRecentEntries, textOf, toRecentEntries } from '../core/writes/recentEntries.ts';
import { sendOnce } from '../core/writes/sendOnce.ts';
import { asCreated, type Created, createdSchema } from '../models/written.ts';
import type { PageCallOptions, PageContext } from './context.ts';
import { commentLookup } from './internal/lookups.ts';
import { uploadPhoto } from './internal/photo.ts';

interface PublishCommentCommon extends PageCallOptions, KeyedOptions {
  /** A post, photo, video or comment. */
  readonly objectId: string;
  /** Page token of a user who is a moderator of the Page. */
  readonly pageToken: string;
  /** Called once the photo is uploaded, before the comment is posted. Anything it throws is ignored. */
  readonly onCreated?: ((ids: { readonly photo_id: string }) => unknown) | undefined;
}

/** Options for a comment with text, with or without an image at a public address. */
export interface PublishTextCommentOptions extends PublishCommentCommon {
  readonly message: string;
  /** Public address of an image. */
  readonly attachmentUrl?: string | undefined;
  readonly photo?: undefined;
  readonly pageId?: string | undefined;
}

/** Options for a comment with an image at a public address, with or without text. */
export interface PublishHostedCommentOptions extends PublishCommentCommon {
  readonly message?: string | undefined;
  /** Public address of an image. */
  readonly attachmentUrl: string;
  readonly photo?: undefined;
  readonly pageId?: string | undefined;
}

/** Options for a comment with an uploaded photo. */
export interface PublishPhotoCommentOptions extends PublishCommentCommon {
  readonly message?: string | undefined;
  /** The photo's bytes, or the path of its file as a string or a file URL. Never use a path from user input. */
  readonly photo: FileSource;
  /** The commenting Page, to which the photo is uploaded. */
  readonly pageId: string;
  readonly attachmentUrl?: undefined;
}

export type PublishCommentOptions =
  | PublishTextCommentOptions
  | PublishHostedCommentOptions
  | PublishPhotoCommentOptions;

/**
 * Comments on a post, photo, video or comment, in the name of the Page: with text, an image, or both.
 *
 * Once-only: after a lost response, the comment that this call created is looked up among the newest ones, by its
 * photo, or by its author, text and time, and returned. If it cannot be identified, the error's `outcome` is `unknown`;
 * that is always so for an `attachmentUrl` without text, and if the token may not see who wrote a comment. The id of an
 * uploaded photo is in the error's `ids` as `photo_id`.
 *
 * Permissions: `pages_manage_engagement`, `pages_read_user_content`, `pages_show_list`; Page task `MODERATE`. For a
 * photo, `pages_manage_posts` and the task `CREATE_CONTENT` too. Source: Graph API reference, Object comments.
 *
 * @example
 * const comment = await publishComment(context, { objectId: postId, pageToken, message: 'Tables are left!' });
 * if (comment.isOk()) console.log(comment.value.id);
 *
 * @example With a client, which throws
 * const comment = await client.publishComment({ objectId: postId, pageToken, message: 'Tables are left!' });
 */
export function publishComment(
  context: PageContext,
  options: PublishCommentOptions,
): ResultAsync<Created, Failure> {
  const checked = check(
    context,
    options,
    () => ({
      idempotencyKey: keyIn(context),
      objectId: id,
      pageToken: token,
      message: optional(text),
      attachmentUrl: optional(url),
      photo: optional(fileSource('attachmentUrl')),
      pageId: optional(id),
      onCreated: optional(hook),
    }),
    (own) => atLeastOneOf(own, 'message', 'attachmentUrl', 'photo') ?? checkPhoto(own),
  );
  return perform(context, 'publishComment', checked, (call, own) => {
    const { objectId, message, attachmentUrl, photo, pageId = '' } = own;
    const onCreated = guardHook(own.onCreated);
    return keyed(context, call, 'page', own, (context) =>
      safeTry(async function* () {
        let { photo_id } = recordedIn(context);
        if (photo !== undefined) {
          photo_id ??= (yield* uploadPhoto(
            context,
            call,
            pageId,
            yield* openDigested(context, photo, 'photo'),
          )).id;
          onCreated?.({ photo_id });
          yield* record(context, { photo_id });
        }
        const comment = {
          ...call,
          method: 'POST',
          path: path`${objectId}/comments`,
          form: { message, attachment_url: attachmentUrl, attachment_id: photo_id },
          fetches: shownAddresses(attachmentUrl),
          schema: createdSchema,
        };
        return ok(yield* publish(context, comment, photo_id));
      }),
    );

    function publish(
      context: PageContext,
      comment: GraphRequest<Created>,
      photo_id: string | undefined,
    ): ResultAsync<Created, RequestFailure> {
      // Only an image, from an address that the platform rewrites: it cannot be told from other comments.
      if (message === undefined && photo_id === undefined) {
        return sendOnce(context, comment, asCreated);
      }
      const byText = commentLookup(context, objectId, message ?? '', call);
      if (photo_id === undefined) return sendOnce(context, comment, byText);
      return sendOnce(context, comment, {
        ...byText,
        ids: { photo_id },
        findsOwnOnly: true,
        query: (limits) =>
          queryRecentEntries(context, {
            ...call,
            ...limits,
            path: comment.path,
            query: { fields: 'id,attachment,created_time', order: 'reverse_chronological', limit: 25 },
          }).map((comments) => ({
            entries: toRecentEntries(
              comments.filter(({ attachment }) => targetOf(attachment) === photo_id),
              '',
            ),
          })),
      });
    }
  });
}

function checkPhoto({ photo, attachmentUrl, pageId }: PublishCommentOptions): ConfigurationError | undefined {
  if (photo === undefined) return undefined;
  if (pageId === undefined) return new ConfigurationError('pageId is needed for a photo', 'pageId');
  return attachmentUrl === undefined
    ? undefined
    : new ConfigurationError('give only one of attachmentUrl and photo', 'attachmentUrl');
}

/** The id of the photo that a comment shows. */
function targetOf(attachment: unknown): string {
  return textOf(fieldsOf(fieldsOf(attachment)['target'])['id']);
}
