export * from './context.ts';
export * from './endpoints.ts';
export { splitMessage } from '../messaging/splitMessage.ts';
