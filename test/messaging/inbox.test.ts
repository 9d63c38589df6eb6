import { describe, expect, test } from 'vitest';

import { ownerIdsIn, partnersIn } from '../../src/messaging/inbox.ts';

function thread(...ids: readonly string[]) {
  return { participants: { data: ids.map((id) => ({ id })) } };
}

describe('the partners in conversations', () => {
  test('are all that are not the account, by its id', () => {
    const group = thread('me', 'ann', 'bob');

    expect(ownerIdsIn([group], ['me'])).toEqual(['me']);
    expect(partnersIn(group, ['me'])).toEqual([{ id: 'ann' }, { id: 'bob' }]);
  });

  test('are recognized by who takes part in all conversations, if no id of the account appears', () => {
    const threads = [thread('x', 'ann'), thread('ann', 'x', 'bob'), thread('cid', 'x')];

    expect(ownerIdsIn(threads, ['me', undefined])).toEqual(['x']);
  });

  test.each([
    ['two take part in all', [thread('x', 'ann'), thread('ann', 'x')]],
    ['no one does', [thread('x', 'ann'), thread('y', 'bob')]],
    ['there is one conversation only', [thread('x', 'ann')]],
    ['no one is named', [{ participants: undefined }, { participants: undefined }]],
  ])('cannot be told where %s', (_, threads) => {
    expect(ownerIdsIn(threads, ['me'])).toBeUndefined();
    expect(threads.map((one) => partnersIn(one, ['me']))).toEqual(threads.map(() => undefined));
  });
});
