import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { perform } from '../core/http/send.ts';
import { collect, type List } from '../core/lists/list.ts';
import { check } from '../core/options/check.ts';
import * as rule from '../core/options/rules.ts';
import { type Audio, audioSchema } from '../models/community.ts';
import { accountId, checkMode } from './accountOptions.ts';
import type { PicsCallOptions, PicsContext } from './context.ts';

export interface SearchAudioOptions extends PicsCallOptions {
  /** Id of the account that searches. Required. */
  readonly picsUserId?: string | undefined;
  readonly kind: 'music' | 'original_sound';
  /**
   * Words to search for.
   * @default what is popular
   */
  readonly query?: string | undefined;
  /**
   * Entries to return, over all pages.
   * @default 25
   */
  readonly limit?: number | undefined;
}

/**
 * Searches for music and sounds that a Reel can have: `publish` takes an `audio_id` as `audio.audioId`. Page mode only.
 *
 * The platform does not document whether the list has pages; where it names a next one, it is read.
 *
 * Source: platform guide, Audio.
 *
 * @example
 * const found = await searchAudio(context, { token, picsUserId, kind: 'music', query: 'tide' });
 * if (found.isOk()) for (const { audio_id, title } of found.value) console.log(audio_id, title);
 *
 * @example With a client, which throws
 * const [sound] = await client.searchAudio({ token, picsUserId, kind: 'original_sound' });
 */
export function searchAudio(
  context: PicsContext,
  options: SearchAudioOptions,
): ResultAsync<List<Audio>, Failure> {
  const checked = check(
    context,
    options,
    () => ({
      token: rule.token,
      picsUserId: accountId(context),
      kind: rule.oneOf('music', 'original_sound'),
      query: rule.optional(rule.text),
      limit: rule.optional(rule.countOrAll),
    }),
    () => checkMode(context, 'page'),
  );
  return perform(context, 'searchAudio', checked, (call, options) => {
    const { picsUserId, kind, query, limit = 25 } = options;
    return collect(context, {
      ...call,
      path: 'ig_audio',
      query: { user_id: picsUserId, audio_type: kind, search_query: query },
      limit,
      key: 'audio',
      item: audioSchema,
      idOf: ({ audio_id }) => audio_id,
    });
  });
}
