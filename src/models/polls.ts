import * as v from 'valibot';

import { parseTime } from '../core/options/time.ts';
import type { GraphObject, Schema } from './fields.ts';
import * as s from './fields.ts';

/** A poll below a post. */
export interface MediaPoll extends GraphObject {
  /** Its answers, 2 to 4, in their order. */
  readonly options: readonly PollOption[];
  /** When it ends; `undefined` for one that is open without an end. */
  readonly expires_at: Date | undefined;
}

/** An answer of a poll. */
export interface PollOption {
  readonly text: string;
  /** Its share of the votes, from 0 to 1; `undefined` if the platform does not say. */
  readonly share: number | undefined;
}

/** Reads the poll of a media: one object, or `null`. */
export const mediaPollSchema: Schema<MediaPoll | null> = v.nullable(
  s.objectTo(
    {
      option_a: s.string,
      option_b: s.string,
      option_c: s.text,
      option_d: s.text,
      expiration_timestamp: s.text,
    },
    ({ expiration_timestamp = '', option_a, option_b, option_c, option_d }, raw) => {
      const endsAt = /^\d{4}-/.test(expiration_timestamp) ? parseTime(expiration_timestamp) : NaN;
      const options = [option_a, option_b, option_c, option_d].flatMap((text, at) =>
        text === undefined || text === ''
          ? []
          : [{ text, share: s.toNumber(raw[`option_${'abcd'[at]}_votes_percentage`]) }],
      );
      return s.withRaw({ options, expires_at: Number.isNaN(endsAt) ? undefined : new Date(endsAt) }, raw);
    },
  ),
);
