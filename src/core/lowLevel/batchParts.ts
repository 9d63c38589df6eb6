import { err, type Result } from 'neverthrow';

import type { Context } from '../context.ts';
import { ConfigurationError } from '../errors.ts';
import { checkOptions, fields, listOf, optional, type Rule, that, token } from '../options/check.ts';
import type { BatchPart } from './batchTypes.ts';
import { params, target } from './rules.ts';

/** Edges that a POST makes something public on, or sends something to: doing it twice would show. */
const publishing =
  /(?:^|\/)(?:feed|photos|videos|video_reels|photo_stories|video_stories|live_videos|media_publish|messages|comments|replies|private_replies)\/?(?:\?|$)/;

/** Checks the parts of a batch, and gives them as they are now. The error names a part by its place. */
export function checkParts<TParts extends readonly BatchPart[]>(
  context: Context,
  parts: TParts,
  retry: boolean,
): Result<TParts, ConfigurationError> {
  if (context.mode === 'login') {
    return err(new ConfigurationError('batch works on the page graph only, not in login mode', 'context'));
  }
  return checkOptions({ parts }, () => ({ parts: listOf(partRule(context, retry)) }))
    .map((own) => own.parts)
    .mapErr(({ message }) => new ConfigurationError(message, message.split(' ', 1)[0]));
}

function partRule({ platform }: Context, retry: boolean): Rule {
  return fields(
    {
      method: that((value) => ['GET', 'POST', 'DELETE'].includes(value as string), 'GET, POST or DELETE'),
      path: (value) =>
        target(value) ??
        (isAbsolute(value as string) && !(value as string).startsWith(`${platform.graphUrl}/`)
          ? 'must be a path, or an address of the platform'
          : undefined),
      params: optional(params),
      data: optional(params),
      token: optional(token),
      schema: () => undefined,
    },
    ({ method, path, data }) => {
      if (method !== 'POST') return data === undefined ? undefined : '.data goes with POST only';
      return retry && publishing.test(path as string)
        ? '.path publishes: it cannot be part of a batch with retry'
        : undefined;
    },
  );
}

/** The address of a part, below the host of the batch. An absolute one brings its version along. */
export function relativeAddress({ platform }: Context, path: string): string {
  const below = isAbsolute(path) ? path.slice(platform.graphUrl.length) : path;
  return below.replace(/^\/+|#.*/gs, '');
}

function isAbsolute(path: string): boolean {
  return /^https?:\/\//i.test(path);
}
