import * as v from 'valibot';

import type { Clock } from '../core/options/clock.ts';
import { hide } from '../core/options/secrets.ts';

/** A token, and what the platform says about it. */
export interface TokenBundle {
  /** Secret. Not enumerable: logging, `JSON.stringify` and spreading leave it out. */
  readonly access_token: string;
  readonly token_type: string;
  /** When the token expires; `undefined` if the platform does not say. */
  readonly expires_at: Date | undefined;
  /** Seconds from the response until the token expires. */
  readonly expires_in?: number;
  /** The account that the token belongs to. */
  readonly user_id?: string;
  /** The permissions that the account's owner granted. */
  readonly permissions?: readonly string[];
}

/** The response of a token endpoint. */
export interface TokenResponse {
  readonly access_token: string;
  readonly token_type: string;
  readonly expires_in: number | undefined;
  readonly user_id: string | undefined;
  readonly permissions: readonly string[] | undefined;
}

/**
 * Reads the response of a token endpoint, flat or wrapped as `{ "data": [{ … }] }`. Only the token is required: the
 * code is used up, so an odd field must not cost the token.
 */
export const tokenResponseSchema: v.GenericSchema<unknown, TokenResponse> = v.pipe(
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

/** The bundle for a response that has just arrived. */
export function toTokenBundle(response: TokenResponse, clock: Clock): TokenBundle {
  const { access_token, token_type, expires_in, user_id, permissions } = response;
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

/** 0 means that the token does not expire. A life of more than a century is taken for an error. */
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
