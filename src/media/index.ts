export { inspectImage, inspectMedia } from './inspectMedia.ts';
export * from './types.ts';
