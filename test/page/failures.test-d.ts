import type { Result, ResultAsync } from 'neverthrow';
import { describe, expectTypeOf, test } from 'vitest';

import type {
  ApiError,
  ConfigurationError,
  Failure,
  PermissionError,
  RateLimitError,
  TransportError,
} from '../../src/core/errors.ts';
import type * as page from '../../src/page/endpoints.ts';

type FailureOf<TFunction extends (...args: never[]) => unknown> =
  ReturnType<TFunction> extends ResultAsync<unknown, infer TFailure>
    ? TFailure
    : ReturnType<TFunction> extends Result<unknown, infer TFailure>
      ? TFailure
      : never;

describe('failures of the page functions', () => {
  test('name what a request can fail with', () => {
    type Plain =
      | 'exchangeCode'
      | 'revoke'
      | 'me'
      | 'pages'
      | 'subscribePage'
      | 'subscriptions'
      | 'unsubscribePage'
      | 'posts'
      | 'publishPost'
      | 'scheduledPosts'
      | 'updatePost'
      | 'publishScheduledPost'
      | 'publishComment'
      | 'publishPhoto'
      | 'publishPhotos'
      | 'publishVideo'
      | 'publishReel'
      | 'videoStatus'
      | 'updateComment'
      | 'deleteComment'
      | 'like'
      | 'deletePost'
      | 'comments'
      | 'hideComment'
      | 'replyComment'
      | 'lead'
      | 'leadForms'
      | 'leads';

    expectTypeOf<{ [TName in Plain]: FailureOf<(typeof page)[TName]> }>().toEqualTypeOf<{
      [TName in Plain]: ApiError | RateLimitError | PermissionError | TransportError | ConfigurationError;
    }>();
  });

  test('name no refusal where one is no failure', () => {
    type Lenient = 'grantedScopes' | 'postInsights' | 'adContext';

    expectTypeOf<{ [TName in Lenient]: FailureOf<(typeof page)[TName]> }>().toEqualTypeOf<{
      [TName in Lenient]: TransportError | ConfigurationError;
    }>();
  });

  test('are of the options alone where nothing is sent', () => {
    expectTypeOf<FailureOf<typeof page.loginUrl>>().toEqualTypeOf<ConfigurationError>();
  });

  test('narrow by name, to the last', () => {
    function tell(failure: Failure): string | undefined {
      switch (failure.name) {
        case 'ConfigurationError':
          return failure.option;
        case 'TransportError':
          return failure.reason;
        case 'RateLimitError':
          return String(failure.retryAfterMs);
        case 'PermissionError':
        case 'ApiError':
          return failure.traceId;
        default:
          return failure satisfies never;
      }
    }

    expectTypeOf(tell).parameter(0).toEqualTypeOf<FailureOf<typeof page.lead>>();
  });
});
