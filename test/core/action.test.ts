import { describe, expect, test } from 'vitest';

import { facts } from '../../src/core/codes.ts';
import { withOutcome } from '../../src/core/deriveError.ts';
import {
  ApiError,
  type ApiErrorDetails,
  ContainerNotReadyError,
  RateLimitError,
} from '../../src/core/errors.ts';

describe('the action of an error', () => {
  test.each<[string, ApiErrorDetails]>([
    ['login', { code: 190, subcode: 463, category: 'auth' }],
    ['login', { code: 190, subcode: 460, category: 'auth' }],
    ['login', { code: 190, category: 'auth' }],
    ['fix', { code: 190, subcode: 459, category: 'auth' }],
    ['fix', { code: 190, subcode: 464, category: 'auth' }],
    ['fix', { code: 190, subcode: 490, category: 'auth' }],
    ['fix', { code: 190, subcode: 492, category: 'auth' }],
    ['fix', { code: 190, subcode: 2_069_032, category: 'auth' }],
    ['fix', { code: 104, category: 'auth' }],
    ['login', { code: 102, category: 'auth' }],
    ['login', { code: 190, subcode: 458, category: 'auth' }],
    ['login', { code: 190, subcode: 467, category: 'auth' }],
    ['retry', { code: 100, subcode: 2_018_008, category: 'media' }],
    ['retry', { subcode: 2207076, category: 'media' }],
    ['retry', { code: 9004, subcode: 2207052, category: 'media' }],
    ['retry', { code: 9004, category: 'media' }],
    ['retry', { code: -1, subcode: 2207053, category: 'media' }],
    ['retry', { code: -2, subcode: 2207020, category: 'media' }],
    ['fix', { code: 9004, subcode: 2207052, category: 'media', outcome: 'unknown' }],
    ['fix', { code: 36003, subcode: 2207009, category: 'media' }],
    ['retry', { code: 2, category: 'transient' }],
    ['wait', { code: 4, category: 'rate_limit' }],
    ['wait', { code: 9, subcode: 2207042, category: 'quota' }],
    ['wait', { code: 368, category: 'policy' }],
    ['wait', { code: 9007, subcode: 2207027, category: 'media' }],
    ['fix', { code: 100, category: 'validation' }],
    ['fix', { code: 10, category: 'permission' }],
    ['fix', {}],
  ])('is %s for %j', (action, details) => {
    expect(new ApiError('x', details).action).toBe(action);
  });

  test('is never retry where the call may have taken effect', () => {
    const lost = new ApiError('x', { code: 2, category: 'transient' });

    expect(withOutcome(lost, 'unknown').action).toBe('fix');
    expect(withOutcome(lost, 'applied').action).toBe('fix');
    expect(withOutcome(lost, 'rejected').action).toBe('retry');
  });

  test('of a container is to wait, unless it failed or expired', () => {
    expect(new ContainerNotReadyError('x', '1', 'IN_PROGRESS').action).toBe('wait');
    expect(new ContainerNotReadyError('x', '1').action).toBe('wait');
    expect(new ContainerNotReadyError('x', '1', 'ERROR').action).toBe('fix');
    expect(new ContainerNotReadyError('x', '1', 'EXPIRED').action).toBe('fix');
    expect(new ContainerNotReadyError('x', '1', 'ERROR', { subcode: 2207026 }).action).toBe('fix');
  });

  test.each([2207077, 2207082])('of a container with %i is to retry: another one may do', (subcode) => {
    expect(new ContainerNotReadyError('x', '1', 'ERROR', { subcode }).action).toBe('retry');
    expect(new ContainerNotReadyError('x', '1', 'ERROR', { subcode, outcome: 'unknown' }).action).toBe('fix');
  });

  test('of a token that is too young to be refreshed is to wait', () => {
    const details: ApiErrorDetails = { code: 100, category: 'validation' };

    expect(new ApiError('The token must be at least 24 hours old.', details).action).toBe('wait');
    expect(new ApiError('The token is too long.', details).action).toBe('fix');
  });

  test.each([
    'This method must be called with a Page Access Token',
    '(#190) Application Secret required for this endpoint',
    'The access token does not belong to application 123',
    'Error validating access token: The token was issued to a different app',
    'Error validating application. Application has been deleted.',
    'Invalid OAuth access token signature.',
  ])('of a living token that is not the right one is to fix: %s', (message) => {
    expect(new ApiError(message, { code: 190, category: 'auth' }).action).toBe('fix');
  });

  test.each([
    'Error validating access token: The user has not authorized application 123.',
    'Error validating access token: Session has expired on Friday, 27-Nov-26 10:00:00 PST.',
    'Error validating access token: The session has been invalidated because the user changed their password',
    'Invalid OAuth access token - Cannot parse access token',
  ])('of a dead token is to log in: %s', (message) => {
    expect(new ApiError(message, { code: 190, category: 'auth' }).action).toBe('login');
  });

  test('of a rate limit is to wait', () => {
    expect(new RateLimitError('x', { category: 'rate_limit' }).action).toBe('wait');
  });
});

test('no code is said to mean two things', () => {
  const codes = facts.flatMap((fact) => fact.codes.split(' '));
  expect(codes.filter((code, at) => codes.indexOf(code) !== at)).toEqual([]);
});
