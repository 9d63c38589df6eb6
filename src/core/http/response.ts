import { err, ok, type Result } from 'neverthrow';
import { getDotPath, safeParse } from 'valibot';

import { ApiError } from '../errors.ts';
import type { Redact } from './redact.ts';
import type { Schema } from './types.ts';

/** Checks an answer. What does not fit is an ApiError that says where, with the whole body. */
export function parseResponse<TOutput>(
  body: unknown,
  schema: Schema<TOutput>,
  { status, isRead, redact }: { readonly status: number; readonly isRead: boolean; readonly redact: Redact },
): Result<TOutput, ApiError> {
  const success = (body as { readonly success?: unknown } | null)?.success;
  if (!isRead && (success === false || success === 'false')) {
    return err(new ApiError('the platform answered success: false', { status, payload: redact(body) }));
  }
  const parsed = safeParse(schema, body);
  if (parsed.success) return ok(parsed.output);

  const issue = parsed.issues[0];
  // A missing key expects its own name, in quotes.
  const expected = issue.expected?.startsWith('"') ? 'a value' : (issue.expected ?? 'another value');
  return err(
    new ApiError(redact(`unexpected answer at ${getDotPath(issue) ?? 'body'}: expected ${expected}`), {
      status,
      payload: redact(body),
      outcome: isRead ? 'rejected' : 'unknown',
    }),
  );
}
