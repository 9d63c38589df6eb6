import { describe, expect, test } from 'vitest';

import { readArguments } from '../src/commandLine.ts';

describe('the arguments of a command line', () => {
  const read = (...args: readonly string[]) => readArguments(args, ['page', 'key'], ['json']);

  test('are values, flags and words', () => {
    expect(read('doctor', '--page', '1', '--json', '--key=a=b\nc', 'now')).toEqual({
      values: { page: '1', key: 'a=b\nc' },
      flags: new Set(['json']),
      words: ['doctor', 'now'],
    });
    expect(read()).toEqual({ values: {}, flags: new Set(), words: [] });
  });

  test.each(['--help', '-h'])('ask for help by %s, whatever stands beside it', (help) => {
    expect(read('--fast', help, '--page')).toMatchObject({ flags: new Set(['help']) });
  });

  test.each([
    [['--page'], '--page needs a value.'],
    [['--page', ''], '--page needs a value.'],
    [['--page='], '--page needs a value.'],
    [['--page', '--json'], '--page needs a value.'],
    [['--page', '1', '--page=2'], '--page is given twice.'],
    [['--fast'], 'Unknown argument: --fast'],
    [['-f'], 'Unknown argument: -f'],
    [['--json=yes'], 'Unknown argument: --json'],
    [['--as-long-as-an-option-may-be'], 'Unknown argument: --as-long-as-an-option-may-be'],
    [['--12345678901234567x'], 'Unknown argument: --12345678901234567x'],
    // They may be tokens.
    [['--EAAB0123456789abcdefg'], 'Unknown argument: (23 characters)'],
    [['--abcdefghijklm123456789'], 'Unknown argument: (24 characters)'],
    [[`--${'a'.repeat(39)}`], 'Unknown argument: (41 characters)'],
    [['-EAAB0123456789abcdefg'], 'Unknown argument: -E'],
    [['--fast=EAAB0123456789abcdefg'], 'Unknown argument: --fast'],
  ])('that do not fit are named, but for what may be a secret: %j', (args, message) => {
    expect(read(...args)).toBe(message);
  });
});
