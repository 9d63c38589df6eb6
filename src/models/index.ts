export { type Created, createdSchema } from './created.ts';
export { tokenAnswerSchema, type TokenBundle } from './tokenBundle.ts';
