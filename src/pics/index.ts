export * from './context.ts';
export * from './endpoints.ts';
