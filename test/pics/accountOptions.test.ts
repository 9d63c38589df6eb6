import { describe, expect, test } from 'vitest';

import { accountId, onlyIn } from '../../src/pics/accountOptions.ts';
import { picsContext, picsPageContext } from '../support/context.ts';
import { faultIn } from '../support/rules.ts';

describe('the rule for an account', () => {
  test.each([
    ['17', undefined, undefined],
    ['me', undefined, 'must be an id in page mode, not me'],
    [undefined, undefined, 'is required in page mode'],
    ['', 'must be a non-empty string', 'must be a non-empty string'],
    ['..', 'must be an id', 'must be an id'],
  ])('for %j says %j in login mode, %j in page mode', (value, login, page) => {
    expect(faultIn(accountId(picsContext()), value)).toBe(login);
    expect(faultIn(accountId(picsPageContext()), value)).toBe(page);
  });
});

describe('the check of the mode', () => {
  test('lets the mode pass that a function needs', () => {
    expect(onlyIn('login')({}, picsContext())).toBeUndefined();
    expect(onlyIn('page', 'do something else')({}, picsPageContext())).toBeUndefined();
  });

  test('says which mode a function needs, and what to do instead', () => {
    expect(onlyIn('page')({}, picsContext())).toMatchObject({
      name: 'ConfigurationError',
      message: 'this function works in page mode only',
      option: 'context',
    });
    expect(onlyIn('login', ': subscribe the Page instead')({}, picsPageContext())).toMatchObject({
      message: 'this function works in login mode only: subscribe the Page instead',
      option: 'context',
    });
  });
});
