import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { type List, type ListOptions, performList, limitRule } from '../core/lists/list.ts';
import * as rule from '../core/options/rules.ts';
import { type Audio, audioSchema } from '../models/community.ts';
import { accountRules, checkInMode, type PageModeOptions } from './accountOptions.ts';
import type { PicsContext } from './context.ts';

export interface SearchAudioOptions extends PageModeOptions, ListOptions {
  readonly kind: 'music' | 'original_sound';
  /**
   * Words to search for.
   * @default what is popular
   */
  readonly query?: string | undefined;
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
  const checked = checkInMode('page', context, options, {
    ...accountRules(context),
    kind: audioKind,
    query: rule.optional(rule.text),
    limit: limitRule,
  });
  return performList(context, 'searchAudio', checked, 25, ({ picsUserId, kind, query }) => ({
    path: 'ig_audio',
    query: { user_id: picsUserId, audio_type: kind, search_query: query },
    key: 'audio',
    item: audioSchema,
    idOf: ({ audio_id }) => audio_id,
  }));
}

const audioKind = rule.oneOf('music', 'original_sound');
