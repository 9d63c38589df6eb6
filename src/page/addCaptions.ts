import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { multipart } from '../core/http/body.ts';
import { path } from '../core/http/path.ts';
import { perform, send } from '../core/http/send.ts';
import { check, flag, id, optional, that, token } from '../core/options/check.ts';
import { fileSource, type FileSource, openFile } from '../core/options/fileSource.ts';
import { type Acknowledgement, acknowledgementSchema } from '../models/written.ts';
import type { PageCallOptions, PageContext } from './context.ts';
import { tellIfChanged } from './internal/photo.ts';

export interface AddCaptionsOptions extends PageCallOptions {
  /** A video or Reel of the Page. */
  readonly videoId: string;
  /**
   * Captions in the SubRip format (SRT): their bytes, or the path of their file as a string or a file URL. Never use a
   * path from user input.
   */
  readonly captions: FileSource;
  /** Language and country of the captions, such as `en_US`. */
  readonly locale: string;
  /**
   * `true` shows these captions to people for whose language there are none.
   * @default false
   */
  readonly isDefault?: boolean | undefined;
}

/**
 * Adds captions to a video in one language; those that it has in that language are replaced. It is safe to repeat, so
 * it is retried.
 *
 * Fails with ConfigurationError when the file is missing, empty or unreadable, and with ApiError when it is not SRT.
 *
 * Permissions: `pages_manage_posts`, `pages_read_engagement`, `pages_show_list`; Page task `CREATE_CONTENT`. Source:
 * Graph API reference, Video captions.
 *
 * @example
 * const added = await addCaptions(context, { videoId: '1020', pageToken, captions: './tour.srt', locale: 'en_US' });
 * if (added.isErr()) console.error(added.error.message);
 *
 * @example With a client, which throws
 * await client.addCaptions({ videoId: '1020', pageToken, captions: './tour.srt', locale: 'en_US', isDefault: true });
 */
export function addCaptions(
  context: PageContext,
  options: AddCaptionsOptions,
): ResultAsync<Acknowledgement, Failure> {
  const checked = check(context, options, () => ({
    videoId: id,
    pageToken: token,
    captions: fileSource(),
    locale: that((value) => /^[a-z]{2,3}_[A-Z]{2}$/.test(String(value)), 'a locale such as en_US'),
    isDefault: optional(flag),
  }));
  return perform(context, 'addCaptions', checked, (call, { videoId, captions, locale, isDefault }) =>
    openFile(captions, 'captions').andThen((file) => {
      const sent = send(context, {
        ...call,
        method: 'POST',
        path: path`${videoId}/captions`,
        // The platform reads the language from the name of the file.
        ...multipart(
          { default_locale: isDefault ? locale : undefined },
          { captions_file: file },
          `captions.${locale}.srt`,
        ),
        schema: acknowledgementSchema,
      });
      return tellIfChanged(context, sent, file, 'captions');
    }),
  );
}
