import type { Context } from '../context.ts';
import { ConfigurationError } from '../errors.ts';
import { withoutLinkSecrets } from '../http/address.ts';
import { parseJson } from '../http/json.ts';
import { check, optional, token } from '../options/check.ts';
import type { BatchPart } from './batchTypes.ts';
import { type RequestParams, toParams } from './params.ts';
import { record, target } from './rules.ts';

/** Edges that a POST makes something public on, or sends something to: doing it twice would show. */
const publishing =
  /(?:^|\/)(?:feed|photos|videos|video_reels|photo_stories|video_stories|live_videos|media_publish|messages|comments|replies|private_replies)\/?(?:\?|$)/;

/** Checks the parts of a batch before any of them is sent. An error names the part by its place. */
export function checkParts(
  context: Context,
  parts: readonly BatchPart[],
  retry: boolean,
): ConfigurationError | undefined {
  const { graphBase, platform } = context;
  if (graphBase.startsWith(platform.picsGraphUrl)) {
    return new ConfigurationError('batch works on the page graph only, not in login mode', 'mode');
  }
  if (!Array.isArray(parts)) return new ConfigurationError('parts must be a list', 'parts');
  for (const [at, part] of parts.entries()) {
    const invalid = checkPart(context, part, retry);
    if (invalid === undefined) continue;
    const option = invalid.option === 'options' ? `parts[${at}]` : `parts[${at}].${invalid.option}`;
    return new ConfigurationError(invalid.message.replace(/^\S+/, option), option);
  }
  return undefined;
}

function checkPart(context: Context, part: BatchPart, retry: boolean): ConfigurationError | undefined {
  const isPost = part?.method === 'POST';
  return check(part, {
    method: (value) =>
      ['GET', 'POST', 'DELETE'].includes(value as string) ? undefined : 'must be GET, POST or DELETE',
    path: (value) =>
      target(value) ??
      (isAbsolute(value as string) && !(value as string).startsWith(`${context.platform.graphUrl}/`)
        ? 'must be a path, or an address of the platform'
        : isPost && retry && publishing.test(value as string)
          ? 'publishes: it cannot be part of a batch with retry'
          : undefined),
    params: values,
    data: (value) => values(value) ?? (value !== undefined && !isPost ? 'goes with POST only' : undefined),
    token: optional(token),
  });
}

/** The rule for parameters: an object whose values can be sent. */
function values(value: unknown): string | undefined {
  const fault = record(value);
  if (fault !== undefined || value === undefined) return fault;
  try {
    return toParams(value as RequestParams) && undefined;
  } catch {
    return 'must hold values that JSON can hold';
  }
}

/** The address of a part, below the host of the batch. An absolute one brings its version along. */
export function relativeAddress({ platform }: Context, path: string): string {
  const below = isAbsolute(path) ? path.slice(platform.graphUrl.length) : path;
  return below.replace(/^\/+|#.*/gs, '');
}

function isAbsolute(path: string): boolean {
  return /^https?:\/\//i.test(path);
}

/** The body of a part, as JSON where it is that. */
export function parseBody(text: string): { readonly body: unknown; readonly isJson: boolean } {
  try {
    return { body: parseJson(withoutLinkSecrets(text)), isJson: true };
  } catch {
    return { body: text, isJson: false };
  }
}
