import { type Rule, that } from '../core/options/check.ts';

const types: readonly unknown[] = ['image', 'video', 'audio', 'file'];

/** The rule for the kind of a file. */
export const attachmentType: Rule = that((value) => types.includes(value), types.join(', '));
