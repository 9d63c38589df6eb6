import { denied } from '../errors.ts';
import { atPath, type OpenCall, type Route } from '../route.ts';
import { find, type Token } from '../world.ts';
import { targetKind } from './scopes.ts';
import { demandToken, lookUpToken } from './tokens.ts';

/** `GET /debug_token` reports what a token may do. The status is 200 even for a dead token. */
export const debugRoutes: readonly Route[] = [
  atPath({
    method: 'GET',
    hosts: ['graph'],
    path: '/debug_token',
    params: ['input_token'],
    required: ['input_token'],
    run: (call) => {
      const caller = demandToken(call.world, call.params['access_token'], call.host);
      if (caller.kind !== 'app' && caller.value !== call.params['input_token'])
        return denied('An app access token is required to inspect tokens.');
      const token = lookUpToken(call.world, call.params['input_token'] ?? '', call.host);
      if (!('code' in token)) return { data: describe(call, token) };
      const { error_subcode: subcode, ...error } = token;
      return { data: { error: { ...error, subcode }, is_valid: false, scopes: [] } };
    },
  }),
];

function describe({ world }: OpenCall, token: Token): Record<string, unknown> {
  const seconds = (ms: number): number => Math.floor(ms / 1000);
  const page = find(world, 'page', token.subjectId);
  const common = {
    app_id: world.app.id,
    type: token.kind.toUpperCase(),
    application: 'Sandbox App',
    is_valid: true,
  };
  if (token.kind === 'app') return { ...common, expires_at: 0, scopes: [] };
  return {
    ...common,
    data_access_expires_at: seconds(token.dataAccessEndsAt),
    expires_at: token.expiresAt === undefined ? 0 : seconds(token.expiresAt),
    issued_at: seconds(token.issuedAt),
    ...(page === undefined ? {} : { profile_id: page.id }),
    scopes: token.scopes,
    granular_scopes: token.scopes
      .filter((scope) => targetKind(scope) !== undefined)
      .map((scope) => {
        const ids =
          token.targets.get(scope) ?? (targetKind(scope) === 'page' && page ? [page.id] : undefined);
        return { scope, ...(ids && { target_ids: ids }) };
      }),
    user_id: token.userId,
  };
}
