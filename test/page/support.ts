export const userToken = 'user-token';

/** The query of a request with the user token. The proof, its HMAC-SHA256 under `app-secret`, is from `openssl dgst`. */
export const asUser = {
  access_token: userToken,
  appsecret_proof: 'b5a94d985eb7b68467d28ca5375162d12b9ca8fe238615acc927c8a9c08d2e95',
};

/** The query of a request with the app token, likewise. */
export const asApp = {
  access_token: 'app-id|app-secret',
  appsecret_proof: '5f2ed0e066975d94ab13138f2fac6d5a6c41b621034436e53d6d59b320c25b06',
};

/** The platform's error envelope. */
export function refusal(code: number, more: Readonly<Record<string, unknown>> = {}): { error: object } {
  return { error: { message: `refused ${code}`, type: 'OAuthException', code, fbtrace_id: 'T1', ...more } };
}
