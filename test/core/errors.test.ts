import { describe, expect, test } from 'vitest';

import {
  ApiError,
  ConfigurationError,
  ContainerNotReadyError,
  PermissionError,
  RateLimitError,
  SdkError,
  TransportError,
} from '../../src/core/errors.ts';

describe('errors', () => {
  test.each([
    [new ConfigurationError('m', 'o'), 'ConfigurationError', false],
    [new TransportError('network', 'm'), 'TransportError', false],
    [new ApiError('m'), 'ApiError', true],
    [new RateLimitError('m'), 'RateLimitError', true],
    [new PermissionError('m'), 'PermissionError', true],
    [new ContainerNotReadyError('m', 'c'), 'ContainerNotReadyError', true],
  ])('%s descends from its base', (error, name, isApi) => {
    expect(error).toBeInstanceOf(Error);
    expect(error).toBeInstanceOf(SdkError);
    expect(error instanceof ApiError).toBe(isApi);
    expect(error.name).toBe(name);
    expect(String(error)).toBe(`${name}: m`);
    expect(error.stack).toContain('errors.test.ts');
  });

  test('hold what they are given', () => {
    expect(new ConfigurationError('m', 'pageId').option).toBe('pageId');
    expect(new TransportError('closed', 'm', 'unknown', { photo_id: '1' })).toMatchObject({
      reason: 'closed',
      outcome: 'unknown',
      payload: { photo_id: '1' },
    });
    expect(new RateLimitError('m', { status: 400 }, 5, { percent: 100 })).toMatchObject({
      status: 400,
      retryAfterMs: 5,
      usage: { percent: 100 },
    });
    expect(new ContainerNotReadyError('m', 'c', 'ERROR', { outcome: 'rejected' })).toMatchObject({
      containerId: 'c',
      statusCode: 'ERROR',
    });
  });

  test('are taken for a rejection of unknown kind where nothing else is said', () => {
    expect(new ApiError('m')).toMatchObject({
      category: 'unknown',
      outcome: 'rejected',
      transient: false,
      status: undefined,
    });
    expect(new TransportError('network', 'm').outcome).toBe('rejected');
  });
});
