import { lackingScope, mayDo, type Task } from './auth/grants.ts';
import { denied, invalid, notEmulated } from './errors.ts';
import { type Call, genericParams, isBeforeRetirement, type OpenCall, retiredParams } from './route.ts';
import { hasAccess, type Node, type TokenKind } from './world.ts';

export function checkTokenKind(call: Call, tokens: readonly TokenKind[]): void {
  if (tokens.includes(call.token.kind)) return;
  if (tokens.includes('page'))
    return denied('A page access token is required to request this resource.', 210);
  return denied('A user access token is required to request this resource.');
}

export function checkOwner(call: Call, node: Node): void {
  if (!hasAccess(call.world, call.token, node)) {
    denied('The access token does not belong to the Page that this request is for.');
  }
}

export function checkScopes(call: Call, needed: readonly string[], node?: Node): void {
  const lacking = lackingScope(call, needed, node);
  if (lacking === undefined) return;
  denied(`This endpoint requires the '${lacking}' permission.`, call.method === 'GET' ? 10 : 200);
}

/** Refuses the call if the person has none of these tasks on the Page. */
export function checkTasks(call: Call, wanted: readonly Task[]): void {
  if (mayDo(call, wanted)) return;
  denied(
    `This endpoint requires a person who can perform ${wanted.join(' or ')} on the Page.`,
    call.method === 'GET' ? 10 : 200,
  );
}

export function checkParams(call: OpenCall, own: readonly string[], required: readonly string[] = []): void {
  const isOld = isBeforeRetirement(call);
  for (const name of isOld ? [] : Object.keys(call.params)) {
    if (retiredParams.includes(name)) invalid(`The ${name} parameter is deprecated and no longer supported`);
  }
  if (isOld && call.params['date_format'] !== undefined) notEmulated('the parameter date_format');
  if (!isOld && call.headers.has('if-none-match')) invalid('The If-None-Match header is no longer supported');
  if (call.world.strict) {
    const known = [...genericParams[call.method], ...(isOld ? retiredParams : []), ...own];
    const unknown = Object.keys(call.params).find((name) => !known.includes(name));
    if (unknown !== undefined) invalid(`The parameter ${unknown} is not known to this endpoint`);
  }
  const lacking = required.find((name) => call.params[name] === undefined || call.params[name] === '');
  if (lacking !== undefined) invalid(`The parameter ${lacking} is required`);
}
