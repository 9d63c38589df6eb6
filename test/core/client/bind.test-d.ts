import type { Result, ResultAsync } from 'neverthrow';
import { describe, expectTypeOf, test } from 'vitest';

import { bind } from '../../../src/core/client.ts';
import type {
  ApiError,
  ConfigurationError,
  Failure,
  PermissionError,
  RateLimitError,
  TransportError,
} from '../../../src/core/errors.ts';
import type { Created } from '../../../src/models/fields.ts';
import type { PageClient } from '../../../src/page/client.ts';
import type { PageContext } from '../../../src/page/context.ts';
import { publishPost, type PublishPostOptions } from '../../../src/page/posts.ts';
import type { PicsContext } from '../../../src/pics/context.ts';

declare const context: PageContext;
declare const picsContext: PicsContext;
declare function count(
  context: PageContext,
  step: number,
  label?: string,
): Result<number, ConfigurationError>;
declare function never(context: PageContext): ResultAsync<string, never>;

describe('bind', () => {
  test('keeps parameters and value of each function', () => {
    const client = bind(context, { publishPost, count, never });

    expectTypeOf(client.publishPost).toEqualTypeOf<(options: PublishPostOptions) => Promise<Created>>();
    expectTypeOf(client.count).toEqualTypeOf<(step: number, label?: string) => number>();
    expectTypeOf(client.never).toEqualTypeOf<() => Promise<string>>();
    expectTypeOf<PageClient['publishPost']>().toEqualTypeOf<
      (options: PublishPostOptions) => Promise<Created>
    >();
  });

  test('takes no misuse', () => {
    // @ts-expect-error another kind of context
    bind(picsContext, { publishPost });
    // @ts-expect-error no function of a context and options
    bind(context, { name: 'publishPost' });
    // @ts-expect-error neither a Result nor a ResultAsync
    bind(context, { now: () => Promise.resolve(1) });
    const client = bind(context, { publishPost });
    // @ts-expect-error an option is missing
    void client.publishPost({ pageId: '1', pageToken: 't' });
    // @ts-expect-error an option of another type
    void client.publishPost({ pageId: 1, pageToken: 't', message: 'm' });
    // @ts-expect-error an unknown option
    void client.publishPost({ pageId: '1', pageToken: 't', message: 'm', text: 'm' });
    // @ts-expect-error the context is bound
    void client.publishPost(context, { pageId: '1', pageToken: 't', message: 'm' });
    // @ts-expect-error a method cannot be replaced
    client.publishPost = async () => ({ id: '1' });
  });
});

describe('failures', () => {
  test('narrow by name, exactly and exhaustively', () => {
    const narrow = (failure: Failure): string => {
      switch (failure.name) {
        case 'ApiError':
          expectTypeOf(failure).toEqualTypeOf<ApiError>();
          return failure.category;
        case 'RateLimitError':
          expectTypeOf(failure).toEqualTypeOf<RateLimitError>();
          return String(failure.retryAfterMs);
        case 'PermissionError':
          expectTypeOf(failure).toEqualTypeOf<PermissionError>();
          return failure.outcome;
        case 'TransportError':
          expectTypeOf(failure).toEqualTypeOf<TransportError>();
          return failure.reason;
        case 'ConfigurationError':
          expectTypeOf(failure).toEqualTypeOf<ConfigurationError>();
          return String(failure.option);
        default:
          expectTypeOf(failure).toBeNever();
          return failure;
      }
    };
    expectTypeOf(narrow).returns.toBeString();
  });
});
