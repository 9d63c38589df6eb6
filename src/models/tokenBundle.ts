import * as v from 'valibot';

import type { Clock } from '../core/options/clock.ts';
import { hide } from '../core/options/secrets.ts';

/** A token, and what came with it. */
export interface TokenBundle {
  /** Secret. Not enumerable: logging, `JSON.stringify` and spreading leave it out. */
  readonly access_token: string;
  readonly token_type: string;
  /** When the token ends; `undefined` where the platform names no end. */
  readonly expires_at: Date | undefined;
  /** Seconds from the answer to the end of the token. */
  readonly expires_in?: number;
  /** The account that the token belongs to. */
  readonly user_id?: string;
  /** What the account's owner granted. */
  readonly permissions?: readonly string[];
}

/** What a token endpoint answers. */
export interface TokenAnswer {
  readonly access_token: string;
  readonly token_type: string;
  readonly expires_in: number | undefined;
  readonly user_id: string | undefined;
  readonly permissions: readonly string[] | undefined;
}

/**
 * Reads the answer of a token endpoint, flat or wrapped as `{ "data": [{ … }] }`. Only the token is required: a
 * code is single-use, so a token is not given up for an odd field beside it.
 */
export const tokenAnswerSchema: v.GenericSchema<unknown, TokenAnswer> = v.pipe(
  v.unknown(),
  v.transform(unwrap),
  v.looseObject({ access_token: v.pipe(v.string(), v.nonEmpty()) }),
  v.transform(({ access_token, token_type, expires_in, user_id, permissions }) => ({
    access_token,
    token_type: typeof token_type === 'string' && token_type !== '' ? token_type : 'bearer',
    expires_in: toSeconds(expires_in),
    user_id: toId(user_id),
    permissions: toNames(permissions),
  })),
);

/** The bundle that is handed out for an answer that arrived now. */
export function toTokenBundle(answer: TokenAnswer, clock: Clock): TokenBundle {
  const { access_token, token_type, expires_in, user_id, permissions } = answer;
  return hide(
    {
      token_type,
      expires_at: expires_in === undefined ? undefined : new Date(clock.now() + expires_in * 1000),
      ...(expires_in !== undefined && { expires_in }),
      ...(user_id !== undefined && { user_id }),
      ...(permissions !== undefined && { permissions }),
    },
    { access_token },
  );
}

function unwrap(body: unknown): unknown {
  const data = (body as { readonly data?: unknown } | null | undefined)?.data;
  return Array.isArray(data) ? data[0] : body;
}

/** 0 is the platform's word for no end. More than a century is no date of the platform's. */
function toSeconds(value: unknown): number | undefined {
  const seconds = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof seconds === 'number' && seconds > 0 && seconds < 3_200_000_000 ? seconds : undefined;
}

function toId(value: unknown): string | undefined {
  return (typeof value === 'string' && value !== '') || typeof value === 'number' ? String(value) : undefined;
}

function toNames(value: unknown): readonly string[] | undefined {
  const names = typeof value === 'string' ? value.split(',') : value;
  if (!Array.isArray(names)) return undefined;
  return names.flatMap((name: unknown) =>
    typeof name === 'string' && name.trim() !== '' ? [name.trim()] : [],
  );
}
