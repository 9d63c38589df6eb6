import type { AnySdkError, ErrorCategory, TransportReason } from 'pagepics';

// The status of an API of yours whose call of the platform failed. A category, a reason or a class that a later
// version adds does not compile until it has a status.
const statusOfCategory: Record<ErrorCategory, number> = {
  // Not 401: that would say that the session with your own server has ended.
  auth: 403,
  permission: 403,
  policy: 403,
  not_found: 404,
  window: 409,
  recipient: 422,
  validation: 422,
  media: 422,
  rate_limit: 429,
  quota: 429,
  unknown: 502,
  transient: 503,
};
const statusOfReason: Record<TransportReason, number> = {
  busy: 409,
  network: 502,
  aborted: 503,
  closed: 503,
  journal: 503,
  timeout: 504,
};

/** `input` names the options that hold what the request asked for; a fault of any other one is the server's own. */
function statusOf(error: AnySdkError, input: readonly string[] = []): number {
  // It happened, and only its id is unknown: nobody should try it again.
  if ('outcome' in error && error.outcome === 'applied') return 202;
  switch (error.name) {
    case 'ConfigurationError':
      return input.includes(error.option ?? '') ? 400 : 500;
    case 'TransportError':
      return statusOfReason[error.reason];
    case 'ApiError':
    case 'RateLimitError':
    case 'PermissionError':
      // It may have happened, and 503 would invite to try again.
      if (error.outcome === 'unknown' && error.category === 'transient') return 502;
      return statusOfCategory[error.category];
    case 'ContainerNotReadyError':
      return error.action === 'wait' ? 503 : 422;
    case 'SignatureError':
      return 401;
    case 'DeliveryError':
      return 400;
  }
}

/** The response for a failure: what a client has to know to go on, and no word that is not meant for it. */
export function errorResponse(error: AnySdkError, input?: readonly string[]): Response {
  const status = statusOf(error, input);
  const headers = new Headers();
  if (error.retryAfterMs !== undefined)
    headers.set('Retry-After', String(Math.ceil(error.retryAfterMs / 1000)));
  const problem = {
    error: error.name,
    category: 'category' in error ? error.category : undefined,
    action: 'action' in error ? error.action : undefined,
    outcome: 'outcome' in error ? error.outcome : undefined,
    // In the language of the person, where the platform has such a text. The other ones are for logs.
    message: 'userMessage' in error ? error.userMessage : status === 400 ? error.message : undefined,
    callId: error.callId,
  };
  return Response.json(problem, { status, headers });
}
