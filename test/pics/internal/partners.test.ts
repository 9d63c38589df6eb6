import { describe, expect, test } from 'vitest';

import { tellPartners } from '../../../src/pics/internal/partners.ts';

function thread(...ids: readonly string[]) {
  return { id: ids.join(), participants: { data: ids.map((id) => ({ id })) } };
}

describe('the partners in conversations', () => {
  test('are all that are not the account, by its id', () => {
    const group = thread('me', 'ann', 'bob');

    expect(tellPartners([group], ['me'])(group)).toEqual([{ id: 'ann' }, { id: 'bob' }]);
  });

  test('are told by who alone takes part in all conversations, where no id of the account turns up', () => {
    const [first, second, third] = [
      thread('x', 'ann'),
      thread('ann', 'x', 'bob'),
      thread('cid', 'x'),
    ] as const;
    const tell = tellPartners([first, second, third], ['me', undefined]);

    expect(tell(first)).toEqual([{ id: 'ann' }]);
    expect(tell(third)).toEqual([{ id: 'cid' }]);
  });

  test.each([
    ['two take part in all', [thread('x', 'ann'), thread('ann', 'x')]],
    ['no one does', [thread('x', 'ann'), thread('y', 'bob')]],
    ['there is one conversation only', [thread('x', 'ann')]],
    ['no one is named', [{ id: 'empty' }, { id: 'empty too' }]],
  ])('cannot be told where %s', (_, threads) => {
    expect(threads.map(tellPartners(threads, ['me']))).toEqual(threads.map(() => undefined));
  });
});
