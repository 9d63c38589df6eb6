import { errAsync, type ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { path } from '../core/http/path.ts';
import { deadlineOf, send } from '../core/http/send.ts';
import { check, flag, id, optional, text, token, url } from '../core/options/check.ts';
import { findByText } from '../core/writes/findByText.ts';
import { sendOnce } from '../core/writes/sendOnce.ts';
import { type Created, createdSchema } from '../models/created.ts';
import type { PageContext } from './context.ts';

export interface PublishPostOptions {
  readonly pageId: string;
  /** Page token. */
  readonly pageToken: string;
  readonly message: string;
  /** Address to attach to the text. */
  readonly link?: string | undefined;
  /**
   * `false` keeps the post unpublished.
   * @default true
   */
  readonly published?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

export type PublishPostFailure = Failure;

/**
 * Publishes a text, with or without a link, on a Page.
 *
 * Once-only: after a lost response, the newest posts of the Page are looked up, and the post that this call made is
 * returned. If it cannot be told, the error's `outcome` is `unknown`; so it is for an unpublished post, which no list
 * shows.
 *
 * Permissions: `pages_manage_posts`, `pages_read_engagement`; Page task `CREATE_CONTENT`.
 * Source: Graph API reference, Page feed.
 *
 * @example
 * const post = await publishPost(context, { pageId, pageToken, message: 'Open until nine.' });
 * if (post.isOk()) console.log(post.value.id);
 *
 * @example With a client, which throws
 * const post = await client.publishPost({ pageId, pageToken, message: 'Open until nine.' });
 */
export function publishPost(
  context: PageContext,
  options: PublishPostOptions,
): ResultAsync<Created, PublishPostFailure> {
  const invalid = check(options, {
    pageId: id,
    pageToken: token,
    message: text,
    link: optional(url),
    published: optional(flag),
  });
  if (invalid) return errAsync(invalid);
  const { pageId, pageToken, message, link, published, signal } = options;
  const limits = { token: pageToken, signal, deadline: deadlineOf(context) };
  const request = {
    ...limits,
    method: 'POST',
    path: path`${pageId}/feed`,
    form: { message, link, published },
    schema: createdSchema,
  };
  // The list has only published posts: an equal one in it would be the post of another call.
  if (published === false) return send(context, { ...request, retryOn: 'rejection' });
  return sendOnce(
    context,
    request,
    // Links are not compared: the platform rewrites them.
    findByText(context, {
      ...limits,
      list: `${pageId}/feed`,
      path: path`${pageId}/published_posts`,
      query: { fields: 'id,message,created_time', limit: 25 },
      text: message,
      textField: 'message',
      timeField: 'created_time',
      idOf: ({ id: postId }) => postId,
      toValue: (postId) => ({ id: postId }),
    }),
  );
}
