import {
  ApiError,
  ConfigurationError,
  ContainerNotReadyError,
  errorFromJSON,
  RateLimitError,
  reactTo,
  TransportError,
} from 'pagepics';
import { describe, expect, test } from 'vitest';

describe('reactTo', () => {
  const person = { is: 'a matter for a person' };
  const again = (afterMs: number, isAttempt: boolean) => ({ is: 'to be called again', afterMs, isAttempt });

  test.each([
    ['an applied write', new TransportError('network', 'x', { outcome: 'applied' }), 0, { is: 'done' }],
    ['a bad option', new ConfigurationError('x', 'message'), 0, person],
    ['what nobody can find out', new TransportError('network', 'x', { outcome: 'unknown' }), 0, person],
    [
      'a refusal',
      new ApiError('x', { category: 'validation', action: 'fix', outcome: 'rejected' }),
      0,
      person,
    ],
    ['a file that cannot be used', new ContainerNotReadyError('x', '1', 'ERROR'), 0, person],
    [
      'a key that is held, after many attempts',
      new TransportError('busy', 'x', { outcome: 'unknown', retryAfterMs: 9000 }),
      99,
      again(9000, false),
    ],
    ['a limit', new RateLimitError('x', { category: 'rate_limit' }, 60_000), 99, again(60_000, false)],
    [
      'what is not known yet',
      new TransportError('network', 'x', { outcome: 'unknown', retryAfterMs: 700 }),
      3,
      again(700, true),
    ],
    [
      'what is not known yet, after many attempts',
      new TransportError('network', 'x', { outcome: 'unknown', retryAfterMs: 700 }),
      8,
      person,
    ],
    ['a request that did not leave', new TransportError('network', 'x'), 2, again(60_000, true)],
    ['a store that fails', new TransportError('journal', 'x'), 0, again(60_000, true)],
    ['a block', new ApiError('x', { category: 'policy', action: 'wait' }), 0, again(3_600_000, true)],
    [
      'a quota that lasts',
      new ApiError('x', { category: 'quota', action: 'wait' }),
      99,
      again(3_600_000, false),
    ],
    ['a block that lasts', new ApiError('x', { category: 'policy', action: 'wait' }), 8, person],
  ] as const)('knows what to do after %s, from its JSON too', (_, error, attempts, expected) => {
    const back = errorFromJSON(JSON.parse(JSON.stringify(error)));

    expect(reactTo(error, attempts)).toEqual(expected);
    expect(back && reactTo(back, attempts)).toEqual(expected);
  });

  test('gives up after as many attempts as it is told, and where the count was lost', () => {
    const error = new TransportError('network', 'x');

    expect(reactTo(error, 2, 3)).toEqual(again(60_000, true));
    expect(reactTo(error, 3, 3)).toEqual(person);
    expect(reactTo(error, Number.NaN)).toEqual(person);
  });
});
