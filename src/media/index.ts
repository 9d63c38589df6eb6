export { checkMedia, type CheckMediaOptions, type MediaCheck } from './checkMedia.ts';
export { checkMediaUrl, type CheckMediaUrlOptions, type MediaUrlCheck } from './checkMediaUrl.ts';
export { inspectImage, inspectMedia } from './inspectMedia.ts';
export { judgeCarousel, judgeImage, judgeMedia } from './judgeMedia.ts';
export { type MediaJob, type MediaReport, mend, type MendOptions, type SharpStep } from './mend.ts';
export * from './types.ts';
