import { ConfigurationError } from '../../core/errors.ts';

/** Something is published at once, later, or kept as a draft. */
export function isOneOf({
  draft,
  scheduledAt,
  published,
}: {
  readonly draft?: boolean | undefined;
  readonly scheduledAt?: Date | number | undefined;
  readonly published?: boolean | undefined;
}): ConfigurationError | undefined {
  return [draft, scheduledAt, published].filter(Boolean).length > 1
    ? new ConfigurationError(
        'give only one of draft, scheduledAt and published: true',
        draft ? 'draft' : 'scheduledAt',
      )
    : undefined;
}
