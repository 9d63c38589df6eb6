import { err, ok, type Result } from 'neverthrow';
import { getDotPath, safeParse } from 'valibot';

import { ApiError } from '../errors.ts';
import { type Redact, redactName } from './redact.ts';
import type { Schema } from './types.ts';

interface ParsingOptions {
  readonly status: number;
  readonly isRead: boolean;
  readonly redact: Redact;
  /** Whether the body is a secret itself. */
  readonly hidesBody?: boolean | undefined;
}

/** Checks a response. What does not fit is an ApiError that says where, with the whole body. */
export function parseResponse<TOutput>(
  body: unknown,
  schema: Schema<TOutput>,
  { status, isRead, redact, hidesBody }: ParsingOptions,
): Result<TOutput, ApiError> {
  const success = (body as { readonly success?: unknown } | null)?.success;
  if (!isRead && (success === false || success === 'false')) {
    return err(new ApiError('the platform responded with success: false', { status, payload: payload() }));
  }
  const parsed = safeParse(schema, body);
  if (parsed.success) return ok(parsed.output);

  const issue = parsed.issues[0];
  // A missing key expects its own name, in quotes.
  const expected = issue.expected?.startsWith('"') ? 'a value' : (issue.expected ?? 'another value');
  return err(
    new ApiError(
      `unexpected response at ${redactName(redact, getDotPath(issue) ?? 'body')}: expected ${expected}`,
      {
        status,
        payload: payload(),
        outcome: isRead ? 'rejected' : 'unknown',
      },
    ),
  );

  function payload(): unknown {
    return hidesBody ? undefined : redact(body);
  }
}
