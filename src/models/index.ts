export { type Created, createdSchema } from './created.ts';
