import * as v from 'valibot';

import { flag, listOf, node, number, optionalId, part, text, texts } from './fields.ts';

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

/** Reads the `data` of a token inspection. */
export const tokenInfoSchema: v.GenericSchema<unknown, TokenInfo> = v.pipe(
  v.looseObject({
    data: v.pipe(
      node({
        is_valid: flag,
        type: text,
        app_id: optionalId,
        user_id: optionalId,
        profile_id: optionalId,
        issued_at: number,
        expires_at: number,
        data_access_expires_at: number,
        scopes: texts,
        granular_scopes: part(
          listOf(part(node({ scope: v.string(), target_ids: part(listOf(optionalId)) }))),
        ),
        error: part(node({ code: number, subcode: number, message: text })),
      }),
      v.check(({ raw, error }) => 'is_valid' in raw || error !== undefined),
    ),
  }),
  v.transform(({ data }) => ({
    is_valid: data.is_valid === true && !data.raw['error'],
    type: data.type,
    app_id: data.app_id,
    user_id: data.user_id,
    profile_id: data.profile_id,
    issued_at: toDate(data.issued_at),
    expires_at: toDate(data.expires_at),
    data_access_expires_at: toDate(data.data_access_expires_at),
    never_expires: data.expires_at === 0,
    scopes: data.scopes ?? [],
    granular_scopes: (data.granular_scopes ?? []).map(({ scope, target_ids, raw }) => ({
      scope,
      // What cannot be read limits it all the same.
      target_ids: target_ids ?? (raw['target_ids'] == null ? undefined : []),
    })),
    error: data.error && {
      code: data.error.code,
      subcode: data.error.subcode,
      message: data.error.message,
    },
  })),
);

/** Unix seconds; 0 is the platform's word for never. */
function toDate(seconds: number | undefined): Date | undefined {
  const date = new Date((seconds ?? 0) * 1000);
  return date.getTime() ? date : undefined;
}
