import type { FaultError } from './types.ts';

/** The response to a request that the platform refuses. */
export interface Refusal {
  readonly status: number;
  readonly body: unknown;
}

export interface GraphRefusal extends FaultError {
  readonly status?: number;
}

/** Refuses the request: throws an error that the engine turns into the response. */
export function refuse(refusal: GraphRefusal): never {
  const { status, ...error } = refusal;
  throw withRefusal({ status: status ?? statusOf(error.code), body: envelope(error) });
}

/** Refuses with a body in another format, as the token host and the upload host do. */
export function refuseWith(status: number, body: unknown): never {
  throw withRefusal({ status, body });
}

export function envelope(error: FaultError): { readonly error: Record<string, unknown> } {
  const { message, type, code, error_subcode, is_transient, ...rest } = error;
  return {
    error: {
      message: message ?? `(#${code}) An error occurred`,
      type: type ?? 'OAuthException',
      code,
      ...(error_subcode === undefined ? {} : { error_subcode }),
      ...(is_transient === undefined ? {} : { is_transient }),
      ...rest,
    },
  };
}

export function refusalOf(thrown: unknown): Refusal | undefined {
  if (typeof thrown !== 'object' || thrown === null || !('refusal' in thrown)) return undefined;
  return thrown.refusal as Refusal;
}

/** Refuses a wrong parameter. */
export function invalid(message: string, error_subcode?: number): never {
  return refuse({
    code: 100,
    message: `(#100) ${message}`,
    ...(error_subcode === undefined ? {} : { error_subcode }),
  });
}

/** Refuses an unknown id. An id that the token may not see is refused in the same way. */
export function missing(id: string, method: string): never {
  return refuse({
    code: 100,
    error_subcode: 33,
    type: 'GraphMethodException',
    message:
      `Unsupported ${method.toLowerCase()} request. Object with ID '${id}' does not exist, cannot be loaded due to ` +
      'missing permissions, or does not support this operation.',
  });
}

export function denied(message: string, code: 10 | 200 | 210 = 200): never {
  return refuse({ code, status: 403, message: `(#${code}) ${message}` });
}

/** Refuses what the live platform has and the sandbox lacks, with a message that no live response has. */
export function notEmulated(what: string): never {
  return refuse({
    code: 100,
    type: 'SandboxException',
    message: `The pagepics sandbox does not emulate ${what}. The live platform may well have it.`,
  });
}

function withRefusal(refusal: Refusal): Error {
  return Object.assign(new Error(`refused with HTTP ${refusal.status}`), { refusal });
}

function statusOf(code: number): number {
  return code === 10 || (code >= 200 && code <= 299) ? 403 : 400;
}
