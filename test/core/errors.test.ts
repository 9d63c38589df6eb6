import { inspect } from 'node:util';

import { describe, expect, test } from 'vitest';

import {
  ApiError,
  ConfigurationError,
  ContainerNotReadyError,
  isSdkError,
  PermissionError,
  RateLimitError,
  SdkError,
  TransportError,
} from '../../src/core/errors.ts';

const all = [
  new ConfigurationError('m', 'o'),
  new TransportError('network', 'm', {
    outcome: 'unknown',
    payload: { photo_id: '1' },
    ids: { photo_id: '1' },
  }),
  new ApiError('m', { status: 400, code: 100, payload: { error: {} } }),
  new RateLimitError('m', { status: 400, code: 4 }, 5, { percent: 100 }),
  new PermissionError('m', { status: 403 }),
  new ContainerNotReadyError('m', 'c', 'ERROR'),
];

describe.each(all)('as text, $name', (error) => {
  test('is whole in JSON, its message and name first', () => {
    const parsed = JSON.parse(JSON.stringify({ error })) as { error: object };
    expect(parsed.error).toMatchObject({ name: error.name, message: 'm' });
    expect(Object.keys(parsed.error).slice(0, 2)).toEqual(['name', 'message']);
    expect(parsed.error).toEqual(
      JSON.parse(
        JSON.stringify({
          ...Object.fromEntries(Object.entries(error)),
          message: 'm',
        }),
      ),
    );
    expect('action' in parsed.error).toBe(error instanceof ApiError);
  });

  test('shows what helps wherever it is shown', () => {
    expect(Object.keys(error).includes('action')).toBe(error instanceof ApiError);
    if ('action' in error) expect(inspect(error)).toContain(`action: '${error.action}'`);
  });

  test('says its name and message once in the console', () => {
    const shown = inspect(error);
    expect(shown).toMatch(new RegExp(`^${error.name}: m\\n +at `));
    expect(shown).not.toContain('toJSON');
  });

  test('is known as an error of the SDK', () => {
    expect(isSdkError(error)).toBe(true);
  });
});

test('other errors are none of the SDK', () => {
  for (const thrown of [new Error('m'), undefined, null, 'ApiError', { name: 'ApiError' }]) {
    expect(isSdkError(thrown)).toBe(false);
  }
});

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
    expect(
      new TransportError('closed', 'm', { outcome: 'unknown', payload: { photo_id: '1' } }),
    ).toMatchObject({
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

describe('a class of the caller that extends ApiError', () => {
  class Mine extends ApiError {}
  class Narrower extends Mine {}

  test('has only its own instances', () => {
    const others = [
      new ApiError('No'),
      new RateLimitError('No'),
      new PermissionError('No'),
      new Error('No'),
      {},
      null,
    ];
    expect(others.filter((one) => one instanceof Mine)).toEqual([]);
    expect(new Mine('No')).toBeInstanceOf(Mine);
    expect(new Narrower('No')).toBeInstanceOf(Mine);
    expect(new Mine('No')).not.toBeInstanceOf(Narrower);
  });

  test('is an ApiError', () => {
    expect(new Mine('No')).toBeInstanceOf(ApiError);
    expect(new Narrower('No')).toBeInstanceOf(ApiError);
  });
});
