import * as v from 'valibot';

import { isMendedByLogin } from '../core/codes.ts';
import { hide } from '../core/http/redact.ts';
import type { GraphResponse } from '../core/http/types.ts';
import type { Clock } from '../core/options/clock.ts';
import { isMisplaced } from '../core/platform.ts';
import type { Schema } from './fields.ts';
import * as s from './fields.ts';

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

export interface TokenResponse {
  readonly access_token: string;
  readonly token_type: string;
  readonly expires_in: number | undefined;
  readonly user_id: string | undefined;
  readonly permissions: readonly string[] | undefined;
}

/**
 * Reads the response of a token endpoint, flat or wrapped as `{ "data": [{ … }] }`. Only the token is required: the
 * code is used up, so an odd field must not lose the token.
 */
export const tokenResponseSchema: Schema<TokenResponse> = v.pipe(
  v.unknown(),
  v.transform(s.unwrapData),
  s.objectOf({
    access_token: v.pipe(
      s.string,
      v.check((token) => token !== '', 'expected string'),
    ),
  }),
  v.transform(({ access_token, token_type, expires_in, user_id, permissions }) => ({
    access_token,
    token_type: typeof token_type === 'string' && token_type !== '' ? token_type : 'bearer',
    expires_in: toSeconds(expires_in),
    user_id: s.toId(user_id),
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

/** 0 means that the token does not expire. A lifetime of more than a century is considered an error. */
function toSeconds(value: unknown): number | undefined {
  const seconds = s.toNumber(value) ?? 0;
  return seconds > 0 && seconds < 3_200_000_000 ? seconds : undefined;
}

function toNames(value: unknown): readonly string[] | undefined {
  const names = typeof value === 'string' ? value.split(',') : value;
  if (!Array.isArray(names)) return undefined;
  return names.flatMap((name: unknown) =>
    typeof name === 'string' && name.trim() !== '' ? [name.trim()] : [],
  );
}

/** What the platform knows about a token. */
export interface TokenInfo {
  readonly is_valid: boolean;
  /** The kind of token, such as `USER`, `PAGE`, `APP` or `SYSTEM_USER`. */
  readonly type: string | undefined;
  /** The app that the token was issued to. */
  readonly app_id: string | undefined;
  /** The person behind the token. */
  readonly user_id: string | undefined;
  /** The Page of a page token. */
  readonly profile_id: string | undefined;
  readonly issued_at: Date | undefined;
  /** When the token expires; `undefined` if it never does, or if the platform does not say. */
  readonly expires_at: Date | undefined;
  /**
   * When data can no longer be read with the token, 90 days after the person last used the app. The token itself still
   * authenticates. `undefined` if that never happens, or if the platform does not say.
   */
  readonly data_access_expires_at: Date | undefined;
  /** Whether the token has no expiry date, like a page token from a long-lived user token. */
  readonly never_expires: boolean;
  /** The granted permissions; for a dead token, those that it had, if the platform says. */
  readonly scopes: readonly string[];
  /** Permissions with the objects that they are limited to. */
  readonly granular_scopes: readonly GranularScope[];
  /** Why the token is not valid. */
  readonly error: TokenFault | undefined;
}

export interface GranularScope {
  readonly scope: string;
  /** Ids of Pages, accounts or portfolios; `undefined` for all of them. */
  readonly target_ids: readonly string[] | undefined;
}

export interface TokenFault {
  /** The platform's error code, usually 190. */
  readonly code: number | undefined;
  /** The reason: 460 is a changed password, 463 an expired token. See the table in the docs. */
  readonly subcode: number | undefined;
  readonly message: string | undefined;
  /**
   * What helps: `login`; or `fix`, where the person has to act at the platform before a login helps, and where another
   * token is needed.
   */
  readonly action: 'login' | 'fix';
}

/** Reads the `data` of a token inspection. */
export const tokenInfoSchema: Schema<TokenInfo> = s.objectTo(
  {
    data: v.pipe(
      s.record({
        is_valid: s.flag,
        type: s.text,
        app_id: s.optionalId,
        user_id: s.optionalId,
        profile_id: s.optionalId,
        issued_at: s.number,
        expires_at: s.number,
        data_access_expires_at: s.number,
        scopes: s.texts,
        granular_scopes: s.listOf(s.node({ scope: s.string, target_ids: s.part(s.arrayOf(s.optionalId)) })),
        error: s.optionalObject({ code: s.number, subcode: s.number, message: s.text }),
      }),
      v.check(({ raw, error }) => 'is_valid' in raw || error !== undefined, 'expected Object'),
    ),
  },
  ({ data: { raw: sent, ...data } }) => ({
    ...data,
    is_valid: data.is_valid === true && !sent['error'],
    issued_at: fromUnix(data.issued_at),
    expires_at: fromUnix(data.expires_at),
    data_access_expires_at: fromUnix(data.data_access_expires_at),
    never_expires: data.expires_at === 0,
    scopes: data.scopes ?? [],
    granular_scopes: (data.granular_scopes ?? []).map(({ scope, target_ids, raw }) => ({
      scope,
      // An entry that cannot be read is still a limit.
      target_ids: target_ids ?? (raw['target_ids'] == null ? undefined : []),
    })),
    error: data.error && {
      code: data.error.code,
      subcode: data.error.subcode,
      message: data.error.message,
      action: isMendedByLogin(data.error) ? ('login' as const) : ('fix' as const),
    },
  }),
);

/** What the platform said of a token, of which its reason may quote a part. */
export function inspected(
  { value, redact }: Pick<GraphResponse<TokenInfo>, 'value' | 'redact'>,
  token: string,
): TokenInfo {
  const { error } = value;
  // It is asked in no login mode.
  const action = isMisplaced(token, undefined) ? 'fix' : error?.action;
  return { ...value, error: error && action && redact({ ...error, action }) };
}

/** Unix seconds; the platform sends 0 for never. */
function fromUnix(seconds: number | undefined): Date | undefined {
  const date = new Date((seconds ?? 0) * 1000);
  return date.getTime() ? date : undefined;
}

/** A permission that the app asked a user for. */
export interface AskedPermission {
  /** As the platform names it. */
  readonly permission: string;
  readonly status: 'granted' | 'declined' | 'expired';
}

const askedPermission = v.object({
  permission: s.string,
  status: v.picklist(['granted', 'declined', 'expired']),
});

/** Reads an {@link AskedPermission}; `null` if it does not fit: nothing was granted by it. */
export const askedPermissionSchema: Schema<AskedPermission | null> = v.fallback(
  v.nullable(askedPermission),
  null,
);

/** Reads a list of {@link AskedPermission}. An entry that does not fit is left out. */
export const askedPermissionsSchema: Schema<readonly AskedPermission[]> = s.objectTo(
  { data: s.arrayOf(s.part(askedPermission)) },
  ({ data }) => data,
);
