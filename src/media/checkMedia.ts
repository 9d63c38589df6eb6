import type { ResultAsync } from 'neverthrow';

import { refuseUnknown } from '../core/options/unknown.ts';
import { inspect, readAny } from './inspectMedia.ts';
import { judgeMedia } from './judgeMedia.ts';
import { checkRules, mediaCall } from './options.ts';
import { sourceOf } from './source.ts';
import type {
  InspectMediaOptions,
  MediaFacts,
  MediaFailure,
  MediaFinding,
  MediaKind,
  MediaSource,
} from './types.ts';

/** Options of {@link checkMedia}. */
export interface CheckMediaOptions extends InspectMediaOptions {
  /** What the file is to be published as. */
  readonly kind: MediaKind;
}

/** The result of a check. */
export interface MediaCheck {
  /** What the file was judged as. */
  readonly kind: MediaKind;
  readonly facts: MediaFacts;
  readonly findings: readonly MediaFinding[];
  /** Whether nothing was found that the platform is known to refuse. It is no promise that the platform takes it. */
  readonly isAccepted: boolean;
}

/**
 * Reads a file and says what the platform refuses, changes or may refuse of it, before it is published:
 * `inspectMedia` and `judgeMedia` in one.
 *
 * @example
 * const check = await checkMedia('./clip.mp4', { kind: 'pics.reel' });
 * if (check.isOk() && !check.value.isAccepted) console.log(check.value.findings);
 */
export function checkMedia(
  source: MediaSource,
  options: CheckMediaOptions,
): ResultAsync<MediaCheck, MediaFailure> {
  return mediaCall(
    'checkMedia',
    options,
    checkRules,
    () => sourceOf(source),
    (open, { kind, ...rest }) => inspect(open, rest, readAny).map((facts) => toCheck(facts, kind)),
    refuseUnknown,
  );
}

/** The facts of a file with what is found. */
export function toCheck(facts: MediaFacts, kind: MediaKind): MediaCheck {
  const findings = judgeMedia(facts, kind);
  return { kind, facts, findings, isAccepted: findings.every(({ severity }) => severity !== 'refused') };
}
