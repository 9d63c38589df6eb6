import { describe, expectTypeOf, test } from 'vitest';

import type * as errors from '../../src/core/errors.ts';
import {
  type AnyApiError,
  type AnySdkError,
  ApiError,
  ConfigurationError,
  ContainerNotReadyError,
  type Failure,
  isSdkError,
  PermissionError,
  RateLimitError,
  TransportError,
} from '../../src/core/errors.ts';

/** Compiles only if each name is handled, and none is left. */
function tell(error: AnySdkError): string | undefined {
  switch (error.name) {
    case 'ConfigurationError':
      expectTypeOf(error).toEqualTypeOf<ConfigurationError>();
      return error.option;
    case 'TransportError':
      expectTypeOf(error).toEqualTypeOf<TransportError>();
      return error.reason;
    case 'RateLimitError':
      expectTypeOf(error).toEqualTypeOf<RateLimitError>();
      return String(error.retryAfterMs);
    case 'PermissionError':
      expectTypeOf(error).toEqualTypeOf<PermissionError>();
      return error.category;
    case 'ContainerNotReadyError':
      expectTypeOf(error).toEqualTypeOf<ContainerNotReadyError>();
      return error.containerId;
    case 'SignatureError':
      return error.reason;
    case 'DeliveryError':
      return error.message;
    case 'ApiError':
      expectTypeOf(error).toEqualTypeOf<ApiError>();
      return error.ids.photo_id;
  }
}

describe('any error', () => {
  test('tells in how long the same call may help, without a look at its class', () => {
    expectTypeOf<AnySdkError['retryAfterMs']>().toEqualTypeOf<number | undefined>();
    expectTypeOf<Failure['retryAfterMs']>().toEqualTypeOf<number | undefined>();
    expectTypeOf<ConfigurationError['retryAfterMs']>().toEqualTypeOf<undefined>();
    expectTypeOf<TransportError['retryAfterMs']>().toEqualTypeOf<number | undefined>();
  });
});

describe('what a client threw', () => {
  test('is narrowed by isSdkError', () => {
    function handle(thrown: unknown): string | undefined {
      if (!isSdkError(thrown)) return undefined;
      expectTypeOf(thrown).toEqualTypeOf<AnySdkError>();
      return tell(thrown);
    }
    expectTypeOf(handle).returns.toEqualTypeOf<string | undefined>();
  });

  test('is narrowed by instanceof ApiError to its concrete classes', () => {
    function handle(thrown: unknown): string | undefined {
      if (!(thrown instanceof ApiError)) return undefined;
      expectTypeOf(thrown).toEqualTypeOf<AnyApiError>();
      expectTypeOf(thrown.name).toEqualTypeOf<
        'ApiError' | 'RateLimitError' | 'PermissionError' | 'ContainerNotReadyError'
      >();
      return tell(thrown);
    }
    expectTypeOf(handle).returns.toEqualTypeOf<string | undefined>();
  });

  test('is narrowed by its subclasses to these', () => {
    function handle(thrown: unknown): void {
      if (thrown instanceof RateLimitError) expectTypeOf(thrown).toEqualTypeOf<RateLimitError>();
      if (thrown instanceof PermissionError) expectTypeOf(thrown).toEqualTypeOf<PermissionError>();
      if (thrown instanceof ContainerNotReadyError) {
        expectTypeOf(thrown).toEqualTypeOf<ContainerNotReadyError>();
      }
      if (thrown instanceof TransportError) expectTypeOf(thrown).toEqualTypeOf<TransportError>();
    }
    expectTypeOf(handle).returns.toBeVoid();
  });
});

describe('the failure of a Result', () => {
  test('keeps what is left after instanceof', () => {
    function handle(failure: Failure): void {
      if (failure instanceof ApiError) {
        expectTypeOf(failure).toEqualTypeOf<ApiError | RateLimitError | PermissionError>();
      } else {
        expectTypeOf(failure).toEqualTypeOf<TransportError | ConfigurationError>();
      }
    }
    expectTypeOf(handle).returns.toBeVoid();
  });
});

test('AnySdkError has every class of errors', () => {
  type ClassName = Exclude<keyof typeof errors, 'SdkError' | 'isSdkError'>;
  expectTypeOf<InstanceType<(typeof errors)[ClassName]>>().toEqualTypeOf<AnySdkError>();
});

test('the payload of an error names what functions document', () => {
  expectTypeOf<ApiError['payload']>().toEqualTypeOf<errors.ErrorPayload | undefined>();
  const { payload } = new ApiError('x');
  if (typeof payload === 'object' && payload !== null) {
    expectTypeOf(payload.photos).toEqualTypeOf<readonly (string | null)[] | undefined>();
    expectTypeOf(payload.photo_ids).toEqualTypeOf<readonly string[] | undefined>();
    expectTypeOf(payload['error']).toEqualTypeOf<unknown>();
    expectTypeOf(payload.published).toEqualTypeOf<errors.PublishedValue | undefined>();
  }
  const { published } = new ConfigurationError('x').payload ?? {};
  expectTypeOf(published).toEqualTypeOf<errors.PublishedValue | undefined>();
  expectTypeOf(published?.post_id).toEqualTypeOf<string | undefined>();
  expectTypeOf(published?.photo_ids).toEqualTypeOf<readonly string[] | undefined>();
  expectTypeOf(new ApiError('x').failedItem).toEqualTypeOf<number | undefined>();
  expectTypeOf(new TransportError('network', 'x').failedItem).toEqualTypeOf<number | undefined>();
});
