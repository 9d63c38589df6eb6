import * as v from 'valibot';

import { idSchema } from './id.ts';
import { listOf } from './node.ts';

/** What the platform knows of a token. */
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
  /** When the token ends; `undefined` for one that never does, and where the platform does not say. */
  readonly expires_at: Date | undefined;
  /**
   * When data can no longer be read with the token, 90 days after the person last used the app. The token
   * itself still authenticates then. `undefined` for never, and where the platform does not say.
   */
  readonly data_access_expires_at: Date | undefined;
  /** The token has no end of its own, as that of a Page from a long-lived user token. */
  readonly never_expires: boolean;
  /** Permissions granted; of a dead token, those that it had where the platform says. */
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
  /** The platform's error code, 190 as a rule. */
  readonly code: number | undefined;
  /** The reason: 460 is a changed password, 463 the end of the token's life. See the table in the docs. */
  readonly subcode: number | undefined;
  readonly message: string | undefined;
}

const time = v.nullish(v.number());
const integer = v.nullish(v.number());
const text = v.nullish(v.string());
const id = v.nullish(idSchema);

/** Reads the `data` of a token inspection. */
export const tokenInfoSchema: v.GenericSchema<unknown, TokenInfo> = v.pipe(
  v.looseObject({
    data: v.pipe(
      v.looseObject({
        is_valid: v.nullish(v.boolean()),
        type: text,
        app_id: id,
        user_id: id,
        profile_id: id,
        issued_at: time,
        expires_at: time,
        data_access_expires_at: time,
        scopes: v.nullish(listOf(v.string()), []),
        granular_scopes: v.nullish(
          listOf(v.looseObject({ scope: v.string(), target_ids: v.nullish(listOf(idSchema)) })),
          [],
        ),
        error: v.nullish(v.looseObject({ code: integer, subcode: integer, message: text })),
      }),
      v.check(({ is_valid, error }) => typeof is_valid === 'boolean' || Boolean(error)),
    ),
  }),
  v.transform(({ data }) => ({
    is_valid: data.is_valid === true && !data.error,
    type: data.type ?? undefined,
    app_id: data.app_id ?? undefined,
    user_id: data.user_id ?? undefined,
    profile_id: data.profile_id ?? undefined,
    issued_at: toDate(data.issued_at),
    expires_at: toDate(data.expires_at),
    data_access_expires_at: toDate(data.data_access_expires_at),
    never_expires: data.expires_at === 0,
    scopes: data.scopes,
    granular_scopes: data.granular_scopes.map(({ scope, target_ids }) => ({
      scope,
      target_ids: target_ids ?? undefined,
    })),
    error: data.error
      ? {
          code: data.error.code ?? undefined,
          subcode: data.error.subcode ?? undefined,
          message: data.error.message ?? undefined,
        }
      : undefined,
  })),
);

/** Unix seconds; 0 is the platform's word for never. */
function toDate(seconds: number | null | undefined): Date | undefined {
  return seconds ? new Date(seconds * 1000) : undefined;
}
